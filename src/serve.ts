import { zValidator } from '@hono/zod-validator'
import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import * as z from 'zod'
import { type Caller, identify } from './access/caller.ts'
import { permitAdmin, permitWebsite } from './access/permit.ts'
import { PatternError, run } from './clickhouse/run.ts'
import { parseServer, type Server } from './clickhouse/server.ts'
import { type Answer, type AnyAction, type AnyReport, type Endpoint, id, idNames } from './endpoints/endpoint.ts'
import type { Env } from './env.ts'
import { ApiError, invalid } from './errors.ts'
import { type Metadata, metadata } from './metadata/metadata.ts'
import type { Statement } from './query/sql.ts'
import { type Filters, noFilters } from './request/filters.ts'
import { refusedPattern } from './request/patterns.ts'
import { malformedNames } from './request/query-string.ts'

/** What the stages of one request hand on. */
export interface Stages {
  Bindings: Env
  Variables: { requestId: string; now: number; metadata: Metadata; caller: Caller }
}

type Request = HonoContext<Stages>

/** The one path of a request, a stage each: identify → validate → permit → plan → run → shape → respond. */
export const serve = (endpoint: Endpoint): MiddlewareHandler<Stages>[] => [
  identified(endpoint),
  zValidator('param', z.object(Object.fromEntries(idNames(endpoint).map((name) => [name, id]))), refuse),
  wellFormed,
  zValidator('query', endpoint.query.schema, refuse),
  ...bodyOf(endpoint),
  async (c) => respond(c, await (endpoint.kind === 'report' ? answerReport(c, endpoint) : answerAction(c, endpoint))),
]

const identified =
  ({ access }: Endpoint): MiddlewareHandler<Stages> =>
  async (c, next) => {
    c.set('now', Date.now())
    c.set('metadata', metadata(c.env.METADATA, c.get('now')))
    if (access !== 'public') c.set('caller', await identify(c.req.raw.headers, c.get('metadata')))
    await next()
  }

/** Turns what a schema found wrong into the one error shape; unknown fields of a body are an issue each. */
function refuse(result: { success: boolean; error?: z.core.$ZodError | undefined }): void {
  if (!result.success) {
    throw invalid(
      (result.error?.issues ?? []).flatMap((issue) =>
        issue.code === 'unrecognized_keys'
          ? issue.keys.map((key) => ({ path: [...issue.path, key].join('.'), message: 'Unknown field.' }))
          : [{ path: issue.path.join('.'), message: issue.message }],
      ),
    )
  }
}

async function answerReport(c: Request, report: AnyReport): Promise<Answer<unknown>> {
  const input = inputOf(c)
  const { id: websiteId } = await permitWebsite(c.get('caller'), input.websiteId, c.get('metadata'))
  const plan: Record<string, Statement<unknown>> = report.plan(input as never, { websiteId })
  try {
    return report.shape((await runAll(parseServer(c.env), plan)) as never, input as never)
  } catch (error) {
    throw error instanceof PatternError ? invalid([refusedPattern(error.text, input.filters)]) : error
  }
}

async function answerAction(c: Request, action: AnyAction): Promise<Answer<unknown>> {
  const input = inputOf(c)
  const [caller, store] = [c.get('caller'), c.get('metadata')]
  if (action.access === 'admin') permitAdmin(caller)
  const website = idNames(action).includes('websiteId') && (await permitWebsite(caller, input.websiteId, store))
  return action.run(input as never, { caller, metadata: store, now: c.get('now'), ...(website && { website }) })
}

/** What is no percent-encoded UTF-8 has no meaning, and is not guessed at. */
const wellFormed: MiddlewareHandler<Stages> = async (c, next) => {
  const names = malformedNames(new URL(c.req.url).search)
  if (names.length > 0) {
    throw invalid(
      names.map((path) => ({
        path,
        message: 'Must have a name, and be UTF-8 in percent-encoding (a % itself is %25).',
      })),
    )
  }
  await next()
}

/** Everything that was validated: the query string, the body and the ids of the path. */
function inputOf(c: Request): { websiteId: string; filters: Filters } {
  const valid = c.req.valid as (target: string) => object | undefined
  return {
    websiteId: '',
    filters: noFilters,
    ...valid.call(c.req, 'query'),
    ...valid.call(c.req, 'json'),
    ...valid.call(c.req, 'param'),
  }
}

/** Runs the statements of a plan together; when one fails, the others are given up. */
async function runAll(server: Server, plan: Record<string, Statement<unknown>>): Promise<object> {
  const others = new AbortController()
  try {
    const results = Object.entries(plan).map(async ([name, statement]) => [
      name,
      await run(server, statement, others.signal),
    ])
    return Object.fromEntries(await Promise.all(results))
  } catch (error) {
    others.abort()
    throw error
  }
}

function respond(c: Request, { body, next, total }: Answer<unknown>): Response {
  const link = next === undefined ? '' : nextPage(c.req.url, next)
  if (link !== '' && link.length <= longestLink) c.header('Link', `<${link}>; rel="next"`)
  if (total !== undefined) c.header('X-Total-Count', String(total))
  return c.json(body)
}

/** A longer link is left out: many clients refuse answers with more than 16 kB of headers. */
const longestLink = 8000

function nextPage(url: string, cursor: string): string {
  const next = new URL(url)
  next.searchParams.delete('page')
  next.searchParams.set('cursor', cursor)
  return next.href
}

/** Bodies larger than this, in bytes, are refused. */
const largestBody = 100_000

/** A JSON body where one is declared, none elsewhere. */
function bodyOf(endpoint: Endpoint): MiddlewareHandler<Stages>[] {
  if (endpoint.kind === 'report' || !endpoint.body) return [noBody]
  return [limited, jsonOnly, zValidator('json', endpoint.body, refuse) as MiddlewareHandler<Stages>]
}

const limited = bodyLimit({
  maxSize: largestBody,
  onError: () => {
    throw new ApiError('payload-too-large', `A body may hold at most ${largestBody} bytes.`)
  },
})

const noBody: MiddlewareHandler<Stages> = async (c, next) => {
  if (c.req.raw.body !== null && c.req.header('content-length') !== '0')
    throw new ApiError('bad-request', `A ${c.req.method} request takes no body here.`)
  await next()
}

const jsonOnly: MiddlewareHandler<Stages> = async (c, next) => {
  if (!/^application\/json *(;|$)/i.test(c.req.header('content-type') ?? '')) {
    throw new ApiError('bad-request', 'Send the body as JSON, with Content-Type: application/json.')
  }
  await next()
}
