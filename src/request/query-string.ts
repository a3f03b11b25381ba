import * as z from 'zod'
import { maxIssues } from '../errors.ts'
import { made } from '../made.ts'
import { didYouMean } from './did-you-mean.ts'

/** One `name=value` in a query string, percent-decoded. */
export interface QueryEntry {
  readonly name: string
  readonly value: string
}

/** Adds an issue. The request is then refused with all of its issues. */
export type AddIssue = (path: string, message: string) => void

/** Refuses a value. The message lists the allowed values. */
export type Refuse = (message: string) => void

export interface ParameterDoc {
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
  readonly required?: boolean
}

/** A parameter that may occur once, with its parser and its description. */
export interface Parameter<Value> {
  /** Parses the text, or refuses it and returns undefined. */
  readonly read: (text: string, refuse: Refuse) => Value | undefined
  readonly doc: ParameterDoc
}

type Parameters = Readonly<Record<string, Parameter<unknown>>>

/** The parsed values of `P`; undefined for a parameter that is missing or was refused. */
export type Values<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends Parameter<infer Value> ? Value | undefined : never
}

interface RequiredParameter<Value> extends Parameter<Value> {
  readonly doc: ParameterDoc & { readonly required: true }
}

/** The values of `P` in a request that was not refused. */
type Accepted<P extends Parameters> = {
  readonly [Name in keyof P]: P[Name] extends RequiredParameter<infer Value> ? Value : Values<P>[Name]
}

/** Parameters that belong together, and a function that computes a value from them. */
export interface Group<Resolved extends object> {
  readonly parameters: Parameters
  /** Matches variable parameter names: `browser1`, `filters[path]`, `epf0`… */
  readonly claims?: {
    readonly doc: Readonly<Record<string, ParameterDoc>>
    readonly matches: (name: string) => boolean
  }
  resolve(values: Readonly<Record<string, unknown>>, claimed: readonly QueryEntry[], addIssue: AddIssue): Resolved
}

/** A group of fixed parameters. `resolve` receives their typed values. Without it, these values are the result. */
export function group<P extends Parameters, Resolved extends object = Accepted<P>>(
  parameters: P,
  resolve = (values: Values<P>, _addIssue: AddIssue): Resolved => valuesOf(parameters, values) as Resolved,
): Group<Resolved> {
  return { parameters, resolve: (values, _claimed, addIssue) => resolve(values as Values<P>, addIssue) }
}

const valuesOf = (parameters: Parameters, values: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.keys(parameters).map((name) => [name, values[name]]))

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

/** An endpoint's query schema and the descriptions of its parameters. */
export interface Query<Input> {
  readonly schema: z.ZodType<Input, unknown>
  readonly parameters: Readonly<Record<string, ParameterDoc>>
  /** The names in `parameters` that are validated but have no effect. */
  readonly ignored: ReadonlySet<string>
  /**
   * Returns a query that also accepts the parameter names of these groups. Their values are validated, then ignored.
   */
  readonly beside: (...known: readonly Group<object>[]) => Query<Input>
  /** Returns a query that also has these groups. */
  readonly with: (...own: readonly Group<object>[]) => Query<Input>
}

/** The maximum length of a query string, in undecoded characters. The same limit applies to a body. */
const maxQueryLength = 100_000

/** The maximum number of parameters in a query string, including empty ones. */
const maxParameters = 200

/** The reason to refuse an oversized query string (`?a=1&b=2`); undefined if its size is allowed. */
export function excessOf(search: string): string | undefined {
  if (search.length > maxQueryLength) return `A query string may have at most ${maxQueryLength} characters.`
  if (search.split('&', maxParameters + 1).length > maxParameters) {
    return `A query string may have at most ${maxParameters} parameters.`
  }
  return undefined
}

/** The names of parameters in `search` (`?a=1&b=2`) that are empty or whose percent-encoding is not valid UTF-8. */
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

