import type { ClickHouseClient } from '@clickhouse/client-web'
import { compile, type Fragment, sql } from '../../query/language/sql.ts'
import { type ChainedField, chainedFields, hashedFields } from '../../query/tables/chained-fields.ts'
import { chainedHours, chainedValues } from '../../query/tables/tables.ts'
import { rowsOf } from './chain-days.ts'

/**
 * The statements that make rows of chains from stored tables, for a span of days of some websites. They depend on no
 * chain: any span may be made at any time. Parameters: `websites`; `start` and `end` of the span, in milliseconds since
 * 1970; `slice` of `slices`, by session, which bounds the memory. `src/query/tables/chains.ts` says what a chain is.
 * Planning such a statement costs as much as 10,000 views. So small websites share one.
 */

const isOfSlice = 'cityHash64(session_id) % {slices:UInt32} = {slice:UInt32}'
const startOfSpan = "fromUnixTimestamp64Milli({start:Int64}, 'UTC')"
const endOfSpan = "fromUnixTimestamp64Milli({end:Int64}, 'UTC')"
const hourNumber = (moment: string) => `toUInt32(intDiv(toUnixTimestamp64Milli(${moment}), 3600000))`

export const isOfNamed = 'website_id IN {websites:Array(UUID)}'

const actions = `hourly_visits WHERE ${isOfNamed} AND kind IN (1, 2)`
const inSpan = `hour >= ${startOfSpan} AND hour < ${endOfSpan} AND ${isOfSlice}`

/** The filter columns of `hourly_visits`, in the order of the bits of `changed`. */
const client = ['browser', 'os', 'device', 'country', 'region', 'city', 'language']

const viewsOfEvents = `events WHERE ${isOfNamed} AND event_type IN (1, 3, 4)`
const eventsInSpan = `created_at >= ${startOfSpan} AND created_at < ${endOfSpan} AND ${isOfSlice}`

/** What days before a span hold of its sessions and visits. */
export interface Earlier {
  /** The days with actions of them: no others need be read. */
  readonly days: readonly string[]
  /** How many rows these are. */
  readonly rows: number
  /** Whether a visit of the span belongs to two sessions. */
  readonly isShared: number
}

const idsOfSpan = (id: string) => `SELECT ${id} FROM ${actions} AND ${inSpan}`

/** Looks through all days before once, at ids alone; unless the span begins with the first day. */
const earlierDays = (isFirst: boolean) => `
  SELECT arraySort(groupUniqArrayIf(toString(toDate32(hour)), hour < ${startOfSpan})) AS days,
    countIf(hour < ${startOfSpan}) AS rows,
    uniqExact(sipHash64(website_id, visit_id)) < uniqExact(sipHash64(website_id, visit_id, session_id)) AS isShared
  FROM ${actions} AND ${
    isFirst
      ? inSpan
      : `hour < ${endOfSpan} AND (session_id IN (${idsOfSpan('session_id')}) OR visit_id IN (${idsOfSpan('visit_id')}))`
  }`

/** Websites, and a range of time, in milliseconds since 1970. */
export interface Bounds {
  readonly websites: readonly string[]
  readonly start: number
  readonly end: number
}

/** A part of the sessions of these websites. */
export interface Slice extends Bounds {
  readonly slices: number
  readonly slice: number
}

export async function lookBack(client: ClickHouseClient, slice: Slice, isFirst = false): Promise<Earlier> {
  const [found] = await rowsOf<Earlier>(client, earlierDays(isFirst), slice)
  return found!
}

/** The rows of the span, and those before it of its sessions. */
const withEarlier = (moment: string, isInSpan: string, { days }: Earlier) =>
  days.length === 0
    ? isInSpan
    : `(${isInSpan} OR ${moment} < ${startOfSpan} AND toDate32(${moment}) IN ('${days.join("', '")}')
      AND session_id IN (${idsOfSpan('session_id')}))`

/**
 * The rows of visits and hours, merged. Kinds as `chained_hours` has them: 1 is a row with views, 2 one with custom
 * events only. ClickHouse is slow to sort columns of dictionaries, so `clients` is an array.
 */
