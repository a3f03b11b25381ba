import type { D1Database } from '@cloudflare/workers-types'
import {
  hasOwner,
  joinOwner,
  type SharedBoard,
  type SharedBoardRow,
  sharedBoardColumns,
  sharedBoardFromRow,
} from './board-subjects.ts'
import { forgetAddresses } from './links.ts'
import { freshFor, memo } from './memo.ts'
import { type PersonRow, personColumns, personFromRow } from './person.ts'
import { forgetReports } from './reports.ts'
import { forgetSegments } from './segments.ts'
import { type ShareType, shareTypes } from './shares.ts'
import { storeOf, type Watch } from './store.ts'
import { type WebsiteRow, websiteById, websiteOf } from './website-row.ts'
import type { Website } from './websites.ts'

export type UserRole = 'admin' | 'user' | 'view-only'
export type TeamRole = 'team-owner' | 'team-manager' | 'team-member' | 'team-view-only'

/** A user and the teams they belong to. */
export interface Person {
  readonly id: string
  readonly username: string
  readonly role: UserRole
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** The role in each team, by the team's id. */
  readonly teams: Readonly<Record<string, TeamRole>>
}

/** The holder of a sign-in. */
export interface SignInHolder {
  readonly kind: 'sign-in'
  readonly id: string
  readonly person: Person
}

interface KeyHolder {
  readonly kind: 'key'
  readonly id: string
  readonly name: string
  /** The key's owner; undefined for the operator's keys. */
  readonly person: Person | undefined
  /** For the operator's keys: access to everything. */
  readonly isAdmin: boolean
  readonly access: 'read' | 'write'
  /** The key's websites. Undefined allows every website that the owner may see; for an admin key, every website. */
  readonly websiteIds: ReadonlySet<string> | undefined
  /** Allowed page origins; undefined allows any. */
  readonly origins: readonly string[] | undefined
  /** Milliseconds since 1970, accurate to some minutes. */
  readonly lastUsedAt: number | undefined
}

export interface ShareHolder {
  readonly kind: 'share'
  readonly id: string
  readonly shareType: ShareType
  /** The id of the website, link, pixel or board that it opens. */
  readonly entityId: string
  readonly slug: string
  /** The stored parameters of its opening: see `access/opening.ts`. */
  readonly parameters: object
  /** The board, if the share is of one. */
  readonly board: SharedBoard | undefined
}

/** The holder of a credential. */
export type Holder = SignInHolder | KeyHolder | ShareHolder

/** The credential of a request. `id` is the hash of the key, or the id of the sign-in or the share. */
export interface Credential {
  readonly kind: 'key' | 'sign-in' | 'share' | 'slug'
  readonly id: string
  /** The slug in a share's token. The token ends when the share gets another slug. */
  readonly slug?: string
}

const holderMemo = memo<Holder>(10_000)
const websiteMemo = memo<Website>(10_000)

let generations = 0

/** The generation of this isolate's look-up cache. Every `forgetAll` begins a new one. */
export const generation = (): number => generations

/** Empties the look-up cache of this isolate. */
export function forgetAll(): void {
  generations++
  forgetSegments()
  forgetReports()
  forgetAddresses()
  holderMemo.clear()
  websiteMemo.clear()
}

export interface LookupResult {
  readonly holder: Holder | undefined
  readonly website: Website | undefined
  /** The end of both look-ups' validity, in milliseconds since 1970. */
  readonly until: number
  /** Whether the holder was just read from D1. */
  readonly isRead: boolean
}

/**
 * Looks up the holder of a credential and a website by its id: both in one round trip, none if they are cached.
 * `afresh` skips the cache; requests that write set it. A credential is not found if it has expired or if its user,
 * website or share is gone; the answer is the same as for an unknown one.
 */
export async function lookUp(
  database: D1Database,
  now: number,
  credential: Credential | undefined,
  websiteId: string | undefined,
  afresh: boolean,
  watch?: Watch,
): Promise<LookupResult> {
  const name = credential && `${credential.kind} ${credential.id}`
  const knownHolder = name === undefined || afresh ? undefined : holderMemo.lasting(name, now)
  const knownWebsite = websiteId === undefined || afresh ? undefined : websiteMemo.lasting(websiteId, now)
  const asksHolder = credential !== undefined && knownHolder === undefined
  const asksWebsite = websiteId !== undefined && knownWebsite === undefined
  const known = Math.min(knownHolder?.until ?? Infinity, knownWebsite?.until ?? Infinity)
  if (!asksHolder && !asksWebsite) {
    return {
      holder: unlessSlugChanged(knownHolder?.value, credential),
      website: knownWebsite?.value,
      until: known,
      isRead: false,
    }
  }

  const [keepHolder, keepWebsite] = [holderMemo.keeper(), websiteMemo.keeper()]
  const rows = await storeOf(database, now, () => {}, watch).reads<object>(
    ...(asksHolder ? [[holderStatements[credential.kind], credential.id, now] as const] : []),
    ...(asksWebsite ? [[websiteById, websiteId] as const] : []),
  )
  const holderRow = asksHolder ? (rows[0]![0] as HolderRow | undefined) : undefined
  const websiteRow = asksWebsite ? (rows.at(-1)![0] as WebsiteRow | undefined) : undefined
  const holder = holderRow ? holderOf(credential!.kind, holderRow) : knownHolder?.value
  const website = websiteRow ? websiteOf(websiteRow) : knownWebsite?.value
  const fresh = now + freshFor
  const holderUntil = Math.min(fresh, holderRow?.expires_at ?? Infinity)
  if (holderRow) keepHolder(name!, holder!, holderUntil)
  if (websiteRow) keepWebsite(website!.id, website!, fresh)
  const until = Math.min(known, asksHolder ? holderUntil : fresh)
  return { holder: unlessSlugChanged(holder, credential), website, until, isRead: asksHolder }
}

