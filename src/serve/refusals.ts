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
import { knownHolder } from './identify.ts'
import { log } from './log.ts'

/** The refusal statuses that count against the address. */
const countedStatuses: readonly number[] = [400, 401, 403, 404, 413]

const refusalCharge = (address: string | undefined): Charge => ({ limit: 'refusals', account: networkOf(address) })

/** The end of the address's block, in milliseconds since 1970; undefined if it is not blocked. */
export const stoppedUntil = (address: string | undefined, now: number): number | undefined =>
  pastUntil(refusalCharge(address), now)

/** Refuses a blocked address before its request is read, unless the request has a valid API key or sign-in. */
export async function refuseStopped(exchange: Exchange): Promise<void> {
  const until = stoppedUntil(exchange.address, exchange.now)
  if (until !== undefined && !(await hasValidCredential(exchange))) throw tooManyRefusals(exchange, until)
}

/** Counts a refusal. Returns the error for the caller: the refusal itself, or a 429 if the limit is used up. */
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

/** Whether the caller has a valid API key or sign-in. If D1 cannot be read, every caller passes. */
const hasValidCredential = (exchange: Exchange): Promise<boolean> =>
  knownHolder(exchange).then(
    (holder) => holder !== undefined,
    () => true,
  )
