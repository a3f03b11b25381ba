interface Parameter {
  readonly name: string
  readonly in: string
  example?: unknown
  readonly schema: { examples?: unknown }
}

interface Operation {
  readonly parameters: readonly Parameter[]
  security: readonly Readonly<Record<string, unknown>>[]
  readonly requestBody?: { readonly content: { readonly 'application/json': { example?: unknown } } }
}

/** The parts of `/openapi.json` that are used here. */
export interface Document {
  readonly components: {
    securitySchemes: Readonly<Record<string, unknown>>
    readonly parameters: Readonly<Record<string, Parameter>>
  }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Subject {
  readonly websiteId: string | undefined
  readonly period: string
}

/** Prepares a document: keeps one kind of key, and fills in the website and the period of every GET. */
export function fillIn({ components, paths }: Document, { websiteId, period }: Subject): void {
  const values: Readonly<Record<string, unknown>> = { ...(websiteId && { websiteId }), period }
  components.securitySchemes = { bearer: components.securitySchemes.bearer }
  // A period replaces both ends of a range, and the API refuses a period together with either end.
  for (const parameter of Object.values(components.parameters)) {
    if (parameter.name === 'period') parameter.example = period
    delete parameter.schema.examples
  }
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      operation.security = operation.security.filter((one) => 'bearer' in one || Object.keys(one).length === 0)
      const body = operation.requestBody?.content['application/json']
      if (body?.example && path.startsWith('/api/reports')) body.example = withValues(body.example, values)
      // In requests that change or delete a website, users have to enter its id themselves.
      if (method !== 'get') continue
      for (const parameter of operation.parameters) {
        if (parameter.in === 'path' && parameter.name in values) parameter.example = values[parameter.name]
      }
    }
  }
}

/** An example in which these values are filled in at any depth, with a period instead of the ends of a range. */
const withValues = (example: unknown, { period, ...values }: Readonly<Record<string, unknown>>): unknown =>
  JSON.parse(JSON.stringify(example), (key, value) => {
    if (value?.startAt === undefined) return values[key] ?? value
    const { startAt: _, endAt: __, ...rest } = value
    return { period, ...rest }
  })
