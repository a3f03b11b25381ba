import { eventDataById } from '../../src/query/tables/tables.ts'
import { type FactsByName, report } from './facts.ts'
import { eventOracle, statisticOracle } from './oracles.ts'
import { ofEvents, ofValues } from './tables.ts'

export const eventDataFacts: FactsByName = {
  getEventData: report(['events'], 'event-data', eventOracle, { tables: ofEvents }),
  getEventDataEvents: report(['events'], 'event-data-counts', eventOracle, { tables: ofEvents }),
  getEventDataFields: report(['events'], 'event-data-counts', eventOracle, { tables: ofValues }),
  getEventDataProperties: report(['events'], 'event-data-counts', eventOracle, { tables: ofEvents }),
  getEventDataStats: report(['events'], 'event-data-counts', eventOracle, { holdsNoText: true, tables: ofEvents }),
  getEventDataValues: report(['events'], 'event-data-counts', eventOracle, { tables: ofValues }),
  getEventDataById: report(['events'], 'event-data', eventOracle, { takesNoFilters: true, tables: [[eventDataById]] }),
  getEventDataPivot: report(['events'], 'event-data-pivot', eventOracle, { tables: ofEvents }),
  getEventDataPropertySeries: report(['events'], 'property-series', statisticOracle),
  getEventDataArraySeries: report(['events'], 'property-series', statisticOracle, { holdsNoText: true }),
  getEventDataDateSeries: report(['events'], 'property-series', statisticOracle, { holdsNoText: true }),
  getEventDataNumericSeries: report(['events'], 'property-series', statisticOracle, { holdsNoText: true }),
  getEventDataNumericStats: report(['events'], 'property-series', statisticOracle, { holdsNoText: true }),
}
