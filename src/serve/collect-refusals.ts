import { type Charge, networkOf, pastUntil } from '../access/limits.ts'
import { senderOf } from '../collect/visitor.ts'
import type { ApiError } from '../errors.ts'
import type { Exchange } from './exchange.ts'
import { blockedUntil, isCountedRefusal, tooManyRefusals } from './refusals.ts'

/**
 * Refused events and recordings count towards a limit for the address that sent them. Beyond the limit, the sender gets
 * a 429. Accepted events and recordings are neither counted nor blocked, because many visitors may share an address.
 */

const collectCharge = ({ request, env }: Exchange): Charge => {
  return { limit: 'collect-refusals', account: networkOf(senderOf(request, env).address) }
}

/** Counts a refusal. Returns the error for the sender: the refusal itself, or a 429 once the limit is used up. */
export async function countCollectRefusal(exchange: Exchange, error: ApiError): Promise<ApiError> {
  if (!isCountedRefusal(error)) return error
  const refusal = collectCharge(exchange)
  const until = pastUntil(refusal, exchange.now) ?? (await blockedUntil(exchange, refusal))
  return until === undefined ? error : tooManyRefusals(exchange, refusal, until)
}

/** Counts the look-up of an unknown key as a refusal, against its sender. */
export async function countUnknownKey(exchange: Exchange): Promise<void> {
  await blockedUntil(exchange, collectCharge(exchange))
}

/**
 * Whether the sender is over the limit for refusals, as far as this isolate knows. If so, the sender's keys are not
 * looked up.
 */
export const isPastRefusals = (exchange: Exchange): boolean =>
  pastUntil(collectCharge(exchange), exchange.now) !== undefined
