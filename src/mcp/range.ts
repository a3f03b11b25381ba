import * as z from 'zod'
import { periodOf } from '../request/date-range.ts'
import { always, compared, type Period } from '../request/period.ts'
import {
  clockAt,
  hourLength,
  momentsOf,
  startOfDay,
  startOfNextDay,
  timeZone,
  unknownZone,
} from '../request/time-zone.ts'
import { invalidInput, ToolError } from './errors.ts'

/** What a tool's input says of time. */
export interface AskedRange {
  readonly startAt?: string | undefined
  readonly endAt?: string | undefined
  readonly timezone?: string | undefined
}

/** A period, and the time zone whose days it counts. */
export interface Range {
  readonly period: Period
  readonly zone: string
}

/** Stands in every tool with a range, so it is short; the instructions of the server say more. */
export const startDescription =
  'Start: ISO 8601 (2026-09-01 is that day in timezone; 2026-09-01T09:00:00Z), or the whole range by name: today, yesterday, this_week, last_month, this_year, last_24_hours, last_7_days, last_12_months, all_time.'

export const zoneDescription = 'IANA time zone of days, such as Europe/Berlin. Default UTC.'

/** The range of a tool's input; undefined without `startAt`. */
export function rangeOf({ startAt, endAt, timezone = 'UTC' }: AskedRange, now: number): Range | undefined {
  const zone = timeZone('').read(timezone, () => {})
  if (zone === undefined) throw invalidInput([{ path: 'timezone', message: unknownZone }])
  if (startAt === undefined) {
    if (endAt === undefined) return undefined
    throw new ToolError('invalid_date_range', 'Send startAt beside endAt.')
  }
  const relative = relativePeriod(startAt, now, zone)
  if (relative && endAt !== undefined) {
    throw new ToolError('invalid_date_range', `Leave endAt out: startAt ${startAt} names the whole range.`)
  }
  const period = relative ?? {
    startAt: momentOf('startAt', startAt, zone),
    endAt: endAt === undefined ? now : momentOf('endAt', endAt, zone),
  }
  if (period.endAt <= period.startAt) {
    const which =
      endAt === undefined ? 'startAt must be before now, the default of endAt' : 'endAt must be after startAt'
    throw new ToolError('invalid_date_range', `${which}. It is ${localTime(now, zone)} in ${zone}.`)
  }
  return { period, zone }
}

/** A range of whole calendar units, or of hours up to now. */
function relativePeriod(text: string, now: number, zone: string): Period | undefined {
  const startOf = (ago: number, unit: string): number | undefined => periodOf(`${ago}${unit}`, now, zone)?.startAt
  const upToNow = (start: number | undefined): Period | undefined =>
    start === undefined ? undefined : { startAt: Math.max(0, start), endAt: now }
  if (text === 'all_time') return upToNow(0)
  if (text === 'today') return upToNow(startOf(0, 'day'))
  const [, last, number, unit = 'day'] =
    /^(?:(this|last)_(?:([1-9]\d{0,3})_)?(hour|day|week|month|year)s?|yesterday)$/.exec(text) ?? []
  if (text !== 'yesterday' && last === undefined) return undefined
  if (number !== undefined) {
    if (last === 'this') return undefined
    return upToNow(unit === 'hour' ? now - Number(number) * hourLength : startOf(Number(number) - 1, unit))
  }
  if (unit === 'hour') return undefined
  if (last === 'this') return upToNow(startOf(0, unit))
  return { startAt: startOf(1, unit)!, endAt: startOf(0, unit)! - 1 }
}

/** The moment of an ISO date. A bare day is its first millisecond as a start, and its last one as an end. */
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
    : 'ISO 8601, such as 2026-09-30 or 2026-09-30T18:00:00Z. Leave endAt out for now.'
  throw new ToolError('invalid_date', `${name} is no date from 1970 to 2286. ${allowed}`)
}

/** The range as an answer says it, ISO 8601 with the zone's offset, and the one that it is compared with. */
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
  // Offsets of long ago have seconds, which ISO 8601 cannot say.
  if (offset === 0 || !Number.isInteger(offset)) return new Date(moment).toISOString()
  const two = (number: number): string => String(Math.floor(number)).padStart(2, '0')
  const [sign, size] = [offset < 0 ? '-' : '+', Math.abs(offset)]
  return `${new Date(moment + offset * 60_000).toISOString().slice(0, -1)}${sign}${two(size / 60)}:${two(size % 60)}`
}
