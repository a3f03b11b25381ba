import { sections } from '../../src/access/opening.ts'
import { events } from '../../src/query/tables/tables.ts'
import type { FactsByName } from './facts.ts'
import { chartOracle, eventOracle } from './oracles.ts'

export const websitesFacts: FactsByName = {
  listWebsites: { may: 'list' },
  getTeamWebsites: { may: 'viewTeam' },
  getMyWebsites: { may: 'list' },
  getUserWebsites: { may: 'admin' },
  getAdminWebsites: { may: 'admin', isOurOwn: true },
  getWebsitesCharts: { may: 'holder' },
  createWebsite: { may: 'create' },
  getWebsite: { may: 'view' },
  updateWebsite: { may: 'change' },
  deleteWebsite: { may: 'change' },
  resetWebsite: { may: 'change' },
  transferWebsite: { may: 'transfer' },
  getWebsiteDateRange: {
    ...{ may: 'view', openedBy: sections, holdsNoText: true, oracle: eventOracle },
    ...{ meaning: 'endpoints/daterange.test.ts', takesNoFilters: true },
    tables: [[events]],
  },
  getWebsiteChart: {
    may: 'view',
    openedBy: ['overview', 'compare'],
    ...{ isOurOwn: true, holdsNoText: true, oracle: chartOracle, meaning: 'endpoints/charts.test.ts' },
    takesNoFilters: true,
  },
  getWebsiteCollection: { may: 'change', isOurOwn: true, holdsNoText: true },
  getWebsiteRecorderConfig: { may: 'anyone', holdsNoText: true },
}
