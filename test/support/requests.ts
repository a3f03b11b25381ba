import type { AnyReport, Endpoint } from '../../src/endpoints/endpoint.ts'
import { type Headers, post } from './callers.ts'
import { type GoodIds, goodRequestOfNobody } from './good-requests.ts'
import { eventId } from './reports.ts'
import { pathOf, type Reply, send } from './weir.ts'

/** A valid request's required parameters. */
export const neededBy = (endpoint: Endpoint): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(goodRequestOfNobody(endpoint).query ?? {}).map(([name, value]) => [name, String(value)]),
  )

type Ids = Readonly<Record<string, string>>

/** An id for path parameters for which no value is given. */
const nobodys = '7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a0ff'

type Pairs = readonly (readonly [name: string, value: string])[]

/** More parameters, which replace parameters with the same names. */
type More = Readonly<Record<string, string | number>> | Pairs

const pairsOf = (more: More): Pairs =>
  Array.isArray(more) ? more : Object.entries(more).map(([name, value]) => [name, String(value)] as const)

/** A valid request's required parameters, except those that `more` replaces, followed by `more`. */
export function parametersOf(endpoint: Endpoint, more: More): Pairs {
  const given = pairsOf(more)
  const names = new Set(given.map(([name]) => name))
  return [...Object.entries(neededBy(endpoint)).filter(([name]) => !names.has(name)), ...given]
}

/** A valid request's path, with the required parameters and then `more` in its query string. */
export const pathTo = (endpoint: Endpoint, ids: Ids, more: More = {}): string =>
  pathOf(
    endpoint.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? nobodys),
    parametersOf(endpoint, more),
  )

/** A report's answer to a request with these headers. */
export const told = (websiteId: string, report: AnyReport, headers: Headers, more?: More): Promise<Reply> =>
  send(pathTo(report, { websiteId, eventId }, more), { headers })

/** A valid request's method, headers and body. */
export function askOf(
  endpoint: Endpoint,
  headers: Readonly<Record<string, string>>,
  ids: Pick<Partial<GoodIds>, 'websiteId'> = {},
): RequestInit {
  const { body } = goodRequestOfNobody(endpoint, ids)
  return {
    method: endpoint.method.toUpperCase(),
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
}

/** The id of a saved report for the path. Saves a report with the example's parameters. */
export async function savedFor({ saved, path, example }: AnyReport, websiteId: string): Promise<Ids> {
  if (!saved) return {}
  const family = path.slice(0, path.indexOf(`/:${saved.idName}`)).replace(':websiteId', websiteId)
  const { body } = await post(family, { name: 'Saved', parameters: example.saved })
  return { [saved.idName]: body.id }
}
