import { all, type Fragment, instant, sql, text, uint32, uuid } from '../../../src/query/language/sql.ts'
import { channelOf, hasClickId, referrer } from './channels.ts'
import { type Asked, filtered, type Question } from './question.ts'
import type { Row } from './same.ts'

/** A table of the naive layout, with expressions for the common values. */
interface Source {
  readonly from: (asked: Asked, ...conditions: Conditions) => Fragment
  readonly at: Fragment
  readonly views: Fragment
  readonly customEvents: Fragment
  readonly first: Fragment
  readonly last: Fragment
  readonly entry: Fragment
}

type Conditions = readonly (Fragment | undefined)[]

const ofVisitors = ({ filter }: Asked): Fragment | undefined =>
  filter === 'client' ? sql`browser = ${text(filtered.browser)} and country = ${text(filtered.country)}` : undefined

const onPath = sql`url_path = ${text(filtered.path)}`

const ofPath = ({ filter }: Asked): Fragment | undefined => (filter === 'path' ? onPath : undefined)

export const hours: Source = {
  from: (asked, ...conditions) => sql`
    from visit_hours where ${all(
      sql`website_id = ${uuid(asked.websiteId)}`,
      ...conditions,
      sql`hour >= toDateTime(${uint32(asked.startAt / 1000)}, 'UTC')`,
      sql`hour <= toDateTime(${uint32(Math.floor(asked.endAt / 1000))}, 'UTC')`,
      ofVisitors(asked),
    )}`,
  at: sql`hour`,
  views: sql`sum(views)`,
  customEvents: sql`sum(events)`,
  first: sql`min(first_at)`,
  last: sql`max(last_at)`,
  entry: sql`argMinMerge(entry_page)`,
}

export const during = ({ websiteId, startAt, endAt }: Asked): Fragment =>
  sql`website_id = ${uuid(websiteId)} and created_at >= ${instant(startAt)} and created_at <= ${instant(endAt)}`

export const events: Source = {
  from: (asked, ...conditions) => sql`from events where ${all(during(asked), ...conditions, ofVisitors(asked))}`,
  at: sql`created_at`,
  views: sql`count()`,
  customEvents: sql`count()`,
  first: sql`min(created_at)`,
  last: sql`max(created_at)`,
  entry: sql`argMin(url_path, created_at)`,
}

/** The hourly table has no paths. */
const sourceOf = ({ filter }: Asked): Source => (filter === 'path' ? events : hours)

export const isView = sql`event_type in (1, 3, 4)`
export const isCustom = sql`event_type = 2`

/** Whether a visit has a custom event. */
const acted = (asked: Asked, source: Source): Fragment =>
  sql`visit_id in (select visit_id ${source.from(asked, isCustom)}) as acted`

/**
 * Selects the visits with a view that matches the filter, as a subquery. Visits do not depend on the path, and all
 * events of a visit have the same browser and country.
 */
function visits(asked: Asked, source: Source, more: Fragment = sql``): Fragment {
  const path = ofPath(asked)
  return sql`(
    select any(session_id) as session, ${source.views} as views, ${path ? sql`countIf(${path})` : sql`views`} as passed,
      toUnixTimestamp64Milli(${source.last}) - toUnixTimestamp64Milli(${source.first}) as length,
      ${acted(asked, source)}${more}
    ${source.from(asked, isView)}
    group by visit_id ${path ? sql`having passed > 0` : sql``})`
}

/** The preceding range of the same length. */
export const before = (asked: Asked): Asked => ({
  ...asked,
  startAt: 2 * asked.startAt - asked.endAt - 1,
  endAt: asked.startAt - 1,
})

const totals = (asked: Asked, source = sourceOf(asked)): Fragment => sql`
  select sum(passed) as pageviews, uniq(session) as visitors, count() as visits,
    countIf(views = 1 and not acted) as bounces,
    intDiv(sum(length), 1000) as totaltime
  from ${visits(asked, source)}`

const starts = { hour: sql`toStartOfHour`, day: sql`toStartOfDay`, month: sql`toStartOfMonth` }

