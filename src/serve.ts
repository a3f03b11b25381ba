import { zValidator } from '@hono/zod-validator'
import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import * as z from 'zod'
import { credentialOf, unauthorized } from './access/credential.ts'
import { type Door, forbidden, isOpenToAll, originsOf, permit } from './access/permit.ts'
import { mayOnWebsite } from './access/rights.ts'
import { type Tokens, tokens } from './access/tokens.ts'
import { PatternError, run } from './clickhouse/run.ts'
import { parseServer, type Server } from './clickhouse/server.ts'
import {
  type Answer,
  type AnyAction,
  type AnyReport,
  type Context,
  type Endpoint,
  id,
  idNames,
  pathParameter,
} from './endpoints/endpoint.ts'
import type { Env } from './env.ts'
import { ApiError, invalid } from './errors.ts'
import type { Holder } from './metadata/lookup.ts'
import { type Metadata, metadata } from './metadata/metadata.ts'
import type { Website } from './metadata/websites.ts'
import type { Statement } from './query/sql.ts'
import { type Filters, noFilters } from './request/filters.ts'
import { refusedPattern } from './request/patterns.ts'
import { malformedNames } from './request/query-string.ts'
import { scopeOf, settle } from './settle.ts'

/** What the stages of one request hand on. */
export interface Stages {
  Bindings: Env
  Variables: {
    requestId: string
    /** The moment of the request, in milliseconds since 1970. */
    now: number
    metadata: Metadata
    tokens: Tokens
    /** Whose credential it is; undefined where none was sent or looked at. */
    holder: Holder | undefined
    /** The website that the path names, where there is such a website. */
    website: Website | undefined
    door: Door
  }
}

type Request = HonoContext<Stages>

/** The one path of a request, a stage each: identify → validate → permit → plan → run → shape → respond. */
export const serve = (endpoint: Endpoint): MiddlewareHandler<Stages>[] => [
  identified(endpoint),
  zValidator(
    'param',
    z.object(Object.fromEntries(idNames(endpoint).map((name) => [name, pathParameter(name)]))),
    refuse,
  ),
  wellFormed,
  zValidator('query', withoutCredential(endpoint.query.schema), refuse),
  ...bodyOf(endpoint),
  permitted(endpoint),
  async (c) => respond(c, await (endpoint.kind === 'report' ? answerReport(c, endpoint) : answerAction(c, endpoint))),
]

/** Who is asking, and for which website: 401 where that takes a credential and there is none that is valid. */
const identified =
  ({ access }: Endpoint): MiddlewareHandler<Stages> =>
  async (c, next) => {
    c.set('now', Date.now())
    c.set('tokens', tokens(c.env.AUTH_SECRET))
    c.set('metadata', metadata(c.env.METADATA, c.get('now')))
    if (access.to !== 'anyone') {
      const credential = await credentialOf(c.req.raw.headers, new URL(c.req.url), c.get('tokens'))
      const websiteId = access.to === 'website' ? id.safeParse(c.req.param('websiteId')).data : undefined
      const { holder, website } = await c.get('metadata').lookUp(credential, websiteId)
      if (!holder && (credential || !isOpenToAll(access, website))) throw unauthorized()
      c.set('holder', holder)
      c.set('website', website)
    }
    await next()
  }

/** The slug of a share in the query string says who is asking; it is no parameter of the endpoint. */
const withoutCredential = (schema: z.ZodType): z.ZodType =>
  z.preprocess((raw) => {
    const { share: _, ...parameters } = raw as Record<string, unknown>
    return parameters
  }, schema)

/** Whether the caller may do this, and from where: 403 otherwise. */
const permitted =
  (endpoint: Endpoint): MiddlewareHandler<Stages> =>
  async (c, next) => {
    const [holder, website] = [c.get('holder'), c.get('website')]
    const ids = (c.req.valid as (target: string) => Record<string, string>).call(c.req, 'param')
    const door = permit(endpoint.access, { holder, website, ids, changes: endpoint.method !== 'get' })
    admit(c, originsOf(holder, door))
    c.set('door', door)
    await next()
  }

/** Where a credential or a door is for some origins only: names the one that asks to browsers, or refuses it. */
function admit(c: Request, allowed: readonly (readonly string[])[]): void {
  if (allowed.length === 0) return
  const own = c.req.header('sec-fetch-site') === 'same-origin' ? new URL(c.req.url).origin : undefined
  const origin = c.req.header('origin') ?? own
  c.header('Vary', 'Origin', { append: true })
  if (origin === undefined || !allowed.every((origins) => origins.includes(origin))) {
    c.header('Access-Control-Allow-Origin', undefined)
    throw forbidden('This is for pages of certain origins only, and this request comes from none of them.')
  }
  c.header('Access-Control-Allow-Origin', origin)
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
  const [website, door] = [c.get('website')!, c.get('door')]
  const asked = inputOf(c)
  const filters = await settle(asked.filters, website, door, c.get('metadata'))
  const input = { ...asked, filters }
  const scope = scopeOf(website, door)
  const plan: Record<string, Statement<unknown>> = report.plan(input as never, scope)
  try {
    return report.shape((await runAll(parseServer(c.env), plan)) as never, input as never)
  } catch (error) {
    throw error instanceof PatternError ? invalid([refusedPattern(error.text, filters)]) : error
  }
}

async function answerAction(c: Request, action: AnyAction): Promise<Answer<unknown>> {
  const { holder, door, website, metadata, tokens, now } = c.var
  const context: Context = {
    holder,
    door,
    metadata,
    tokens,
    now,
    ...(website && { website }),
    async reach(websiteId, right) {
      const other = await metadata.websites.read(websiteId)
      return other && mayOnWebsite(holder, other, right) ? other : undefined
    },
  }
  return action.run(inputOf(c) as never, context)
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
function inputOf(c: Request): { filters: Filters } {
  const valid = c.req.valid as (target: string) => object | undefined
  return {
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
  // A credential goes into no link.
  next.searchParams.delete('share')
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
