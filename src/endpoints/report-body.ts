import * as z from 'zod'
import { filterDocs } from '../request/filter-docs.ts'
import type { ParameterDoc, Query } from '../request/query-string.ts'
import { id } from './ids.ts'

const Fields = () => z.record(z.string(), z.unknown(), { error: 'Must be an object.' })

type Fields = Readonly<Record<string, unknown>>

/** The names of the range that clients repeat among the filters. */
const rangeNames = ['startAt', 'endAt']

/** The types in the bodies of a report: the last part of its path; where that is an alias, also the report's name. */
export const typesOf = (path: string, aliasOf: string | undefined): string[] => [
  path.slice(path.lastIndexOf('/') + 1),
  ...(aliasOf === undefined ? [] : [aliasOf]),
]

/**
 * The body of a report that is asked by POST. `filters` and `parameters` together are what the query string of a GET
 * holds, and the query reads them.
 */
export const reportBody = (path: string, query: Query<object>, aliasOf?: string) => (): z.ZodType<object> => {
  const types = typesOf(path, aliasOf)
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
      for (const name of Object.keys(parameters).filter((one) => !parameterNames(query).includes(one))) {
        refuse(['parameters', name], `Unknown parameter. Allowed: ${parameterNames(query).join(', ')}.`)
      }
      for (const name of Object.keys(parameters).filter((one) => isJson(parameters[one]) && !takesJson(query, one))) {
        refuse(['parameters', name], 'Must be a text, a number or a boolean.')
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

/** The names of the parameters that are no filters. */
export const parameterNames = ({ parameters }: Query<object>): string[] =>
  Object.keys(parameters).filter((name) => !Object.hasOwn(filterDocs(true), name))

const isJson = (value: unknown): boolean => typeof value === 'object'

/** Whether the parameter is JSON in a query string. */
const takesJson = ({ parameters }: Query<object>, name: string): boolean =>
  parameters[name]?.schema.contentMediaType !== undefined

/** What is JSON in a query string stands in a body as it is. */
export const schemaInBody = ({ type, contentMediaType, ...schema }: ParameterDoc['schema']): object =>
  contentMediaType === undefined ? { type, ...schema } : {}

const differ = (one: unknown, other: unknown): boolean =>
  one !== undefined && other !== undefined && textOf(one) !== textOf(other)

/** The entries of the query string that asks the same. */
function entriesOf(filters: Fields, parameters: Fields): Record<string, string> {
  const conditions = Object.entries(filters).filter(([name]) => !rangeNames.includes(name))
  const range = Object.entries(filters).filter(([name]) => rangeNames.includes(name))
  return Object.fromEntries([
    ...[...range, ...Object.entries(parameters)].map(([name, value]) => [name, textOf(value)]),
    ...(conditions.length > 0 ? [['filters', JSON.stringify(Object.fromEntries(conditions))]] : []),
  ])
}

const textOf = (value: unknown): string => (isJson(value) ? JSON.stringify(value) : String(value))

/** Where an entry stands in the body. */
function placeOf(name: string, filters: Fields, parameters: Fields): string[] {
  if (name === 'filters' || name.startsWith('filters.')) return [name]
  const isFilter = Object.hasOwn(filters, name) && !Object.hasOwn(parameters, name)
  return [isFilter ? 'filters' : 'parameters', name]
}
