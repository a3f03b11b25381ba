import type { OracleRequest, Report } from './model.ts'

/** Path and query as sent, with every name and value percent-encoded. */
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
