import { type CalendarUnit, startOfUnit } from './calendar.ts'
import { always, type Period } from './period.ts'
import { clockAt, hourLength } from './time-zone.ts'

/** The formats of a saved date range, for messages and descriptions. */
export const dateRangeForms =
  '<number><unit> such as 30day, of hour, day, week, month and year (that many units back and the whole of the current one; 0day is today), range:<start>:<end> in milliseconds since 1970, both included, or all'

/**
 * The period of a saved date range at the moment `now`; undefined if the text is not a date range. `<n><unit>` means
 * the whole current calendar unit in `zone` and the `n` units before it.
 */
export function periodOf(dateRange: string, now: number, zone: string): Period | undefined {
  if (dateRange === 'all') return always
  const [, start, end] = /^range:(\d{1,13}):(\d{1,13})$/.exec(dateRange) ?? []
  if (start !== undefined && end !== undefined) {
    return Number(start) <= Number(end) ? { startAt: Number(start), endAt: Number(end) } : undefined
  }
  const [, ago, unit] = /^(\d{1,4})(hour|day|week|month|year)$/.exec(dateRange) ?? []
  if (ago === undefined) return undefined
  return unit === 'hour' ? hoursUntil(now, Number(ago), zone) : unitsUntil(now, Number(ago), unit as CalendarUnit, zone)
}

/** A period measured in whole hours of local time in `zone`. */
function hoursUntil(now: number, ago: number, zone: string): Period {
  const start = now - (clockAt(now, zone) % hourLength)
  return { startAt: start - ago * hourLength, endAt: start + hourLength - 1 }
}

function unitsUntil(now: number, ago: number, unit: CalendarUnit, zone: string): Period {
  const firstOf = (ago: number) => startOfUnit(unit, ago, now, zone, always.startAt)
  return { startAt: firstOf(ago), endAt: firstOf(-1) - 1 }
}
