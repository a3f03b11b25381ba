import { bucketOf } from '../../query/buckets.ts'
import { unfoldedWithFlags } from '../../query/counts.ts'
import { elements } from '../../query/properties.ts'
import { canAnswer, isAction, rows } from '../../query/rows.ts'
import type { Scope } from '../../query/scope.ts'
import { type Fragment, select, sql, text, uint8s } from '../../query/sql.ts'
import { customEvents, eventData } from '../../query/tables.ts'
import { type Filters, filters } from '../../request/filters.ts'
import { type Period, range } from '../../request/period.ts'
import { freeText, group, query, required } from '../../request/query-string.ts'
import { seriesRange } from '../../request/series.ts'
import { report } from '../endpoint.ts'
import { inRange, purchase } from '../examples.ts'
import { namedSeries } from '../statistics/longest-series.ts'
import {
  aggregateOf,
  byBucket,
  byBucketAndName,
  byDate,
  DatePoints,
  DateRow,
  datePoints,
  metric,
  NamedPoints,
  NamedRow,
  NumberPoints,
  NumberRow,
  numberPoints,
  Statistics,
  StatisticsRow,
  statistics,
  statisticsOf,
} from './property-series.ts'

/** The property of the events of one name, both given literally. */
const property = group(
  {
    eventName: required(freeText('Only events of exactly this name.')),
    propertyName: required(freeText('The exact name of the property.')),
  },
  ({ eventName = '', propertyName = '' }) => ({ eventName, propertyName }),
)

interface PropertySeriesInput {
  readonly period: Period
  readonly filters: Filters
  readonly eventName: string
  readonly propertyName: string
}

/**
 * `from …`: a row for each property of these types, with its `value`, of the selected events of the name. A number or a
 * date that is missing has none. Where `event_data` lacks the column of a filter, this unfolds `custom_events`, which
 * gives the same rows.
 */
function seriesRows(
  { period, filters, eventName, propertyName }: PropertySeriesInput,
  types: readonly number[],
  scope: Scope,
  ...conditions: readonly Fragment[]
): Fragment {
  const selection = { scope, period, filters }
  const ofProperty = [
    ...[isAction, sql`event_name = ${text(eventName)}`, sql`data_key = ${text(propertyName)}`],
    ...[sql`data_type in ${uint8s(types)}`, sql`not is_void`],
    ...conditions,
  ]
  return canAnswer(eventData, selection)
    ? rows(eventData, selection, ofProperty)
    : rows(customEvents, selection, ofProperty, unfoldedWithFlags)
}

/** A row for each distinct value: an event counts once for it, even with the property twice. */
const valueRows = (input: PropertySeriesInput, types: readonly number[], scope: Scope): Fragment =>
  seriesRows(input, types, scope, sql`not is_repeat`)

const seriesQuery = query(seriesRange, property, filters({ shorthand: 'properties' }))

/** For reports without buckets. */
const rangeQuery = query(range, property, filters({ shorthand: 'properties' }))

const declared = (name: string, path: string, propertyName: string) => ({
  name,
  path: `/api/websites/:websiteId/event-data-pivot/${path}` as const,
  sections: ['events'] as const,
  example: { query: { ...inRange, eventName: purchase.event_name, propertyName }, events: [purchase] },
})

export const getEventDataPropertySeries = report({
  ...declared('getEventDataPropertySeries', 'property-series', 'plan'),
  summary: 'The values of a text or boolean property over time.',
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
  summary: 'The elements of an array property over time.',
  query: seriesQuery,
  answer: NamedPoints,
  plan: (input, scope) => ({
    series: select(NamedRow)`
      select arrayJoin(${elements(sql`value`)}) as name, ${bucketOf(input.buckets)} as bucket, count() as events
      ${seriesRows(input, [5], scope)}
      group by name, bucket
      ${byBucketAndName}`,
  }),
  shape: ({ series }, { period, buckets }) => ({ body: namedSeries(series.rows, period, buckets) }),
})

export const getEventDataDateSeries = report({
  ...declared('getEventDataDateSeries', 'date-series', 'at'),
  summary: 'Events by the date in their property, one row for each second.',
  query: rangeQuery,
  answer: DatePoints,
  plan: (input, scope) => ({
    series: select(DateRow)`
      select value as t, count() as y
      ${valueRows(input, [4], scope)}
      group by t
      ${byDate}`,
  }),
  shape: ({ series }) => ({ body: datePoints(series.rows) }),
})

/** A number's text has all of its digits. */
const number = sql`toDecimal128OrZero(value, 4)`

export const getEventDataNumericSeries = report({
  ...declared('getEventDataNumericSeries', 'numeric-series', 'amount'),
  summary: 'The sum, mean or count of a number property over time.',
  query: query(seriesRange, property, metric, filters({ shorthand: 'properties' })),
  answer: NumberPoints,
  plan: (input, scope) => ({
    series: select(NumberRow)`
      select ${bucketOf(input.buckets)} as bucket, ${aggregateOf(input.metric, number)} as y
      ${seriesRows(input, [2], scope)}
      group by bucket
      ${byBucket}`,
  }),
  shape: ({ series }, input) => ({ body: numberPoints(series.rows, input) }),
})

export const getEventDataNumericStats = report({
  ...declared('getEventDataNumericStats', 'numeric-stats', 'amount'),
  summary: 'The total, mean, median, minimum and maximum of a number property; all 0 without values.',
  query: rangeQuery,
  answer: Statistics,
  plan: (input, scope) => ({
    numbers: select(StatisticsRow)`
      select ${statisticsOf(number)}
      ${seriesRows(input, [2], scope)}`,
  }),
  shape: ({ numbers }) => ({ body: statistics(numbers.rows) }),
})
