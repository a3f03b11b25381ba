import type { Answer } from '@weir/client'

/** A part of the numbers that a share or a public website opens. */
export type Section = Answer<'getShareBySlug'>['sections'][number]

/** What each section shows. */
export const sectionTexts: Readonly<Record<Section, { readonly name: string; readonly shows: string }>> = {
  overview: { name: 'Overview', shows: 'visitors, views, pages, sources, places, devices' },
  events: { name: 'Events', shows: 'custom events and their properties' },
  realtime: { name: 'Live', shows: 'the last 30 minutes' },
  compare: { name: 'Comparison', shows: 'figures beside those of another period' },
  goals: { name: 'Goals', shows: 'how many reached them' },
  funnels: { name: 'Funnels', shows: 'how many took each step' },
  revenue: { name: 'Revenue', shows: 'sales, also by country and source' },
  performance: { name: 'Speed', shows: 'how fast pages load' },
  retention: { name: 'Returning visitors', shows: 'who came back after how many days' },
  journeys: { name: 'Journeys', shows: 'the paths of visits' },
  utm: { name: 'Campaigns', shows: 'views by UTM parameter' },
  attribution: { name: 'Attribution', shows: 'what brought conversions' },
  breakdown: { name: 'Breakdown', shows: 'figures by combinations of fields' },
  sessions: { name: 'Sessions', shows: 'each visit by itself, without names' },
}

export const allSections = Object.keys(sectionTexts) as Section[]

/** What is open, as stored with a share or a website. */
export type Parameters = Readonly<Record<string, unknown>>

const isNamed = (parameters: Parameters): boolean => allSections.some((section) => section in parameters)

/** The sections that are open. A link, a pixel or a board opens all if no section is named. */
export function openSections(parameters: Parameters, { isWebsite }: { readonly isWebsite: boolean }): Section[] {
  if (!isWebsite && !isNamed(parameters)) return allSections
  return allSections.filter((section) => parameters[section] === true)
}

export const namesOf = (open: readonly Section[]): string =>
  open.map((section) => sectionTexts[section].name).join(', ')

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
