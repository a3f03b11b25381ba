import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import { visitsWithLanding } from '../../query/breakdowns.ts'
import type { Selection } from '../../query/scope.ts'
import { type Grouping, type Statement, select, sql } from '../../query/sql.ts'
import { bounceCount, secondsOnSite, visitsOfViews } from '../../query/visit-facts.ts'
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

const [pageviews, visitors, visits] = [sql`sum(passed)`, sql`uniqExact(session)`, sql`count()`]

function totalsOf(selection: Selection): Statement<Totals> {
  const list = select(Totals)`
    select ${pageviews} as pageviews, ${visitors} as visitors, ${visits} as visits, ${bounceCount} as bounces,
      ${secondsOnSite} as totaltime
    from ${visitsOfViews(selection)}`
  const group: Grouping<Totals> = {
    from: sql`from ${visitsWithLanding(selection)}`,
    counted: visitors,
    measures: [pageviews, visits, bounceCount, secondsOnSite],
    by: [],
    limit: 1,
    offset: 0,
    row: (_, __, visitors, [pageviews, visits, bounces, totaltime]) =>
      ({ pageviews, visitors, visits, bounces, totaltime }) as Totals,
  }
  return { ...list, group }
}

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
