import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import type { Buckets } from '../../request/series.ts'
import { dayLength } from '../../request/time-zone.ts'
import { atMost } from '../language/order.ts'
import { type Selection, visiblePeriod } from '../language/scope.ts'
import { commaList, type Fragment, sql } from '../language/sql.ts'
import { select } from '../language/statement.ts'
import { millisecondsIn } from '../language/time.ts'
import { bucketOf, compareText } from '../tables/buckets.ts'
import { countedHere, grouped, ifShort } from './few-rows.ts'
import { selectedVitals, type Vital, vitalColumns, vitals } from './vitals.ts'

/** If there are few web vitals, the Worker computes the same percentiles as ClickHouse would. */

/** `names` has one entry per list. `values` has the order of `vitals`; a missing value is null. */
const FewVitals = () =>
  z.object({ bucket: z.string(), names: z.array(z.string()), values: z.array(z.number().nullable()) })

type FewVitals = ValueOf<typeof FewVitals>

/** The maximum number of rows that the Worker reads. */
const mostRows = 1000

/** `lists` contains the columns of names. */
export const fewVitals = (selection: Selection, buckets: Buckets, lists: readonly Fragment[]) => {
  const names = sql`[${commaList(lists.map((column) => sql`toString(${column})`))}]`
  return countedHere<FewVitals>(selection.scope, {
    statement: select(FewVitals)`
      select ${bucketOf(buckets)} as bucket, ${ifShort(names)} as names,
        [${commaList(Object.values(vitalColumns))}] as values
      ${selectedVitals(selection)}
      ${atMost(mostRows + 1)}`,
    most: mostRows,
    texts: ({ names }) => names,
    name: `vitals ${Math.ceil(millisecondsIn(visiblePeriod(selection)) / dayLength)}`,
  })
}

/** The percentiles by bucket. */
export const percentilesByBucket = (rows: readonly FewVitals[], metric: Vital) =>
  [...grouped(measuring(rows, metric), ({ bucket }) => bucket)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([bucket, its]) => ({ bucket, percentiles: percentilesOfFew(valuesOf(its, metric)) }))

/** For each list (numbered from 0), up to `limit` names with the highest 75th percentiles. */
export const slowestNames = (rows: readonly FewVitals[], metric: Vital, lists: number, limit: number) =>
  Array.from({ length: lists }, (_, list) =>
    [...grouped(measuring(rows, metric), ({ names }) => names[list]!)]
      .map(([name, its]) => ({ list, name, measured: percentilesOfFew(valuesOf(its, metric)), rows: its.length }))
      .sort((one, other) => other.measured[1]! - one.measured[1]! || compareText(one.name, other.name))
      .slice(0, limit),
  ).flat()

/** The percentiles over all rows that have the vital; zeros if no row has it. */
export function percentilesOfRows(rows: readonly FewVitals[], metric: Vital): number[] {
  const values = valuesOf(rows, metric)
  return values.length === 0 ? [0, 0, 0] : percentilesOfFew(values)
}

const measuring = (rows: readonly FewVitals[], metric: Vital): FewVitals[] =>
  rows.filter(({ values }) => values[vitals.indexOf(metric)] !== null)

const valuesOf = (rows: readonly FewVitals[], metric: Vital): number[] =>
  measuring(rows, metric).map(({ values }) => values[vitals.indexOf(metric)]!)

/** Like `percentilesOf` in `vitals.ts`, but requires at least one value. */
function percentilesOfFew(values: readonly number[]): number[] {
  const sorted = [...values].sort((one, other) => one - other)
  return [0.5, 0.75, 0.95].map((level) => {
    const place = level * (sorted.length - 1) + 1
    const before = Math.floor(place)
    const value = sorted[before - 1]!
    const next = sorted[before]
    return next === undefined ? value : value + (place - before) * (next - value)
  })
}
