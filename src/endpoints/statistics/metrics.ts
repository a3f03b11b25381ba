import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import { breakdownRows, isByCountry, isOfVisits, type MetricType } from '../../query/figures/breakdowns.ts'
import { chainedSessions } from '../../query/figures/chained.ts'
import { chainedClients } from '../../query/figures/chained-clients.ts'
import { hashedSessions } from '../../query/figures/chained-hashes.ts'
import { chainedClientsOfPaths, chainedPathsOfPaths } from '../../query/figures/chained-path-values.ts'
import { chainedVisitsOfPaths } from '../../query/figures/chained-paths.ts'
import { bySize } from '../../query/figures/visit-facts.ts'
import { ascending, descending, order, slice } from '../../query/language/order.ts'
import type { Scope } from '../../query/language/scope.ts'
import {
  alias,
  type CheaperStatement,
  commaList,
  type Fragment,
  having,
  type Statement,
  select,
  sql,
} from '../../query/language/sql.ts'
import { anyContains } from '../../query/language/text.ts'
import { byChain } from '../../query/tables/chains.ts'
import { filters } from '../../request/filters.ts'
import { search, slices } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { query } from '../../request/query-string.ts'
import { type ExportInput, report } from '../endpoint.ts'
import { inRange, pageView } from '../examples.ts'
import { type MetricsInput, metricSections, metricTypeGroup } from './metric-types.ts'

const Metric = () => z.object({ x: z.string(), y: z.number().int(), country: z.string().optional() })

export const MetricRow = () => z.object({ f_x: z.string(), f_y: z.number(), f_country: z.string().optional() })

export type MetricRow = ValueOf<typeof MetricRow>

const [x, y, country] = [alias('x'), alias('y'), alias('country')]

/** What a metric selects beside its value and its number, and the columns that it is grouped by. */
const selectedOf = (type: MetricType): [Fragment, readonly Fragment[]] =>
  isByCountry(type) ? [sql`, country as ${country}`, [x, country]] : [sql``, [x]]

/** The rows of a metric, under the aliases of `x`, `y` and, for some types, `country`. */
export function metricRows(input: MetricsInput, scope: Scope): Statement<ValueOf<typeof MetricRow>> {
  const cheaper = cheaperRows(input, scope)
  return { ...wholeRows(input, scope), ...(cheaper && { cheaper }) }
}

function wholeRows(
  { period, filters, type, search, slice: part }: MetricsInput,
  scope: Scope,
  searchedFrom?: number,
): Statement<MetricRow> {
  const { from, value, counted } = breakdownRows(type, { scope, period, filters }, searchedFrom)
  const [selected, keys] = selectedOf(type)
  return select(MetricRow)`
    select ${value} as ${x}, ${counted} as ${y}${selected}
    ${from}
    group by ${commaList(keys)}
    ${having(sql`${x} != ''`, sql`${y} > 0`, anyContains(search, x))}
    ${slice(order([descending(y), ...keys.map(ascending)]), part)}`
}

const ChainedRow = () => MetricRow().extend({ answers: z.number() })

function cheaperRows(input: MetricsInput, scope: Scope): CheaperStatement<MetricRow> | undefined {
  const { period, filters, type, search, slice: part } = input
  const selection = { scope, period, filters }
  const chained =
    chainedSessions(type, selection) ??
    hashedSessions(type, selection) ??
    chainedClients(type, selection) ??
    chainedPathsOfPaths(type, selection) ??
    chainedVisitsOfPaths(type, selection) ??
    chainedClientsOfPaths(type, selection)
  const [selected, keys] = selectedOf(type)
  return (
    chained &&
    byChain(
      chained,
      (of) => select(ChainedRow)`
        select of_value as ${x}, ${of.sessions} as ${y}${selected}, ${of.answers} as answers
        ${of.from}
        group by ${commaList(keys)}
        ${having(sql`${x} != ''`, sql`${y} > 0`, anyContains(search, x))}
        ${slice(order([descending(y), ...keys.map(ascending)]), part)}`,
      isOfVisits(type) ? bySize(selection, (searchedFrom) => wholeRows(input, scope, searchedFrom)) : undefined,
    )
  )
}

/** The rows with the names of their fields as columns. */
const exportedRows = ({ text, input, plan }: ExportInput<MetricsInput, { list: unknown }>): Fragment => {
  const more = isByCountry(input.type) ? sql`, ${text(country)} as country` : sql``
  return sql`select ${text(x)} as x${more}, ${y} as y from (${plan.list.body})`
}

export const getWebsiteMetrics = report({
  name: 'getWebsiteMetrics',
  path: '/api/websites/:websiteId/metrics',
  sections: metricSections,
  countsDeleted: true,
  summary: 'Sessions by a value of their views or visits, or custom events by name; most frequent first.',
  example: { query: { ...inRange, type: 'path' }, events: [pageView] },
  query: query(range, metricTypeGroup, slices, search('Part of a value, in any case.'), filters()),
  answer: () => z.array(Metric()),
  plan: (input, scope) => ({ list: metricRows(input, scope) }),
  shape: ({ list }) => ({
    body: list.rows.map(({ f_x, f_y, f_country }) => ({
      x: f_x,
      y: f_y,
      ...(f_country !== undefined && { country: f_country }),
    })),
    total: list.total,
  }),
  export: exportedRows,
})
