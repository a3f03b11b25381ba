import type { Slice } from '../../request/page.ts'
import { mostBuckets } from '../../request/series.ts'
import { commaList, type Fragment, sql, uint64 } from './sql.ts'

/** A column to sort by. */
interface SortKey {
  readonly column: Fragment
  readonly isDescending: boolean
}

export const ascending = (column: Fragment): SortKey => ({ column, isDescending: false })
export const descending = (column: Fragment): SortKey => ({ column, isDescending: true })

/** A total order: no two rows compare as equal, so pages neither overlap nor skip rows. */
export class Order {
  constructor(readonly clause: Fragment) {}
}

/** `order by` these keys, which together must be unique for each row. */
export const order = (keys: readonly SortKey[]): Order =>
  new Order(
    sql`order by ${commaList(keys.map(({ column, isDescending }) => (isDescending ? sql`${column} desc` : column)))}`,
  )

/** `limit` rows in this order, after the first `offset` rows. */
export const limitTo = ({ clause }: Order, limit: number, offset = 0): Fragment =>
  sql`${clause} limit ${uint64(limit)}${offset === 0 ? sql`` : sql` offset ${uint64(offset)}`}`

/** The first `limit` rows in this order for each value of `by`. */
export const limitEach = ({ clause }: Order, limit: number, by: Fragment): Fragment =>
  sql`${clause} limit ${uint64(limit)} by ${by}`

/** Like `limitTo`, but also counts the rows before the limit. */
export const slice = (order: Order, { limit, offset }: Slice): Fragment =>
  sql`${limitTo(order, limit, offset)} settings exact_rows_before_limit = 1`

/** At most `max` rows, in any order. For counting, or if at most one row exists. */
export const atMost = (max: number): Fragment => sql`limit ${uint64(max)}`

/**
 * At most 50,000 rows of a series, in the order of these columns, plus one row that shows whether there are more. By
 * default, the reader's ClickHouse profile allows fewer.
 */
export const longestSeries = (...columns: readonly Fragment[]): Fragment =>
  sql`${limitTo(order(columns.map(ascending)), mostBuckets + 1)} settings max_result_rows = 50001`

/** As many rows as with `longestSeries`, in any order. */
export const anyOfSeries: Fragment = sql`${atMost(mostBuckets + 1)} settings max_result_rows = 50001`
