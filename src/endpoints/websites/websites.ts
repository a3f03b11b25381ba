import * as z from 'zod'
import { sections } from '../../access/opening.ts'
import { forbidden } from '../../access/permit.ts'
import { isAdmin, personOf } from '../../access/rights.ts'
import { invalid } from '../../errors.ts'
import type { ValueOf } from '../../made.ts'
import type { ShareFields } from '../../metadata/shares.ts'
import type { Website } from '../../metadata/website.ts'
import { Done, done } from '../answers.ts'
import { nameSchema, optionalBoolean } from '../bodies.ts'
import { action, type Context } from '../endpoint.ts'
import { id, newSlug, slug } from '../ids.ts'
import { ShareParameters } from '../shares/answer.ts'
import { checkNewSlug } from '../shares/shares.ts'
import {
  isRecorded,
  ListedWebsiteAnswer,
  ReplayConfig,
  RetentionSettings,
  WebsiteAnswer,
  websiteAnswer,
} from './answer.ts'
import {
  changeWebsite,
  newWebsiteId,
  newWebsiteOwner,
  noSuchOwner,
  ownerGone,
  refuseUnlessMayCreateIn,
  requireWebsite,
} from './owner.ts'

/** A host name with an optional port: `example.com`, `localhost:3000`. */
const host =
  /^(?=.{1,500}$)[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?(\.[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?)*(:\d{1,5})?$/u

const notAHost = 'Must be a host name of at most 500 characters, such as example.com.'

/** The host of a URL, with or without a scheme. Any other text is only trimmed. */
export function hostOf(given: string): string {
  const text = given.trim()
  const url = /^[^/:\s]+(:\d+)?\//.test(text) ? `http://${text}` : text
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url).host : text
}

const domain = () =>
  z
    .string({ error: notAHost })
    // Parsing a long host takes more than linear time.
    .max(2000, { error: notAHost, abort: true })
    .overwrite(hostOf)
    .regex(host, { error: notAHost })
    .describe('A host name. From a URL, only the host is stored.')

/** The slug of a website's first share, with a lower maximum length. */
const shareSlug = () => newSlug().max(50, { error: 'Must be at most 50 characters long.' })

export const NewWebsiteBody = () =>
  z.strictObject({
    name: nameSchema(100),
    domain: domain(),
    id: id().nullish(),
    shareId: shareSlug().nullish(),
    teamId: id().nullish(),
  })

/**
 * The body that changes a website. Clients before 2026 send `replayEnabled` instead of `replayConfig.replayEnabled`.
 */
const WebsiteChangeBody = () =>
  z.strictObject({
    name: nameSchema(100).optional(),
    domain: domain().optional(),
    shareId: slug().nullable().optional(),
    replayConfig: ReplayConfig().nullable().optional(),
    replayEnabled: optionalBoolean(),
    retention: RetentionSettings().nullable().optional(),
    public: ShareParameters().nullable().optional(),
  })

/** The first share of a website, which is created with it. */
const firstShare = (name: string, slug: string): ShareFields => {
  const parameters: ValueOf<typeof ShareParameters> = { overview: true, events: true }
  return { name, slug, parameters }
}

const takenIssues = {
  id: { path: 'id', message: 'A website, link or pixel has, or had, this id.' },
  slug: { path: 'shareId', message: 'That share ID is already taken.' },
} as const

export const createWebsite = action({
  name: 'createWebsite',
  method: 'post',
  path: '/api/websites',
  summary: 'Creates a website for the caller or a team. A shareId also creates a share. Only admins may choose the id.',
  access: { to: 'account' },
  body: NewWebsiteBody,
  answer: WebsiteAnswer,
  async run({ name, domain, id, shareId, teamId }, context) {
    const websiteId = newWebsiteId(id, context)
    const owner = await newWebsiteOwner(teamId, context)
    if (shareId) await checkNewSlug(shareId, 'shareId', context)
    const website = { id: websiteId, name, domain, ...owner }
    const refused = await context.metadata.websites.create(website, {
      share: shareId ? firstShare(name, shareId) : undefined,
    })
    if (refused === 'owner') throw ownerGone()
    if (refused) throw invalid([takenIssues[refused]])
    return { body: websiteAnswer(await requireWebsite(website.id, context), context) }
  },
})

export const getWebsite = action({
  name: 'getWebsite',
  path: '/api/websites/:websiteId',
  summary: 'One website.',
  access: { to: 'website', right: 'view', sections },
  answer: WebsiteAnswer,
  async run({ websiteId }, context) {
    // The isolate may remember a website that another one has changed since, and forms send back what they read.
    const website = context.grant.kind === 'own' ? await requireWebsite(websiteId, context) : context.website!
    return { body: websiteAnswer(website, context) }
  },
})

export const updateWebsite = action({
  name: 'updateWebsite',
  method: 'post',
  path: '/api/websites/:websiteId',
  summary: 'Changes the given fields of a website.',
  access: { to: 'website', right: 'update' },
  body: WebsiteChangeBody,
  record: { answer: ListedWebsiteAnswer, read: (_, context) => websiteAnswer(context.website!, context) },
  answer: WebsiteAnswer,
  async run({ websiteId, shareId, replayConfig, replayEnabled, ...change }, context) {
    const newShareId = shareIdToStore(context.website!, shareId, context)
    if (newShareId) await checkNewSlug(newShareId, 'shareId', context, shareSlug)
    const updated = await changeWebsite(websiteId, context, async (website) => {
      const refused = await context.metadata.websites.update(website, {
        ...change,
        replayConfig: replaySettings(website, replayConfig, replayEnabled, context),
        share: typeof newShareId === 'string' ? firstShare(change.name ?? website.name, newShareId) : newShareId,
      })
      if (refused === 'slug') throw invalid([takenIssues.slug])
      return refused
    })
    return { body: websiteAnswer(updated, context) }
  },
})

/**
 * The new `shareId`; undefined leaves the shares unchanged. A form that sends the whole website back may be outdated:
 * it must neither delete newer shares nor restore a deleted one.
 */
function shareIdToStore({ shareId }: Website, given: string | null | undefined, { isSentBack }: Context) {
  if (given === shareId) return undefined
  if (!isSentBack || given === undefined) return given
  if (given === null) return undefined
  const message = 'The shares have changed since. Read the website again, or send shareId without read-only fields.'
  throw invalid([{ path: 'shareId', message }])
}

/**
 * The new settings; undefined leaves them unchanged. `replayEnabled` is added to settings that lack it. If a website
 * that is sent back has two different values, the one that differs from the stored settings wins.
 */
function replaySettings(
  website: Website,
  given: ValueOf<typeof ReplayConfig> | null | undefined,
  replayEnabled: boolean | undefined,
  { isSentBack }: Context,
): object | null | undefined {
  if (replayEnabled === undefined) return given
  if (given === undefined) return { ...website.replayConfig, replayEnabled }
  const own = given === null ? false : given.replayEnabled
  if (own === replayEnabled) return given
  if (own === undefined) {
    // Settings sent back unchanged must stay unchanged.
    return !replayEnabled && isEqual(given, website.replayConfig) ? given : { ...given, replayEnabled }
  }
  if (isSentBack) return replayEnabled === isRecorded(website) ? given : { ...given, replayEnabled }
  throw invalid([
    { path: 'replayEnabled', message: 'Give only replayConfig.replayEnabled, or the same value in both.' },
  ])
}

/** Settings are stored in the order of their schema. */
const isEqual = (given: object | null, stored: object | null): boolean =>
  JSON.stringify(given) === JSON.stringify(stored)

export const deleteWebsite = action({
  name: 'deleteWebsite',
  method: 'delete',
  path: '/api/websites/:websiteId',
  summary: 'Deletes a website. Requests for it are then refused.',
  access: { to: 'website', right: 'update' },
  answer: Done,
  async run({ websiteId }, { metadata }) {
    await metadata.websites.delete(websiteId)
    return done
  },
})

export const resetWebsite = action({
  name: 'resetWebsite',
  method: 'post',
  path: '/api/websites/:websiteId/reset',
  summary: 'Resets a website: hides all events before this moment.',
  access: { to: 'website', right: 'update' },
  answer: Done,
  async run({ websiteId }, { metadata }) {
    await metadata.websites.reset(websiteId)
    return done
  },
})

export const transferWebsite = action({
  name: 'transferWebsite',
  method: 'post',
  path: '/api/websites/:websiteId/transfer',
  summary: 'Transfers a website to the caller or a team. Admins may choose any user.',
  access: { to: 'website', right: 'transfer' },
  body: () => z.strictObject({ userId: id().optional(), teamId: id().optional() }),
  answer: WebsiteAnswer,
  async run({ websiteId, userId, teamId }, context) {
    if ((userId === undefined) === (teamId === undefined)) {
      throw invalid(['userId', 'teamId'].map((path) => ({ path, message: 'Give either userId or teamId.' })))
    }
    if (teamId !== undefined) refuseUnlessMayCreateIn(teamId, context)
    else if (userId !== personOf(context.holder)?.id && !isAdmin(context.holder)) {
      throw forbidden('Only an admin may give websites to other users.')
    }
    const to = teamId === undefined ? { userId: userId! } : { teamId }
    if (!(await context.metadata.websites.transfer(context.website!, to))) {
      throw invalid([teamId === undefined ? noSuchOwner.userId : noSuchOwner.teamId])
    }
    return { body: websiteAnswer(await requireWebsite(websiteId, context), context) }
  },
})
