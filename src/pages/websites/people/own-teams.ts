import { type Asked, useAsked } from '../../parts/use-asked.ts'
import { Refused } from '../../session/reason.ts'
import type { Session } from '../../session/session.ts'

/** A team, and the user's role in it. The role is undefined for an admin who is not a member. */
export interface OwnTeam {
  readonly id: string
  readonly name: string
  readonly role: string | undefined
}

/** The maximum number of teams shown. */
const pageSize = 100

/** The teams in which the user may create websites; for an admin, all teams. */
export function useOwnTeams({ client, user }: Session): Asked<readonly OwnTeam[]> {
  return useAsked(user.id, async (signal) => {
    if (user.teams.length === 0 && !user.isAdmin) return []
    const ask = user.isAdmin ? client.getAdminTeams : client.getTeams
    const { data } = await ask({ pageSize }, { signal })
    const teams = data.map(({ id, name, members }) => ({
      ...{ id, name, role: members.find(({ userId }) => userId === user.id)?.role },
    }))
    return teams.filter(({ role }) => user.isAdmin || role !== 'team-view-only')
  })
}

/** The id of the user with this name. Only admins may request it. Throws if there is no such user. */
export async function userNamed(username: string, { client }: Pick<Session, 'client'>): Promise<string> {
  const { data } = await client.getUsers({ search: username, pageSize, orderBy: 'username' })
  const found = data.find((user) => user.username.toLowerCase() === username.toLowerCase())
  if (!found) throw new Refused('There is no user with this name.')
  return found.id
}
