import { all, type Fragment, instant, sql, text, uint32, uuid } from '../../../src/query/language/sql.ts'
import { channelOf, hasClickId, referrer } from './channels.ts'

/** The filters of the cells. */
export type Filter = 'none' | 'browser and country' | 'path'

/** A question to the naive layout. The range is of whole hours. */
export interface Question {
  readonly websiteId: string
  readonly startAt: number
  readonly endAt: number
  readonly filter: Filter
  readonly unit: 'hour' | 'day' | 'month'
}

export const filtered = { browser: 'chrome', country: 'US', path: '/pricing' } as const

/** The properties of the two series: a text and a number of the same events. */
export const named = { eventName: 'signup', propertyName: 'plan' } as const
export const counted = { eventName: 'signup', propertyName: 'seats' } as const

/** A table of the naive layout, and its expressions for what every table has. */
export interface Source {
  readonly from: (question: Question, ...conditions: Conditions) => Fragment
  readonly at: Fragment
  readonly views: Fragment
  readonly customEvents: Fragment
  readonly first: Fragment
  readonly last: Fragment
  readonly entry: Fragment
}

type Conditions = readonly (Fragment | undefined)[]

export const ofVisitors = ({ filter }: Question): Fragment | undefined =>
  filter === 'browser and country'
    ? sql`browser = ${text(filtered.browser)} and country = ${text(filtered.country)}`
    : undefined

const onPath = sql`url_path = ${text(filtered.path)}`

const ofPath = ({ filter }: Question): Fragment | undefined => (filter === 'path' ? onPath : undefined)

export const hours: Source = {
  from: (question, ...conditions) => sql`
    from visit_hours where ${all(
      sql`website_id = ${uuid(question.websiteId)}`,
      ...conditions,
      sql`hour >= toDateTime(${uint32(question.startAt / 1000)}, 'UTC')`,
      sql`hour <= toDateTime(${uint32(Math.floor(question.endAt / 1000))}, 'UTC')`,
      ofVisitors(question),
    )}`,
  at: sql`hour`,
  views: sql`sum(views)`,
  customEvents: sql`sum(events)`,
  first: sql`min(first_at)`,
  last: sql`max(last_at)`,
  entry: sql`argMinMerge(entry_page)`,
}

export const during = ({ websiteId, startAt, endAt }: Question): Fragment =>
  sql`website_id = ${uuid(websiteId)} and created_at >= ${instant(startAt)} and created_at <= ${instant(endAt)}`

export const events: Source = {
  from: (question, ...conditions) =>
    sql`from events where ${all(during(question), ...conditions, ofVisitors(question))}`,
  at: sql`created_at`,
  views: sql`count()`,
  customEvents: sql`count()`,
  first: sql`min(created_at)`,
  last: sql`max(created_at)`,
  entry: sql`argMin(url_path, created_at)`,
}

/** The table of hours knows nothing about paths. */
const sourceOf = ({ filter }: Question): Source => (filter === 'path' ? events : hours)

export const isView = sql`event_type in (1, 3, 4)`
export const isCustom = sql`event_type = 2`

/** Whether a visit has a custom event. */
const acted = (question: Question, source: Source): Fragment =>
  sql`visit_id in (select visit_id ${source.from(question, isCustom)}) as acted`

/**
 * The visits with a view that passes the filter, as a subquery. A visit is the same whatever its path is; its browser
 * and its country are the same in each of its events.
 */
function visits(question: Question, source: Source, more: Fragment = sql``): Fragment {
  const path = ofPath(question)
  return sql`(
    select any(session_id) as session, ${source.views} as views, ${path ? sql`countIf(${path})` : sql`views`} as passed,
      toUnixTimestamp64Milli(${source.last}) - toUnixTimestamp64Milli(${source.first}) as length,
      ${acted(question, source)}${more}
    ${source.from(question, isView)}
    group by visit_id ${path ? sql`having passed > 0` : sql``})`
}

/** The range before, of equal length. */
export const before = (question: Question): Question => ({
  ...question,
  startAt: 2 * question.startAt - question.endAt - 1,
  endAt: question.startAt - 1,
})

export const totals = (question: Question, source = sourceOf(question)): Fragment => sql`
  select sum(passed) as pageviews, uniq(session) as visitors, count() as visits,
    countIf(views = 1 and not acted) as bounces,
    intDiv(sum(length), 1000) as totaltime
  from ${visits(question, source)}`

