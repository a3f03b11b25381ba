import { run } from '../../src/clickhouse/run.ts'
import type { Server } from '../../src/clickhouse/server.ts'
import { type Answer, type AnyReport, idNames } from '../../src/endpoints/endpoint.ts'
import { id } from '../../src/endpoints/ids.ts'
import type { SavedReport } from '../../src/metadata/reports.ts'
import type { Knowledge } from '../../src/query/language/known.ts'
import type { Statement } from '../../src/query/language/statement.ts'
import type { Filters } from '../../src/request/filters.ts'
import { withCohort, withSegment } from '../../src/request/saved-filters.ts'
import type { OracleRequest, Report } from '../oracle/model.ts'
import type { Saved } from '../oracle/saved.ts'
import { plannedKnowing } from './chained.ts'
import { reportOf } from './reports.ts'
import { routeTo } from './route.ts'
import { wholeWebsite } from './scope.ts'
import './plain-decimals.ts'

/** A question to a report, with the ids in a request's path and its query string. */
export interface Question {
  readonly report: AnyReport
  readonly websiteId: string
  readonly eventId?: string | undefined
  readonly sessionId?: string | undefined
  readonly query: readonly (readonly [name: string, value: string])[]
  /** The segments and cohorts that the query may use. */
  readonly saved?: readonly Saved[]
}

export const questionOf = (request: OracleRequest<Report>): Question => ({ report: reportOf(request), ...request })

/** The input for the Worker's plan: the validated query string and ids. */
export function inputOf({
  report,
  websiteId,
  eventId,
  sessionId,
  query,
  saved = [],
}: Question): object & { websiteId: string; filters?: Filters } {
  const raw: Record<string, string | string[]> = {}
  for (const [name, value] of query) {
    const before = raw[name]
    raw[name] = before === undefined ? value : [before, value].flat()
  }
  const ids = {
    websiteId: id().parse(websiteId),
    ...(idNames(report).includes('eventId') && { eventId: id().parse(eventId) }),
    ...(idNames(report).includes('sessionId') && { sessionId: id().parse(sessionId ?? websiteId) }),
  }
  const input = report.query.schema.parse(raw) as { filters?: Filters }
  const asSaved = report.example.saved && { parameters: report.example.saved, websiteId, type: typeOf(report) }
  return {
    ...(asSaved && report.saved?.inputOf(asSaved as SavedReport, websiteId)),
    ...input,
    ...(input.filters && { filters: settled(input.filters, saved) }),
    ...ids,
  }
}

const typeOf = (report: AnyReport) => report.saved!.idName.replace('Id', '')

/** The filters after their saved filters have been resolved. */
function settled(filters: Filters, saved: readonly Saved[]): Filters {
  const parametersOf = (type: Saved['type']) =>
    saved.find((one) => one.type === type && one.id === filters[type]?.id)?.parameters ?? {}
  const { segment, cohort } = filters
  const added = segment ? withSegment(filters, parametersOf('segment'), segment.parameter) : filters
  return cohort ? withCohort(added, parametersOf('cohort'), cohort.parameter, Date.now())! : added
}

export function planOf(question: Question, known?: Knowledge): Readonly<Record<string, Statement<unknown>>> {
  const input = inputOf(question)
  const scope = { ...wholeWebsite(input.websiteId), chainsFrom: 1, ...(known && { known }) }
  return question.report.plan(input as never, scope)
}

/** Plans, runs and formats like the Worker, on any database. */
export async function answerFrom(server: Server, question: Question): Promise<Answer<unknown>> {
  const [route, { signal }] = [routeTo(server), new AbortController()]
  const plan = await plannedKnowing(route, (known) => planOf(question, known))
  const results = Object.entries(plan).map(
    async ([name, statement]) => [name, await run(route, statement, signal)] as const,
  )
  return question.report.shape(Object.fromEntries(await Promise.all(results)), inputOf(question) as never)
}
