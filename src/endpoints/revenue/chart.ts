import * as z from 'zod'
import { titled, type ValueOf } from '../../made.ts'
import { selectedSales } from '../../query/figures/sales.ts'
import { exactNumber } from '../../query/language/decimal.ts'
import type { Scope } from '../../query/language/scope.ts'
import { type Result, type Statement, select } from '../../query/language/statement.ts'
import { bucketOf } from '../../query/tables/buckets.ts'
import { filters } from '../../request/filters.ts'
import { query } from '../../request/query-string.ts'
import { type Buckets, seriesRange } from '../../request/series.ts'
import { analysis } from '../endpoint.ts'
import { inRange } from '../examples.ts'
import { byBucketAndName, namedRows } from '../longest-series.ts'
import { currencyGroup, type SalesInput, sale } from './sales.ts'

const SalesRow = () => z.object({ name: z.string(), bucket: z.string(), sum: z.string(), sales: z.number() })

type SalesRow = ValueOf<typeof SalesRow>

export const SalesPoint = titled('SalesPoint', () =>
  z.object({ x: z.string(), t: z.string(), y: z.number(), count: z.number().int() }),
)

interface SalesSeriesInput extends SalesInput {
  readonly buckets: Buckets
}

export const salesChart = (
  { period, filters, currency, buckets }: SalesSeriesInput,
  scope: Scope,
): Statement<SalesRow> => select(SalesRow)`
  select event_name as name, ${bucketOf(buckets)} as bucket, toString(sum(amount)) as sum, count() as sales
  ${selectedSales(currency, { scope, period, filters })}
  group by name, bucket
  ${byBucketAndName}`

export const shownSales = (
  { rows }: Result<SalesRow>,
  { period, buckets }: SalesSeriesInput,
): ValueOf<typeof SalesPoint>[] =>
  namedRows(rows, period, buckets).map(({ x, t, row }) => ({
    x,
    t,
    y: exactNumber(row?.sum ?? '0'),
    count: row?.sales ?? 0,
  }))

export const getWebsiteRevenueChart = analysis({
  name: 'getWebsiteRevenueChart',
  path: '/api/websites/:websiteId/revenue/chart',
  sections: ['revenue'],
  countsDeleted: true,
  summary: 'Revenue in a currency and the number of sales over time, by event name.',
  example: { query: { ...inRange, currency: 'EUR' }, events: [sale] },
  query: query(seriesRange, currencyGroup, filters()),
  answer: () => z.object({ chart: z.array(SalesPoint()) }),
  plan: (input, scope) => ({ chart: salesChart(input, scope) }),
  shape: ({ chart }, input) => ({ body: { chart: shownSales(chart, input) } }),
})
