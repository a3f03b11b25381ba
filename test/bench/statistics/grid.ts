import type { Knowledge } from '../../../src/query/language/known.ts'
import { type Compiled, compile, type Result, type Statement } from '../../../src/query/language/sql.ts'
import type { Report } from '../../oracle/model.ts'
import { inputOf } from '../../support/questions.ts'
import { reportOf } from '../../support/reports.ts'
import { wholeWebsite } from '../../support/scope.ts'
import { to } from '../data.ts'
import type { Runner } from '../naive/grid.ts'
import { day, ranges } from '../requests.ts'
import { rollupStatements } from '../rollup/statements.ts'
import { type Asked, counted, type Filter, filtered, naiveStatements, named, type Question } from './naive.ts'
import type { Row } from './same.ts'

/** One comparison: the same question as statements for both layouts. */
export interface StatisticsCell {
  readonly endpoint: string
  readonly range: string
  /** The filter, or another difference from other cells of the endpoint. */
  readonly filter: string
  readonly websiteId: string
  /** The statements of one round. Every round has another range, so that no cache can answer. */
  readonly statements: (
    round: number,
    known?: Knowledge,
  ) => {
    readonly weir: readonly Statement<unknown>[]
    readonly naive: readonly Compiled[]
    /** Those to the hourly rollup; none where it has no answer. */
    readonly rollup: readonly Compiled[]
  }
  /** The rows of the answer that the endpoint makes of its own plan. */
  readonly rows: (round: number, run: Runner, known?: Knowledge) => Promise<readonly Row[]>
  /** The figures that the naive layout estimates. */
  readonly estimated: ReadonlySet<string>
}

export const hour = 3_600_000

const filters: Readonly<Record<Filter, Readonly<Record<string, string>>>> = {
  none: {},
  'browser and country': { browser: filtered.browser, country: filtered.country },
  path: { path: filtered.path },
}

/** The range that ends with one of the last sealed days. */
export const sealed = '12 months, sealed'

export const units: Readonly<Record<string, Question['unit']>> = {
  '24 hours': 'hour',
  '30 days': 'day',
  '12 months': 'month',
  [sealed]: 'month',
}

/** The last day of the data is open, as the current day is. */
export const lastDay = Math.floor(to / day) * day

/** A fourth range ends with one of the last sealed days, for what chains answer. */
const withSealed = [
  ...ranges.map((one) => ({ ...one, end: Math.floor(to / hour) * hour })),
  { range: sealed, length: 365 * day, end: lastDay },
]

/** The reports whose buckets have a unit. */
const series: readonly Asked[] = [
  'pageviews',
  'events/series',
  'event-data-pivot/property-series',
  'event-data-pivot/numeric-series',
]

/** Every report × range × filter of one website, up to the last whole hour of its data. */
export const statisticsOf = (websiteId: string): StatisticsCell[] =>
  reports.flatMap((endpoint) =>
    endpoint === 'active'
      ? [cell({ websiteId, endpoint, range: 'any', filter: 'none' }, (round) => activeAt(websiteId, to - round * hour))]
      : withSealed.flatMap(({ range, length, end: last }) => {
          const cells = filterNames.map((filter) =>
            cell({ websiteId, endpoint, range, filter }, (round) => {
              const end = last - round * (range === sealed ? day : hour)
              return { websiteId, startAt: end - length, endAt: end - 1, filter, unit: units[range]! }
            }),
          )
          return range === sealed ? cells.filter(isChained) : cells
        }),
  )

/** Whether a statement wants to know the notes of seals. */
const isChained = ({ statements }: StatisticsCell): boolean =>
  statements(0).weir.some(({ wants }) => wants !== undefined)

const reports = Object.keys(naiveStatements) as Asked[]
const filterNames = Object.keys(filters) as Filter[]

/**
 * `events/stats` has its own target. Means and growth leave it out, because the tables of the ten endpoints cover it.
 */
export const isOfStatistics = ({ endpoint }: Pick<StatisticsCell, 'endpoint'>): boolean => endpoint !== 'events/stats'

export const statisticsEndpoints: readonly string[] = reports

const activeAt = (websiteId: string, endAt: number): Question => ({
  websiteId,
  startAt: endAt,
  endAt,
  filter: 'none',
  unit: 'hour',
})

const cell = (
  asked: Pick<StatisticsCell, 'websiteId' | 'range'> & { readonly endpoint: Asked; readonly filter: Filter },
  questionOf: (round: number) => Question,
): StatisticsCell => ({
  ...asked,
  estimated: estimatesOf(asked.endpoint),
  statements: (round, known) => ({
    weir: Object.values(planned(asked.endpoint, questionOf(round), known).plan),
    naive: naiveStatements[asked.endpoint](questionOf(round)).map(compile),
    rollup: rollupStatements(asked.endpoint, questionOf(round)).map(compile),
  }),
  async rows(round, run, known) {
    const { report, plan, input } = planned(asked.endpoint, questionOf(round), known)
    const results: Record<string, Result<unknown>> = {}
    for (const [name, statement] of Object.entries(plan)) results[name] = await run(statement)
    const { body } = await report.shape(results as never, input as never)
    return rowsIn(asked.endpoint, body)
  },
})

function planned(endpoint: Asked, { websiteId, startAt, endAt, filter, unit }: Question, known?: Knowledge) {
  const url = new URL(`http://weir.example/${endpoint}`)
  const report = reportOf({ endpoint: url.pathname.slice(1) as Report })
  const property = endpoint.endsWith('numeric-series') ? counted : named
  const query = [
    ...url.searchParams,
    ...Object.entries({
      ...(endpoint !== 'active' && { startAt: String(startAt), endAt: String(endAt), ...filters[filter] }),
      ...(series.includes(endpoint) && { unit }),
      ...(endpoint.startsWith('event-data-pivot/') && property),
    }),
  ]
  const input = { ...inputOf({ report, websiteId, query }), ...(endpoint === 'active' && { now: endAt }) }
  const scope = { ...wholeWebsite(websiteId), closedBefore: lastDay, ...(known && { known }) }
  return { report, input, plan: report.plan(input as never, scope) }
}

interface Point {
  readonly x: string
  readonly y: number
}

/** The rows of an answer, with the names of columns that the naive statements have. */
function rowsIn(endpoint: Asked, body: unknown): readonly Row[] {
  switch (endpoint) {
    case 'stats':
      return withComparison(body as Compared)
    case 'events/stats':
      return withComparison((body as { data: Compared }).data)
    case 'pageviews': {
      const { pageviews, sessions } = body as { pageviews: Point[]; sessions: Point[] }
      return pageviews.map(({ x, y }, place) => ({ x, views: y, sessions: sessions[place]!.y }))
    }
    case 'active':
      return [body as Row]
    default:
      return body as Row[]
  }
}

type Compared = Row & { readonly comparison: Row }

function withComparison({ comparison, ...current }: { comparison: Row } & Readonly<Record<string, unknown>>): Row[] {
  return [current as Row, comparison]
}

const estimatesOf = (endpoint: Asked): ReadonlySet<string> =>
  new Set(/^metrics\?type=(?!event)/.test(endpoint) ? ['y'] : ['visitors', 'sessions'])
