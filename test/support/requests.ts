import type { Endpoint } from '../../src/endpoints/endpoint.ts'
import { pathOf } from './weir.ts'

/** What may be needed in a query string. */
const good: Readonly<Record<string, string>> = {
  startAt: '1760486400000',
  endAt: '1760572799999',
  eventName: 'buy',
  propertyName: 'plan',
}

/** The query string of a good request, as little as there may be. */
export const neededBy = ({ query }: Pick<Endpoint, 'query'>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(good).filter(
      ([name]) => query.parameters[name]?.required || (/^(start|end)At$/.test(name) && name in query.parameters),
    ),
  )

type Ids = Readonly<Record<string, string>>

/** The path of a good request and, on top of what is needed, `more` in its query string. */
export const pathTo = (endpoint: Endpoint, ids: Ids, more: Readonly<Record<string, string>> = {}): string =>
  pathOf(
    endpoint.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? ''),
    { ...neededBy(endpoint), ...more },
  )

/** Method, headers and body of a good request. */
export function askOf(endpoint: Endpoint, headers: Readonly<Record<string, string>>): RequestInit {
  const body = endpoint.kind === 'action' && endpoint.body
  return {
    method: endpoint.method.toUpperCase(),
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify({ name: 'Example', domain: 'example.com' }) }),
  }
}
