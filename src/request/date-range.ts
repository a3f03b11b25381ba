import { always, type Period } from './period.ts'
import { dayOf, daysSinceMonday, hourLength, startOfDay, utcDate } from './time-zone.ts'

/** The forms of a saved date range, for messages and descriptions. */
export const dateRangeForms =
  '<number><unit> such as 30day, of hour, day, week, month and year (that many units back and the whole of the current one; 0day is today), range:<start>:<end> in milliseconds since 1970, both included, or all'

type Unit = 'day' | 'week' | 'month' | 'year'

/** A calendar day; months count from 0. */
interface Day {
  readonly year: number
  readonly month: number
  readonly day: number
}

/** The first day of the unit that lies `ago` units before the current one, as midnight in UTC. */
const firstDays: Readonly<Record<Unit, (today: Day, ago: number) => number>> = {
  day: ({ year, month, day }, ago) => Date.UTC(year, month, day - ago),
  week: ({ year, month, day }, ago) =>
    Date.UTC(year, month, day - daysSinceMonday(Date.UTC(year, month, day)) - 7 * ago),
  month: ({ year, month }, ago) => Date.UTC(year, month - ago, 1),
  year: ({ year }, ago) => Date.UTC(year, -12 * ago, 1),
}

/**
 * The period of a saved date range at the moment `now`; undefined if the text is not a date range. `<n><unit>` is the
 * whole current calendar unit in `zone` and the `n` units before it.
 */
export function periodOf(dateRange: string, now: number, zone: string): Period | undefined {
  if (dateRange === 'all') return always
  const [, start, end] = /^range:(\d{1,13}):(\d{1,13})$/.exec(dateRange) ?? []
  if (start !== undefined && end !== undefined) {
    return Number(start) <= Number(end) ? { startAt: Number(start), endAt: Number(end) } : undefined
  }
  const [, ago, unit] = /^(\d{1,4})(hour|day|week|month|year)$/.exec(dateRange) ?? []
  if (ago === undefined) return undefined
  return unit === 'hour' ? hoursUntil(now, Number(ago), zone) : unitsUntil(now, Number(ago), unit as Unit, zone)
}

/** A period of hours. They begin at full hours of local time in `zone`. */
function hoursUntil(now: number, ago: number, zone: string): Period {
  const start = now - ((now - startOfDay(dayOf(now, zone), zone)) % hourLength)
  return { startAt: start - ago * hourLength, endAt: start + hourLength - 1 }
}

function unitsUntil(now: number, ago: number, unit: Unit, zone: string): Period {
  const [year, month, day] = dayOf(now, zone).split('-').map(Number) as [number, number, number]
  const firstOf = (ago: number) => startOfDayIn(firstDays[unit]({ year, month: month - 1, day }, ago), zone)
  return { startAt: firstOf(ago), endAt: firstOf(-1) - 1 }
}

const startOfDayIn = (midnight: number, zone: string): number =>
  midnight < always.startAt ? always.startAt : startOfDay(utcDate(midnight), zone)
