import type { Parameter } from './query-string.ts'

/** An IANA time zone that this runtime knows, old names included. */
export const timeZone = (description: string): Parameter<string> => ({
  read: (text, report) =>
    isTimeZone(text) ? text : void report('Must be an IANA time zone, such as UTC or America/Los_Angeles.'),
  doc: { description, schema: { type: 'string', examples: ['UTC', 'America/Los_Angeles'] } },
})

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,99}$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const dayLength = 86_400_000

/**
 * The first millisecond whose date in `zone` is `day` (YYYY-MM-DD) or later: midnight, unless clocks skip it. Found by
 * halves: dates do not go back. (They did for an hour where clocks were turned back just after midnight, as in St John's
 * until 2011; there it is the start of the day before the change or after it.)
 */
export function startOfDay(day: string, zone: string): number {
  const midnight = Date.parse(day)
  const dateIn = dateFormat(zone)
  let before = midnight - 2 * dayLength
  let at = midnight + 2 * dayLength
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2)
    if (dateIn(middle) >= day) at = middle
    else before = middle
  }
  return at
}

export const startOfNextDay = (day: string, zone: string): number =>
  startOfDay(new Date(Date.parse(day) + dayLength).toISOString().slice(0, 10), zone)

/** The date (YYYY-MM-DD) of a moment in `zone`. */
export const dayOf = (milliseconds: number, zone: string): string => dateFormat(zone)(milliseconds)

function dateFormat(zone: string): (milliseconds: number) => string {
  const format = new Intl.DateTimeFormat('en', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
  return (milliseconds) => {
    const parts = new Map(format.formatToParts(milliseconds).map(({ type, value }) => [type, value]))
    return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
  }
}
