import type { AnyReport, Endpoint } from '../../src/endpoints/endpoint.ts'
import { post } from './callers.ts'
import { type GoodIds, goodRequestOfNobody } from './good-requests.ts'
import { pathOf } from './weir.ts'

/** The required parameters of a valid request. */
export const neededBy = (endpoint: Endpoint): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(goodRequestOfNobody(endpoint).query ?? {}).map(([name, value]) => [name, String(value)]),
  )

type Ids = Readonly<Record<string, string>>

/** An id for path parameters without a given value. */
const nobodys = '7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a0ff'

/** The path of a valid request: required parameters, then `more`, in its query string. */
export const pathTo = (endpoint: Endpoint, ids: Ids, more: Readonly<Record<string, string>> = {}): string =>
  pathOf(
    endpoint.path.replace(/:(\w+)/g, (_, name: string) => ids[name] ?? nobodys),
    { ...neededBy(endpoint), ...more },
  )

/** The method, headers and body of a valid request. */
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

/** The id of the path that names a saved report: one is saved with the parameters of the example. */
export async function savedFor({ saved, path, example }: AnyReport, websiteId: string): Promise<Ids> {
  if (!saved) return {}
  const family = path.slice(0, path.indexOf(`/:${saved.idName}`)).replace(':websiteId', websiteId)
  const { body } = await post(family, { name: 'Saved', parameters: example.saved })
  return { [saved.idName]: body.id }
}
