import type { FactsByName } from './facts.ts'

export const sharesFacts: FactsByName = {
  getWebsiteShares: { may: 'change' },
  createWebsiteShare: { may: 'change' },
  getLinkShares: { may: 'changeLink' },
  createLinkShare: { may: 'changeLink' },
  getPixelShares: { may: 'changeLink' },
  createPixelShare: { may: 'changeLink' },
  getBoardShares: { may: 'changeBoard' },
  createBoardShare: { may: 'changeBoard' },
  createShare: { may: 'change' },
  getShare: { may: 'viewShare' },
  updateShare: { may: 'changeShare' },
  deleteShare: { may: 'changeShare' },
  getShareBySlug: { may: 'anyone' },
}
