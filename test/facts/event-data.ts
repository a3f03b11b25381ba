import { eventDataById } from '../../src/query/tables.ts'
import type { FactsByName } from './facts.ts'
import { eventOracle, statisticOracle } from './oracles.ts'
import { ofEvents, ofValues } from './tables.ts'

export const eventDataFacts: FactsByName = {
  getEventData: { may: 'view', oracle: eventOracle, meaning: 'endpoints/event-data.test.ts', tables: ofEvents },
  getEventDataEvents: {
    may: 'view',
    oracle: eventOracle,
    meaning: 'endpoints/event-data-counts.test.ts',
    tables: ofEvents,
  },
  getEventDataFields: {
    may: 'view',
    oracle: eventOracle,
    meaning: 'endpoints/event-data-counts.test.ts',
    tables: ofValues,
  },
  getEventDataProperties: {
    may: 'view',
    oracle: eventOracle,
    meaning: 'endpoints/event-data-counts.test.ts',
    tables: ofEvents,
  },
  getEventDataStats: {
    may: 'view',
    holdsNoText: true,
    oracle: eventOracle,
    meaning: 'endpoints/event-data-counts.test.ts',
    tables: ofEvents,
  },
  getEventDataValues: {
    may: 'view',
    oracle: eventOracle,
    meaning: 'endpoints/event-data-counts.test.ts',
    tables: ofValues,
  },
  getEventDataById: {
    may: 'view',
    oracle: eventOracle,
    meaning: 'endpoints/event-data.test.ts',
    takesNoFilters: true,
    tables: [[eventDataById]],
  },
  getEventDataPivot: {
    may: 'view',
    oracle: eventOracle,
    meaning: 'endpoints/event-data-pivot.test.ts',
    tables: ofEvents,
  },
  getEventDataPropertySeries: { may: 'view', oracle: statisticOracle, meaning: 'endpoints/property-series.test.ts' },
  getEventDataArraySeries: {
    may: 'view',
    holdsNoText: true,
    oracle: statisticOracle,
    meaning: 'endpoints/property-series.test.ts',
  },
  getEventDataDateSeries: {
    may: 'view',
    holdsNoText: true,
    oracle: statisticOracle,
    meaning: 'endpoints/property-series.test.ts',
  },
  getEventDataNumericSeries: {
    may: 'view',
    holdsNoText: true,
    oracle: statisticOracle,
    meaning: 'endpoints/property-series.test.ts',
  },
  getEventDataNumericStats: {
    may: 'view',
    holdsNoText: true,
    oracle: statisticOracle,
    meaning: 'endpoints/property-series.test.ts',
  },
}
