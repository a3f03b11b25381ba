import { timingSafeEqual } from 'hono/utils/buffer'
import { ApiError } from '../errors.ts'
import type { Metadata } from '../metadata/metadata.ts'
import { hashOf, isKey } from './api-key.ts'

/** Who is asking, and which websites that opens. */
export interface Caller {
  readonly isAdmin: boolean
  /** The websites a caller who is no admin may read. */
  readonly websiteIds: ReadonlySet<string>
}

const keyHeaders = ['x-weir-api-key', 'x-umami-api-key']

/** The caller whose key the headers carry. 401 where there is none, where it is unknown, or where two differ. */
export async function identify(headers: Headers, metadata: Metadata): Promise<Caller> {
  const given = new Set(credentials(headers))
  const [key] = given
  if (key === undefined || given.size > 1) throw unauthorized()
  const hash = await hashOf(key)
  const known = isKey(key) ? await metadata.apiKey(hash) : undefined
  if (!known || !(await timingSafeEqual(known.keyHash, hash))) throw unauthorized()
  return { isAdmin: known.isAdmin, websiteIds: new Set(known.websiteIds) }
}

function credentials(headers: Headers): string[] {
  const authorization = headers.get('authorization')
  const bearer = authorization === null ? [] : [/^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? '']
  return [...bearer, ...keyHeaders.flatMap((name) => headers.get(name) ?? [])]
}

const unauthorized = (): ApiError =>
  new ApiError('unauthorized', 'Send a valid API key, as Authorization: Bearer api_… or x-weir-api-key: api_….', {
    headers: { 'WWW-Authenticate': 'Bearer realm="Weir"' },
  })
