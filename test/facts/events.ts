import {
  customEvents,
  dailyEvents,
  dailyShapes,
  events,
  hourlyVisits,
  monthlyShapes,
} from '../../src/query/tables/tables.ts'
import type { FactsByName } from './facts.ts'
import { inSeries } from './long-ranges.ts'
import { eventOracle, statisticOracle } from './oracles.ts'

export const eventsFacts: FactsByName = {
  getWebsiteEvents: {
    may: 'view',
    openedBy: ['events'],
    oracle: eventOracle,
    meaning: 'endpoints/events.test.ts',
    tables: [[events], [events, dailyShapes], [events, dailyEvents], [events, customEvents]],
  },
  getWebsiteEventStats: {
    may: 'view',
    openedBy: ['events'],
    holdsNoText: true,
    oracle: eventOracle,
    meaning: 'endpoints/event-stats.test.ts',
    tables: [
      [customEvents],
      [customEvents, events],
      [customEvents, hourlyVisits],
      [customEvents, dailyShapes, hourlyVisits],
      [customEvents, monthlyShapes, hourlyVisits],
    ],
  },
  getWebsiteEventSeries: {
    may: 'view',
    openedBy: ['events'],
    oracle: statisticOracle,
    meaning: 'endpoints/series.test.ts',
    longRanges: inSeries(),
    longTable: dailyShapes,
  },
}
