import { matchesEtag, type StoredAnswer } from '../cache/stored.ts'
import type { Answer, StreamedAnswer } from '../endpoints/endpoint.ts'
import type { Period } from '../request/period.ts'
import type { Exchange } from './exchange.ts'

const jsonHeaders = { 'Content-Type': 'application/json' } as const

/**
 * Where the answer to a report comes from: `UPDATING` is no longer fresh and given while a new one is made, `STALE` is older
 * and given because ClickHouse cannot be read.
 */
export type CacheStatus = 'HIT' | 'MISS' | 'UPDATING' | 'STALE'

/** The answer of an action. */
export function respond(answer: Answer<unknown> | StreamedAnswer, exchange: Exchange): Response {
  if ('stream' in answer) return exchange.respond(answer.stream, 200, jsonHeaders)
  setHeaders(answer, exchange.url, exchange)
  return exchange.respond(JSON.stringify(answer.body), 200, jsonHeaders)
}

/** What the answer of a report says of itself, beside what is stored. */
export interface Provenance {
  /** The range that was answered, where that is not the one that was asked for. */
  readonly range: Period | undefined
  /** The tables that were read; undefined where they would tell of locked filters. */
  readonly tables: readonly string[] | undefined
  readonly cached: CacheStatus | undefined
  /** Milliseconds that ClickHouse was waited for, if it was. */
  readonly took?: number
}

/** The answer of a report, or 304 to those who have it. */
export function respondStored(
  stored: StoredAnswer,
  { range, tables, cached, took }: Provenance,
  exchange: Exchange,
): Response {
  const { request, url, now, setHeader } = exchange
  setHeaders(stored.headers, range ? withRange(url, range) : url, exchange)
  setHeader('ETag', stored.etag)
  if (tables) setHeader('X-Source', tables.join(', '))
  setHeader('X-Cache', cached)
  if (cached && cached !== 'MISS') setHeader('Age', secondsSince(stored.madeAt, now))
  setHeader('Server-Timing', timing(cached, took))
  if (range) setHeader('X-Range', `${range.startAt}-${range.endAt}`)
  return matchesEtag(stored.etag, request.headers.get('if-none-match'))
    ? exchange.respond(null, 304)
    : exchange.respond(stored.body, 200, jsonHeaders)
}

export const secondsSince = (moment: number, now: number): string =>
  String(Math.max(0, Math.floor((now - moment) / 1000)))

/** `took`: milliseconds that ClickHouse was waited for, if it was. */
export const timing = (cached: CacheStatus | undefined, took?: number): string =>
  [cached && `cache;desc=${cached}`, took === undefined ? undefined : `clickhouse;dur=${took}`]
    .filter((metric) => metric !== undefined)
    .join(', ')

/** What an answer says beside its body. */
function setHeaders({ next, total }: Pick<Answer<unknown>, 'next' | 'total'>, url: URL, { setHeader }: Exchange): void {
  const link = next === undefined ? '' : nextPage(url, next)
  if (link !== '' && link.length <= maxLinkLength) setHeader('Link', `<${link}>; rel="next"`)
  if (total !== undefined) setHeader('X-Total-Count', String(total))
}

/** A longer link is left out: many clients refuse answers with more than 16 kB of headers. */
const maxLinkLength = 8000

function nextPage(url: URL, cursor: string): string {
  const next = new URL(url)
  next.searchParams.delete('page')
  // A credential goes into no link.
  next.searchParams.delete('share')
  next.searchParams.set('cursor', cursor)
  return next.href
}

/** The pages that follow are those of the range that was answered, whenever they are asked for. */
function withRange(url: URL, { startAt, endAt }: Period): URL {
  const ranged = new URL(url)
  for (const name of ['startDate', 'endDate']) ranged.searchParams.delete(name)
  ranged.searchParams.set('startAt', String(startAt))
  ranged.searchParams.set('endAt', String(endAt))
  return ranged
}
