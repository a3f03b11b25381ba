import * as z from 'zod'
import { sections } from '../../access/opening.ts'
import { forbidden } from '../../access/permit.ts'
import { isAdmin, mayCreateIn, personOf } from '../../access/rights.ts'
import { ApiError, invalid } from '../../errors.ts'
import type { ValueOf } from '../../made.ts'
import type { ShareFields } from '../../metadata/shares.ts'
import type { Website } from '../../metadata/websites.ts'
import { query } from '../../request/query-string.ts'
import { Done, done } from '../answers.ts'
import { nameSchema, optionalBoolean } from '../bodies.ts'
import { action, type Context } from '../endpoint.ts'
import { id, newSlug, slug } from '../ids.ts'
import { checkNewSlug, ShareParameters } from '../shares/shares.ts'
import { ReplayConfig, WebsiteAnswer, websiteAnswer } from './answer.ts'

/** A host name with an optional port: `example.com`, `localhost:3000`. */
const host =
  /^(?=.{1,500}$)[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?(\.[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?)*(:\d{1,5})?$/u

const domain = () =>
  z.string().regex(host, { error: 'Must be a host name of at most 500 characters, such as example.com.' })

/** `shareId` is the slug of a share, with a lower limit. */
const maxSlugLength = [50, { error: 'Must be at most 50 characters long.' }] as const

/** The body that creates a website. */
export const NewWebsiteBody = () =>
  z.strictObject({
    name: nameSchema(100),
    domain: domain(),
    id: id().nullish(),
    shareId: newSlug()
      .max(...maxSlugLength)
      .nullish(),
    teamId: id().nullish(),
  })

/**
 * The body that changes a website. Clients before 2026 send `replayEnabled` instead of `replayConfig.replayEnabled`.
 */
const WebsiteChangeBody = () =>
  z.strictObject({
    name: nameSchema(100).optional(),
    domain: domain().optional(),
    shareId: slug()
      .max(...maxSlugLength)
      .nullable()
      .optional(),
    replayConfig: ReplayConfig().nullable().optional(),
    replayEnabled: optionalBoolean(),
    public: ShareParameters().nullable().optional(),
  })

/** The first share of a website, which is created with it. */
const firstShare = (name: string, slug: string): ShareFields => {
  const parameters: ValueOf<typeof ShareParameters> = { overview: true, events: true }
  return { name, slug, parameters }
}

const takenIssues = {
  id: { path: 'id', message: 'A website with this id exists already, or existed.' },
  slug: { path: 'shareId', message: 'That share ID is already taken.' },
} as const

export const createWebsite = action({
  name: 'createWebsite',
  method: 'post',
  path: '/api/websites',
  summary: 'Creates a website of the caller, or of a team; with shareId, a share of it too. Only admins choose its id.',
  access: { to: 'account' },
  query: query(),
  body: NewWebsiteBody,
  answer: WebsiteAnswer,
  async run({ name, domain, id, shareId, teamId }, context) {
    const person = personOf(context.holder)
    if (person?.role === 'view-only') throw forbidden('A view-only user makes no websites.')
    // Trackers publish their website's id, and its events may be stored already: knowing the id must not give access
    // to them.
    if (id && !isAdmin(context.holder)) throw forbidden('Only an admin chooses the id of a website: leave it out.')
    if (teamId) {
      refuseUnlessMayCreateIn(teamId, context)
      if (!(await context.metadata.teams.read(teamId))) throw invalid([noSuchOwner.teamId])
    }
    if (shareId) await checkNewSlug(shareId, 'shareId', context)
    const createdBy = person?.id ?? null
    const owned = teamId ? { userId: null, teamId } : { userId: createdBy, teamId: null }
    const website = { id: id ?? crypto.randomUUID(), name, domain, ...owned, createdBy }
    const refused = await context.metadata.websites.create(website, shareId ? firstShare(name, shareId) : undefined)
    if (refused === 'owner') throw forbidden('Whoever this website would belong to was deleted just now.')
    if (refused) throw invalid([takenIssues[refused]])
    return { body: websiteAnswer(await requireWebsite(website.id, context), context) }
  },
})

export const getWebsite = action({
  name: 'getWebsite',
  method: 'get',
  path: '/api/websites/:websiteId',
  summary: 'One website.',
  access: { to: 'website', right: 'view', sections },
  query: query(),
  answer: WebsiteAnswer,
  run: async (_, context) => ({ body: websiteAnswer(context.website!, context) }),
})

export const updateWebsite = action({
  name: 'updateWebsite',
  method: 'post',
  path: '/api/websites/:websiteId',
  summary: 'Changes what is given of a website.',
  access: { to: 'website', right: 'update' },
  query: query(),
  body: WebsiteChangeBody,
  answer: WebsiteAnswer,
  async run({ websiteId, shareId, replayConfig, replayEnabled, ...change }, context) {
    if (shareId && shareId !== context.website!.shareId) await checkNewSlug(shareId, 'shareId', context)
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const website = attempt === 0 ? context.website! : await requireWebsite(websiteId, context)
      const refused = await context.metadata.websites.update(website, {
        ...change,
        replayConfig: replaySettings(website, replayConfig, replayEnabled),
        share: typeof shareId === 'string' ? firstShare(change.name ?? website.name, shareId) : shareId,
      })
      if (refused === 'slug') throw invalid([takenIssues.slug])
      if (!refused) return { body: websiteAnswer(await requireWebsite(websiteId, context), context) }
    }
    throw new ApiError('service-unavailable', 'Others change this website just now. Try again.', {
      headers: { 'Retry-After': '1' },
    })
  },
})

/** The most tries of a change that concurrent changes overtake. */
const maxAttempts = 5

/** The new settings; undefined leaves them unchanged. */
function replaySettings(
  website: Website,
  given: ValueOf<typeof ReplayConfig> | null | undefined,
  replayEnabled: boolean | undefined,
): object | null | undefined {
  if (replayEnabled === undefined) return given
  if (given === undefined) return { ...website.replayConfig, replayEnabled }
  if (given?.replayEnabled === replayEnabled) return given
  throw invalid([{ path: 'replayEnabled', message: 'Give replayConfig.replayEnabled alone, or the same in both.' }])
}

export const deleteWebsite = action({
  name: 'deleteWebsite',
  method: 'delete',
  path: '/api/websites/:websiteId',
  summary: 'Deletes a website: it answers nothing from then on.',
  access: { to: 'website', right: 'update' },
  query: query(),
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
  summary: 'Hides every event of a website that is older than this moment.',
  access: { to: 'website', right: 'update' },
  query: query(),
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
  summary: 'Gives a website to the caller, to a team, or, for admins, to any user.',
  access: { to: 'website', right: 'transfer' },
  query: query(),
  body: () => z.strictObject({ userId: id().optional(), teamId: id().optional() }),
  answer: WebsiteAnswer,
  async run({ websiteId, userId, teamId }, context) {
    if ((userId === undefined) === (teamId === undefined)) {
      throw invalid(['userId', 'teamId'].map((path) => ({ path, message: 'Give one of userId and teamId.' })))
    }
    if (teamId !== undefined) refuseUnlessMayCreateIn(teamId, context)
    else if (userId !== personOf(context.holder)?.id && !isAdmin(context.holder)) {
      throw forbidden('Only an admin gives websites to other users.')
    }
    const to = teamId === undefined ? { userId: userId! } : { teamId }
    if (!(await context.metadata.websites.transfer(context.website!, to))) {
      throw invalid([teamId === undefined ? noSuchOwner.userId : noSuchOwner.teamId])
    }
    return { body: websiteAnswer(await requireWebsite(websiteId, context), context) }
  },
})

const noSuchOwner = {
  userId: { path: 'userId', message: 'There is no such user.' },
  teamId: { path: 'teamId', message: 'There is no such team.' },
} as const

/** The website as stored now: the look-up cache may be some seconds old. */
async function requireWebsite(websiteId: string, { metadata }: Context): Promise<Website> {
  const website = await metadata.websites.read(websiteId)
  if (!website) throw forbidden('This website was deleted just now.')
  return website
}

/** Throws a 403 if the caller may not create websites in the team. */
function refuseUnlessMayCreateIn(teamId: string, { holder }: Context): void {
  const person = personOf(holder)
  if (person && !mayCreateIn(person, teamId)) throw forbidden('You may make no websites in this team.')
}
