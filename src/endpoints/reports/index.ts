import type { Endpoint } from '../endpoint.ts'
import { getAttributionReport, getWebsiteAttribution } from './attribution.ts'
import { getFunnelReport, getWebsiteFunnelStats } from './funnel.ts'
import { getJourneyReport, getWebsiteJourneys } from './journeys.ts'
import { getRetentionReport, getWebsiteRetention } from './retention.ts'
import { getUtmReport, getWebsiteUtmMetrics } from './utm.ts'

export const reportEndpoints: readonly Endpoint[] = [
  getWebsiteUtmMetrics,
  getUtmReport,
  getWebsiteFunnelStats,
  getFunnelReport,
  getWebsiteJourneys,
  getJourneyReport,
  getWebsiteRetention,
  getRetentionReport,
  getWebsiteAttribution,
  getAttributionReport,
]
