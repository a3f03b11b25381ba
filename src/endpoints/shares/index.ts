import type { Endpoint } from '../endpoint.ts'
import * as shares from './shares.ts'

export const shareEndpoints: readonly Endpoint[] = [
  shares.getWebsiteShares,
  shares.createWebsiteShare,
  shares.getLinkShares,
  shares.createLinkShare,
  shares.getPixelShares,
  shares.createPixelShare,
  shares.createShare,
  shares.getShare,
  shares.updateShare,
  shares.deleteShare,
  shares.getShareBySlug,
]
