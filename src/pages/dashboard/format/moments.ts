import { daysBetween } from '../address/dates.ts'
import type { Period, Unit } from '../address/period.ts'
import { remembered } from './remembered.ts'

type Options = Intl.DateTimeFormatOptions

const formatBy = remembered((key: string) => new Intl.DateTimeFormat(undefined, JSON.parse(key)))

const format = (timeZone: string, options: Options): Intl.DateTimeFormat =>
  formatBy(JSON.stringify({ timeZone, ...options }))

const full: Readonly<Record<Unit, Options>> = {
  hour: { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
  day: { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
  week: { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'long', year: 'numeric' },
  year: { year: 'numeric' },
}

const brief: Readonly<Record<Unit, Options>> = {
  hour: { hour: 'numeric', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  week: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
  year: { year: 'numeric' },
}

/** The start of a bucket in full: `Mon, 23 Nov 2026`. */
export const formatBucket = (start: number, { unit, zone }: Pick<Period, 'unit' | 'zone'>): string =>
  format(zone, full[unit]).format(start)

/** The start of a bucket in short form: `23 Nov`. For hours, only the date if the chart covers more than two days. */
export const formatTick = (start: number, { unit, zone, from, to }: Period): string =>
  format(zone, brief[unit === 'hour' && daysBetween(from, to) > 1 ? 'day' : unit]).format(start)

/** A range of dates: `1 – 30 Nov 2026`. */
export const formatDays = (from: string, to: string): string =>
  format('UTC', { dateStyle: 'medium' }).formatRange(Date.parse(from), Date.parse(to))

export const formatMonth = (date: string): string =>
  format('UTC', { month: 'long', year: 'numeric' }).format(Date.parse(date))

export const formatMoment = (moment: number | string, zone: string): string =>
  format(zone, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(moment))

/** The time of day: `14:05`. */
export const formatTime = (moment: string, zone: string): string =>
  format(zone, { timeStyle: 'short' }).format(new Date(moment))

/** A date in short form: `23 Nov`. */
export const formatDay = (date: string): string =>
  format('UTC', { day: 'numeric', month: 'short' }).format(Date.parse(date))

/** A date in full: `Monday 23 November 2026`. */
export const formatLongDay = (date: string): string => format('UTC', { dateStyle: 'full' }).format(Date.parse(date))

/** The abbreviated weekday of a date: `Mon`. */
export const formatWeekday = (date: string): string => format('UTC', { weekday: 'short' }).format(Date.parse(date))
