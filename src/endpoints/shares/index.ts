import type { Endpoint } from '../endpoint.ts'
import * as ofEntity from './of-entity.ts'
import * as shares from './shares.ts'

export const shareEndpoints: readonly Endpoint[] = [
  ofEntity.getWebsiteShares,
  ofEntity.createWebsiteShare,
  ofEntity.getLinkShares,
  ofEntity.createLinkShare,
  ofEntity.getPixelShares,
  ofEntity.createPixelShare,
  ofEntity.getBoardShares,
  ofEntity.createBoardShare,
  shares.createShare,
  shares.getShare,
  shares.updateShare,
  shares.deleteShare,
  shares.getShareBySlug,
]
