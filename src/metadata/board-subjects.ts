import type { Person, TeamRole, UserRole } from './person.ts'
import { type PersonRow, personColumns, personFromRow } from './person.ts'
import type { Sql } from './store.ts'
import type { WebsiteKind } from './website.ts'

/** A website, link or pixel that a board's parameters refer to. */
export interface BoardSubject {
  readonly id: string
  /** The kind according to the parameters, which may declare a link or a pixel to be a website. */
  readonly kind: WebsiteKind
  /** The id of the user who added it, if they owned it at the time. */
  readonly putBy: string | null
}

/** A team, and the users who added their own websites, links or pixels to its boards and still exist. */
interface TeamOfBoard {
  readonly teamId: string
  readonly contributors: readonly Pick<Person, 'id' | 'role' | 'teams'>[]
}

/** The owner of a board: a user, a team, or the operator. */
export type BoardOwner = Person | TeamOfBoard | 'operator'

/** A board that a share gives access to. */
export interface SharedBoard {
  /** Sorted by id, compared as strings. */
  readonly subjects: readonly BoardSubject[]
  readonly owner: BoardOwner
}

/** An owner whose boards include a certain subject, and the user who added it. */
export interface NamingOwner extends Pick<BoardSubject, 'putBy'> {
  readonly owner: BoardOwner
  /** The owner's columns in `boards`. */
  readonly userId: string | null
  readonly teamId: string | null
}

/** The columns of `BoardOwnerRow`. `contributors` selects user ids. */
const ownerColumns = (contributors: string) => `boards.user_id AS board_user, boards.team_id AS board_team,
  (SELECT json_group_array(json_object('id', contributor.id, 'role', contributor.role, 'teamRole', membership.role))
   FROM users AS contributor LEFT JOIN team_members AS membership
     ON membership.user_id = contributor.id AND membership.team_id = boards.team_id
   WHERE contributor.deleted_at IS NULL AND contributor.id IN (${contributors})) AS contributors, ${personColumns}`

/** Joins the user who owns the board. */
export const joinOwner = 'LEFT JOIN users ON users.id = boards.user_id AND users.deleted_at IS NULL'

/** Excludes boards whose owner is a deleted user. */
export const hasOwner = '(boards.user_id IS NULL OR users.id IS NOT NULL)'

/** The columns of `SharedBoardRow`, from `boards` and `users`. */
export const sharedBoardColumns = `
  (SELECT json_group_array(json_object('id', subject_id, 'kind', kind, 'putBy', put_by) ORDER BY subject_id)
   FROM board_subjects WHERE board_id = boards.id) AS subjects,
  ${ownerColumns('SELECT put_by FROM board_subjects WHERE board_id = boards.id')}`

interface BoardOwnerRow extends PersonRow {
  readonly board_user: string | null
  readonly board_team: string | null
  readonly contributors: string
}

export interface SharedBoardRow extends BoardOwnerRow {
  readonly subjects: string
}

export const sharedBoardFromRow = (row: SharedBoardRow): SharedBoard => ({
  subjects: JSON.parse(row.subjects) as BoardSubject[],
  owner: ownerFromRow(row),
})

interface ContributorRow {
  readonly id: string
  readonly role: UserRole
  readonly teamRole: TeamRole | null
}

function ownerFromRow(row: BoardOwnerRow): BoardOwner {
  if (row.board_user !== null) return personFromRow(row)
  const teamId = row.board_team
  if (teamId === null) return 'operator'
  const contributors = (JSON.parse(row.contributors) as ContributorRow[]).map(({ id, role, teamRole }) => ({
    id,
    role,
    teams: teamRole === null ? {} : { [teamId]: teamRole },
  }))
  return { teamId, contributors }
}

/** Selects the owners of the shared boards that include the subject `?1`, each with the user who added it. */
export const namingOwners = `SELECT put_by, ${ownerColumns('boards.put_by')}
  FROM (SELECT DISTINCT user_id, team_id, put_by FROM board_subjects JOIN boards ON boards.id = board_id
        WHERE subject_id = ?1 AND EXISTS (SELECT 1 FROM shares WHERE website_id = board_id AND share_type = 4)) AS boards
  ${joinOwner} WHERE ${hasOwner}`

export interface NamingOwnerRow extends BoardOwnerRow {
  readonly put_by: string | null
}

export const namingOwnerFromRow = (row: NamingOwnerRow): NamingOwner => ({
  owner: ownerFromRow(row),
  userId: row.board_user,
  teamId: row.board_team,
  putBy: row.put_by,
})

/**
 * Replaces the board's subjects, if the board exists. A subject that was already on the board keeps its `putBy`, unless
 * the writer now owns it.
 */
export function replaceSubjects(boardId: string, subjects: readonly BoardSubject[]): Sql[] {
  const json = JSON.stringify(subjects)
  return [
    [
      `DELETE FROM board_subjects WHERE board_id = ?1
         AND (subject_id, kind) NOT IN (SELECT value ->> 'id', value ->> 'kind' FROM json_each(?2))`,
      boardId,
      json,
    ],
    [
      `INSERT INTO board_subjects (board_id, subject_id, kind, put_by)
       SELECT ?1, value ->> 'id', value ->> 'kind', value ->> 'putBy' FROM json_each(?2)
       WHERE EXISTS (SELECT 1 FROM boards WHERE id = ?1)
       ON CONFLICT DO UPDATE SET put_by = ifnull(excluded.put_by, put_by)`,
      boardId,
      json,
    ],
  ]
}
