import * as z from 'zod'
import type { Section } from '../access/opening.ts'
import { titled, type ValueOf } from '../made.ts'
import { exactNumber } from '../query/language/decimal.ts'
import { longestSeries } from '../query/language/order.ts'
import type { Scope, SelectedEvents } from '../query/language/scope.ts'
import { type Fragment, sql } from '../query/language/sql.ts'
import { select } from '../query/language/statement.ts'
import { bucketOf, labelled } from '../query/tables/buckets.ts'
import type { Filters } from '../request/filters.ts'
import { type Period, range } from '../request/period.ts'
import { type Group, group, oneOf, query } from '../request/query-string.ts'
import { type Buckets, seriesRange } from '../request/series.ts'
import { type AnyReport, report } from './endpoint.ts'
import type { Example } from './examples.ts'
import { byBucket, byBucketAndName, NamedCountRow, NamedPoints, namedSeries, refuseLonger } from './longest-series.ts'

/** Counts by the date in a property. */
const DateRow = () => z.object({ t: z.string(), y: z.number() })
const DatePoints = () => z.array(z.object({ t: z.string(), y: z.number().int() }).meta({ title: 'CountPoint' }))

const byDate = longestSeries(sql`t`)

function datePoints(rows: readonly ValueOf<typeof DateRow>[]): ValueOf<typeof DatePoints> {
  refuseLonger(rows.length)
  return [...rows]
}

const metric = group(
  { metric: oneOf('How the numbers of a bucket are combined; sum by default.', ['sum', 'avg', 'count']) },
  ({ metric = 'sum' }) => ({ metric }),
)

type Metric = 'sum' | 'avg' | 'count'

/** The aggregate, as the digits of a JSON number. */
function aggregateOf(metric: Metric, number: Fragment): Fragment {
  switch (metric) {
    case 'sum':
      return sql`toString(sum(${number}))`
    case 'avg':
      return sql`toString(toFloat64(sum(${number})) / count())`
    case 'count':
      return sql`toString(count())`
  }
}

const NumberRow = () => z.object({ bucket: z.string(), y: z.string() })
const NumberPoints = () => z.array(z.object({ t: z.string(), y: z.number() }).meta({ title: 'NumberPoint' }))

/** A bucket without numbers has no mean. */
function numberPoints(
  rows: readonly ValueOf<typeof NumberRow>[],
  { period, buckets, metric }: { readonly period: Period; readonly buckets: Buckets; readonly metric: Metric },
): ValueOf<typeof NumberPoints> {
  refuseLonger(rows.length)
  const points = labelled(rows, period, { ...buckets, fill: buckets.fill && metric !== 'avg' })
  return points.map(({ label, rows }) => ({ t: label, y: exactNumber(rows[0]?.y ?? '0') }))
}

const Statistics = titled('NumberStatistics', () =>
  z.object({
    total: z.number(),
    average: z.number(),
    median: z.number(),
    max: z.number(),
    min: z.number(),
  }),
)

const StatisticsRow = () =>
  z.object({
    total: z.string(),
    average: z.number(),
    median: z.number(),
    greatest: z.string(),
    least: z.string(),
  })

/** The select list for the statistics of a number. */
const statisticsOf = (number: Fragment): Fragment => sql`
  toString(sum(${number})) as total, if(count() = 0, 0, toFloat64(sum(${number})) / count()) as average,
  if(count() = 0, 0, toFloat64(medianExactLow(${number}) + medianExactHigh(${number})) / 2) as median,
  toString(max(${number})) as greatest, toString(min(${number})) as least`

function statistics([row]: readonly ValueOf<typeof StatisticsRow>[]): ValueOf<typeof Statistics> {
  const { total, average, median, greatest, least } = row!
  return { total: exactNumber(total), average, median, max: exactNumber(greatest), min: exactNumber(least) }
}

export interface PropertyInput extends SelectedEvents {
  /** The name of the property's events; undefined for a property of sessions. */
  readonly eventName?: string
  readonly propertyName: string
}

/** `from …`: a row for each property of these types, with its `value`. A missing number or date has no row. */
type PropertyRows = (input: PropertyInput, types: readonly number[], scope: Scope) => Fragment

