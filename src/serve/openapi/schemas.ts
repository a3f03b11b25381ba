/** The parts of a JSON Schema on which names and examples depend. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
}

/**
 * A schema, and a name for its place in the document, made up of the operation and a part of it.
 */
export interface PlacedSchema {
  readonly schema: JsonSchema
  readonly place: string
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** The schema without its title and description, which may differ between places. */
const contentOf = ({ title: _, description: __, ...content }: JsonSchema): string => JSON.stringify(content)

/**
 * Objects that the document defines only once, under a name: those with a title, and those used in several places. An
 * object without a title is named after the first place. An object of bodies allows fewer fields than that of answers,
 * so it is a second one, and its name ends in `Input`.
 */
export class NamedSchemas {
  readonly #names = new Map<string, string>()
  readonly #schemas = new Map<string, object>()

  constructor(schemas: readonly PlacedSchema[]) {
    const repeated = new Map<string, string>()
    const seen = new Set<string>()
    const visit = (schema: JsonSchema, place: string): void => {
      if (isNameable(schema)) {
        const content = contentOf(schema)
        if (schema.title) this.#name(content, schema.title)
        else if (seen.has(content)) this.#name(content, repeated.get(content)!)
        if (seen.has(content)) return
        seen.add(content)
        repeated.set(content, place)
      }
      for (const [part, inner] of partsOf(schema)) visit(inner, place + part)
    }
    for (const { schema, place } of schemas) visit(schema, place)
  }

  #name(content: string, name: string): void {
    if (this.#names.has(content)) return
    const free = [name, `${name}Input`].find((one) => ![...this.#names.values()].includes(one))
    if (free === undefined) throw new Error(`Three schemas are called ${name}.`)
    this.#names.set(content, free)
  }

  /** The schema, in which references replace the schemas that have names. */
  refer(schema: JsonSchema): object {
    const name = isNameable(schema) ? this.#names.get(contentOf(schema)) : undefined
    if (name === undefined) return this.#inside(schema)
    const { title: _, description, ...content } = schema
    if (!this.#schemas.has(name)) this.#schemas.set(name, this.#inside(content))
    return { $ref: `#/components/schemas/${name}`, ...(description && { description }) }
  }

  /**
   * Returns a reference to an answer's schema. A schema without a name gets this one, followed by `Answer` if the name
   * is taken.
   */
  referToAnswer(wanted: string, schema: JsonSchema): object {
    const known = this.refer(schema)
    if ('$ref' in known) return known
    const name = [...this.#names.values()].includes(wanted) ? `${wanted}Answer` : wanted
    this.#schemas.set(name, known)
    return { $ref: `#/components/schemas/${name}` }
  }

  #inside(schema: JsonSchema): object {
    const { title: _, ...rest } = schema
    return Object.fromEntries(Object.entries(rest).map(([keyword, value]) => [keyword, this.#value(keyword, value)]))
  }

  #value(keyword: string, value: unknown): unknown {
    if (keyword === 'properties' && isObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.refer(one as JsonSchema)]))
    }
    if (alternatives.includes(keyword) && Array.isArray(value)) return value.map((one) => this.refer(one))
    return inners.includes(keyword) && isObject(value) ? this.refer(value) : value
  }

  /** The schemas that have been referred to, by name. */
  get components(): Readonly<Record<string, object>> {
    return Object.fromEntries([...this.#schemas].sort(([one], [other]) => (one < other ? -1 : 1)))
  }
}

const alternatives: readonly string[] = ['anyOf', 'oneOf', 'prefixItems']
const inners: readonly string[] = ['items', 'additionalProperties']

const isNameable = ({ type, properties = {} }: JsonSchema): boolean =>
  type === 'object' && Object.keys(properties).length > 0

/** The schemas directly inside a schema, each with the part that it adds to the name of its place. */
function partsOf(schema: JsonSchema): [part: string, inner: JsonSchema][] {
  const { properties = {}, items, additionalProperties } = schema
  return [
    ...Object.entries(properties).map(([name, inner]): [string, JsonSchema] => [capital(name), inner]),
    ...(items ? [['Item', items] as [string, JsonSchema]] : []),
    ...(isObject(additionalProperties) ? [['Value', additionalProperties] as [string, JsonSchema]] : []),
    ...alternatives.flatMap((keyword) =>
      ((schema[keyword] ?? []) as readonly JsonSchema[]).map((inner, index): [string, JsonSchema] => [
        index === 0 ? '' : String(index + 1),
        inner,
      ]),
    ),
  ]
}

/** Converts a name to a part of a name, such as `utm_source` to `UtmSource`. */
export const capital = (name: string): string =>
  name.replace(/(?:^|[^a-zA-Z\d]+)([a-zA-Z\d])/g, (_, letter: string) => letter.toUpperCase())
