import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, inject } from 'vitest'

interface Document {
  readonly paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >
}

let loaded: Promise<{ document: Document; ajv: Ajv2020 }> | undefined

/** The document that the Worker publishes, fetched once per test file. */
export function published(): Promise<{ document: Document; ajv: Ajv2020 }> {
  loaded ??= (async () => {
    const document = (await (await fetch(`${inject('running').url}/openapi.json`)).json()) as Document
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    ajv.addSchema({ ...document, $id: 'weir' })
    return { document, ajv }
  })()
  return loaded
}

const validators = new Map<string, ValidateFunction>()

/** Fails unless the document describes this answer: the path, the method, the status and every field of the body. */
export async function describedIn(method: string, path: string, status: number, body: unknown): Promise<void> {
  if (path === '/openapi.json' || method === 'OPTIONS' || method === 'HEAD') return
  const { document, ajv } = await published()
  const template = templateOf(document, new URL(path, 'http://weir').pathname)
  const error = template === undefined || status === 405 || isNothingThere(body)
  const name = error ? 'error' : `${method} ${template} ${status}`
  const pointer = error
    ? 'weir#/components/schemas/Error'
    : `weir#/paths/${escaped(template)}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`
  const validate = validators.get(name) ?? ajv.compile({ $ref: pointer })
  validators.set(name, validate)
  expect(validate(body) ? [] : validate.errors, `${name} is not as /openapi.json says`).toEqual([])
}

/** The answer at a path that would be taken for one with an id in its place. */
const isNothingThere = (body: unknown): boolean =>
  JSON.stringify(body)?.includes('"There is nothing at this path.') ?? false

/** Fixed paths win over those with an id in their place. */
function templateOf(document: Document, path: string): string | undefined {
  const templates = Object.keys(document.paths).filter((template) =>
    new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
  return templates.sort((left, right) => left.split('{').length - right.split('{').length)[0]
}

const escaped = (template: string): string => encodeURIComponent(template.replaceAll('~', '~0').replaceAll('/', '~1'))
