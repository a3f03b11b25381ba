import * as fc from 'fast-check'

/** The first and last millisecond. */
export type Span = [number, number]

/** Ranges of one kind near a moment. */
export type Spans = (around: number) => fc.Arbitrary<Span>

const DAY = 86_400_000

/** Consecutive calendar months. The first month's number is a multiple of `count`, so that 3 yields a quarter. */
export function calendarMonths(count: number): Spans {
  return (around) => {
    const date = new Date(around)
    const first = Math.floor(date.getUTCMonth() / count) * count
    const year = date.getUTCFullYear()
    return fc.constant<Span>([Date.UTC(year, first), Date.UTC(year, first + count) - 1])
  }
}

/** Whole days. The moment is often on the first or last day, or on the day after. */
export function wholeDays(count: number): Spans {
  return (around) =>
    fc.oneof(fc.nat({ max: count }), fc.constantFrom(0, count - 1, count)).map((before) => {
      const start = Math.floor(around / DAY) * DAY - before * DAY
      return [start, start + count * DAY - 1]
    })
}

/** The same ranges, with either end moved by at most a millisecond. */
export function nearly(spans: Spans): Spans {
  const shifts = fc.constantFrom(-1, 0, 1)
  return (around) =>
    fc.tuple(spans(around), shifts, shifts).map(([[start, end], one, other]) => [start + one, end + other])
}

/** This many days, starting at any millisecond, such as a dashboard's last 30 days. */
export function slidingDays(count: number): Spans {
  return (around) =>
    fc.tuple(fc.nat({ max: count * DAY - 1 }), fc.constantFrom(-1, 0)).map(([before, last]) => {
      const start = around - before
      return [start, start + count * DAY + last]
    })
}
