import { compile, type Fragment, sql } from '../../query/language/sql.ts'
import { chainedFields } from '../../query/tables/chained-fields.ts'
import { chainedHours, chainedValues } from '../../query/tables/tables.ts'

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
const clientTuple = `(${client.join(', ')})`
const changedBits = client
  .map((_, place) => `if(clients.${place + 1} != clients_before.${place + 1}, ${1 << place}, 0)`)
  .join(' + ')

const upToRow = 'ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW'

/** Kinds as `chained_hours` has them: 1 is a row with views, 2 one with custom events only. */
const mergedColumns = `sumIf(events, kind = 1) AS views, sumIf(events, kind = 2) AS customs, if(views > 0, 1, 2) AS of_kind,
  toUnixTimestamp64Milli(minIf(first_at, kind = 1)) AS first_view, toUnixTimestamp64Milli(maxIf(last_at, kind = 1)) AS last_view,
  minIf(landing, kind = 1) AS landed`

/** The merged rows of the span; those of kind 1 with the figures of the views of their visit in their hour. */
const spanRows = `
  SELECT *, ${clientTuple} AS clients, ${hourNumber('hour')} AS number,
    sum(views) OVER of_hour AS views_of_hour, min(first_view) OVER of_hour AS first_of_hour,
    max(last_view) OVER of_hour AS last_of_hour
  FROM (
    SELECT website_id, hour, ${client.join(', ')}, session_id, visit_id, ${mergedColumns}
    FROM ${actions} AND ${inSpan}
    GROUP BY website_id, hour, ${client.join(', ')}, session_id, visit_id
  )
  WINDOW of_hour AS (PARTITION BY website_id, session_id, visit_id, hour, of_kind)`

/** Of sessions of the span, the merged rows before it. */
const earlierRows = `
  SELECT website_id, session_id, visit_id, ${hourNumber('hour')} AS number, ${clientTuple} AS clients, ${mergedColumns}
  FROM ${actions} AND hour < ${startOfSpan} AND session_id IN (SELECT session_id FROM ${actions} AND ${inSpan})
  GROUP BY website_id, session_id, visit_id, number, clients`

/** Visits of the span that belong to two sessions, and the hour in which the second one begins. */
const sharedVisits = `
  SELECT website_id, visit_id, arraySort(groupArray(first_hour))[2] AS second_session
  FROM (
    SELECT website_id, visit_id, session_id, min(${hourNumber('hour')}) AS first_hour
    FROM ${actions} AND hour < ${endOfSpan} AND visit_id IN (SELECT visit_id FROM ${actions} AND ${inSpan})
    GROUP BY website_id, visit_id, session_id
  )
  GROUP BY website_id, visit_id HAVING count() > 1`

const viewsOfEvents = `events WHERE ${isOfNamed} AND event_type IN (1, 3, 4)`
const eventsInSpan = `created_at >= ${startOfSpan} AND created_at < ${endOfSpan} AND ${isOfSlice}`

const names = Object.keys(chainedFields)

/** The values of the fields of a view, in the order of `names`. */
const values = compile(Object.values<Fragment>(chainedFields).reduce((list, value) => sql`${list}, ${value}`))
const valuesOfView = `cast([${values.query}], 'Array(String)')`

/** What the statements bind beside their own parameters. */
export const boundInRows = { ...values.query_params, names }

/** Of visits and hours of the span, hashes of the values of their views, as the bytes of numbers. */
const valuesOfVisits = `
  SELECT website_id, session_id, visit_id, ${hourNumber('created_at')} AS number,
    arraySort(groupUniqArray(reinterpretAsString(sipHash64(toString(url_path))))) AS paths,
    arraySort(groupUniqArray(reinterpretAsString(sipHash64(toString(page_title))))) AS titles
  FROM ${viewsOfEvents} AND ${eventsInSpan}
  GROUP BY website_id, session_id, visit_id, number`

const endOfChannel = "position(landed, '\\0', 25)"

const chainedHourColumns = [
  ...['kind', 'hour', ...client, 'session_key', 'events', 'customs', 'session_before', 'session_acted'],
  ...['visit_before', 'visit_acted', 'visit_views', 'spent', 'pause', 'lone_before', 'visit_key', 'last'],
  ...['entry', 'channel', 'paths', 'titles', 'changed'],
]

