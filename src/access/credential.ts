import { ApiError } from '../errors.ts'
import type { Credential } from '../metadata/holder.ts'
import { hashOf, isKey } from './api-key.ts'
import type { Tokens } from './tokens.ts'

/** Request headers that may carry a credential. CORS allows them. */
export const credentialHeaders = [
  'Authorization',
  'x-weir-api-key',
  'x-umami-api-key',
  'x-weir-share-token',
  'x-umami-share-token',
  'x-umami-share-context',
]

/** The headers of every 401 response. */
export const challenge = { 'WWW-Authenticate': 'Bearer realm="Weir"' } as const

/** The error messages for credentials. They do not reveal whether a credential was unknown, expired or revoked. */
const faults = {
  none: 'This needs a credential.',
  wrong: 'This credential is not valid, or two that were sent differ.',
  withoutBearer: 'Write the word Bearer before the key.',
} as const

type CredentialFault = keyof typeof faults

const howToSend =
  'Send an API key or a sign-in token as Authorization: Bearer …, or a share token as x-weir-share-token.'

export const unauthorized = (fault: CredentialFault = 'wrong', how = howToSend): ApiError =>
  new ApiError('unauthorized', `${faults[fault]} ${how}`, { headers: challenge })

/** Which error message applies to a request without a valid key. */
export function faultOfKey(headers: Headers): CredentialFault {
  const authorization = headers.get('authorization')
  if (authorization !== null) return isBearer(authorization) ? 'wrong' : 'withoutBearer'
  return keyHeaders.some((name) => headers.has(name)) ? 'wrong' : 'none'
}

const keyHeaders = ['x-weir-api-key', 'x-umami-api-key']

const isBearer = (authorization: string): boolean => /^Bearer\b/i.test(authorization)

/** The value of `share=` for a public website, which needs no share. */
const everyone = 'public'

/**
 * Whether a URL has `share=`, which gives the slug of a share or says that the website is public. Credentials in
 * headers are then ignored.
 */
export const namesOpening = (url: URL): boolean => url.searchParams.has('share')

/** The share slugs in a URL. */
export const slugsIn = (url: URL): string[] => url.searchParams.getAll('share').filter((slug) => slug !== everyone)

/**
 * Reads a request's credential: an API key or a sign-in token (`Authorization: Bearer`, `x-weir-api-key`,
 * `x-umami-api-key`), or a share's token or slug. Returns undefined if there is none. Throws a 401 if it is malformed
 * or if two differ. Dashboards mark the requests of a share page with `x-umami-share-context: 1`. On such requests, a
 * share token takes precedence over `Authorization`. If the URL has `share=`, no header is read, because any cache may
 * store the answer.
 */
export async function credentialOf(headers: Headers, url: URL, tokens: Tokens): Promise<Credential | undefined> {
  if (namesOpening(url)) return namedBy(url)
  const shareTokens = new Set(shareTokensOf(headers))
  const secrets = new Set([
    ...(isSharePage(headers) && shareTokens.size > 0 ? [] : bearer(headers)),
    ...keyHeaders.flatMap((name) => headers.get(name) ?? []),
  ])
  const all = await Promise.all([
    ...[...secrets].map((secret) => ofSecret(secret, tokens)),
    ...[...shareTokens].map((token) => ofShareToken(token, tokens)),
  ])
  const [first, second] = all
  if (second) throw unauthorized()
  return first
}

/** The credential in a URL with `share=`; undefined for a public website. */
function namedBy(url: URL): Credential | undefined {
  const [slug, ...others] = new Set(url.searchParams.getAll('share'))
  if (slug === undefined || others.length > 0) throw unauthorized()
  return slug === everyone ? undefined : { kind: 'slug', id: slug }
}

function bearer(headers: Headers): string[] {
  const authorization = headers.get('authorization')
  if (authorization === null) return []
  if (!isBearer(authorization)) throw unauthorized('withoutBearer')
  return [bearerOf(headers) ?? '']
}

/** The text after the word Bearer in `Authorization`. */
export const bearerOf = (headers: Headers): string | undefined =>
  /^Bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1]

/** Reads share tokens. `x-umami-share-token` is only accepted together with `x-umami-share-context: 1`. */
function shareTokensOf(headers: Headers): string[] {
  const umami = headers.get('x-umami-share-token')
  if (umami !== null && !isSharePage(headers)) throw unauthorized()
  return [umami, headers.get('x-weir-share-token')].flatMap((token) => token ?? [])
}

const isSharePage = (headers: Headers): boolean => headers.get('x-umami-share-context') === '1'

async function ofSecret(secret: string, tokens: Tokens): Promise<Credential> {
  if (isKey(secret)) return { kind: 'key', id: await hashOf(secret) }
  const claims = await tokens.read(secret)
  if (claims?.typ !== 'sign-in') throw unauthorized()
  return { kind: 'sign-in', id: claims.jti }
}

async function ofShareToken(token: string, tokens: Tokens): Promise<Credential> {
  const claims = await tokens.read(token)
  if (claims?.typ !== 'share') throw unauthorized()
  return { kind: 'share', id: claims.jti, slug: claims.slug }
}
