import type { Parameter } from './query-string.ts'

/** Accepts old names and any letter case. ClickHouse also knows the resulting name. */
export const timeZone = (description: string): Parameter<string> => ({
  read: (text, refuse) => nameOfZone(text) ?? void refuse(unknownZone),
  doc: { description, schema: { type: 'string', examples: ['UTC', 'America/Los_Angeles'] } },
})

export const unknownZone = 'Must be an IANA time zone, such as UTC or America/Los_Angeles.'

/** ClickHouse's name for a time zone; undefined if there is no such zone. */
export function nameOfZone(name: string): string | undefined {
  if (!/^[A-Za-z][\w+/-]{0,99}$/.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

export const hourLength = 3_600_000
export const dayLength = 24 * hourLength

/** The date (YYYY-MM-DD) of a moment in UTC. */
export const utcDate = (milliseconds: number): string => new Date(milliseconds).toISOString().slice(0, 10)

/** The date that is `days` days after another one. */
export const dateAfter = (date: string, days: number): string => utcDate(Date.parse(date) + days * dayLength)

/** The number of days since Monday, for a date given as midnight in UTC. Weeks begin on Monday, as in ISO 8601. */
export const daysSinceMonday = (midnight: number): number => (new Date(midnight).getUTCDay() + 6) % 7

/**
 * The first millisecond whose date in `zone` is `day` (YYYY-MM-DD) or later. This is midnight, unless a clock change
 * skips it. Binary search works because dates do not go backwards. (Exceptions are changes just after midnight, as in
 * St John's until 2011, where the result is the start of the day before or after the change.)
 */
export function startOfDay(day: string, zone: string): number {
  const midnight = Date.parse(day)
  const dateIn = dateFormat(zone)
  // The first guess is right unless clocks change nearby.
  const likely = midnight - (clockAt(midnight, zone) - midnight)
  if (dateIn(likely) === day && dateIn(likely - 1) < day) return likely
  return firstBetween(midnight - 2 * dayLength, midnight + 2 * dayLength, (moment) => dateIn(moment) >= day)
}

/**
 * The first moment for which `passes` returns true, by binary search. `passes` must return false for `before`, true for
 * `at`, and true for every moment after one for which it returns true.
 */
function firstBetween(before: number, at: number, passes: (moment: number) => boolean): number {
  let [low, high] = [before, at]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (passes(middle)) high = middle
    else low = middle
  }
  return high
}

/** Clock changes are further apart than this, unless both are by whole hours and at whole hours. */
const betweenChanges = 14 * dayLength

/** From a year before this moment on, the rules for clock changes stay the same. */
const endOfRules = Date.UTC(2040, 0)

/**
 * Cached results for whole UTC years, by zone and year. Each result requires dozens of time conversions, which take
 * some microseconds each.
 */
const wholeYears = new Map<string, boolean>()
const mostYears = 10_000

/** Whether each UTC hour that a period touches lies within one local hour and one local day. In UTC+5:30, none does. */
export function hasWholeHours(zone: string, period: { startAt: number; endAt: number }): boolean {
  if (zone === 'UTC') return true
  const endAt = Math.min(period.endAt, endOfRules)
  // An event's hour begins before the period if the period begins within it.
  const startOfHour = period.startAt - (period.startAt % hourLength)
  const startAt = Math.min(startOfHour, endOfRules - 366 * dayLength)
  for (let year = new Date(startAt).getUTCFullYear(); Date.UTC(year, 0) <= endAt; year++) {
    const [first, last] = [Date.UTC(year, 0), Date.UTC(year + 1, 0) - 1]
    const isWhole = startAt <= first && last <= endAt
    if (!(isWhole ? hasWholeYear(zone, year) : changesAtHours(zone, Math.max(startAt, first), Math.min(endAt, last)))) {
      return false
    }
  }
  return true
}

function hasWholeYear(zone: string, year: number): boolean {
  const key = `${zone} ${year}`
  const known = wholeYears.get(key)
  if (known !== undefined) return known
  const found = changesAtHours(zone, Date.UTC(year, 0), Date.UTC(year + 1, 0) - 1)
  if (wholeYears.size >= mostYears) wholeYears.clear()
  wholeYears.set(key, found)
  return found
}

/** Whether the offset from UTC is always a whole number of hours and changes only at whole hours. */
function changesAtHours(zone: string, startAt: number, endAt: number): boolean {
  const offset = (moment: number): number => clockAt(moment, zone) - moment
  for (let [at, before] = [startAt, offset(startAt)]; ; ) {
    if (before % hourLength !== 0) return false
    if (at >= endAt) return true
    const next = Math.min(at + betweenChanges, endAt)
    const after = offset(next)
    if (after !== before) {
      const isPast = (hours: number): boolean => offset(hours * hourLength) !== before
      const firstPast = firstBetween(Math.floor(at / hourLength), Math.ceil(next / hourLength), isPast)
      if (offset(firstPast * hourLength - 1) !== before) return false
    }
    ;[at, before] = [next, after]
  }
}

export const startOfNextDay = (day: string, zone: string): number => startOfDay(dateAfter(day, 1), zone)

/** The date (YYYY-MM-DD) of a moment in `zone`. */
export const dayOf = (milliseconds: number, zone: string): string => dateFormat(zone)(milliseconds)

/**
 * The maximum number of cached formats. They are expensive to create, and a series needs many moments in the same zone.
 */
const mostFormats = 100

function kept(make: (zone: string) => Intl.DateTimeFormat): (zone: string) => Intl.DateTimeFormat {
  const formats = new Map<string, Intl.DateTimeFormat>()
  return (zone) => {
    const format = formats.get(zone) ?? make(zone)
    if (formats.size >= mostFormats) formats.clear()
    formats.set(zone, format)
    return format
  }
}

const dates = kept(
  (timeZone) => new Intl.DateTimeFormat('en', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }),
)

