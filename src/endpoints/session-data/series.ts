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

/** A series is about the moments at which values were said, which may lie outside of the range. */
const bucketOfCall = (buckets: Buckets) => bucketOf(buckets, sql`said_at`)

export const getSessionDataPropertySeries = report({
  ...aboutSessions('getSessionDataPropertySeries', 'session-data/property-series', 'plan'),
  summary: 'Sessions by the text or boolean that a property has now, over the time at which it was said.',
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
  summary: 'Sessions by the elements of the array that a property has now, over the time at which it was said.',
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
  summary: 'Sessions by the date that a property has now, one row for each second.',
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
  summary:
    'The sum, the mean or the count of the numbers that a property has now, over the time at which they were said.',
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
    'The total, the mean, the median and the extremes of a number that sessions have now; all 0 where none has it.',
  query: query(range, oneProperty, sessionFilters),
  answer: Statistics,
  plan: (input, scope) => ({
    numbers: select(StatisticsRow)`
      select ${statisticsOf(numberOfProperty)}
      ${typedProperty(input, [2], scope)}`,
  }),
  shape: ({ numbers }) => ({ body: statistics(numbers.rows) }),
})
