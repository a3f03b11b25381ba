import * as z from 'zod'
import { titled, type ValueOf } from '../../made.ts'
import { sessionsOfActions } from '../../query/figures/actions.ts'
import { chainedVisitors } from '../../query/figures/chained-visitors.ts'
import { ofEvents } from '../../query/figures/figures.ts'
import { selectedSales } from '../../query/figures/sales.ts'
import { exactNumber } from '../../query/language/decimal.ts'
import type { Scope, Selection } from '../../query/language/scope.ts'
import { type CheaperStatement, type Plan, type Result, type Statement, select, sql } from '../../query/language/sql.ts'
import { byChain } from '../../query/tables/chains.ts'
import { filters } from '../../request/filters.ts'
import { type Comparison, compared, comparison, range } from '../../request/period.ts'
import { query } from '../../request/query-string.ts'
import { analysis } from '../endpoint.ts'
import { inRange } from '../examples.ts'
import { currencyGroup, type SalesInput, sale } from './sales.ts'

const Totals = titled('SalesTotals', () =>
  z.object({
    sum: z.number(),
    count: z.number().int(),
    unique_count: z.number().int(),
    total_sessions: z.number().int(),
    average: z.number(),
    arpu: z.number(),
  }),
)

type Totals = ValueOf<typeof Totals>

/** The sum as an exact text, and as a double. */
const TotalsRow = () =>
  z.object({ sum: z.string(), approximate: z.number(), sales: z.number(), buyers: z.number(), sessions: z.number() })

type TotalsRow = ValueOf<typeof TotalsRow>

function totalsOf({ period, filters, currency }: SalesInput, scope: Scope): Statement<TotalsRow> {
  const selection = { scope, period, filters }
  const cheaper = cheaperTotals(currency, selection)
  return {
    ...select(TotalsRow)`
      select ${ofSales}, (select ${ofEvents.visitors} from ${sessionsOfActions(selection)}) as sessions
      ${selectedSales(currency, selection)}`,
    ...(cheaper && { cheaper }),
  }
}

const ofSales = sql`toString(sum(amount)) as sum, toFloat64(sum(amount)) as approximate, count() as sales,
  ${ofEvents.visitors} as buyers`

const ChainedTotals = () => TotalsRow().extend({ answers: z.number() })

/** The same with the sessions of a chain. */
function cheaperTotals(currency: string, selection: Selection): CheaperStatement<TotalsRow> | undefined {
  const chained = chainedVisitors(selection)
  return (
    chained &&
    byChain(
      chained,
      (of) => select(ChainedTotals)`
        select ${ofSales}, (select (${of.visitors}, ${of.answers}) ${of.from}) as counted,
          counted.1 as sessions, counted.2 as answers
        ${selectedSales(currency, selection)}`,
    )
  )
}

const quotient = (one: number, other: number): number => (other === 0 ? 0 : one / other)

const shownTotals = ({ sum, approximate, sales, buyers, sessions }: TotalsRow): Totals => ({
  sum: exactNumber(sum),
  count: sales,
  unique_count: buyers,
  total_sessions: sessions,
  average: quotient(approximate, sales),
  arpu: quotient(approximate, sessions),
})

interface ComparedInput extends SalesInput {
  readonly compare: Comparison
}

/** The totals of the range, and of the range that it is compared with. */
export type BothTotals = { current: TotalsRow; comparison: TotalsRow }

export const bothTotals = (input: ComparedInput, scope: Scope): Plan<BothTotals> => ({
  current: totalsOf(input, scope),
  comparison: totalsOf({ ...input, period: compared(input.period, input.compare) }, scope),
})

export const BothTotals = () => Totals().extend({ comparison: Totals() })

export const shownBoth = (
  results: Readonly<Record<keyof BothTotals, Result<TotalsRow>>>,
): ValueOf<typeof BothTotals> => ({
  ...shownTotals(results.current.rows[0]!),
  comparison: shownTotals(results.comparison.rows[0]!),
})

export const getWebsiteRevenueStats = analysis({
  name: 'getWebsiteRevenueStats',
  path: '/api/websites/:websiteId/revenue/stats',
  sections: ['revenue'],
  countsDeleted: true,
  summary: 'Revenue in a currency: sum, sales, buyers and means, in the range and in the period to compare with.',
  example: { query: { ...inRange, currency: 'EUR' }, events: [sale] },
  query: query(range, comparison, currencyGroup, filters()),
  answer: BothTotals,
  plan: bothTotals,
  shape: (results) => ({ body: shownBoth(results) }),
})
