import * as z from 'zod'
import { bucketOf, labelled } from '../../query/buckets.ts'
import { exactNumber } from '../../query/decimal.ts'
import { ascending, order } from '../../query/order.ts'
import { elements } from '../../query/properties.ts'
import { isAction, rows } from '../../query/rows.ts'
import type { Scope } from '../../query/scope.ts'
import { type Fragment, select, sql, text, uint8s } from '../../query/sql.ts'
import { customEvents } from '../../query/tables.ts'
import { type Filters, filters } from '../../request/filters.ts'
import { type Period, range } from '../../request/period.ts'
import { freeText, group, oneOf, query, required } from '../../request/query-string.ts'
import { seriesRange } from '../../request/series.ts'
import { report } from '../endpoint.ts'
import { inRange, purchase } from '../examples.ts'
import { longestSeries, namedSeries, refuseLonger } from '../statistics/longest-series.ts'

/** The property of the events of one name, both given literally. */
const property = group(
  {
    eventName: required(freeText('Only events of exactly this name.')),
    propertyName: required(freeText('The property: exactly this name.')),
  },
  ({ eventName = '', propertyName = '' }) => ({ eventName, propertyName }),
)

interface PropertySeriesInput {
  readonly period: Period
  readonly filters: Filters
  readonly eventName: string
  readonly propertyName: string
}

/** `from …`: a row for each of the unfolded values of the selected events of the name. */
const unfoldedRows = (
  { period, filters, eventName }: PropertySeriesInput,
  unfolded: Fragment,
  scope: Scope,
  ...conditions: readonly Fragment[]
): Fragment => {
  const isNamed = sql`event_name = ${text(eventName)}`
  return rows(customEvents, { scope, period, filters }, [isAction, isNamed, ...conditions], unfolded)
}

/** A row for each property of these types. */
const typedRows = (input: PropertySeriesInput, types: readonly number[], scope: Scope, ...conditions: Fragment[]) => {
  const unfolded = sql`properties.key as data_key, properties.data_type as data_type, properties.value as value,
    properties.number_value as number`
  const ofProperty = [sql`data_key = ${text(input.propertyName)}`, sql`data_type in ${uint8s(types)}`]
  return unfoldedRows(input, unfolded, scope, ...ofProperty, ...conditions)
}

/** A row for each different value: an event counts once for it, though it may have the property twice. */
const valueRows = (input: PropertySeriesInput, types: readonly number[], scope: Scope): Fragment =>
  unfoldedRows(
    input,
    sql`arrayDistinct(arrayFilter(
      (value, key, type, date) -> key = ${text(input.propertyName)} and type in ${uint8s(types)} and (type != 4 or isNotNull(date)),
      properties.value, properties.key, properties.data_type, properties.date_value)) as value`,
    scope,
  )

const seriesQuery = query(seriesRange, property, filters({ shorthand: true }))

/** Where nothing is cut into buckets. */
const rangeQuery = query(range, property, filters({ shorthand: true }))

const declared = (name: string, path: string, propertyName: string) => ({
  name,
  path: `/api/websites/:websiteId/event-data-pivot/${path}` as const,
  sections: ['events'] as const,
  example: { query: { ...inRange, eventName: purchase.event_name, propertyName }, events: [purchase] },
})

const NamedRow = () => z.object({ name: z.string(), bucket: z.string(), events: z.number() })
const NamedPoints = () => z.array(z.object({ x: z.string(), t: z.string(), y: z.number().int() }))

const byBucketAndName = longestSeries(order([ascending(sql`bucket`), ascending(sql`name`)]))

export const getEventDataPropertySeries = report({
  ...declared('getEventDataPropertySeries', 'property-series', 'plan'),
  summary: 'The values of a text or a boolean over time.',
  query: seriesQuery,
  answer: NamedPoints,
  plan: (input, scope) => ({
    series: select(NamedRow)`
      select value as name, ${bucketOf(input.buckets)} as bucket, count() as events
      ${valueRows(input, [1, 3], scope)}
      group by name, bucket
      ${byBucketAndName}`,
  }),
  shape: ({ series }, { period, buckets }) => ({ body: namedSeries(series.rows, period, buckets) }),
})

