import { sha256 } from '../sha256.ts'
import type { StoredAnswer } from './stored.ts'

/** The part of the platform's cache that is used: `caches.default`. */
export interface PlatformCache {
  match(url: string): Promise<Response | undefined>
  put(url: string, response: Response): Promise<void>
}

/** The tier that isolates of one location share. There is none outside the platform. */
export const platformCache = (): PlatformCache | undefined =>
  (globalThis as { caches?: { default?: PlatformCache } }).caches?.default

/** No request from outside can ask for a host that does not exist. */
const urlOf = async (version: string, key: string): Promise<string> =>
  `https://cache.invalid/${await sha256(new TextEncoder().encode(`${version} ${key}`))}`

/** `version` is that of the Worker: another one may shape answers in another way. */
export async function fetchStored(
  cache: PlatformCache,
  version: string,
  key: string,
): Promise<StoredAnswer | undefined> {
  const response = await cache.match(await urlOf(version, key))
  if (!response) return undefined
  const { etag, madeAt, headers } = JSON.parse(response.headers.get(answerHeader)!) as Omit<StoredAnswer, 'body'>
  return { body: new Uint8Array(await response.arrayBuffer()), headers, etag, madeAt }
}

/** `seconds`: how long it is of any use. */
export async function storeThere(
  cache: PlatformCache,
  version: string,
  key: string,
  { body, ...rest }: StoredAnswer,
  seconds: number,
): Promise<void> {
  const headers = { 'Cache-Control': `max-age=${seconds}`, [answerHeader]: JSON.stringify(rest) }
  await cache.put(await urlOf(version, key), new Response(body, { headers }))
}

/** The header that holds what is stored beside the body. */
const answerHeader = 'X-Stored-Answer'
