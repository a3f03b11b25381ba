import { type Endpoint, isAskedByBody } from '../../endpoints/endpoint.ts'

export const queryParameters = (endpoint: Endpoint): object[] =>
  isAskedByBody(endpoint)
    ? []
    : Object.entries(endpoint.query.parameters).map(([name, parameter]) => ({ name, in: 'query', ...parameter }))

/** The parameters that several operations share, as JSON, and a name for each. The document describes each once. */
export function sharedParameters(endpoints: readonly Endpoint[]): ReadonlyMap<string, string> {
  const texts = endpoints.flatMap(queryParameters).map((parameter) => JSON.stringify(parameter))
  const names = new Map<string, string>()
  for (const text of texts.filter((one, index) => texts.indexOf(one) < index)) {
    const { name } = JSON.parse(text) as { name: string }
    if (names.has(text)) continue
    const key = name.replace(/[^\w-]/g, '')
    const known = [...names.values()].filter((one) => one.replace(/\.\d+$/, '') === key).length
    names.set(text, known === 0 ? key : `${key}.${known + 1}`)
  }
  return names
}