/** Rows of one kind follow each other, or those of both: in an hour, rows with views come first. */
const windows = `
  by_session AS (PARTITION BY website_id, session_id, of_kind ORDER BY hour, landed, clients ${upToRow}),
  by_visit AS (PARTITION BY website_id, session_id, visit_id, of_kind ORDER BY hour, landed, clients ${upToRow}),
  actions_of_session AS (PARTITION BY website_id, session_id ORDER BY hour, of_kind, landed, clients ${upToRow}),
  actions_of_visit AS (PARTITION BY website_id, session_id, visit_id ORDER BY hour, of_kind, landed, clients ${upToRow})`

const ofSpan = [
  ...['website_id', 'hour', ...client, 'session_id', 'visit_id', 'views', 'customs', 'of_kind', 'landed', 'clients'],
  ...['number', 'views_of_hour', 'first_of_hour', 'last_of_hour'],
]

/** The number of the row before in a window; of its first row, what is stored. */
const numberBefore = (window: string, stored: string) =>
  `if(lagInFrame(number, 1, toUInt32(0)) OVER ${window} = 0, ${stored}, lagInFrame(number, 1, toUInt32(0)) OVER ${window})`

/** The condition of a join: the same website, and these columns. */
const same = (joined: string, ...columns: string[]): string =>
  ['website_id', ...columns].map((name) => `spanned.${name} = ${joined}.${name}`).join(' AND ')

/** Each row with what the row before of its session and of its visit says; for their first rows, what is stored. */
const linkedRows = `
  SELECT ${ofSpan.map((name) => `spanned.${name} AS ${name}`).join(', ')}, of_visit.second_hour AS hour_before_last,
    of_shared.second_session AS second_session, of_views.paths AS seen_paths, of_views.titles AS seen_titles,
    lagInFrame(number, 1, toUInt32(0)) OVER actions_of_session AS session_row,
    lagInFrame(number, 1, toUInt32(0)) OVER by_visit AS visit_row,
    ${numberBefore('by_session', 'of_session.last_hour')} AS seen_before,
    if(session_row = 0, of_session.last_acted, session_row) AS acted_before,
    if(session_row = 0, of_session.last_clients, lagInFrame(clients) OVER actions_of_session) AS clients_before,
    if(visit_row = 0, of_visit.last_hour, visit_row) AS visited_before,
    ${numberBefore('actions_of_visit', 'of_visit.last_acted')} AS visit_acted_before,
    if(visit_row = 0, of_visit.last_views, lagInFrame(views_of_hour) OVER by_visit) AS views_before,
    if(visit_row = 0, of_visit.last_moment, lagInFrame(last_of_hour) OVER by_visit) AS last_before
  FROM (${spanRows}) AS spanned
  LEFT JOIN (
    SELECT website_id, session_id, maxIf(number, of_kind = 1) AS last_hour, max(number) AS last_acted,
      argMax(clients, (number, of_kind, landed, clients)) AS last_clients
    FROM (${earlierRows}) GROUP BY website_id, session_id
  ) AS of_session ON ${same('of_session', 'session_id')}
  LEFT JOIN (
    SELECT website_id, session_id, visit_id, maxIf(number, seen > 0) AS last_hour, max(number) AS last_acted,
      argMaxIf(seen, number, seen > 0) AS last_views, argMaxIf(last_seen, number, seen > 0) AS last_moment,
      arrayReverseSort(groupArrayIf(number, seen > 0))[2] AS second_hour
    FROM (
      SELECT website_id, session_id, visit_id, number, sum(views) AS seen, max(last_view) AS last_seen
      FROM (${earlierRows}) GROUP BY website_id, session_id, visit_id, number
    )
    GROUP BY website_id, session_id, visit_id
  ) AS of_visit ON ${same('of_visit', 'session_id', 'visit_id')}
  LEFT JOIN (${sharedVisits}) AS of_shared ON ${same('of_shared', 'visit_id')}
  LEFT JOIN (${valuesOfVisits}) AS of_views ON ${same('of_views', 'session_id', 'visit_id', 'number')}
  WINDOW ${windows}`

