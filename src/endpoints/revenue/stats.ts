import * as z from 'zod'
import { titled, type ValueOf } from '../../made.ts'
import type { CountedRow } from '../../query/figures/added.ts'
import { counted } from '../../query/figures/counted.ts'
import { ofEvents } from '../../query/figures/figures.ts'
import { selectedSales } from '../../query/figures/sales.ts'
import { exactNumber } from '../../query/language/decimal.ts'
import type { Scope } from '../../query/language/scope.ts'
import { type Plan, type Result, type Results, type Statement, select } from '../../query/language/statement.ts'
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
const SalesRow = () => z.object({ sum: z.string(), approximate: z.number(), sales: z.number(), buyers: z.number() })

type SalesRow = ValueOf<typeof SalesRow>

const salesOf = ({ period, filters, currency }: SalesInput, scope: Scope): Statement<SalesRow> => select(SalesRow)`
  select toString(sum(amount)) as sum, toFloat64(sum(amount)) as approximate, count() as sales,
    ${ofEvents.visitors} as buyers
  ${selectedSales(currency, { scope, period, filters })}`

/** The sessions with a view or a custom event. */
const sessionsOf = ({ period, filters }: SalesInput, scope: Scope): Statement<CountedRow<'visitors'>> =>
  counted({ scope, period, filters }, { of: 'actions', figures: ['visitors'] })

const quotient = (one: number, other: number): number => (other === 0 ? 0 : one / other)

const shownTotals = ({ rows: [row] }: Result<SalesRow>, { rows: [counts] }: Result<CountedRow<'visitors'>>): Totals => {
  const { sum, approximate, sales, buyers } = row!
  const sessions = counts!.f_visitors
  return {
    sum: exactNumber(sum),
    count: sales,
    unique_count: buyers,
    total_sessions: sessions,
    average: quotient(approximate, sales),
    arpu: quotient(approximate, sessions),
  }
}

interface ComparedInput extends SalesInput {
  readonly compare: Comparison
}

/** Sales and sessions of the range and of the comparison range. */
export type BothTotals = {
  current: SalesRow
  comparison: SalesRow
  sessions: CountedRow<'visitors'>
  sessionsBefore: CountedRow<'visitors'>
}

export function bothTotals(input: ComparedInput, scope: Scope): Plan<BothTotals> {
  const before = { ...input, period: compared(input.period, input.compare) }
  return {
    sessions: sessionsOf(input, scope),
    sessionsBefore: sessionsOf(before, scope),
    current: salesOf(input, scope),
    comparison: salesOf(before, scope),
  }
}

export const BothTotals = () => Totals().extend({ comparison: Totals() })

export const shownBoth = ({
  current,
  comparison,
  sessions,
  sessionsBefore,
}: Results<BothTotals>): ValueOf<typeof BothTotals> => ({
  ...shownTotals(current, sessions),
  comparison: shownTotals(comparison, sessionsBefore),
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
