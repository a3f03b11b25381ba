import * as fc from 'fast-check'
import { requestsTo } from './generate-requests.ts'
import { type World, worlds } from './generate-world.ts'
import type { Endpoint, OracleRequest, Report } from './model.ts'

export { analysisRequests, askedOfSessions } from './generate-analyses.ts'
export { marked } from './generate-marks.ts'
export { peopled } from './generate-people.ts'
export { statisticRequests } from './generate-statistics.ts'
export { requestsTo, type World, worlds }

/** A world and a valid request to one of its websites, to any of these endpoints. */
export function questions(endpoints: readonly Endpoint[]): fc.Arbitrary<{ world: World; request: OracleRequest }> {
  return fc
    .tuple(worlds, fc.constantFrom(...endpoints))
    .chain(([world, endpoint]) => requestsTo(world, endpoint).map((request) => ({ world, request })))
}

/** Path and query as sent, every name and value percent-encoded. */
export function requestPath({
  endpoint,
  websiteId,
  eventId = '',
  sessionId = '',
  query,
}: OracleRequest<Report>): string {
  const name = endpoint.replace(':eventId', eventId).replace(':sessionId', sessionId)
  const path = endpoint === 'realtime' ? `/api/realtime/${websiteId}` : `/api/websites/${websiteId}/${name}`
  const parameters = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  return parameters.length === 0 ? path : `${path}?${parameters.join('&')}`
}

/** The input of `INSERT INTO ingest FORMAT JSONEachRow`. */
export function jsonEachRow({ rows }: Pick<World, 'rows'>): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}
