import type { BoardSubjects } from './boards.ts'
import type { ShareType } from './shares.ts'

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

/** A board that a share opens: the websites, links and pixels that it names and its owner may see. */
export interface SharedBoard {
  readonly subjects: BoardSubjects
  /** A user, a team, or the operator. */
  readonly owner: Person | { readonly teamId: string } | 'operator'
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

const personColumns = `users.id AS user_id, users.username, users.role, users.created_at AS user_created_at,
  (SELECT json_group_object(team_id, team_members.role)
   FROM team_members JOIN teams ON teams.id = team_id
   WHERE user_id = users.id AND deleted_at IS NULL) AS teams`

const shareStatement = `SELECT shares.id, share_type, website_id, shares.slug, shares.parameters, expires_at,
    boards.subjects, boards.user_id AS board_user, boards.team_id AS board_team, ${personColumns}
  FROM shares
  LEFT JOIN websites ON websites.id = website_id AND websites.deleted_at IS NULL
  LEFT JOIN boards ON boards.id = website_id
  LEFT JOIN users ON users.id = boards.user_id AND users.deleted_at IS NULL
  WHERE iif(share_type = 4, boards.id, websites.id) IS NOT NULL
    AND (boards.user_id IS NULL OR users.id IS NOT NULL)
    AND (expires_at IS NULL OR expires_at > ?2)`

/** `?1` is the id of the credential, `?2` the current time. */
export const holderStatements: Readonly<Record<Credential['kind'], string>> = {
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

interface PersonRow {
  readonly user_id: string
  readonly username: string
  readonly role: UserRole
  readonly user_created_at: number
  readonly teams: string
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

interface ShareHolderRow extends PersonRow {
  readonly id: string
  readonly share_type: ShareType
  readonly website_id: string
  readonly slug: string
  readonly parameters: string
  /** Null except with the share of a board. */
  readonly subjects: string | null
  readonly board_user: string | null
  readonly board_team: string | null
}

/** What `holderStatements` read. */
export type HolderRow = KeyHolderRow & ShareHolderRow & { readonly expires_at: number | null }

export function holderOf(kind: Credential['kind'], row: HolderRow): Holder {
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
        board: row.subjects === null ? undefined : boardFromRow(row, row.subjects),
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

function boardFromRow(row: ShareHolderRow, subjects: string): SharedBoard {
  const ofTeam = row.board_team === null ? 'operator' : { teamId: row.board_team }
  return {
    subjects: JSON.parse(subjects) as BoardSubjects,
    owner: row.board_user === null ? ofTeam : personFromRow(row),
  }
}

const personFromRow = (row: PersonRow): Person => ({
  id: row.user_id,
  username: row.username,
  role: row.role,
  createdAt: row.user_created_at,
  teams: JSON.parse(row.teams) as Record<string, TeamRole>,
})