const starts = { hour: sql`toStartOfHour`, day: sql`toStartOfDay`, month: sql`toStartOfMonth` }

export const bucket = ({ unit }: Question, { at }: Pick<Source, 'at'>): Fragment => sql`${starts[unit]}(${at})`

export const label = sql`formatDateTime(bucket, '%Y-%m-%dT%H:%i:%SZ', 'UTC')`

export const pageviews = (question: Question, source = sourceOf(question)): Fragment => sql`
  select ${label} as x, ${source.views} as views, uniq(session_id) as sessions
  ${source.from(question, isView, ofPath(question))}
  group by ${bucket(question, source)} as bucket order by bucket`

export const top = sql`limit 500`

/** Sessions by a value of views. */
export const bySession = (
  question: Question,
  source: Source,
  value: Fragment,
  ...conditions: Conditions
): Fragment => sql`
  select ${value} as x, uniq(session_id) as y
  ${source.from(question, isView, ofPath(question), ...conditions, sql`${value} != ''`)}
  group by x order by y desc, x ${top}`

const withoutWww = sql`if(startsWith(hostname, 'www.'), substring(hostname, 5), hostname)`
export const isForeign = sql`referrer_domain != hostname and referrer_domain != ${withoutWww}`

/** Sessions by the first page of their visits. */
export const entries = (question: Question, source = sourceOf(question)): Fragment => sql`
  select entry as x, uniq(session) as y from ${visits(question, source, sql`, ${source.entry} as entry`)}
  where x != '' group by x order by y desc, x ${top}`

const landing = sql`concat(hostname, '\\0', referrer_domain, '\\0', utm_medium, '\\0', utm_source, '\\0', url_query)`

/**
 * The channel needs the query string of the landing, which only the events have. One text is cheaper to keep than five.
 * There are far fewer kinds of landings than visits, so each kind gets its channel once.
 */
const channels = (question: Question): Fragment => sql`
  select ${channelOf(sql`made`)} as x, uniqMerge(sessions) as y
  from (
    select (${referrer}, lowerUTF8(utm_medium), lowerUTF8(utm_source), hasClickId) as made, sessions
    from (
      select parts[1] as hostname, parts[2] as referrer_domain, parts[3] as utm_medium, parts[4] as utm_source,
        ${hasClickId(sql`parts[5]`)} as hasClickId, uniqState(session) as sessions
      from (
        select session, splitByChar('\\0', landing) as parts
        from ${visits(question, events, sql`, argMin(${landing}, created_at) as landing`)}
      )
      group by hostname, referrer_domain, utm_medium, utm_source, hasClickId
    )
  ) group by x order by y desc, x ${top}`

const names = (question: Question): Fragment => sql`
  select event_name as x, count() as y ${events.from(question, isCustom, ofPath(question))}
  group by x order by y desc, x ${top}`

const expandedColumns = (pageviews: Fragment): Fragment => sql`
  ${pageviews} as pageviews, uniq(session) as visitors, count() as visits,
  countIf(views = 1 and not acted) as bounces,
  intDiv(sum(length), 1000) as totaltime`

const ranked = sql`group by name order by visitors desc, visits desc, name ${top}`

/** By a value that is the same in the whole visit. */
export const expandedByVisit = (question: Question, source: Source, value: Fragment): Fragment => sql`
  select value as name, ${expandedColumns(sql`sum(passed)`)}
  from ${visits(question, source, sql`, ${value} as value`)} where name != '' ${ranked}`

/** By a value of which a visit may have several. */
const expandedByValue = (question: Question, value: Fragment, has: Fragment, kinds: Fragment): Fragment => sql`
  select name, ${expandedColumns(sql`sum(countEqual(all, name))`)}
  from (
    select any(session_id) as session, countIf(${isView}) as views, groupArrayIf(${value}, ${has}) as all,
      maxIf(toUnixTimestamp64Milli(created_at), ${isView}) - minIf(toUnixTimestamp64Milli(created_at), ${isView}) as length,
      ${acted(question, events)}
    ${events.from(question, kinds)}
    group by visit_id having notEmpty(all)
  ) array join arrayDistinct(all) as name where name != '' ${ranked}`

const valuesOf = (question: Question, { from }: Source, value: Fragment, count: Fragment): Fragment => sql`
  select ${value} as value, ${count} as count
  ${from(question, sql`event_type != 5`, ofPath(question), sql`${value} != ''`)}
  group by value order by count desc, value ${top}`

