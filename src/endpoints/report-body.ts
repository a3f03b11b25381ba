import * as z from 'zod'
import type { Issue } from '../errors.ts'
import { filterDocs } from '../request/filter-docs.ts'
import { parseJson } from '../request/json.ts'
import { type ParameterDoc, type Query, unknownParameter } from '../request/query-string.ts'
import { id } from './ids.ts'

const Fields = () => z.record(z.string(), z.unknown(), { error: 'Must be an object.' })

type Fields = Readonly<Record<string, unknown>>

/** The range parameters that clients repeat among the filters. */
const rangeNames = ['startAt', 'endAt']

/** A POST report's declarations about its body. */
interface BodyDeclaration {
  readonly path: string
  /** The report's name, if the path is an alias. */
  readonly aliasOf?: string
  /** Names of filters that may also be among the body's parameters. */
  readonly filtersBeside?: FiltersBeside
}

export type FiltersBeside = readonly string[]

/** The allowed values of `type` in the body: the last part of the path; for an alias, also the name of the report. */
export const typesOf = ({ path, aliasOf }: BodyDeclaration): string[] => [
  path.slice(path.lastIndexOf('/') + 1),
  ...(aliasOf === undefined ? [] : [aliasOf]),
]

/**
 * The body of a POST report. `filters` and `parameters` together contain the values that a GET has in its query string.
 * The same schema reads both.
 */
export const reportBody = (declared: BodyDeclaration, query: Query<object>) => (): z.ZodType<object> => {
  const types = typesOf(declared)
  return z
    .strictObject({
      websiteId: id(),
      type: z.literal(types, { error: `Must be ${types.join(' or ')}, as in the path.` }),
      filters: Fields(),
      parameters: Fields(),
    })
    .transform(({ websiteId, filters, parameters }, context) => {
      const refuse = (issuePath: string[], message: string) =>
        context.addIssue({ code: 'custom', path: issuePath, message })
      for (const { path, message } of misshapen(query, parameters, declared.filtersBeside)) {
        refuse(['parameters', path], message)
      }
      for (const name of rangeNames.filter((one) => differ(filters[one], parameters[one]))) {
        refuse(['filters', name], `Must be the same as parameters.${name}, or left out.`)
      }
      if (context.issues.length > 0) return {}
      const read = query.schema.safeParse(entriesOf(filters, parameters))
      for (const { path: issuePath, message } of read.error?.issues ?? []) {
        refuse(placeOf(String(issuePath[0]), filters, parameters), message)
      }
      return { ...read.data, websiteId }
    })
}

/**
 * The names that may occur among the body's parameters: all parameters that are not filters, and the filters in
 * `beside`.
 */
export const parameterNames = ({ parameters }: Query<object>, beside: FiltersBeside = []): string[] =>
  Object.keys(parameters).filter((name) => beside.includes(name) || !Object.hasOwn(filterDocs(true), name))

/** Faults found before the query reads the parameters: unknown names, and JSON instead of a text. */
export function misshapen(query: Query<object>, parameters: Fields, beside?: FiltersBeside): Issue[] {
  const allowed = parameterNames(query, beside)
  const names = Object.keys(parameters)
  const noText = 'Must be a text, a number or a boolean.'
  return [
    ...names
      .filter((one) => !allowed.includes(one))
      .map((path) => ({ path, message: unknownParameter(path, allowed) })),
    ...names
      .filter((one) => isJson(parameters[one]) && !takesJson(query, one))
      .map((path) => ({ path, message: noText })),
  ]
}

const isJson = (value: unknown): boolean => typeof value === 'object'

/** Whether the parameter is JSON in a query string. */
const takesJson = ({ parameters }: Query<object>, name: string): boolean =>
  Object.hasOwn(parameters, name) && parameters[name]!.schema.contentMediaType !== undefined

/** A parameter's value in its own type: JSON instead of the JSON's text, a number instead of its text, or reversed. */
export function typedValue({ schema: { type, contentMediaType } }: ParameterDoc, value: unknown): unknown {
  if (isJson(value)) return value
  const text = String(value)
  if (contentMediaType !== undefined) return jsonIn(text) ?? value
  if (type === 'string') return text
  const isNumber = (type === 'number' || type === 'integer') && String(Number(text)) === text
  return isNumber ? Number(text) : value
}

/** The array or object in a text; undefined if it contains anything else. */
function jsonIn(text: string): unknown {
  try {
    const value = parseJson(text)
    return isJson(value) ? value : undefined
  } catch {
    return undefined
  }
}

const differ = (one: unknown, other: unknown): boolean =>
  one !== undefined && other !== undefined && parameterText(one) !== parameterText(other)

/** The entries of the equivalent query string. */
function entriesOf(filters: Fields, parameters: Fields): Record<string, string> {
  const conditions = Object.entries(filters).filter(([name]) => !rangeNames.includes(name))
  const range = Object.entries(filters).filter(([name]) => rangeNames.includes(name))
  return Object.fromEntries([
    ...[...range, ...Object.entries(parameters)].map(([name, value]) => [name, parameterText(value)]),
    ...(conditions.length > 0 ? [['filters', JSON.stringify(Object.fromEntries(conditions))]] : []),
  ])
}

/** A value of a body, as its text in a query string. */
export const parameterText = (value: unknown): string => (isJson(value) ? JSON.stringify(value) : String(value))

/** The path of an entry in the body. */
function placeOf(name: string, filters: Fields, parameters: Fields): string[] {
  if (name === 'filters' || name.startsWith('filters.')) return [name]
  const isFilter = Object.hasOwn(filters, name) && !Object.hasOwn(parameters, name)
  return [isFilter ? 'filters' : 'parameters', name]
}

/** The OpenAPI schema of a parameter in a body: the JSON itself instead of its text. */
export function bodyDocOf({ schema, description }: ParameterDoc): object {
  const { type, contentMediaType, contentSchema, ...rest } = schema
  return contentMediaType === undefined
    ? { ...schema, description }
    : { ...rest, ...(contentSchema as object), description }
}
