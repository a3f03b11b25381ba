import * as z from 'zod'
import { filters } from '../../request/filters.ts'
import { firstOf } from '../../request/page.ts'
import { comparison } from '../../request/period.ts'
import { query } from '../../request/query-string.ts'
import { seriesRange } from '../../request/series.ts'
import { recordOf } from '../answers.ts'
import { analysis } from '../endpoint.ts'
import { inRange } from '../examples.ts'
import { SalesPoint, salesChart, shownSales } from '../revenue/chart.ts'
import { SalesMetric, salesBreakdowns, salesBy, shownSums } from '../revenue/metrics.ts'
import { currencyGroup, sale } from '../revenue/sales.ts'
import { BothTotals, bothTotals, shownBoth } from '../revenue/stats.ts'

export const getRevenueReport = analysis({
  name: 'getRevenueReport',
  method: 'post',
  path: '/api/reports/revenue',
  sections: ['revenue'],
  countsDeleted: true,
  summary: 'Revenue in a currency: over time, its totals, and by country, region, referrer and channel.',
  example: { query: { ...inRange, currency: 'EUR' }, events: [sale] },
  query: query(seriesRange, comparison, currencyGroup, firstOf(500), filters()),
  answer: () =>
    z.object({
      chart: z.array(SalesPoint()),
      total: BothTotals(),
      ...recordOf(salesBreakdowns, () => z.array(SalesMetric())),
    }),
  plan: (input, scope) => ({
    chart: salesChart(input, scope),
    ...bothTotals(input, scope),
    ...recordOf(salesBreakdowns, (type) => salesBy({ ...input, type }, scope)),
  }),
  shape: ({ chart, ...results }, input) => ({
    body: {
      chart: shownSales(chart, input),
      total: shownBoth(results),
      ...recordOf(salesBreakdowns, (type) => shownSums(results[type])),
    },
  }),
})
