import type { Slice } from '../request/page.ts'
import { commaList, type Fragment, sql, uint64 } from './sql.ts'

/** What rows are ordered by. */
export interface SortKey {
  readonly column: Fragment
  readonly isDescending: boolean
}

export const ascending = (column: Fragment): SortKey => ({ column, isDescending: false })
export const descending = (column: Fragment): SortKey => ({ column, isDescending: true })

/** An order in which no two rows are equal, so that pages neither overlap nor leave anything out. */
export class Order {
  constructor(readonly clause: Fragment) {}
}

/** `order by` these keys, which together are different for any two rows. */
export const order = (keys: readonly SortKey[]): Order =>
  new Order(
    sql`order by ${commaList(keys.map(({ column, isDescending }) => (isDescending ? sql`${column} desc` : column)))}`,
  )

/** So many rows in this order, `offset` rows left out first. */
export const limitTo = ({ clause }: Order, limit: number, offset = 0): Fragment =>
  sql`${clause} limit ${uint64(limit)} offset ${uint64(offset)}`

/** The same, and how many rows there were before the limit. */
export const slice = (order: Order, { limit, offset }: Slice): Fragment =>
  sql`${limitTo(order, limit, offset)} settings exact_rows_before_limit = 1`

/** No more rows than these, whichever: to count them, or where only one can be there. */
export const atMost = (max: number): Fragment => sql`limit ${uint64(max)}`
