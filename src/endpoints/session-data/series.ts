import { bucketOf } from '../../query/buckets.ts'
import { elements } from '../../query/properties.ts'
import { numberOfProperty, typedProperty } from '../../query/session-data.ts'
import { select, sql } from '../../query/sql.ts'
import { range } from '../../request/period.ts'
import { query } from '../../request/query-string.ts'
import { type Buckets, seriesRange } from '../../request/series.ts'
import { report } from '../endpoint.ts'
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
} from '../event-data/property-series.ts'
import { namedSeries } from '../statistics/longest-series.ts'
import { aboutSessions, oneProperty, sessionFilters } from './selected.ts'

/** A series is about the moments of the identify calls, which may lie outside the range. */
const bucketOfCall = (buckets: Buckets) => bucketOf(buckets, sql`said_at`)

export const getSessionDataPropertySeries = report({
  ...aboutSessions('getSessionDataPropertySeries', 'session-data/property-series', 'plan'),
  summary: 'Sessions by the current value of a text or boolean property over time. Each counts at its identify call.',
  query: query(seriesRange, oneProperty, sessionFilters),
  answer: NamedPoints,
  plan: (input, scope) => ({
    series: select(NamedRow)`
      select value as name, ${bucketOfCall(input.buckets)} as bucket, count() as events
      ${typedProperty(input, [1, 3], scope)}
      group by name, bucket
      ${byBucketAndName}`,
  }),
  shape: ({ series }, { period, buckets }) => ({ body: namedSeries(series.rows, period, buckets) }),
})

export const getSessionDataArraySeries = report({
  ...aboutSessions('getSessionDataArraySeries', 'session-data/array-series', 'tags'),
  summary: 'Sessions by the elements of a current array property over time. Each counts at its identify call.',
  query: query(seriesRange, oneProperty, sessionFilters),
  answer: NamedPoints,
  plan: (input, scope) => ({
    series: select(NamedRow)`
      select arrayJoin(arrayDistinct(${elements(sql`value`)})) as name, ${bucketOfCall(input.buckets)} as bucket, count() as events
      ${typedProperty(input, [5], scope)}
      group by name, bucket
      ${byBucketAndName}`,
  }),
  shape: ({ series }, { period, buckets }) => ({ body: namedSeries(series.rows, period, buckets) }),
})

export const getSessionDataDateSeries = report({
  ...aboutSessions('getSessionDataDateSeries', 'session-data/date-series', 'at'),
  summary: 'Sessions by the date in a current property, one row for each second.',
  query: query(range, oneProperty, sessionFilters),
  answer: DatePoints,
  plan: (input, scope) => ({
    series: select(DateRow)`
      select value as t, count() as y
      ${typedProperty(input, [4], scope)}
      group by t
      ${byDate}`,
  }),
  shape: ({ series }) => ({ body: datePoints(series.rows) }),
})

export const getSessionDataNumericSeries = report({
  ...aboutSessions('getSessionDataNumericSeries', 'session-data/numeric-series', 'amount'),
  summary: 'The sum, mean or count of a current number property over time. Each value counts at its identify call.',
  query: query(seriesRange, oneProperty, metric, sessionFilters),
  answer: NumberPoints,
  plan: (input, scope) => ({
    series: select(NumberRow)`
      select ${bucketOfCall(input.buckets)} as bucket, ${aggregateOf(input.metric, numberOfProperty)} as y
      ${typedProperty(input, [2], scope)}
      group by bucket
      ${byBucket}`,
  }),
  shape: ({ series }, input) => ({ body: numberPoints(series.rows, input) }),
})

export const getSessionDataNumericStats = report({
  ...aboutSessions('getSessionDataNumericStats', 'session-data/numeric-stats', 'amount'),
  summary:
    'The total, mean, median, minimum and maximum of a current number property of sessions; all 0 without values.',
  query: query(range, oneProperty, sessionFilters),
  answer: Statistics,
  plan: (input, scope) => ({
    numbers: select(StatisticsRow)`
      select ${statisticsOf(numberOfProperty)}
      ${typedProperty(input, [2], scope)}`,
  }),
  shape: ({ numbers }) => ({ body: statistics(numbers.rows) }),
})
