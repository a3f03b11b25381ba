import type { Endpoint } from '../endpoint.ts'
import * as boards from './boards.ts'

export const boardEndpoints: readonly Endpoint[] = [
  boards.getBoards,
  boards.createBoard,
  boards.getBoard,
  boards.updateBoard,
  boards.deleteBoard,
  boards.cloneBoard,
  boards.getTeamBoards,
  boards.getDashboard,
  boards.updateDashboard,
]