export const getEventDataArraySeries = report({
  ...declared('getEventDataArraySeries', 'array-series', 'tags'),
  summary: 'The elements of an array over time.',
  query: seriesQuery,
  answer: NamedPoints,
  plan: (input, scope) => ({
    series: select(NamedRow)`
      select arrayJoin(${elements(sql`value`)}) as name, ${bucketOf(input.buckets)} as bucket, count() as events
      ${typedRows(input, [5], scope)}
      group by name, bucket
      ${byBucketAndName}`,
  }),
  shape: ({ series }, { period, buckets }) => ({ body: namedSeries(series.rows, period, buckets) }),
})

const DateRow = () => z.object({ t: z.string(), y: z.number() })

export const getEventDataDateSeries = report({
  ...declared('getEventDataDateSeries', 'date-series', 'at'),
  summary: 'Events by the date that their property holds, one row for each second.',
  query: rangeQuery,
  answer: () => z.array(z.object({ t: z.string(), y: z.number().int() })),
  plan: (input, scope) => ({
    series: select(DateRow)`
      select value as t, count() as y
      ${valueRows(input, [4], scope)}
      group by t
      ${longestSeries(order([ascending(sql`t`)]))}`,
  }),
  shape: ({ series }) => {
    refuseLonger(series.rows.length)
    return { body: [...series.rows] }
  },
})

const metric = group(
  { metric: oneOf('What is made of the numbers of a bucket; sum when left out.', ['sum', 'avg', 'count']) },
  ({ metric = 'sum' }) => ({ metric }),
)

/** Each as the digits of a JSON number. */
const aggregates = {
  sum: sql`toString(sum(assumeNotNull(number)))`,
  avg: sql`toString(toFloat64(sum(assumeNotNull(number))) / count())`,
  count: sql`toString(count())`,
}

const NumberRow = () => z.object({ bucket: z.string(), y: z.string() })

export const getEventDataNumericSeries = report({
  ...declared('getEventDataNumericSeries', 'numeric-series', 'amount'),
  summary: 'The sum, the mean or the count of a number over time.',
  query: query(seriesRange, property, metric, filters({ shorthand: true })),
  answer: () => z.array(z.object({ t: z.string(), y: z.number() })),
  plan: (input, scope) => ({
    series: select(NumberRow)`
      select ${bucketOf(input.buckets)} as bucket, ${aggregates[input.metric]} as y
      ${typedRows(input, [2], scope, sql`isNotNull(number)`)}
      group by bucket
      ${longestSeries(order([ascending(sql`bucket`)]))}`,
  }),
  shape: ({ series }, { period, buckets, metric }) => {
    refuseLonger(series.rows.length)
    const filled = { ...buckets, fill: buckets.fill && metric !== 'avg' }
    const points = labelled(series.rows, period, filled)
    return { body: points.map(({ label, rows }) => ({ t: label, y: exactNumber(rows[0]?.y ?? '0') })) }
  },
})

const Statistics = () =>
  z.object({
    total: z.number(),
    average: z.number(),
    median: z.number(),
    max: z.number(),
    min: z.number(),
  })

const StatisticsRow = () =>
  z.object({
    total: z.string(),
    average: z.number(),
    median: z.number(),
    greatest: z.string(),
    least: z.string(),
  })

export const getEventDataNumericStats = report({
  ...declared('getEventDataNumericStats', 'numeric-stats', 'amount'),
  summary: 'The total, the mean, the median and the extremes of a number; all 0 where there is none.',
  query: rangeQuery,
  answer: Statistics,
  plan: (input, scope) => ({
    numbers: select(StatisticsRow)`
      select toString(sum(assumeNotNull(number))) as total,
        if(count() = 0, 0, toFloat64(sum(assumeNotNull(number))) / count()) as average,
        if(count() = 0, 0, toFloat64(medianExactLow(assumeNotNull(number)) + medianExactHigh(assumeNotNull(number))) / 2) as median,
        toString(max(assumeNotNull(number))) as greatest, toString(min(assumeNotNull(number))) as least
      ${typedRows(input, [2], scope, sql`isNotNull(number)`)}`,
  }),
  shape: ({ numbers }) => {
    const { total, average, median, greatest, least } = numbers.rows[0]!
    return {
      body: { total: exactNumber(total), average, median, max: exactNumber(greatest), min: exactNumber(least) },
    }
  },
})
