import { type FactsByName, report } from './facts.ts'
import { among, inSeries } from './long-ranges.ts'
import { analysisOracle } from './oracles.ts'

export const sessionDataFacts: FactsByName = {
  getSessionDataProperties: report(['sessions'], 'session-data', analysisOracle, {
    longRanges: among({}, { propertyName: 'plan' }),
  }),
  getSessionDataValues: report(['sessions'], 'session-data', analysisOracle, {
    longRanges: among({}, { propertyName: 'plan' }),
  }),
  getSessionDataStats: report(['sessions'], 'session-data', analysisOracle, {
    longRanges: among({ propertyName: 'plan' }),
  }),
  getSessionDataPivot: report(['sessions'], 'session-data', analysisOracle, {
    longRanges: among({ propertyName: 'plan' }, { propertyName: 'seats', pageSize: '3' }),
  }),
  getSessionDataPropertySeries: report(['sessions'], 'session-data', analysisOracle, {
    longRanges: inSeries({ propertyName: 'plan' }),
  }),
  getSessionDataArraySeries: report(['sessions'], 'session-data', analysisOracle, {
    holdsNoText: true,
    longRanges: inSeries({ propertyName: 'tags' }),
  }),
  getSessionDataDateSeries: report(['sessions'], 'session-data', analysisOracle, {
    holdsNoText: true,
    longRanges: among({ propertyName: 'since' }),
  }),
  getSessionDataNumericSeries: report(['sessions'], 'session-data', analysisOracle, {
    holdsNoText: true,
    longRanges: inSeries({ propertyName: 'seats' }),
  }),
  getSessionDataNumericStats: report(['sessions'], 'session-data', analysisOracle, {
    holdsNoText: true,
    longRanges: among({ propertyName: 'seats' }),
  }),
}
