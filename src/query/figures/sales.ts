import type { Selection } from '../language/scope.ts'
import { type Fragment, sql, text, union } from '../language/sql.ts'
import { foreignReferrer } from '../tables/referrers.ts'
import { rows } from '../tables/rows.ts'
import { sales } from '../tables/tables.ts'
import { shownViews } from '../tables/views.ts'
import { textBehind, withOrder } from './visit-facts.ts'

/** `from … where …` for the sales in a currency among the events that pass the filters. */
export const selectedSales = (currency: string, selection: Selection): Fragment =>
  rows(sales, selection, [sql`currency = upperUTF8(${text(currency)})`])

/** `from … where …` for the sales in all currencies. */
export const salesOfAll = (selection: Selection): Fragment => rows(sales, selection)

/**
 * One row per visit, with `amount`, `at_landing` (a string from the visit's landing) and `views`, which is 0 if no view
 * is shown.
 */
function salesByVisit(currency: string, selection: Selection, atItsLanding: Fragment): Fragment {
  const sold = selectedSales(currency, selection)
  return sql`(
    select sum(amount) as amount, sum(shown) as views, ${textBehind(sql`minIf(ordered, shown = 1)`)} as at_landing
    from ${union([
      sql`select visit_id, amount, 0 as shown, '' as ordered ${sold}`,
      sql`
        select visit_id, toDecimal128(0, 4) as amount, 1 as shown, ${withOrder(atItsLanding)} as ordered
        ${shownViews(selection, sql`visit_id global in (select visit_id ${sold})`)}`,
    ])}
    group by visit_id
  )`
}

/** `from …` for sales with `at_landing`, the foreign referrer at the landing of their visit. */
export const salesByReferrer = (currency: string, selection: Selection): Fragment =>
  sql`from ${salesByVisit(currency, selection, foreignReferrer)}`

/**
 * `from …` for sales with `views` and `at_landing`, the channel of their visit, which is invalid if there are no views.
 */
export const salesByChannel = (currency: string, selection: Selection): Fragment =>
  sql`from ${salesByVisit(currency, selection, sql`channel`)}`
