import { sections } from '../../src/access/opening.ts'
import { dailyEvents } from '../../src/query/tables/tables.ts'
import type { FactsByName } from './facts.ts'
import { among, inSeries, typed } from './long-ranges.ts'
import { aboutNow, statisticOracle, zipOracle } from './oracles.ts'

export const statisticsFacts: FactsByName = {
  getWebsiteStats: {
    may: 'view',
    openedBy: ['overview', 'compare'],
    holdsNoText: true,
    oracle: statisticOracle,
    meaning: 'endpoints/stats.test.ts',
    longRanges: among({}, { compare: 'yoy' }),
  },
  getWebsitePageviews: {
    may: 'view',
    openedBy: ['overview', 'compare'],
    holdsNoText: true,
    oracle: statisticOracle,
    meaning: 'endpoints/series.test.ts',
    longRanges: inSeries({ include: 'visits' }),
  },
  getWebsiteMetrics: {
    may: 'view',
    openedBy: ['overview', 'compare'],
    oracle: statisticOracle,
    meaning: 'endpoints/metrics.test.ts',
    longRanges: typed,
  },
  getWebsiteExpandedMetrics: {
    may: 'view',
    openedBy: ['overview', 'compare'],
    oracle: statisticOracle,
    meaning: 'endpoints/metrics.test.ts',
    longRanges: typed,
  },
  getWebsiteValues: {
    may: 'view',
    openedBy: ['overview', 'compare', 'journeys', 'attribution'],
    oracle: statisticOracle,
    meaning: 'endpoints/metrics.test.ts',
    longRanges: among(
      { type: 'browser' },
      { type: 'country' },
      { type: 'event' },
      { type: 'device' },
      { type: 'city' },
    ),
    longTable: dailyEvents,
  },
  getWebsiteActive: {
    may: 'view',
    openedBy: sections,
    holdsNoText: true,
    oracle: aboutNow(statisticOracle),
    meaning: 'endpoints/active.test.ts',
    takesNoFilters: true,
    looksBack: (now) => now - 300_000,
  },
  exportWebsite: {
    may: 'download',
    openedBy: [],
    holdsNoText: true,
    oracle: zipOracle,
    like: 'getWebsiteMetrics',
    meaning: 'clients/official-client.test.ts',
  },
}
