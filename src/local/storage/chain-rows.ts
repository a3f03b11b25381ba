import { changes, isShared } from '../../query/chains/notes.ts'
import { orderLength } from '../../query/figures/visit-facts.ts'
import { commaList, compile, type Fragment, sql } from '../../query/language/sql.ts'
import { type ChainedField, chainedFields, hashedFields } from '../../query/tables/chained-fields.ts'
import { isView } from '../../query/tables/rows.ts'
import { chainedDays, chainedHours, chainedValues } from '../../query/tables/tables.ts'
import {
  actions,
  actionsOfSpan,
  type Earlier,
  earlierActions,
  earlierSealed,
  endOfSpan,
  hourNumber,
  isOfNamed,
  keyOf,
  within,
} from './chain-earlier.ts'
import { chainedDayColumns, dayRows } from './chain-sums.ts'

/**
 * The statements that create chain rows from stored tables, for a span of days of some websites. Earlier days are read
 * from sealed rows, or from stored tables for `check`, whose results must not depend on any chain. The parameters are
 * `websites`; `start` and `end` of the span, in milliseconds since 1970; and `slice` of `slices`, which selects a part
 * of the sessions and so limits memory use. `docs/chains.md` explains chains. Planning such a statement costs as much
 * as processing 10,000 views, so small websites share a statement.
 */

const ofViews = compile(isView).query
const viewsOfSpan = `events WHERE ${isOfNamed} AND ${ofViews} AND ${within('created_at')}`
const viewsBefore = (earlier: Earlier) => `${earlierActions('events', 'created_at', earlier)} AND ${ofViews}`

/**
 * The merged rows of visits and hours. Kinds are those of `chained_hours`: 1 for a row with page views, 2 for a row
 * with only custom events. `clients` has the columns `changes`, in the order of the bits of `changed`. It is an array,
 * because ClickHouse sorts LowCardinality columns slowly.
 */
const keys = `${keyOf('session_id')} AS session_key, ${keyOf('visit_id')} AS visit_key`
const clients = `cast([${changes.join(', ')}], 'Array(String)') AS clients`
const merged = (moreColumns: string, rows: string) => `
  SELECT website_id, ${keys}, ${hourNumber('hour')} AS number, ${clients},
    sumIf(events, kind = 1) AS views, sumIf(events, kind = 2) AS customs, if(views > 0, 1, 2) AS of_kind,
    toUnixTimestamp64Milli(maxIf(last_at, kind = 1)) AS last_view, ${moreColumns}
  FROM ${rows}
  GROUP BY website_id, session_key, visit_key, number, clients`

const mergedRows = merged(
  `toUnixTimestamp64Milli(minIf(first_at, kind = 1)) AS first_view, minIf(landing, kind = 1) AS landed,
    maxIf(leaving, kind = 1) AS left`,
  actionsOfSpan,
)

/** The landing and exit pages of earlier days are long strings, and are not needed. */
const noEnds = "toInt64(0) AS first_view, '' AS landed, '' AS left"
const mergedBefore = (earlier: Earlier) =>
  earlier.source === 'chains'
    ? `SELECT website_id, session_key, visit_key, ${hourNumber('hour')} AS number, ${clients},
         events AS views, customs, kind AS of_kind,
         if(kind = 1, toUnixTimestamp64Milli(hour) + last, 0) AS last_view, ${noEnds}
       FROM ${earlierSealed(earlier)}`
    : merged(noEnds, `${earlierActions('hourly_visits', 'hour', earlier)} AND kind IN (1, 2)`)

/**
 * Within an hour, a visit's rows are ordered by landing time, but a session's rows by client, because rows of earlier
 * days do not record the landing time.
 */
const upTo = (end: string) => `ROWS BETWEEN UNBOUNDED PRECEDING AND ${end}`
const ofSession = 'PARTITION BY session_key, website_id ORDER BY number, of_kind, clients, visit_key'
const visit = 'PARTITION BY session_key, website_id, visit_key'
const ofVisit = `${visit} ORDER BY number, of_kind, landed, clients`

/**
 * Each row, with columns from the earlier rows of its session and visit. Within an hour, rows with page views come
 * first.
 */
