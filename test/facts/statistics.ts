import { sections } from '../../src/access/opening.ts'
import { dailyEvents } from '../../src/query/tables/tables.ts'
import { type FactsByName, report } from './facts.ts'
import { among, inSeries, typed } from './long-ranges.ts'
import { aboutNow, statisticOracle, zipOracle } from './oracles.ts'

export const statisticsFacts: FactsByName = {
  getWebsiteStats: report(['overview', 'compare'], 'stats', statisticOracle, {
    holdsNoText: true,
    longRanges: among({}, { compare: 'yoy' }),
  }),
  getWebsitePageviews: report(['overview', 'compare'], 'series', statisticOracle, {
    holdsNoText: true,
    longRanges: inSeries({ include: 'visits' }),
  }),
  getWebsiteMetrics: report(['overview', 'compare'], 'metrics', statisticOracle, { longRanges: typed }),
  getWebsiteExpandedMetrics: report(['overview', 'compare'], 'metrics', statisticOracle, { longRanges: typed }),
  getWebsiteValues: report(['overview', 'compare', 'journeys', 'attribution'], 'metrics', statisticOracle, {
    longRanges: among(
      { type: 'browser' },
      { type: 'country' },
      { type: 'event' },
      { type: 'device' },
      { type: 'city' },
    ),
    longTable: dailyEvents,
  }),
  getWebsiteActive: report(sections, 'active', aboutNow(statisticOracle), {
    holdsNoText: true,
    takesNoFilters: true,
    looksBack: (now) => now - 300_000,
  }),
  exportWebsite: {
    may: 'download',
    openedBy: [],
    ...{ holdsNoText: true, oracle: zipOracle, like: 'getWebsiteMetrics' },
    meaning: 'clients/official-client.test.ts',
  },
}
