import type { ValueOf } from '../../made.ts'
import { eventsByBucket } from '../../query/figures/counts.ts'
import { ascending, descending, limitTo, order } from '../../query/language/order.ts'
import type { Selection } from '../../query/language/scope.ts'
import { type Fragment, sql } from '../../query/language/sql.ts'
import { type Statement, select } from '../../query/language/statement.ts'
import { anyContains } from '../../query/language/text.ts'
import { selectedCustomEvents } from '../../query/tables/views.ts'
import { filters } from '../../request/filters.ts'
import { search } from '../../request/page.ts'
import { group, query, wholeNumber } from '../../request/query-string.ts'
import { type Buckets, seriesRange } from '../../request/series.ts'
import { report } from '../endpoint.ts'
import { inRange, purchase } from '../examples.ts'
import { byBucketAndName, NamedCountRow, NamedPoints, namedSeries } from '../longest-series.ts'

const names = group(
  { limit: wholeNumber('How many names to return: those with the most events. All by default.', { min: 1, max: 500 }) },
  ({ limit }) => ({ names: limit }),
)

interface NamesInput {
  /** The maximum number of names; names with the most events come first. */
  readonly names: number | undefined
  readonly search: string | undefined
}

/** Returns the condition on an event's name; undefined if all names are wanted. */
function isWanted(selection: Selection, { names, search }: NamesInput): Fragment | undefined {
  const isFound = anyContains(search, sql`event_name`)
  if (names === undefined) return isFound
  const ranked = order([descending(sql`count()`), ascending(sql`event_name`)])
  return sql`event_name global in (
    select event_name ${selectedCustomEvents(selection, isFound)} group by event_name ${limitTo(ranked, names)})`
}

const seriesRows = (
  selection: Selection,
  buckets: Buckets,
  wanted: NamesInput,
): Statement<ValueOf<typeof NamedCountRow>> => select(NamedCountRow)`
  select event_name as name, bucket, sum(events) as events
  from ${eventsByBucket(selection, buckets, isWanted(selection, wanted))}
  group by name, bucket
  having events > 0
  ${byBucketAndName}`

export const getWebsiteEventSeries = report({
  name: 'getWebsiteEventSeries',
  path: '/api/websites/:websiteId/events/series',
  sections: ['events'],
  countsDeleted: true,
  summary: 'Custom events by name over time.',
  example: { query: inRange, events: [purchase] },
  query: query(seriesRange, names, search('Part of the name, ignoring case.'), filters()),
  answer: NamedPoints,
  plan: ({ period, filters, buckets, ...wanted }, scope) => ({
    series: seriesRows({ scope, period, filters }, buckets, wanted),
  }),
  shape: ({ series }, { period, buckets }) => ({ body: namedSeries(series.rows, period, buckets) }),
})
