import { zValidator } from '@hono/zod-validator'
import type { Context as HonoContext, MiddlewareHandler } from 'hono'
import * as z from 'zod'
import { credentialOf, unauthorized } from './access/credential.ts'
import { charge, chargesOf, policyOf } from './access/limits.ts'
import { foreign, isFromOneOf } from './access/origins.ts'
import { type Door, doorOf, isOpenToAll, originsOf, permit } from './access/permit.ts'
import { mayOnWebsite } from './access/rights.ts'
import { type Tokens, tokens } from './access/tokens.ts'
import { jsonBody, noBody, sameIds, withoutIds } from './body.ts'
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
import { invalid } from './errors.ts'
import { isNewUse } from './metadata/keys.ts'
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
    /** Whether it comes from where its credential, or what is open to it, may be used. */
    isAdmitted: boolean
    door: Door
    /** The filters of a report. */
    filters: Filters
  }
}

type Request = HonoContext<Stages>

type Stage = (endpoint: Endpoint) => MiddlewareHandler<Stages>

/** The stages that decide whether a request is answered. */
export interface Checks {
  readonly identified: Stage
  readonly permitted: Stage
  readonly charged: Stage
}

/** The one path of a request, a stage each: identify → validate → permit → settle → charge → plan → run → shape → respond. */
export const serve = (
  endpoint: Endpoint,
  { identified, permitted, charged }: Checks = checks,
): MiddlewareHandler<Stages>[] => [
  begun,
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
  settled(endpoint),
  charged(endpoint),
  async (c) => respond(c, await (endpoint.kind === 'report' ? answerReport(c, endpoint) : answerAction(c, endpoint))),
]

const begun: MiddlewareHandler<Stages> = async (c, next) => {
  const now = Date.now()
  c.set('now', now)
  c.set('tokens', tokens(c.env.AUTH_SECRET))
  c.set('metadata', metadata(c.env.METADATA, now))
  await next()
}

/** Who is asking, and for which website: 401 where that takes a credential and there is none that is valid. */
const identified: Stage =
  ({ access, method }) =>
  async (c, next) => {
    const now = c.get('now')
    c.set('isAdmitted', true)
    if (access.to !== 'anyone') {
      const credential = await credentialOf(c.req.raw.headers, new URL(c.req.url), c.get('tokens'))
      const websiteId = access.to === 'website' ? id.safeParse(c.req.param('websiteId')).data : undefined
      const { holder, website, isRead } = await c.get('metadata').lookUp(credential, websiteId, method !== 'get')
      if (!holder && (credential || !isOpenToAll(access, website, now))) throw unauthorized()
      if (isRead && holder?.kind === 'key' && isNewUse(holder.lastUsedAt, now)) {
        c.executionCtx.waitUntil(c.get('metadata').keys.used(holder.id))
      }
      c.set('holder', holder)
      c.set('website', website)
      c.set('isAdmitted', isFromOneOf(c, originsOf(holder, doorOf(access, { holder, website, now }))))
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
const permitted: Stage = (endpoint) => async (c, next) => {
  const { holder, website, now } = c.var
  const ids = (c.req.valid as (target: string) => Record<string, string>).call(c.req, 'param')
  const door = permit(endpoint.access, { holder, website, now, ids, changes: endpoint.method !== 'get' })
  if (!c.get('isAdmitted')) throw foreign()
  c.set('door', door)
  await next()
}

/** The filters as they will be asked, with what they name by id in its place: 403 or 400 where that cannot be. */
const settled: Stage = (endpoint) => async (c, next) => {
  if (endpoint.kind === 'report') {
    const { website, door, metadata } = c.var
    c.set('filters', await settle(inputOf(c).filters, website!, door, metadata))
  }
  await next()
}

/**
 * Counts the request: 429 where whoever asks has used up a limit. What was refused before costs nothing and is not
 * counted. It is the last stage before statements run: a cache belongs in front of it, so that its answers are free.
 */
const charged: Stage =
  ({ access, path }) =>
  async (c, next) => {
    const { username } =
      (c.req.valid as (target: string) => { username?: string } | undefined).call(c.req, 'json') ?? {}
    const holder = c.get('holder')
    const charges = chargesOf(access, { holder, address: c.req.header('cf-connecting-ip'), username })
    c.header('RateLimit-Policy', policyOf(c.env, charges))
    await charge(c.env, charges, (error) => {
      console.error(JSON.stringify({ requestId: c.get('requestId'), path, limiter: String(error) }))
    })
    await next()
  }

/** What is checked of every request. Nothing but the benchmark, which measures what it costs, goes without. */
export const checks: Checks = { identified, permitted, charged }

/** A field that a body does not have is told with those that it has; one that it needs is said to be needed. */
z.config({
  customError({ code, inst, input }) {
    if (code === 'unrecognized_keys' && inst instanceof z.ZodObject) {
      return `Unknown field. Allowed: ${Object.keys(inst.shape).join(', ')}.`
    }
    return code === 'invalid_type' && input === undefined ? 'This field is required.' : undefined
  },
})

/** Turns what a schema found wrong into the one error shape; unknown fields of a body are an issue each. */
function refuse(result: { success: boolean; error?: z.core.$ZodError | undefined }): void {
  if (!result.success) {
    throw invalid(
      (result.error?.issues ?? []).flatMap((issue) =>
        issue.code === 'unrecognized_keys'
          ? issue.keys.map((key) => ({ path: [...issue.path, key].join('.'), message: issue.message }))
          : [{ path: issue.path.join('.'), message: issue.message }],
      ),
    )
  }
}

async function answerReport(c: Request, report: AnyReport): Promise<Answer<unknown>> {
  const { door, filters } = c.var
  const input = { ...inputOf(c), filters }
  const scope = scopeOf(c.get('website')!, door)
  const plan: Record<string, Statement<unknown>> = report.plan(input as never, scope)
  try {
    return report.shape((await runAll(parseServer(c.env), plan)) as never, input as never)
  } catch (error) {
    throw error instanceof PatternError ? invalid([refusedPattern(error.text, filters, door)]) : error
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
    admit(origins) {
      if (origins && !isFromOneOf(c, [origins])) throw foreign()
    },
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

/** A JSON body where one is declared, none elsewhere. */
function bodyOf(endpoint: Endpoint): MiddlewareHandler<Stages>[] {
  if (endpoint.kind === 'report' || !endpoint.body) return [...noBody]
  const names = idNames(endpoint)
  return [...jsonBody, sameIds(names), zValidator('json', withoutIds(names, endpoint.body), refuse)]
}
