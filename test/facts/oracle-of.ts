import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import type { Answer, IngestRow, OracleRequest, Report } from '../oracle/model.ts'
import { reports } from '../support/reports.ts'
import { factsOf } from './index.ts'
import type { Oracle } from './oracles.ts'

/** The oracle's name for a report, which is its path below the website. POST reports have their own paths, too. */
export const oracleName = ({ path }: Pick<AnyReport, 'path'>): Report =>
  path.replace('/api/websites/:websiteId/', '').replace('/api/realtime/:websiteId', 'realtime') as Report

const byOracleName = new Map(reports.map((report) => [oracleName(report), report]))

/** The report that has the oracle: either the report itself or the one that `like` specifies. */
export function computedLike(report: Pick<AnyReport, 'name' | 'path'>): { oracle: Oracle; endpoint: Report } {
  const { oracle, like } = factsOf(report)
  if (oracle) return { oracle, endpoint: oracleName(report) }
  const other = reports.find(({ name }) => name === like)
  if (!other) throw new Error(`${report.name} has no oracle: specify it, or a report that it is like, in test/facts.`)
  return computedLike(other)
}

/** The oracle's answer, from the part of the oracle that computes this report. */
export function answerOf(rows: readonly IngestRow[], request: OracleRequest<Report>): Answer {
  const { oracle, endpoint } = computedLike(byOracleName.get(request.endpoint)!)
  return oracle.answer([...rows], { ...request, endpoint })
}

/** The names of the reports that this oracle computes. */
export const namesFor = <Name extends Report>(oracle: Oracle): readonly Name[] =>
  reports.filter((report) => factsOf(report).oracle === oracle).map((report) => oracleName(report) as Name)
