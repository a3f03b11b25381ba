import type { Endpoint } from '../endpoint.ts'
import { getBreakdownReport, getInsightsReport, getWebsiteBreakdown } from './breakdown.ts'
import { getGoalReport, getGoalsReport, getWebsiteGoalStats } from './goal.ts'
import {
  getPerformanceReport,
  getWebsitePerformanceChart,
  getWebsitePerformanceMetrics,
  getWebsitePerformanceStats,
} from './performance.ts'
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
]
