import * as z from 'zod'
import { titled, type ValueOf } from '../../made.ts'
import { salesByChannel, salesByReferrer, selectedSales } from '../../query/figures/sales.ts'
import { exactNumber } from '../../query/language/decimal.ts'
import { ascending, descending, order, slice } from '../../query/language/order.ts'
import type { Scope, Selection } from '../../query/language/scope.ts'
import { alias, commaList, type Fragment, having, sql } from '../../query/language/sql.ts'
import { type Result, type Statement, select } from '../../query/language/statement.ts'
import { anyContains } from '../../query/language/text.ts'
import { filters } from '../../request/filters.ts'
import { type Slice, search, slices } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { group, oneOf, query, required } from '../../request/query-string.ts'
import { analysis, type ExportInput } from '../endpoint.ts'
import { inRange } from '../examples.ts'
import { currencyGroup, type SalesInput, sale } from './sales.ts'

/** The fields by which revenue can be broken down. They belong to the sale's event or to its visit. */
const breakdowns = {
  country: { from: selectedSales, name: sql`country` },
  region: { from: selectedSales, name: sql`region` },
  referrer: { from: salesByReferrer, name: sql`at_landing` },
  channel: { from: salesByChannel, name: sql`if(views = 0, 'Unknown', at_landing)` },
} as const satisfies Readonly<
  Record<string, { readonly from: (currency: string, selection: Selection) => Fragment; readonly name: Fragment }>
>

type SalesBreakdown = keyof typeof breakdowns

export const salesBreakdowns = Object.keys(breakdowns) as SalesBreakdown[]

const NamedSum = () => z.object({ f_name: z.string(), f_value: z.string(), f_country: z.string().optional() })

type NamedSum = ValueOf<typeof NamedSum>

export const SalesMetric = titled('SalesMetric', () =>
  z.object({ name: z.string(), value: z.number(), country: z.string().optional() }),
)

interface SalesMetricInput extends SalesInput {
  readonly type: SalesBreakdown
  readonly slice: Slice
  readonly search?: string | undefined
}

const [name, value, country] = [alias('name'), alias('value'), alias('country')]

export function salesBy(
  { period, filters, currency, type, slice: part, search }: SalesMetricInput,
  scope: Scope,
): Statement<NamedSum> {
  const breakdown = breakdowns[type]
  const [nation, keys] = type === 'region' ? [sql`, country as ${country}`, [name, country]] : [sql``, [name]]
  return select(NamedSum)`
    select ${breakdown.name} as ${name}, toString(sum(amount)) as ${value}${nation}
    ${breakdown.from(currency, { scope, period, filters })}
    group by ${commaList(keys)}
    ${having(anyContains(search, name))}
    ${slice(order([descending(sql`sum(amount)`), ...keys.map(ascending)]), part)}`
}

export const shownSums = ({ rows }: Result<NamedSum>): ValueOf<typeof SalesMetric>[] =>
  rows.map(({ f_name, f_value, f_country }) => ({
    name: f_name,
    value: exactNumber(f_value),
    ...(f_country !== undefined && { country: f_country }),
  }))

/** The rows, with the field names as columns. */
const exportedSums = ({ text, input, plan }: ExportInput<SalesMetricInput, { list: unknown }>): Fragment => {
  const nation = input.type === 'region' ? sql`, ${text(country)} as country` : sql``
  return sql`select ${text(name)} as name${nation}, toDecimal128(${value}, 4) as value from (${plan.list.body})`
}

export const getWebsiteRevenueMetrics = analysis({
  name: 'getWebsiteRevenueMetrics',
  path: '/api/websites/:websiteId/revenue/metrics',
  sections: ['revenue'],
  countsDeleted: true,
  summary: 'Revenue in a currency by country, region, referrer or channel; highest first.',
  example: { query: { ...inRange, currency: 'EUR', type: 'country' }, events: [sale] },
  query: query(
    range,
    currencyGroup,
    group({ type: required(oneOf('The field to break down by.', salesBreakdowns)) }),
    slices,
    search('Part of a name, ignoring case.'),
    filters(),
  ),
  answer: () => z.array(SalesMetric()),
  plan: (input, scope) => ({ list: salesBy(input, scope) }),
  shape: ({ list }) => ({ body: shownSums(list), total: list.total }),
  export: exportedSums,
})
