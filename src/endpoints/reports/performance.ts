import * as z from 'zod'
import { titled, type ValueOf } from '../../made.ts'
import { fewVitals, percentilesByBucket, percentilesOfRows, slowestNames } from '../../query/figures/few-vitals.ts'
import {
  hasVital,
  percentilesOf,
  percentilesOrZeros,
  selectedVitals,
  type Vital,
  vitalOf,
  vitals,
} from '../../query/figures/vitals.ts'
import { ascending, descending, limitEach, order } from '../../query/language/order.ts'
import type { Scope, SelectedEvents } from '../../query/language/scope.ts'
import { alias, aliasName, commaList, sql, uint8 } from '../../query/language/sql.ts'
import { type Result, type Statement, select } from '../../query/language/statement.ts'
import { countedList } from '../../query/lists/counted-list.ts'
import { integerColumn, list, numberColumn, textColumn } from '../../query/lists/list.ts'
import { bucketOf, labelled } from '../../query/tables/buckets.ts'
import { filters } from '../../request/filters.ts'
import { firstOf, type Slice, search, slices } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { group, oneOf, query, required } from '../../request/query-string.ts'
import { type Buckets, seriesRange } from '../../request/series.ts'
import { recordOf, recordOfLists } from '../answers.ts'
import { analysis } from '../endpoint.ts'
import { inRange, pageView } from '../examples.ts'
import { byBucket, refuseLonger } from '../longest-series.ts'

export const vitalGroup = group(
  { metric: oneOf('The web vital; lcp by default.', vitals) },
  ({ metric = 'lcp' }): { metric: Vital } => ({ metric }),
)

const measured = { ...pageView, event_type: 5, url_path: '/pricing', page_title: 'Pricing', lcp: 1200, cls: 0.05 }

const number = () => z.number()
const Percentiles = titled('Percentiles', () => z.object({ p50: number(), p75: number(), p95: number() }))

const percentiles = ([p50 = 0, p75 = 0, p95 = 0]: readonly number[]): ValueOf<typeof Percentiles> => ({ p50, p75, p95 })

const Summary = titled('VitalsSummary', () => z.object({ ...recordOf(vitals, Percentiles), count: z.number().int() }))
const SummaryRow = () => z.record(z.string(), z.union([z.number(), z.array(z.number())]))

/** The percentiles of each web vital, and the number of rows. */
const summaryOf = ({ period, filters }: SelectedEvents, scope: Scope): Statement<ValueOf<typeof SummaryRow>> => select(
  SummaryRow,
)`
  select ${commaList(vitals.map((vital) => sql`${percentilesOrZeros(vital)} as ${alias(vital)}`))}, count() as ${alias('count')}
  ${selectedVitals({ scope, period, filters })}`

/** The summary, computed from a few rows. */
const summaryRowOf = (rows: Parameters<typeof percentilesOfRows>[0]): ValueOf<typeof SummaryRow> => ({
  ...Object.fromEntries(vitals.map((vital) => [aliasName(vital), percentilesOfRows(rows, vital)])),
  [aliasName('count')]: rows.length,
})

const shownSummary = ({ rows }: Result<ValueOf<typeof SummaryRow>>): ValueOf<typeof Summary> => ({
  ...recordOf(vitals, (vital) => percentiles(rows[0]![aliasName(vital)] as number[])),
  count: rows[0]![aliasName('count')] as number,
})

export const getWebsitePerformanceStats = analysis({
  name: 'getWebsitePerformanceStats',
  path: '/api/websites/:websiteId/performance/stats',
  sections: ['performance'],
  countsDeleted: true,
  summary: 'Percentiles of each web vital, and the number of measurements.',
  example: { query: inRange, events: [measured] },
  query: query(range, filters()),
  answer: Summary,
  plan: (input, scope) => ({ summary: summaryOf(input, scope) }),
  shape: ({ summary }) => ({ body: shownSummary(summary) }),
})

interface VitalSeriesInput extends SelectedEvents {
  readonly buckets: Buckets
  readonly metric: Vital
}

const PointRow = () => z.object({ bucket: z.string(), percentiles: z.array(z.number()) })
const Point = titled('VitalsPoint', () => Percentiles().extend({ t: z.string() }))

const chartOf = (
  { period, filters, buckets, metric }: VitalSeriesInput,
  scope: Scope,
): Statement<ValueOf<typeof PointRow>> => select(PointRow)`
  select ${bucketOf(buckets)} as bucket, ${percentilesOf(vitalOf(metric))} as percentiles
  ${selectedVitals({ scope, period, filters }, hasVital(metric))}
  group by bucket
  ${byBucket}`

/** Buckets without a measurement stay empty: they have no percentiles. */
function shownChart(
  { rows }: Result<ValueOf<typeof PointRow>>,
  { period, buckets }: VitalSeriesInput,
): ValueOf<typeof Point>[] {
  refuseLonger(rows.length)
  return labelled(rows, period, { ...buckets, fill: false }).map(({ label, rows: [row] }) => ({
    t: label,
    ...percentiles(row!.percentiles),
  }))
}

