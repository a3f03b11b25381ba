import type * as fc from 'fast-check'
import { answer } from '../oracle/answer.ts'
import { chartAnswer } from '../oracle/charts.ts'
import { exported } from '../oracle/export.ts'
import { analysisRequests } from '../oracle/generate-analyses.ts'
import { requestsTo } from '../oracle/generate-requests.ts'
import { statisticRequests } from '../oracle/generate-statistics.ts'
import type { World } from '../oracle/generate-world.ts'
import type { Analysis, Answer, Endpoint, IngestRow, OracleRequest, Report, Statistic } from '../oracle/model.ts'
import { analysis, POSTED, type Posted, posted } from '../oracle/reports.ts'
import { statistic } from '../oracle/statistics.ts'

/** A part of the oracle with its request generator. */
export interface Oracle {
  readonly answer: (rows: IngestRow[], request: OracleRequest<Report>) => Answer
  /** Random valid requests. Undefined if answers depend on the current time, or another report's requests suffice. */
  readonly draw?: (world: World, report: Report) => fc.Arbitrary<OracleRequest<Report>>
  /** The report is requested by POST with this `type`. Requests are generated as query strings. */
  readonly type?: Posted
}

export const eventOracle: Oracle = {
  answer: (rows, request) => answer(rows, request as OracleRequest),
  draw: (world, report) => requestsTo(world, report as Endpoint),
}

export const statisticOracle: Oracle = {
  answer: (rows, request) => statistic(rows, request as OracleRequest<Statistic>),
  draw: (world, report) => statisticRequests(world, report as Statistic),
}

export const analysisOracle: Oracle = {
  answer: (rows, request) => analysis(rows, request as OracleRequest<Analysis>),
  draw: (world, report) => analysisRequests(world, report as Analysis),
}

/** The same oracle for a report about the current time, which random worlds do not cover. */
export const aboutNow = ({ answer }: Oracle): Oracle => ({ answer })

export const zipOracle: Oracle = { answer: exported }

export const chartOracle: Oracle = { answer: chartAnswer }

/** The GET whose parameters a POST accepts. */
const askedLike = { utm: 'retention', performance: 'performance/chart', revenue: 'revenue/chart' } as const

export const postOracle = (type: Posted): Oracle => ({
  answer: (rows, request) => ({ body: posted(rows, type, request), headers: {} }),
  draw: (world) => analysisRequests(world, POSTED[type] ?? askedLike[type as keyof typeof askedLike]),
  type,
})
