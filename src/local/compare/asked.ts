import { setTimeout as pause } from 'node:timers/promises'

/** A system with Umami's API. */
export interface System {
  /** The JSON answer, or the status if that is not 200. */
  ask(path: string, body?: object): Promise<{ readonly body: unknown } | { readonly status: number }>
  readonly origin: string
}

/** The maximum wait for an answer, in milliseconds, and the maximum size of an answer, in bytes. */
const patience = 120_000
const longest = 50_000_000

/** The maximum number of retries of a rate-limited request, and the maximum wait before a retry, in seconds. */
const mostRepeats = 5
const mostWait = 60

/** The hosted service has no `/api` in its paths. */
const baseOf = (url: string): string => {
  const base = url.replace(/\/+$/, '')
  return /\/(?:api|v1(?:\/\w+)?)$/.test(new URL(base).pathname) ? base : `${base}/api`
}

type Headers = Readonly<Record<string, string>>

export const bearer = (secret: string): Headers => ({ authorization: `Bearer ${secret}` })

/** The header for an API key. Umami's hosted service uses another header, and its keys have no prefix. */
export const headersOfKey = (key: string): Headers =>
  /^(?:umami_|api_)/.test(key) ? bearer(key) : { 'x-umami-api-key': key }

/** `url` is the address of the system. `headers` include a credential. */
export function systemAt(url: string, headers: Headers): System {
  const base = baseOf(url)
  return {
    origin: new URL(url).origin,
    async ask(path, body) {
      for (let repeats = 0; ; repeats++) {
        const response = await fetch(base + path, {
          ...(body && { method: 'POST', body: JSON.stringify(body) }),
          headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
          signal: AbortSignal.timeout(patience),
        })
        if (response.status !== 429 || repeats === mostRepeats) return await readAnswer(response)
        await response.body?.cancel()
        await pause(Math.min(mostWait, Number(response.headers.get('retry-after')) || 15) * 1000)
      }
    },
  }
}

async function readAnswer(response: Response): Promise<{ readonly body: unknown } | { readonly status: number }> {
  const { status } = response
  if (status !== 200) {
    await response.body?.cancel()
    return { status }
  }
  let [text, length] = ['', 0]
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > longest) throw new Error(`${new URL(response.url).host} answers more than ${longest / 1e6} MB.`)
    text += decoder.decode(chunk, { stream: true })
  }
  try {
    return { body: JSON.parse(text + decoder.decode()) }
  } catch {
    return { status: 200 }
  }
}

/** Signs in and returns the token. Throws if the sign-in is refused or needs a second factor. */
export async function signIn(url: string, username: string, password: string): Promise<string> {
  const answer = await systemAt(url, {}).ask('/auth/login', { username, password })
  const token = 'body' in answer ? (answer.body as { readonly token?: unknown } | null)?.token : undefined
  if (typeof token === 'string') return token
  const why = 'status' in answer ? `answers ${answer.status}` : 'requires a second factor: use a key'
  throw new Error(`${new URL(url).host} refuses the sign-in: it ${why}.`)
}
