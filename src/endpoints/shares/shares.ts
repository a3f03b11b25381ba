import * as z from 'zod'
import { openingOf, type Section, sections } from '../../access/opening.ts'
import { forbidden, websiteRefusal } from '../../access/permit.ts'
import { ApiError, invalid } from '../../errors.ts'
import { made } from '../../made.ts'
import type { ShareHolder } from '../../metadata/lookup.ts'
import { type Share, type SharedEntity, type ShareFields, shareTypes } from '../../metadata/shares.ts'
import type { WebsiteKind } from '../../metadata/websites.ts'
import { filters } from '../../request/filters.ts'
import { readLocked } from '../../request/locked-filters.ts'
import { query } from '../../request/query-string.ts'
import { Done, done, timeOf, timeOrNull } from '../answers.ts'
import { isoMoment, nameSchema, optionalBoolean, origins } from '../bodies.ts'
import { action, type Context } from '../endpoint.ts'
import { id, newSlug, slug } from '../ids.ts'
import { answerList, listGroup, listSchema } from '../lists.ts'

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
        if (Object.hasOwn(given, name)) addIssue(name, 'Cannot be locked: lock the filters that it holds.')
      }
      for (const { path, message } of readLocked(given).error?.issues ?? []) {
        addIssue(path.join('.').replace(/^filters\.?/, ''), message)
      }
    })

const sectionFlags = () =>
  Object.fromEntries(sections.map((section) => [section, optionalBoolean()])) as Record<
    Section,
    ReturnType<typeof optionalBoolean>
  >

/**
 * The parameters of a share or a public website: the parts that are open, and restrictions. Only `true` opens a part.
 */
export const ShareParameters = () =>
  z.strictObject({
    ...sectionFlags(),
    allowFilter: optionalBoolean(),
    allowExport: optionalBoolean(),
    theme: z.enum(['light', 'dark'], { error: 'Must be one of: light, dark.' }).optional(),
    filters: LockedFilters().optional(),
    origins: origins().optional(),
    expiresAt: isoMoment().nullable().optional(),
  })

const visibleParameters: readonly string[] = [...sections, 'allowFilter', 'allowExport', 'theme']

/** The parameters that the holder of a share may see: without its filters and origins. */
export const withVisibleParameters = (parameters: object): Record<string, boolean | string> =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => visibleParameters.includes(name)))

const shareType = () => z.union(Object.values(shareTypes).map((type) => z.literal(type)))

const ShareAnswer = () =>
  z.object({
    id: z.string(),
    entityId: z.string(),
    name: z.string(),
    shareType: shareType().describe('1: a website, 2: a link, 3: a pixel.'),
    slug: z.string(),
    parameters: z.record(z.string(), z.unknown()),
    createdAt: z.string(),
    updatedAt: z.string(),
  })

const shareAnswer = ({ id, shareType, entityId, name, slug, parameters, createdAt, updatedAt }: Share) => ({
  id,
  entityId,
  name,
  shareType,
  slug,
  parameters: { ...parameters },
  createdAt: timeOf(createdAt),
  updatedAt: timeOf(updatedAt),
})

/** What a share opens, for its holder. */
export const SharedIds = () => ({
  shareType: shareType(),
  websiteId: z.string().optional().describe('For a link or a pixel, the same id: it stands for a website’s.'),
  linkId: z.string().optional(),
  pixelId: z.string().optional(),
})

export const sharedIds = ({ shareType, entityId }: ShareHolder) => ({
  shareType,
  websiteId: entityId,
  ...(shareType === shareTypes.link && { linkId: entityId }),
  ...(shareType === shareTypes.pixel && { pixelId: entityId }),
})

const wrongShareType = 'Must be one of: 1 (a website), 2 (a link), 3 (a pixel).'

const shareName = () => nameSchema(200)

const slugTaken = () => invalid([{ path: 'slug', message: 'Another share has this slug: choose another one.' }])

