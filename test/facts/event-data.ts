import { eventDataById } from '../../src/query/tables/tables.ts'
import type { FactsByName } from './facts.ts'
import { eventOracle, statisticOracle } from './oracles.ts'
import { ofEvents, ofValues } from './tables.ts'

export const eventDataFacts: FactsByName = {
  getEventData: {
    may: 'view',
    openedBy: ['events'],
    oracle: eventOracle,
    meaning: 'endpoints/event-data.test.ts',
    tables: ofEvents,
  },
  getEventDataEvents: {
    may: 'view',
    openedBy: ['events'],
    oracle: eventOracle,
    meaning: 'endpoints/event-data-counts.test.ts',
    tables: ofEvents,
  },
  getEventDataFields: {
    may: 'view',
    openedBy: ['events'],
    oracle: eventOracle,
    meaning: 'endpoints/event-data-counts.test.ts',
    tables: ofValues,
  },
  getEventDataProperties: {
    may: 'view',
    openedBy: ['events'],
    oracle: eventOracle,
    meaning: 'endpoints/event-data-counts.test.ts',
    tables: ofEvents,
  },
  getEventDataStats: {
    may: 'view',
    openedBy: ['events'],
    holdsNoText: true,
    oracle: eventOracle,
    meaning: 'endpoints/event-data-counts.test.ts',
    tables: ofEvents,
  },
  getEventDataValues: {
    may: 'view',
    openedBy: ['events'],
    oracle: eventOracle,
    meaning: 'endpoints/event-data-counts.test.ts',
    tables: ofValues,
  },
  getEventDataById: {
    may: 'view',
    openedBy: ['events'],
    oracle: eventOracle,
    meaning: 'endpoints/event-data.test.ts',
    takesNoFilters: true,
    tables: [[eventDataById]],
  },
  getEventDataPivot: {
    may: 'view',
    openedBy: ['events'],
    oracle: eventOracle,
    meaning: 'endpoints/event-data-pivot.test.ts',
    tables: ofEvents,
  },
  getEventDataPropertySeries: {
    may: 'view',
    openedBy: ['events'],
    oracle: statisticOracle,
    meaning: 'endpoints/property-series.test.ts',
  },
  getEventDataArraySeries: {
    may: 'view',
    openedBy: ['events'],
    holdsNoText: true,
    oracle: statisticOracle,
    meaning: 'endpoints/property-series.test.ts',
  },
  getEventDataDateSeries: {
    may: 'view',
    openedBy: ['events'],
    holdsNoText: true,
    oracle: statisticOracle,
    meaning: 'endpoints/property-series.test.ts',
  },
  getEventDataNumericSeries: {
    may: 'view',
    openedBy: ['events'],
    holdsNoText: true,
    oracle: statisticOracle,
    meaning: 'endpoints/property-series.test.ts',
  },
  getEventDataNumericStats: {
    may: 'view',
    openedBy: ['events'],
    holdsNoText: true,
    oracle: statisticOracle,
    meaning: 'endpoints/property-series.test.ts',
  },
}
