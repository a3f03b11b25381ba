import { networkOf } from '../access/limits.ts'
import { personOf } from '../access/rights.ts'
import { type AnyAction, idNames } from '../endpoints/endpoint.ts'
import type { Actor, NewEntry } from '../metadata/audit.ts'
import type { Holder } from '../metadata/holder.ts'
import { nameKeyOf } from '../metadata/users.ts'
import type { Exchange } from './exchange.ts'
import type { Input } from './input.ts'
import { log } from './log.ts'
import { bodyFieldNames, fieldsIn } from './returned.ts'

/** The network of an address: its /24 for IPv4, its /64 for IPv6. */
const blockOf = (address: string | undefined): string => networkOf(address).replace(/\.\d+$/, '.0/24')

/**
 * Waits until an entry has been added to the audit log. If this fails, the failure is logged, but the change itself is
 * not undone.
 */
const added = (adding: Promise<void>, exchange: Exchange): Promise<void> =>
  adding.catch((error) => log(exchange, { audit: String(error) }))

/** Adds an event that has happened to the audit log. */
export const addEntry = (entry: Omit<NewEntry, 'network'>, exchange: Exchange): Promise<void> =>
  added(exchange.metadata.audit.add({ ...entry, network: blockOf(exchange.address) }), exchange)

/** Counts a failed sign-in. `username`: the name that was entered, if any. */
export const recordFailure = (username: string | undefined, exchange: Exchange): Promise<void> =>
  added(exchange.metadata.audit.addFailure(nameKeyOf(username ?? ''), blockOf(exchange.address)), exchange)

/** Adds a change made by an action to the audit log. */
export function recordChange(
  action: AnyAction,
  input: Input,
  body: unknown,
  holder: Holder | undefined,
  exchange: Exchange,
): Promise<void> {
  const [named, made] = [namedBy(input, idNames(action)), newIdIn(body)]
  const entry = {
    actor: actorOf(holder, input, body),
    action: action.name,
    subjects: { ...named, ...(made !== undefined && !Object.values(named).includes(made) && { id: made }) },
    fields: bodyFieldNames(action).filter((name) => input[name] !== undefined),
  }
  return addEntry(entry, exchange)
}

/**
 * Who sent the request. For a sign-in, the user is in the response or, if a second step follows, only in the request.
 */
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

/** The id of the object that was created. */
const newIdIn = (body: unknown): string | undefined => {
  const { id } = fieldsIn(body)
  return typeof id === 'string' ? id : undefined
}
