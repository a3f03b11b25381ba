import { type CalendarUnit, startOfUnit } from './calendar.ts'
import { hourLength, nameOfZone } from './time-zone.ts'

/** What a named period depends on. Moments are in milliseconds since 1970. */
interface Clock {
  readonly now: number
  /** The time zone that days, weeks, months and years refer to. */
  readonly zone: string
  /** The time of the first event that the reader may see. Only `all_time` needs it. */
  readonly first?: number | undefined
}

/** The names of periods, for messages and descriptions. */
export const periodNames =
  'today, yesterday, 24h, 7d, 30d, 90d, this_ or last_ with week, month or year, last_<number>_ with hours, days, weeks, months or years, all_time'

/** The name of the only period that depends on events. */
export const allTime = 'all_time'

/** Rolling periods, in hours. They end now, whatever the time of day. */
const rolling: Readonly<Record<string, number>> = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24, '90d': 90 * 24 }

/** Whether a text is the name of a period, which does not depend on the clock. */
export const isPeriodName = (text: string): boolean => namedPeriod(text, { now: 0, zone: 'UTC' }) !== undefined

/**
 * The period with this name, including both ends; undefined for any other text. A current period ends now, rounded down
 * to the second. `last_30_days` consists of whole days in `zone`, including today; `30d` is 30 times 24 hours.
 */
export function namedPeriod(name: string, clock: Clock): { startAt: number; endAt: number } | undefined {
  const { zone } = clock
  const now = Math.floor(clock.now / 1000) * 1000
  const startOf = (unit: CalendarUnit, ago: number): number => startOfUnit(unit, ago, now, zone, 0)
  const upToNow = (start: number) => ({ startAt: Math.max(0, start), endAt: Math.max(0, start, now) })
  const whole = (unit: CalendarUnit) => ({ startAt: startOf(unit, 1), endAt: startOf(unit, 0) - 1 })

  if (Object.hasOwn(rolling, name)) return upToNow(now - rolling[name]! * hourLength)
  if (name === allTime) return upToNow(clock.first ?? now)
  if (name === 'today') return upToNow(startOf('day', 0))
  if (name === 'yesterday') return whole('day')
  const [, which, current] = /^(this|last)_(week|month|year)$/.exec(name) ?? []
  if (current !== undefined) {
    const unit = current as CalendarUnit
    return which === 'this' ? upToNow(startOf(unit, 0)) : whole(unit)
  }
  const [, number, unit] = /^last_([1-9]\d{0,3})_(hour|day|week|month|year)s?$/.exec(name) ?? []
  if (number === undefined) return undefined
  return upToNow(
    unit === 'hour' ? now - Number(number) * hourLength : startOf(unit as CalendarUnit, Number(number) - 1),
  )
}

/** The parameters in a query string or a body, unvalidated. */
export type GivenParameters = Readonly<Record<string, unknown>>

/** The parameters for the ends of a range. A named period replaces all of them. */
const ends = ['startAt', 'endAt', 'startDate', 'endDate']

/**
 * The named period in these parameters, and its time zone; undefined if there is none or the parameters are invalid.
 */
export function askedPeriod(parameters: GivenParameters): { name: string; zone: string } | undefined {
  const { period: name, timezone = 'UTC' } = parameters
  if (typeof name !== 'string' || typeof timezone !== 'string') return undefined
  const zone = nameOfZone(timezone)
  if (zone === undefined || !isPeriodName(name) || ends.some((one) => one in parameters)) return undefined
  return { name, zone }
}

/** Replaces the named period in the parameters with its two ends, as text. */
export function withEnds(
  parameters: GivenParameters,
  { startAt, endAt }: { startAt: number; endAt: number },
): GivenParameters {
  const { period: _, ...rest } = parameters
  return { ...rest, startAt: String(startAt), endAt: String(endAt) }
}
