import type { Holder, ShareHolder } from '../metadata/holder.ts'
import { shareTypes } from '../metadata/shares.ts'
import type { Website } from '../metadata/website.ts'
import { doesBoardOpen } from './rights.ts'

/** The parts of the API that a share or a public website can open individually, under Umami's names. */
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

/** What callers may access through a share, or because the website is public. */
export interface Opening {
  readonly sections: ReadonlySet<Section>
  /** Whether callers may send filters. */
  readonly allowFilter: boolean
  /** Whether callers may export whole lists in formats other than JSON. */
  readonly allowExport: boolean
  /** Whether callers may see session properties and filter by them. The section `sessions` must be open too. */
  readonly allowSessionProperties: boolean
  /** Filters that apply to every answer, written as in `filters={…}`; undefined if there are none. */
  readonly filters: Readonly<Record<string, unknown>> | undefined
  /** Allowed page origins; undefined allows any origin. */
  readonly origins: readonly string[] | undefined
  /** The origins whose pages may show the share page in a frame. */
  readonly frameAncestors: readonly string[]
  /** In milliseconds since 1970; undefined if it never expires. */
  readonly expiresAt: number | undefined
}

/** Reads the parameters of a share or a public website. Everything that they do not open stays closed. */
function openingOf(parameters: object): Opening {
  const given = parameters as Readonly<Record<string, unknown>>
  return {
    sections: new Set(sections.filter((section) => given[section] === true)),
    allowFilter: given.allowFilter !== false,
    allowExport: given.allowExport === true,
    allowSessionProperties: given.allowSessionProperties === true,
    filters: given.filters as Opening['filters'],
    origins: given.origins as Opening['origins'],
    frameAncestors: (given.frameAncestors as string[] | undefined) ?? [],
    expiresAt: typeof given.expiresAt === 'string' ? Date.parse(given.expiresAt) : undefined,
  }
}

/** The access that a share gives. A share of a link, pixel or board opens every section if its parameters list none. */
export function openingOfShare({ shareType, parameters }: Pick<ShareHolder, 'shareType' | 'parameters'>): Opening {
  const opening = openingOf(parameters)
  const isWhole = shareType !== shareTypes.website && !sections.some((section) => Object.hasOwn(parameters, section))
  return isWhole ? { ...opening, sections: new Set(sections) } : opening
}

/** The access that the website currently gives to everyone. */
export function publicOpening(website: Website | undefined, now: number): Opening | undefined {
  const opening = website?.public ? openingOf(website.public) : undefined
  return opening?.expiresAt === undefined || opening.expiresAt > now ? opening : undefined
}

/** The access that the holder's share gives to this website. The look-up does not find expired shares. */
export const shareOpening = (holder: Holder | undefined, website: Website): Opening | undefined =>
  holder?.kind === 'share' && isOf(holder, website) ? openingOfShare(holder) : undefined

/** Whether the share opens this website, link or pixel. */
const isOf = ({ entityId, board }: ShareHolder, website: Website): boolean =>
  board ? doesBoardOpen(board, website) : entityId === website.id

/** Whether at least one of the sections is open. */
export const isOpen = (opening: Opening | undefined, some: readonly Section[] = []): opening is Opening =>
  opening !== undefined && some.some((section) => opening.sections.has(section))
