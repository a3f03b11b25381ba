import * as z from 'zod'
import { filterDocs } from '../request/filter-docs.ts'
import type { Query } from '../request/query-string.ts'
import { id } from './ids.ts'

const Fields = () => z.record(z.string(), z.unknown(), { error: 'Must be an object.' })

type Fields = Readonly<Record<string, unknown>>

/** The names of the range that clients repeat among the filters. */
const rangeNames = ['startAt', 'endAt']

/**
 * The body of a report that is asked by POST. `filters` and `parameters` together are what the query string of a GET
 * holds, and the query reads them. `type` is the last part of the path.
 */
export const reportBody = (path: string, query: Query<object>) => (): z.ZodType<object> => {
  const type = path.slice(path.lastIndexOf('/') + 1)
  return z
    .strictObject({
      websiteId: id(),
      type: z.literal(type, { error: `Must be ${type}, as in the path.` }),
      filters: Fields(),
      parameters: Fields(),
    })
    .transform(({ websiteId, filters, parameters }, context) => {
      const refuse = (issuePath: string[], message: string) =>
        context.addIssue({ code: 'custom', path: issuePath, message })
      for (const name of Object.keys(parameters).filter((one) => !parameterNames(query).includes(one))) {
        refuse(['parameters', name], `Unknown parameter. Allowed: ${parameterNames(query).join(', ')}.`)
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

const differ = (one: unknown, other: unknown): boolean =>
  one !== undefined && other !== undefined && parameterText(one) !== parameterText(other)

/** The entries of the query string that asks the same. */
function entriesOf(filters: Fields, parameters: Fields): Record<string, string> {
  const conditions = Object.entries(filters).filter(([name]) => !rangeNames.includes(name))
  const range = Object.entries(filters).filter(([name]) => rangeNames.includes(name))
  return Object.fromEntries([
    ...[...range, ...Object.entries(parameters)].map(([name, value]) => [name, parameterText(value)]),
    ...(conditions.length > 0 ? [['filters', JSON.stringify(Object.fromEntries(conditions))]] : []),
  ])
}

/** A value of a body as a query string holds it. */
export const parameterText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Where an entry stands in the body. */
function placeOf(name: string, filters: Fields, parameters: Fields): string[] {
  if (name === 'filters' || name.startsWith('filters.')) return [name]
  const isFilter = Object.hasOwn(filters, name) && !Object.hasOwn(parameters, name)
  return [isFilter ? 'filters' : 'parameters', name]
}
