const HOUR = 3_600_000

const instants = new Map<string, number>()

/** Parses the column text `YYYY-MM-DD HH:MM:SS.mmm` into milliseconds. */
export function columnInstant(text: string): number {
  const known = instants.get(text)
  if (known !== undefined) return known
  const instant = milliseconds(`${text.replace(' ', 'T')}Z`)
  instants.set(text, instant)
  return instant
}

/** Parses an ISO 8601 instant with an offset into milliseconds. */
export function milliseconds(iso: string): number {
  const instant = Date.parse(iso)
  if (Number.isNaN(instant)) throw new Error(`Oracle: not an instant: ${iso}`)
  return instant
}

/** Formats an instant as ISO 8601 in UTC, to the second. The fraction is dropped, even before 1970. */
export function isoSecond(instant: number): string {
  return new Date(instant).toISOString().replace(/\.\d{3}Z$/, 'Z')
}

export function isBareDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text)
}

/** The calendar day (`YYYY-MM-DD`) of an instant in a time zone. */
export function localDay(instant: number, timezone: string): string {
  return calendar(timezone).format(instant)
}

const calendars = new Map<string, Intl.DateTimeFormat>()

function calendar(timezone: string): Intl.DateTimeFormat {
  const known = calendars.get(timezone)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat('sv-SE', {
    ...{ timeZone: timezone, year: 'numeric', month: '2-digit', day: '2-digit' },
  })
  calendars.set(timezone, made)
  return made
}

export function firstMillisecond(day: string, timezone: string): number {
  let before = milliseconds(`${day}T00:00:00Z`) - 30 * HOUR
  let after = before + 60 * HOUR
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (localDay(middle, timezone) >= day) after = middle
    else before = middle
  }
  return after
}

export function lastMillisecond(day: string, timezone: string): number {
  return firstMillisecond(dayAfter(day), timezone) - 1
}

function dayAfter(day: string): string {
  return movedDay(day, 1)
}

/** The date this many calendar days later. */
export function movedDay(day: string, days: number): string {
  return new Date(milliseconds(`${day}T00:00:00Z`) + days * 24 * HOUR).toISOString().slice(0, 10)
}

/** The Monday of the day's week. */
export function mondayOf(day: string): string {
  return movedDay(day, -((new Date(day).getUTCDay() + 6) % 7))
}

/** The same UTC date and time one year earlier. 29 February becomes 28 February. */
export function yearEarlier(instant: number): number {
  const date = new Date(instant)
  const leapDay = date.getUTCMonth() === 1 && date.getUTCDate() === 29
  if (leapDay) date.setUTCDate(28)
  return date.setUTCFullYear(date.getUTCFullYear() - 1)
}

const QUARTER = 900_000

/**
 * The same local time a year earlier. It is the first or last instant with this local time or, if the clocks skipped
 * it, the first instant after the gap. Clock changes and UTC offsets are multiples of a quarter of an hour.
 */
export function yearEarlierIn(instant: number, timezone: string, which: 'first' | 'last'): number {
  const shown = yearEarlier(clock(instant, timezone))
  const quarters = Array.from({ length: 4 * 32 }, (_, index) => (index - 4 * 16) * QUARTER)
  const instants = quarters.map((quarter) => shown + quarter).filter((one) => clock(one, timezone) === shown)
  if (instants.length > 0) return which === 'first' ? instants[0]! : instants.at(-1)!
  const begin = Math.floor(shown / QUARTER) * QUARTER
  return quarters.map((quarter) => begin + quarter).find((one) => clock(one, timezone) > shown)!
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** The local time in a zone, as the instant with the same time in UTC. */
export function clock(instant: number, timezone: string): number {
  const style = { dateStyle: 'short', timeStyle: 'medium' } as const
  const format = clocks.get(timezone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, ...style })
  clocks.set(timezone, format)
  const second = Math.floor(instant / 1000) * 1000
  return milliseconds(`${format.format(second).replace(' ', 'T')}Z`) + instant - second
}
