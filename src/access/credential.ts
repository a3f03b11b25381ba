import { ApiError } from '../errors.ts'
import type { Credential } from '../metadata/lookup.ts'
import { hashOf, isKey } from './api-key.ts'
import type { Tokens } from './tokens.ts'

/** Headers that carry a credential, for CORS. */
export const credentialHeaders = [
  'Authorization',
  'x-weir-api-key',
  'x-umami-api-key',
  'x-weir-share-token',
  'x-umami-share-token',
  'x-umami-share-context',
]

/** Goes with every 401. */
export const challenge = { 'WWW-Authenticate': 'Bearer realm="Weir"' } as const

/** The one refusal of credentials, whatever is wrong with them. */
export const unauthorized = (): ApiError =>
  new ApiError(
    'unauthorized',
    'Send one valid credential: an API key or the token of a sign-in as Authorization: Bearer …, or the token of a share as x-weir-share-token.',
    { headers: challenge },
  )

/**
 * The credential that a request carries: an API key or the token of a sign-in (`Authorization: Bearer`, `x-weir-api-key`,
 * `x-umami-api-key`), or a share by its token or its slug. Undefined where there is none; 401 where what there is
 * cannot be one, or where two differ. On a share page, which dashboards tell by `x-umami-share-context: 1`, a share's token
 * goes before whatever they have in `Authorization`.
 */
export async function credentialOf(headers: Headers, url: URL, tokens: Tokens): Promise<Credential | undefined> {
  const shareTokens = new Set(shareTokensOf(headers))
  const secrets = new Set([
    ...(isSharePage(headers) && shareTokens.size > 0 ? [] : bearer(headers.get('authorization'))),
    ...['x-weir-api-key', 'x-umami-api-key'].flatMap((name) => headers.get(name) ?? []),
  ])
  const slugs = new Set(url.searchParams.getAll('share'))
  const all = await Promise.all([
    ...[...secrets].map((secret) => ofSecret(secret, tokens)),
    ...[...shareTokens].map((token) => ofShareToken(token, tokens)),
  ])
  const [first, second] = all
  if (second || slugs.size > 1) throw unauthorized()
  const [slug] = slugs
  if (slug === undefined) return first
  if (first && first.slug !== slug) throw unauthorized()
  return first ?? { kind: 'slug', id: slug }
}

const bearer = (authorization: string | null): string[] =>
  authorization === null ? [] : [/^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '']

/** `x-umami-share-token` counts only where `x-umami-share-context: 1` says that a share is what is meant. */
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
