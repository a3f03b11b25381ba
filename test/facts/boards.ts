import type { FactsByName } from './facts.ts'

export const boardsFacts: FactsByName = {
  getBoards: { may: 'listOwn' },
  createBoard: { may: 'create' },
  getBoard: { may: 'viewLink' },
  updateBoard: { may: 'changeBoard' },
  deleteBoard: { may: 'changeBoard' },
  cloneBoard: { may: 'changeBoard' },
  getTeamBoards: { may: 'viewTeam' },
  getDashboard: { may: 'listOwn', isOurOwn: true },
  updateDashboard: { may: 'create', isOurOwn: true },
}
