import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, inject } from 'vitest'

interface Document {
  readonly paths: Record<
    string,
    Record<string, { responses: Record<string, { $ref?: string; content?: Record<string, { schema: object }> }> }>
  >
}

interface Published {
  readonly document: Document
  readonly ajv: Ajv2020
  /** The document's paths, each with a regular expression that matches it. */
  readonly templates: readonly (readonly [template: string, pattern: RegExp])[]
}

interface Kept {
  loaded?: Promise<Published>
  readonly validators: Map<string, ValidateFunction>
}

/** Shared by all test files in this process. Each has its own modules, but all use the same Worker. */
const inProcess = globalThis as { weirOpenapi?: Kept }
inProcess.weirOpenapi ??= { validators: new Map() }
const kept = inProcess.weirOpenapi

/** The document that the Worker publishes, fetched only once per process. */
export function published(): Promise<Published> {
  kept.loaded ??= (async () => {
    const document = (await (await fetch(`${inject('running').url}/openapi.json`)).json()) as Document
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    ajv.addSchema({ ...closed(document), $id: 'weir' })
    return { document, ajv, templates: templatesOf(document) }
  })()
  return kept.loaded
}

/**
 * The document with objects that allow only the fields it describes. Clients must accept more, but no version may
 * answer with a field that its own document lacks.
 */
function closed<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(closed) as Value
  if (typeof value !== 'object' || value === null) return value
  const parts = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, closed(part)]))
  const isOpen =
    'properties' in parts && 'type' in parts && parts.type === 'object' && !('additionalProperties' in parts)
  return (isOpen ? { ...parts, additionalProperties: false } : parts) as Value
}

/** Asserts that the document describes this answer: its path, method, status and every field of its body. */
export async function describedIn(method: string, path: string, status: number, body: unknown): Promise<void> {
  if (path === '/openapi.json' || method === 'OPTIONS' || method === 'HEAD') return
  const { document, ajv, templates } = await published()
  const { pathname } = new URL(path, 'http://weir')
  const template = templates.find(
    ([one, pattern]) => method.toLowerCase() in document.paths[one]! && pattern.test(pathname),
  )?.[0]
  const error = template === undefined || status === 405 || isNothingThere(body)
  const isPrice = /[?&]dryRun=(?:1|true)(?:&|$)/.test(path) && status === 200
  const name = error ? 'error' : isPrice ? 'price' : `${method} ${template} ${status}`
  const pointer = error
    ? 'weir#/components/schemas/Error'
    : isPrice
      ? 'weir#/components/schemas/Price'
      : `weir${pointerTo(document, template, method.toLowerCase(), status)}/content/application~1json/schema`
  const validate = kept.validators.get(name) ?? ajv.compile({ $ref: pointer })
  kept.validators.set(name, validate)
  expect(validate(body) ? [] : validate.errors, `${name} is not as /openapi.json says`).toEqual([])
}

/** Whether the body is the response at an unsupported path, which would otherwise match a path with an id. */
const isNothingThere = (body: unknown): boolean =>
  (body as { error?: { message?: string } } | undefined)?.error?.message?.startsWith('There is nothing at') ?? false

/** The paths as patterns. Fixed paths precede paths with an id in the same place. */
const templatesOf = ({ paths }: Document) =>
  Object.keys(paths)
    .sort((left, right) => left.split('{').length - right.split('{').length)
    .map((template) => [template, new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`)] as const)

/** The description of a response, either in the operation or among the responses that operations share. */
function pointerTo({ paths }: Document, template: string, method: string, status: number): string {
  const { $ref } = paths[template]![method]!.responses[status] ?? {}
  return $ref ?? `#/paths/${escaped(template)}/${method}/responses/${status}`
}

const escaped = (template: string): string => encodeURIComponent(template.replaceAll('~', '~0').replaceAll('/', '~1'))
