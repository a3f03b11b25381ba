import * as z from 'zod'
import { isPeriodName, periodNames } from './named-period.ts'
import { type AddIssue, group, oneOf, type Parameter, type Values, wholeNumber } from './query-string.ts'
import { clockAt, type Moments, momentsOf, startOfDay, startOfNextDay, timeZone } from './time-zone.ts'

/** In milliseconds since 1970, including both ends. */
export interface Period {
  readonly startAt: number
  readonly endAt: number
}

/** The last millisecond that a request may contain: 20 November 2286. */
export const latestMoment = 9_999_999_999_999

/** The earliest moment that ClickHouse's DateTime64 can represent: 1 January 1900. */
const earliestStored = -2_208_988_800_000

/** The range of all moments that can be stored and requested. */
export const always: Period = { startAt: earliestStored, endAt: latestMoment }

/** An end of a range, in milliseconds. Its error message tells people who send a date what to send instead. */
function momentParameter(description: string, least: number): Parameter<number> {
  const parameter = wholeNumber(description, { min: least, max: latestMoment })
  const read: typeof parameter.read = (text, refuse) =>
    readIso(text) ? void refuse(isoInNumbers) : parameter.read(text, refuse)
  return { ...parameter, read }
}

const isoInNumbers =
  'Must be milliseconds since 1970. Give dates as startDate and endDate, or a whole range as period, such as period=7d.'

/** Smaller numbers are assumed to be in seconds. In milliseconds since 1970, this number is in March 1973. */
const leastEnd = 100_000_000_000

const seconds = 'Must be milliseconds since 1970, from 100000000000 on. These look like seconds: multiply them by 1000.'

/**
 * The end of a range. Without a lower limit, an end given in seconds would be in January 1970, and the range would
 * contain no events.
 */
function endParameter(description: string): Parameter<number> {
  const end = momentParameter(description, leastEnd)
  const read: typeof end.read = (text, refuse) =>
    /^\d{1,11}$/.test(text) ? void refuse(seconds) : end.read(text, refuse)
  return { ...end, read }
}

interface IsoDate {
  readonly day: string | undefined
  readonly at: number
}

function readIso(text: string): IsoDate | undefined {
  const day = z.iso.date().safeParse(text).success ? text : undefined
  const at = day || z.iso.datetime({ offset: true }).safeParse(text).success ? Date.parse(text) : Number.NaN
  return at >= 0 && at <= latestMoment ? { day, at } : undefined
}

const isoDate = (description: string): Parameter<IsoDate> => ({
  read(text, refuse) {
    const date = readIso(text)
    if (date) return date
    return void refuse(
      'Must be an ISO 8601 date (2025-10-15) or a moment with its offset (2025-10-15T16:26:28Z), from 1970 to 2286.',
    )
  },
  doc: { description, schema: { type: 'string', examples: ['2025-10-15', '2025-10-15T16:26:28Z'] } },
})

/** A moment in either of the two notations that ranges accept. */
const moment = (description: string): Parameter<number> => ({
  read(text, refuse) {
    const at = /^\d{1,13}$/.test(text) ? Number(text) : readIso(text)?.at
    if (at !== undefined) return at
    return void refuse(
      'Must be milliseconds since 1970, or an ISO 8601 moment with its offset (2025-10-15T16:26:28Z), to 2286.',
    )
  },
  doc: { description, schema: { type: 'string', examples: ['2025-10-15T16:26:28Z', '1760545588000'] } },
})

/** How fresh an answer must be. `serve/need.ts` removes it from the input, because no plan depends on it. */
export const freshness = group(
  {
    minAsOf: moment(
      'The answer must include every event whose insert ended before this moment, in milliseconds since 1970 or as ' +
        'ISO 8601. If it cannot, the request fails with 503.',
    ),
  },
  ({ minAsOf }) => (minAsOf === undefined ? {} : { minAsOf }),
)

/** A named range. `serve/period.ts` has already replaced it with its two ends. */
const period: Parameter<string> = {
  read(text, refuse) {
    if (!isPeriodName(text)) refuse(`Must be one of: ${periodNames}.`)
    return text
  },
  doc: {
    description:
      `The whole range by name, instead of both ends: ${periodNames}. 24h, 7d, 30d and 90d are exact multiples of 24 ` +
      'hours; all others are whole units in timezone, including the current one, up to now. ' +
      'The header X-Range gives the ends.',
    schema: { type: 'string', examples: ['7d', 'last_30_days', 'this_month'] },
  },
}

export const rangeParameters = {
  startAt: momentParameter(
    'Start of the range, inclusive, in milliseconds since 1970. Required unless startDate or period is given.',
    0,
  ),
  endAt: endParameter(
    'End of the range, inclusive, in milliseconds since 1970. Required unless endDate or period is given.',
  ),
  startDate: isoDate(
    'Start of the range as ISO 8601, instead of startAt. A bare date is the first moment of that day in timezone.',
  ),
  endDate: isoDate(
    'End of the range as ISO 8601, instead of endAt. A bare date is the last millisecond of that day in timezone.',
  ),
  period,
  timezone: timeZone('IANA time zone for local days, and for the year that yoy goes back; UTC by default.'),
}

/** `startAt` and `endAt`, `startDate` and `endDate`, or `period`, and the time zone that bare dates refer to. */
export const range = group(rangeParameters, (values, addIssue): { period: Period } => ({
  period: requiredPeriod(values, addIssue),
}))

/** Like `range`, with the time zone for local dates. */
export const zonedRange = group(rangeParameters, (values, addIssue): { period: Period; zone: string } => ({
  period: requiredPeriod(values, addIssue),
  zone: values.timezone ?? 'UTC',
}))

