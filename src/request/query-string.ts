import * as z from 'zod'
import { maxIssues } from '../errors.ts'

/** One `name=value` of a query string, after percent-decoding. */
export interface QueryEntry {
  readonly name: string
  readonly value: string
}

/** Adds an issue to those of the request; it is refused with all of them. */
export type AddIssue = (path: string, message: string) => void

/** Refuses a value: the message says what it must be. */
export type Refuse = (message: string) => void

/** What a parameter is in the OpenAPI document. */
export interface ParameterDoc {
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly required?: boolean
}

/** A parameter that may be given once: how its text is read, and how it is documented. */
export interface Parameter<Value> {
  /** Reads the text, or refuses it and returns undefined. */
  readonly read: (text: string, refuse: Refuse) => Value | undefined
  readonly doc: ParameterDoc
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>

/** What was read of `P`: undefined where a parameter was not given (or was refused). */
export type Values<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer Value> ? Value | undefined : never
}

/** A set of parameters that belong together, and the value they resolve to. */
export interface Group<Resolved extends object> {
  readonly parameters: Parameters
  /** Names that are not fixed: `browser1`, `filters[path]`, `epf0`… */
  readonly claims?: {
    readonly doc: Readonly<Record<string, ParameterDoc>>
    readonly matches: (name: string) => boolean
  }
  resolve(values: Readonly<Record<string, unknown>>, claimed: readonly QueryEntry[], addIssue: AddIssue): Resolved
}

/** A group of fixed parameters; `resolve` sees them typed. */
export function group<P extends Parameters, Resolved extends object>(
  parameters: P,
  resolve: (values: Values<P>, addIssue: AddIssue) => Resolved,
): Group<Resolved> {
  return { parameters, resolve: (values, _claimed, addIssue) => resolve(values as Values<P>, addIssue) }
}

type Merged<Groups extends readonly Group<object>[]> = (
  Groups[number] extends infer One
    ? One extends Group<infer Resolved>
      ? (merge: Resolved) => void
      : never
    : never
) extends (merge: infer All) => void
  ? unknown extends All
    ? object
    : All
  : never

/** The query schema of an endpoint, and what its parameters are. */
export interface Query<Input> {
  readonly schema: z.ZodType<Input, unknown>
  readonly parameters: Readonly<Record<string, ParameterDoc>>
  /** Those of `parameters` that are checked and change nothing. */
  readonly ignored: ReadonlySet<string>
  /** The same query, where the names of these groups are known too: they are checked, and change nothing. */
  readonly beside: (...known: readonly Group<object>[]) => Query<Input>
}

/** The longest query string, in characters as it is sent: as much as a body may hold. */
const maxQueryLength = 100_000

/** The most parameters of a query string, empty ones too. */
const maxParameters = 200

/** Why this query string (`?a=1&b=2`) is too much to be looked at; undefined where it is not. */
export function excessOf(search: string): string | undefined {
  if (search.length > maxQueryLength) return `A query string may hold at most ${maxQueryLength} characters.`
  if (search.split('&', maxParameters + 1).length > maxParameters) {
    return `A query string may hold at most ${maxParameters} parameters.`
  }
  return undefined
}

