import { dateAfter, dayLength, utcDate } from '../../../request/time-zone.ts'

/** Dates without a time, as `YYYY-MM-DD`. They are the same in every time zone. */

/** The number of days from one date to another; 0 for the same date. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / dayLength)

/** The first day of the month that is `months` months after the date. */
export function monthAfter(date: string, months: number): string {
  const [year, month] = date.split('-').map(Number) as [number, number]
  return utcDate(Date.UTC(year, month - 1 + months, 1))
}

/** The same date some years later. 29 February becomes the 28th if that year has no 29th. */
export function yearAfter(date: string, years: number): string {
  const first = `${String(Number(date.slice(0, 4)) + years).padStart(4, '0')}${date.slice(4, 7)}-01`
  const last = dateAfter(monthAfter(first, 1), -1)
  const same = first.slice(0, 8) + date.slice(8)
  return earlierOf(same, last)
}

const earlierOf = (one: string, other: string): string => (one < other ? one : other)

/** The last day of the date's month. */
export const endOfMonth = (date: string): string => dateAfter(monthAfter(date, 1), -1)

/** Whether the string is a valid date from 1970 to 2286. */
export function isDate(text: string): boolean {
  const moment = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return moment >= 0 && text < '2286' && utcDate(moment) === text
}
