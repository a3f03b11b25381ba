import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import { ofVisits } from '../../query/figures/figures.ts'
import { visitsOfViews } from '../../query/figures/visit-facts.ts'
import type { Selection } from '../../query/language/scope.ts'
import { type Statement, select } from '../../query/language/sql.ts'
import { filters } from '../../request/filters.ts'
import { compared, comparison, range } from '../../request/period.ts'
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

const totalsOf = (selection: Selection): Statement<Totals> => select(Totals)`
  select ${ofVisits.views} as pageviews, ${ofVisits.visitors} as visitors, ${ofVisits.visits} as visits,
    ${ofVisits.bounces} as bounces, ${ofVisits.totaltime} as totaltime
  from ${visitsOfViews(selection)}`

export const getWebsiteStats = report({
  name: 'getWebsiteStats',
  path: '/api/websites/:websiteId/stats',
  sections: ['overview', 'compare'],
  summary: 'Totals of views, visitors, visits, bounces and time, in the range and in the period to compare with.',
  example: { query: inRange, events: [pageView] },
  query: query(range, comparison, filters()),
  answer: () => Totals().extend({ comparison: Totals() }),
  plan: ({ period, filters, compare }, scope) => ({
    current: totalsOf({ scope, period, filters }),
    comparison: totalsOf({ scope, period: compared(period, compare), filters }),
  }),
  shape: ({ current, comparison }) => ({ body: { ...current.rows[0]!, comparison: comparison.rows[0]! } }),
})
