import { type ListOptions, type Page, readPage } from './page.ts'
import type { TeamRole } from './person.ts'
import { isTaken, type Sql, type Store, type Stored } from './store.ts'

/** A user's membership in a team. */
export interface Member {
  readonly id: string
  readonly userId: string
  readonly username: string
  readonly role: TeamRole
  /** In milliseconds since 1970, like all times in D1. */
  readonly createdAt: number
  readonly updatedAt: number
}

export interface Team {
  readonly id: string
  readonly name: string
  /** The access code is a credential: anyone who knows it may join. */
  readonly accessCode: string
  readonly logoUrl: string | null
  /** 1 or 0. */
  readonly twoFactorRequired: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly members: readonly Member[]
  /** The number of websites that the team owns. */
  readonly websites: number
}

type TeamOrder = 'name' | 'createdAt'

type TeamRow = Stored<Team, 'members'>

const isMember = 'FROM team_members JOIN users ON users.id = user_id AND users.deleted_at IS NULL WHERE team_id'

const teamColumns = `id, name, access_code AS accessCode, logo_url AS logoUrl, created_at AS createdAt, updated_at AS updatedAt,
  two_factor_required AS twoFactorRequired,
  (SELECT count(*) FROM websites WHERE team_id = teams.id AND kind = 'website' AND websites.deleted_at IS NULL) AS websites,
  (SELECT json_group_array(json_object(
     'id', team_members.id, 'userId', user_id, 'username', username, 'role', team_members.role,
     'createdAt', team_members.created_at, 'updatedAt', team_members.updated_at
   ) ORDER BY team_members.created_at, team_members.id) ${isMember} = teams.id) AS members`

const teamOf = (row: TeamRow): Team => ({ ...row, members: JSON.parse(row.members) as Member[] })

const teamOrders: Readonly<Record<TeamOrder, string>> = { name: 'name COLLATE NOCASE', createdAt: 'created_at' }

export const teams = (store: Store) => ({
  /** A user's teams, or all teams. */
  list: (userId: string | undefined, list: ListOptions<TeamOrder>): Promise<Page<Team>> =>
    readPage(
      store,
      {
        columns: teamColumns,
        from: `FROM teams WHERE deleted_at IS NULL
          AND (?1 IS NULL OR id IN (SELECT team_id FROM team_members WHERE user_id = ?1))
          AND instr(search, ?2) > 0`,
        order: `${teamOrders[list.orderBy]} ${list.descending ? 'DESC' : 'ASC'}, id`,
      },
      [userId ?? null, list.search.toLowerCase()],
      list,
      teamOf,
    ),

  read: (id: string): Promise<Team | undefined> =>
    store.one(teamOf, `SELECT ${teamColumns} FROM teams WHERE id = ?1 AND deleted_at IS NULL`, id),

  idByAccessCode: (accessCode: string): Promise<string | undefined> =>
    store.one(
      ({ id }: Pick<Team, 'id'>) => id,
      'SELECT id FROM teams WHERE access_code = ?1 AND deleted_at IS NULL',
      accessCode,
    ),

  /** Returns false if there is no such user. */
  async create(team: Pick<Team, 'id' | 'name' | 'accessCode'>, ownerId: string): Promise<boolean> {
    const [created] = await store.write(
      [
        `INSERT INTO teams (id, name, search, access_code, created_at, updated_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?5 FROM users WHERE id = ?6 AND deleted_at IS NULL`,
        team.id,
        team.name,
        team.name.toLowerCase(),
        team.accessCode,
        store.now,
        ownerId,
      ],
      insertMember(team.id, ownerId, 'team-owner', store.now),
    )
    return created === 1
  },

  /** Returns false if another team has or had this access code. */
  async update(id: string, change: { name?: string | undefined; accessCode?: string | undefined }): Promise<boolean> {
    try {
      await store.write([
        `UPDATE teams SET name = ifnull(?2, name), search = ifnull(?3, search), access_code = ifnull(?4, access_code),
           updated_at = ?5
         WHERE id = ?1 AND deleted_at IS NULL`,
        id,
        change.name ?? null,
        change.name?.toLowerCase() ?? null,
        change.accessCode ?? null,
        store.now,
      ])
      return true
    } catch (error) {
      if (isTaken(error, 'teams.access_code')) return false
      throw error
    }
  },

  /** Deletes the team and its websites, links, pixels and boards. */
  async delete(id: string): Promise<void> {
    await store.write(
      ['UPDATE teams SET deleted_at = ?2 WHERE id = ?1 AND deleted_at IS NULL', id, store.now],
      ['UPDATE websites SET deleted_at = ?2 WHERE team_id = ?1 AND deleted_at IS NULL', id, store.now],
      ['DELETE FROM boards WHERE team_id = ?1', id],
    )
  },
})

/** Inserts no row if the user is already in the team, or if the user or team does not exist. */
export const insertMember = (teamId: string, userId: string, role: TeamRole, now: number): Sql => [
  `INSERT INTO team_members (id, team_id, user_id, role, created_at, updated_at)
   SELECT ?1, ?2, ?3, ?4, ?5, ?5 FROM users WHERE id = ?3 AND deleted_at IS NULL
     AND EXISTS (SELECT 1 FROM teams WHERE id = ?2 AND deleted_at IS NULL)
   ON CONFLICT DO NOTHING`,
  crypto.randomUUID(),
  teamId,
  userId,
  role,
  now,
]
