import * as z from 'zod'
import type { CountedRow } from '../../query/figures/added.ts'
import { isByCountry } from '../../query/figures/breakdowns.ts'
import { counted } from '../../query/figures/counted.ts'
import type { Scope } from '../../query/language/scope.ts'
import { alias, type Fragment, sql } from '../../query/language/sql.ts'
import type { Statement } from '../../query/language/statement.ts'
import { filters } from '../../request/filters.ts'
import { search, slices } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { query } from '../../request/query-string.ts'
import { type ExportInput, report } from '../endpoint.ts'
import { inRange, pageView } from '../examples.ts'
import { type MetricsInput, metricSections, metricTypeGroup } from './metric-types.ts'

const Metric = () => z.object({ x: z.string(), y: z.number().int(), country: z.string().optional() })

export type MetricRow = CountedRow<'visitors'>

const [x, visitors, country] = [alias('x'), alias('visitors'), alias('country')]

/** The rows of a metric: `f_x`, `f_visitors` and, for some types, `f_country`. */
export const metricRows = (
  { period, filters, type, search, slice }: MetricsInput,
  scope: Scope,
): Statement<MetricRow> =>
  counted(
    { scope, period, filters },
    { of: 'views', by: { kind: 'metric', type, search, slice }, figures: ['visitors'] },
  )

/** The rows, with the field names as columns. */
const exportedRows = ({ text, input, plan }: ExportInput<MetricsInput, { list: unknown }>): Fragment => {
  const more = isByCountry(input.type) ? sql`, ${text(country)} as country` : sql``
  return sql`select ${text(x)} as x${more}, ${visitors} as y from (${plan.list.body})`
}

export const getWebsiteMetrics = report({
  name: 'getWebsiteMetrics',
  path: '/api/websites/:websiteId/metrics',
  sections: metricSections,
  countsDeleted: true,
  summary: 'Sessions by a value of their views or visits, or custom events by name; most frequent first.',
  example: { query: { ...inRange, type: 'path' }, events: [pageView] },
  query: query(range, metricTypeGroup, slices, search('Part of a value, ignoring case.'), filters()),
  answer: () => z.array(Metric()),
  plan: (input, scope) => ({ list: metricRows(input, scope) }),
  shape: ({ list }) => ({
    body: list.rows.map(({ f_x = '', f_visitors, f_country }) => ({
      x: f_x,
      y: f_visitors,
      ...(f_country !== undefined && { country: f_country }),
    })),
    total: list.total,
  }),
  export: exportedRows,
})
