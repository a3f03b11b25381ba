import { type Period, rangeParameters, requiredPeriod, unit } from './period.ts'
import { group, oneOf } from './query-string.ts'
import { clockAt, dayOf, startOfDay, startOfNextDay } from './time-zone.ts'

/** The steps of a series, from the finest on. */
const units = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const

type SeriesUnit = (typeof units)[number]

/** How a series is cut into buckets. */
export interface Buckets {
  readonly unit: SeriesUnit
  readonly zone: string
  /** Whether buckets without events are answered too. */
  readonly fill: boolean
}

/** A series has no more buckets than this. */
export const mostBuckets = 50_000

const minute = 60_000
const hour = 60 * minute
const dayLength = 24 * hour

/** The shortest that a bucket of a unit can be, in milliseconds. */
const shortest: Readonly<Record<SeriesUnit, number>> = {
  minute,
  hour,
  day: 23 * hour,
  week: 7 * dayLength - hour,
  month: 28 * dayLength - hour,
  year: 365 * dayLength - hour,
}

/** A range, and how it is cut: `unit`, by itself one that suits the length of the range; `timezone`; `fill`. */
export const seriesRange = group(
  { ...rangeParameters, unit, fill: oneOf('Whether buckets without events are answered, with 0.', ['true', 'false']) },
  (values, addIssue): { period: Period; buckets: Buckets } => {
    const period = requiredPeriod(values, addIssue)
    const zone = values.timezone ?? 'UTC'
    const chosen = values.unit ?? unitFor(period, zone)
    if (isTooFine(period, chosen)) {
      const fits = units.find((one) => !isTooFine(period, one)) ?? 'year'
      addIssue('unit', `A series has at most ${mostBuckets} buckets: the finest unit for this range is ${fits}.`)
    }
    return { period, buckets: { unit: chosen, zone, fill: values.fill === 'true' } }
  },
)

const isTooFine = ({ startAt, endAt }: Period, unit: SeriesUnit): boolean =>
  (endAt - startAt) / shortest[unit] > mostBuckets - 1

function unitFor({ startAt, endAt }: Period, zone: string): SeriesUnit {
  const length = endAt - startAt
  if (Math.floor(length / minute) <= 60) return 'minute'
  if (Math.floor(length / dayLength) <= 30) return 'hour'
  const months = monthOf(endAt, zone) - monthOf(startAt, zone)
  if (months <= 7) return 'day'
  return months <= 24 ? 'month' : 'year'
}

function monthOf(moment: number, zone: string): number {
  const [year, month] = dayOf(moment, zone).split('-').map(Number)
  return 12 * year! + month!
}

/** The local date that a bucket of days, or of longer, starts on. */
function firstDayOf(moment: number, { unit, zone }: Buckets): string {
  const date = dayOf(moment, zone)
  if (unit === 'month') return `${date.slice(0, 7)}-01`
  if (unit === 'year') return `${date.slice(0, 4)}-01-01`
  if (unit === 'day') return date
  const midnight = Date.parse(date)
  const sinceMonday = (new Date(midnight).getUTCDay() + 6) % 7
  return new Date(midnight - sinceMonday * dayLength).toISOString().slice(0, 10)
}

/** The start of the bucket that a moment is in, in milliseconds since 1970. */
function bucketStart(moment: number, buckets: Buckets): number {
  const { unit, zone } = buckets
  if (unit !== 'minute' && unit !== 'hour') return startOfDay(firstDayOf(moment, buckets), zone)
  return stepStart(moment, clockAt(moment, zone) - moment, unit)
}

function stepStart(moment: number, offset: number, unit: 'minute' | 'hour'): number {
  const step = shortest[unit]
  return Math.floor((moment + offset) / step) * step - offset
}

/** The starts of all buckets of a range, in order. */
export function bucketStarts({ startAt, endAt }: Period, buckets: Buckets): number[] {
  const { unit, zone } = buckets
  if (unit === 'minute' || unit === 'hour') return stepStarts(startAt, endAt, unit, zone)
  const starts = [bucketStart(startAt, buckets)]
  for (let next = following(startAt, buckets); next <= endAt; next = following(next, buckets)) starts.push(next)
  return starts
}

/** The first moment of the bucket after that of a moment. */
function following(moment: number, buckets: Buckets): number {
  const { unit, zone } = buckets
  const first = firstDayOf(moment, buckets)
  const [year, month] = first.split('-').map(Number) as [number, number]
  const last = {
    day: first,
    week: new Date(Date.parse(first) + 6 * dayLength).toISOString().slice(0, 10),
    month: new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10),
    year: `${year}-12-31`,
  }[unit as 'day' | 'week' | 'month' | 'year']
  return startOfNextDay(last, zone)
}

/** Within spans of a day whose ends have one offset, steps follow each other; others are looked through by the minute. */
function stepStarts(startAt: number, endAt: number, unit: 'minute' | 'hour', zone: string): number[] {
  const starts = new Set<number>()
  const offsetAt = (moment: number) => clockAt(moment, zone) - moment
  for (let from = startAt; from <= endAt; from += dayLength) {
    const to = Math.min(from + dayLength - 1, endAt)
    const offset = offsetAt(from)
    const isSteady = offset === offsetAt(to)
    const step = isSteady ? shortest[unit] : minute
    for (let moment = from; moment <= to; moment += step) {
      starts.add(stepStart(moment, isSteady ? offset : offsetAt(moment), unit))
    }
    starts.add(stepStart(to, offsetAt(to), unit))
  }
  return [...starts].sort((one, other) => one - other)
}