export const getWebsitePerformanceChart = analysis({
  name: 'getWebsitePerformanceChart',
  path: '/api/websites/:websiteId/performance/chart',
  sections: ['performance'],
  countsDeleted: true,
  summary: 'Percentiles of a web vital over time.',
  example: { query: inRange, events: [measured] },
  query: query(seriesRange, vitalGroup, filters()),
  answer: () => z.object({ chart: z.array(Point()) }),
  plan: (input, scope) => ({ chart: chartOf(input, scope) }),
  shape: ({ chart }, input) => ({ body: { chart: shownChart(chart, input) } }),
})

const vitalGroups = {
  path: sql`url_path`,
  title: sql`page_title`,
  device: sql`device`,
  browser: sql`browser`,
} as const

type VitalGroup = keyof typeof vitalGroups

interface VitalListInput extends SelectedEvents {
  readonly metric: Vital
  readonly type: VitalGroup
}

const percentileColumn = (place: number) => numberColumn(sql`${percentilesOf(sql`measured`)}[${uint8(place)}]`)

const vitalsByValue = list({
  from: countedList({
    rows({ period, filters, metric, type }: VitalListInput, scope) {
      const measured = selectedVitals({ scope, period, filters }, hasVital(metric))
      return { from: sql`from (select ${vitalGroups[type]} as element, ${vitalOf(metric)} as measured ${measured})` }
    },
    by: ['p75', 'name'],
    count: 'p75',
    searched: ['name'],
  }),
  columns: {
    name: textColumn(sql`element`),
    p50: percentileColumn(1),
    p75: percentileColumn(2),
    p95: percentileColumn(3),
    count: integerColumn(sql`count()`),
  },
})

export const getWebsitePerformanceMetrics = analysis({
  name: 'getWebsitePerformanceMetrics',
  path: '/api/websites/:websiteId/performance/metrics',
  sections: ['performance'],
  countsDeleted: true,
  summary: 'Percentiles of a web vital by page, title, device or browser; slowest first.',
  example: { query: { ...inRange, type: 'path' }, events: [measured] },
  query: query(
    range,
    vitalGroup,
    group({ type: required(oneOf('The field to group by.', Object.keys(vitalGroups) as VitalGroup[])) }),
    slices,
    search('Part of a name, ignoring case.'),
    filters(),
  ),
  ...vitalsByValue,
})

const lists = { pages: 'path', pageTitles: 'title', devices: 'device', browsers: 'browser' } as const

type ListName = keyof typeof lists

const listNames = Object.keys(lists) as ListName[]

interface PerformanceInput extends VitalSeriesInput {
  readonly slice: Slice
}

const ListRow = () => z.object({ list: z.number(), name: z.string(), measured: z.array(z.number()), rows: z.number() })

const groupedBy = listNames.map((name) => vitalGroups[lists[name]])

/**
 * The value of `grouping`: a bit for each column that the row is not grouped by; the first column has the highest bit.
 */
const bitsOf = (list: number): number => 2 ** groupedBy.length - 1 - 2 ** (groupedBy.length - 1 - list)

const named = groupedBy.map(
  (column, list) => sql`missing = ${uint8(bitsOf(list))}, (${uint8(list)}, toString(${column}))`,
)

/** The first rows of all four lists, up to 10,000 each. One statement reads the columns once for all lists. */
const listsOf = (
  { period, filters, metric, slice }: PerformanceInput,
  scope: Scope,
): Statement<ValueOf<typeof ListRow>> => select(ListRow)`
  select grouping(${commaList(groupedBy)}) as missing, multiIf(${commaList(named)}, (255, '')) as named,
    named.1 as list, named.2 as name, ${percentilesOf(vitalOf(metric))} as measured, count() as rows
  ${selectedVitals({ scope, period, filters }, hasVital(metric))}
  group by grouping sets (${commaList(groupedBy.map((column) => sql`(${column})`))})
  ${limitEach(order([ascending(sql`list`), descending(sql`measured[2]`), ascending(sql`name`)]), slice.limit, sql`list`)}
  settings max_result_rows = 40000`

export const getPerformanceReport = analysis({
  name: 'getPerformanceReport',
  method: 'post',
  path: '/api/reports/performance',
  sections: ['performance'],
  countsDeleted: true,
  summary: 'Percentiles of web vitals: in total, over time, and by page, title, device and browser.',
  example: { query: inRange, events: [measured] },
  query: query(seriesRange, vitalGroup, firstOf(500), filters()),
  answer: () => z.object({ chart: z.array(Point()), summary: Summary(), ...recordOf(listNames, vitalsByValue.answer) }),
  plan(input, scope) {
    const { period, filters, buckets, metric, slice } = input
    const few = fewVitals({ scope, period, filters }, buckets, groupedBy)
    return {
      chart: { ...chartOf(input, scope), cheaper: few((rows) => percentilesByBucket(rows, metric)) },
      summary: { ...summaryOf(input, scope), cheaper: few((rows) => [summaryRowOf(rows)]) },
      lists: {
        ...listsOf(input, scope),
        cheaper: few((rows) => slowestNames(rows, metric, listNames.length, slice.limit)),
      },
    }
  },
  shape: ({ chart, summary, lists: { rows } }, input) => ({
    body: {
      chart: shownChart(chart, input),
      summary: shownSummary(summary),
      ...recordOfLists(listNames, rows, ({ name, measured, rows }) => ({
        name,
        ...percentiles(measured),
        count: rows,
      })),
    },
  }),
})
