import * as z from 'zod'
import { made, type ValueOf } from '../../made.ts'
import { chainedTotals } from '../../query/figures/chained.ts'
import { chainedTotalsOfPaths } from '../../query/figures/chained-paths.ts'
import { ofVisits } from '../../query/figures/figures.ts'
import { bySize, viewedInBoth, visitsOfViews } from '../../query/figures/visit-facts.ts'
import type { Selection } from '../../query/language/scope.ts'
import {
  type CheaperStatement,
  type Fragment,
  type Plan,
  type Statement,
  select,
  sql,
} from '../../query/language/sql.ts'
import { type BySize, byChain } from '../../query/tables/chains.ts'
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

const totalsColumns = sql`
  ${ofVisits.views} as pageviews, ${ofVisits.visitors} as visitors, ${ofVisits.visits} as visits,
  ${ofVisits.bounces} as bounces, ${ofVisits.totaltime} as totaltime`

function totalsOf(selection: Selection): Statement<Totals> {
  const cheaper = cheaperTotals(selection)
  return {
    ...select(Totals)`select ${totalsColumns} from ${visitsOfViews(selection)}`,
    ...(cheaper && { cheaper }),
  }
}

const PeriodTotals = () => Totals().extend({ isCurrent: z.number() })

/** The totals of two consecutive periods. A period without visits has no row. */
const totalsByPeriod = (visits: Fragment): Statement<ValueOf<typeof PeriodTotals>> =>
  select(PeriodTotals)`select isCurrent, ${totalsColumns} from ${visits} group by isCurrent`

const noTotals: Totals = { pageviews: 0, visitors: 0, visits: 0, bounces: 0, totaltime: 0 }

const totalsBySize = (selection: Selection): BySize<Statement<Totals>> =>
  bySize(
    selection,
    (searchedFrom) => select(Totals)`select ${totalsColumns} from ${visitsOfViews(selection, undefined, searchedFrom)}`,
  )

const ChainedTotals = () => Totals().extend({ answers: z.number() })

function cheaperTotals(selection: Selection): CheaperStatement<Totals> | undefined {
  const chained = chainedTotals(selection) ?? chainedTotalsOfPaths(selection)
  return (
    chained &&
    byChain(
      chained,
      (of) => select(ChainedTotals)`
        select ${of.views} as pageviews, ${of.visitors} as visitors, ${of.visits} as visits,
          ${of.bounces} as bounces, ${of.totaltime} as totaltime, ${of.answers} as answers
        ${of.from}`,
      totalsBySize(selection),
    )
  )
}

/** Either one statement for both periods, or one statement each. */
type StatsRows = {
  both?: ValueOf<typeof PeriodTotals>
  current?: Totals
  comparison?: Totals
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
    if (!compare) return { current: totalsOf(selection) }
    const before = { ...selection, period: compared(period, compare) }
    const both = viewedInBoth(selection, before)
    return both ? { both: totalsByPeriod(both) } : { current: totalsOf(selection), comparison: totalsOf(before) }
  },
  shape({ both, current, comparison }) {
    if (!both) return { body: { ...current!.rows[0]!, ...(comparison && { comparison: comparison.rows[0]! }) } }
    const ofPeriod = (isCurrent: boolean): Totals => {
      const found = both.rows.find((row) => (row.isCurrent === 1) === isCurrent)
      return found ? made(Totals).parse(found) : noTotals
    }
    return { body: { ...ofPeriod(true), comparison: ofPeriod(false) } }
  },
})
