import type { Endpoint } from '../endpoint.ts'
import * as members from './members.ts'
import * as teams from './teams.ts'

export const teamEndpoints: readonly Endpoint[] = [
  teams.getTeams,
  teams.createTeam,
  teams.joinTeam,
  teams.getTeam,
  teams.updateTeam,
  teams.deleteTeam,
  teams.getMyTeams,
  teams.getUserTeams,
  teams.getAdminTeams,
  members.getTeamUsers,
  members.createTeamUser,
  members.getTeamUser,
  members.updateTeamUser,
  members.deleteTeamUser,
]
