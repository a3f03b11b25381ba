import { type FactsByName, report } from './facts.ts'
import { among } from './long-ranges.ts'
import { analysisOracle } from './oracles.ts'

export const revenueFacts: FactsByName = {
  getWebsiteRevenueStats: report(['revenue'], 'revenue', analysisOracle, {
    isAnalysis: true,
    holdsNoText: true,
    longRanges: among({ currency: 'USD' }, { currency: 'usd', compare: 'yoy' }, { currency: 'EUR' }),
  }),
  getWebsiteRevenueChart: report(['revenue'], 'revenue', analysisOracle, { isAnalysis: true }),
  getWebsiteRevenueMetrics: report(['revenue'], 'revenue', analysisOracle, { isAnalysis: true }),
  // A currency has at most ten characters.
  getWebsiteRevenueCurrencies: report(['revenue'], 'revenue', analysisOracle, {
    ...{ isAnalysis: true, isOurOwn: true, holdsNoText: true },
  }),
  getWebsiteRevenueSessions: report(['revenue'], 'revenue-sessions', analysisOracle, {
    isAnalysis: true,
    longRanges: among({ currency: 'USD' }, { currency: 'EUR' }),
  }),
}