/** Names of the parameters in `search` (`?a=1&b=2`) that are empty, or that are not UTF-8 in percent-encoding. */
export function malformedNames(search: string): string[] {
  const parameters = search.slice(1).split('&').filter(Boolean)
  return parameters.filter((one) => one.startsWith('=') || !isDecodable(one)).map((one) => one.split('=')[0]!)
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** Joins groups into one schema that refuses unknown names and parameters given more than once. */
export const query = <const Groups extends readonly Group<object>[]>(...groups: Groups): Query<Merged<Groups>> =>
  joinGroups(groups, [])

const ignoredHere = 'Accepted, as clients send it everywhere: it must be well formed, and has no effect here.'

/** A name belongs to the first group that knows it, so that what is `known` beside the `own` ones takes none of theirs. */
function joinGroups<Input>(own: readonly Group<object>[], known: readonly Group<object>[]): Query<Input> {
  const docs = docsOf(own)
  const isNew = ([name]: [string, ParameterDoc]): boolean =>
    !Object.hasOwn(docs, name) && !own.some((one) => one.claims?.matches(name))
  const ignoredDocs = Object.entries(docsOf(known)).filter(isNew)
  const groups = [...own, ...known.filter((one) => Object.entries(docsOf([one])).some(isNew))]
  const parameters = {
    ...docs,
    ...Object.fromEntries(ignoredDocs.map(([name, { schema }]) => [name, { description: ignoredHere, schema }])),
  }

  const read = (raw: Readonly<Record<string, string | string[]>>, addIssue: AddIssue): Input => {
    const values: Record<string, unknown> = {}
    const claimed: QueryEntry[] = []
    for (const [name, given] of Object.entries(raw)) {
      const texts = Array.isArray(given) ? given : [given]
      const group = groups.find((one) => hasParameter(one, name) || one.claims?.matches(name))
      const parameter = group && hasParameter(group, name) ? group.parameters[name] : undefined
      if (name.length > maxTextLength) addIssue(name, nameTooLong)
      else if (parameter && texts.length > 1) addIssue(name, 'Give this parameter once.')
      else if (parameter) values[name] = parameter.read(texts[0]!, (message) => addIssue(name, message))
      else if (group) claimed.push(...texts.map((value) => ({ name, value })))
      else addIssue(name, `Unknown parameter. Allowed: ${Object.keys(parameters).join(', ') || 'none'}.`)
    }
    for (const [name, { required }] of Object.entries(docs)) {
      if (required && raw[name] === undefined) addIssue(name, 'This parameter is required.')
    }
    return Object.assign({}, ...groups.map((one) => one.resolve(values, one.claims ? claimed : [], addIssue)))
  }

  const schema = z.custom<Readonly<Record<string, string | string[]>>>().transform((raw, context) => {
    const issues = new Map<string, string>()
    const input = read(raw, (path, message) => {
      if (issues.size < maxIssues && !issues.has(path)) issues.set(path, message)
    })
    for (const [path, message] of issues) context.addIssue({ code: 'custom', path: [path], message })
    return issues.size > 0 ? z.NEVER : input
  })
  return {
    schema,
    parameters,
    ignored: new Set(ignoredDocs.map(([name]) => name)),
    beside: (...more) => joinGroups(own, [...known, ...more]),
  }
}

const hasParameter = ({ parameters }: Group<object>, name: string): boolean => Object.hasOwn(parameters, name)

/** What the groups know, the fixed names first. */
function docsOf(groups: readonly Group<object>[]): Record<string, ParameterDoc> {
  const fixed = Object.assign({}, ...groups.map(({ parameters }) => parameters)) as Parameters
  const docs = Object.entries(fixed).map(([name, { doc }]) => [name, doc] as const)
  const others = groups.flatMap((one) => Object.entries(one.claims?.doc ?? {}))
  return Object.fromEntries([...docs, ...others.filter(([name]) => !Object.hasOwn(fixed, name))])
}

/** A whole number in plain decimal digits: no blank, fraction, exponent or hexadecimal. */
export function wholeNumber(
  description: string,
  limits: { min: number; max: number; default?: number },
): Parameter<number> {
  const { min, max } = limits
  return {
    read(text, refuse) {
      const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN
      if (value >= min && value <= max) return value
      return void refuse(`Must be a whole number from ${min} to ${max}, in plain decimal digits.`)
    },
    doc: {
      description,
      schema: {
        type: 'integer',
        minimum: min,
        maximum: max,
        ...(limits.default !== undefined && { default: limits.default }),
      },
    },
  }
}

export function oneOf<const Value extends string>(description: string, values: readonly Value[]): Parameter<Value> {
  return {
    read: (text, refuse) =>
      values.find((value) => value === text) ?? void refuse(`Must be one of: ${values.join(', ')}.`),
    doc: { description, schema: { type: 'string', enum: [...values] } },
  }
}

/** The longest text that any one name or value may have, in UTF-16 code units. Stored columns are shorter. */
export const maxTextLength = 4000

export const nameTooLong = `A name must be at most ${maxTextLength} characters long.`

export function freeText(description: string, schema: Readonly<Record<string, unknown>> = {}): Parameter<string> {
  return {
    read: (text, refuse) =>
      text.length <= maxTextLength ? text : void refuse(`Must be at most ${maxTextLength} characters long.`),
    doc: { description, schema: { type: 'string', maxLength: maxTextLength, ...schema } },
  }
}

/** The same parameter, refused when it is left out. */
export const required = <Value>(parameter: Parameter<Value>): Parameter<Value> => ({
  ...parameter,
  doc: { ...parameter.doc, required: true },
})
