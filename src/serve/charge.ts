import {
  attemptsOf,
  type Charge,
  charge,
  chargesOf,
  networkOf,
  pastUntil,
  policyOf,
  type Secret,
  setPast,
} from '../access/limits.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import { isWrite } from '../endpoints/facts.ts'
import type { Holder } from '../metadata/holder.ts'
import type { LookupResult } from '../metadata/look-ups.ts'
import type { Exchange } from './exchange.ts'
import { log } from './log.ts'

/**
 * Counts a request that may be answered. Throws a 429 if the caller is over a limit. Requests that were refused earlier
 * are not counted here.
 */
export function chargeCall(endpoint: Endpoint, holder: Holder | undefined, exchange: Exchange): Promise<void> {
  const charges = chargesOf(endpoint.access, { holder, address: exchange.address }, isWrite(endpoint))
  return chargeAll(charges, endpoint.path, exchange)
}

/** Counts a tool call made with an API key. Its reports are counted as separate requests. */
export const chargeTool = (keyId: string, exchange: Exchange): Promise<void> =>
  chargeAll([{ limit: 'mcp', account: `key ${keyId}` }], '/mcp', exchange)

/** Counts a recorder's request. `address` is the visitor's. */
export const chargeRecording = (address: string | undefined, exchange: Exchange): Promise<void> =>
  chargeAll([{ limit: 'record', account: networkOf(address) }], '/api/record', exchange)

export const chargeAttempt = (
  secret: Secret,
  holder: Holder | undefined,
  path: string,
  exchange: Exchange,
): Promise<void> => chargeAll(attemptsOf(secret, { holder, address: exchange.address }), path, exchange)

/** Charges each account for this, in addition to what the request has been charged already. */
async function chargeAll(charges: readonly Charge[], path: string, exchange: Exchange): Promise<void> {
  const { env, setHeader } = exchange
  const policy = policyOf(env, charges)
  if (policy) setHeader('RateLimit-Policy', policy, { append: true })
  await charge(env, charges, (error) => log(exchange, { path, limiter: String(error) }))
}

/**
 * Looks up a slug. A wrong slug is counted as an attempt. Once the attempts are used up, a correct slug is counted as
 * well, because a limiter cannot be queried without counting.
 */
export async function lookUpGuess(
  lookUp: () => Promise<LookupResult>,
  path: string,
  exchange: Exchange,
): Promise<LookupResult> {
  const { env, now, address } = exchange
  const guess = attemptsOf({ kind: 'slug' }, { holder: undefined, address })
  const countGuess = () =>
    chargeAll(guess, path, exchange).catch((error: unknown) => {
      for (const one of guess) setPast(env, one, now)
      throw error
    })
  const isCounted = guess.some((one) => pastUntil(one, now) !== undefined)
  if (isCounted) await countGuess()
  const found = await lookUp()
  if (!found.holder && !isCounted) await countGuess()
  return found
}
