import { zValidator } from '@hono/zod-validator'
import type { Hono, Context as HonoContext, MiddlewareHandler } from 'hono'
import * as z from 'zod'
import { credentialOf, unauthorized } from './access/credential.ts'
import {
  attemptsOf,
  type Charge,
  type Charged,
  charge,
  chargesOf,
  pastUntil,
  policyOf,
  setPast,
} from './access/limits.ts'
import { foreign, isFromOneOf } from './access/origins.ts'
import { type Door, doorOf, isOpenToAll, originsOf, permit } from './access/permit.ts'
import { mayOnWebsite } from './access/rights.ts'
import { type Tokens, tokens } from './access/tokens.ts'
import { asking } from './batch.ts'
import { jsonBody, noBody, sameIds, withoutIds } from './body.ts'
import type { Kept } from './cache/kept.ts'
import {
  type Answer,
  type AnyAction,
  type Context,
  type Endpoint,
  id,
  idNames,
  pathParameter,
  type Streamed,
} from './endpoints/endpoint.ts'
import type { Env } from './env.ts'
import { invalid, mostIssues } from './errors.ts'
import { exported } from './export/answer.ts'
import type { Offer } from './front.ts'
import { log } from './log.ts'
import { isNewUse } from './metadata/keys.ts'
import { forgettings, type Holder, type LookUps } from './metadata/lookup.ts'
import { type Metadata, metadata } from './metadata/metadata.ts'
import type { Website } from './metadata/websites.ts'
import { bounded, wellFormed } from './parameters.ts'
import { answerReport, fromCache, type Ready, type ReportInput } from './report.ts'
import { type Filters, noFilters } from './request/filters.ts'
import { respond } from './respond.ts'
import { settle } from './settle.ts'

