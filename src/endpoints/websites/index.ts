import type { Endpoint } from '../endpoint.ts'
import { getWebsiteChart } from './chart.ts'
import { getWebsitesCharts } from './charts.ts'
import { getWebsiteCollection } from './collection.ts'
import { getWebsiteDateRange } from './daterange.ts'
import * as lists from './lists.ts'
import { getWebsiteRecorderConfig } from './recorder.ts'
import * as websites from './websites.ts'

export const websiteEndpoints: readonly Endpoint[] = [
  lists.listWebsites,
  lists.getTeamWebsites,
  lists.getMyWebsites,
  lists.getUserWebsites,
  lists.getAdminWebsites,
  // Fixed paths come before paths with an id in the same place.
  getWebsitesCharts,
  websites.createWebsite,
  websites.getWebsite,
  websites.updateWebsite,
  websites.deleteWebsite,
  websites.resetWebsite,
  websites.transferWebsite,
  getWebsiteDateRange,
  getWebsiteChart,
  getWebsiteRecorderConfig,
  getWebsiteCollection,
]
