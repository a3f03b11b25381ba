import type { Endpoint } from '../../endpoints/endpoint.ts'
import { urlQuery } from '../input.ts'

export const queryParameters = (endpoint: Endpoint): { readonly name: string }[] =>
  Object.entries(urlQuery(endpoint).parameters).map(([name, parameter]) => ({
    name,
    in: 'query',
    ...parameter,
  }))

/**
 * The names of parameters that several operations share, keyed by the parameter's JSON. The document describes each of
 * them once.
 */
export function sharedParameters(endpoints: readonly Endpoint[]): ReadonlyMap<string, string> {
  const seen = new Set<string>()
  const names = new Map<string, string>()
  for (const parameter of endpoints.flatMap(queryParameters)) {
    const text = JSON.stringify(parameter)
    if (seen.has(text) && !names.has(text)) names.set(text, nameFor(parameter.name, [...names.values()]))
    seen.add(text)
  }
  return names
}

/** A name that is not taken yet: `search`, then `search.2`. */
function nameFor(name: string, taken: readonly string[]): string {
  const key = name.replace(/[^\w-]/g, '')
  const known = taken.filter((one) => one.replace(/\.\d+$/, '') === key).length
  return known === 0 ? key : `${key}.${known + 1}`
}
