import type { Endpoint } from '../endpoint.ts'
import { getWebsiteDateRange } from './daterange.ts'
import * as lists from './lists.ts'
import * as websites from './websites.ts'

export const websiteEndpoints: readonly Endpoint[] = [
  lists.listWebsites,
  lists.getTeamWebsites,
  lists.getMyWebsites,
  lists.getUserWebsites,
  lists.getAdminWebsites,
  websites.createWebsite,
  websites.getWebsite,
  websites.updateWebsite,
  websites.deleteWebsite,
  websites.resetWebsite,
  websites.transferWebsite,
  getWebsiteDateRange,
]
