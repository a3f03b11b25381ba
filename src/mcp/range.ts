import * as z from 'zod'
import { namedPeriod } from '../request/named-period.ts'
import { always, compared, type Period } from '../request/period.ts'
import { clockAt, momentsOf, nameOfZone, startOfDay, startOfNextDay, unknownZone } from '../request/time-zone.ts'
import { invalidInput, ToolError } from './errors.ts'

/** The time arguments of a tool's input. */
export interface AskedRange {
  readonly startAt?: string | undefined
  readonly endAt?: string | undefined
  readonly timezone?: string | undefined
}

/** A period and the time zone of its days. */
export interface Range {
  readonly period: Period
  readonly zone: string
}

/** Every tool with a range repeats this, so it is short; the server's instructions say more. */
export const startDescription =
  'Start: ISO 8601 (2026-09-01 is that day in timezone; 2026-09-01T09:00:00Z), or the whole range by name: today, yesterday, this_week, last_month, this_year, last_24_hours, last_7_days, last_12_months, all_time.'

export const zoneDescription = 'IANA time zone of days, such as Europe/Berlin. Default UTC.'

/**
 * The range of a tool's input; undefined without `startAt`. `first` is the first event that the caller may see, for
 * `all_time`. Moments are in milliseconds since 1970.
 */
export function rangeOf(
  { startAt, endAt, timezone = 'UTC' }: AskedRange,
  now: number,
  first?: number,
): Range | undefined {
  const zone = nameOfZone(timezone)
  if (zone === undefined) throw invalidInput([{ path: 'timezone', message: unknownZone }])
  if (startAt === undefined) {
    if (endAt === undefined) return undefined
    throw new ToolError('invalid_date_range', 'Send startAt together with endAt.')
  }
  const named = namedPeriod(startAt, { now, zone, first })
  if (named && endAt !== undefined) {
    throw new ToolError('invalid_date_range', `Leave endAt out: startAt ${startAt} names the whole range.`)
  }
  const period = named ?? {
    startAt: momentOf('startAt', startAt, zone),
    endAt: endAt === undefined ? now : momentOf('endAt', endAt, zone),
  }
  if (!named && period.endAt <= period.startAt) {
    const which =
      endAt === undefined ? 'startAt must be before now, the default of endAt' : 'endAt must be after startAt'
    throw new ToolError('invalid_date_range', `${which}. It is ${localTime(now, zone)} in ${zone}.`)
  }
  return { period, zone }
}

/** The moment of an ISO date. A bare day means its first millisecond as a start, and its last millisecond as an end. */
function momentOf(name: 'startAt' | 'endAt', text: string, zone: string): number {
  const isStart = name === 'startAt'
  const at = z.iso.date().safeParse(text).success
    ? isStart
      ? startOfDay(text, zone)
      : startOfNextDay(text, zone) - 1
    : z.iso.datetime({ local: true }).safeParse(text).success && !text.endsWith('Z')
      ? momentsOf(Date.parse(`${text}Z`), zone)[isStart ? 'first' : 'last']
      : z.iso.datetime({ offset: true }).safeParse(text).success
        ? Date.parse(text)
        : Number.NaN
  if (at >= 0 && at <= always.endAt) return at
  const allowed = isStart
    ? startDescription
    : 'ISO 8601, such as 2026-09-30 or 2026-09-30T18:00:00Z. Without endAt, the range ends now.'
  throw new ToolError('invalid_date', `${name} is not a date from 1970 to 2286. ${allowed}`)
}

/** The range in an answer, and the comparison range, in ISO 8601 with the zone's offset. */
export const rangeAnswer = ({ period, zone }: Range, compare?: 'prev' | 'yoy') => ({
  ...localPeriod(period, zone),
  timezone: zone,
  ...(compare && { previous: localPeriod(compared(period, { to: compare, zone }), zone) }),
})

const localPeriod = ({ startAt, endAt }: Period, zone: string) => ({
  startAt: localTime(startAt, zone),
  endAt: localTime(endAt, zone),
})

function localTime(moment: number, zone: string): string {
  const offset = (clockAt(moment, zone) - moment) / 60_000
  // Historic offsets have seconds, which ISO 8601 cannot express.
  if (offset === 0 || !Number.isInteger(offset)) return new Date(moment).toISOString()
  const two = (number: number): string => String(Math.floor(number)).padStart(2, '0')
  const [sign, size] = [offset < 0 ? '-' : '+', Math.abs(offset)]
  return `${new Date(moment + offset * 60_000).toISOString().slice(0, -1)}${sign}${two(size / 60)}:${two(size % 60)}`
}
