/** The OpenAPI document by what clients of it build on: its operations, their parameters and shapes, not their words. */

type Json = { readonly [name: string]: unknown }

const words = new Set(['description', 'summary', 'title', 'example', 'examples', 'info', 'tags'])

/** `$ref` in its place, words left out, names in order. */
function plain(value: unknown, document: Json, isNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, document))
  if (typeof value !== 'object' || value === null) return value
  const { $ref } = value as { $ref?: unknown }
  if (typeof $ref === 'string') return plain(at(document, $ref), document)
  const entries = Object.entries(value)
    .filter(([name]) => isNames || !words.has(name))
    .map(([name, item]) => [name, plain(item, document, name === 'properties')] as const)
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
}

const at = (document: Json, reference: string): unknown =>
  reference
    .replace(/^#\//, '')
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, name) => (value as Json)[name], document)

type Named = { readonly in: string; readonly name: string }

/** Each operation by its method and path, and what it is. */
export function shapesOf(document: Json): [operation: string, shape: string][] {
  const paths = document.paths as Record<string, Record<string, Json>>
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string] => {
      const { parameters = [], ...rest } = plain(operation, document) as { parameters?: Named[] }
      const sorted = [...parameters].sort((one, other) => (one.in + one.name < other.in + other.name ? -1 : 1))
      return [`${method.toUpperCase()} ${path}`, JSON.stringify({ ...rest, parameters: sorted })]
    }),
  )
  return operations.sort(([one], [other]) => (one < other ? -1 : 1))
}
