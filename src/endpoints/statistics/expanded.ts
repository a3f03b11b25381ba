import * as z from 'zod'
import type { CountedRow } from '../../query/figures/added.ts'
import { isByCountry } from '../../query/figures/breakdowns.ts'
import { counted } from '../../query/figures/counted.ts'
import { inSeconds } from '../../query/figures/figures.ts'
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

const Expanded = () =>
  z.object({
    name: z.string(),
    pageviews: z.number().int(),
    visitors: z.number().int(),
    visits: z.number().int(),
    bounces: z.number().int(),
    totaltime: z.number().int(),
    country: z.string().optional(),
  })

const figures = ['views', 'visitors', 'visits', 'bounces', 'length'] as const

const [x, country] = [alias('x'), alias('country')]
const [views, visitors, visits, bounces, length] = figures.map(alias)

const expandedRows = (
  { period, filters, type, search, slice }: MetricsInput,
  scope: Scope,
): Statement<CountedRow<(typeof figures)[number]>> =>
  counted({ scope, period, filters }, { of: 'views', by: { kind: 'metric', type, search, slice }, figures })

/** The rows, with the field names as columns. */
const exportedRows = ({ text, input, plan }: ExportInput<MetricsInput, { list: unknown }>): Fragment => sql`
  select ${text(x)} as name${isByCountry(input.type) ? sql`, ${text(country)} as country` : sql``},
    ${views!} as pageviews, ${visitors!} as visitors, ${visits!} as visits, ${bounces!} as bounces,
    ${inSeconds(length!)} as totaltime
  from (${plan.list.body})`

export const getWebsiteExpandedMetrics = report({
  name: 'getWebsiteExpandedMetrics',
  path: '/api/websites/:websiteId/metrics/expanded',
  sections: metricSections,
  countsDeleted: true,
  summary: 'Views, visitors, visits, bounces and time, by a value of views or visits, or by custom event name.',
  example: { query: { ...inRange, type: 'path' }, events: [pageView] },
  query: query(range, metricTypeGroup, slices, search('Part of a value, ignoring case.'), filters()),
  answer: () => z.array(Expanded()),
  plan: (input, scope) => ({ list: expandedRows(input, scope) }),
  shape: ({ list }) => ({
    body: list.rows.map((row) => ({
      name: row.f_x ?? '',
      pageviews: row.f_views,
      visitors: row.f_visitors,
      visits: row.f_visits,
      bounces: row.f_bounces,
      totaltime: Math.floor(row.f_length / 1000),
      ...(row.f_country !== undefined && { country: row.f_country }),
    })),
    total: list.total,
  }),
  export: exportedRows,
})