const mergedRows = (earlier: Earlier) => `
  SELECT website_id, session_id, visit_id, ${hourNumber('hour')} AS number,
    cast([${client.join(', ')}], 'Array(String)') AS clients,
    sumIf(events, kind = 1) AS views, sumIf(events, kind = 2) AS customs, if(views > 0, 1, 2) AS of_kind,
    toUnixTimestamp64Milli(minIf(first_at, kind = 1)) AS first_view,
    toUnixTimestamp64Milli(maxIf(last_at, kind = 1)) AS last_view, minIf(landing, kind = 1) AS landed,
    maxIf(leaving, kind = 1) AS left
  FROM ${actions} AND ${withEarlier('hour', inSpan, earlier)}
  GROUP BY website_id, session_id, visit_id, number, clients`

const inOrder = 'ORDER BY number, of_kind, landed, clients ROWS BETWEEN UNBOUNDED PRECEDING AND'
const ofSession = 'PARTITION BY session_id, website_id'
const ofVisit = `${ofSession}, visit_id`

/** Each row with what the rows before of its session and of its visit say. In an hour, rows with views come first. */
const linkedRows = (earlier: Earlier) => `
  SELECT *,
    lagInFrame(number, 1, toUInt32(0)) OVER of_session AS acted_before,
    lagInFrame(clients) OVER of_session AS clients_before,
    maxIf(number, of_kind = 1) OVER before_in_session AS seen_before,
    lagInFrame(number, 1, toUInt32(0)) OVER of_visit AS visit_acted_before,
    arraySort(groupArrayLastIf(2)((number, views), of_kind = 1) OVER before_in_visit) AS last_two,
    maxIf(last_view, of_kind = 1) OVER before_in_visit AS last_before,
    sum(views) OVER in_hour AS views_of_hour,
    minIf(first_view, of_kind = 1) OVER in_hour AS first_of_hour,
    max(last_view) OVER in_hour AS last_of_hour, max(left) OVER in_hour AS last_left
  FROM (${mergedRows(earlier)})
  WINDOW of_session AS (${ofSession} ${inOrder} CURRENT ROW),
    before_in_session AS (${ofSession} ${inOrder} 1 PRECEDING),
    of_visit AS (${ofVisit} ${inOrder} CURRENT ROW),
    before_in_visit AS (${ofVisit} ${inOrder} 1 PRECEDING),
    in_hour AS (${ofVisit}, number)`

/**
 * Of visits and hours of the span, hashes of the values of their views, as the bytes of numbers. Only of paths, empty
 * ones too: filters may pass them.
 */
const hashes = Object.entries<Fragment>(chainedFields).map(([field, expression]) => {
  const [column, value] = [compile(hashedFields[field as ChainedField]).query, compile(expression)]
  const isWanted = field === 'path' ? '1' : `${column}_of != ''`
  const seen = `groupUniqArrayIf(sipHash64(${value.query} AS ${column}_of), ${isWanted})`
  const list = `arraySort(arrayMap(hash -> reinterpretAsString(hash), ${seen})) AS ${column}`
  return { column, list, query_params: value.query_params }
})
const valuesOfVisits = `
  SELECT website_id, session_id, visit_id, ${hourNumber('created_at')} AS number,
    ${hashes.map(({ list }) => list).join(', ')}
  FROM ${viewsOfEvents} AND ${eventsInSpan}
  GROUP BY website_id, session_id, visit_id, number`

/** Visits of the span that belong to two sessions, and the hour in which the second one begins. */
const sharedVisits = `
  SELECT website_id, visit_id, arraySort(groupArray(first_hour))[2] AS second_session
  FROM (
    SELECT website_id, visit_id, session_id, min(${hourNumber('hour')}) AS first_hour
    FROM ${actions} AND hour < ${endOfSpan} AND visit_id IN (${idsOfSpan('visit_id')})
    GROUP BY website_id, visit_id, session_id
  )
  GROUP BY website_id, visit_id HAVING count() > 1`

const endOfChannel = "position(landed, '\\0', 25)"

