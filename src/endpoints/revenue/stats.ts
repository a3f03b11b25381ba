import * as z from 'zod'
import { titled, type ValueOf } from '../../made.ts'
import { sessionsInBoth } from '../../query/figures/actions.ts'
import { counted } from '../../query/figures/counted.ts'
import { ofEvents } from '../../query/figures/figures.ts'
import { selectedSales } from '../../query/figures/sales.ts'
import { exactNumber } from '../../query/language/decimal.ts'
import { bothRanges, excludesBounces, type Scope, type Selection } from '../../query/language/scope.ts'
import { instant, sql } from '../../query/language/sql.ts'
import { type Plan, type Result, type Results, type Statement, select } from '../../query/language/statement.ts'
import { filters } from '../../request/filters.ts'
import { type Comparison, compared, comparison, type Period, range } from '../../request/period.ts'
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

/** The sum as an exact text, and as a double. Rows of two periods have `isCurrent`. */
const SalesRow = () =>
  z.object({
    ...{ isCurrent: z.number().optional(), sum: z.string(), approximate: z.number() },
    ...{ sales: z.number(), buyers: z.number() },
  })

type SalesRow = ValueOf<typeof SalesRow>

const salesFigures = sql`
  toString(sum(amount)) as sum, toFloat64(sum(amount)) as approximate, count() as sales, ${ofEvents.visitors} as buyers`

const salesOf = (selection: Selection, currency: string): Statement<SalesRow> => select(SalesRow)`
  select ${salesFigures} ${selectedSales(currency, selection)}`

/** The sales of a range and of the range just before it. A range without sales has no row. */
const salesOfBoth = (both: Selection, currency: string, { startAt }: Period): Statement<SalesRow> => select(SalesRow)`
  select created_at >= ${instant(startAt)} as isCurrent, ${salesFigures} ${selectedSales(currency, both)}
  group by isCurrent`

const noSales: SalesRow = { sum: '0', approximate: 0, sales: 0, buyers: 0 }

const SessionsRow = () => z.object({ isCurrent: z.number().optional(), f_visitors: z.number() })

type SessionsRow = ValueOf<typeof SessionsRow>

/** The sessions with a view or a custom event. */
const sessionsOf = (selection: Selection): Statement<SessionsRow> =>
  counted(selection, { of: 'actions', figures: ['visitors'] })

/** The sessions with a view or a custom event in each of the two ranges. A range without sessions has no row. */
const sessionsOfBoth = ({ from, isCurrent }: Exclude<ReturnType<typeof sessionsInBoth>, undefined>) =>
  select(SessionsRow)`
  select ${isCurrent} as isCurrent, ${ofEvents.visitors} as f_visitors ${from} group by isCurrent`

const quotient = (one: number, other: number): number => (other === 0 ? 0 : one / other)

const shownTotals = ({ sum, approximate, sales, buyers }: SalesRow, { f_visitors: sessions }: SessionsRow): Totals => {
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

/** Sales and sessions of the range and of the comparison range; without `…Before`, the rows cover both ranges. */
export type BothTotals = {
  sales: SalesRow
  salesBefore?: SalesRow
  sessions: SessionsRow
  sessionsBefore?: SessionsRow
}

export function bothTotals({ period, filters, currency, compare }: ComparedInput, scope: Scope): Plan<BothTotals> {
  const current = { scope, period, filters }
  const before = { ...current, period: compared(period, compare) }
  const both = bothRanges(current, before, excludesBounces(current))
  const sessions = sessionsInBoth(current, before)
  return {
    ...(sessions
      ? { sessions: sessionsOfBoth(sessions) }
      : { sessions: sessionsOf(current), sessionsBefore: sessionsOf(before) }),
    ...(both
      ? { sales: salesOfBoth(both, currency, period) }
      : { sales: salesOf(current, currency), salesBefore: salesOf(before, currency) }),
  }
}

/** The row of the current range, or of the one before. */
function rowOf<Row extends { readonly isCurrent?: number | undefined }>(
  isCurrent: boolean,
  { rows }: Result<Row>,
  before: Result<Row> | undefined,
  none: Row,
): Row {
  const found = before ? (isCurrent ? rows : before.rows)[0] : rows.find((row) => (row.isCurrent === 1) === isCurrent)
  return found ?? none
}

export const BothTotals = () => Totals().extend({ comparison: Totals() })

export function shownBoth(results: Results<BothTotals>): ValueOf<typeof BothTotals> {
  const totalsOf = (isCurrent: boolean): Totals =>
    shownTotals(
      rowOf(isCurrent, results.sales, results.salesBefore, noSales),
      rowOf(isCurrent, results.sessions, results.sessionsBefore, { f_visitors: 0 }),
    )
  return { ...totalsOf(true), comparison: totalsOf(false) }
}

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
