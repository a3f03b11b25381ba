import { credentialOf } from '../access/credential.ts'
import {
  type Charge,
  isWithinLimit,
  networkOf,
  pastUntil,
  policyOf,
  setPast,
  tooManyRequests,
} from '../access/limits.ts'
import type { ApiError } from '../errors.ts'
import type { Exchange } from './exchange.ts'
import { log } from './log.ts'

/** Statuses of refusals that count against the address they go to. */
const countedStatuses: readonly number[] = [400, 401, 403, 404, 413]

const refusalCharge = (address: string | undefined): Charge => ({ limit: 'refusals', account: networkOf(address) })

/** Until when whatever comes from there is refused, in milliseconds since 1970; undefined where it is not. */
export const stoppedUntil = (address: string | undefined, now: number): number | undefined =>
  pastUntil(refusalCharge(address), now)

/** Refuses, unread, what comes from an address that has used up the limit, unless with a valid key or sign-in. */
export async function refuseStopped(exchange: Exchange): Promise<void> {
  const until = stoppedUntil(exchange.address, exchange.now)
  if (until !== undefined && !(await hasValidCredential(exchange))) throw tooManyRefusals(exchange, until)
}

/** Counts a refusal. What the caller is told: the refusal, or 429 where the limit is used up. */
export async function countRefusal(exchange: Exchange, error: ApiError): Promise<ApiError> {
  if (
    !countedStatuses.includes(error.status) ||
    (error.code !== 'unauthorized' && (await hasValidCredential(exchange)))
  )
    return error
  const { env, address, now } = exchange
  const refusal = refusalCharge(address)
  const failed = (limiter: unknown) => log(exchange, { limiter: String(limiter) })
  return (await isWithinLimit(env, refusal, failed)) ? error : tooManyRefusals(exchange, setPast(env, refusal, now))
}

function tooManyRefusals({ env, address, now }: Exchange, until: number): ApiError {
  const policy = policyOf(env, [refusalCharge(address)])
  return tooManyRequests(Math.ceil((until - now) / 1000), policy ? { 'RateLimit-Policy': policy } : {})
}

/** Whether the caller has a valid key or signed in. Where that cannot be read now, nobody is taken for a stranger. */
async function hasValidCredential({ request, url, tokens, metadata }: Exchange): Promise<boolean> {
  const credential = await credentialOf(request.headers, url, tokens).catch(() => undefined)
  if (credential?.kind !== 'key' && credential?.kind !== 'sign-in') return false
  return metadata
    .lookUp(credential, undefined)
    .then(({ holder }) => holder !== undefined)
    .catch(() => true)
}
