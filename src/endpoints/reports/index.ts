import type { Endpoint } from '../endpoint.ts'
import { getAttributionReport, getWebsiteAttribution } from './attribution.ts'
import { getBreakdownReport, getInsightsReport, getWebsiteBreakdown } from './breakdown.ts'
import { getFunnelReport, getWebsiteFunnelStats } from './funnel.ts'
import { getGoalReport, getGoalsReport, getWebsiteGoalStats } from './goal.ts'
import { getJourneyReport, getWebsiteJourneys } from './journeys.ts'
import {
  getPerformanceReport,
  getWebsitePerformanceChart,
  getWebsitePerformanceMetrics,
  getWebsitePerformanceStats,
} from './performance.ts'
import { getRetentionReport, getWebsiteRetention } from './retention.ts'
import { getRevenueReport } from './revenue.ts'
import { getUtmReport, getWebsiteUtmMetrics } from './utm.ts'

export const reportEndpoints: readonly Endpoint[] = [
  getWebsiteGoalStats,
  getGoalReport,
  getGoalsReport,
  getWebsiteBreakdown,
  getBreakdownReport,
  getInsightsReport,
  getWebsitePerformanceStats,
  getWebsitePerformanceChart,
  getWebsitePerformanceMetrics,
  getPerformanceReport,
  getRevenueReport,
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