/** Combines groups into one schema, which refuses unknown names and repeated parameters. */
export const query = <const Groups extends readonly Group<object>[]>(...groups: Groups): Query<Merged<Groups>> =>
  joinGroups(groups, [])

const ignoredHere = 'Accepted because clients send it. It must be valid, but has no effect here.'

/**
 * Combines groups. A name belongs to the first group that matches it, so `known` groups cannot take names from `own`
 * groups. Groups are combined on first use, so that isolates start quickly.
 */
function joinGroups<Input>(own: readonly Group<object>[], known: readonly Group<object>[]): Query<Input> {
  const joined = () => joinNow<Input>(own, known)
  return {
    get schema() {
      return made(joined).schema
    },
    get parameters() {
      return made(joined).parameters
    },
    get ignored() {
      return made(joined).ignored
    },
    beside: (...more) => joinGroups(own, [...known, ...more]),
    with: (...more) => joinGroups([...own, ...more], known),
  }
}

function joinNow<Input>(
  own: readonly Group<object>[],
  known: readonly Group<object>[],
): Pick<Query<Input>, 'schema' | 'parameters' | 'ignored'> {
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
      else addIssue(name, unknownParameter(name, Object.keys(parameters)))
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
  return { schema, parameters, ignored: new Set(ignoredDocs.map(([name]) => name)) }
}

/** The error message about an unknown parameter. */
export const unknownParameter = (name: string, allowed: readonly string[]): string =>
  `Unknown parameter.${didYouMean(name, allowed)} Allowed: ${allowed.join(', ') || 'none'}.`

const hasParameter = ({ parameters }: Group<object>, name: string): boolean => Object.hasOwn(parameters, name)

/** The descriptions of the groups' parameters, fixed names first. */
function docsOf(groups: readonly Group<object>[]): Record<string, ParameterDoc> {
  const fixed = Object.assign({}, ...groups.map(({ parameters }) => parameters)) as Parameters
  const docs = Object.entries(fixed).map(([name, { doc }]) => [name, doc] as const)
  const others = groups.flatMap((one) => Object.entries(one.claims?.doc ?? {}))
  return Object.fromEntries([...docs, ...others.filter(([name]) => !Object.hasOwn(fixed, name))])
}

/** A whole number in plain decimal digits, without spaces, a fraction, an exponent or hexadecimal digits. */
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

/** The maximum length of a name or value, in UTF-16 code units. Stored columns are shorter. */
export const maxTextLength = 4000

export const nameTooLong = `A name must be at most ${maxTextLength} characters long.`

export function freeText(description: string, schema: Readonly<Record<string, unknown>> = {}): Parameter<string> {
  return {
    read: (text, refuse) =>
      text.length <= maxTextLength ? text : void refuse(`Must be at most ${maxTextLength} characters long.`),
    doc: { description, schema: { type: 'string', maxLength: maxTextLength, ...schema } },
  }
}

/** A text of 1 to `longest` characters. */
export const shortText = (
  description: string,
  longest: number,
  schema: Readonly<Record<string, unknown>> = {},
): Parameter<string> => ({
  read: (text, refuse) =>
    text.length >= 1 && text.length <= longest ? text : void refuse(`Must be 1 to ${longest} characters long.`),
  doc: { description, schema: { type: 'string', minLength: 1, maxLength: longest, ...schema } },
})

/** The time of the request, in milliseconds since 1970. It is set by `serve/report.ts`, not by a parameter. */
export const requestMoment: Group<{ now: number }> = group({}, () => ({ now: 0 }))

/** Whether the caller may change the website. It is set by `serve/question.ts`, not by a parameter. */
export const mayUpdate: Group<{ mayUpdate: boolean }> = group({}, () => ({ mayUpdate: false }))

export const required = <Value>(parameter: Parameter<Value>): RequiredParameter<Value> => ({
  ...parameter,
  doc: { ...parameter.doc, required: true },
})
