import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import type { CountedRow } from '../../query/figures/added.ts'
import { counted } from '../../query/figures/counted.ts'
import { ofVisits } from '../../query/figures/figures.ts'
import { viewedInBoth } from '../../query/figures/visit-facts.ts'
import { columnsOf, namedAs } from '../../query/language/named-columns.ts'
import type { Selection } from '../../query/language/scope.ts'
import type { Fragment } from '../../query/language/sql.ts'
import { type Plan, type Statement, select } from '../../query/language/statement.ts'
import { filters } from '../../request/filters.ts'
import { compared, comparisonUnlessNone, range } from '../../request/period.ts'
import { query } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { inRange, pageView } from '../examples.ts'

const Totals = () =>
  z.object({
    pageviews: z.number().int(),
    visitors: z.number().int(),
    visits: z.number().int(),
    bounces: z.number().int(),
    totaltime: z.number().int(),
  })

type Totals = ValueOf<typeof Totals>

/** The figures of a period in the form that the statements return; durations are in milliseconds. */
type Counts = CountedRow<(typeof statsFigures)[number]>

const statsFigures = ['views', 'visitors', 'visits', 'bounces', 'length'] as const

const PeriodCounts = () =>
  z.object({
    isCurrent: z.number(),
    f_views: z.number(),
    f_visitors: z.number(),
    f_visits: z.number(),
    f_bounces: z.number(),
    f_length: z.number(),
  })

/** The figures of two consecutive periods. A period without visits has no row. */
const countsByPeriod = (visits: Fragment): Statement<ValueOf<typeof PeriodCounts>> => select(PeriodCounts)`
  select isCurrent, ${namedAs(columnsOf(ofVisits))} from ${visits} group by isCurrent`

const totalsOf = ({ f_views, f_visitors, f_visits, f_bounces, f_length }: Counts): Totals => ({
  pageviews: f_views,
  visitors: f_visitors,
  visits: f_visits,
  bounces: f_bounces,
  totaltime: Math.floor(f_length / 1000),
})

const noTotals: Totals = { pageviews: 0, visitors: 0, visits: 0, bounces: 0, totaltime: 0 }

const countsOf = (selection: Selection): Statement<Counts> => counted(selection, { of: 'views', figures: statsFigures })

/** Either one statement for both periods, or one statement for each period. */
type StatsRows = {
  both?: ValueOf<typeof PeriodCounts>
  current?: Counts
  comparison?: Counts
}

export const getWebsiteStats = report({
  name: 'getWebsiteStats',
  path: '/api/websites/:websiteId/stats',
  sections: ['overview', 'compare'],
  countsDeleted: true,
  summary:
    'Totals of views, visitors, visits, bounces and time, in the range and in the period to compare with, if any.',
  example: { query: inRange, events: [pageView] },
  query: query(range, comparisonUnlessNone, filters()),
  answer: () => Totals().extend({ comparison: Totals().optional().describe('Missing with compare=none.') }),
  plan({ period, filters, compare }, scope): Plan<StatsRows> {
    const selection = { scope, period, filters }
    if (!compare) return { current: countsOf(selection) }
    const before = { ...selection, period: compared(period, compare) }
    const both = viewedInBoth(selection, before)
    return both ? { both: countsByPeriod(both) } : { current: countsOf(selection), comparison: countsOf(before) }
  },
  shape({ both, current, comparison }) {
    if (!both) {
      const body = totalsOf(current!.rows[0]!)
      return { body: { ...body, ...(comparison && { comparison: totalsOf(comparison.rows[0]!) }) } }
    }
    const ofPeriod = (isCurrent: boolean): Totals => {
      const found = both.rows.find((row) => (row.isCurrent === 1) === isCurrent)
      return found ? totalsOf(found) : noTotals
    }
    return { body: { ...ofPeriod(true), comparison: ofPeriod(false) } }
  },
})
