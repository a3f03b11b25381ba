import type { FactsByName } from './facts.ts'

export const heatmapsFacts: FactsByName = {
  getWebsiteHeatmaps: { may: 'download' },
  getHeatmapReport: { may: 'download', isOurOwn: true },
}
