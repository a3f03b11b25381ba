import type { FactsByName } from './facts.ts'

export const linksFacts: FactsByName = {
  getLinksCharts: { may: 'holder' },
  getPixelsCharts: { may: 'holder' },
  getLinks: { may: 'list' },
  createLink: { may: 'create' },
  getLink: { may: 'viewLink' },
  updateLink: { may: 'changeLink' },
  deleteLink: { may: 'changeLink' },
  getTeamLinks: { may: 'viewTeam' },
  getPixels: { may: 'list' },
  createPixel: { may: 'create' },
  getPixel: { may: 'viewLink' },
  updatePixel: { may: 'changeLink' },
  deletePixel: { may: 'changeLink' },
  getTeamPixels: { may: 'viewTeam' },
}
