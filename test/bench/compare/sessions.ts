import { all, type Fragment, sql, text, uuid } from '../../../src/query/language/sql.ts'
import type { Asked, Question } from './question.ts'
import type { Row } from './same.ts'
import { hours, isView, top } from './statistics.ts'

const isAction = sql`event_type < 5`
const onPage = sql`limit 20`

/** `from … where …` for the actions of sessions in the range. */
const done = (asked: Asked): Fragment => hours.from(asked, isAction)

/** `from … where …` for the actions of one session at any time. The table is not ordered by session. */
const doneBy = ({ websiteId, sessionId }: Asked): Fragment =>
  sql`from visit_hours where website_id = ${uuid(websiteId)} and session_id = ${uuid(sessionId)} and ${isAction}`

const attributes = sql`hostname, browser, os, device, screen, language, country, region, city`

const sessions = (asked: Asked): Fragment => sql`
  select session_id as id, ${attributes}, max(distinct_id) as said, min(first_at) as firstAt, max(last_at) as lastAt,
    uniq(visit_id) as visits, sum(views) as views, sum(events) as events
  ${done(asked)}
  group by session_id, ${attributes} order by lastAt desc, id desc ${onPage}`

const totals = (asked: Asked): Fragment => sql`
  select sum(views) as pageviews, uniq(session_id) as visitors, uniq(visit_id) as visits, uniq(country) as countries,
    sum(events) as events
  ${done(asked)}`

const weekly = (asked: Asked): Fragment => sql`
  select toDayOfWeek(hour) % 7 as day, toHour(hour) as at, uniq(session_id) as sessions
  ${hours.from(asked, isView)}
  group by day, at order by day, at`

const oneSession = (asked: Asked): Fragment => sql`
  select any(country) as country, any(browser) as browser, count() as visits, sum(seen) as views, sum(customs) as events,
    intDiv(sum(length), 1000) as totaltime
  from (
    select any(country) as country, any(browser) as browser, sum(views) as seen, sum(events) as customs,
      if(seen = 0, 0, toUnixTimestamp64Milli(maxIf(last_at, ${isView})) - toUnixTimestamp64Milli(minIf(first_at, ${isView})))
        as length
    ${doneBy(asked)} group by visit_id
  )`

const linked = (asked: Asked): Fragment => sql`
  select greatest(uniqExact(session_id), 1) as linked from visit_hours
  where website_id = ${uuid(asked.websiteId)}
    and distinct_id in (select distinct_id ${doneBy(asked)} and distinct_id != '')`

/** `from … where …` for the current properties of the sessions in the range. */
const said = (asked: Asked, ...conditions: Fragment[]): Fragment => sql`
  from session_data final where ${all(
    sql`website_id = ${uuid(asked.websiteId)}`,
    sql`session_id in (select session_id ${done(asked)})`,
    ...conditions,
  )}`

const isPlan = sql`data_key = ${text('plan')}`

const properties = (asked: Asked): Fragment => sql`
  select data_key as propertyName, data_type as dataType, count() as total
  ${said(asked)} group by propertyName, dataType order by total desc, propertyName, dataType ${top}`

const values = (asked: Asked): Fragment => sql`
  select assumeNotNull(string_value) as value, count() as total
  ${said(asked, isPlan)} group by value order by total desc, value ${top}`

const doneByPlan = (asked: Asked): Fragment => sql`
  select assumeNotNull(string_value) as label, sum(all_views + customs) as activity, count() as sessions,
    sum(visits_made) as visits, sum(all_views) as views, sum(customs) as events
  from (
    select session_id, uniq(visit_id) as visits_made, sum(views) as all_views, sum(events) as customs
    ${done(asked)} group by session_id
  ) as done
  any inner join (
    select session_id, string_value from session_data final where website_id = ${uuid(asked.websiteId)} and ${isPlan}
  ) as now using session_id
  group by label order by activity desc, label ${top}`

/** The sessions with a plan, each with all its properties. */
const withPlan = (asked: Asked): Fragment =>
  said(
    asked,
    sql`session_id in (select session_id from session_data where website_id = ${uuid(asked.websiteId)} and ${isPlan})`,
  )

const pivotCount = (asked: Asked): Fragment => sql`select uniqExact(session_id) as count ${withPlan(asked)}`

const pivot = (asked: Asked): Fragment => sql`
  select session_id as sessionId, max(created_at) as at,
    arrayStringConcat(arraySort(groupArray(data_key)), ',') as keys, groupArray((data_key, string_value)) as pairs
  ${withPlan(asked)}
  group by session_id order by at desc, session_id desc ${onPage}`

interface Page {
  readonly data: readonly Row[]
  readonly count: number
}

interface Pivot {
  readonly data: readonly { readonly sessionId: string; readonly propertyKeys: readonly string[] }[]
  readonly count: number
}

interface Figure {
  readonly value: number
}

const picked =
  <Name extends string>(...names: readonly Name[]) =>
  (row: Row): Row =>
    Object.fromEntries(names.map((name) => [name, row[name]!]))

/**
 * Questions about sessions. Both layouts return times and attributes, which are compared if the question lists them.
 */
export const ofSessions: readonly Question[] = [
  {
    endpoint: 'sessions',
    naive: (asked) => [sql`select uniq(session_id) as visitors ${done(asked)}`, sessions(asked)],
    rows: ({ data, count }: Page) => [
      { visitors: count },
      ...data.map(picked('id', 'browser', 'country', 'visits', 'views', 'events')),
    ],
    estimated: ['visitors'],
  },
  {
    endpoint: 'sessions/stats',
    naive: (asked) => [totals(asked)],
    rows: (body: Readonly<Record<string, Figure>>) => [
      Object.fromEntries(Object.entries(body).map(([name, { value }]) => [name, value])),
    ],
    estimated: ['visitors', 'visits'],
  },
  {
    endpoint: 'sessions/weekly',
    naive: (asked) => [weekly(asked)],
    rows: (days: readonly (readonly number[])[]) =>
      days
        .flatMap((found, day) => found.map((sessions, at) => ({ day, at, sessions })))
        .filter(({ sessions }) => sessions > 0),
    estimated: ['sessions'],
  },
  {
    endpoint: 'sessions/:sessionId',
    takesNoRange: true,
    naive: (asked) => [oneSession(asked), linked(asked)],
    rows: (body: Row) => [
      picked('country', 'browser', 'visits', 'views', 'events', 'totaltime')(body),
      { linked: body.stitchedSessionCount! },
    ],
  },
  { endpoint: 'session-data/properties', naive: (asked) => [properties(asked)], rows: (body: readonly Row[]) => body },
  {
    endpoint: 'session-data/values',
    query: { propertyName: 'plan' },
    naive: (asked) => [values(asked)],
    rows: (body: readonly Row[]) => body,
  },
  {
    endpoint: 'session-data/stats',
    query: { propertyName: 'plan' },
    naive: (asked) => [doneByPlan(asked)],
    rows: (body: readonly Row[]) => body,
  },
  {
    endpoint: 'session-data-pivot',
    query: { propertyName: 'plan' },
    naive: (asked) => [pivotCount(asked), pivot(asked)],
    rows: ({ data, count }: Pivot) => [
      { count },
      ...data.map(({ sessionId, propertyKeys }) => ({ sessionId, keys: propertyKeys.join(',') })),
    ],
  },
]
