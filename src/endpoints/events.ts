import * as z from 'zod'
import { paged, pagePlan } from '../query/paging.ts'
import { together, type Visits, visits } from '../query/source.ts'
import { all, type Fragment, instant, type Plan, type Statement, select, sql } from '../query/sql.ts'
import { searched } from '../query/text.ts'
import { isoSecond } from '../query/time.ts'
import type { Selection } from '../query/where.ts'
import { filters } from '../request/filters.ts'
import { pages } from '../request/page.ts'
import { compared, comparison, type Period, range } from '../request/period.ts'
import { query } from '../request/query-string.ts'
import { search } from '../request/search.ts'
import { pageOf } from './answers.ts'
import { report } from './endpoint.ts'
import { eventRows } from './exports.ts'

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
  event_type: z.number(),
  /** In the order of `0002_events.sql`. */
  packed: z.array(z.string()).length(14),
})

/** What `search` looks through where events are listed or counted. */
export const eventsSearched = 'Part of a custom event’s name or of a page view’s path, in any case.'

export const events = report({
  name: 'getWebsiteEvents',
  path: '/api/websites/:websiteId/events',
  section: 'events',
  summary: 'Events of every kind but performance measurements, newest first, paged.',
  query: query(range, pages, search(eventsSearched), filters()),
  answer: pageOf(WebsiteEvent),
  plan: ({ period, filters, page, search }, scope) => {
    const found = searched(search)
    const columns = sql`event_id, session_id, toUnixTimestamp64Milli(created_at) as created_ms, event_type, packed`
    return pagePlan(EventRow, columns, {
      what: 'events',
      selection: { scope, period, filters },
      shown: all(sql`event_type != 5`, found),
      page,
      rollups: found && 'plain',
    })
  },
  shape: (found, { page, websiteId }) => paged(page, found, (row) => eventOf(row, websiteId)),
  export: eventRows,
})

const eventOf = ({ packed, ...row }: z.infer<typeof EventRow>, websiteId: string): z.infer<typeof WebsiteEvent> => ({
  id: row.event_id,
  websiteId,
  sessionId: row.session_id,
  createdAt: isoSecond(row.created_ms),
  hostname: packed[0]!,
  urlPath: packed[1]!,
  urlQuery: packed[2]!,
  referrerPath: packed[3]!,
  referrerQuery: packed[4]!,
  referrerDomain: packed[5]!,
  country: packed[6]!,
  city: packed[7]!,
  device: packed[8]!,
  os: packed[9]!,
  browser: packed[10]!,
  pageTitle: packed[11]!,
  eventType: row.event_type,
  eventName: packed[12]!,
  hasData: Number(packed[13]),
})

const Totals = z.object({
  events: z.number().int(),
  visitors: z.number().int(),
  visits: z.number().int(),
  uniqueEvents: z.number().int(),
})

const totals = (names: Fragment): Fragment => sql`
  sum(events) as events, uniqExact(session_id) as visitors, uniqExact(visit_id) as visits, ${names} as uniqueEvents`

const totalsOf = (selection: Selection, search: string | undefined): Statement<z.infer<typeof Totals>> => {
  const { rows, names } = visits(selection, 'rollups', searched(search))
  return select(Totals)`select ${totals(names)} from ${rows}`
}

const PeriodTotals = Totals.extend({ isCurrent: z.number() })

/** The totals of two periods that follow each other; one without events has no row. */
const totalsByPeriod = ({ rows, names }: Visits, current: Period): Statement<z.infer<typeof PeriodTotals>> =>
  select(PeriodTotals)`
    select created_at >= ${instant(current.startAt)} as isCurrent, ${totals(names)} from ${rows} group by isCurrent`

const none: z.infer<typeof Totals> = { events: 0, visitors: 0, visits: 0, uniqueEvents: 0 }

/** Either both periods of one statement, or a statement each. */
type StatsRows = {
  both?: z.infer<typeof PeriodTotals>
  current?: z.infer<typeof Totals>
  comparison?: z.infer<typeof Totals>
}

export const eventStats = report({
  name: 'getWebsiteEventStats',
  path: '/api/websites/:websiteId/events/stats',
  section: 'events',
  summary: 'Totals of custom events in the range, beside those of the period compared with.',
  query: query(range, comparison, search(eventsSearched), filters()),
  answer: z.object({ data: Totals.extend({ comparison: Totals }) }),
  plan: ({ period, filters, compare, search }, scope): Plan<StatsRows> => {
    const current = { scope, period, filters }
    const before = { ...current, period: compared(period, compare) }
    const both = together(current, before, searched(search))
    return both
      ? { both: totalsByPeriod(both, period) }
      : { current: totalsOf(current, search), comparison: totalsOf(before, search) }
  },
  shape: ({ both, current, comparison }) => {
    const ofPeriod = (isCurrent: boolean) => {
      const found = both?.rows.find((row) => (row.isCurrent === 1) === isCurrent)
      if (!found) return none
      const { isCurrent: _, ...row } = found
      return row
    }
    const [now, before] = both ? [ofPeriod(true), ofPeriod(false)] : [current!.rows[0]!, comparison!.rows[0]!]
    return { body: { data: { ...now, comparison: before } } }
  },
})
