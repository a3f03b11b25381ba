import type { Endpoint } from '../../src/endpoints/endpoint.ts'
import { goodBody } from './good-requests.ts'
import { pathOf } from './weir.ts'

/** The query string of a good request, as little as there may be. */
export const neededBy = (endpoint: Endpoint): Readonly<Record<string, string>> => {
  if (endpoint.kind === 'report') return endpoint.example.query
  return endpoint.query.parameters.type?.required ? { type: 'segment' } : {}
}

type Ids = Readonly<Record<string, string>>

/** An id for every name in a path that is not given one. */
const nobodys = '7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a0ff'

/** The path of a good request and, on top of what is needed, `more` in its query string. */
export const pathTo = (endpoint: Endpoint, ids: Ids, more: Readonly<Record<string, string>> = {}): string =>
  pathOf(
    endpoint.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? nobodys),
    { ...neededBy(endpoint), ...more },
  )

/** Method, headers and body of a good request. */
export function askOf(endpoint: Endpoint, headers: Readonly<Record<string, string>>): RequestInit {
  const body = goodBody(endpoint)
  return {
    method: endpoint.method.toUpperCase(),
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
}
