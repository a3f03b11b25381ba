import type { FactsByName } from './facts.ts'

export const teamsFacts: FactsByName = {
  getTeams: { may: 'listOwn' },
  createTeam: { may: 'create' },
  joinTeam: { may: 'joinTeam' },
  getTeam: { may: 'viewTeam' },
  updateTeam: { may: 'transfer' },
  deleteTeam: { may: 'deleteTeam' },
  getMyTeams: { may: 'listOwn' },
  getUserTeams: { may: 'admin' },
  getAdminTeams: { may: 'admin', isOurOwn: true },
  getTeamUsers: { may: 'viewTeam' },
  createTeamUser: { may: 'transfer' },
  getTeamUser: { may: 'viewTeam' },
  updateTeamUser: { may: 'transfer' },
  deleteTeamUser: { may: 'transfer' },
}
