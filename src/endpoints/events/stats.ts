import * as z from 'zod'
import { made, type ValueOf } from '../../made.ts'
import { type Visits, visits, visitsOfBoth } from '../../query/figures/counts.ts'
import { ofEvents } from '../../query/figures/figures.ts'
import type { Selection } from '../../query/language/scope.ts'
import { type Fragment, instant, sql } from '../../query/language/sql.ts'
import { type Plan, type Statement, select } from '../../query/language/statement.ts'
import { matchesSearch } from '../../query/language/text.ts'
import { filters } from '../../request/filters.ts'
import { eventsSearched, search } from '../../request/page.ts'
import { compared, comparison, type Period, range } from '../../request/period.ts'
import { query } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { inRange, purchase } from '../examples.ts'

const EventTotals = () =>
  z.object({
    events: z.number().int(),
    visitors: z.number().int(),
    visits: z.number().int(),
    uniqueEvents: z.number().int(),
  })

type EventTotals = ValueOf<typeof EventTotals>

const totalsColumns = (names: Fragment): Fragment => sql`
  sum(events) as events, ${ofEvents.visitors} as visitors, ${ofEvents.visits} as visits, ${names} as uniqueEvents`

function totalsStatement(selection: Selection, search: string | undefined): Statement<EventTotals> {
  const { rows, names } = visits(selection, matchesSearch(search))
  return select(EventTotals)`select ${totalsColumns(names)} from ${rows}`
}

const PeriodTotals = () => EventTotals().extend({ isCurrent: z.number() })

/** The totals of two consecutive periods. A period without events has no row. */
const totalsByPeriod = ({ rows, names }: Visits, current: Period): Statement<ValueOf<typeof PeriodTotals>> =>
  select(PeriodTotals)`
    select created_at >= ${instant(current.startAt)} as isCurrent, ${totalsColumns(names)} from ${rows} group by isCurrent`

const noTotals: EventTotals = { events: 0, visitors: 0, visits: 0, uniqueEvents: 0 }

/** Either one statement for both periods, or one statement for each period. */
type StatsRows = {
  both?: ValueOf<typeof PeriodTotals>
  current?: EventTotals
  comparison?: EventTotals
}

export const getWebsiteEventStats = report({
  name: 'getWebsiteEventStats',
  path: '/api/websites/:websiteId/events/stats',
  sections: ['events'],
  countsDeleted: true,
  summary: 'Totals of custom events in the range and in the period to compare with.',
  example: { query: inRange, events: [purchase] },
  query: query(range, comparison, search(eventsSearched), filters()),
  answer: () => z.object({ data: EventTotals().extend({ comparison: EventTotals() }) }),
  plan: ({ period, filters, compare, search }, scope): Plan<StatsRows> => {
    const current = { scope, period, filters }
    const before = { ...current, period: compared(period, compare) }
    const both = visitsOfBoth(current, before, matchesSearch(search))
    return both
      ? { both: totalsByPeriod(both, period) }
      : { current: totalsStatement(current, search), comparison: totalsStatement(before, search) }
  },
  shape: ({ both, current, comparison }) => {
    const ofPeriod = (isCurrent: boolean): EventTotals => {
      const found = both?.rows.find((row) => (row.isCurrent === 1) === isCurrent)
      return found ? made(EventTotals).parse(found) : noTotals
    }
    const [now, before] = both ? [ofPeriod(true), ofPeriod(false)] : [current!.rows[0]!, comparison!.rows[0]!]
    return { body: { data: { ...now, comparison: before } } }
  },
})
