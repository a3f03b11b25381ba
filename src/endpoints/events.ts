import * as z from 'zod'
import { after, counted, newestFirst, paged } from '../query/paging.ts'
import { all, type Fragment, type Statement, select, sql } from '../query/sql.ts'
import { contains } from '../query/text.ts'
import { isoSecond } from '../query/time.ts'
import { customEventsWhere, eventsWhere, type Selection } from '../query/where.ts'
import { filters } from '../request/filters.ts'
import { pages } from '../request/page.ts'
import { compared, type Period, range, unit } from '../request/period.ts'
import { freeText, group, oneOf, query } from '../request/query-string.ts'
import { pageOf } from './answers.ts'
import { report } from './endpoint.ts'

const comparison = oneOf('The period to compare with: the one just before, or the same a year earlier.', [
  'prev',
  'yoy',
])

const WebsiteEvent = z.object({
  id: z.string(),
  websiteId: z.string(),
  sessionId: z.string(),
  createdAt: z.string(),
  hostname: z.string(),
  urlPath: z.string(),
  urlQuery: z.string(),
  referrerPath: z.string(),
  referrerQuery: z.string(),
  referrerDomain: z.string(),
  country: z.string(),
  city: z.string(),
  device: z.string(),
  os: z.string(),
  browser: z.string(),
  pageTitle: z.string(),
  eventType: z.number().int(),
  eventName: z.string(),
  hasData: z.number().int(),
})

const EventRow = z.object({
  event_id: z.string(),
  session_id: z.string(),
  created_ms: z.number(),
  hostname: z.string(),
  url_path: z.string(),
  url_query: z.string(),
  referrer_path: z.string(),
  referrer_query: z.string(),
  referrer_domain: z.string(),
  country: z.string(),
  city: z.string(),
  device: z.string(),
  os: z.string(),
  browser: z.string(),
  page_title: z.string(),
  event_type: z.number(),
  event_name: z.string(),
  has_data: z.number(),
})

const searched = (search: string | undefined): Fragment | undefined =>
  search === undefined || search === ''
    ? undefined
    : sql`(event_type = 2 and ${contains(sql`event_name`, search)} or event_type = 1 and ${contains(sql`url_path`, search)})`

export const events = report({
  name: 'getWebsiteEvents',
  path: '/api/websites/:websiteId/events',
  section: 'events',
  summary: 'Events of every kind but performance measurements, newest first, paged.',
  query: query(
    range,
    pages,
    group(
      {
        search: freeText('Part of a custom event’s name or of a page view’s path, in any case.'),
        unit,
        compare: comparison,
      },
      ({ search }) => ({ search }),
    ),
    filters(),
  ),
  answer: pageOf(WebsiteEvent),
  plan: ({ period, filters, page, search }, scope) => {
    const where = all(eventsWhere({ scope, period, filters }), sql`event_type != 5`, searched(search))
    return {
      count: counted(sql`events`, where, page),
      rows: select(EventRow)`
        select
          event_id, session_id, toUnixTimestamp64Milli(created_at) as created_ms, hostname, url_path, url_query,
          referrer_path, referrer_query, referrer_domain, country, city, device, os, browser, page_title,
          event_type, event_name, has_data
        from events
        where ${all(where, after(page.cursor))}
        ${newestFirst(page)}`,
    }
  },
  shape: ({ count, rows }, { page, websiteId }) =>
    paged(page, count.rows, rows.rows, (row) => ({
      id: row.event_id,
      websiteId,
      sessionId: row.session_id,
      createdAt: isoSecond(row.created_ms),
      hostname: row.hostname,
      urlPath: row.url_path,
      urlQuery: row.url_query,
      referrerPath: row.referrer_path,
      referrerQuery: row.referrer_query,
      referrerDomain: row.referrer_domain,
      country: row.country,
      city: row.city,
      device: row.device,
      os: row.os,
      browser: row.browser,
      pageTitle: row.page_title,
      eventType: row.event_type,
      eventName: row.event_name,
      hasData: row.has_data,
    })),
})

const Totals = z.object({
  events: z.number().int(),
  visitors: z.number().int(),
  visits: z.number().int(),
  uniqueEvents: z.number().int(),
})

const totals = (selection: Selection): Statement<z.infer<typeof Totals>> => select(Totals)`
  select
    count() as events,
    uniqExact(session_id) as visitors,
    uniqExact(visit_id) as visits,
    uniqExact(event_name) as uniqueEvents
  from custom_events
  where ${all(customEventsWhere(selection), sql`event_type = 2`)}`

export const eventStats = report({
  name: 'getWebsiteEventStats',
  path: '/api/websites/:websiteId/events/stats',
  section: 'events',
  summary: 'Totals of custom events in the range, beside those of the period compared with.',
  query: query(
    range,
    group({ compare: comparison, unit }, ({ compare = 'prev' }) => ({ compare })),
    filters(),
  ),
  answer: z.object({ data: Totals.extend({ comparison: Totals }) }),
  plan: ({ period, filters, compare }, scope) => {
    const over = (chosen: Period) => totals({ scope, period: chosen, filters })
    return { current: over(period), comparison: over(compared(period, compare)) }
  },
  shape: ({ current, comparison }) => ({ body: { data: { ...current.rows[0]!, comparison: comparison.rows[0]! } } }),
})
