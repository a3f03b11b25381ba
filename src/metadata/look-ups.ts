import { type Credential, type Holder, type HolderRow, holderOf, holderStatements } from './holder.ts'
import { forgetAddresses } from './links.ts'
import { freshFor, memo } from './memo.ts'
import type { DatedRows } from './near.ts'
import { forgetReports } from './reports.ts'
import { forgetSegments } from './segments.ts'
import type { Store } from './store.ts'
import { type Website, type WebsiteRow, websiteById, websiteOf } from './website.ts'

/** A holder, and when its credential expires, in milliseconds since 1970. */
interface KnownHolder {
  readonly holder: Holder
  readonly expiresAt: number
}

const holderMemo = memo<KnownHolder>(10_000)
const websiteMemo = memo<Website>(10_000)

let generations = 0

/** The generation of this isolate's look-up cache. Every call of `forgetAll` starts a new generation. */
export const generation = (): number => generations

/** Clears this isolate's look-up cache. */
export function forgetAll(): void {
  forgetFound()
  holderMemo.clear()
  websiteMemo.clear()
}

/** Marks all cached look-ups as expired. While D1 cannot be read, `lookUp` still returns them. */
export function expireAll(now: number): void {
  forgetFound()
  holderMemo.expire(now)
  websiteMemo.expire(now)
}

function forgetFound(): void {
  generations++
  forgetSegments()
  forgetReports()
  forgetAddresses()
}

/** When this isolate first failed to read D1, in milliseconds since 1970; undefined while D1 can be read. */
let failingSince: number | undefined

/**
 * While D1 is failing, look-ups that were valid `knownBefore` milliseconds before the failure remain in use for at most
 * `longestOutage` milliseconds. During the failure, nobody can revoke anything.
 */
const knownBefore = 60_000
const longestOutage = 3_600_000

export interface LookupResult {
  readonly holder: Holder | undefined
  readonly website: Website | undefined
  /** When the first of the two look-ups expires, in milliseconds since 1970. */
  readonly until: number
  /** Whether the holder has just been read from D1. */
  readonly isRead: boolean
  /**
   * Why D1 cannot be read, if the look-ups are from before the failure. They then give access only to cached answers.
   */
  readonly outage?: unknown
}

/**
 * The purpose of a look-up, which decides where it reads.
 * - `figures`, also for pages and redirects: from the cache, or else from a copy of D1 near the reader.
 * - `public`: like `figures`, but from the cache only if the look-up lasts for `leastShared` longer.
 * - `records`, which are stored in D1 itself: from the cache, or else from the primary.
 * - `change`: from the primary, without the cache.
 */
export type Purpose = 'figures' | 'public' | 'records' | 'change'

/** Shared caches may store an answer for at least this many milliseconds, unless D1's copies lag. */
const leastShared = 3000

/**
 * Looks up the holder of a credential and a website by its id, in one round trip, or none if both are cached. If a copy
 * of D1 is not sufficient, a second round trip follows. A credential is not found if it has expired or if its user,
 * website or share is gone; the answer is the same as for an unknown one. While D1 cannot be read, returns the last
 * known result; throws if there is none, or for a change.
 */
