import * as z from 'zod'
import { sections } from '../../access/opening.ts'
import { mayOnWebsite } from '../../access/rights.ts'
import { titled } from '../../made.ts'
import type { SharedBoard } from '../../metadata/board-subjects.ts'
import type { ShareHolder } from '../../metadata/holder.ts'
import { type ListedShare, type Share, shareTypes } from '../../metadata/shares.ts'
import type { WebsiteKind } from '../../metadata/website.ts'
import { readLocked } from '../../request/locked-filters.ts'
import { recordOf, timeOf } from '../answers.ts'
import { frameOrigins, isoMoment, optionalBoolean, origins } from '../bodies.ts'
import type { Context } from '../endpoint.ts'

/** Filters in the form of `filters={…}`, without references to saved filters. */
const LockedFilters = () =>
  z
    .record(z.string(), z.unknown(), {
      error: 'Must be an object such as {"browser":"chrome","os":["c.win","c.mac"]}.',
    })
    .superRefine((given, context) => {
      const addIssue = (name: string, message: string) =>
        context.addIssue({ code: 'custom', path: name === '' ? [] : [name], message })
      for (const name of ['segment', 'cohort']) {
        if (Object.hasOwn(given, name)) addIssue(name, 'Cannot be locked: lock the filters that it contains.')
      }
      for (const { path, message } of readLocked(given).error?.issues ?? []) {
        addIssue(path.join('.').replace(/^filters\.?/, ''), message)
      }
    })

/** The maximum length of a share's parameters as JSON: an owner may have many shares, and D1 has little room. */
const longestParameters = 20_000

const sectionFlags = () => recordOf(sections, optionalBoolean)

/**
 * The parameters of a share or a public website: the parts that it opens, and its restrictions. Only `true` opens a
 * part. If a share of a link, pixel or board lists no part, it opens all parts.
 */
export const ShareParameters = titled('ShareParameters', () =>
  z
    .strictObject({
      ...sectionFlags(),
      allowFilter: optionalBoolean(),
      allowExport: optionalBoolean(),
      allowSessionProperties: optionalBoolean().describe(
        'With the section sessions: whether properties of sessions may be seen and filtered by. Off by default.',
      ),
      theme: z.enum(['light', 'dark'], { error: 'Must be one of: light, dark.' }).optional(),
      filters: LockedFilters().optional(),
      origins: origins().optional(),
      frameAncestors: frameOrigins()
        .optional()
        .describe('The origins whose pages may frame the share page, with ?embed=1.'),
      expiresAt: isoMoment().nullable().optional(),
    })
    .refine((parameters) => JSON.stringify(parameters).length <= longestParameters, {
      error: `Must have at most ${longestParameters} characters as JSON.`,
    }),
)

const visibleParameters: readonly string[] = [
  ...sections,
  ...['allowFilter', 'allowExport', 'allowSessionProperties', 'theme'],
]

/** The parameters that the holder of a share may see: all but its filters and origins. */
export const withVisibleParameters = (parameters: object): Record<string, boolean | string> =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => visibleParameters.includes(name)))

const shareType = () => z.union(Object.values(shareTypes).map((type) => z.literal(type)))

export const ShareAnswer = titled('Share', () =>
  z.object({
    id: z.string(),
    entityId: z.string(),
    name: z.string(),
    shareType: shareType().describe('1: a website, 2: a link, 3: a pixel, 4: a board.'),
    slug: z.string(),
    parameters: z.record(z.string(), z.unknown()),
    createdAt: z.string(),
    updatedAt: z.string(),
  }),
)

export const shareAnswer = ({ id, shareType, entityId, name, slug, parameters, createdAt, updatedAt }: Share) => ({
  id,
  entityId,
  name,
  shareType,
  slug,
  parameters: { ...parameters },
  createdAt: timeOf(createdAt),
  updatedAt: timeOf(updatedAt),
})

/** A share in the list of a website, link or pixel. A share of a board that opens the website is listed, too. */
export const ListedShareAnswer = titled('ListedShare', () =>
  ShareAnswer().extend({
    boardId: z
      .string()
      .optional()
      .describe('The shared board. If the caller may not change it, slug is empty and parameters are limited.'),
  }),
)

/**
 * The share as this caller sees it. The slug of a board share also opens the board's other subjects, so only callers
 * who may change the board see it.
 */
export const listedShareAnswer =
  ({ holder }: Pick<Context, 'holder'>) =>
  ({ board, ...share }: ListedShare) => {
    const answer = shareAnswer(share)
    if (!board) return answer
    const shown = { ...answer, boardId: board.id }
    return mayOnWebsite(holder, board, 'update')
      ? shown
      : { ...shown, slug: '', parameters: withVisibleParameters(share.parameters) }
  }

/** The ids that a share opens, for its holder. */
export const SharedIds = () => ({
  shareType: shareType(),
  websiteId: z.string().optional().describe('For a link or a pixel: its own id. Use it in place of a website’s.'),
  linkId: z.string().optional(),
  pixelId: z.string().optional(),
  boardId: z.string().optional(),
  websiteIds: z.array(z.string()).optional().describe('For a board: the websites, links and pixels on it.'),
  linkIds: z.array(z.string()).optional(),
  pixelIds: z.array(z.string()).optional(),
})

export const sharedIds = ({ shareType, entityId, board }: ShareHolder) => ({
  shareType,
  ...(board
    ? {
        boardId: entityId,
        websiteIds: idsOf(board, 'website'),
        pixelIds: idsOf(board, 'pixel'),
        linkIds: idsOf(board, 'link'),
      }
    : { websiteId: entityId }),
  ...(shareType === shareTypes.link && { linkId: entityId }),
  ...(shareType === shareTypes.pixel && { pixelId: entityId }),
})

const idsOf = ({ subjects }: SharedBoard, named: WebsiteKind): string[] =>
  subjects.flatMap(({ id, kind }) => (kind === named ? id : []))