const eventSeries = (question: Question): Fragment => sql`
  select event_name as x, ${label} as t, count() as y ${events.from(question, isCustom, ofPath(question))}
  group by x, ${bucket(question, events)} as bucket order by bucket, x`

/** The properties have no browser and no country: only that filter needs the events. */
function properties(question: Question, { eventName, propertyName }: typeof named | typeof counted): Fragment {
  const isNamed = sql`event_name = ${text(eventName)}`
  const ofEvents =
    question.filter === 'browser and country'
      ? sql`event_id in (select event_id ${events.from(question, isCustom, isNamed)})`
      : undefined
  const isProperty = sql`data_key = ${text(propertyName)}`
  return sql`from event_data where ${all(during(question), isNamed, isProperty, ofPath(question), ofEvents)}`
}

const textSeries = (question: Question): Fragment => sql`
  select assumeNotNull(string_value) as x, ${label} as t, count() as y
  ${properties(question, named)} and data_type in (1, 3)
  group by x, ${bucket(question, events)} as bucket order by bucket, x`

const numberSeries = (question: Question): Fragment => sql`
  select ${label} as t, toFloat64(sum(assumeNotNull(number_value))) as y
  ${properties(question, counted)} and data_type = 2
  group by ${bucket(question, events)} as bucket order by bucket`

const longRange = 100 * 86_400_000

/** The table of hours has no names, so over shorter ranges one scan of the events is cheaper than two tables. */
function eventTotals(question: Question): Fragment {
  const source = question.endAt - question.startAt > longRange ? sourceOf(question) : events
  const inEvents = sql`uniqExact(event_name)`
  const names = source === events ? inEvents : sql`(select ${inEvents} ${events.from(question, isCustom)})`
  return sql`
    select ${source.customEvents} as events, uniq(session_id) as visitors, uniqExact(visit_id) as visits,
      ${names} as uniqueEvents
    ${source.from(question, isCustom, ofPath(question))}`
}

const active = ({ websiteId, endAt }: Question): Fragment => sql`
  select uniq(session_id) as visitors
  ${events.from({ websiteId, startAt: endAt - 300_000, endAt, filter: 'none', unit: 'hour' })}`

/** The statements of each report, one after the other. */
export const naiveStatements = {
  stats: (question) => [totals(question), totals(before(question))],
  pageviews: (question) => [pageviews(question)],
  'metrics?type=path': (question) => [bySession(question, events, sql`url_path`)],
  'metrics?type=referrer': (question) => [bySession(question, sourceOf(question), sql`referrer_domain`, isForeign)],
  'metrics?type=browser': (question) => [bySession(question, sourceOf(question), sql`browser`)],
  'metrics?type=country': (question) => [bySession(question, sourceOf(question), sql`country`)],
  'metrics?type=channel': (question) => [channels(question)],
  'metrics?type=entry': (question) => [entries(question)],
  'metrics?type=event': (question) => [names(question)],
  'metrics/expanded?type=path': (question) => [
    expandedByValue(question, sql`url_path`, ofPath(question) ?? sql`true`, isView),
  ],
  'metrics/expanded?type=browser': (question) => [expandedByVisit(question, sourceOf(question), sql`any(browser)`)],
  'metrics/expanded?type=entry': (question) => [
    expandedByVisit(question, sourceOf(question), sourceOf(question).entry),
  ],
  'metrics/expanded?type=event': (question) => [
    expandedByValue(question, sql`event_name`, all(isCustom, ofPath(question)), sql`event_type != 5`),
  ],
  'values?type=path': (question) => [valuesOf(question, events, sql`url_path`, sql`count()`)],
  'values?type=browser': (question) => [
    question.filter === 'path'
      ? valuesOf(question, events, sql`browser`, sql`count()`)
      : valuesOf(question, hours, sql`browser`, sql`sum(views) + sum(events)`),
  ],
  'events/series': (question) => [eventSeries(question)],
  'event-data-pivot/property-series': (question) => [textSeries(question)],
  'event-data-pivot/numeric-series': (question) => [numberSeries(question)],
  'events/stats': (question) => [eventTotals(question), eventTotals(before(question))],
  active: (question) => [active(question)],
} as const satisfies Readonly<Record<string, (question: Question) => readonly Fragment[]>>

export type Asked = keyof typeof naiveStatements
