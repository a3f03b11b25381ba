import { dayOf, daysSinceMonday, startOfDay, utcDate } from './time-zone.ts'

export type CalendarUnit = 'day' | 'week' | 'month' | 'year'

/** A calendar day. Months are numbered from 0. */
interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** The first day of the calendar unit that is `ago` units before the current one, as midnight in UTC. */
const firstDays: Readonly<Record<CalendarUnit, (today: Day, ago: number) => number>> = {
  day: ({ year, month, day }, ago) => Date.UTC(year, month, day - ago),
  week: ({ year, month, day }, ago) =>
    Date.UTC(year, month, day - daysSinceMonday(Date.UTC(year, month, day)) - 7 * ago),
  month: ({ year, month }, ago) => Date.UTC(year, month - ago, 1),
  year: ({ year }, ago) => Date.UTC(year, -12 * ago, 1),
}

/**
 * The first moment, in `zone`, of the calendar unit that is `ago` units before the current one, but at least
 * `earliest`. Weeks begin on Monday. All moments are in milliseconds since 1970.
 */
export function startOfUnit(unit: CalendarUnit, ago: number, now: number, zone: string, earliest: number): number {
  const [year, month, day] = dayOf(now, zone).split('-').map(Number) as [number, number, number]
  const midnight = firstDays[unit]({ year, month: month - 1, day }, ago)
  return midnight < earliest ? earliest : startOfDay(utcDate(midnight), zone)
}
