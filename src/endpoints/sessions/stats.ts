import * as z from 'zod'
import { titled, type ValueOf } from '../../made.ts'
import { actionRows } from '../../query/figures/actions.ts'
import { chainedActions } from '../../query/figures/chained-actions.ts'
import { ofEvents } from '../../query/figures/figures.ts'
import type { Selection } from '../../query/language/scope.ts'
import { type CheaperStatement, type Statement, select, sql } from '../../query/language/sql.ts'
import { hashOfText } from '../../query/language/text.ts'
import { byChain } from '../../query/tables/chains.ts'
import { filters } from '../../request/filters.ts'
import { range } from '../../request/period.ts'
import { query } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { inRange, pageView } from '../examples.ts'

const Figure = titled('Figure', () => z.object({ value: z.number().int() }))

const Totals = () =>
  z.object({
    pageviews: z.number(),
    visitors: z.number(),
    visits: z.number(),
    countries: z.number(),
    customs: z.number(),
  })

type Totals = ValueOf<typeof Totals>

function totalsOf(selection: Selection): Statement<Totals> {
  const cheaper = cheaperTotals(selection)
  return {
    ...select(Totals)`
      select sumIf(events, kind = 1) as pageviews, ${ofEvents.visitors} as visitors, ${ofEvents.visits} as visits,
        uniqExactIf(${hashOfText(sql`country`)}, country != '') as countries, sumIf(events, kind = 2) as customs
      from ${actionRows(selection)}`,
    ...(cheaper && { cheaper }),
  }
}

const ChainedTotals = () => Totals().extend({ answers: z.number() })

function cheaperTotals(selection: Selection): CheaperStatement<Totals> | undefined {
  const chained = chainedActions(selection)
  return (
    chained &&
    byChain(
      chained,
      (of) => select(ChainedTotals)`
        select ${of.views} as pageviews, ${of.visitors} as visitors, ${of.visits} as visits,
          ${of.countries} as countries, ${of.customs} as customs, ${of.answers} as answers
        ${of.from}`,
    )
  )
}

export const getWebsiteSessionStats = report({
  name: 'getWebsiteSessionStats',
  path: '/api/websites/:websiteId/sessions/stats',
  sections: ['sessions'],
  countsDeleted: true,
  summary: 'The number of views, visitors, visits, countries and custom events.',
  example: { query: inRange, events: [pageView] },
  query: query(range, filters()),
  answer: () =>
    z.object({ pageviews: Figure(), visitors: Figure(), visits: Figure(), countries: Figure(), events: Figure() }),
  plan: ({ period, filters }, scope) => ({ totals: totalsOf({ scope, period, filters }) }),
  shape: ({ totals }) => {
    const { pageviews, visitors, visits, countries, customs } = totals.rows[0]!
    return {
      body: {
        pageviews: { value: pageviews },
        visitors: { value: visitors },
        visits: { value: visits },
        countries: { value: countries },
        events: { value: customs },
      },
    }
  },
})
