import type { Endpoint } from '../endpoint.ts'
import { getWebsiteActive } from './active.ts'
import { getWebsiteExpandedMetrics } from './expanded.ts'
import { exportWebsite } from './export.ts'
import { getWebsiteMetrics } from './metrics.ts'
import { getWebsitePageviews } from './pageviews.ts'
import { getWebsiteStats } from './stats.ts'
import { getWebsiteValues } from './values.ts'

export const statisticsEndpoints: readonly Endpoint[] = [
  getWebsiteStats,
  getWebsitePageviews,
  getWebsiteMetrics,
  getWebsiteExpandedMetrics,
  getWebsiteValues,
  getWebsiteActive,
  exportWebsite,
]
