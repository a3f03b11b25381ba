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

/** The statuses of refusals that count towards the limit of the address. */
const countedStatuses: readonly number[] = [400, 401, 403, 404, 413]

/** Whether this refusal counts towards the limit of the caller's address. */
export const isCountedRefusal = ({ status }: ApiError): boolean => countedStatuses.includes(status)

const refusalCharge = (address: string | undefined): Charge => ({ limit: 'refusals', account: networkOf(address) })

/** Until when the address is blocked, in milliseconds since 1970; undefined if it is not blocked. */
export const stoppedUntil = (address: string | undefined, now: number): number | undefined =>
  pastUntil(refusalCharge(address), now)

/** Refuses a blocked address before its request is read, unless the request has a valid API key or sign-in. */
export async function refuseStopped(exchange: Exchange): Promise<void> {
  const { address, now } = exchange
  const until = stoppedUntil(address, now)
  if (until === undefined || (await hasValidCredential(exchange))) return
  throw tooManyRefusals(exchange, refusalCharge(address), until)
}

/** Counts a refusal. Returns the error for the caller: the refusal itself, or a 429 once the limit is used up. */
export async function countRefusal(exchange: Exchange, error: ApiError): Promise<ApiError> {
  if (!isCountedRefusal(error) || (error.code !== 'unauthorized' && (await hasValidCredential(exchange)))) return error
  const refusal = refusalCharge(exchange.address)
  const until = await blockedUntil(exchange, refusal)
  return until === undefined ? error : tooManyRefusals(exchange, refusal, until)
}

/**
 * Counts a refusal. If the account is now over its limit, returns until when it is blocked, in milliseconds since 1970.
 */
export async function blockedUntil(exchange: Exchange, refusal: Charge): Promise<number | undefined> {
  const { env, now } = exchange
  const failed = (limiter: unknown) => log(exchange, { limiter: String(limiter) })
  return (await isWithinLimit(env, refusal, failed)) ? undefined : setPast(env, refusal, now)
}

export function tooManyRefusals({ env, now }: Exchange, refusal: Charge, until: number): ApiError {
  const policy = policyOf(env, [refusal])
  return tooManyRequests(Math.ceil((until - now) / 1000), policy ? { 'RateLimit-Policy': policy } : {})
}

/** Whether the caller has a valid API key or sign-in. If D1 cannot be read, returns true. */
const hasValidCredential = (exchange: Exchange): Promise<boolean> =>
  knownHolder(exchange).then(
    (holder) => holder !== undefined,
    () => true,
  )
