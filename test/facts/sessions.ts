import { type FactsByName, report } from './facts.ts'
import { among, inZones } from './long-ranges.ts'
import { analysisOracle } from './oracles.ts'

export const sessionsFacts: FactsByName = {
  getWebsiteSessions: report(['sessions'], 'sessions', analysisOracle, {
    longRanges: among({}, { pageSize: '3', page: '2' }, { search: 'port' }),
  }),
  getWebsiteSessionStats: report(['sessions'], 'sessions', analysisOracle, {
    holdsNoText: true,
    longRanges: among({}),
  }),
  getWebsiteSessionsWeekly: report(['sessions', 'overview'], 'sessions', analysisOracle, {
    holdsNoText: true,
    longRanges: inZones,
  }),
  getWebsiteSession: report(['sessions', 'events', 'realtime', 'revenue'], 'session', analysisOracle, {
    may: 'viewSession',
    takesNoFilters: true,
  }),
  getWebsiteSessionActivity: report(['sessions', 'events', 'realtime', 'revenue'], 'session', analysisOracle, {
    takesNoFilters: true,
  }),
  getWebsiteSessionProperties: report(['sessions'], 'session', analysisOracle, { takesNoFilters: true }),
  deleteWebsiteSession: { may: 'deleteSession' },
}
