export type UserRole = 'admin' | 'user' | 'view-only'
export type TeamRole = 'team-owner' | 'team-manager' | 'team-member' | 'team-view-only'

export interface User {
  readonly id: string
  readonly username: string
  readonly role: UserRole
  /** In milliseconds since 1970, like all times in D1. */
  readonly createdAt: number
}

/** A user and the teams they belong to. */
export interface Person extends User {
  /** The user's role in each team, by team id. */
  readonly teams: Readonly<Record<string, TeamRole>>
}

/** The columns of `PersonRow`, from the table `users`. */
export const personColumns = `users.id AS user_id, users.username, users.role, users.created_at AS user_created_at,
  (SELECT json_group_object(team_id, team_members.role)
   FROM team_members JOIN teams ON teams.id = team_id
   WHERE user_id = users.id AND deleted_at IS NULL) AS teams`

export interface PersonRow {
  readonly user_id: string
  readonly username: string
  readonly role: UserRole
  readonly user_created_at: number
  readonly teams: string
}

export const personFromRow = (row: PersonRow): Person => ({
  id: row.user_id,
  username: row.username,
  role: row.role,
  createdAt: row.user_created_at,
  teams: JSON.parse(row.teams) as Record<string, TeamRole>,
})
