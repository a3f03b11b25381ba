import {
  customEvents,
  dailyEvents,
  dailyShapes,
  events,
  hourlyVisits,
  monthlyShapes,
} from '../../src/query/tables/tables.ts'
import { type FactsByName, report } from './facts.ts'
import { inSeries } from './long-ranges.ts'
import { eventOracle, statisticOracle } from './oracles.ts'

export const eventsFacts: FactsByName = {
  getWebsiteEvents: report(['events'], 'events', eventOracle, {
    tables: [[events], [events, dailyShapes], [events, dailyEvents], [events, customEvents]],
  }),
  getWebsiteEventStats: report(['events'], 'event-stats', eventOracle, {
    holdsNoText: true,
    tables: [
      [customEvents],
      [customEvents, events],
      [customEvents, hourlyVisits],
      [customEvents, dailyShapes, hourlyVisits],
      [customEvents, monthlyShapes, hourlyVisits],
    ],
  }),
  getWebsiteEventSeries: report(['events'], 'series', statisticOracle, {
    longRanges: inSeries(),
    longTable: dailyShapes,
  }),
}
