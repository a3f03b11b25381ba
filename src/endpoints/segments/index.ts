import type { Endpoint } from '../endpoint.ts'
import * as segments from './segments.ts'

export const segmentEndpoints: readonly Endpoint[] = [
  segments.getWebsiteSegments,
  segments.createWebsiteSegment,
  segments.getWebsiteSegment,
  segments.updateWebsiteSegment,
  segments.deleteWebsiteSegment,
]
