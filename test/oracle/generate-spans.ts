import * as fc from 'fast-check'

/** The first and the last millisecond. */
export type Span = [number, number]

/** Ranges of one kind around a moment. */
export type Spans = (around: number) => fc.Arbitrary<Span>

const DAY = 86_400_000

/** Months of the calendar that follow each other, the first of them a multiple of how many they are: a quarter has 3. */
export function calendarMonths(count: number): Spans {
  return (around) => {
    const date = new Date(around)
    const first = Math.floor(date.getUTCMonth() / count) * count
    const year = date.getUTCFullYear()
    return fc.constant<Span>([Date.UTC(year, first), Date.UTC(year, first + count) - 1])
  }
}

/** Whole days; the moment is often in the first or the last of them, or in the one after. */
export function wholeDays(count: number): Spans {
  return (around) =>
    fc.oneof(fc.nat({ max: count }), fc.constantFrom(0, count - 1, count)).map((before) => {
      const start = Math.floor(around / DAY) * DAY - before * DAY
      return [start, start + count * DAY - 1]
    })
}

/** The same, a millisecond more or less at either end. */
export function nearly(spans: Spans): Spans {
  const shifts = fc.constantFrom(-1, 0, 1)
  return (around) =>
    fc.tuple(spans(around), shifts, shifts).map(([[start, end], one, other]) => [start + one, end + other])
}

/** So many days from any millisecond on: how a dashboard asks for the last 30 days. */
export function slidingDays(count: number): Spans {
  return (around) =>
    fc.tuple(fc.nat({ max: count * DAY - 1 }), fc.constantFrom(-1, 0)).map(([before, last]) => {
      const start = around - before
      return [start, start + count * DAY + last]
    })
}