export async function lookUp(
  store: Store,
  credential: Credential | undefined,
  websiteId: string | undefined,
  purpose: Purpose,
): Promise<LookupResult> {
  const { now } = store
  const isAfresh = purpose === 'change'
  const least = purpose === 'public' ? now + leastShared : now
  const name = credential && `${credential.kind} ${credential.id}`
  const knownHolder = name === undefined || isAfresh ? undefined : holderMemo.lasting(name, least)
  const knownWebsite = websiteId === undefined || isAfresh ? undefined : websiteMemo.lasting(websiteId, least)
  const asksHolder = credential !== undefined && knownHolder === undefined
  const asksWebsite = websiteId !== undefined && knownWebsite === undefined
  const known = Math.min(knownHolder?.until ?? Infinity, knownWebsite?.until ?? Infinity)
  if (!asksHolder && !asksWebsite) {
    return {
      holder: unlessSlugChanged(knownHolder?.value.holder, credential),
      website: knownWebsite?.value,
      until: known,
      isRead: false,
    }
  }

  const [keepHolder, keepWebsite] = [holderMemo.keeper(), websiteMemo.keeper()]
  const statements = [
    ...(asksHolder ? [[holderStatements[credential.kind], credential.id, now] as const] : []),
    ...(asksWebsite ? [[websiteById, websiteId] as const] : []),
  ]
  let read: DatedRows<object>
  try {
    read =
      purpose === 'figures' || purpose === 'public'
        ? await store.readsNear<object>(...statements)
        : { rows: await store.reads<object>(...statements), asOf: now }
    failingSince = undefined
  } catch (outage) {
    failingSince ??= now
    const lasts =
      (name === undefined || holderMemo.lasting(name, now)) &&
      (websiteId === undefined || websiteMemo.lasting(websiteId, now))
    if (purpose === 'public' && lasts) return lookUp(store, credential, websiteId, 'figures')
    const [since, isOver] = [failingSince - knownBefore, now > failingSince + longestOutage]
    const known = name === undefined ? undefined : holderMemo.expired(name, since)
    const holder = known && known.expiresAt > now ? unlessSlugChanged(known.holder, credential) : undefined
    const website = websiteId === undefined ? undefined : websiteMemo.expired(websiteId, since)
    const isKnown = (holder || !credential) && (website || websiteId === undefined)
    if (isAfresh || isOver || !isKnown) throw outage
    return { holder, website, until: now, isRead: false, outage }
  }
  const { rows, asOf } = read
  const holderRow = asksHolder ? (rows[0]![0] as HolderRow | undefined) : undefined
  const websiteRow = asksWebsite ? (rows.at(-1)![0] as WebsiteRow | undefined) : undefined
  const holder = holderRow ? holderOf(credential!.kind, holderRow) : knownHolder?.value.holder
  const website = websiteRow ? websiteOf(websiteRow) : knownWebsite?.value
  const fresh = asOf + freshFor
  const expiresAt = holderRow?.expires_at ?? Infinity
  const holderUntil = Math.min(fresh, expiresAt)
  if (holderRow) keepHolder(name!, { holder: holder!, expiresAt }, holderUntil)
  else if (asksHolder) holderMemo.drop(name!)
  if (websiteRow) keepWebsite(website!.id, website!, fresh)
  else if (asksWebsite) websiteMemo.drop(websiteId)
  const end = Math.min(known, asksHolder ? holderUntil : fresh)
  return { holder: unlessSlugChanged(holder, credential), website, until: end, isRead: asksHolder }
}

/** The look-ups in progress of one batch, by credential and website. */
export type SharedLookups = Map<string, Promise<LookupResult>>

/** Calls `lookUp` once for all concurrent callers. A failed look-up is not repeated within a batch. */
export async function lookUpOnce(
  shared: SharedLookups,
  store: Store,
  credential: Credential | undefined,
  websiteId: string | undefined,
  purpose: Purpose,
): Promise<LookupResult> {
  const name = JSON.stringify([credential, websiteId, purpose])
  const other = shared.get(name)
  if (other) return { ...(await other), isRead: false }
  const looking = lookUp(store, credential, websiteId, purpose)
  shared.set(name, looking)
  const found = await looking
  // From here on, the memos decide how long a value stays fresh.
  if ((found.holder || !credential) && (found.website || websiteId === undefined)) shared.delete(name)
  return found
}

/** The holder; undefined for a share whose slug has changed since the token was created. */
const unlessSlugChanged = (holder: Holder | undefined, credential: Credential | undefined): Holder | undefined =>
  holder?.kind === 'share' && credential?.slug !== undefined && holder.slug !== credential.slug ? undefined : holder
