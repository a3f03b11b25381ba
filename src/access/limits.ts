import type { Env, LimitBinding, Quota } from '../env.ts'
import { ApiError } from '../errors.ts'
import type { Holder } from '../metadata/lookup.ts'
import { memo } from '../metadata/memo.ts'
import type { Access } from './permit.ts'
import { personOf } from './rights.ts'

/**
 * `key` counts each key and each signed-in user, `sign-in` attempts at passwords and access codes by whoever makes them,
 * `username` attempts at the password of one user, `refusals` what an address is refused.
 */
type Limit = 'key' | 'share' | 'address' | 'sign-in' | 'username' | 'refusals'

/** What `wrangler.toml` calls the limiters. */
const bindings = {
  key: 'LIMIT_KEY',
  share: 'LIMIT_SHARE',
  address: 'LIMIT_ADDRESS',
  'sign-in': 'LIMIT_SIGN_IN',
  username: 'LIMIT_USERNAME',
  refusals: 'LIMIT_REFUSALS',
} as const satisfies Record<Limit, LimitBinding>

/** A request, counted on somebody's account. */
export interface Charge {
  readonly limit: Limit
  readonly account: string
}

/** Whom a request is charged to. */
export interface Requester {
  readonly holder: Holder | undefined
  /** The address it came from, where that is known. */
  readonly address: string | undefined
}

/** A secret that a request may try to guess. */
export type Secret =
  | { readonly kind: 'password'; readonly username: string }
  | { readonly kind: 'access-code' }
  | { readonly kind: 'slug' }

/** What a request that may be answered counts against. */
export const chargesOf = (access: Access, { holder, address }: Requester): Charge[] =>
  access.to === 'anyone' ? [] : [callCharge(holder, networkOf(address))]

/**
 * What an attempt at a secret counts against. The name whose password is tried has a loose limit of its own: under a
 * strict one any stranger could keep its user from signing in.
 */
export function attemptsOf(secret: Secret, { holder, address }: Requester): Charge[] {
  const network = networkOf(address)
  const strictly: Charge = { limit: 'sign-in', account: `address ${network}` }
  switch (secret.kind) {
    case 'password':
      return [strictly, { limit: 'username', account: secret.username.toLowerCase() }]
    case 'access-code':
      return [strictly, { limit: 'sign-in', account: `user ${personOf(holder)?.id ?? holder?.id}` }]
    case 'slug':
      return [{ limit: 'address', account: network }]
  }
}

function callCharge(holder: Holder | undefined, network: string): Charge {
  switch (holder?.kind) {
    case 'key':
      return { limit: 'key', account: `key ${holder.id}` }
    case 'sign-in':
      return { limit: 'key', account: `user ${holder.person.id}` }
    case 'share':
      return { limit: 'share', account: holder.id }
    default:
      return { limit: 'address', account: network }
  }
}

/** Who has exports under way together: a user with whatever credential, a key by itself, else each address, of a share by itself. */
export function personalAccountOf(holder: Holder | undefined, address: string | undefined): string {
  const person = personOf(holder)
  if (person) return `user ${person.id}`
  if (holder?.kind === 'key') return `key ${holder.id}`
  // One reader of a link must not shut the others out.
  return `${holder ? `share ${holder.id}` : 'public'} ${networkOf(address)}`
}

/** The first half of an IPv6 address, which whoever has one has all of; an IPv4 address whole, also one within IPv6. */
export function networkOf(address = 'unknown'): string {
  if (!address.includes(':')) return address
  const groups = groupsOf(address)
  if (!isIpv4(groups)) return groups.slice(0, 4).map(hexadecimal).join(':')
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

const hexadecimal = (group: number): string => group.toString(16)

/** `::ffff:1.2.3.4` */
const isIpv4 = (groups: readonly number[]): boolean =>
  groups.slice(0, 6).map(hexadecimal).join(':') === '0:0:0:0:0:ffff'

/** The eight numbers of an IPv6 address, the last two of which may be written as IPv4. */
function groupsOf(address: string): number[] {
  const [before = [], after = []] = address
    .split('::')
    .map((part) => part.split(':').filter(Boolean).flatMap(numbersOf))
  return [...before, ...Array<number>(Math.max(0, 8 - before.length - after.length)).fill(0), ...after]
}

function numbersOf(group: string): number[] {
  if (!group.includes('.')) return [Number.parseInt(group, 16)]
  const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}

/** The value of `RateLimit-Policy`; undefined where the operator set no limit that these count against. */
export function policyOf(env: Env, charges: readonly Charge[]): string | undefined {
  const limits = new Set(charges.map(({ limit }) => limit).filter((limit) => env[bindings[limit]]))
  const policies = [...limits].flatMap((limit) => {
    const quota = quotaOf(env, limit)
    return quota ? `"${limit}";q=${quota.limit};w=${quota.period}` : []
  })
  return policies.length > 0 ? policies.join(', ') : undefined
}

/** A limiter tells nobody what it lets through: the variables of the Worker repeat it. */
const quotaOf = (env: Env, limit: Limit): Quota | undefined => env.RATE_LIMITS?.[bindings[limit]]

/** The longest period, in seconds, that a limiter can have. */
const maxPeriod = 60

/**
 * Counts a request; 429 where an account has used up its limit, and the accounts after that are left alone. A limiter
 * that fails lets everything through, and `failed` is told.
 */
export async function charge(env: Env, charges: readonly Charge[], failed: (error: unknown) => void): Promise<void> {
  for (const one of charges) {
    if (!(await isWithinLimit(env, one, failed))) throw tooManyRequests(secondsOf(env, one.limit))
  }
}

const secondsOf = (env: Env, limit: Limit): number => quotaOf(env, limit)?.period ?? maxPeriod

export const tooManyRequests = (seconds: number, headers: Readonly<Record<string, string>> = {}): ApiError =>
  new ApiError('too-many-requests', 'Too many requests for now. Wait the seconds that Retry-After names.', {
    headers: { ...headers, 'Retry-After': String(seconds) },
  })

/** Accounts that went past a limit, each for one period of it. A limiter tells it only when it counts once more. */
const pastAccounts = memo<true>(10_000)

const chargeName = ({ limit, account }: Charge): string => `${limit} ${account}`

/** Until when this account is past its limit, as far as this isolate knows, in milliseconds since 1970. */
export const pastUntil = (charge: Charge, now: number): number | undefined =>
  pastAccounts.lasting(chargeName(charge), now)?.until

/** From now on the account is past its limit; returns until when. */
export function setPast(env: Env, charge: Charge, now: number): number {
  const until = now + secondsOf(env, charge.limit) * 1000
  pastAccounts.keeper()(chargeName(charge), true, until)
  return until
}

/** Counts a request on one account: whether it is within the limit. A limiter that fails lets everything through. */
export async function isWithinLimit(
  env: Env,
  { limit, account }: Charge,
  failed: (error: unknown) => void,
): Promise<boolean> {
  try {
    return (await env[bindings[limit]]?.limit({ key: account }))?.success ?? true
  } catch (error) {
    failed(error)
    return true
  }
}
