import * as z from 'zod'
import { invalid } from '../errors.ts'
import type { ValueOf } from '../made.ts'
import { longestSeries } from '../query/language/order.ts'
import { sql } from '../query/language/sql.ts'
import { labelled, namedPoints, type RowOfSeries } from '../query/tables/buckets.ts'
import type { Period } from '../request/period.ts'
import { type Buckets, mostBuckets } from '../request/series.ts'

export const byBucket = longestSeries(sql`bucket`)
export const byBucketAndName = longestSeries(sql`bucket`, sql`name`)

/** Refuses a series of more than 50,000 rows. The error is about the parameter `path`. */
export function refuseLonger(rows: number, path: 'unit' | 'endAt' = 'unit'): void {
  if (rows <= mostBuckets) return
  const advice = path === 'unit' ? 'narrow the range, or give a longer unit' : 'narrow the range'
  throw invalid([{ path, message: `This series has more than ${mostBuckets} rows: ${advice}.` }])
}

/** The points of named series. Refuses too many before it builds them. */
export function namedRows<Row extends RowOfSeries>(
  rows: readonly Row[],
  period: Period,
  buckets: Buckets,
): ReturnType<typeof namedPoints<Row>> {
  const [points, names] = [labelled(rows, period, buckets), new Set(rows.map(({ name }) => name))]
  refuseLonger(points.reduce((sum, { isFilled, rows }) => sum + (isFilled ? names.size : rows.length), 0))
  return namedPoints(points, names)
}

/** The number of events with this name in a bucket. */
export const NamedCountRow = () => z.object({ name: z.string(), bucket: z.string(), events: z.number() })

export const NamedPoints = () =>
  z.array(z.object({ x: z.string(), t: z.string(), y: z.number().int() }).meta({ title: 'NamedPoint' }))

export const namedSeries = (
  rows: readonly ValueOf<typeof NamedCountRow>[],
  period: Period,
  buckets: Buckets,
): ValueOf<typeof NamedPoints> =>
  namedRows(rows, period, buckets).map(({ x, t, row }) => ({ x, t, y: row?.events ?? 0 }))