export const bucket = ({ unit }: Asked, { at }: Pick<Source, 'at'>): Fragment => sql`${starts[unit]}(${at})`

export const label = sql`formatDateTime(bucket, '%Y-%m-%dT%H:%i:%SZ', 'UTC')`

const pageviews = (asked: Asked, source = sourceOf(asked)): Fragment => sql`
  select ${label} as x, ${source.views} as views, uniq(session_id) as sessions
  ${source.from(asked, isView, ofPath(asked))}
  group by ${bucket(asked, source)} as bucket order by bucket`

export const top = sql`limit 500`

/** Sessions by a value of views. */
const bySession = (asked: Asked, source: Source, value: Fragment, ...conditions: Conditions): Fragment => sql`
  select ${value} as x, uniq(session_id) as y
  ${source.from(asked, isView, ofPath(asked), ...conditions, sql`${value} != ''`)}
  group by x order by y desc, x ${top}`

const withoutWww = sql`if(startsWith(hostname, 'www.'), substring(hostname, 5), hostname)`
export const isForeign = sql`referrer_domain != hostname and referrer_domain != ${withoutWww}`

/** Sessions by the first page of their visits. */
const entries = (asked: Asked, source = sourceOf(asked)): Fragment => sql`
  select entry as x, uniq(session) as y from ${visits(asked, source, sql`, ${source.entry} as entry`)}
  where x != '' group by x order by y desc, x ${top}`

const landing = sql`concat(hostname, '\\0', referrer_domain, '\\0', utm_medium, '\\0', utm_source, '\\0', url_query)`

/**
 * The channel needs the landing's query string, which only the events have. One combined text is cheaper than five.
 * There are far fewer distinct landings than visits, so the channel is computed only once for each of them.
 */
const channels = (asked: Asked): Fragment => sql`
  select ${channelOf(sql`made`)} as x, uniqMerge(sessions) as y
  from (
    select (${referrer}, lowerUTF8(utm_medium), lowerUTF8(utm_source), hasClickId) as made, sessions
    from (
      select parts[1] as hostname, parts[2] as referrer_domain, parts[3] as utm_medium, parts[4] as utm_source,
        ${hasClickId(sql`parts[5]`)} as hasClickId, uniqState(session) as sessions
      from (
        select session, splitByChar('\\0', landing) as parts
        from ${visits(asked, events, sql`, argMin(${landing}, created_at) as landing`)}
      )
      group by hostname, referrer_domain, utm_medium, utm_source, hasClickId
    )
  ) group by x order by y desc, x ${top}`

const names = (asked: Asked): Fragment => sql`
  select event_name as x, count() as y ${events.from(asked, isCustom, ofPath(asked))}
  group by x order by y desc, x ${top}`

const expandedColumns = (pageviews: Fragment): Fragment => sql`
  ${pageviews} as pageviews, uniq(session) as visitors, count() as visits,
  countIf(views = 1 and not acted) as bounces,
  intDiv(sum(length), 1000) as totaltime`

const ranked = sql`group by name order by visitors desc, visits desc, name ${top}`

/** Figures by a value that is constant within a visit. */
const expandedByVisit = (asked: Asked, source: Source, value: Fragment): Fragment => sql`
  select value as name, ${expandedColumns(sql`sum(passed)`)}
  from ${visits(asked, source, sql`, ${value} as value`)} where name != '' ${ranked}`

/** Figures by a value that may vary within a visit. */
const expandedByValue = (asked: Asked, value: Fragment, has: Fragment, kinds: Fragment): Fragment => sql`
  select name, ${expandedColumns(sql`sum(countEqual(all, name))`)}
  from (
    select any(session_id) as session, countIf(${isView}) as views, groupArrayIf(${value}, ${has}) as all,
      maxIf(toUnixTimestamp64Milli(created_at), ${isView}) - minIf(toUnixTimestamp64Milli(created_at), ${isView}) as length,
      ${acted(asked, events)}
    ${events.from(asked, kinds)}
    group by visit_id having notEmpty(all)
  ) array join arrayDistinct(all) as name where name != '' ${ranked}`

