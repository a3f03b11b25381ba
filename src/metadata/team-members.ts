import { type ListOptions, type Page, readPage } from './page.ts'
import type { TeamRole } from './person.ts'
import type { Store } from './store.ts'
import { insertMember, type Member } from './teams.ts'

type MemberOrder = 'username' | 'role' | 'createdAt'

const memberColumns = `team_members.id, user_id AS userId, username, team_members.role,
  team_members.created_at AS createdAt, team_members.updated_at AS updatedAt`

const fromMembers = 'FROM team_members JOIN users ON users.id = user_id AND users.deleted_at IS NULL WHERE team_id = ?1'

const memberOrders: Readonly<Record<MemberOrder, string>> = {
  username: 'name_key',
  role: 'team_members.role',
  createdAt: 'team_members.created_at',
}

/** Excludes the team's only owner. Every team must have an owner. */
const isNoLastOwner = `(role != 'team-owner'
  OR (SELECT count(*) FROM team_members WHERE team_id = ?1 AND role = 'team-owner') > 1)`

export const teamMembers = (store: Store) => ({
  list: (teamId: string, list: ListOptions<MemberOrder>): Promise<Page<Member>> =>
    readPage(
      store,
      {
        columns: memberColumns,
        from: `${fromMembers} AND instr(name_key, ?2) > 0`,
        order: `${memberOrders[list.orderBy]} ${list.descending ? 'DESC' : 'ASC'}, team_members.id`,
      },
      [teamId, list.search.toLowerCase()],
      list,
      (row: Member) => row,
    ),

  read: (teamId: string, userId: string): Promise<Member | undefined> =>
    store.first(`SELECT ${memberColumns} ${fromMembers} AND user_id = ?2`, teamId, userId),

  /** Returns false if the user is already in the team, or if the user or team does not exist. */
  async add(teamId: string, userId: string, role: TeamRole): Promise<boolean> {
    const [added] = await store.write(insertMember(teamId, userId, role, store.now))
    return added === 1
  },

  /** Returns false if the team would lose its only owner. */
  async setRole(teamId: string, userId: string, role: TeamRole): Promise<boolean> {
    const [changed] = await store.write([
      `UPDATE team_members SET role = ?3, updated_at = ?4 WHERE team_id = ?1 AND user_id = ?2 AND ${isNoLastOwner}`,
      teamId,
      userId,
      role,
      store.now,
    ])
    return changed === 1
  },

  /** Returns false if the team would lose its only owner. */
  async remove(teamId: string, userId: string): Promise<boolean> {
    const [removed] = await store.write([
      `DELETE FROM team_members WHERE team_id = ?1 AND user_id = ?2 AND ${isNoLastOwner}`,
      teamId,
      userId,
    ])
    return removed === 1
  },
})
