import type { Env, LimitBinding, Quota } from '../env.ts'
import { ApiError } from '../errors.ts'
import type { Holder } from '../metadata/holder.ts'
import { memo } from '../metadata/memo.ts'
import type { Access } from './permit.ts'
import { personOf } from './rights.ts'

/**
 * The rate limits.
 * - `key`: requests with an API key or by a signed-in user. All changes by a user count together, with whatever key.
 * - `share`: requests through a share; `address`: other requests from an address.
 * - `mcp`: tool calls with an API key. The requests that a tool sends are counted separately.
 * - `sign-in`: attempts to guess passwords, slugs and access codes, counted per caller.
 * - `username`: attempts to guess one user's password.
 * - `refusals`: refused requests from one address.
 * - `record`: recorder requests from one address.
 * - `collect-refusals`: refused events and recordings from one address.
 */
type Limit = 'key' | 'share' | 'address' | 'mcp' | 'sign-in' | 'username' | 'refusals' | 'record' | 'collect-refusals'

/** The binding of each limit in `wrangler.toml`. */
const bindings = {
  key: 'LIMIT_KEY',
  share: 'LIMIT_SHARE',
  address: 'LIMIT_ADDRESS',
  mcp: 'LIMIT_MCP',
  'sign-in': 'LIMIT_SIGN_IN',
  username: 'LIMIT_USERNAME',
  refusals: 'LIMIT_REFUSALS',
  record: 'LIMIT_RECORD',
  'collect-refusals': 'LIMIT_COLLECT_REFUSALS',
} as const satisfies Record<Limit, LimitBinding>

/** A limit that a request counts against, and the account whose requests are counted. */
export interface Charge {
  readonly limit: Limit
  readonly account: string
}

/** The requester, whose limits the request counts against. */
interface Requester {
  readonly holder: Holder | undefined
  /** Undefined if the platform does not provide the address. */
  readonly address: string | undefined
}

/** A secret that a request may try to guess. */
export type Secret =
  | { readonly kind: 'password'; readonly username: string }
  | { readonly kind: 'access-code' }
  | { readonly kind: 'slug' }
  /** A code from an issuer. Each attempt sends a request to the issuer. */
  | { readonly kind: 'issuer' }

/** The accounts that an authorised request counts against. `isChange`: whether the endpoint writes. */
export const chargesOf = (access: Access, { holder, address }: Requester, isChange: boolean): Charge[] =>
  access.to === 'anyone' ? [] : [callCharge(holder, networkOf(address), isChange)]

/**
 * The accounts that an attempt at a secret counts against. A username has its own loose limit. If that limit were
 * strict, any stranger could lock the user out.
 */
export function attemptsOf(secret: Secret, { holder, address }: Requester): Charge[] {
  const network = networkOf(address)
  const strictly: Charge = { limit: 'sign-in', account: `address ${network}` }
  switch (secret.kind) {
    case 'password':
      return [strictly, { limit: 'username', account: secret.username.toLowerCase() }]
    case 'access-code':
      return [strictly, { limit: 'sign-in', account: `user ${personOf(holder)?.id ?? holder?.id}` }]
    case 'issuer':
      return [strictly]
    case 'slug':
      return [{ limit: 'address', account: network }]
  }
}

function callCharge(holder: Holder | undefined, network: string, isChange: boolean): Charge {
  switch (holder?.kind) {
    case 'key':
      // A user may have many keys, and D1 has little room.
      return { limit: 'key', account: isChange && holder.person ? `user ${holder.person.id}` : `key ${holder.id}` }
    case 'sign-in':
      return { limit: 'key', account: `user ${holder.person.id}` }
    case 'share':
      return { limit: 'share', account: holder.id }
    default:
      return { limit: 'address', account: network }
  }
}

/**
 * The account that exports count against: a user with all their credentials, otherwise a key, otherwise an address
 * (separately for each share).
 */
export function personalAccountOf(holder: Holder | undefined, address: string | undefined): string {
  const person = personOf(holder)
  if (person) return `user ${person.id}`
  if (holder?.kind === 'key') return `key ${holder.id}`
  // Each address is limited separately, so that one reader of a link cannot lock out the others.
  return `${holder ? `share ${holder.id}` : 'public'} ${networkOf(address)}`
}

/**
 * The /64 prefix of an IPv6 address, since one subscriber owns all of it. An IPv4 address stays whole, even if it is
 * written as `::ffff:1.2.3.4`.
 */
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

/** Whether the address has the form `::ffff:1.2.3.4`. */
const isIpv4 = (groups: readonly number[]): boolean =>
  groups.slice(0, 6).map(hexadecimal).join(':') === '0:0:0:0:0:ffff'

/** The eight groups of an IPv6 address. The last two groups may be written as IPv4. */
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

/** The value of `RateLimit-Policy`; undefined if no limit applies to any of the charges. */
export function policyOf(env: Env, charges: readonly Charge[]): string | undefined {
  const limits = new Set(charges.map(({ limit }) => limit).filter((limit) => env[bindings[limit]]))
  const policies = [...limits].flatMap((limit) => {
    const quota = quotaOf(env, limit)
    return quota ? `"${limit}";q=${quota.limit};w=${quota.period}` : []
  })
  return policies.length > 0 ? policies.join(', ') : undefined
}

/** The quota of a limit. A limiter does not reveal its quota, so one of the Worker's variables repeats it. */
const quotaOf = (env: Env, limit: Limit): Quota | undefined => env.RATE_LIMITS?.[bindings[limit]]

/** The maximum period of a limiter, in seconds. */
const maxPeriod = 60

/**
 * Counts a request against each account, in order. Throws a 429 at the first account that is over its limit; later
 * accounts are not charged. If a limiter fails, the request is let through and `failed` receives the error.
 */
export async function charge(env: Env, charges: readonly Charge[], failed: (error: unknown) => void): Promise<void> {
  for (const one of charges) {
    if (!(await isWithinLimit(env, one, failed))) throw tooManyRequests(secondsOf(env, one.limit))
  }
}

const secondsOf = (env: Env, limit: Limit): number => quotaOf(env, limit)?.period ?? maxPeriod

export const tooManyRequests = (seconds: number, headers: Readonly<Record<string, string>> = {}): ApiError =>
  new ApiError('too-many-requests', 'Too many requests. Retry after Retry-After seconds.', {
    headers: { ...headers, 'Retry-After': String(seconds) },
  })

/**
 * Accounts that are over their limit. They are remembered for one period, because reading a limiter also counts a
 * request.
 */
const pastAccounts = memo<true>(10_000)

const chargeName = ({ limit, account }: Charge): string => `${limit} ${account}`

/**
 * When the account may send requests again, in milliseconds since 1970. Undefined if this isolate does not know of a
 * limit that it has exceeded.
 */
export const pastUntil = (charge: Charge, now: number): number | undefined =>
  pastAccounts.lasting(chargeName(charge), now)?.until

/**
 * Marks the account as over its limit from now on. Returns when it may send requests again, in milliseconds since 1970.
 */
export function setPast(env: Env, charge: Charge, now: number): number {
  const until = now + secondsOf(env, charge.limit) * 1000
  pastAccounts.keeper()(chargeName(charge), true, until)
  return until
}

/**
 * Counts a request against one account and returns whether it is within the limit. Returns true if the limiter fails.
 */
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