/** The suffixes of the reports' names. */
type Ending = 'PropertySeries' | 'ArraySeries' | 'DateSeries' | 'NumericSeries' | 'NumericStats'

/** The source of the properties: events or sessions. */
interface PropertySource {
  /** The declarations of a report. `propertyName` is the property in its example. */
  readonly about: (
    name: Ending,
    path: string,
    propertyName: string,
  ) => {
    readonly name: string
    readonly path: string
    readonly sections: readonly Section[]
    readonly example: Example
  }
  readonly summaries: Readonly<Record<Ending, string>>
  readonly property: Group<Pick<PropertyInput, 'eventName' | 'propertyName'>>
  readonly filters: Group<{ filters: Filters }>
  readonly rows: PropertyRows
  /** Like `rows`, but an event has one row for each distinct value. */
  readonly values: PropertyRows
  /** The expression for the moment of a row. */
  readonly moment: Fragment
  /** The expression for the counted elements of an array. */
  readonly elements: Fragment
  /** The expression for the value as a number. */
  readonly number: Fragment
}

/** The reports about one property's values, in the order of `Ending`. */
export function propertySeries(
  source: PropertySource,
): readonly [AnyReport, AnyReport, AnyReport, AnyReport, AnyReport] {
  const { about, summaries, property, filters, rows, values, moment, elements, number } = source
  const bucket = (buckets: Buckets): Fragment => bucketOf(buckets, moment)
  const series = query(seriesRange, property, filters)
  const whole = query(range, property, filters)
  return [
    report({
      ...about('PropertySeries', 'property-series', 'plan'),
      summary: summaries.PropertySeries,
      query: series,
      answer: NamedPoints,
      plan: (input, scope) => ({
        series: select(NamedCountRow)`
          select value as name, ${bucket(input.buckets)} as bucket, count() as events
          ${values(input, [1, 3], scope)}
          group by name, bucket
          ${byBucketAndName}`,
      }),
      shape: ({ series }, { period, buckets }) => ({ body: namedSeries(series.rows, period, buckets) }),
    }),
    report({
      ...about('ArraySeries', 'array-series', 'tags'),
      summary: summaries.ArraySeries,
      query: series,
      answer: NamedPoints,
      plan: (input, scope) => ({
        series: select(NamedCountRow)`
          select arrayJoin(${elements}) as name, ${bucket(input.buckets)} as bucket, count() as events
          ${rows(input, [5], scope)}
          group by name, bucket
          ${byBucketAndName}`,
      }),
      shape: ({ series }, { period, buckets }) => ({ body: namedSeries(series.rows, period, buckets) }),
    }),
    report({
      ...about('DateSeries', 'date-series', 'at'),
      summary: summaries.DateSeries,
      query: whole,
      answer: DatePoints,
      plan: (input, scope) => ({
        series: select(DateRow)`
          select value as t, count() as y
          ${values(input, [4], scope)}
          group by t
          ${byDate}`,
      }),
      shape: ({ series }) => ({ body: datePoints(series.rows) }),
    }),
    report({
      ...about('NumericSeries', 'numeric-series', 'amount'),
      summary: summaries.NumericSeries,
      query: query(seriesRange, property, metric, filters),
      answer: NumberPoints,
      plan: (input, scope) => ({
        series: select(NumberRow)`
          select ${bucket(input.buckets)} as bucket, ${aggregateOf(input.metric, number)} as y
          ${rows(input, [2], scope)}
          group by bucket
          ${byBucket}`,
      }),
      shape: ({ series }, input) => ({ body: numberPoints(series.rows, input) }),
    }),
    report({
      ...about('NumericStats', 'numeric-stats', 'amount'),
      summary: summaries.NumericStats,
      query: whole,
      answer: Statistics,
      plan: (input, scope) => ({
        numbers: select(StatisticsRow)`
          select ${statisticsOf(number)}
          ${rows(input, [2], scope)}`,
      }),
      shape: ({ numbers }) => ({ body: statistics(numbers.rows) }),
    }),
  ]
}