/** What the stages of one request hand on. */
export interface Stages {
  /** `lookUps`: those that it shares with the other requests of its batch, where it came in one. */
  Bindings: Env & { readonly lookUps?: LookUps }
  Variables: {
    requestId: string
    /** The moment of the request, in milliseconds since 1970. */
    now: number
    /** Milliseconds since then. */
    elapsed: () => number
    /** How often what was looked up had been forgotten before anything was looked up for this request. */
    forgettings: number
    metadata: Metadata
    tokens: Tokens
    /** Whose credential it is; undefined where none was sent or looked at. */
    holder: Holder | undefined
    /** The website that the path names, where there is such a website. */
    website: Website | undefined
    /** Until when `holder` and `website` may be taken for what they are, in milliseconds since 1970. */
    knownUntil: number
    /** Whether it comes from where its credential, or what is open to it, may be used. */
    isAdmitted: boolean
    door: Door
    /** The filters of a report. */
    filters: Filters
    /** The report, as it may be asked of the cache or of ClickHouse. */
    ready: Ready
    /** An old answer, for want of a new one. */
    fallback: Kept | undefined
    /** For requests equal to this one. */
    pass: Offer | undefined
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

/** The one path of a request, a stage each: bound → identify → validate → permit → settle → export? → cache? → charge → run → shape → respond. */
export const serve = (
  endpoint: Endpoint,
  app: Hono<Stages>,
  { identified, permitted, charged }: Checks = checks,
): MiddlewareHandler<Stages>[] => [
  bounded,
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
  ...(endpoint.kind === 'report'
    ? [exported(endpoint, inputOf, charged(endpoint)), fromCache(endpoint, inputOf, charged(endpoint))]
    : []),
  charged(endpoint),
  async (c) =>
    endpoint.kind === 'report' ? answerReport(c, endpoint) : respond(c, await answerAction(c, endpoint, app)),
]

/** Milliseconds since 1970. */
export const moment = (): number => Date.now()

/** What every request has, whatever it is about. */
export const begun: MiddlewareHandler<Stages> = async (c, next) => {
  const now = moment()
  c.set('now', now)
  c.set('elapsed', () => moment() - now)
  c.set('forgettings', forgettings())
  c.set('tokens', tokens(c.env.AUTH_SECRET))
  c.set('metadata', metadata(c.env.METADATA, now, c.env.lookUps))
  await next()
}

/** Who is asking, and for which website: 401 where that takes a credential and there is none that is valid. */
const identified: Stage =
  ({ access, method, path }) =>
  async (c, next) => {
    const now = c.get('now')
    c.set('isAdmitted', true)
    if (access.to !== 'anyone') {
      const credential = await credentialOf(c.req.raw.headers, new URL(c.req.url), c.get('tokens'))
      const websiteId = access.to === 'website' ? id.safeParse(c.req.param('websiteId')).data : undefined
      // A slug that opens nothing counts. A limiter says nothing without counting, so that after one too many a right one counts, too.
      const guess = credential?.kind === 'slug' ? attemptsOf({ kind: 'slug' }, chargedTo(c)) : []
      const isCounted = guess.some((one) => pastUntil(one, now) !== undefined)
      if (isCounted) await guessed(c, path, guess)
      const { holder, website, isRead, until } = await c.get('metadata').lookUp(credential, websiteId, method !== 'get')
      if (!holder && !isCounted) await guessed(c, path, guess)
      if (!holder && (credential || !isOpenToAll(access, website, now))) throw unauthorized()
      if (isRead && holder?.kind === 'key' && isNewUse(holder.lastUsedAt, now)) {
        c.executionCtx.waitUntil(c.get('metadata').keys.used(holder.id))
      }
      c.set('holder', holder)
      c.set('website', website)
      c.set('knownUntil', until)
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
 * counted. It is the last stage before statements run.
 */
const charged: Stage =
  ({ access, path }) =>
  async (c, next) => {
    await counted(c, path, chargesOf(access, chargedTo(c)))
    await next()
  }

const chargedTo = (c: Request): Charged => ({ holder: c.get('holder'), address: c.req.header('cf-connecting-ip') })

/** Counts a request or an attempt, beside what it counted against before. */
async function counted(c: Request, path: string, charges: readonly Charge[]): Promise<void> {
  const policy = policyOf(c.env, charges)
  if (policy) c.header('RateLimit-Policy', policy, { append: true })
  await charge(c.env, charges, (error) => {
    log(c, { path, limiter: String(error) })
  })
}

async function guessed(c: Request, path: string, guess: readonly Charge[]): Promise<void> {
  await counted(c, path, guess).catch((error: unknown) => {
    for (const one of guess) setPast(c.env, one, c.get('now'))
    throw error
  })
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
          ? issue.keys
              .slice(0, mostIssues)
              .map((key) => ({ path: [...issue.path, key].join('.'), message: issue.message }))
          : [{ path: issue.path.join('.'), message: issue.message }],
      ),
    )
  }
}

async function answerAction(c: Request, action: AnyAction, app: Hono<Stages>): Promise<Answer<unknown> | Streamed> {
  const { holder, door, website, metadata, tokens, now } = c.var
  const context: Context = {
    holder,
    door,
    metadata,
    tokens,
    now,
    ask: asking(c, app),
    ...(website && { website }),
    attempt: (secret) => counted(c, action.path, attemptsOf(secret, chargedTo(c))),
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

/** Everything that was validated: the query string, the body and the ids of the path. */
function inputOf(c: Request): ReportInput {
  const valid = c.req.valid as (target: string) => object | undefined
  return {
    filters: noFilters,
    ...valid.call(c.req, 'query'),
    ...valid.call(c.req, 'json'),
    ...valid.call(c.req, 'param'),
  }
}

/** A JSON body where one is declared, none elsewhere. */
function bodyOf(endpoint: Endpoint): MiddlewareHandler<Stages>[] {
  if (endpoint.kind === 'report' || !endpoint.body) return [...noBody]
  const names = idNames(endpoint)
  return [...jsonBody, sameIds(names), zValidator('json', withoutIds(names, endpoint.body), refuse)]
}
