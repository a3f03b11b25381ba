import * as z from 'zod'
import { titled, type ValueOf } from '../../made.ts'
import type { CountedRow } from '../../query/figures/added.ts'
import { counted } from '../../query/figures/counted.ts'
import { ofVisits, totaltime } from '../../query/figures/figures.ts'
import { firstBucket, visitsOfViews } from '../../query/figures/visit-facts.ts'
import type { Selection } from '../../query/language/scope.ts'
import { type Plan, type Result, type Statement, select } from '../../query/language/statement.ts'
import { labelled } from '../../query/tables/buckets.ts'
import { filters } from '../../request/filters.ts'
import { type Comparison, compared, optionalComparison, type Period } from '../../request/period.ts'
import { group, oneOf, query } from '../../request/query-string.ts'
import { type Buckets, seriesRange } from '../../request/series.ts'
import { timeOf } from '../answers.ts'
import { report } from '../endpoint.ts'
import { inRange, pageView } from '../examples.ts'
import { byBucket } from '../longest-series.ts'

const Point = titled('Point', () => z.object({ x: z.string(), y: z.number().int() }))
const Points = () => z.array(Point())
const Series = () =>
  z.object({
    pageviews: Points(),
    sessions: Points(),
    visits: Points().optional().describe('Visits, in the bucket of their first view.'),
    bounces: Points().optional().describe('How many of those visits have one view and no custom event.'),
    totaltime: Points().optional().describe('The sum of their lengths, in whole seconds.'),
  })
const Dates = () => z.object({ startDate: z.string(), endDate: z.string() })

type Bucket = CountedRow<'views' | 'visitors'>

const bucketsOf = (selection: Selection, buckets: Buckets): Statement<Bucket> =>
  counted(selection, { of: 'views', by: { kind: 'bucket', buckets }, figures: ['views', 'visitors'] })

const VisitBucket = () =>
  z.object({ bucket: z.string(), visits: z.number(), bounces: z.number(), totaltime: z.number() })

type VisitBucket = ValueOf<typeof VisitBucket>

const visitsOf = (selection: Selection, buckets: Buckets): Statement<VisitBucket> => select(VisitBucket)`
  select visit_value as bucket, ${ofVisits.visits} as visits, ${ofVisits.bounces} as bounces,
    ${totaltime} as totaltime
  from ${visitsOfViews(selection, firstBucket(buckets))}
  group by bucket
  ${byBucket}`

/** The points of each figure. */
function pointsOf<Figure extends string, Row extends { readonly bucket: string } & Readonly<Record<Figure, number>>>(
  figures: readonly Figure[],
  rows: readonly Row[],
  period: Period,
  buckets: Buckets,
): Record<Figure, { x: string; y: number }[]> {
  const points = labelled(rows, period, buckets)
  const of = (figure: Figure) =>
    points.map(({ label, rows }) => ({ x: label, y: rows.reduce((sum, row) => sum + row[figure], 0) }))
  return Object.fromEntries(figures.map((figure) => [figure, of(figure)])) as ReturnType<typeof pointsOf<Figure, Row>>
}

const namedBucket = ({ f_x = '', f_views, f_visitors }: Bucket) => ({
  bucket: f_x,
  pageviews: f_views,
  sessions: f_visitors,
})

const seriesOf = (
  views: Result<Bucket>,
  visits: Result<VisitBucket> | undefined,
  period: Period,
  buckets: Buckets,
): ValueOf<typeof Series> => ({
  ...pointsOf(['pageviews', 'sessions'], views.rows.map(namedBucket), period, buckets),
  ...(visits && pointsOf(['visits', 'bounces', 'totaltime'], visits.rows, period, buckets)),
})

const datesOf = ({ startAt, endAt }: Period): ValueOf<typeof Dates> => ({
  startDate: timeOf(startAt),
  endDate: timeOf(endAt),
})

type PageviewRows = {
  current: Bucket
  comparison?: Bucket
  currentVisits?: VisitBucket
  comparisonVisits?: VisitBucket
}

const included = group({
  include: oneOf('Adds three series of visits: their number, bounces, and total time in seconds.', ['visits']),
})

const before = (period: Period, compare: Comparison | undefined): Period | undefined =>
  compare && compared(period, compare)

export const getWebsitePageviews = report({
  name: 'getWebsitePageviews',
  path: '/api/websites/:websiteId/pageviews',
  sections: ['overview', 'compare'],
  countsDeleted: true,
  summary: 'Views and sessions over time. With compare, also for the other period.',
  example: { query: inRange, events: [pageView] },
  query: query(seriesRange, optionalComparison, filters(), included),
  answer: () =>
    Series()
      .extend(Dates().partial().shape)
      .extend({ compare: Series().extend(Dates().shape).optional() }),
  plan: ({ period, buckets, filters, compare, include }, scope): Plan<PageviewRows> => {
    const [current, earlier] = [{ scope, period, filters }, before(period, compare)]
    const comparison = earlier && { ...current, period: earlier }
    return {
      current: bucketsOf(current, buckets),
      ...(comparison && { comparison: bucketsOf(comparison, buckets) }),
      ...(include && { currentVisits: visitsOf(current, buckets) }),
      ...(include && comparison && { comparisonVisits: visitsOf(comparison, buckets) }),
    }
  },
  shape: ({ current, comparison, currentVisits, comparisonVisits }, { period, buckets, compare }) => {
    const [series, earlier] = [seriesOf(current, currentVisits, period, buckets), before(period, compare)]
    if (!comparison || !earlier) return { body: series }
    const other = { ...seriesOf(comparison, comparisonVisits, earlier, buckets), ...datesOf(earlier) }
    return { body: { ...series, ...datesOf(period), compare: other } }
  },
})
