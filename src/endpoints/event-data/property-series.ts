import * as z from 'zod'
import { titled, type ValueOf } from '../../made.ts'
import { labelled } from '../../query/buckets.ts'
import { exactNumber } from '../../query/decimal.ts'
import { ascending, order } from '../../query/order.ts'
import { type Fragment, sql } from '../../query/sql.ts'
import type { Period } from '../../request/period.ts'
import { group, oneOf } from '../../request/query-string.ts'
import type { Buckets } from '../../request/series.ts'
import { longestSeries, refuseLonger } from '../statistics/longest-series.ts'

/** The series of a property's values, shared by events and sessions. */

export const NamedRow = () => z.object({ name: z.string(), bucket: z.string(), events: z.number() })
export const NamedPoints = () =>
  z.array(z.object({ x: z.string(), t: z.string(), y: z.number().int() }).meta({ title: 'NamedPoint' }))

export const byBucketAndName = longestSeries(order([ascending(sql`bucket`), ascending(sql`name`)]))

/** By the date in a property. */
export const DateRow = () => z.object({ t: z.string(), y: z.number() })
export const DatePoints = () => z.array(z.object({ t: z.string(), y: z.number().int() }).meta({ title: 'CountPoint' }))

export const byDate = longestSeries(order([ascending(sql`t`)]))

export function datePoints(rows: readonly ValueOf<typeof DateRow>[]): ValueOf<typeof DatePoints> {
  refuseLonger(rows.length)
  return [...rows]
}

export const metric = group(
  { metric: oneOf('How the numbers of a bucket are combined; sum by default.', ['sum', 'avg', 'count']) },
  ({ metric = 'sum' }) => ({ metric }),
)

type Metric = 'sum' | 'avg' | 'count'

/** The combined number, as the digits of a JSON number. */
export function aggregateOf(metric: Metric, number: Fragment): Fragment {
  switch (metric) {
    case 'sum':
      return sql`toString(sum(${number}))`
    case 'avg':
      return sql`toString(toFloat64(sum(${number})) / count())`
    case 'count':
      return sql`toString(count())`
  }
}

export const NumberRow = () => z.object({ bucket: z.string(), y: z.string() })
export const NumberPoints = () => z.array(z.object({ t: z.string(), y: z.number() }).meta({ title: 'NumberPoint' }))

export const byBucket = longestSeries(order([ascending(sql`bucket`)]))

/** A bucket without numbers has no mean. */
export function numberPoints(
  rows: readonly ValueOf<typeof NumberRow>[],
  { period, buckets, metric }: { readonly period: Period; readonly buckets: Buckets; readonly metric: Metric },
): ValueOf<typeof NumberPoints> {
  refuseLonger(rows.length)
  const points = labelled(rows, period, { ...buckets, fill: buckets.fill && metric !== 'avg' })
  return points.map(({ label, rows }) => ({ t: label, y: exactNumber(rows[0]?.y ?? '0') }))
}

export const Statistics = titled('NumberStatistics', () =>
  z.object({
    total: z.number(),
    average: z.number(),
    median: z.number(),
    max: z.number(),
    min: z.number(),
  }),
)

export const StatisticsRow = () =>
  z.object({
    total: z.string(),
    average: z.number(),
    median: z.number(),
    greatest: z.string(),
    least: z.string(),
  })

/** The select list of the statistics of a number. */
export const statisticsOf = (number: Fragment): Fragment => sql`
  toString(sum(${number})) as total, if(count() = 0, 0, toFloat64(sum(${number})) / count()) as average,
  if(count() = 0, 0, toFloat64(medianExactLow(${number}) + medianExactHigh(${number})) / 2) as median,
  toString(max(${number})) as greatest, toString(min(${number})) as least`

export function statistics([row]: readonly ValueOf<typeof StatisticsRow>[]): ValueOf<typeof Statistics> {
  const { total, average, median, greatest, least } = row!
  return { total: exactNumber(total), average, median, max: exactNumber(greatest), min: exactNumber(least) }
}
