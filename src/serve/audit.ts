import { networkOf } from '../access/limits.ts'
import { personOf } from '../access/rights.ts'
import { type AnyAction, idNames } from '../endpoints/endpoint.ts'
import { numberOr } from '../env.ts'
import { ApiError } from '../errors.ts'
import type { Actor } from '../metadata/audit.ts'
import type { Holder } from '../metadata/holder.ts'
import { nameKeyOf } from '../metadata/users.ts'
import type { Exchange } from './exchange.ts'
import type { Input } from './input.ts'
import { log } from './log.ts'
import { bodyFieldNames, fieldsIn } from './returned.ts'

/** The default of `AUDIT_DAYS`, and the least. */
const usualDays = 400
const leastDays = 30

const daysOf = ({ env }: Exchange): number => Math.max(leastDays, numberOr(usualDays, env.AUDIT_DAYS))

/** What asks by POST, counts, or tells of progress: nobody changes anything by it. */
const unrecorded: ReadonlySet<string> = new Set(['read', 'verify', 'startSignOn', 'viewWebsiteReplay', 'putImport'])

/** The block of an address: the /24 of IPv4, the /64 of IPv6. */
const blockOf = (address: string | undefined): string => networkOf(address).replace(/\.\d+$/, '.0/24')

/** Adds a change that has been made to the audit log. A failure of the log is logged, and does not undo the change. */
export async function recordChange(
  action: AnyAction,
  input: Input,
  body: unknown,
  holder: Holder | undefined,
  exchange: Exchange,
): Promise<void> {
  if (unrecorded.has(action.name)) return
  const ids = idNames(action)
  const entry = {
    actor: actorOf(holder, input, body),
    action: action.name,
    subjects: { ...namedBy(input, ids), ...newIdIn(body) },
    fields: bodyFieldNames(action).filter((name) => input[name] !== undefined),
    network: blockOf(exchange.address),
  }
  await exchange.metadata.audit.add(entry, daysOf(exchange)).catch((error) => log(exchange, { audit: String(error) }))
}

/** Counts a failed sign-in. */
export async function recordFailure(error: unknown, { username }: Input, exchange: Exchange): Promise<void> {
  if (!(error instanceof ApiError) || error.code !== 'incorrect-username-password') return
  const { metadata, address } = exchange
  await metadata.audit
    .addFailure(nameKeyOf(String(username)), blockOf(address), daysOf(exchange))
    .catch((failure) => log(exchange, { audit: String(failure) }))
}

/** Who sent the request. Who has just signed in is in its answer, or named by the request if a second step follows. */
function actorOf(holder: Holder | undefined, { username }: Input, body: unknown): Actor {
  const person = personOf(holder)
  if (holder?.kind === 'key') {
    return person
      ? { kind: 'key', id: person.id, name: person.username }
      : { kind: 'operator', id: holder.id, name: holder.name }
  }
  if (person) return { kind: 'user', id: person.id, name: person.username }
  const { user } = fieldsIn(body)
  const { id = null, username: name = username ?? null } = fieldsIn(user) as { id?: string; username?: string }
  return { kind: 'user', id, name: typeof name === 'string' ? name : null }
}

const namedBy = (input: Input, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, String(input[name])]))

/** The id of what was made. */
const newIdIn = (body: unknown): Record<string, string> =>
  typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'string' ? { id: body.id } : {}
