import * as z from 'zod'
import { type Filters, noFilters } from '../../request/filters.ts'
import type { Cursor, PageRequest } from '../../request/page.ts'
import { always, type Period } from '../../request/period.ts'
import { dayLength } from '../../request/time-zone.ts'
import { passingVisits } from '../figures/recorded-visits.ts'
import { ascending, atMost, descending, limitTo, order } from '../language/order.ts'
import type { Scope, Selection } from '../language/scope.ts'
import { all, type Fragment, having, instant, milliseconds, sql, texts, union, uuid, uuids } from '../language/sql.ts'
import { select } from '../language/statement.ts'
import { anyContains } from '../language/text.ts'
import { wholeMonths } from '../language/time.ts'
import { isAction, isEvent, rows } from '../tables/rows.ts'
import { replayChunks, replayVisits, sessionEvents } from '../tables/tables.ts'
import { Count, countLimit, rowsOfPage } from './page-answer.ts'

/** Recorded visits and their chunks. */

/** The recordings of a website that a request may see. */
export interface Recordings {
  readonly scope: Scope
  /** The visits whose replays are hidden. */
  readonly hidden: readonly string[]
}

/** From the first month that can be stored to the last whole month that can be requested. */
const allMonths = wholeMonths(always)

/** All rows that the scope shows in a period. */
const shownIn = (scope: Scope, period: Period = always): Selection => ({ scope, period, filters: noFilters })

/** Returns the condition that a recorded visit's replay is not hidden. */
const isShown = ({ hidden }: Recordings): (Fragment | undefined)[] => [
  hidden.length === 0 ? undefined : sql`visit_id not in ${uuids(hidden)}`,
]

/** How long before or after the start of its visit a chunk may arrive, with a margin. */
const farthest = 2 * dayLength

/**
 * A subquery of the recorded visits that began in the period, in parts. In the month of a reset, the later chunks are
 * read one by one.
 */
function recordedParts(recordings: Recordings, period: Period, condition: Fragment | undefined): Fragment {
  const { scope } = recordings
  const near = { startAt: period.startAt - farthest, endAt: period.endAt + farthest }
  const since = scope.since ?? allMonths.startAt
  const whole = wholeMonths({ startAt: since, endAt: allMonths.endAt })
  const [first, last] = [monthOf(Math.max(near.startAt, whole.startAt)), monthOf(Math.min(near.endAt, whole.endAt))]
  const conditions = [...isShown(recordings), condition]
  const counted =
    first.startAt > last.endAt
      ? []
      : [
          sql`select visit_id, session_id, first_at, last_at, arrived_at, chunks, events
            ${rows(replayVisits, shownIn(scope, { startAt: first.startAt, endAt: last.endAt }), conditions)}`,
        ]
  const cut = { startAt: since, endAt: whole.startAt - 1 }
  const singly =
    cut.endAt < cut.startAt
      ? []
      : [
          sql`select visit_id, session_id, first_at, last_at, created_at as arrived_at, toUInt64(1) as chunks,
            toUInt64(length(times)) as events
            ${rows(replayChunks, shownIn(scope, cut), conditions)}`,
        ]
  return union([...counted, ...singly])
}

/** The month that contains `moment`, limited to the months that can be stored. */
function monthOf(moment: number): Period {
  const date = new Date(Math.max(allMonths.startAt, Math.min(moment, allMonths.endAt)))
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  return { startAt: Date.UTC(year, month), endAt: Date.UTC(year, month + 1) - 1 }
}

/** The recorded visits that a list shows. */
interface ReplaySelection extends Recordings {
  readonly period: Period
  readonly filters: Filters
  readonly sessionId: string | undefined
  readonly search: string | undefined
  /** In milliseconds. */
  readonly minDuration: number | undefined
}

/** A subquery of visits with `visit_id`, `session`, `began`, `ended`, `arrived`, `chunk_count` and `event_count`. */
function recordedVisits(selection: ReplaySelection): Fragment {
  const { period, sessionId, minDuration, filters, search } = selection
  const isSession = sessionId === undefined ? undefined : sql`session_id = ${uuid(sessionId)}`
  const parts = recordedParts(selection, period, isSession)
  const sessions = sql`select session_id from ${parts}`
  const found = [passingVisits(selection.scope, filters, sessions), foundSessions(selection.scope, search, sessions)]
  const visits = sql`
    select visit_id, any(session_id) as session, min(first_at) as began, max(last_at) as ended,
      max(arrived_at) as arrived, sum(chunks) as chunk_count, sum(events) as event_count
    from ${parts}
    where ${all(...found)}
    group by visit_id
    ${having(
      sql`began >= ${instant(period.startAt)} and began <= ${instant(period.endAt)}`,
      minDuration === undefined || minDuration === 0
        ? undefined
        : sql`dateDiff('millisecond', began, ended) >= ${milliseconds(minDuration)}`,
    )}`
  return sql`(${visits})`
}