function dateFormat(zone: string): (milliseconds: number) => string {
  if (zone === 'UTC') return utcDate
  const format = dates(zone)
  return (milliseconds) => {
    const parts = new Map(format.formatToParts(milliseconds).map(({ type, value }) => [type, value]))
    return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
  }
}

/** The local time in `zone` at a moment, expressed as the moment that has the same time in UTC. */
export const clockAt = (milliseconds: number, zone: string): number => clockFormat(zone)(milliseconds)

/** The moments with a certain local time. `last` differs from `first` if the clocks show that time twice. */
export interface Moments {
  readonly first: number
  readonly last: number
}

/** The moments with the local time `clock` in `zone`. If a clock change skips it, the first moment after the gap. */
export function momentsOf(clock: number, zone: string): Moments {
  const clockIn = clockFormat(zone)
  // A clock change lies between the previous and the next day, which have the offsets before and after it.
  const [before, after] = [clock - dayLength, clock + dayLength]
  const shown = [before, after]
    .map((moment) => clock - (clockIn(moment) - moment))
    .filter((moment) => clockIn(moment) === clock)
  if (shown.length > 0) return { first: Math.min(...shown), last: Math.max(...shown) }
  const next = firstBetween(before, after, (moment) => clockIn(moment) > clock)
  return { first: next, last: next }
}

const two = '2-digit'

const clocks = kept(
  (timeZone) =>
    new Intl.DateTimeFormat('en', {
      timeZone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: two, day: two, hour: two, minute: two, second: two },
    }),
)

function clockFormat(zone: string): (milliseconds: number) => number {
  if (zone === 'UTC') return (milliseconds) => milliseconds
  const format = clocks(zone)
  return (milliseconds) => {
    const parts = new Map(format.formatToParts(milliseconds).map(({ type, value }) => [type, Number(value)]))
    const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type)!
    const second = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
    return second + (((milliseconds % 1000) + 1000) % 1000)
  }
}
