import type { FactsByName } from './facts.ts'
import { among, inZones } from './long-ranges.ts'
import { analysisOracle } from './oracles.ts'

export const sessionsFacts: FactsByName = {
  getWebsiteSessions: {
    may: 'view',
    oracle: analysisOracle,
    meaning: 'endpoints/sessions.test.ts',
    longRanges: among({}, { pageSize: '3', page: '2' }, { search: 'port' }),
  },
  getWebsiteSessionStats: {
    may: 'view',
    holdsNoText: true,
    oracle: analysisOracle,
    meaning: 'endpoints/sessions.test.ts',
    longRanges: among({}),
  },
  getWebsiteSessionsWeekly: {
    may: 'view',
    holdsNoText: true,
    oracle: analysisOracle,
    meaning: 'endpoints/sessions.test.ts',
    longRanges: inZones,
  },
  getWebsiteSession: {
    may: 'viewSession',
    oracle: analysisOracle,
    meaning: 'endpoints/session.test.ts',
    takesNoFilters: true,
  },
  getWebsiteSessionActivity: {
    may: 'view',
    oracle: analysisOracle,
    meaning: 'endpoints/session.test.ts',
    takesNoFilters: true,
  },
  getWebsiteSessionProperties: {
    may: 'view',
    oracle: analysisOracle,
    meaning: 'endpoints/session.test.ts',
    takesNoFilters: true,
  },
  deleteWebsiteSession: { may: 'deleteSession' },
}
