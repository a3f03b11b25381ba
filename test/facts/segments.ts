import type { FactsByName } from './facts.ts'

export const segmentsFacts: FactsByName = {
  getWebsiteSegments: { may: 'view' },
  createWebsiteSegment: { may: 'change' },
  getWebsiteSegment: { may: 'view' },
  updateWebsiteSegment: { may: 'change' },
  deleteWebsiteSegment: { may: 'change' },
}
