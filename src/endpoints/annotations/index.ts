import type { Endpoint } from '../endpoint.ts'
import * as annotations from './annotations.ts'

export const annotationEndpoints: readonly Endpoint[] = [
  annotations.getWebsiteAnnotations,
  annotations.createWebsiteAnnotation,
  annotations.getWebsiteAnnotation,
  annotations.updateWebsiteAnnotation,
  annotations.deleteWebsiteAnnotation,
]
