import { byPost, type FactsByName, report } from './facts.ts'
import { among, byFields, inZones } from './long-ranges.ts'
import { analysisOracle } from './oracles.ts'

export const reportsFacts: FactsByName = {
  getWebsiteGoalStats: report(['goals'], 'goal', analysisOracle, {
    isAnalysis: true,
    holdsNoText: true,
    longRanges: among({ type: 'path', value: '/a' }, { type: 'event', value: 'b*' }),
  }),
  getGoalReport: byPost(['goals'], 'goal', 'goal', 'getWebsiteGoalStats'),
  getGoalsReport: {
    may: 'view',
    openedBy: ['goals'],
    ...{ isOurOwn: true, like: 'getGoalReport', meaning: 'endpoints/goal.test.ts', isAnalysis: true },
  },
  getWebsiteBreakdown: report(['breakdown'], 'breakdown', analysisOracle, { isAnalysis: true, longRanges: byFields }),
  getBreakdownReport: byPost(['breakdown'], 'breakdown', 'breakdown', 'getWebsiteBreakdown'),
  getInsightsReport: {
    may: 'view',
    openedBy: ['breakdown'],
    ...{ isOurOwn: true, like: 'getBreakdownReport', meaning: 'endpoints/breakdown.test.ts', isAnalysis: true },
  },
  getWebsitePerformanceStats: report(['performance'], 'performance', analysisOracle, {
    isAnalysis: true,
    holdsNoText: true,
  }),
  getWebsitePerformanceChart: report(['performance'], 'performance', analysisOracle, {
    isAnalysis: true,
    holdsNoText: true,
  }),
  getWebsitePerformanceMetrics: report(['performance'], 'performance', analysisOracle, { isAnalysis: true }),
  getPerformanceReport: byPost(['performance'], 'performance', 'performance', 'getWebsitePerformanceChart'),
  getRevenueReport: byPost(['revenue'], 'revenue', 'revenue', 'getWebsiteRevenueStats'),
  getWebsiteUtmMetrics: report(['utm'], 'utm', analysisOracle, { isAnalysis: true }),
  getUTMReport: byPost(['utm'], 'utm', 'utm', 'getWebsiteUtmMetrics'),
  getWebsiteFunnelStats: report(['funnels'], 'funnel', analysisOracle, { isAnalysis: true, holdsNoText: true }),
  getFunnelReport: byPost(['funnels'], 'funnel', 'funnel', 'getWebsiteFunnelStats'),
  getWebsiteJourneys: report(['journeys'], 'journeys', analysisOracle, { isAnalysis: true }),
  getJourneyReport: byPost(['journeys'], 'journeys', 'journey', 'getWebsiteJourneys'),
  getWebsiteRetention: report(['retention'], 'retention', analysisOracle, {
    ...{ isAnalysis: true, holdsNoText: true, longRanges: inZones },
  }),
  getRetentionReport: byPost(['retention'], 'retention', 'retention', 'getWebsiteRetention'),
  getWebsiteAttribution: report(['attribution'], 'attribution', analysisOracle, { isAnalysis: true }),
  getAttributionReport: byPost(['attribution'], 'attribution', 'attribution', 'getWebsiteAttribution'),
}
