import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import { chainedTotals } from '../../query/figures/chained.ts'
import { ofVisits } from '../../query/figures/figures.ts'
import { visitsOfViews } from '../../query/figures/visit-facts.ts'
import type { Selection } from '../../query/language/scope.ts'
import { type CheaperStatement, type Plan, type Statement, select } from '../../query/language/sql.ts'
import { byChain } from '../../query/tables/chains.ts'
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

function totalsOf(selection: Selection): Statement<Totals> {
  const cheaper = cheaperTotals(selection)
  return {
    ...select(Totals)`
      select ${ofVisits.views} as pageviews, ${ofVisits.visitors} as visitors, ${ofVisits.visits} as visits,
        ${ofVisits.bounces} as bounces, ${ofVisits.totaltime} as totaltime
      from ${visitsOfViews(selection)}`,
    ...(cheaper && { cheaper }),
  }
}

const ChainedTotals = () => Totals().extend({ answers: z.number() })

function cheaperTotals(selection: Selection): CheaperStatement<Totals> | undefined {
  const chained = chainedTotals(selection)
  return (
    chained &&
    byChain(
      chained,
      (of) => select(ChainedTotals)`
        select ${of.views} as pageviews, ${of.visitors} as visitors, ${of.visits} as visits,
          ${of.bounces} as bounces, ${of.totaltime} as totaltime, ${of.answers} as answers
        ${of.from}`,
    )
  )
}

export const getWebsiteStats = report({
  name: 'getWebsiteStats',
  path: '/api/websites/:websiteId/stats',
  sections: ['overview', 'compare'],
  summary:
    'Totals of views, visitors, visits, bounces and time, in the range and in the period to compare with, if any.',
  example: { query: inRange, events: [pageView] },
  query: query(range, comparisonUnlessNone, filters()),
  answer: () => Totals().extend({ comparison: Totals().optional().describe('Missing with compare=none.') }),
  plan: ({ period, filters, compare }, scope): Plan<{ current: Totals; comparison?: Totals }> => ({
    current: totalsOf({ scope, period, filters }),
    ...(compare && { comparison: totalsOf({ scope, period: compared(period, compare), filters }) }),
  }),
  shape: ({ current, comparison }) => ({
    body: { ...current.rows[0]!, ...(comparison && { comparison: comparison.rows[0]! }) },
  }),
})