/** Returns the condition that the search finds the visit's session, as in the list of sessions. */
function foundSessions(scope: Scope, search: string | undefined, sessions: Fragment): Fragment | undefined {
  const columns = [sql`distinct_id`, sql`city`, sql`browser`, sql`os`, sql`device`]
  const isFound = anyContains(search, ...columns)
  const conditions = [isAction, isEvent, sql`session_id global in (${sessions})`, isFound]
  return isFound && sql`session_id global in (select session_id ${rows(sessionEvents, shownIn(scope), conditions)})`
}

/** The attributes that are read from each visit's last action, in this order. */
export const visitAttributes = ['browser', 'os', 'device', 'country', 'city'] as const

const lastOfVisit = sql`argMax([browser, os, device, country, city], (created_at, event_id))`

/** A subquery of `visit_id` and `said`, for these sessions' visits. */
const lastAttributes = (scope: Scope, isMeant: Fragment): Fragment => sql`(
  select visit_id, ${lastOfVisit} as said
  ${rows(sessionEvents, shownIn(scope), [isAction, isEvent, isMeant])}
  group by visit_id
)`

const Visit = () =>
  z.object({
    id: z.string(),
    session_of: z.string(),
    began_at: z.number(),
    ended_at: z.number(),
    newest_at: z.number(),
    chunk_total: z.number(),
    event_total: z.number(),
  })

/** A recorded visit. Times are in milliseconds since 1970. */
export type RecordedVisit = z.infer<ReturnType<typeof Visit>>

const visitColumns = sql`
  toString(visits.visit_id) as id, toString(visits.session) as session_of,
  toUnixTimestamp64Milli(visits.began) as began_at, toUnixTimestamp64Milli(visits.ended) as ended_at,
  toUnixTimestamp64Milli(visits.arrived) as newest_at, visits.chunk_count as chunk_total,
  visits.event_count as event_total`

/** The possible orders of a list. The first one is the default. */
export const replayOrders = [
  ...['startedAt', 'createdAt', 'duration', 'eventCount'],
  ...['location', 'browser', 'os', 'device'],
] as const as readonly [ReplayOrder, ...ReplayOrder[]]

export type ReplayOrder =
  | 'startedAt'
  | 'createdAt'
  | 'duration'
  | 'eventCount'
  | 'location'
  | 'browser'
  | 'os'
  | 'device'

const orderOf: Readonly<Record<ReplayOrder, Fragment>> = {
  startedAt: sql`visits.began`,
  createdAt: sql`visits.arrived`,
  duration: sql`dateDiff('millisecond', visits.began, visits.ended)`,
  eventCount: sql`visits.event_count`,
  location: sql`said[4]`,
  browser: sql`said[1]`,
  os: sql`said[2]`,
  device: sql`said[3]`,
}

/** Whether an order needs the attributes of all visits, not only those of the visits on the page. */
const needsAttributes = (by: ReplayOrder): boolean => ['location', 'browser', 'os', 'device'].includes(by)

/** A page of recorded visits, and the total number of these visits. */
export function replayPage(
  selection: ReplaySelection,
  page: PageRequest,
  by: { readonly order: ReplayOrder; readonly isDescending: boolean },
) {
  const visits = recordedVisits(selection)
  const sessions = sql`session_id global in (select session_id from ${recordedParts(selection, selection.period, undefined)})`
  const from = needsAttributes(by.order)
    ? sql`${visits} as visits global any left join ${lastAttributes(selection.scope, sessions)} as attributes using visit_id`
    : sql`${visits} as visits`
  const key = by.isDescending ? descending(orderOf[by.order]) : ascending(orderOf[by.order])
  const { cursor, offset } = page
  const counted = countLimit(page)
  return {
    rows: select(Visit)`
      select ${visitColumns}
      from ${from}
      where ${all(after(cursor, by.isDescending))}
      ${limitTo(order([key, ascending(sql`visits.visit_id`)]), rowsOfPage(page), cursor ? 0 : offset)}`,
    count: select(Count)`
      select count() as count from (select visit_id from ${visits} ${counted === undefined ? sql`` : atMost(counted)})`,
  }
}

