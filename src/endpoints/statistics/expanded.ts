import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import { isByCountry, visitsByValue } from '../../query/figures/breakdowns.ts'
import { ofValues } from '../../query/figures/figures.ts'
import { ascending, descending, order, slice } from '../../query/language/order.ts'
import type { Scope } from '../../query/language/scope.ts'
import { alias, commaList, type Fragment, having, type Statement, select, sql } from '../../query/language/sql.ts'
import { anyContains } from '../../query/language/text.ts'
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

const ExpandedRow = () =>
  z.object({
    f_name: z.string(),
    f_pageviews: z.number(),
    f_visitors: z.number(),
    f_visits: z.number(),
    f_bounces: z.number(),
    f_totaltime: z.number(),
    f_country: z.string(),
  })

const [name, visitors, visits, country] = [alias('name'), alias('visitors'), alias('visits'), alias('country')]
const [pageviews, bounces, totaltime] = [alias('pageviews'), alias('bounces'), alias('totaltime')]

const ranked = order([descending(visitors), descending(visits), ascending(name), ascending(country)])

const expandedRows = (
  { period, filters, type, search, slice: part }: MetricsInput,
  scope: Scope,
): Statement<ValueOf<typeof ExpandedRow>> => select(ExpandedRow)`
  select value as ${name}, ${ofValues.views} as ${pageviews}, ${ofValues.visitors} as ${visitors},
    ${ofValues.visits} as ${visits}, ${ofValues.bounces} as ${bounces}, ${ofValues.totaltime} as ${totaltime},
    nation as ${country}
  from ${visitsByValue(type, { scope, period, filters })}
  group by ${commaList([name, country])}
  ${having(sql`${name} != ''`, anyContains(search, name))}
  ${slice(ranked, part)}`

/** The rows with the names of their fields as columns. */
const exportedRows = ({ text, input, plan }: ExportInput<MetricsInput, { list: unknown }>): Fragment => sql`
  select ${text(name)} as name${isByCountry(input.type) ? sql`, ${text(country)} as country` : sql``},
    ${pageviews} as pageviews, ${visitors} as visitors, ${visits} as visits, ${bounces} as bounces, ${totaltime} as totaltime
  from (${plan.list.body})`

export const getWebsiteExpandedMetrics = report({
  name: 'getWebsiteExpandedMetrics',
  path: '/api/websites/:websiteId/metrics/expanded',
  sections: metricSections,
  countsDeleted: true,
  summary: 'Views, visitors, visits, bounces and time, by a value of views or visits, or by custom event name.',
  example: { query: { ...inRange, type: 'path' }, events: [pageView] },
  query: query(range, metricTypeGroup, slices, search('Part of a value, in any case.'), filters()),
  answer: () => z.array(Expanded()),
  plan: (input, scope) => ({ list: expandedRows(input, scope) }),
  shape: ({ list }, { type }) => ({
    body: list.rows.map((row) => ({
      name: row.f_name,
      pageviews: row.f_pageviews,
      visitors: row.f_visitors,
      visits: row.f_visits,
      bounces: row.f_bounces,
      totaltime: row.f_totaltime,
      ...(isByCountry(type) && { country: row.f_country }),
    })),
    total: list.total,
  }),
  export: exportedRows,
})