const chainedHourRows = `
  SELECT website_id, toUInt8(of_kind) AS kind, hour, ${client.join(', ')}, sipHash64(session_id) AS session_key,
    toUInt64(views) AS events, toUInt64(customs) AS customs,
    toUInt32(if(of_kind = 1, seen_before, acted_before)) AS session_before,
    toUInt32(if(acted_before = session_before, 0, acted_before)) AS session_acted,
    toUInt32(if(of_kind = 1, visited_before, visit_acted_before)) AS visit_before,
    toUInt32(if(visit_acted_before = visit_before, 0, visit_acted_before)) AS visit_acted,
    toUInt32(if(begins, views_of_hour, 0)) AS visit_views,
    toUInt32(if(begins, last_of_hour - first_of_hour, 0)) AS spent,
    toUInt64(if(begins AND visited_before != 0, first_of_hour - last_before, 0)) AS pause,
    toUInt32(if(begins AND visited_before != 0 AND views_before = 1, two_before, 4294967295)) AS lone_before,
    sipHash64(visit_id) AS visit_key,
    toUInt32(if(of_kind = 1, last_of_hour - toInt64(number) * 3600000, 0)) AS last,
    if(begins, substring(landed, ${endOfChannel} + 1), '') AS entry,
    if(begins, substring(landed, 25, ${endOfChannel} - 25), '') AS channel,
    if(begins, seen_paths, []) AS paths, if(begins, seen_titles, []) AS titles,
    toUInt8(if(acted_before = 0, 0, ${changedBits}) + if(second_session != 0 AND number >= second_session, 128, 0)) AS changed
  FROM (
    SELECT *, of_kind = 1 AND visited_before != number AS begins,
      if(visit_row = 0, hour_before_last, lagInFrame(visited_before, 1, toUInt32(0)) OVER by_visit) AS two_before
    FROM (${linkedRows})
    WINDOW by_visit AS (PARTITION BY website_id, session_id, visit_id, of_kind ORDER BY hour, landed, clients ${upToRow})
  )`

const chainedValueColumns = ['field', 'hour', 'value', 'value_before', 'sessions', 'views']

/** The rows of `events`, one for each field and its value, but for empty ones. */
const unfolded = (where: string) => `
  SELECT website_id, session_id, created_at, field, value
  FROM events ARRAY JOIN {names:Array(String)} AS field, ${valuesOfView} AS value
  WHERE ${isOfNamed} AND event_type IN (1, 3, 4) AND ${where} AND value != ''`

/** The views without a value, by field and hour. */
const emptyValues = `
  SELECT website_id, field, number, '' AS value, toUInt32(0) AS value_before, toUInt32(0) AS sessions, toUInt64(empty) AS views
  FROM (
    SELECT website_id, ${hourNumber('created_at')} AS number, sumForEach(arrayMap(value -> value = '', ${valuesOfView})) AS counts
    FROM ${viewsOfEvents} AND ${eventsInSpan}
    GROUP BY website_id, number
  )
  ARRAY JOIN {names:Array(String)} AS field, counts AS empty
  WHERE empty > 0`

/** The values of sessions in the hours of the span, and the hour before in which they had them. */
const valuesOfSessions = `
  SELECT website_id, field, value, number, seen, if(number_before = 0, earlier.last_hour, number_before) AS value_before
  FROM (
    SELECT website_id, session_id, field, value, number, seen,
      lagInFrame(number, 1, toUInt32(0))
        OVER (PARTITION BY website_id, session_id, field, value ORDER BY number ${upToRow}) AS number_before
    FROM (
      SELECT website_id, session_id, field, value, ${hourNumber('created_at')} AS number, count() AS seen
      FROM (${unfolded(eventsInSpan)}) GROUP BY website_id, session_id, field, value, number
    )
  ) AS spanned
  LEFT JOIN (
    SELECT website_id, session_id, field, value, ${hourNumber('max(created_at)')} AS last_hour
    FROM (${unfolded(`created_at < ${startOfSpan} AND session_id IN (
      SELECT session_id FROM ${actions} AND kind = 1 AND hour < ${startOfSpan}
        AND session_id IN (SELECT session_id FROM ${actions} AND kind = 1 AND ${inSpan}))`)})
    GROUP BY website_id, session_id, field, value
  ) AS earlier USING (website_id, session_id, field, value)`

const chainedValueRows = `
  SELECT website_id, field, fromUnixTimestamp64Milli(toInt64(number) * 3600000, 'UTC') AS hour, value, value_before, sessions, views
  FROM (
    SELECT website_id, field, number, value, value_before, toUInt32(count()) AS sessions, toUInt64(sum(seen)) AS views
    FROM (${valuesOfSessions})
    GROUP BY website_id, field, number, value, value_before
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