const linkedRows = (earlier: Earlier) => `
  SELECT *,
    lagInFrame(number, 1, toUInt32(0)) OVER of_session AS acted_before,
    lagInFrame(clients) OVER of_session AS clients_before,
    maxIf(number, of_kind = 1) OVER before_in_session AS seen_before,
    lagInFrame(number, 1, toUInt32(0)) OVER of_visit AS visit_acted_before,
    maxIf(number, of_kind = 1) OVER before_in_visit AS visited_before,
    arraySort(groupArrayLast(2)((number, (views, customs))) OVER before_in_visit) AS last_two,
    maxIf(last_view, of_kind = 1) OVER before_in_visit AS last_before,
    sum(views) OVER in_hour AS views_of_hour, sum(customs) OVER in_hour AS customs_of_hour,
    minIf(first_view, of_kind = 1) OVER in_hour AS first_of_hour,
    max(last_view) OVER in_hour AS last_of_hour, max(left) OVER in_hour AS last_left
  FROM (${mergedRows} ${earlier.days.length > 0 ? `UNION ALL (${mergedBefore(earlier)})` : ''})
  WINDOW of_session AS (${ofSession} ${upTo('CURRENT ROW')}),
    before_in_session AS (${ofSession} ${upTo('1 PRECEDING')}),
    of_visit AS (${ofVisit} ${upTo('CURRENT ROW')}),
    before_in_visit AS (${ofVisit} ${upTo('1 PRECEDING')}),
    in_hour AS (${visit}, number)`

/**
 * Hashes of the values in page views, by visit and hour of the span, as the bytes of numbers. Empty values are left
 * out, but not empty paths, because filters may match an empty path.
 */
const hashes = Object.entries<Fragment>(chainedFields).map(([field, expression]) => {
  const [column, value] = [compile(hashedFields[field as ChainedField]).query, compile(expression)]
  const isWanted = field === 'path' ? '1' : `${column}_of != ''`
  const seen = `groupUniqArrayIf(sipHash64(${value.query} AS ${column}_of), ${isWanted})`
  const list = `arraySort(arrayMap(hash -> reinterpretAsString(hash), ${seen})) AS ${column}`
  return { column, list, query_params: value.query_params }
})
const valuesOfVisits = `
  SELECT website_id, ${keys}, ${hourNumber('created_at')} AS number,
    ${hashes.map(({ list }) => list).join(', ')}
  FROM ${viewsOfSpan}
  GROUP BY website_id, session_key, visit_key, number`

/** Visits of the span that have two sessions, and the hour in which the second session begins. */
const sharedVisits = `
  SELECT website_id, ${keyOf('visit_id')} AS visit_key, arraySort(groupArray(first_hour))[2] AS second_session
  FROM (
    SELECT website_id, visit_id, session_id, min(${hourNumber('hour')}) AS first_hour
    FROM ${actions} AND hour < ${endOfSpan} AND visit_id IN (SELECT visit_id FROM ${actionsOfSpan})
    GROUP BY website_id, visit_id, session_id
  )
  GROUP BY website_id, visit_id HAVING count() > 1`

const textStart = orderLength + 1
const endOfChannel = `position(landed, '\\0', ${textStart})`

const chainedHourColumns = [
  ...['kind', 'hour', ...changes, 'session_key', 'events', 'customs', 'session_before', 'session_acted'],
  ...['visit_before', 'visit_acted', 'visit_views', 'spent', 'lone', 'pause', 'lone_before', 'visit_key', 'last'],
  ...['entry', 'exit', 'channel', ...hashes.map(({ column }) => column), 'changed'],
]