async function createShareOf(entity: SharedEntity, fields: ShareFields, { metadata }: Context) {
  const share = await metadata.shares.create(entity, fields)
  if (!share) throw slugTaken()
  return { body: shareAnswer(share) }
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Checks a new slug; a short one could be guessed. It counts as an attempt: a taken slug reveals another share. */
export async function checkNewSlug(slug: string, path: string, { attempt }: Context): Promise<void> {
  const { error } = made(newSlug).safeParse(slug)
  if (error) throw invalid([{ path, message: error.issues[0]!.message }])
  if (new Set(slug.toLowerCase().match(/[a-z\d]/g)).size < 4) {
    throw invalid([{ path, message: 'Must have four different letters or digits.' }])
  }
  await attempt({ kind: 'slug' })
}

/** Makes a slug of 16 letters and digits with a uniform distribution. */
export function makeSlug(): string {
  let made = ''
  while (made.length < 16) {
    // Six bits have two more values than the alphabet; those two add nothing.
    for (const byte of crypto.getRandomValues(new Uint8Array(32))) made += letters[byte % 64] ?? ''
  }
  return made.slice(0, 16)
}

export const createShare = action({
  name: 'createShare',
  method: 'post',
  path: '/api/share',
  summary: 'Shares a website, a link or a pixel: whoever has the slug sees what the parameters open.',
  access: { to: 'known' },
  query: query(),
  body: () =>
    z.strictObject({
      entityId: id(),
      shareType: z.int({ error: wrongShareType }).min(1, { error: wrongShareType }).max(3, { error: wrongShareType }),
      name: shareName(),
      slug: newSlug().optional(),
      parameters: ShareParameters(),
    }),
  answer: ShareAnswer,
  async run({ entityId, shareType, name, slug, parameters }, context) {
    const entity = await context.reach(entityId, 'update')
    if (!entity) throw forbidden(websiteRefusal.update)
    if (shareTypes[entity.kind] !== shareType) {
      throw invalid([{ path: 'shareType', message: `Must be ${shareTypes[entity.kind]} for this ${entity.kind}.` }])
    }
    if (slug !== undefined) await checkNewSlug(slug, 'slug', context)
    return createShareOf(entity, { name, slug: slug ?? makeSlug(), parameters }, context)
  },
})

/** The shares of a website, a link or a pixel. */
const sharesAction = (name: string, kind: WebsiteKind) =>
  action({
    name,
    method: 'get',
    path: `/api/${kind}s/:${kind}Id/shares`,
    summary: `Shares of a ${kind}, paged, those that have expired too.`,
    // Slugs are credentials, so reading them needs the right to update.
    access: { to: kind, right: 'update' },
    ...notFoundUnlessWebsite(kind),
    query: query(listGroup('Part of the name, in any case.', ['createdAt', 'name'])).beside(filters()),
    answer: listSchema(ShareAnswer),
    run: ({ list }, { metadata, website }) =>
      answerList(list, (part) => metadata.shares.list(website!.id, part), shareAnswer),
  })

const notFoundUnlessWebsite = (kind: WebsiteKind) => (kind === 'website' ? {} : { refuses: ['not-found'] as const })

export const getWebsiteShares = sharesAction('getWebsiteShares', 'website')
export const getLinkShares = sharesAction('getLinkShares', 'link')
export const getPixelShares = sharesAction('getPixelShares', 'pixel')

const createSharesAction = (name: string, kind: WebsiteKind) =>
  action({
    name,
    method: 'post',
    path: `/api/${kind}s/:${kind}Id/shares`,
    summary: `Shares a ${kind}. Without parameters the share opens nothing yet.`,
    access: { to: kind, right: 'update' },
    ...notFoundUnlessWebsite(kind),
    query: query(),
    body: () => z.strictObject({ name: shareName(), parameters: ShareParameters().optional() }),
    answer: ShareAnswer,
    run: ({ name, parameters = {} }, context) =>
      createShareOf(context.website!, { name, slug: makeSlug(), parameters }, context),
  })

export const createWebsiteShare = createSharesAction('createWebsiteShare', 'website')
export const createLinkShare = createSharesAction('createLinkShare', 'link')
export const createPixelShare = createSharesAction('createPixelShare', 'pixel')

const noSuchShare = () => new ApiError('not-found', 'There is no such share.')

/** The share, if the caller may update its website; else 404. */
async function requireShare(shareId: string, { metadata, reach }: Context): Promise<Share> {
  const share = await metadata.shares.read(shareId)
  if (!share || !(await reach(share.entityId, 'update'))) throw noSuchShare()
  return share
}

export const getShare = action({
  name: 'getShare',
  method: 'get',
  path: '/api/share/id/:shareId',
  summary: 'One share, as those who may change its website see it.',
  access: { to: 'known' },
  refuses: ['not-found'],
  query: query(),
  answer: ShareAnswer,
  run: async ({ shareId }, context) => ({ body: shareAnswer(await requireShare(shareId, context)) }),
})

export const updateShare = action({
  name: 'updateShare',
  method: 'post',
  path: '/api/share/id/:shareId',
  summary: 'Replaces what a share is called and opens. With another slug its tokens end.',
  access: { to: 'known' },
  refuses: ['not-found'],
  query: query(),
  body: () => z.strictObject({ name: shareName(), slug: slug(), parameters: ShareParameters() }),
  answer: ShareAnswer,
  async run({ shareId, name, slug, parameters }, context) {
    const share = await requireShare(shareId, context)
    if (slug !== share.slug) await checkNewSlug(slug, 'slug', context)
    const updated = await context.metadata.shares.update(share, { name, slug, parameters })
    if (!updated) throw slugTaken()
    return { body: shareAnswer(updated) }
  },
})

export const deleteShare = action({
  name: 'deleteShare',
  method: 'delete',
  path: '/api/share/id/:shareId',
  summary: 'Deletes a share: neither its slug nor its tokens open anything from then on.',
  access: { to: 'known' },
  refuses: ['not-found'],
  query: query(),
  answer: Done,
  async run({ shareId }, context) {
    const { id } = await requireShare(shareId, context)
    await context.metadata.shares.delete(id)
    return done
  },
})

export const getShareBySlug = action({
  name: 'getShareBySlug',
  method: 'get',
  path: '/api/share/:slug',
  summary: 'What a share opens, and a token for it. Nothing but the slug is needed.',
  access: { to: 'anyone' },
  refuses: ['forbidden', 'not-found', 'too-many-requests', 'service-unavailable'],
  query: query(),
  answer: () =>
    z.object({
      shareId: z.string(),
      ...SharedIds(),
      parameters: z.record(z.string(), z.union([z.boolean(), z.string()])),
      sections: z.array(z.enum(sections)).describe('The sections that are open.'),
      expiresAt: z.string().nullable(),
      token: z.string(),
    }),
  async run({ slug }, { metadata, tokens, admit, attempt }) {
    await attempt({ kind: 'slug' })
    const { holder } = await metadata.lookUp({ kind: 'slug', id: slug }, undefined)
    if (holder?.kind !== 'share') throw noSuchShare()
    const opening = openingOf(holder.parameters)
    admit(opening.origins)
    return {
      body: {
        shareId: holder.id,
        ...sharedIds(holder),
        parameters: withVisibleParameters(holder.parameters),
        sections: [...opening.sections],
        expiresAt: timeOrNull(opening.expiresAt),
        token: await tokens.make({ typ: 'share', jti: holder.id, slug: holder.slug }, opening.expiresAt),
      },
    }
  },
})
