import { zValidator } from '@hono/zod-validator'
import * as z from 'zod'
import { type Endpoint, idNames, pathParameter } from '../endpoints/endpoint.ts'
import { isAskedByBody } from '../endpoints/facts.ts'
import { ApiError, type Issue, invalid, maxIssues } from '../errors.ts'
import { made } from '../made.ts'
import { repeatedIds } from '../request/client-names.ts'
import { type Filters, noFilters } from '../request/filters.ts'
import type { Period } from '../request/period.ts'
import { excessOf, malformedNames, type Query, query } from '../request/query-string.ts'
import { reportTerms, type Terms } from '../request/terms.ts'
import { readBody, refuseIds, withoutFields } from './body.ts'
import type { Exchange } from './exchange.ts'
import { periodNamed, withPeriod } from './period.ts'

/** The validated ids in the path, query string and body. `period` is a report's range. */
export interface Input {
  readonly filters: Filters
  readonly period?: Period
  readonly [name: string]: unknown
}

interface ReadInput {
  readonly input: Input
  readonly terms: Terms
  /** Fields of the body, by name, that must equal those of the record. */
  readonly returned: Readonly<Record<string, unknown>>
}

/** Refuses an oversized query string before anything else reads it. */
export function refuseExcess(url: URL): void {
  const excess = excessOf(url.search)
  if (excess !== undefined) throw new ApiError('bad-request', excess)
}

/**
 * Validates a request against its endpoint's schemas. A 400 lists all issues, but only those of the first invalid part:
 * the ids, then the query string, then the body.
 */
export async function readInput(endpoint: Endpoint, exchange: Exchange): Promise<ReadInput> {
  const ids = await validated('param', idsOf(endpoint), exchange)
  refuseMalformed(exchange.url)
  const repeated = idNames(endpoint).filter((name) => repeatedIds.includes(name))
  refuseOtherIds(repeated, ids, exchange.url)
  // The slug of a share is read as a credential, and the ids in the path have been read already.
  const query = withoutFields(['share', ...repeated], urlQuery(endpoint).schema)
  const named = await periodNamed(endpoint, exchange)
  exchange.namedPeriod = named
  const isInBody = isAskedByBody(endpoint)
  const given: Terms = await validated('query', isInBody ? query : withPeriod(endpoint, named, query), exchange)
  const { deadline, dryRun, ...parameters } = given
  const { fields, returned } = await readBody(endpoint, exchange, (schema) =>
    validated('json', isInBody ? withPeriod(endpoint, named, schema) : schema, exchange),
  )
  return { input: { filters: noFilters, ...parameters, ...fields, ...ids }, terms: { deadline, dryRun }, returned }
}

/**
 * The schema of the query string. If the parameters are in the body, the query string may only contain a report's terms
 * (deadline, dry run).
 */
export const urlQuery = (endpoint: Endpoint): Query<unknown> => {
  if (!isAskedByBody(endpoint)) return endpoint.query
  return endpoint.kind === 'report' ? onlyTerms : nothing
}

const onlyTerms = query(reportTerms)
const nothing = query()

/** Validates one part of the request with Hono's validator. */
async function validated(target: 'param' | 'query' | 'json', schema: z.ZodType, { hono }: Exchange): Promise<object> {
  await zValidator(target, schema, refuse)(hono as never, async () => {})
  return (hono.req.valid as (target: string) => object).call(hono.req, target)
}

const idsOf = (endpoint: Endpoint) =>
  z.object(Object.fromEntries(idNames(endpoint).map((name) => [name, made(pathParameter(name))])))

/** The query string may repeat these ids from the path, once each. They must be equal. */
function refuseOtherIds(names: readonly string[], ids: object, { searchParams }: URL): void {
  const isOther = (name: string): boolean => {
    const given = searchParams.getAll(name)
    return given.length > 1 || (given.length === 1 && given[0]!.toLowerCase() !== ids[name as keyof typeof ids])
  }
  refuseIds(names.filter(isOther))
}

/** Refuses malformed percent-encoding instead of guessing what it means. */
function refuseMalformed({ search }: URL): void {
  const names = malformedNames(search)
  const message = 'Must have a name, and be UTF-8 in percent-encoding (a % itself is %25).'
  if (names.length > 0) throw invalid(names.map((path) => ({ path, message })))
}

/**
 * Messages about unknown fields, and about bodies that are not objects, list the allowed fields. A missing field is
 * reported as required.
 */
z.config({
  customError({ code, inst, input }) {
    const fields = inst instanceof z.ZodObject ? Object.keys(inst.shape).join(', ') : undefined
    if (code === 'unrecognized_keys' && fields !== undefined) return `Unknown field. Allowed: ${fields}.`
    if (code !== 'invalid_type') return undefined
    if (input === undefined) return 'This field is required.'
    return fields === undefined ? undefined : `Must be an object. Its fields: ${fields}.`
  },
})

/** Converts a schema's issues to the API's error format. */
function refuse(result: { success: boolean; error?: z.core.$ZodError | undefined }): void {
  if (!result.success) throw invalid(issuesOf(result.error))
}

/** A schema's issues. Each unknown field in a body becomes a separate issue. */
export const issuesOf = (error: z.core.$ZodError | undefined): Issue[] =>
  (error?.issues ?? []).flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.slice(0, maxIssues).map((key) => ({ path: [...issue.path, key].join('.'), message: issue.message }))
      : [{ path: issue.path.join('.'), message: issue.message }],
  )
