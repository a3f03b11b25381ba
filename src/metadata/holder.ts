import {
  hasOwner,
  joinOwner,
  type SharedBoard,
  type SharedBoardRow,
  sharedBoardColumns,
  sharedBoardFromRow,
} from './board-subjects.ts'
import { type Person, type PersonRow, personColumns, personFromRow } from './person.ts'
import { type ShareType, shareTypes } from './shares.ts'
import { lacksSecondFactor } from './two-factors.ts'

export interface SignInHolder {
  readonly kind: 'sign-in'
  readonly id: string
  readonly person: Person
  /**
   * Whether the person must have a second factor, lacks one, and signed in with a password. Such a sign-in may only be
   * used to set up a second factor.
   */
  readonly lacksFactor: boolean
}

interface KeyHolder {
  readonly kind: 'key'
  readonly id: string
  readonly name: string
  /** The key's owner; undefined for the operator's keys. */
  readonly person: Person | undefined
  /** Whether this is an operator's key that gives access to everything. */
  readonly isAdmin: boolean
  readonly access: 'read' | 'write'
  /**
   * The websites that the key is restricted to. If undefined, the key opens every website that its owner may see; an
   * admin key opens all websites.
   */
  readonly websiteIds: ReadonlySet<string> | undefined
  /** Allowed page origins; undefined allows any origin. */
  readonly origins: readonly string[] | undefined
  /** In milliseconds since 1970, accurate to a few minutes. */
  readonly lastUsedAt: number | undefined
}

export interface ShareHolder {
  readonly kind: 'share'
  readonly id: string
  readonly shareType: ShareType
  /** The id of the website, link, pixel or board that the share opens. */
  readonly entityId: string
  readonly slug: string
  /** The share's stored parameters; see `access/opening.ts`. */
  readonly parameters: object
  /** The shared board, if the share is of a board. */
  readonly board: SharedBoard | undefined
}

/** The holder of a credential. */
export type Holder = SignInHolder | KeyHolder | ShareHolder

/** The credential in a request. `id` is the hash of the key, or the id of the sign-in or share. */
export interface Credential {
  readonly kind: 'key' | 'sign-in' | 'share' | 'slug'
  readonly id: string
  /** The slug in a share's token. If the share gets a new slug, the token becomes invalid. */
  readonly slug?: string
}

const shareStatement = `SELECT shares.id, share_type, website_id, shares.slug, shares.parameters, expires_at,
    ${sharedBoardColumns}
  FROM shares
  LEFT JOIN websites ON websites.id = website_id AND websites.deleted_at IS NULL
  LEFT JOIN boards ON boards.id = website_id
  ${joinOwner}
  WHERE iif(share_type = ${shareTypes.board}, boards.id, websites.id) IS NOT NULL AND ${hasOwner}
    AND (expires_at IS NULL OR expires_at > ?2)`

/** `?1` is the credential's id, `?2` the current time. */
export const holderStatements: Readonly<Record<Credential['kind'], string>> = {
  key: `SELECT api_keys.id, name, is_admin, access, all_websites, origins, expires_at, last_used_at,
      (SELECT json_group_array(website_id) FROM api_key_websites WHERE key_id = api_keys.id) AS website_ids,
      ${personColumns}
    FROM api_keys LEFT JOIN users ON users.id = api_keys.user_id AND users.deleted_at IS NULL
    WHERE key_hash = ?1 AND (expires_at IS NULL OR expires_at > ?2)
      AND (api_keys.user_id IS NULL OR users.id IS NOT NULL)`,
  'sign-in': `SELECT sign_ins.id, expires_at, sign_ins.issuer IS NULL AND ${lacksSecondFactor} AS lacks_factor, ${personColumns}
    FROM sign_ins JOIN users ON users.id = sign_ins.user_id
    WHERE sign_ins.id = ?1 AND expires_at > ?2 AND step IS NULL AND deleted_at IS NULL`,
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

/** A row read by `holderStatements`. */
export type HolderRow = KeyHolderRow &
  ShareHolderRow & { readonly expires_at: number | null; readonly lacks_factor: number }

export function holderOf(kind: Credential['kind'], row: HolderRow): Holder {
  switch (kind) {
    case 'key':
      return keyHolderOf(row)
    case 'sign-in':
      return { kind, id: row.id, person: personFromRow(row), lacksFactor: row.lacks_factor === 1 }
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