const eventSeries = (asked: Asked): Fragment => sql`
  select event_name as x, ${label} as t, count() as y ${events.from(asked, isCustom, ofPath(asked))}
  group by x, ${bucket(asked, events)} as bucket order by bucket, x`

const longRange = 100 * 86_400_000

/** The hourly table has no event names, so over shorter ranges one scan of the events is cheaper than two tables. */
function eventTotals(asked: Asked): Fragment {
  const source = asked.endAt - asked.startAt > longRange ? sourceOf(asked) : events
  const inEvents = sql`uniqExact(event_name)`
  const names = source === events ? inEvents : sql`(select ${inEvents} ${events.from(asked, isCustom)})`
  return sql`
    select ${source.customEvents} as events, uniq(session_id) as visitors, uniqExact(visit_id) as visits,
      ${names} as uniqueEvents
    ${source.from(asked, isCustom, ofPath(asked))}`
}

const active = (asked: Asked): Fragment => sql`
  select uniq(session_id) as visitors ${events.from({ ...asked, startAt: asked.endAt - 300_000 })}`

interface Point {
  readonly x: string
  readonly y: number
}

type WithComparison = Row & { readonly comparison: Row }

const withComparison = ({ comparison, ...current }: WithComparison): Row[] => [current as Row, comparison]

const rows = (body: readonly Row[]): readonly Row[] => body

/** A list of names with estimated figures, run with each filter. */
const list = (endpoint: string, naive: (asked: Asked) => Fragment, estimated = ['y']): Question => ({
  ...{ endpoint, filters: ['none', 'client', 'path'], estimated, rows },
  naive: (asked) => [naive(asked)],
})

const expanded = (type: string, naive: (asked: Asked) => Fragment): Question =>
  list(`metrics/expanded?type=${type}`, naive, ['visitors'])

/** Questions about views, visits and events, each with three filters. */
export const ofStatistics: readonly Question[] = [
  {
    ...list('stats', totals, ['visitors']),
    naive: (asked) => [totals(asked), totals(before(asked))],
    rows: withComparison,
  },
  {
    ...list('pageviews', pageviews, ['sessions']),
    takesUnit: true,
    rows: ({ pageviews, sessions }: Readonly<Record<'pageviews' | 'sessions', readonly Point[]>>) =>
      pageviews.map(({ x, y }, place) => ({ x, views: y, sessions: sessions[place]!.y })),
  },
  list('metrics?type=path', (asked) => bySession(asked, events, sql`url_path`)),
  list('metrics?type=referrer', (asked) => bySession(asked, sourceOf(asked), sql`referrer_domain`, isForeign)),
  list('metrics?type=browser', (asked) => bySession(asked, sourceOf(asked), sql`browser`)),
  list('metrics?type=country', (asked) => bySession(asked, sourceOf(asked), sql`country`)),
  list('metrics?type=channel', channels),
  list('metrics?type=entry', entries),
  list('metrics?type=event', names, []),
  expanded('path', (asked) => expandedByValue(asked, sql`url_path`, ofPath(asked) ?? sql`true`, isView)),
  expanded('browser', (asked) => expandedByVisit(asked, sourceOf(asked), sql`any(browser)`)),
  expanded('entry', (asked) => expandedByVisit(asked, sourceOf(asked), sourceOf(asked).entry)),
  expanded('event', (asked) =>
    expandedByValue(asked, sql`event_name`, all(isCustom, ofPath(asked)), sql`event_type < 5`),
  ),
  { ...list('events/series', eventSeries, []), takesUnit: true },
  {
    ...list('events/stats', eventTotals, ['visitors']),
    naive: (asked) => [eventTotals(asked), eventTotals(before(asked))],
    rows: ({ data }: { readonly data: WithComparison }) => withComparison(data),
  },
  {
    endpoint: 'active',
    isNow: true,
    naive: (asked) => [active(asked)],
    rows: (body: Row) => [body],
    estimated: ['visitors'],
  },
]
