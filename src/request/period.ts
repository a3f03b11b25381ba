import * as z from 'zod'
import { group, oneOf, type Parameter, type Report, wholeNumber } from './query-string.ts'
import { startOfDay, startOfNextDay, timeZone } from './time-zone.ts'

/** Both ends are included, in milliseconds since 1970. */
export interface Period {
  readonly startAt: number
  readonly endAt: number
}

/** The last millisecond that a request may name: 20 November 2286. */
const latest = 9_999_999_999_999

/** The earliest moment that ClickHouse's DateTime64 holds: 1 January 1900. */
const earliestStored = -2_208_988_800_000

/** All that can be stored and asked for. */
export const always: Period = { startAt: earliestStored, endAt: latest }

const moment = (description: string): Parameter<number> => wholeNumber(description, { min: 0, max: latest })

interface IsoDate {
  readonly day: string | undefined
  readonly at: number
}

const isoDate = (description: string): Parameter<IsoDate> => ({
  read(text, report) {
    const day = z.iso.date().safeParse(text).success ? text : undefined
    const at = day || z.iso.datetime({ offset: true }).safeParse(text).success ? Date.parse(text) : Number.NaN
    if (at >= 0 && at <= latest) return { day, at }
    return void report(
      'Must be an ISO 8601 date (2025-10-15) or a moment with its offset (2025-10-15T16:26:28Z), from 1970 to 2286.',
    )
  },
  doc: { description, schema: { type: 'string', examples: ['2025-10-15', '2025-10-15T16:26:28Z'] } },
})

/** `startAt` and `endAt`, or `startDate` and `endDate`, and the time zone in which bare dates are days. */
export const range = group(
  {
    startAt: moment('Start of the range, included: milliseconds since 1970. Required unless startDate is given.'),
    endAt: moment('End of the range, included: milliseconds since 1970. Required unless endDate is given.'),
    startDate: isoDate(
      'Start of the range as ISO 8601, in place of startAt. A bare date is the first moment of that day in timezone.',
    ),
    endDate: isoDate(
      'End of the range as ISO 8601, in place of endAt. A bare date is the last millisecond of that day in timezone.',
    ),
    timezone: timeZone('IANA time zone in which bare dates are days. UTC when left out.'),
  },
  ({ startAt, endAt, startDate, endDate, timezone = 'UTC' }, report) => {
    const dates = startDate !== undefined || endDate !== undefined
    const numbers = startAt !== undefined || endAt !== undefined
    if (dates && numbers)
      report(startDate ? 'startDate' : 'endDate', 'Give startAt and endAt, or startDate and endDate, not both.')
    const period = dates
      ? ends(
          startDate && firstMoment(startDate, timezone),
          endDate && lastMoment(endDate, timezone),
          'startDate',
          'endDate',
          report,
        )
      : ends(startAt, endAt, 'startAt', 'endAt', report)
    return { period }
  },
)

/** Existing clients send a unit with every range; these endpoints answer no series, so it changes nothing. */
export const unit = oneOf('Accepted and without effect here.', ['minute', 'hour', 'day', 'month', 'year'])

function ends(
  startAt: number | undefined,
  endAt: number | undefined,
  start: string,
  end: string,
  report: Report,
): Period {
  if (startAt === undefined) report(start, 'This parameter is required.')
  if (endAt === undefined) report(end, 'This parameter is required.')
  if (startAt !== undefined && endAt !== undefined && endAt < startAt) report(end, `Must not be before ${start}.`)
  return { startAt: startAt ?? 0, endAt: endAt ?? 0 }
}

const firstMoment = ({ day, at }: IsoDate, zone: string): number => (day === undefined ? at : startOfDay(day, zone))
const lastMoment = ({ day, at }: IsoDate, zone: string): number =>
  day === undefined ? at : startOfNextDay(day, zone) - 1

export type Comparison = 'prev' | 'yoy'

/** The period to compare with: the one of equal length just before, or both ends one calendar year earlier. */
export function compared({ startAt, endAt }: Period, comparison: Comparison): Period {
  return comparison === 'yoy'
    ? { startAt: yearBefore(startAt), endAt: yearBefore(endAt) }
    : { startAt: stored(startAt - (endAt - startAt) - 1), endAt: stored(startAt - 1) }
}

const stored = (milliseconds: number): number => Math.max(milliseconds, earliestStored)

/** 29 February becomes 28 February. */
function yearBefore(milliseconds: number): number {
  const date = new Date(milliseconds)
  const day = date.getUTCDate()
  date.setUTCFullYear(date.getUTCFullYear() - 1)
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return date.getTime()
}