/** Whether a request contains either end of a range. */
export const isRangeGiven = ({ startAt, endAt, startDate, endDate }: Values<typeof rangeParameters>): boolean =>
  [startAt, endAt, startDate, endDate].some(isGiven)

/** An optional range. A single end is refused. */
export const rangeOrNone = group(rangeParameters, (values, addIssue): { period: Period | undefined } => ({
  period: isRangeGiven(values) ? requiredPeriod(values, addIssue) : undefined,
}))

/** An optional range. The parameters that are given must be consistent. */
export const optionalRange = group(rangeParameters, (values, addIssue) => {
  const { startAt, endAt, startDate, endDate, period } = values
  const hasBoth = [startAt, startDate].some(isGiven) && [endAt, endDate].some(isGiven)
  if (period !== undefined || hasBoth) requiredPeriod(values, addIssue)
  return {}
})

const isGiven = (value: unknown): boolean => value !== undefined

/** Existing clients send a unit with every range. It affects only series. */
export const unit = oneOf('The bucket length of a series.', ['minute', 'hour', 'day', 'week', 'month', 'year'])

/** Both pairs may be given if they describe the same range. */
export function requiredPeriod(values: Values<typeof rangeParameters>, addIssue: AddIssue): Period {
  const { startAt, endAt, startDate, endDate, timezone = 'UTC' } = values
  if (values.period !== undefined) {
    if (isRangeGiven(values)) addIssue('period', 'Leave it out if startAt, endAt, startDate or endDate is given.')
    return { startAt: 0, endAt: 0 }
  }
  const isInDates = isGiven(startDate) || isGiven(endDate)
  const isInNumbers = isGiven(startAt) || isGiven(endAt) || !isInDates
  const dates = {
    startAt: startDate && firstMoment(startDate, timezone),
    endAt: endDate && lastMoment(endDate, timezone),
  }
  if (isInDates && isInNumbers) {
    if (differs(startAt, dates.startAt)) addIssue('startDate', 'Must be the same moment as startAt, or left out.')
    if (differs(endAt, dates.endAt)) addIssue('endDate', 'Must be the same moment as endAt, or left out.')
  }
  const inDates = isInDates && requiredEnds(dates.startAt, dates.endAt, 'startDate', 'endDate', addIssue)
  return (
    (isInNumbers && requiredEnds(startAt, endAt, 'startAt', 'endAt', addIssue)) || inDates || { startAt: 0, endAt: 0 }
  )
}

const differs = (one: number | undefined, other: number | undefined): boolean =>
  one !== undefined && other !== undefined && one !== other

function requiredEnds(
  startAt: number | undefined,
  endAt: number | undefined,
  start: string,
  end: string,
  addIssue: AddIssue,
): Period {
  if (startAt === undefined) addIssue(start, 'This parameter is required.')
  if (endAt === undefined) addIssue(end, 'This parameter is required.')
  if (startAt !== undefined && endAt !== undefined && endAt < startAt) addIssue(end, `Must not be before ${start}.`)
  return { startAt: startAt ?? 0, endAt: endAt ?? 0 }
}

const firstMoment = ({ day, at }: IsoDate, zone: string): number => (day === undefined ? at : startOfDay(day, zone))
const lastMoment = ({ day, at }: IsoDate, zone: string): number =>
  day === undefined ? at : startOfNextDay(day, zone) - 1

/** The period to compare with: the preceding period, or the same period a year earlier by the clock in a time zone. */
export type Comparison = { readonly to: 'prev' } | { readonly to: 'yoy'; readonly zone: string }

export const compare = oneOf('The period to compare with: the one just before (prev), or a year earlier (yoy).', [
  'prev',
  'yoy',
])

const comparisonOf = (to: Comparison['to'], zone: string): Comparison => (to === 'prev' ? { to } : { to, zone })

/** The parameters for the comparison period. */
export const comparison = group(
  { compare, timezone: rangeParameters.timezone },
  ({ compare = 'prev', timezone = 'UTC' }): { compare: Comparison } => ({
    compare: comparisonOf(compare, timezone),
  }),
)

/** The comparison parameter of reports that compare by default. */
export const comparisonUnlessNone = group(
  {
    compare: oneOf('The period to compare with: the one just before (prev), a year earlier (yoy), or none.', [
      'prev',
      'yoy',
      'none',
    ]),
    timezone: rangeParameters.timezone,
  },
  ({ compare = 'prev', timezone = 'UTC' }): { compare: Comparison | undefined } => ({
    compare: compare === 'none' ? undefined : comparisonOf(compare, timezone),
  }),
)

/** The comparison parameter of reports that compare only on request. */
export const optionalComparison = group(
  { compare, timezone: rangeParameters.timezone },
  ({ compare, timezone = 'UTC' }): { compare: Comparison | undefined } => ({
    compare: compare && comparisonOf(compare, timezone),
  }),
)

/**
 * The period to compare with: the preceding one of equal length, or one a calendar year earlier, whose ends have the
 * same local times; if a local time occurs twice, the longer period is used.
 */
export function compared({ startAt, endAt }: Period, comparison: Comparison): Period {
  return comparison.to === 'yoy'
    ? { startAt: yearBefore(startAt, comparison.zone).first, endAt: yearBefore(endAt, comparison.zone).last }
    : { startAt: startAt - (endAt - startAt) - 1, endAt: startAt - 1 }
}

/** A year before 29 February is 28 February. */
function yearBefore(milliseconds: number, zone: string): Moments {
  const clock = new Date(clockAt(milliseconds, zone))
  const day = clock.getUTCDate()
  clock.setUTCFullYear(clock.getUTCFullYear() - 1)
  if (clock.getUTCDate() !== day) clock.setUTCDate(0)
  return momentsOf(clock.getTime(), zone)
}
