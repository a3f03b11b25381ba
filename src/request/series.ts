import { type Period, rangeParameters, requiredPeriod, unit } from './period.ts'
import { group, oneOf } from './query-string.ts'
import { clockAt, dateAfter, dayLength, dayOf, daysSinceMonday, hourLength, startOfDay } from './time-zone.ts'

/** The bucket lengths of a series, finest first. */
const units = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const

type SeriesUnit = (typeof units)[number]

/** The buckets of a series. */
export interface Buckets {
  readonly unit: SeriesUnit
  readonly zone: string
  /** Whether the answer includes buckets without events. */
  readonly fill: boolean
}

export const mostBuckets = 50_000

const minute = 60_000

/** The minimum and maximum length of each unit's buckets, in milliseconds. They differ where clocks change. */
export const bucketLengths: Readonly<Record<SeriesUnit, { readonly least: number; readonly most: number }>> = {
  minute: { least: minute, most: minute },
  hour: { least: hourLength, most: hourLength },
  day: { least: 23 * hourLength, most: 25 * hourLength },
  week: { least: 7 * dayLength - hourLength, most: 7 * dayLength + hourLength },
  month: { least: 28 * dayLength - hourLength, most: 31 * dayLength + hourLength },
  year: { least: 365 * dayLength - hourLength, most: 366 * dayLength + hourLength },
}

/**
 * A range and its buckets. `unit` defaults to one that suits the length of the range. The other parameters are
 * `timezone` and `fill`.
 */
export const seriesRange = group(
  { ...rangeParameters, unit, fill: oneOf('Whether buckets without events are included, with 0.', ['true', 'false']) },
  (values, addIssue): { period: Period; buckets: Buckets } => {
    const period = requiredPeriod(values, addIssue)
    const zone = values.timezone ?? 'UTC'
    const chosen = values.unit ?? unitFor(period, zone)
    const isTooFine = (unit: SeriesUnit) => hasMoreBuckets(mostBuckets, period, { unit, zone, fill: true })
    if (isTooFine(chosen)) {
      const fits = units.find((one) => !isTooFine(one)) ?? 'year'
      addIssue('unit', `A series has at most ${mostBuckets} buckets: the finest unit for this range is ${fits}.`)
    }
    return { period, buckets: { unit: chosen, zone, fill: values.fill === 'true' } }
  },
)

/**
 * Whether a range has more buckets than this. The buckets are counted only if the minimum and maximum bucket lengths do
 * not suffice to tell.
 */
export function hasMoreBuckets(most: number, period: Period, buckets: Buckets): boolean {
  const [span, length] = [period.endAt - period.startAt, bucketLengths[buckets.unit]]
  if (span / length.least <= most - 1) return false
  return span / length.most > most || bucketStarts(period, buckets).length > most
}

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

/** The first date of the bucket that contains a local date. */
function firstDate(date: string, unit: Exclude<SeriesUnit, 'minute' | 'hour'>): string {
  if (unit === 'month') return `${date.slice(0, 7)}-01`
  if (unit === 'year') return `${date.slice(0, 4)}-01-01`
  if (unit === 'day') return date
  return dateAfter(date, -daysSinceMonday(Date.parse(date)))
}

function stepStart(moment: number, offset: number, unit: 'minute' | 'hour'): number {
  const step = bucketLengths[unit].least
  return Math.floor((moment + offset) / step) * step - offset
}

/**
 * The starts of all buckets in a range, in order. Empty if the range ends before it begins, which can happen to a
 * comparison range a year earlier.
 */
export function bucketStarts({ startAt, endAt }: Period, buckets: Buckets): number[] {
  const { unit, zone } = buckets
  if (endAt < startAt) return []
  if (unit === 'minute' || unit === 'hour') return stepStarts(startAt, endAt, unit, zone)
  const days = localDays({ startAt, endAt }, zone)
  if (unit === 'day') return days.map(({ start }) => start)
  const firsts = new Set(days.map(({ date }) => firstDate(date, unit)))
  return [...firsts].map((date) => startOfDay(date, zone))
}

/**
 * A span of this many days has no clock change if it is as long as without any: the shortest summer time lasted seven
 * days (America/Boa_Vista, October 2000, in the tz database).
 */
const steadyDays = 6

/** The local dates in a range, each with its first moment. A clock change may skip a date. */
export function localDays({ startAt, endAt }: Period, zone: string): { date: string; start: number }[] {
  // If clocks are set back across midnight, the previous date occurs again.
  const [first, last] = [dayOf(startAt, zone), dayOf(endAt, zone)].sort() as [string, string]
  const days: { date: string; start: number }[] = []
  for (let from = first; from <= last; from = dateAfter(from, steadyDays)) {
    const [start, end] = [startOfDay(from, zone), startOfDay(dateAfter(from, steadyDays), zone)]
    const isSteady = end - start === steadyDays * dayLength
    for (let index = 0; index < steadyDays; index++) {
      const date = dateAfter(from, index)
      if (date > last) break
      const own = isSteady ? start + index * dayLength : startOfDay(date, zone)
      if (isSteady || dayOf(own, zone) === date) days.push({ date, start: own })
    }
  }
  return days
}

/**
 * Within a day, steps are regular if the offset is the same at both ends. Otherwise, the day is searched minute by
 * minute.
 */
function stepStarts(startAt: number, endAt: number, unit: 'minute' | 'hour', zone: string): number[] {
  const starts = new Set<number>()
  const offsetAt = (moment: number) => clockAt(moment, zone) - moment
  for (let from = startAt; from <= endAt; from += dayLength) {
    const to = Math.min(from + dayLength - 1, endAt)
    const offset = offsetAt(from)
    const isSteady = offset === offsetAt(to)
    const step = isSteady ? bucketLengths[unit].least : minute
    for (let moment = from; moment <= to; moment += step) {
      starts.add(stepStart(moment, isSteady ? offset : offsetAt(moment), unit))
    }
    starts.add(stepStart(to, offsetAt(to), unit))
  }
  return [...starts].sort((one, other) => one - other)
}
