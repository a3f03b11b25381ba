import type { Answer } from '@weir/client'

/** A part of the numbers that a share or a public website opens. */
export type Section = Answer<'getShareBySlug'>['sections'][number]

/** What there is to open, in words that an owner can check. */
const contents = {
  figures: 'visitors, visits, views, bounces, time',
  hours: 'visitors by weekday and hour',
  live: 'the last 30 minutes',
  sessions: 'each session by itself',
  steps: 'what a visitor did, step by step',
  actions: 'each view and event by itself',
  pages: 'pages',
  titles: 'page titles',
  queries: 'whole query strings',
  ends: 'entry and exit pages',
  hosts: 'hostnames',
  sources: 'referrers and channels',
  campaigns: 'UTM parameters',
  events: 'event names',
  tags: 'tags',
  properties: 'properties of events',
  devices: 'browsers, systems, devices',
  screens: 'screens',
  places: 'countries, regions, cities',
  languages: 'languages',
  said: 'what identify calls said, if you permit it below',
  goals: 'goals, and how many reached one or any page or event',
  funnels: 'funnels, and how many took each step or any steps',
  journeys: 'the first steps of visits',
  credit: 'what brought those who did something',
  combinations: 'figures by any combination of these',
  sales: 'sales by currency',
  buyers: 'each session that paid',
  speed: 'how fast pages load',
  returns: 'how many come back after how many days',
} as const

export type Content = keyof typeof contents

interface SectionText {
  readonly name: string
  /** What stands for the section itself comes first. */
  readonly contents: readonly Content[]
}

const ofViews = ['pages', 'hosts', 'sources'] as const
const ofVisitors = ['devices', 'places'] as const
const oneByOne = [...ofViews, ...ofVisitors, 'steps', 'queries', 'events', 'screens', 'languages'] as const

/** What each section shows. */
export const sections: Readonly<Record<Section, SectionText>> = {
  overview: {
    name: 'Overview',
    contents: ['figures', 'hours', ...ofViews, ...ofVisitors, 'titles', 'queries', 'ends'],
  },
  events: { name: 'Events', contents: ['actions', 'properties', 'titles', 'tags', ...oneByOne] },
  realtime: { name: 'Live', contents: ['live', ...oneByOne] },
  compare: {
    name: 'Comparison',
    contents: ['figures', ...ofViews, ...ofVisitors, 'campaigns', 'events', 'tags', 'screens', 'languages'],
  },
  goals: { name: 'Goals', contents: ['goals'] },
  funnels: { name: 'Funnels', contents: ['funnels'] },
  revenue: { name: 'Revenue', contents: ['sales', 'buyers', ...oneByOne] },
  performance: { name: 'Speed', contents: ['speed', 'pages', 'titles', 'devices'] },
  retention: { name: 'Returning visitors', contents: ['returns'] },
  journeys: { name: 'Journeys', contents: ['journeys', 'pages', 'events'] },
  utm: { name: 'Campaigns', contents: ['campaigns'] },
  attribution: { name: 'Attribution', contents: ['credit', 'pages', 'events', 'sources', 'campaigns'] },
  breakdown: {
    name: 'Breakdown',
    contents: [
      ...(['combinations', ...ofViews, ...ofVisitors, 'titles', 'queries', 'campaigns'] as const),
      ...(['events', 'tags', 'languages'] as const),
    ],
  },
  sessions: { name: 'Sessions', contents: ['figures', 'hours', 'sessions', 'said', ...oneByOne] },
}

/** What a section shows, as a list in words. */
export const wordsOf = (section: Section): string => sections[section].contents.map((one) => contents[one]).join(', ')

export const allSections = Object.keys(sections) as Section[]

/** What is open, as stored with a share or a website. */
export type Parameters = Readonly<Record<string, unknown>>

const isNamed = (parameters: Parameters): boolean => allSections.some((section) => section in parameters)

/** The sections that are open. A link, a pixel or a board opens all if no section is named. */
export function openSections(parameters: Parameters, { isWebsite }: { readonly isWebsite: boolean }): Section[] {
  if (!isWebsite && !isNamed(parameters)) return allSections
  return allSections.filter((section) => parameters[section] === true)
}

export const namesOf = (open: readonly Section[]): string => open.map((section) => sections[section].name).join(', ')

/** What narrows an opening, and when it ends, as sentences. */
export function limitsOf({ filters, origins, expiresAt }: Parameters): string {
  const isPart = typeof filters === 'object' && filters !== null && Object.keys(filters).length > 0
  const end = typeof expiresAt === 'string' ? Date.parse(expiresAt) : undefined
  return [
    isPart && 'Only a part of the visits.',
    Array.isArray(origins) && `Only for pages of ${origins.join(', ')}.`,
    end !== undefined && `${end <= Date.now() ? 'Expired' : 'Expires'} on ${new Date(end).toLocaleDateString()}.`,
  ]
    .filter((sentence) => sentence !== false)
    .join(' ')
}
