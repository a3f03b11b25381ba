import * as z from 'zod'
import { titled, type ValueOf } from '../../made.ts'
import { labelled } from '../../query/figures/buckets.ts'
import { ofEvents } from '../../query/figures/figures.ts'
import { viewsByBucket } from '../../query/figures/views-by-bucket.ts'
import type { Selection } from '../../query/language/scope.ts'
import { type Plan, type Result, type Statement, select } from '../../query/language/sql.ts'
import { filters } from '../../request/filters.ts'
import { type Comparison, compared, optionalComparison, type Period } from '../../request/period.ts'
import { query } from '../../request/query-string.ts'
import { type Buckets, seriesRange } from '../../request/series.ts'
import { timeOf } from '../answers.ts'
import { report } from '../endpoint.ts'
import { inRange, pageView } from '../examples.ts'
import { byBucket } from '../longest-series.ts'

const Point = titled('Point', () => z.object({ x: z.string(), y: z.number().int() }))
const Series = () => z.object({ pageviews: z.array(Point()), sessions: z.array(Point()) })
const Dates = () => z.object({ startDate: z.string(), endDate: z.string() })

const Bucket = () => z.object({ bucket: z.string(), pageviews: z.number(), sessions: z.number() })

type Bucket = ValueOf<typeof Bucket>

function bucketsOf(selection: Selection, buckets: Buckets): Statement<Bucket> {
  const { from, bucket, views } = viewsByBucket(selection, buckets)
  return select(Bucket)`
    select ${bucket} as bucket, ${views} as pageviews, ${ofEvents.visitors} as sessions
    ${from}
    group by bucket
    ${byBucket}`
}

function seriesOf({ rows }: Result<Bucket>, period: Period, buckets: Buckets): ValueOf<typeof Series> {
  const points = labelled(rows, period, buckets)
  const of = (count: (row: Bucket) => number) =>
    points.map(({ label, rows }) => ({ x: label, y: rows.reduce((sum, row) => sum + count(row), 0) }))
  return { pageviews: of(({ pageviews }) => pageviews), sessions: of(({ sessions }) => sessions) }
}

const datesOf = ({ startAt, endAt }: Period): ValueOf<typeof Dates> => ({
  startDate: timeOf(startAt),
  endDate: timeOf(endAt),
})

type PageviewRows = { current: Bucket; comparison?: Bucket }

const before = (period: Period, compare: Comparison | undefined): Period | undefined =>
  compare && compared(period, compare)

export const getWebsitePageviews = report({
  name: 'getWebsitePageviews',
  path: '/api/websites/:websiteId/pageviews',
  sections: ['overview', 'compare'],
  summary: 'Views and sessions over time. With compare, also those of the other period.',
  example: { query: inRange, events: [pageView] },
  query: query(seriesRange, optionalComparison, filters()),
  answer: () =>
    Series()
      .extend(Dates().partial().shape)
      .extend({ compare: Series().extend(Dates().shape).optional() }),
  plan: ({ period, buckets, filters, compare }, scope): Plan<PageviewRows> => {
    const earlier = before(period, compare)
    return {
      current: bucketsOf({ scope, period, filters }, buckets),
      ...(earlier && { comparison: bucketsOf({ scope, period: earlier, filters }, buckets) }),
    }
  },
  shape: ({ current, comparison }, { period, buckets, compare }) => {
    const [series, earlier] = [seriesOf(current, period, buckets), before(period, compare)]
    if (!comparison || !earlier) return { body: series }
    const other = { ...seriesOf(comparison, earlier, buckets), ...datesOf(earlier) }
    return { body: { ...series, ...datesOf(period), compare: other } }
  },
})
