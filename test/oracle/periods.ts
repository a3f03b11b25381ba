import { firstMillisecond, lastMillisecond, localDay, mondayOf, movedDay } from './instants.ts'

/** The start and end, in milliseconds. */
export type Period = { startAt: number; endAt: number }

const HOUR = 3_600_000

/** Every form of a period name, in which a number stands for any number. */
export const PERIOD_NAMES = [
  ...['today', 'yesterday', '24h', '7d', '30d', '90d', 'all_time'],
  ...['this_week', 'this_month', 'this_year', 'last_week', 'last_month', 'last_year'],
  ...['last_24_hours', 'last_1_days', 'last_30_days', 'last_4_weeks', 'last_12_months', 'last_2_years'],
]

/** The range that a period name stands for in a request at `now`. `first` is the first visible event. */
export function periodCalled(name: string, timezone: string, now: number, first: number | undefined): Period {
  const end = now - (now % 1000)
  const today = localDay(end, timezone)
  const until = (startAt: number): Period => ({ startAt, endAt: Math.max(startAt, end) })
  const days = (from: string, to: string): Period => ({
    startAt: firstMillisecond(from, timezone),
    endAt: lastMillisecond(to, timezone),
  })
  const hours = { '24h': 24, '7d': 168, '30d': 720, '90d': 2160 }[name]
  if (hours !== undefined) return until(end - hours * HOUR)
  if (name === 'all_time') return until(first ?? end)
  if (name === 'today') return until(firstMillisecond(today, timezone))
  if (name === 'yesterday') return days(movedDay(today, -1), movedDay(today, -1))
  const [which, ...words] = name.split('_')
  const unit = words.at(-1)!.replace(/s$/, '')
  if (unit === 'hour') return until(end - Number(words[0]) * HOUR)
  if (which === 'this') return until(firstMillisecond(firstDay(unit, today, 0), timezone))
  if (words.length === 2) return until(firstMillisecond(firstDay(unit, today, Number(words[0]) - 1), timezone))
  return days(firstDay(unit, today, 1), movedDay(firstDay(unit, today, 0), -1))
}

/** The first day of the unit that is `back` units before the unit of `day`. */
function firstDay(unit: string, day: string, back: number): string {
  if (unit === 'day') return movedDay(day, -back)
  if (unit === 'week') return movedDay(mondayOf(day), -7 * back)
  if (unit === 'year') return `${Number(day.slice(0, 4)) - back}-01-01`
  const months = 12 * Number(day.slice(0, 4)) + Number(day.slice(5, 7)) - 1 - back
  return `${Math.floor(months / 12)}-${String((months % 12) + 1).padStart(2, '0')}-01`
}
