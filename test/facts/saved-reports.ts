import type { FactsByName } from './facts.ts'

export const savedReportsFacts: FactsByName = {
  getReports: { may: 'view', isOurOwn: true },
  createReport: { may: 'change', isOurOwn: true },
  getReport: { may: 'viewReport', isOurOwn: true },
  updateReport: { may: 'changeReport', isOurOwn: true },
  deleteReport: { may: 'changeReport', isOurOwn: true },
  getWebsiteReports: { may: 'view', isOurOwn: true },
  getWebsiteFunnels: { may: 'view' },
  createWebsiteFunnel: { may: 'change' },
  getWebsiteFunnel: { may: 'view' },
  updateWebsiteFunnel: { may: 'change' },
  deleteWebsiteFunnel: { may: 'change' },
  getWebsiteSavedFunnelStats: {
    may: 'view',
    openedBy: ['funnels'],
    ...{ like: 'getWebsiteFunnelStats', meaning: 'endpoints/saved-stats.test.ts', isAnalysis: true },
  },
  getWebsiteGoals: { may: 'view' },
  createWebsiteGoal: { may: 'change' },
  getWebsiteGoal: { may: 'view' },
  updateWebsiteGoal: { may: 'change' },
  deleteWebsiteGoal: { may: 'change' },
  getWebsiteSavedGoalStats: {
    may: 'view',
    openedBy: ['goals'],
    ...{ holdsNoText: true, like: 'getWebsiteGoalStats', meaning: 'endpoints/saved-stats.test.ts', isAnalysis: true },
  },
}
