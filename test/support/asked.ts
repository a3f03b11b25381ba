import { request } from 'undici'

/** A response that was read to its end. */
export interface Asked {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** The headers that `fetch` sends and that the Worker could read. */
const usual = { accept: '*/*', 'accept-language': '*', 'user-agent': 'node' }

/**
 * Like `fetch`, but takes a third of the processor time, since tests send tens of thousands of requests. It does not
 * follow redirects.
 */
export async function asked(url: string, { method = 'GET', headers, body, ...more }: RequestInit): Promise<Asked> {
  const isText = typeof body === 'string'
  if (Object.keys(more).length > 0 || (body && !isText) || Array.isArray(headers)) {
    const response = await fetch(url, { ...more, method, ...(headers && { headers }), ...(body && { body }) })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const given = headers instanceof Headers ? [...headers] : Object.entries((headers ?? {}) as Record<string, string>)
  const sent = Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), value]))
  const response = await request(url, {
    method: method as 'GET',
    headers: { ...usual, ...(isText && { 'content-type': 'text/plain;charset=UTF-8' }), ...sent },
    ...(isText && { body }),
  })
  const received = new Headers()
  for (const [name, values] of Object.entries(response.headers))
    for (const value of [values ?? []].flat()) received.append(name, value)
  return { status: response.statusCode, headers: received, text: await response.body.text() }
}
