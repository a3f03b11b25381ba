import { invalid } from '../../errors.ts'
import { limitTo, type Order } from '../../query/order.ts'
import { type Fragment, sql } from '../../query/sql.ts'
import { mostBuckets } from '../../request/series.ts'

/** So many rows of a series, and one more, which tells that there are more. */
export const longestSeries = (order: Order): Fragment =>
  sql`${limitTo(order, mostBuckets + 1)} settings max_result_rows = 50001`

export function refuseLonger(rows: readonly unknown[]): void {
  if (rows.length <= mostBuckets) return
  const message = `This series has more than ${mostBuckets} rows: narrow the range, or give a longer unit.`
  throw invalid([{ path: 'unit', message }])
}