const after = (cursor: Cursor | undefined, isDescending: boolean): Fragment | undefined => {
  if (!cursor) return undefined
  const [at, id] = [instant(cursor.createdAt), uuid(cursor.eventId)]
  const isBeyond = isDescending ? sql`visits.began < ${at}` : sql`visits.began > ${at}`
  return sql`(${isBeyond} or visits.began = ${at} and visits.visit_id > ${id})`
}

const Attributes = () => z.object({ visit: z.string(), said: z.array(z.string()).length(visitAttributes.length) })
const Linked = () => z.object({ session: z.string(), ids: z.array(z.string()) })

/** The attributes of these visits and the distinct ids of their sessions, read from the events. */
export const attributesOfVisits = (scope: Scope, visitIds: readonly string[], sessionIds: readonly string[]) => ({
  attributes: select(Attributes)`
    select toString(visit_id) as visit, said
    from ${lastAttributes(scope, sql`session_id in ${uuids(sessionIds)}`)}
    where visit_id in ${uuids(visitIds)}
    ${atMost(visitIds.length + 1)}`,
  linked: linkedIds(scope, sessionIds),
})

/** The distinct ids of these sessions, sorted as text. */
const linkedIds = (scope: Scope, sessionIds: readonly string[]) => select(Linked)`
  select toString(session_id) as session, arraySort(groupUniqArray(distinct_id)) as ids
  ${rows(sessionEvents, shownIn(scope), [sql`session_id in ${uuids(sessionIds)}`, sql`distinct_id != ''`])}
  group by session_id
  ${atMost(sessionIds.length + 1)}`

const SessionOfVisit = () => z.object({ visit: z.string(), session: z.string() })

/** The sessions of these recorded visits, excluding hidden visits. */
export const sessionsOfVisits = (recordings: Recordings, visitIds: readonly string[]) => ({
  sessions: select(SessionOfVisit)`
    select toString(visit_id) as visit, toString(any(session_id)) as session
    from ${recordedParts(recordings, always, sql`visit_id in ${uuids(visitIds)}`)}
    group by visit_id
    ${atMost(visitIds.length + 1)}`,
})

const ChunkRow = () =>
  z.object({
    chunk_hash: z.string(),
    session: z.string(),
    first: z.number(),
    arrival: z.number(),
    index: z.number(),
    bytes: z.number(),
  })

/** A chunk without its events. Times are in milliseconds since 1970. */
export type ReplayChunk = z.infer<ReturnType<typeof ChunkRow>>

/** The maximum number of chunks read for a visit. A single log object accepts at most 1,000 of a visit's chunks. */
const mostChunks = 5000

const isOf = (recordings: Recordings, replayId: string): (Fragment | undefined)[] => [
  sql`visit_id = ${uuid(replayId)}`,
  ...isShown(recordings),
]

/** A visit's chunks, ordered by their first event. */
export const chunksOf = (recordings: Recordings, replayId: string) => ({
  chunks: select(ChunkRow)`
    select lower(hex(hash)) as chunk_hash, toString(session_id) as session, toUnixTimestamp64Milli(first_at) as first,
      toUnixTimestamp64Milli(created_at) as arrival, chunk_index as index, length(events) as bytes
    ${rows(replayChunks, shownIn(recordings.scope), isOf(recordings, replayId))}
    ${limitTo(order([sql`first_at`, sql`chunk_index`, sql`created_at`, sql`hash`].map(ascending)), mostChunks)}`,
})

const Events = () => z.object({ chunk_hash: z.string(), times: z.array(z.number()), events: z.string() })

/** The events in a chunk, as lines of JSON, and the time of each. */
export type ChunkEvents = z.infer<ReturnType<typeof Events>>

/** The events in these consecutive chunks of a visit. */
export function eventsOfChunks(recordings: Recordings, replayId: string, chunks: readonly ReplayChunk[]) {
  const isThere = sql`first_at >= ${instant(chunks[0]!.first)} and first_at <= ${instant(chunks.at(-1)!.first)}`
  const isOne = sql`lower(hex(hash)) in ${texts(chunks.map(({ chunk_hash }) => chunk_hash))}`
  return {
    events: select(Events)`
      select lower(hex(hash)) as chunk_hash, times, events
      ${rows(replayChunks, shownIn(recordings.scope), [...isOf(recordings, replayId), isThere, isOne])}
      ${atMost(mostChunks)}`,
  }
}
