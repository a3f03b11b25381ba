import { sha256 } from '../sha256.ts'
import type { StoredAnswer } from './stored.ts'

/** The part of the platform's cache (`caches.default`) that Weir uses. */
export interface PlatformCache {
  match(url: string): Promise<Response | undefined>
  put(url: string, response: Response): Promise<void>
}

/** The cache tier that all isolates in one location share. Undefined outside the platform. */
export const platformCache = (): PlatformCache | undefined =>
  (globalThis as { caches?: { default?: PlatformCache } }).caches?.default

/** The URL of an entry. Its host does not exist, so no outside request can reach it. */
const urlOf = async (version: string, key: string): Promise<string> =>
  `https://cache.invalid/${await sha256(new TextEncoder().encode(`${version} ${key}`))}`

/** `version` is the Worker's version, since another version may shape answers differently. */
export async function fetchStored(
  cache: PlatformCache,
  version: string,
  key: string,
): Promise<StoredAnswer | undefined> {
  const response = await cache.match(await urlOf(version, key))
  if (!response) return undefined
  const rest = JSON.parse(response.headers.get(answerHeader)!) as Omit<StoredAnswer, 'body'>
  return { body: new Uint8Array(await response.arrayBuffer()), ...rest }
}

/** `seconds`: how long the entry is usable. */
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

/** The header that contains the stored fields other than the body. */
const answerHeader = 'X-Stored-Answer'
