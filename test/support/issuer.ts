import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import { asked } from './asked.ts'

export interface TestIssuer {
  readonly url: string
  /** The claims about each person, by the person's name at the issuer. */
  readonly people: Map<string, Readonly<Record<string, unknown>>>
  /** Signs somebody in, as a browser would, and returns the URL to which the issuer redirects. */
  readonly signIn: (address: string, name: string) => Promise<URL>
  readonly close: () => void
}

export const [clientId, clientSecret] = ['weir', 'secret']

/** A real OpenID Connect issuer, for a client that returns to these URLs. */
export async function startIssuer(redirectUris: readonly string[], signedOutAt: string, port = 0): Promise<TestIssuer> {
  const server = createServer().listen(port, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const people: TestIssuer['people'] = new Map()
  const client = { client_id: clientId, client_secret: clientSecret, redirect_uris: [...redirectUris] }
  const provider = new Provider(url, {
    clients: [{ ...client, post_logout_redirect_uris: [signedOutAt] }],
    scopes: ['openid', 'profile', 'email', 'groups'],
    claims: { profile: ['preferred_username', 'name'], email: ['email', 'email_verified'], groups: ['groups'] },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...people.get(sub) }) }),
    cookies: { keys: ['of a test'] },
  })
  server.on('request', provider.callback())
  return { url, people, signIn: (address, name) => signInAt(url, address, name), close: () => server.close() }
}

/** Follows the issuer's pages, with their cookies, until one of them leads elsewhere. */
async function signInAt(issuer: string, address: string, name: string): Promise<URL> {
  const cookies = new Map<string, { readonly path: string; readonly pair: string }>()
  let [next, form]: [URL, URLSearchParams | undefined] = [new URL(address), undefined]
  while (next.href.startsWith(issuer)) {
    const fitting = [...cookies.values()].filter(({ path }) => next.pathname.startsWith(path))
    const cookie = fitting.map(({ pair }) => pair).join('; ')
    const type = form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}
    const { status, headers, text } = await asked(next.href, {
      ...{ method: form ? 'POST' : 'GET', headers: { cookie, ...type } },
      ...(form && { body: String(form) }),
    })
    for (const line of headers.getSetCookie()) {
      const [, pair, name, path] = /^(([^=]+)=[^;]*).*; path=([^;]+)/.exec(line)!
      cookies.set(`${name} ${path}`, { path: path!, pair: pair! })
    }
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(text) ?? []
    if (prompt === undefined && !headers.has('location')) throw new Error(`${status} of ${next}: ${text}`)
    form = prompt === undefined ? undefined : new URLSearchParams({ prompt, login: name, password: 'any' })
    if (!form) next = new URL(headers.get('location')!, next)
  }
  return next
}
