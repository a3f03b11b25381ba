import type { Context, MiddlewareHandler } from 'hono'
import { credentialOf } from './access/credential.ts'
import { type Charge, networkOf, passes, pastUntil, policyOf, setPast, tooManyRequests } from './access/limits.ts'
import type { ApiError } from './errors.ts'
import { log } from './log.ts'
import type { Stages } from './serve.ts'

type Request = Context<Stages>

/** Statuses of refusals that count against the address they go to. */
const counting: readonly number[] = [400, 401, 403, 404, 413]

const refusalOf = (headers: Headers): Charge => ({
  limit: 'refusals',
  account: networkOf(headers.get('cf-connecting-ip') ?? undefined),
})

/** Until when whatever comes from there is refused, in milliseconds since 1970; undefined where it is not. */
export const stoppedUntil = (headers: Headers, now: number): number | undefined => pastUntil(refusalOf(headers), now)

/** Refuses, unread, what comes from an address that has used up the limit, unless with a valid key or sign-in. */
export const refuseStopped: MiddlewareHandler<Stages> = async (c, next) => {
  const until = stoppedUntil(c.req.raw.headers, c.get('now'))
  if (until !== undefined && !(await isKnown(c))) throw tooMany(c, until)
  await next()
}

/** Counts a refusal. What the caller is told: the refusal, or 429 where the limit is used up. */
export async function countRefusal(c: Request, error: ApiError): Promise<ApiError> {
  if (!counting.includes(error.status) || (error.code !== 'unauthorized' && (await isKnown(c)))) return error
  const refusal = refusalOf(c.req.raw.headers)
  const failed = (limiter: unknown) => log(c, { limiter: String(limiter) })
  return (await passes(c.env, refusal, failed)) ? error : tooMany(c, setPast(c.env, refusal, c.get('now')))
}

function tooMany(c: Request, until: number): ApiError {
  const policy = policyOf(c.env, [refusalOf(c.req.raw.headers)])
  const seconds = Math.ceil((until - c.get('now')) / 1000)
  return tooManyRequests(seconds, policy ? { 'RateLimit-Policy': policy } : {})
}

/** Whether the caller has a valid key or signed in. Where that cannot be read now, nobody is taken for a stranger. */
async function isKnown(c: Request): Promise<boolean> {
  const holder = c.get('holder')
  if (holder) return isPersonal(holder.kind)
  const credential = await credentialOf(c.req.raw.headers, new URL(c.req.url), c.get('tokens')).catch(() => undefined)
  if (!credential || !isPersonal(credential.kind)) return false
  return c
    .get('metadata')
    .lookUp(credential, undefined)
    .then((found) => found.holder !== undefined)
    .catch(() => true)
}

const isPersonal = (kind: string): boolean => kind === 'key' || kind === 'sign-in'