/** The look-ups in progress of one batch, by credential and website. */
export type SharedLookups = Map<string, Promise<LookupResult>>

/** Calls `lookUp` once for all concurrent callers. Within a batch, a failed look-up is not repeated. */
export async function lookUpOnce(
  shared: SharedLookups,
  database: D1Database,
  now: number,
  credential: Credential | undefined,
  websiteId: string | undefined,
  watch?: Watch,
): Promise<LookupResult> {
  const name = JSON.stringify([credential, websiteId])
  const other = shared.get(name)
  if (other) return { ...(await other), isRead: false }
  const looking = lookUp(database, now, credential, websiteId, false, watch)
  shared.set(name, looking)
  const found = await looking
  // From here on the memos decide how long a found value is fresh.
  if ((found.holder || !credential) && (found.website || websiteId === undefined)) shared.delete(name)
  return found
}

/** The holder; undefined for a share whose slug has changed since the token was made. */
const unlessSlugChanged = (holder: Holder | undefined, credential: Credential | undefined): Holder | undefined =>
  holder?.kind === 'share' && credential?.slug !== undefined && holder.slug !== credential.slug ? undefined : holder

const shareStatement = `SELECT shares.id, share_type, website_id, shares.slug, shares.parameters, expires_at,
    ${sharedBoardColumns}
  FROM shares
  LEFT JOIN websites ON websites.id = website_id AND websites.deleted_at IS NULL
  LEFT JOIN boards ON boards.id = website_id
  ${joinOwner}
  WHERE iif(share_type = ${shareTypes.board}, boards.id, websites.id) IS NOT NULL AND ${hasOwner}
    AND (expires_at IS NULL OR expires_at > ?2)`

/** `?1` is the id of the credential, `?2` the current time. */
const holderStatements: Readonly<Record<Credential['kind'], string>> = {
  key: `SELECT api_keys.id, name, is_admin, access, all_websites, origins, expires_at, last_used_at,
      (SELECT json_group_array(website_id) FROM api_key_websites WHERE key_id = api_keys.id) AS website_ids,
      ${personColumns}
    FROM api_keys LEFT JOIN users ON users.id = api_keys.user_id AND users.deleted_at IS NULL
    WHERE key_hash = ?1 AND (expires_at IS NULL OR expires_at > ?2)
      AND (api_keys.user_id IS NULL OR users.id IS NOT NULL)`,
  'sign-in': `SELECT sign_ins.id, expires_at, ${personColumns}
    FROM sign_ins JOIN users ON users.id = sign_ins.user_id
    WHERE sign_ins.id = ?1 AND expires_at > ?2 AND deleted_at IS NULL`,
  share: `${shareStatement} AND shares.id = ?1`,
  slug: `${shareStatement} AND shares.slug = ?1`,
}

interface KeyHolderRow extends PersonRow {
  readonly id: string
  readonly name: string
  readonly is_admin: number
  readonly access: 'read' | 'write'
  readonly all_websites: number
  readonly origins: string | null
  readonly last_used_at: number | null
  readonly website_ids: string
}

interface ShareHolderRow extends SharedBoardRow {
  readonly id: string
  readonly share_type: ShareType
  readonly website_id: string
  readonly slug: string
  readonly parameters: string
}

type HolderRow = KeyHolderRow & ShareHolderRow & { readonly expires_at: number | null }

function holderOf(kind: Credential['kind'], row: HolderRow): Holder {
  switch (kind) {
    case 'key':
      return keyHolderOf(row)
    case 'sign-in':
      return { kind, id: row.id, person: personFromRow(row) }
    default:
      return {
        kind: 'share',
        id: row.id,
        shareType: row.share_type,
        entityId: row.website_id,
        slug: row.slug,
        parameters: JSON.parse(row.parameters) as object,
        board: row.share_type === shareTypes.board ? sharedBoardFromRow(row) : undefined,
      }
  }
}

function keyHolderOf(row: KeyHolderRow): KeyHolder {
  const all = row.is_admin === 1 || row.all_websites === 1
  return {
    kind: 'key',
    id: row.id,
    name: row.name,
    person: row.user_id === null ? undefined : personFromRow(row),
    isAdmin: row.is_admin === 1,
    access: row.access,
    websiteIds: all ? undefined : new Set(JSON.parse(row.website_ids) as string[]),
    origins: row.origins === null ? undefined : (JSON.parse(row.origins) as string[]),
    lastUsedAt: row.last_used_at ?? undefined,
  }
}
