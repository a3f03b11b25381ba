import type { FactsByName } from './facts.ts'
import { among } from './long-ranges.ts'
import { analysisOracle } from './oracles.ts'

export const revenueFacts: FactsByName = {
  getWebsiteRevenueStats: {
    may: 'view',
    openedBy: ['revenue'],
    holdsNoText: true,
    oracle: analysisOracle,
    meaning: 'endpoints/revenue.test.ts',
    isAnalysis: true,
    longRanges: among({ currency: 'USD' }, { currency: 'usd', compare: 'yoy' }, { currency: 'EUR' }),
  },
  getWebsiteRevenueChart: {
    may: 'view',
    openedBy: ['revenue'],
    oracle: analysisOracle,
    meaning: 'endpoints/revenue.test.ts',
    isAnalysis: true,
  },
  getWebsiteRevenueMetrics: {
    may: 'view',
    openedBy: ['revenue'],
    oracle: analysisOracle,
    meaning: 'endpoints/revenue.test.ts',
    isAnalysis: true,
  },
  getWebsiteRevenueCurrencies: {
    may: 'view',
    openedBy: ['revenue'],
    oracle: analysisOracle,
    meaning: 'endpoints/revenue.test.ts',
    isAnalysis: true,
    isOurOwn: true,
    // A currency has ten characters at most.
    holdsNoText: true,
  },
  getWebsiteRevenueSessions: {
    may: 'view',
    openedBy: ['revenue'],
    oracle: analysisOracle,
    meaning: 'endpoints/revenue-sessions.test.ts',
    isAnalysis: true,
    longRanges: among({ currency: 'USD' }, { currency: 'EUR' }),
  },
}
