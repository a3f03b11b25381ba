import * as z from 'zod'
import type { Opening } from '../../access/opening.ts'
import { mayOnWebsite } from '../../access/rights.ts'
import { titled, type ValueOf } from '../../made.ts'
import type { Website } from '../../metadata/website.ts'
import type { ListedWebsite } from '../../metadata/websites.ts'
import { timeOf, timeOrNull } from '../answers.ts'
import { optionalBoolean } from '../bodies.ts'
import type { Context } from '../endpoint.ts'
import { isSelector } from './selector.ts'

const fraction = () => z.number({ error: 'Must be a number from 0 to 1.' }).min(0).max(1).optional()

/** The bounds of a replay's duration, in milliseconds. */
export const replayDurations = { least: 60_000, most: 3_600_000 } as const
const duration = `Must be a whole number of milliseconds from ${replayDurations.least} to ${replayDurations.most}.`

/** Settings of a session recorder; stored and returned unchanged. */
export const ReplayConfig = titled('ReplayConfig', () =>
  z.strictObject({
    replayEnabled: optionalBoolean(),
    heatmapEnabled: optionalBoolean(),
    sampleRate: fraction(),
    heatmapSampleRate: fraction(),
    maskLevel: z.enum(['strict', 'moderate'], { error: 'Must be one of: strict, moderate.' }).optional(),
    maxDuration: z
      .int({ error: duration })
      .min(replayDurations.least, { error: duration })
      .max(replayDurations.most, { error: duration })
      .optional(),
    blockSelector: z
      .string()
      .max(1000, { error: 'Must be at most 1000 characters long.' })
      .refine((text) => text.trim() === '' || isSelector(text), {
        error: 'Must be a CSS selector: its brackets and quotes have to be closed.',
      })
      .optional(),
  }),
)

const wholeUpTo = (what: string, most: number) => {
  const error = `Must be a whole number of ${what} from 1 to ${most}.`
  return z.int({ error }).min(1, { error }).max(most, { error }).optional()
}

/** How long the website's data is stored. Without a setting, data is stored as long as for other websites. */
export const RetentionSettings = titled('WebsiteRetention', () =>
  z.strictObject({
    eventMonths: wholeUpTo('months', 999).describe('Whole months of events, besides the current one.'),
    replayDays: wholeUpTo('days', 9999).describe('At most as long as the server keeps them (REPLAY_DAYS).'),
    heatmapDays: wholeUpTo('days', 9999).describe('At most as long as the server keeps them (HEATMAP_DAYS).'),
  }),
)

const OpeningAnswer = titled('Opening', () =>
  z.object({
    sections: z.array(z.string()).describe('The open parts of the API.'),
    allowFilter: z.boolean(),
    allowExport: z.boolean(),
    allowSessionProperties: z.boolean(),
    expiresAt: z.string().nullable(),
  }),
)

const UserName = titled('UserName', () => z.object({ id: z.string(), username: z.string() }))

export const WebsiteAnswer = titled('Website', () =>
  z.object({
    id: z.string(),
    name: z.string(),
    domain: z.string().nullable(),
    shareId: z
      .string()
      .nullable()
      .describe('The slug of the newest share, shown to callers who may change the website.'),
    resetAt: z.string().nullable().describe('Events before it are hidden.'),
    userId: z.string().nullable(),
    teamId: z.string().nullable(),
    createdBy: z.string().nullable(),
    createdAt: z.string().nullable(),
    updatedAt: z.string().nullable(),
    deletedAt: z.literal(null),
    recorderEnabled: z.boolean(),
    replayEnabled: z.boolean().describe('Whether replayConfig switches replays on.'),
    replayConfig: ReplayConfig().nullable(),
    retention: RetentionSettings().nullable(),
    public: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('The sections and options that are open to everyone.'),
    opening: OpeningAnswer()
      .optional()
      .describe('What the caller may see; only for shares and for readers of a public website.'),
  }),
)

/** A website in a list, with the user or the team that owns it, and its creator. */
export const ListedWebsiteAnswer = titled('ListedWebsite', () =>
  WebsiteAnswer().extend({
    user: UserName().optional(),
    teamName: z.string().optional(),
    createUser: UserName().optional(),
  }),
)

/** Whether pages of the website record replays or heatmaps. */
export const isRecorded = ({ replayConfig }: Website): boolean =>
  replayConfig?.replayEnabled === true || replayConfig?.heatmapEnabled === true

/** The website as this caller sees it. Shares and the public see neither its owner nor its settings. */
export function websiteAnswer(
  website: Website,
  { holder, grant }: Pick<Context, 'holder' | 'grant'>,
): ValueOf<typeof WebsiteAnswer> {
  const answer = {
    id: website.id,
    name: website.name,
    domain: website.domain,
    shareId: mayOnWebsite(holder, website, 'update') ? website.shareId : null,
    resetAt: timeOrNull(website.resetAt),
    userId: website.userId,
    teamId: website.teamId,
    createdBy: website.createdBy,
    createdAt: timeOf(website.createdAt),
    updatedAt: timeOf(website.updatedAt),
    deletedAt: null,
    recorderEnabled: isRecorded(website),
    replayEnabled: website.replayConfig?.replayEnabled === true,
    replayConfig: website.replayConfig,
    retention: website.retention,
    public: website.public as Record<string, unknown> | null,
  }
  return grant.kind === 'opening' ? { ...answer, ...hiddenFields, opening: openingAnswer(grant.opening) } : answer
}

/** The parts that are open, without locked filters and origins. */
const openingAnswer = ({ sections, expiresAt, ...opening }: Opening): ValueOf<typeof OpeningAnswer> => ({
  sections: [...sections],
  allowFilter: opening.allowFilter,
  allowExport: opening.allowExport,
  allowSessionProperties: opening.allowSessionProperties,
  expiresAt: timeOrNull(expiresAt ?? null),
})

const hiddenFields = {
  shareId: null,
  userId: null,
  teamId: null,
  createdBy: null,
  replayConfig: null,
  retention: null,
  public: null,
} as const

export const listedWebsiteAnswer =
  ({ holder }: Pick<Context, 'holder'>) =>
  (website: ListedWebsite): ValueOf<typeof ListedWebsiteAnswer> => ({
    ...websiteAnswer(website, { holder, grant: { kind: 'own' } }),
    ...(website.userId && website.owner && { user: { id: website.userId, username: website.owner } }),
    ...(website.team && { teamName: website.team }),
    ...(website.createdBy && website.creator && { createUser: { id: website.createdBy, username: website.creator } }),
  })