const chainedHourColumns = [
  ...['kind', 'hour', ...client, 'session_key', 'events', 'customs', 'session_before', 'session_acted'],
  ...['visit_before', 'visit_acted', 'visit_views', 'spent', 'pause', 'lone_before', 'visit_key', 'last'],
  ...['entry', 'exit', 'channel', ...hashes.map(({ column }) => column), 'changed'],
]

const chainedHourRows = (earlier: Earlier) => `
  SELECT website_id, toUInt8(of_kind) AS kind, fromUnixTimestamp64Milli(toInt64(number) * 3600000, 'UTC') AS hour,
    ${client.map((name, place) => `clients[${place + 1}] AS ${name}`).join(', ')}, sipHash64(session_id) AS session_key,
    toUInt64(views) AS events, toUInt64(customs) AS customs,
    toUInt32(if(of_kind = 1, seen_before, acted_before)) AS session_before,
    toUInt32(if(acted_before = session_before, 0, acted_before)) AS session_acted,
    toUInt32(if(of_kind = 1, visited_before, visit_acted_before)) AS visit_before,
    toUInt32(if(visit_acted_before = visit_before, 0, visit_acted_before)) AS visit_acted,
    toUInt32(if(begins, views_of_hour, 0)) AS visit_views,
    toUInt32(if(begins, last_of_hour - first_of_hour, 0)) AS spent,
    toUInt64(if(begins AND visited_before != 0, first_of_hour - last_before, 0)) AS pause,
    toUInt32(if(begins AND last_two[-1].2 = 1 AND two_before != visited_before, two_before, 4294967295)) AS lone_before,
    sipHash64(visit_id) AS visit_key,
    toUInt32(if(of_kind = 1, last_of_hour - toInt64(number) * 3600000, 0)) AS last,
    if(begins, substring(landed, ${endOfChannel} + 1), '') AS entry,
    if(begins, substring(last_left, 25), '') AS exit,
    if(begins, substring(landed, 25, ${endOfChannel} - 25), '') AS channel,
    ${hashes.map(({ column }) => `if(begins, of_views.${column}, []) AS ${column}`).join(', ')},
    toUInt8(
      if(acted_before = 0, 0, arraySum(
        (one, before, place) -> if(one = before, 0, bitShiftLeft(1, place - 1)), clients, clients_before, arrayEnumerate(clients)))
      + ${earlier.isShared ? 'if(second_session != 0 AND number >= second_session, 128, 0)' : '0'}) AS changed
  FROM (
    SELECT *, last_two[-1].1 AS visited_before, last_two[-2].1 AS two_before,
      of_kind = 1 AND visited_before != number AS begins
    FROM (${linkedRows(earlier)}) WHERE number >= intDiv({start:Int64}, 3600000)
  ) AS spanned
  LEFT JOIN (${valuesOfVisits}) AS of_views USING (website_id, session_id, visit_id, number)
  ${earlier.isShared ? `LEFT JOIN (${sharedVisits}) AS of_shared USING (website_id, visit_id)` : ''}`

const chainedValueColumns = ['field', 'hour', 'value', 'value_before', 'sessions', 'views']

const names = Object.keys(chainedFields)

/** The values of the fields of a view, in the order of `names`. */
const values = Object.values<Fragment>(chainedFields)
const listed = compile(values.reduce((list, value) => sql`${list}, ${value}`))
const counted = compile(
  values.map((value) => sql`countIf(${value} = '')`).reduce((list, value) => sql`${list}, ${value}`),
)

/** What the statements bind beside their own parameters. */
export const boundInRows = {
  ...listed.query_params,
  ...counted.query_params,
  ...Object.assign({}, ...hashes.map(({ query_params }) => query_params)),
  names,
}

/** The values of views but for empty ones, and who had them when: hashes of sessions, followed by hours. */
const seenValues = (earlier: Earlier) => `
  SELECT website_id, place, value, arraySort(groupArray(one)) AS seen
  FROM (
    SELECT website_id, [${listed.query}] AS texts,
      bitShiftLeft(toUInt128(sipHash64(session_id)), 32) + ${hourNumber('created_at')} AS one
    FROM ${viewsOfEvents} AND ${withEarlier('created_at', eventsInSpan, earlier)}
  )
  ARRAY JOIN arrayEnumerate({names:Array(String)}) AS place, cast(texts, 'Array(String)') AS value
  WHERE value != ''
  GROUP BY website_id, place, value`

