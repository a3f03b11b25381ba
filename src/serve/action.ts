import { foreignOrigin, isFromOneOf } from '../access/origins.ts'
import type { Grant } from '../access/permit.ts'
import { isAdmin, mayOnWebsite } from '../access/rights.ts'
import type { ActionAnswer, AnyAction, Context } from '../endpoints/endpoint.ts'
import type { StreamedAnswer } from '../endpoints/reading.ts'
import { numberOr } from '../env.ts'
import { ApiError } from '../errors.ts'
import { TooManyOwnedError } from '../metadata/owned.ts'
import { recordFailure } from './audit.ts'
import { chargeAttempt } from './charge.ts'
import type { Exchange } from './exchange.ts'
import { isPreferred } from './export/accept.ts'
import type { Caller } from './identify.ts'
import type { Input } from './input.ts'
import { lastHourOf } from './logs.ts'
import { websiteReading } from './reading.ts'
import { readiness } from './ready.ts'
import { refuseChanges } from './returned.ts'
import { signingInOf } from './sign-on.ts'

export async function runAction(
  action: AnyAction,
  input: Input,
  returned: Readonly<Record<string, unknown>>,
  caller: Caller,
  grant: Grant,
  exchange: Exchange,
): Promise<ActionAnswer<unknown> | StreamedAnswer> {
  const { holder, website } = caller
  const { metadata, tokens, now, subrequest, request, env } = exchange
  const context: Context = {
    holder,
    grant,
    metadata,
    tokens,
    now,
    signingIn: signingInOf(exchange),
    mostOwned: isAdmin(holder) ? null : numberOr(mostOwned, env.MOST_OWNED),
    isSentBack: Object.keys(returned).length > 0,
    ask: (path) => subrequest(path),
    ready: () => readiness(exchange),
    collected: () => lastHourOf(env, website!.id),
    reading: () => websiteReading(caller, grant, exchange),
    prefers: (type) => isPreferred(request.headers.get('accept') ?? '', type),
    ...(website && { website }),
    failedSignIn: (username) => recordFailure(username, exchange),
    attempt: (secret) => chargeAttempt(secret, holder, action.path, exchange),
    admit(origins) {
      if (origins && !isFromOneOf(exchange, [origins])) throw foreignOrigin()
    },
    async reach(websiteId, right) {
      const other = await metadata.websites.read(websiteId)
      return other && mayOnWebsite(holder, other, right) ? other : undefined
    },
  }
  await refuseChanges(action, returned, input, context)
  try {
    return await action.run(input as never, context)
  } catch (error) {
    throw error instanceof TooManyOwnedError ? tooManyOwned(error) : error
  }
}

/** The default of `MOST_OWNED`. */
const mostOwned = 1000

const tooManyOwned = ({ of, most }: TooManyOwnedError): ApiError =>
  new ApiError(
    'conflict',
    `An owner may have at most ${most.toLocaleString('en')} ${of}s (MOST_OWNED). Delete some, or ask the operator for more.`,
  )
