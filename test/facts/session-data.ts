import type { FactsByName } from './facts.ts'
import { among, inSeries } from './long-ranges.ts'
import { analysisOracle } from './oracles.ts'

export const sessionDataFacts: FactsByName = {
  getSessionDataProperties: {
    may: 'view',
    openedBy: ['sessions'],
    oracle: analysisOracle,
    meaning: 'endpoints/session-data.test.ts',
    longRanges: among({}, { propertyName: 'plan' }),
  },
  getSessionDataValues: {
    may: 'view',
    openedBy: ['sessions'],
    oracle: analysisOracle,
    meaning: 'endpoints/session-data.test.ts',
    longRanges: among({}, { propertyName: 'plan' }),
  },
  getSessionDataStats: {
    may: 'view',
    openedBy: ['sessions'],
    oracle: analysisOracle,
    meaning: 'endpoints/session-data.test.ts',
    longRanges: among({ propertyName: 'plan' }),
  },
  getSessionDataPivot: {
    may: 'view',
    openedBy: ['sessions'],
    oracle: analysisOracle,
    meaning: 'endpoints/session-data.test.ts',
    longRanges: among({ propertyName: 'plan' }, { propertyName: 'seats', pageSize: '3' }),
  },
  getSessionDataPropertySeries: {
    may: 'view',
    openedBy: ['sessions'],
    oracle: analysisOracle,
    meaning: 'endpoints/session-data.test.ts',
    longRanges: inSeries({ propertyName: 'plan' }),
  },
  getSessionDataArraySeries: {
    may: 'view',
    openedBy: ['sessions'],
    holdsNoText: true,
    oracle: analysisOracle,
    meaning: 'endpoints/session-data.test.ts',
    longRanges: inSeries({ propertyName: 'tags' }),
  },
  getSessionDataDateSeries: {
    may: 'view',
    openedBy: ['sessions'],
    holdsNoText: true,
    oracle: analysisOracle,
    meaning: 'endpoints/session-data.test.ts',
    longRanges: among({ propertyName: 'since' }),
  },
  getSessionDataNumericSeries: {
    may: 'view',
    openedBy: ['sessions'],
    holdsNoText: true,
    oracle: analysisOracle,
    meaning: 'endpoints/session-data.test.ts',
    longRanges: inSeries({ propertyName: 'seats' }),
  },
  getSessionDataNumericStats: {
    may: 'view',
    openedBy: ['sessions'],
    holdsNoText: true,
    oracle: analysisOracle,
    meaning: 'endpoints/session-data.test.ts',
    longRanges: among({ propertyName: 'seats' }),
  },
}
