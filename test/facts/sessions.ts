import type { FactsByName } from './facts.ts'
import { among, inZones } from './long-ranges.ts'
import { analysisOracle } from './oracles.ts'

export const sessionsFacts: FactsByName = {
  getWebsiteSessions: {
    may: 'view',
    openedBy: ['sessions'],
    oracle: analysisOracle,
    meaning: 'endpoints/sessions.test.ts',
    longRanges: among({}, { pageSize: '3', page: '2' }, { search: 'port' }),
  },
  getWebsiteSessionStats: {
    may: 'view',
    openedBy: ['sessions'],
    holdsNoText: true,
    oracle: analysisOracle,
    meaning: 'endpoints/sessions.test.ts',
    longRanges: among({}),
  },
  getWebsiteSessionsWeekly: {
    may: 'view',
    openedBy: ['sessions', 'overview'],
    holdsNoText: true,
    oracle: analysisOracle,
    meaning: 'endpoints/sessions.test.ts',
    longRanges: inZones,
  },
  getWebsiteSession: {
    may: 'viewSession',
    openedBy: ['sessions', 'events', 'realtime', 'revenue'],
    oracle: analysisOracle,
    meaning: 'endpoints/session.test.ts',
    takesNoFilters: true,
  },
  getWebsiteSessionActivity: {
    may: 'view',
    openedBy: ['sessions', 'events', 'realtime', 'revenue'],
    oracle: analysisOracle,
    meaning: 'endpoints/session.test.ts',
    takesNoFilters: true,
  },
  getWebsiteSessionProperties: {
    may: 'view',
    openedBy: ['sessions'],
    oracle: analysisOracle,
    meaning: 'endpoints/session.test.ts',
    takesNoFilters: true,
  },
  deleteWebsiteSession: { may: 'deleteSession' },
}