const chainedHourRows = (earlier: Earlier) => `
  SELECT website_id, toUInt8(of_kind) AS kind, fromUnixTimestamp64Milli(toInt64(number) * 3600000, 'UTC') AS hour,
    ${changes.map((name, place) => `clients[${place + 1}] AS ${name}`).join(', ')}, session_key,
    toUInt64(views) AS events, toUInt64(customs) AS customs, visit_key,
    toUInt32(if(of_kind = 1, seen_before, acted_before)) AS session_before,
    toUInt32(if(acted_before = session_before, 0, acted_before)) AS session_acted,
    toUInt32(if(of_kind = 1, visited_before, visit_acted_before)) AS visit_before,
    toUInt32(if(visit_acted_before = visit_before, 0, visit_acted_before)) AS visit_acted,
    toUInt32(if(begins, views_of_hour, 0)) AS visit_views,
    toUInt32(if(begins, last_of_hour - first_of_hour, 0)) AS spent,
    toUInt8(begins AND views_of_hour = 1 AND customs_of_hour = 0) AS lone,
    toUInt64(if(begins AND visited_before != 0, first_of_hour - last_before, 0)) AS pause,
    toUInt32(if(opens AND was_lone AND two_before != visit_acted_before, two_before, 4294967295)) AS lone_before,
    toUInt32(if(of_kind = 1, last_of_hour - toInt64(number) * 3600000, 0)) AS last,
    if(begins, substring(landed, ${endOfChannel} + 1), '') AS entry,
    if(begins, substring(last_left, ${textStart}), '') AS exit,
    if(begins, substring(landed, ${textStart}, ${endOfChannel} - ${textStart}), '') AS channel,
    ${hashes.map(({ column }) => `if(begins, of_views.${column}, []) AS ${column}`).join(', ')},
    toUInt8(
      if(acted_before = 0, 0, arraySum(
        (one, before, place) -> if(one = before, 0, bitShiftLeft(1, place - 1)), clients, clients_before, arrayEnumerate(clients)))
      + ${earlier.isShared ? `if(second_session != 0 AND number >= second_session, ${isShared}, 0)` : '0'}) AS changed
  FROM (
    SELECT *, last_two[-2].1 AS two_before, last_two[-1].2 = (1, 0) AS was_lone, visit_acted_before != number AS opens,
      of_kind = 1 AND visited_before != number AS begins
    FROM (${linkedRows(earlier)}) WHERE number >= intDiv({start:Int64}, 3600000)
  ) AS spanned
  LEFT JOIN (${valuesOfVisits}) AS of_views USING (website_id, session_key, visit_key, number)
  ${earlier.isShared ? `LEFT JOIN (${sharedVisits}) AS of_shared USING (website_id, visit_key)` : ''}`

const chainedValueColumns = ['field', 'hour', 'value', 'value_before', 'sessions', 'views']

const names = Object.keys(chainedFields)

/** The fields' values for a page view, in the order of `names`. */
const values = Object.values<Fragment>(chainedFields)
const listed = compile(commaList(values))
/** LowCardinality strings are hashed once per dictionary entry. */
const hashed = compile(commaList(values.map((value) => sql`sipHash64(${value})`)))

/** The parameters that all statements bind. */
export const boundInRows = {
  ...listed.query_params,
  ...hashed.query_params,
  ...Object.assign({}, ...hashes.map(({ query_params }) => query_params)),
  names,
}

const sessionAndHour = (key: string, moment: string) =>
  `bitShiftLeft(toUInt128(${key}), 32) + ${hourNumber(moment)} AS one`

/** The values in page views, as strings and as hashes. */
const valuesOfViews = (isOfSpan: boolean, rows: string) => `
  SELECT website_id, place, text, hash, one, ${isOfSpan} AS isOfSpan
  FROM (
    SELECT website_id, ${sessionAndHour(keyOf('session_id'), 'created_at')},
      cast([${listed.query}], 'Array(String)') AS texts, cast([${hashed.query}], 'Array(UInt64)') AS of_texts
    FROM ${rows})
  ARRAY JOIN arrayEnumerate({names:Array(String)}) AS place, texts AS text, of_texts AS hash`

/** The values in earlier page views, only as hashes. The string of a value that occurs again comes from the span. */
const places = hashes.map(({ column }, place) => `arrayWithConstant(length(${column}), toUInt32(${place + 1}))`)
const valuesOfSealed = (earlier: Earlier) => `
  SELECT website_id, place, '' AS text, reinterpretAsUInt64(bytes) AS hash, one, false AS isOfSpan
  FROM (
    SELECT website_id, ${sessionAndHour('session_key', 'hour')},
      arrayConcat(${places.join(', ')}) AS places,
      arrayConcat(${hashes.map(({ column }) => column).join(', ')}) AS of_places
    FROM ${earlierSealed(earlier)})
  ARRAY JOIN places AS place, of_places AS bytes`

const valuesBefore = (earlier: Earlier) =>
  earlier.source === 'chains' ? valuesOfSealed(earlier) : valuesOfViews(false, viewsBefore(earlier))

