import { type AnswerHeaders, matchesEtag, type StoredAnswer } from '../cache/stored.ts'
import type { ActionAnswer } from '../endpoints/endpoint.ts'
import type { StreamedAnswer } from '../endpoints/reading.ts'
import type { Env } from '../env.ts'
import { withOrigin } from '../request/page.ts'
import type { Period } from '../request/period.ts'
import { asOfText } from './clickhouse-route.ts'
import type { Exchange } from './exchange.ts'
import { publicControl } from './public-address.ts'
import { aPublicUrl, isPublicUrl } from './public-url.ts'
import type { CacheStatus } from './record.ts'

const jsonHeaders = { 'Content-Type': 'application/json' } as const

/** For streams: otherwise, nginx collects much of one before it sends any of it. */
export const unbuffered = { 'X-Accel-Buffering': 'no' } as const

export function respond(answer: ActionAnswer<unknown> | StreamedAnswer, exchange: Exchange): Response {
  if ('stream' in answer) {
    const { stream, contentType, cacheControl } = answer
    exchange.setHeader('Cache-Control', cacheControl)
    return exchange.respond(stream, 200, {
      ...(contentType ? { 'Content-Type': contentType } : jsonHeaders),
      ...unbuffered,
    })
  }
  setHeaders(answer, undefined, exchange)
  if (answer.cacheControl) exchange.setHeader('Cache-Control', answer.cacheControl)
  else openToCaches(exchange)
  exchange.setHeader('Set-Cookie', answer.cookie)
  return exchange.respond(JSON.stringify(answer.body), 200, jsonHeaders)
}

/** Data about a report's answer that is not stored with it. */
export interface Provenance {
  /** The range that was answered, if it differs from the requested one. */
  readonly range: Period | undefined
  /** The tables that were read; undefined if they would reveal locked filters. */
  readonly tables: readonly string[] | undefined
  readonly cached: CacheStatus | undefined
}

/** The response to a report: the stored answer, or a 304 if the caller already has it. */
export function respondStored(
  stored: StoredAnswer,
  { range, tables, cached }: Provenance,
  exchange: Exchange,
): Response {
  const { request, now, record, setHeader } = exchange
  if (cached) record.cache = cached
  const { headers, origin } = stored
  const next = headers.next && origin ? withOrigin(headers.next, origin) : headers.next
  setHeaders({ ...headers, next }, range, exchange)
  setHeader('ETag', stored.etag)
  if (tables) setHeader('X-Source', tables.join(', '))
  setHeader('X-Replica', stored.replica)
  setHeader('X-As-Of', asOfText(stored.asOf))
  if (record.waited.clickhouse !== undefined && cached !== 'STALE') setHeader('X-Tries', stored.tries?.toString())
  setHeader('X-Cache', cached)
  const isOld = cached === 'STALE' || cached === 'UPDATING'
  const isPublic = !isOld && openToCaches(exchange)
  // `Age` is left out, because caches would subtract it from the time for which they may store the answer.
  if (cached && cached !== 'MISS' && !isPublic) setHeader('Age', secondsSince(stored.madeAt, now))
  // In a POST, `If-None-Match` would be a condition for a change.
  const isKnown = request.method !== 'POST' && matchesEtag(stored.etag, request.headers.get('if-none-match'))
  return isKnown ? exchange.respond(null, 304) : exchange.respond(stored.body, 200, jsonHeaders)
}

/** Lets caches between Weir and its readers store the answer if it is the same for everybody. Returns whether it is. */
export function openToCaches({ publicAnswer, now, elapsed, setHeader }: Exchange): boolean {
  if (!publicAnswer) return false
  setHeader('Cache-Control', publicControl(publicAnswer, now + elapsed()))
  setHeader('Cache-Tag', publicAnswer.tags)
  return true
}

export const secondsSince = (moment: number, now: number): string =>
  String(Math.max(0, Math.floor((now - moment) / 1000)))

/** Sets the headers that describe the answer's body. `moved`: the range that was answered, if it was moved. */
function setHeaders(
  { next, nextPage, total, capped }: AnswerHeaders & Pick<ActionAnswer<unknown>, 'nextPage'>,
  moved: Period | undefined,
  { env, url: asked, namedPeriod, setHeader }: Exchange,
): void {
  const range = moved ?? namedPeriod
  const url = range ? withRange(asked, range) : asked
  if (range) setHeader('X-Range', rangeText(range))
  const place = next !== undefined ? { cursor: next } : nextPage !== undefined ? { page: String(nextPage) } : undefined
  const link = place ? linkTo(place, publicUrl(url, env)) : ''
  if (link !== '' && link.length <= maxLinkLength) setHeader('Link', `<${link}>; rel="next"`)
  if (total !== undefined) setHeader('X-Total-Count', String(total))
  if (capped !== undefined) setHeader('X-Capped', capped)
}

/**
 * The maximum length of a link, in characters. A longer link is left out, because many clients refuse more than 16 kB
 * of headers.
 */
const maxLinkLength = 8000

/** The link to another page of the list at this URL, identified by a cursor or a number. */
function linkTo(place: { readonly cursor: string } | { readonly page: string }, url: URL): string {
  url.searchParams.delete('page')
  // Links never contain a credential.
  url.searchParams.delete('share')
  for (const [name, value] of Object.entries(place)) url.searchParams.set(name, value)
  return url.href
}

/**
 * The URL of a request as its callers see it. The host is taken from `PUBLIC_URL` (if set), because anybody can send
 * any `Host` header.
 */
export function publicUrl({ href, pathname, search }: URL, { PUBLIC_URL }: Pick<Env, 'PUBLIC_URL'>): URL {
  if (!PUBLIC_URL) return new URL(href)
  if (!isPublicUrl(PUBLIC_URL)) throw new Error(`PUBLIC_URL must be ${aPublicUrl}.`)
  return new URL(PUBLIC_URL.replace(/\/$/, '') + pathname + search)
}

/** Formats a range as in the header X-Range. */
export const rangeText = ({ startAt, endAt }: Period): string => `${startAt}-${endAt}`

/**
 * Puts the range into the link, so that later pages cover the range of this answer, no matter when they are requested.
 */
function withRange(url: URL, { startAt, endAt }: Period): URL {
  const ranged = new URL(url)
  for (const name of ['startDate', 'endDate', 'period']) ranged.searchParams.delete(name)
  ranged.searchParams.set('startAt', String(startAt))
  ranged.searchParams.set('endAt', String(endAt))
  return ranged
}
