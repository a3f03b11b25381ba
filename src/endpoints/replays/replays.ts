import * as z from 'zod'
import { invalid } from '../../errors.ts'
import { titled, type ValueOf } from '../../made.ts'
import type { Results } from '../../query/language/statement.ts'
import { pageSchema } from '../../query/lists/list.ts'
import { pageBody } from '../../query/lists/page-answer.ts'
import {
  attributesOfVisits,
  type RecordedVisit,
  type ReplayOrder,
  replayOrders,
  replayPage,
  visitAttributes,
} from '../../query/lists/replays.ts'
import { sortDescending } from '../../request/common.ts'
import { type Filters, filters } from '../../request/filters.ts'
import { encodeCursor, type PageRequest, pages, search } from '../../request/page.ts'
import { type Period, range } from '../../request/period.ts'
import { group, oneOf, query, wholeNumber } from '../../request/query-string.ts'
import { action, type Context } from '../endpoint.ts'
import { cacheControl, recordingsOf, replayReadAccess, viewerOf } from './answer.ts'

const ReplayAnswer = titled('Replay', () =>
  z.object({
    id: z.string().describe('The id of the visit.'),
    sessionId: z.string(),
    websiteId: z.string(),
    browser: z.string(),
    os: z.string(),
    device: z.string(),
    country: z.string(),
    city: z.string(),
    eventCount: z.number().int(),
    chunkCount: z.number().int(),
    startedAt: z.string(),
    endedAt: z.string(),
    duration: z.number().int().describe('In milliseconds.'),
    createdAt: z.string().describe('The arrival of the newest part.'),
    isViewed: z.boolean().describe('Whether the caller has seen it.'),
    distinctIds: z.array(z.string()),
  }),
)

interface ReplaysInput {
  readonly websiteId: string
  readonly sessionId?: string
  readonly period: Period
  readonly filters: Filters
  readonly search: string | undefined
  readonly page: PageRequest
  /** In milliseconds. */
  readonly minDuration: number | undefined
  readonly by: { readonly order: ReplayOrder; readonly isDescending: boolean }
}

const ordering = group(
  {
    minDuration: wholeNumber('The minimum duration, in seconds.', { min: 0, max: 86_400 }),
    orderBy: oneOf(`The field to order by; ${replayOrders[0]} by default.`, replayOrders),
    sortDescending,
  },
  ({ minDuration, orderBy, sortDescending }) => {
    const order = orderBy ?? replayOrders[0]
    const isDescending = sortDescending === undefined ? order === replayOrders[0] : sortDescending === 'true'
    return {
      minDuration: minDuration === undefined ? undefined : 1000 * minDuration,
      by: { order, isDescending },
    }
  },
)

const replayQuery = query(
  range,
  pages,
  search('Part of a distinct id, city, browser, system or device of the session, ignoring case.'),
  filters(),
  ordering,
)

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

async function listReplays(input: ReplaysInput, context: Context) {
  const { websiteId, page, by, search, minDuration, sessionId } = input
  if (page.cursor && by.order !== replayOrders[0]) {
    throw invalid([{ path: 'cursor', message: `Give a cursor only where orderBy is ${replayOrders[0]}.` }])
  }
  const { filtersOf, run } = context.reading()
  const [recordings, filters] = await Promise.all([recordingsOf(context), filtersOf(input.filters)])
  const period = { ...input.period, endAt: Math.min(input.period.endAt, page.cursor?.until ?? input.period.endAt) }
  const selection = { ...recordings, period, filters, search, minDuration, sessionId }
  const { rows, count } = await run(replayPage(selection, page, by))
  const shown = rows.rows.slice(0, page.pageSize)
  const visits = shown.map(({ id }) => id)
  const sessions = [...new Set(shown.map(({ session_of }) => session_of))]
  const [known, seen] = await Promise.all([
    shown.length === 0 ? undefined : run(attributesOfVisits(recordings.scope, visits, sessions)),
    context.metadata.replays.seen(viewerOf(context), websiteId, visits),
  ])
  const next =
    rows.rows.length > shown.length && by.order === replayOrders[0] ? replayCursor(input, shown, context) : undefined
  return {
    body: pageBody(page, shown.map(answerOf(websiteId, known, seen)), count.rows[0]?.count ?? 0),
    cacheControl,
    ...(next !== undefined && { next }),
  }
}

type Known = Results<{
  attributes: { readonly visit: string; readonly said: readonly string[] }
  linked: { readonly session: string; readonly ids: readonly string[] }
}>

function answerOf(websiteId: string, known: Known | undefined, seen: ReadonlySet<string>) {
  const saidOf = new Map(known?.attributes.rows.map(({ visit, said }) => [visit, said]))
  const idsOf = new Map(known?.linked.rows.map(({ session, ids }) => [session, ids]))
  return (visit: RecordedVisit): ValueOf<typeof ReplayAnswer> => {
    const said = saidOf.get(visit.id) ?? []
    const [browser = '', os = '', device = '', country = '', city = ''] = visitAttributes.map((_, place) => said[place])
    return {
      id: visit.id,
      sessionId: visit.session_of,
      websiteId,
      browser,
      os,
      device,
      country,
      city,
      eventCount: visit.event_total,
      chunkCount: visit.chunk_total,
      startedAt: iso(visit.began_at),
      endedAt: iso(visit.ended_at),
      duration: visit.ended_at - visit.began_at,
      createdAt: iso(visit.newest_at),
      isViewed: seen.has(visit.id),
      distinctIds: [...(idsOf.get(visit.session_of) ?? [])],
    }
  }
}

/**
 * The cursor after a page. Later pages keep the end of the first page's range, so new recordings do not shift any page.
 */
function replayCursor({ page, period }: ReplaysInput, shown: readonly RecordedVisit[], { now }: Context): string {
  const last = shown.at(-1)!
  const seen = Math.max(now, ...shown.map(({ began_at }) => began_at))
  return encodeCursor({
    createdAt: last.began_at,
    eventId: last.id,
    before: page.offset + shown.length,
    ties: 0,
    until: page.cursor?.until ?? Math.min(period.endAt, seen),
  })
}

export const getWebsiteReplays = action({
  name: 'getWebsiteReplays',
  path: '/api/websites/:websiteId/replays',
  summary: 'Recorded visits that began in the range, the latest first, paged.',
  access: replayReadAccess,
  query: replayQuery,
  refuses: ['not-found', 'too-much-data'],
  answer: pageSchema(ReplayAnswer),
  run: (input, context) => listReplays(input, context),
})

export const getWebsiteSessionReplays = action({
  name: 'getWebsiteSessionReplays',
  path: '/api/websites/:websiteId/sessions/:sessionId/replays',
  summary: 'Recorded visits of a session, paged.',
  access: replayReadAccess,
  query: replayQuery,
  refuses: ['not-found', 'too-much-data'],
  answer: pageSchema(ReplayAnswer),
  run: (input, context) => listReplays(input, context),
})
