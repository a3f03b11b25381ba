import type { Endpoint } from '../endpoint.ts'
import * as ofType from './of-type.ts'
import * as reports from './reports.ts'
import { getWebsiteSavedFunnelStats, getWebsiteSavedGoalStats } from './stats.ts'

/** These endpoints come after the reports, whose fixed paths would otherwise match as ids here. */
export const savedReportEndpoints: readonly Endpoint[] = [
  reports.getReports,
  reports.createReport,
  reports.getReport,
  reports.updateReport,
  reports.deleteReport,
  reports.getWebsiteReports,
  ofType.getWebsiteFunnels,
  ofType.createWebsiteFunnel,
  ofType.getWebsiteFunnel,
  ofType.updateWebsiteFunnel,
  ofType.deleteWebsiteFunnel,
  getWebsiteSavedFunnelStats,
  ofType.getWebsiteGoals,
  ofType.createWebsiteGoal,
  ofType.getWebsiteGoal,
  ofType.updateWebsiteGoal,
  ofType.deleteWebsiteGoal,
  getWebsiteSavedGoalStats,
]