/** The values in page views, with their sessions and hours. Each number combines a session's hash and an hour. */
const seenValues = (earlier: Earlier) => `
  SELECT website_id, place, anyIf(text, isOfSpan) AS value, arraySort(groupArray(one)) AS seen
  FROM (
    ${valuesOfViews(true, viewsOfSpan)}
    ${earlier.days.length > 0 ? `UNION ALL (${valuesBefore(earlier)})` : ''}
  )
  WHERE isOfSpan OR hash != sipHash64('')
  GROUP BY website_id, place, hash HAVING max(isOfSpan)`

/**
 * The same values, with each page view encoded as a number: the hour, the session's previous hour, and 1 for the
 * session's first page view in that hour. No report counts sessions with an empty value.
 */
const codedValues = (earlier: Earlier) => `
  SELECT website_id, place, value, arrayPopBack(arrayPushFront(seen, toUInt128(0))) AS previous,
    arrayMap((one, before) -> one != before, seen, previous) AS first,
    arrayFill((hour, isFirst) -> isFirst, arrayMap(
      (one, before) -> if(bitShiftRight(one, 32) = bitShiftRight(before, 32), toUInt32(bitAnd(before, 4294967295)), 0),
      seen, previous), first) AS befores,
    arraySort(arrayFilter(code -> code >= bitShiftLeft(intDiv({start:UInt64}, 3600000), 33), arrayMap(
      (one, before, isFirst) -> bitShiftLeft(toUInt64(bitAnd(one, 4294967295)), 33)
        + if(value = '', 0, 2 * toUInt64(before) + isFirst),
      seen, befores, first))) AS codes
  FROM (${seenValues(earlier)})`

/** The ends of runs of codes that differ only in the last bit, with running totals of codes and of sessions. */
const valueRuns = (earlier: Earlier) => `
  SELECT website_id, place, value, arrayMap((code, next) -> bitShiftRight(code, 1) != bitShiftRight(next, 1),
      codes, arrayPopFront(arrayPushBack(codes, toUInt64(0)))) AS ends,
    arrayFilter((code, isEnd) -> isEnd, codes, ends) AS coded,
    arrayFilter((place, isEnd) -> isEnd, arrayEnumerate(codes), ends) AS views_up_to,
    arrayFilter((sum, isEnd) -> isEnd, arrayCumSum(code -> bitAnd(code, 1), codes), ends) AS sessions_up_to
  FROM (${codedValues(earlier)})`

/** The differences between consecutive running totals. */
const steps = (sums: string) => `arrayPopFront(arrayDifference(arrayPushFront(${sums}, 0)))`

const chainedValueRows = (earlier: Earlier) => `
  SELECT website_id, {names:Array(String)}[place] AS field,
    fromUnixTimestamp64Milli(toInt64(number) * 3600000, 'UTC') AS hour, value, value_before, sessions, views
  FROM (
    SELECT website_id, place, bitShiftRight(code, 33) AS number, value,
      toUInt32(bitAnd(bitShiftRight(code, 1), 4294967295)) AS value_before,
      toUInt32(of_sessions) AS sessions, toUInt64(of_views) AS views
    FROM (${valueRuns(earlier)})
    ARRAY JOIN coded AS code, ${steps('views_up_to')} AS of_views, ${steps('sessions_up_to')} AS of_sessions
  )`

interface ChainRows {
  readonly table: string
  readonly columns: readonly string[]
  readonly rows: (earlier: Earlier) => string
  /** SQL that builds a seal's rows from its rows in `chained_hours`, which `isOfSeal` selects, if this is possible. */
  readonly fromHours?: (isOfSeal: string) => string
  readonly sums: readonly string[]
}

/**
 * The tables of chains: their columns without `website_id` and `seal`, and their rows. `sums` are the columns to add up
 * when reading, because a large seal stores separate rows for each slice of sessions.
 */
export const chains: readonly ChainRows[] = [
  { table: chainedHours.name, columns: chainedHourColumns, rows: chainedHourRows, sums: [] },
  { table: chainedValues.name, columns: chainedValueColumns, rows: chainedValueRows, sums: ['sessions', 'views'] },
  {
    table: chainedDays.name,
    columns: chainedDayColumns,
    rows: (earlier) => dayRows(`(${chainedHourRows(earlier)})`),
    fromHours: (isOfSeal) => dayRows(`${chainedHours.name} WHERE ${isOfSeal}`),
    sums: ['events', 'customs', 'hours', 'spent', 'pause'],
  },
]

export const chainTables: readonly string[] = chains.map(({ table }) => table)
