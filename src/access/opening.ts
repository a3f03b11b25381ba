import type { Holder } from '../metadata/lookup.ts'
import type { Website } from '../metadata/websites.ts'

/** Parts of the API that a share, or a public website, opens one by one. The names are those of `wire.md` section 8.6. */
export const sections = [
  'overview',
  'events',
  'sessions',
  'realtime',
  'performance',
  'compare',
  'breakdown',
  'goals',
  'funnels',
  'journeys',
  'retention',
  'utm',
  'revenue',
  'attribution',
] as const

export type Section = (typeof sections)[number]

/** What a share, or a public website, lets its callers see of the one website it belongs to. */
export interface Opening {
  readonly sections: ReadonlySet<Section>
  /** Whether callers may send filters. */
  readonly allowFilter: boolean
  /** Whether callers may have lists whole, in other formats than JSON. */
  readonly allowExport: boolean
  /** Filters that every answer keeps, as `filters={…}` would have them; none where undefined. */
  readonly filters: Readonly<Record<string, unknown>> | undefined
  /** Pages of these origins only; of any where undefined. */
  readonly origins: readonly string[] | undefined
  /** Milliseconds since 1970; never closed where undefined. */
  readonly expiresAt: number | undefined
}

/** Reads the parameters of a share, or of a public website. What they do not open is closed. */
export function openingOf(parameters: object): Opening {
  const given = parameters as Readonly<Record<string, unknown>>
  return {
    sections: new Set(sections.filter((section) => given[section] === true)),
    allowFilter: given.allowFilter !== false,
    allowExport: given.allowExport === true,
    filters: given.filters as Opening['filters'],
    origins: given.origins as Opening['origins'],
    expiresAt: typeof given.expiresAt === 'string' ? Date.parse(given.expiresAt) : undefined,
  }
}

/** What the website opens to everyone at this moment. */
export function publicOpening(website: Website | undefined, now: number): Opening | undefined {
  const opening = website?.public ? openingOf(website.public) : undefined
  return opening?.expiresAt === undefined || opening.expiresAt > now ? opening : undefined
}

/** What the holder's share opens of the website; one that has expired has no holder. */
export const shareOpening = (holder: Holder | undefined, website: Website): Opening | undefined =>
  holder?.kind === 'share' && holder.websiteId === website.id ? openingOf(holder.parameters) : undefined

/** Whether one of these sections is open. */
export const isOpen = (opening: Opening | undefined, some: readonly Section[] = []): opening is Opening =>
  opening !== undefined && some.some((section) => opening.sections.has(section))
