import { namedPeriod } from '../../../request/named-period.ts'
import { clockAt, dateAfter, dayLength, dayOf, momentsOf } from '../../../request/time-zone.ts'
import type { Address, Interval, PeriodName } from './address.ts'
import { daysBetween, endOfMonth, monthAfter, yearAfter } from './dates.ts'

export type Unit = 'hour' | 'day' | 'week' | 'month' | 'year'

/** A range of whole days in the time zone. */
export interface Period {
  /** The first and the last day, as dates. */
  readonly from: string
  readonly to: string
  readonly zone: string
  /** The API's name for the period. Undefined if it has no name, or has ended. */
  readonly name: string | undefined
  readonly unit: Unit
  /** The end of the current minute, in milliseconds since 1970. Undefined if the period has ended. */
  readonly until: number | undefined
}

/** A period as the API's parameters. */
export type PeriodParameters = { readonly timezone: string } & (
  | { readonly period: string }
  | { readonly startDate: string; readonly endDate: string }
)

/** The API's names of the periods. The period `all` begins with a date that the page has requested. */
const names: Readonly<Record<Exclude<PeriodName, 'custom' | 'all'>, string>> = {
  ...{ today: 'today', yesterday: 'yesterday', '7d': 'last_7_days', '30d': 'last_30_days', '90d': 'last_90_days' },
  ...{ month: 'this_month', lastmonth: 'last_month', year: 'this_year', '12m': 'last_12_months' },
}

const minute = 60_000

/** The last millisecond of the minute, so that all requests within a minute are equal and share a cached answer. */
const endOfMinute = (moment: number): number => Math.floor(moment / minute) * minute + minute - 1

/** The chosen period. `first` is the date of the first event; it is used for the period `all`. */
export function periodOf(address: Address, first: string | undefined, now: number): Period {
  const { zone } = address
  const today = dayOf(now, zone)
  const { from, to } = daysOf(address, first, now)
  const isUnderWay = from <= today && today <= to
  const named = address.period === 'custom' || address.period === 'all' ? undefined : names[address.period]
  return {
    ...{ from, to, zone, unit: intervalsOf({ from, to }).find((one) => one === address.interval) ?? unitOf(from, to) },
    ...{ until: isUnderWay ? endOfMinute(now) : undefined, name: isUnderWay ? named : undefined },
  }
}

function daysOf({ period, from, to, zone }: Address, first: string | undefined, now: number) {
  const today = dayOf(now, zone)
  if (period === 'custom') return { from: from ?? today, to: to ?? today }
  if (period === 'all') return { from: first !== undefined && first < today ? first : today, to: today }
  const { startAt, endAt } = namedPeriod(names[period], { now, zone })!
  const start = dayOf(startAt, zone)
  // The periods `month` and `year` always cover a whole month or year, which need not include today.
  if (period === 'month') return { from: monthAfter(from ?? start, 0), to: endOfMonth(from ?? start) }
  const year = (from ?? start).slice(0, 4)
  return period === 'year' ? { from: `${year}-01-01`, to: `${year}-12-31` } : { from: start, to: dayOf(endAt, zone) }
}

function unitOf(from: string, to: string): Unit {
  const days = daysBetween(from, to) + 1
  if (days <= 2) return 'hour'
  if (days <= 93) return 'day'
  return days <= 1500 ? 'month' : 'year'
}

/** The bucket lengths that fit these days: with each, the chart has at least two points, and not too many to draw. */
export function intervalsOf({ from, to }: Pick<Period, 'from' | 'to'>): readonly Interval[] {
  const days = daysBetween(from, to) + 1
  const fitting = { hour: days <= 93, day: days > 1 && days <= 1500, week: days > 7, month: days > 31 }
  return (Object.keys(fitting) as Interval[]).filter((one) => fitting[one])
}

export function parametersOf({ from, to, zone, until, name }: Period): PeriodParameters {
  if (until !== undefined && name !== undefined) return { period: name, timezone: zone }
  return { startDate: from, endDate: until === undefined ? to : new Date(until).toISOString(), timezone: zone }
}

/** The period to compare with. */
interface Compared {
  /** The part of the comparison period that corresponds to the elapsed part of the current period. */
  readonly passed: Period
  readonly whole: Period
}

/**
 * The period to compare with: the preceding period of the same length, or the same days one year before. Months are
 * compared with months, and years with years. If the same weekdays should be compared, the period is moved back by
 * whole weeks.
 */
export function comparedWith(period: Period, { period: name, compare }: Address): Compared | undefined {
  if (compare === 'none' || name === 'all') return undefined
  const { from, until, zone } = period
  const [start, end] = comparedDays(period, name, compare)
  const whole = { ...period, from: start, to: end, until: undefined, name: undefined }
  if (until === undefined) return { passed: whole, whole }
  const today = dayOf(until, zone)
  const last = dateAfter(start, daysBetween(from, today))
  if (last > end) return { passed: whole, whole }
  // If the clocks change in between, the days are an hour longer or shorter.
  const { first } = momentsOf(clockAt(until, zone) - daysBetween(last, today) * dayLength, zone)
  return { passed: { ...whole, to: last, until: first }, whole }
}

function comparedDays(period: Period, name: PeriodName, compare: Address['compare']): readonly [string, string] {
  const { from, to } = period
  const ago = (days: number) => [dateAfter(from, -days), dateAfter(to, -days)] as const
  if (compare === 'yoy') return [yearAfter(from, -1), yearAfter(to, -1)]
  if (compare === 'yoyweeks') return ago(52 * 7)
  return compare === 'weeks'
    ? ago(7 * Math.ceil((daysBetween(from, to) + 1) / 7))
    : [previousStart(period, name), dateAfter(from, -1)]
}

function previousStart({ from, to }: Period, name: Address['period']): string {
  if (name === 'month' || name === 'lastmonth') return monthAfter(from, -1)
  if (name === '12m') return monthAfter(from, -12)
  return name === 'year' ? yearAfter(from, -1) : dateAfter(from, -(daysBetween(from, to) + 1))
}
