import type { Answer } from '@weir/client'

/** A part of the numbers that a share or a public website can open. */
export type Section = Answer<'getShareBySlug'>['sections'][number]

interface SectionText {
  readonly name: string
  /** Its content, described for owners. */
  readonly shows: readonly string[]
}

const [visitors, hours] = ['visitors, visits, views, bounces, time', 'visitors by weekday and hour']
const ofViews = ['pages', 'hostnames', 'referrers and channels']
const ofVisitors = ['browsers, systems, devices', 'countries, regions, cities']
const ofBoth = [...ofViews, ...ofVisitors]
const [steps, queries] = ['what a visitor did, step by step', 'whole query strings']
const oneByOne = [...ofBoth, 'event names', 'screens', 'languages', queries, steps]

/** A description of each section's content. */
export const sections: Readonly<Record<Section, SectionText>> = {
  overview: { name: 'Overview', shows: [visitors, hours, ...ofBoth, 'page titles', queries, 'entry and exit pages'] },
  events: {
    name: 'Events',
    shows: ['each single view and event', 'properties of events', 'page titles', 'tags', ...oneByOne],
  },
  realtime: { name: 'Live', shows: ['the last 30 minutes', ...oneByOne] },
  compare: {
    name: 'Comparison',
    shows: [visitors, ...ofBoth, 'UTM parameters', 'event names', 'tags', 'screens', 'languages'],
  },
  goals: { name: 'Goals', shows: ['goals, and how many visitors reached them or any page or event'] },
  funnels: { name: 'Funnels', shows: ['funnels, and how many visitors took their steps or any steps'] },
  revenue: { name: 'Revenue', shows: ['sales by currency', 'each session that paid', ...oneByOne] },
  performance: { name: 'Speed', shows: ['how fast pages load', 'pages', 'page titles', 'browsers, systems, devices'] },
  retention: { name: 'Returning visitors', shows: ['how many come back after how many days'] },
  journeys: { name: 'Journeys', shows: ['the first steps of visits', 'pages', 'event names'] },
  utm: { name: 'Campaigns', shows: ['UTM parameters'] },
  attribution: {
    name: 'Attribution',
    shows: ['sources of those who did something', 'pages', 'event names', 'referrers and channels', 'UTM parameters'],
  },
  breakdown: {
    name: 'Breakdown',
    shows: [
      ...['figures by any combination of the following', ...ofBoth, 'page titles', queries],
      ...['UTM parameters', 'event names', 'tags', 'languages'],
    ],
  },
  sessions: {
    name: 'Sessions',
    shows: ['each single session', visitors, hours, ...oneByOne, 'properties from identify calls, if allowed below'],
  },
}

export const allSections = Object.keys(sections) as Section[]

/** The stored parameters of a share or a public website. */
export type Parameters = Readonly<Record<string, unknown>>

const isNamed = (parameters: Parameters): boolean => allSections.some((section) => section in parameters)

/** The open sections. If a link, a pixel or a board lists no section, all are open. */
export function openSections(parameters: Parameters, { isWebsite }: { readonly isWebsite: boolean }): Section[] {
  if (!isWebsite && !isNamed(parameters)) return allSections
  return allSections.filter((section) => parameters[section] === true)
}

export const namesOf = (open: readonly Section[]): string => open.map((section) => sections[section].name).join(', ')

/** The restrictions and the expiry of an opening, as sentences. */
export function limitsOf({ filters, origins, expiresAt }: Parameters): string {
  const isPart = typeof filters === 'object' && filters !== null && Object.keys(filters).length > 0
  const end = typeof expiresAt === 'string' ? Date.parse(expiresAt) : undefined
  return [
    isPart && 'Only some of the visits.',
    Array.isArray(origins) && `Only for pages of ${origins.join(', ')}.`,
    end !== undefined && `${end <= Date.now() ? 'Expired' : 'Expires'} on ${new Date(end).toLocaleDateString()}.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(' ')
}
