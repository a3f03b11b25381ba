import { all, type Fragment, sql, uint32, uuid } from '../../../src/query/language/sql.ts'
import type { Asked as AskedSessions } from '../reports/compared.ts'
import {
  type Asked,
  before,
  bySession,
  entries,
  expandedByVisit,
  isCustom,
  isView,
  ofVisitors,
  pageviews,
  type Question,
  type Source,
  top,
  totals,
} from '../statistics/naive.ts'

/** What the rollup can answer. It counts sessions by the estimate `uniq`, and reads arrays for what events have. */

const hourly: Source = {
  from: (question, ...conditions) => sql`
    from hourly where ${all(
      sql`website_id = ${uuid(question.websiteId)}`,
      ...conditions,
      sql`created_at >= toDateTime(${uint32(question.startAt / 1000)}, 'UTC')`,
      sql`created_at <= toDateTime(${uint32(Math.floor(question.endAt / 1000))}, 'UTC')`,
      ofVisitors(question),
    )}`,
  at: sql`created_at`,
  views: sql`sum(views)`,
  customEvents: sql`sum(length(event_name))`,
  first: sql`min(first_at)`,
  last: sql`max(last_at)`,
  entry: sql`argMinMerge(entry_page)`,
}

const byElement = (question: Question, elements: Fragment): Fragment => sql`
  select x, uniq(session_id) as y
  from (select session_id, arrayJoin(${elements}) as x ${hourly.from(question, isView)})
  where x != '' group by x order by y desc, x ${top}`

const names = (question: Question): Fragment => sql`
  select x, count() as y from (select arrayJoin(event_name) as x ${hourly.from(question, isCustom)})
  group by x order by y desc, x ${top}`

const foreign = sql`arrayFilter(
  (referrer, host) -> referrer != host and referrer != if(startsWith(host, 'www.'), substring(host, 5), host),
  referrer_domain, hostname)`

const eventTotals = (question: Question): Fragment => sql`
  select sum(length(event_name)) as events, uniq(session_id) as visitors, uniqExact(visit_id) as visits,
    uniqExactArray(event_name) as uniqueEvents
  ${hourly.from(question, isCustom)}`

/** The reports that Umami reads from its rollup, without a filter on what events have. */
const statements: { readonly [Report in Asked]?: (question: Question) => readonly Fragment[] } = {
  stats: (question) => [totals(question, hourly), totals(before(question), hourly)],
  pageviews: (question) => [pageviews(question, hourly)],
  'metrics?type=path': (question) => [byElement(question, sql`url_path`)],
  'metrics?type=referrer': (question) => [byElement(question, foreign)],
  'metrics?type=browser': (question) => [bySession(question, hourly, sql`browser`)],
  'metrics?type=country': (question) => [bySession(question, hourly, sql`country`)],
  'metrics?type=entry': (question) => [entries(question, hourly)],
  'metrics?type=event': (question) => [names(question)],
  'metrics/expanded?type=browser': (question) => [expandedByVisit(question, hourly, sql`any(browser)`)],
  'metrics/expanded?type=entry': (question) => [expandedByVisit(question, hourly, hourly.entry)],
  'events/stats': (question) => [eventTotals(question), eventTotals(before(question))],
}

/** The statements of a report; none if Umami reads the events for it. */
export const rollupStatements = (report: Asked, question: Question): readonly Fragment[] =>
  question.filter === 'path' ? [] : (statements[report]?.(question) ?? [])

const isAction = sql`event_type != 5`

/** The totals of sessions, from the rollup. */
export const sessionTotals = (asked: AskedSessions): Fragment => sql`
  select sum(views) as pageviews, uniq(session_id) as visitors, uniq(visit_id) as visits, uniq(country) as countries,
    sum(if(${isCustom}, length(event_name), 0)) as events
  ${hourly.from(asked, isAction)}`

export const sessionCount = (asked: AskedSessions): Fragment =>
  sql`select uniq(session_id) as visitors ${hourly.from(asked, isAction)}`

export const sessionsWeekly = (asked: AskedSessions): Fragment => sql`
  select toDayOfWeek(created_at) % 7 as day, toHour(created_at) as at, uniq(session_id) as sessions
  ${hourly.from(asked, isView)}
  group by day, at order by day, at`

const attributes = sql`browser, os, device, screen, language, country, region, city`

export const sessionPage = (asked: AskedSessions): Fragment => sql`
  select session_id as id, any(hostname[1]) as host, ${attributes}, min(first_at) as firstAt, max(last_at) as lastAt,
    uniq(visit_id) as visits, sum(views) as views, sum(if(${isCustom}, length(event_name), 0)) as events
  ${hourly.from(asked, isAction)}
  group by session_id, ${attributes} order by lastAt desc, id desc limit 20`
