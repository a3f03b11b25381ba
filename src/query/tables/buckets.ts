import type { Period } from '../../request/period.ts'
import { type Buckets, bucketStarts } from '../../request/series.ts'
import { hasWholeHours, startOfDay } from '../../request/time-zone.ts'
import { type Fragment, sql, text, uint32 } from '../language/sql.ts'
import { isoSecond } from '../language/time.ts'
import type { Table } from './tables.ts'

/**
 * The bucket of a row, based on `created_at` or another time, as a string. For minutes and hours, it is the start in
 * seconds since 1970; for longer units, it is the local date of the start. `labelled` converts it to a label.
 */
export function bucketOf({ unit, zone }: Buckets, at: Fragment = sql`created_at`): Fragment {
  const local = clockIn(zone, at)
  if (unit !== 'minute' && unit !== 'hour') return dateBucket(unit, sql`toDate32(${local})`)
  const second = sql`toUnixTimestamp64Second(${at})`
  const offset = zone === 'UTC' ? sql`` : sql` + timezoneOffset(${local})`
  return sql`toString(${second} - positiveModulo(${second}${offset}, ${uint32(unit === 'minute' ? 60 : 3600)}))`
}

/** Converts a time to a type whose functions use local time in the zone. Stored times are in UTC. */
export const clockIn = (zone: string, at: Fragment): Fragment =>
  zone === 'UTC' ? at : sql`toTimeZone(${at}, ${text(zone)})`

/**
 * The local hour of the week at a given time, from 0 (Sunday, midnight) to 167. `timezoneOffset` would be wrong by a
 * day in zones that once skipped a day, such as Samoa.
 */
export function hourOfWeek(zone: string, at: Fragment): Fragment {
  const local = clockIn(zone, at)
  return sql`toUInt8(24 * (toDayOfWeek(${local}) % 7) + toHour(${local}))`
}

/** The bucket of a row that counts a UTC hour, day or month; undefined if the row may span several buckets. */
export function bucketOfRows(grain: Table['grain'], buckets: Buckets, period: Period): Fragment | undefined {
  const { unit, zone } = buckets
  if (unit === 'minute' || grain === 'moment') return undefined
  if (grain === 'hour') {
    if (!hasWholeHours(zone, period)) return undefined
    return unit === 'hour' ? sql`toString(toUnixTimestamp64Second(hour))` : bucketOf(buckets, sql`hour`)
  }
  if (zone !== 'UTC' || unit === 'hour') return undefined
  if (grain === 'day') return dateBucket(unit, sql`day`)
  return unit === 'month' || unit === 'year' ? dateBucket(unit, sql`YYYYMMDDToDate32(month * 100 + 1)`) : undefined
}

function dateBucket(unit: Exclude<Buckets['unit'], 'minute' | 'hour'>, date: Fragment): Fragment {
  switch (unit) {
    case 'day':
      return sql`toString(${date})`
    case 'week':
      return sql`toString(${date} - (toDayOfWeek(${date}) - 1))`
    case 'month':
      return sql`concat(substring(toString(${date}), 1, 7), '-01')`
    case 'year':
      return sql`concat(substring(toString(${date}), 1, 4), '-01-01')`
  }
}

/** The start date of the bucket that contains a date. */
export function firstDateOf(unit: Exclude<Buckets['unit'], 'minute' | 'hour'>, date: Fragment): Fragment {
  switch (unit) {
    case 'day':
      return date
    case 'week':
      return sql`${date} - (toDayOfWeek(${date}) - 1)`
    case 'month':
      return sql`${date} - (toDayOfMonth(${date}) - 1)`
    case 'year':
      return sql`${date} - (toDayOfYear(${date}) - 1)`
  }
}

const startOf = (bucket: string, { unit, zone }: Buckets): number =>
  unit === 'minute' || unit === 'hour' ? Number(bucket) * 1000 : startOfDay(bucket, zone)

/** The rows in a bucket, and the bucket's label in the format of `isoSecond`. */
interface LabelledRows<Row> {
  readonly label: string
  /** Whether the bucket would appear even without rows. */
  readonly isFilled: boolean
  readonly rows: readonly Row[]
}

/**
 * Rows by bucket, in order. If buckets are filled, the result includes all buckets in the range. Rows may lie outside
 * the range.
 */
export function labelled<Row extends { readonly bucket: string }>(
  rows: readonly Row[],
  period: Period,
  buckets: Buckets,
): LabelledRows<Row>[] {
  const starts = new Set(buckets.fill ? bucketStarts(period, buckets) : [])
  const byStart = new Map<number, Row[]>([...starts].map((start) => [start, []]))
  for (const row of rows) {
    const start = startOf(row.bucket, buckets)
    const known = byStart.get(start)
    if (known) known.push(row)
    else byStart.set(start, [row])
  }
  return [...byStart]
    .sort(([one], [other]) => one - other)
    .map(([start, rows]) => ({
      label: isoSecond(start),
      isFilled: starts.has(start),
      rows,
    }))
}

export interface RowOfSeries {
  readonly name: string
  readonly bucket: string
}

/** A point in a named series. If buckets are filled, each name appears in each bucket. */
interface NamedPoint<Row> {
  readonly x: string
  readonly t: string
  readonly row: Row | undefined
}

/** Points of named series, by label and name. */
export function namedPoints<Row extends RowOfSeries>(
  points: readonly LabelledRows<Row>[],
  names: ReadonlySet<string>,
): NamedPoint<Row>[] {
  const inOrder = [...names].sort(compareText)
  const ranks = new Map(inOrder.map((name, rank) => [name, rank]))
  return points.flatMap(({ label, isFilled, rows }) => {
    const byName = new Map(rows.map((row) => [row.name, row]))
    const shown = isFilled ? inOrder : [...byName.keys()].sort((one, other) => ranks.get(one)! - ranks.get(other)!)
    return shown.map((name) => ({ x: name, t: label, row: byName.get(name) }))
  })
}

/** Compares strings by code point, which is the order of their UTF-8 bytes. */
export function compareText(one: string, other: string): number {
  let place = 0
  while (place < one.length && one[place] === other[place]) place++
  if (place === one.length || place === other.length) return one.length - other.length
  return rankOf(one.charCodeAt(place)) - rankOf(other.charCodeAt(place))
}

/** Ranks surrogates (the halves of code points that need two code units) after all other code units. */
const rankOf = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit)
