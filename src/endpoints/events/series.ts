import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import { eventsByBucket } from '../../query/counts.ts'
import { ascending, descending, limitTo, order } from '../../query/order.ts'
import type { Selection } from '../../query/scope.ts'
import { type Fragment, type Statement, select, sql } from '../../query/sql.ts'
import { selectedCustomEvents } from '../../query/views.ts'
import { filters } from '../../request/filters.ts'
import { group, query, wholeNumber } from '../../request/query-string.ts'
import { type Buckets, seriesRange } from '../../request/series.ts'
import { report } from '../endpoint.ts'
import { inRange, purchase } from '../examples.ts'
import { longestSeries, namedSeries } from '../statistics/longest-series.ts'

const names = group(
  { limit: wholeNumber('Only so many names, those of the most events; all when left out.', { min: 1, max: 500 }) },
  ({ limit }) => ({ names: limit }),
)

const SeriesRow = () => z.object({ name: z.string(), bucket: z.string(), events: z.number() })

/** The names with the most events, in the order of their text where they have as many. */
function mostUsed(selection: Selection, most: number | undefined): Fragment | undefined {
  if (most === undefined) return undefined
  const ranked = order([descending(sql`count()`), ascending(sql`event_name`)])
  return sql`event_name global in (
    select event_name ${selectedCustomEvents(selection)} group by event_name ${limitTo(ranked, most)})`
}

const seriesRows = (
  selection: Selection,
  buckets: Buckets,
  most: number | undefined,
): Statement<ValueOf<typeof SeriesRow>> => select(SeriesRow)`
  select event_name as name, bucket, sum(events) as events
  from ${eventsByBucket(selection, buckets, mostUsed(selection, most))}
  group by name, bucket
  having events > 0
  ${longestSeries(order([ascending(sql`bucket`), ascending(sql`name`)]))}`

export const getWebsiteEventSeries = report({
  name: 'getWebsiteEventSeries',
  path: '/api/websites/:websiteId/events/series',
  sections: ['events'],
  summary: 'Custom events by name over time.',
  example: { query: inRange, events: [purchase] },
  query: query(seriesRange, names, filters()),
  answer: () => z.array(z.object({ x: z.string(), t: z.string(), y: z.number().int() })),
  plan: ({ period, filters, buckets, names }, scope) => ({
    series: seriesRows({ scope, period, filters }, buckets, names),
  }),
  shape: ({ series }, { period, buckets }) => ({ body: namedSeries(series.rows, period, buckets) }),
})
