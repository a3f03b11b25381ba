import type { FactsByName } from './facts.ts'

export const annotationsFacts: FactsByName = {
  getWebsiteAnnotations: { may: 'view' },
  createWebsiteAnnotation: { may: 'change' },
  getWebsiteAnnotation: { may: 'view' },
  updateWebsiteAnnotation: { may: 'change' },
  deleteWebsiteAnnotation: { may: 'change' },
}
