import { clock, firstMillisecond, localDay, mondayOf, movedDay } from './instants.ts'
import type { Reading } from './reading.ts'
import type { Range } from './selection.ts'

export const UNITS = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const

export type Unit = (typeof UNITS)[number]

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The minimum length of a bucket. */
export const LENGTHS: { [unit in Unit]: number } = {
  ...{ minute: MINUTE, hour: HOUR, day: DAY, week: 7 * DAY, month: 28 * DAY, year: 365 * DAY },
}

export const MOST_BUCKETS = 50_000

/** The unit in the request, or the default unit for the range. */
export function requestedUnit({ settings }: Pick<Reading, 'settings'>, range: Range): Unit {
  const given = settings.get('unit')
  if (given === undefined) return usualUnit(range, settings.get('timezone') ?? 'UTC')
  const unit = UNITS.find((one) => one === given)
  if (unit === undefined) throw new Error(`Oracle: no such unit: ${given}`)
  if ((range.end - range.start) / LENGTHS[unit] > MOST_BUCKETS) throw new Error(`Oracle: too many buckets: ${unit}`)
  return unit
}

function usualUnit({ start, end }: Range, timezone: string): Unit {
  if (Math.floor((end - start) / MINUTE) <= 60) return 'minute'
  if (Math.floor((end - start) / DAY) <= 30) return 'hour'
  const months = monthNumber(end, timezone) - monthNumber(start, timezone)
  if (months <= 7) return 'day'
  return months <= 24 ? 'month' : 'year'
}

function monthNumber(instant: number, timezone: string): number {
  const [year, month] = localDay(instant, timezone).split('-')
  return Number(year) * 12 + Number(month)
}

/** The start of the bucket that contains a moment. */
export function bucketOf(instant: number, unit: Unit, timezone: string): number {
  if (unit !== 'minute' && unit !== 'hour') return startOfDay(firstDate(localDay(instant, timezone), unit), timezone)
  const shown = clock(instant, timezone)
  const offset = shown - instant
  return Math.floor(shown / LENGTHS[unit]) * LENGTHS[unit] - offset
}

/** All buckets that overlap the range. A year earlier, clock changes may make a range end before it begins. */
export function bucketsOf(range: Range, unit: Unit, timezone: string): number[] {
  if (range.end < range.start) return []
  const starts = unit === 'minute' || unit === 'hour' ? ofClock(range, unit, timezone) : ofDates(range, unit, timezone)
  return [...new Set(starts)].sort((left, right) => left - right)
}

/**
 * Clock changes and UTC offsets are multiples of 15 minutes, so stepping by 15 minutes reaches every hour.
 */
function ofClock({ start, end }: Range, unit: 'minute' | 'hour', timezone: string): number[] {
  const step = unit === 'minute' ? MINUTE : 15 * MINUTE
  const starts = [bucketOf(start, unit, timezone)]
  for (let moment = (Math.floor(start / step) + 1) * step; moment <= end; moment += step)
    starts.push(bucketOf(moment, unit, timezone))
  return starts
}

/** The number of days from a bucket's first day to some day in the next bucket. */
const NEXT = { day: 1, week: 7, month: 31, year: 366 } as const

function ofDates({ start, end }: Range, unit: keyof typeof NEXT, timezone: string): number[] {
  const last = localDay(end, timezone)
  const starts: number[] = []
  for (
    let day = localDay(start, timezone);
    firstDate(day, unit) <= last;
    day = movedDay(firstDate(day, unit), NEXT[unit])
  )
    starts.push(startOfDay(firstDate(day, unit), timezone))
  return starts
}

/** The first day of the week, month or year that contains this day. */
function firstDate(day: string, unit: Unit): string {
  if (unit === 'week') return mondayOf(day)
  if (unit === 'month') return `${day.slice(0, 7)}-01`
  return unit === 'year' ? `${day.slice(0, 4)}-01-01` : day
}

const startsOfDays = new Map<string, number>()

function startOfDay(day: string, timezone: string): number {
  const key = `${day} ${timezone}`
  const start = startsOfDays.get(key) ?? firstMillisecond(day, timezone)
  startsOfDays.set(key, start)
  return start
}
