import type { Endpoint } from '../endpoint.ts'
import { getLinksCharts, getPixelsCharts } from '../websites/charts.ts'
import * as links from './links.ts'

export const linkEndpoints: readonly Endpoint[] = [
  // Fixed paths come before paths with an id in the same place.
  getLinksCharts,
  getPixelsCharts,
  links.getLinks,
  links.createLink,
  links.getLink,
  links.updateLink,
  links.deleteLink,
  links.getTeamLinks,
  links.getPixels,
  links.createPixel,
  links.getPixel,
  links.updatePixel,
  links.deletePixel,
  links.getTeamPixels,
]
