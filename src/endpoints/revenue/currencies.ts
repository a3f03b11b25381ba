import * as z from 'zod'
import { titled, type ValueOf } from '../../made.ts'
import { salesOfAll } from '../../query/figures/sales.ts'
import { exactNumber } from '../../query/language/decimal.ts'
import { ascending, descending, order, slice } from '../../query/language/order.ts'
import type { SelectedEvents } from '../../query/language/scope.ts'
import { alias, type Fragment, having, sql } from '../../query/language/sql.ts'
import { select } from '../../query/language/statement.ts'
import { anyContains } from '../../query/language/text.ts'
import { filters } from '../../request/filters.ts'
import { type Slice, search, slices } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { query } from '../../request/query-string.ts'
import { analysis, type ExportInput } from '../endpoint.ts'
import { inRange } from '../examples.ts'
import { sale, saleIn } from './sales.ts'

const CurrencyRow = () => z.object({ f_currency: z.string(), f_count: z.number(), f_sum: z.string() })

type CurrencyRow = ValueOf<typeof CurrencyRow>

const CurrencyTotal = titled('CurrencyTotal', () =>
  z.object({ currency: z.string(), count: z.number().int(), sum: z.number() }),
)

interface CurrenciesInput extends SelectedEvents {
  readonly slice: Slice
  readonly search: string | undefined
}

const [currency, count, sum] = [alias('currency'), alias('count'), alias('sum')]

/** The rows, with the field names as columns. */
const exportedTotals = ({ text, plan }: ExportInput<CurrenciesInput, { list: CurrencyRow }>): Fragment => sql`
  select ${text(currency)} as currency, ${count} as count, toDecimal128(${sum}, 4) as sum from (${plan.list.body})`

export const getWebsiteRevenueCurrencies = analysis({
  name: 'getWebsiteRevenueCurrencies',
  path: '/api/websites/:websiteId/revenue/currencies',
  sections: ['revenue'],
  summary: 'The currencies of sales, each with the number and the sum of its sales; most sales first.',
  countsDeleted: true,
  example: { query: inRange, events: [sale, saleIn('USD')] },
  query: query(range, slices, search('Part of a currency, ignoring case.'), filters()),
  answer: () => z.array(CurrencyTotal()),
  plan: ({ period, filters, slice: part, search }: CurrenciesInput, scope) => ({
    list: select(CurrencyRow)`
      select currency as ${currency}, count() as ${count}, toString(sum(amount)) as ${sum}
      ${salesOfAll({ scope, period, filters })}
      group by ${currency}
      ${having(anyContains(search, currency))}
      ${slice(order([descending(count), ascending(currency)]), part)}`,
  }),
  shape: ({ list }) => ({
    body: list.rows.map((row) => ({ currency: row.f_currency, count: row.f_count, sum: exactNumber(row.f_sum) })),
    total: list.total,
  }),
  export: exportedTotals,
})
