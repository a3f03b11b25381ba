import { invalid } from '../errors.ts'
import { labelled, namedPoints, type RowOfSeries } from '../query/figures/buckets.ts'
import { limitTo, type Order } from '../query/language/order.ts'
import { type Fragment, sql } from '../query/language/sql.ts'
import type { Period } from '../request/period.ts'
import { type Buckets, mostBuckets } from '../request/series.ts'

/**
 * At most 50,000 rows of a series, and one more that shows whether there are further ones. The reader's profile allows
 * fewer by default.
 */
export const longestSeries = (order: Order): Fragment =>
  sql`${limitTo(order, mostBuckets + 1)} settings max_result_rows = 50001`

/** Refuses a series of more than 50,000 rows. `path` names the parameter that, like the range, makes it shorter. */
export function refuseLonger(rows: number, path: 'unit' | 'endAt' = 'unit'): void {
  if (rows <= mostBuckets) return
  const advice = path === 'unit' ? 'narrow the range, or give a longer unit' : 'narrow the range'
  throw invalid([{ path, message: `This series has more than ${mostBuckets} rows: ${advice}.` }])
}

/** The points of named series. Too many are refused before they are made. */
export function namedRows<Row extends RowOfSeries>(
  rows: readonly Row[],
  period: Period,
  buckets: Buckets,
): ReturnType<typeof namedPoints<Row>> {
  const [points, names] = [labelled(rows, period, buckets), new Set(rows.map(({ name }) => name))]
  refuseLonger(points.reduce((sum, { isFilled, rows }) => sum + (isFilled ? names.size : rows.length), 0))
  return namedPoints(points, names)
}

interface NamedCount extends RowOfSeries {
  readonly events: number
}

export const namedSeries = (
  rows: readonly NamedCount[],
  period: Period,
  buckets: Buckets,
): { x: string; t: string; y: number }[] =>
  namedRows(rows, period, buckets).map(({ x, t, row }) => ({ x, t, y: row?.events ?? 0 }))
