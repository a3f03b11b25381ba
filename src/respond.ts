import type { Context } from 'hono'
import { isNamed, type Kept } from './cache/kept.ts'
import type { Answer, Streamed } from './endpoints/endpoint.ts'
import type { Ready } from './report.ts'
import type { Stages } from './serve.ts'

type Request = Context<Stages>

const json = { 'Content-Type': 'application/json' } as const

/**
 * Where the answer to a report comes from: `UPDATING` is no longer fresh and given while a new one is made, `STALE` is older
 * and given because ClickHouse cannot be read.
 */
export type Cached = 'HIT' | 'MISS' | 'UPDATING' | 'STALE'

/** The answer of an action. */
export function respond(c: Request, answer: Answer<unknown> | Streamed): Response {
  if ('stream' in answer) return c.body(answer.stream, 200, json)
  tell(c, answer, c.req.url)
  return c.json(answer.body)
}

/** The answer of a report, or 304 to those who have it. `took`: milliseconds that it was waited for. */
export function respondKept(
  c: Request,
  { shared, tables }: Pick<Ready, 'shared' | 'tables'>,
  kept: Kept,
  cached: Cached | undefined,
  took?: number,
): Response {
  tell(c, kept.told, shared ? withRange(c.req.url, shared) : c.req.url)
  c.header('ETag', kept.etag)
  // It would tell of filters that a share or a public website is locked to.
  if (!c.get('door')?.filters) c.header('X-Source', tables.join(', '))
  c.header('X-Cache', cached)
  if (cached && cached !== 'MISS') c.header('Age', secondsSince(kept.madeAt, c.get('now')))
  c.header('Server-Timing', timing(cached, took))
  if (shared) c.header('X-Range', `${shared.startAt}-${shared.endAt}`)
  return isNamed(kept.etag, c.req.header('if-none-match')) ? c.body(null, 304) : c.body(kept.body, 200, json)
}

export const secondsSince = (moment: number, now: number): string =>
  String(Math.max(0, Math.floor((now - moment) / 1000)))

/** `took`: milliseconds that ClickHouse was waited for, if it was. */
export const timing = (cached: Cached | undefined, took?: number): string =>
  [cached && `cache;desc=${cached}`, took === undefined ? undefined : `clickhouse;dur=${took}`]
    .filter((metric) => metric !== undefined)
    .join(', ')

/** What an answer says beside its body. */
function tell(c: Request, { next, total }: Pick<Answer<unknown>, 'next' | 'total'>, url: string): void {
  const link = next === undefined ? '' : nextPage(url, next)
  if (link !== '' && link.length <= longestLink) c.header('Link', `<${link}>; rel="next"`)
  if (total !== undefined) c.header('X-Total-Count', String(total))
}

/** A longer link is left out: many clients refuse answers with more than 16 kB of headers. */
const longestLink = 8000

function nextPage(url: string, cursor: string): string {
  const next = new URL(url)
  next.searchParams.delete('page')
  // A credential goes into no link.
  next.searchParams.delete('share')
  next.searchParams.set('cursor', cursor)
  return next.href
}

/** The pages that follow are those of the range that was answered, whenever they are asked for. */
function withRange(url: string, { startAt, endAt }: NonNullable<Ready['shared']>): string {
  const ranged = new URL(url)
  for (const name of ['startDate', 'endDate']) ranged.searchParams.delete(name)
  ranged.searchParams.set('startAt', String(startAt))
  ranged.searchParams.set('endAt', String(endAt))
  return ranged.href
}