/** The same as one number each: the hour, the session's hour before, and 1 for the first of a session in the hour. */
const codedValues = (earlier: Earlier) => `
  SELECT website_id, place, value, arrayPopBack(arrayPushFront(seen, toUInt128(0))) AS previous,
    arrayMap((one, before) -> one != before, seen, previous) AS first,
    arrayFill((hour, isFirst) -> isFirst, arrayMap(
      (one, before) -> if(bitShiftRight(one, 32) = bitShiftRight(before, 32), toUInt32(bitAnd(before, 4294967295)), 0),
      seen, previous), first) AS befores,
    arraySort(arrayFilter(code -> code >= bitShiftLeft(intDiv({start:UInt64}, 3600000), 33), arrayMap(
      (one, before, isFirst) -> bitShiftLeft(toUInt64(bitAnd(one, 4294967295)), 33) + 2 * toUInt64(before) + isFirst,
      seen, befores, first))) AS codes
  FROM (${seenValues(earlier)})`

/** Ends of runs of codes that are equal but for their last bit; how many codes and first ones there are up to each. */
const valueRuns = (earlier: Earlier) => `
  SELECT website_id, place, value, arrayMap((code, next) -> bitShiftRight(code, 1) != bitShiftRight(next, 1),
      codes, arrayPopFront(arrayPushBack(codes, toUInt64(0)))) AS ends,
    arrayFilter((code, isEnd) -> isEnd, codes, ends) AS coded,
    arrayFilter((place, isEnd) -> isEnd, arrayEnumerate(codes), ends) AS views_up_to,
    arrayFilter((sum, isEnd) -> isEnd, arrayCumSum(code -> bitAnd(code, 1), codes), ends) AS sessions_up_to
  FROM (${codedValues(earlier)})`

/** What each of ascending sums adds to the one before. */
const steps = (sums: string) => `arrayPopFront(arrayDifference(arrayPushFront(${sums}, 0)))`

/** The views without a value, by field and hour. */
const emptyValues = `
  SELECT website_id, place, number, '' AS value, toUInt32(0) AS value_before, toUInt32(0) AS sessions,
    toUInt64(empty) AS views
  FROM (
    SELECT website_id, ${hourNumber('created_at')} AS number, [${counted.query}] AS counts
    FROM ${viewsOfEvents} AND ${eventsInSpan}
    GROUP BY website_id, number
  )
  ARRAY JOIN arrayEnumerate(counts) AS place, counts AS empty
  WHERE empty > 0`

const chainedValueRows = (earlier: Earlier) => `
  SELECT website_id, {names:Array(String)}[place] AS field,
    fromUnixTimestamp64Milli(toInt64(number) * 3600000, 'UTC') AS hour, value, value_before, sessions, views
  FROM (
    SELECT website_id, place, bitShiftRight(code, 33) AS number, value,
      toUInt32(bitAnd(bitShiftRight(code, 1), 4294967295)) AS value_before,
      toUInt32(of_sessions) AS sessions, toUInt64(of_views) AS views
    FROM (${valueRuns(earlier)})
    ARRAY JOIN coded AS code, ${steps('views_up_to')} AS of_views, ${steps('sessions_up_to')} AS of_sessions
    UNION ALL (${emptyValues})
  )`

/**
 * The tables of chains, their columns without `website_id` and `seal`, and the rows. `sums` are columns that add up: a
 * seal of many sessions stores rows of each slice of them.
 */
export const chains = [
  { table: chainedHours.name, columns: chainedHourColumns, rows: chainedHourRows, sums: [] },
  { table: chainedValues.name, columns: chainedValueColumns, rows: chainedValueRows, sums: ['sessions', 'views'] },
]

export const chainTables: readonly string[] = chains.map(({ table }) => table)
