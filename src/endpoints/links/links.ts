import * as z from 'zod'
import { sections } from '../../access/opening.ts'
import { forbidden } from '../../access/permit.ts'
import { mayOnWebsite, ownWebsites, personOf } from '../../access/rights.ts'
import { invalid } from '../../errors.ts'
import { titled, type ValueOf } from '../../made.ts'
import { type PassQuery, passQueries, type Website } from '../../metadata/website.ts'
import type { WebsiteListFilter } from '../../metadata/websites.ts'
import { query } from '../../request/query-string.ts'
import { Done, done, timeOf } from '../answers.ts'
import { nameSchema } from '../bodies.ts'
import { action, type Context } from '../endpoint.ts'
import { addressSlug, id } from '../ids.ts'
import { answerList, type ListRequest, listGroup, listSchema } from '../lists.ts'
import {
  changeWebsite,
  newOwner,
  newWebsiteId,
  noSuchOwner,
  ownerGone,
  refuseUnlessMayCreateIn,
} from '../websites/owner.ts'

const PixelAnswer = titled('Pixel', () =>
  z.object({
    id: z.string(),
    name: z.string(),
    slug: z.string(),
    userId: z.string().nullable(),
    teamId: z.string().nullable(),
    createdAt: z.string(),
    updatedAt: z.string(),
    deletedAt: z.literal(null),
  }),
)

/** Which query parameters of a visit the link passes on to its target. */
const passQuery = () =>
  z
    .enum(passQueries)
    .describe(
      'Which query parameters the link adds to its URL if it lacks them: none, UTM parameters and click ids, or all.',
    )

const LinkAnswer = titled('Link', () => PixelAnswer().extend({ url: z.string(), passQuery: passQuery() }))

/** The pixel as this caller sees it. Shares do not see its owner. */
const pixelAnswer =
  ({ grant }: Pick<Context, 'grant'>) =>
  ({ id, name, slug, userId, teamId, createdAt, updatedAt }: Website): ValueOf<typeof PixelAnswer> => ({
    id,
    name,
    slug: slug ?? '',
    userId: grant.kind === 'opening' ? null : userId,
    teamId: grant.kind === 'opening' ? null : teamId,
    createdAt: timeOf(createdAt),
    updatedAt: timeOf(updatedAt),
    deletedAt: null,
  })

const linkAnswer =
  (context: Pick<Context, 'grant'>) =>
  (link: Website): ValueOf<typeof LinkAnswer> => ({
    ...pixelAnswer(context)(link),
    url: link.url ?? '',
    passQuery: link.passQuery,
  })

const wrongUrl = 'Must be an absolute http or https URL of at most 500 characters, such as https://example.com/sale.'

/**
 * A URL to which a browser may be redirected. Other schemes, and characters that a header cannot contain, are refused.
 */
export const linkUrl = () =>
  z
    .string({ error: wrongUrl })
    .max(500, { error: wrongUrl, abort: true })
    .refine((text) => /^https?:\/\/[^\s\p{Cc}]+$/iu.test(text) && text.isWellFormed() && URL.canParse(text), {
      error: wrongUrl,
    })

const pixelFields = () => ({ name: nameSchema(100), slug: addressSlug(), teamId: id().nullish() })

const linkFields = () => ({ ...pixelFields(), url: linkUrl() })

/** Links and pixels have the same endpoints. */
interface Family<Body> {
  readonly kind: 'link' | 'pixel'
  readonly answer: () => z.ZodType<Body>
  readonly shape: (context: Pick<Context, 'grant'>) => (link: Website) => Body
}

const link: Family<ValueOf<typeof LinkAnswer>> = { kind: 'link', answer: LinkAnswer, shape: linkAnswer }
const pixel: Family<ValueOf<typeof PixelAnswer>> = { kind: 'pixel', answer: PixelAnswer, shape: pixelAnswer }

type Kind = Family<unknown>['kind']

const linkListGroup = listGroup('Part of the name, the URL or the slug, ignoring case.', [
  'name',
  'slug',
  'url',
  'createdAt',
])

const answerLinks = <Body>(
  { kind, shape }: Family<Body>,
  whose: WebsiteListFilter,
  list: ListRequest<'name' | 'slug' | 'url' | 'createdAt'>,
  context: Context,
) => answerList(list, (part) => context.metadata.websites.list(kind, whose, part), shape(context))

const ownLinks = <Body>(name: string, family: Family<Body>) =>
  action({
    name,
    path: `/api/${family.kind}s`,
    summary: `The caller’s own ${family.kind}s, without those of teams, paged.`,
    access: { to: 'known' },
    query: query(linkListGroup),
    answer: listSchema(family.answer),
    run: ({ list }, context) => answerLinks(family, ownWebsites(context.holder, false), list, context),
  })

export const getLinks = ownLinks('getLinks', link)
export const getPixels = ownLinks('getPixels', pixel)

const teamLinks = <Body>(name: string, family: Family<Body>) =>
  action({
    name,
    path: `/api/teams/:teamId/${family.kind}s`,
    summary: `The ${family.kind}s of a team, paged.`,
    access: { to: 'team', right: 'view' },
    query: query(linkListGroup),
    answer: listSchema(family.answer),
    run: ({ teamId, list }, context) => answerLinks(family, { teamId }, list, context),
  })

export const getTeamLinks = teamLinks('getTeamLinks', link)
export const getTeamPixels = teamLinks('getTeamPixels', pixel)

const takenSlug = () => invalid([{ path: 'slug', message: 'That slug is already taken.' }])

interface NewLink {
  readonly name: string
  readonly slug: string
  readonly url?: string
  readonly passQuery?: PassQuery | undefined
  readonly teamId?: string | null | undefined
  readonly id?: string | null | undefined
}

async function createLinkOf(kind: Kind, sent: NewLink, context: Context): Promise<Website> {
  const { name, slug, url, passQuery = 'utm', teamId, id } = sent
  const linkId = newWebsiteId(id, context)
  const owner = await newOwner(teamId, context)
  const link = { kind, id: linkId, name, domain: '', slug, url: url ?? null, passQuery, ...owner }
  const refused = await context.metadata.websites.create(link, { most: context.mostOwned })
  if (refused === 'owner') throw ownerGone()
  if (refused === 'slug') throw takenSlug()
  if (refused) throw invalid([{ path: 'id', message: 'A website, link or pixel has, or had, this id.' }])
  return (await context.metadata.websites.read(linkId))!
}

type LinkChange = { readonly [Name in keyof Omit<NewLink, 'id'>]?: NewLink[Name] | undefined }

async function updateLinkOf(
  link: Website,
  { name, slug, url, passQuery, teamId }: LinkChange,
  context: Context,
): Promise<Website> {
  const change = {
    ...(name && { name }),
    ...(slug && { slug }),
    ...(url && { url }),
    ...(passQuery && { passQuery }),
  }
  return changeWebsite(link.id, context, async (current) => {
    const owner = teamId === undefined || teamId === current.teamId ? {} : await ownerAfter(teamId, current, context)
    const refused = await context.metadata.links.update(current, { ...change, ...owner }, context.mostOwned)
    if (refused === 'slug') throw takenSlug()
    return refused
  })
}

/** The new owner: the team, or the caller if `teamId` is null. The caller needs the right to transfer the link. */
async function ownerAfter(teamId: string | null, link: Website, { holder, metadata }: Context) {
  if (!mayOnWebsite(holder, link, 'transfer')) throw forbidden(`You may not transfer this ${link.kind}.`)
  if (teamId === null) return { userId: personOf(holder)?.id ?? null, teamId }
  refuseUnlessMayCreateIn(teamId, { holder })
  if (!(await metadata.teams.read(teamId))) throw invalid([noSuchOwner.teamId])
  return { userId: null, teamId }
}

const createOf = <Body, Fields extends NewLink>(name: string, family: Family<Body>, body: () => z.ZodType<Fields>) =>
  action({
    name,
    method: 'post',
    path: `/api/${family.kind}s`,
    summary: `Creates a ${family.kind} for the caller or a team. Only admins may choose its id.`,
    access: { to: 'account' },
    refuses: ['conflict'],
    body,
    answer: family.answer,
    run: async (input, context) => ({ body: family.shape(context)(await createLinkOf(family.kind, input, context)) }),
  })

export const createLink = createOf('createLink', link, () =>
  z.strictObject({ ...linkFields(), passQuery: passQuery().optional(), id: id().nullish() }),
)
export const createPixel = createOf('createPixel', pixel, () =>
  z.strictObject({ ...pixelFields(), id: id().nullish() }),
)

const readOf = <Body>(name: string, family: Family<Body>) =>
  action({
    name,
    path: `/api/${family.kind}s/:${family.kind}Id`,
    summary: `One ${family.kind}.`,
    access: { to: family.kind, right: 'view', sections },
    refuses: ['not-found'],
    answer: family.answer,
    run: async (_, context) => ({ body: family.shape(context)(context.website!) }),
  })

export const getLink = readOf('getLink', link)
export const getPixel = readOf('getPixel', pixel)

const updateOf = <Body, Fields extends LinkChange>(name: string, family: Family<Body>, body: () => z.ZodType<Fields>) =>
  action({
    name,
    method: 'post',
    path: `/api/${family.kind}s/:${family.kind}Id`,
    summary: `Changes the given fields of a ${family.kind}. Another teamId changes its owner.`,
    access: { to: family.kind, right: 'update' },
    refuses: ['not-found', 'conflict'],
    body,
    record: {
      answer: family.answer,
      read: (_, context) => family.shape(context)(context.website!) as object,
    },
    answer: family.answer,
    run: async (input, context) => ({
      body: family.shape(context)(await updateLinkOf(context.website!, input, context)),
    }),
  })

export const updateLink = updateOf('updateLink', link, () =>
  z.strictObject({ ...linkFields(), passQuery: passQuery() }).partial(),
)
export const updatePixel = updateOf('updatePixel', pixel, () => z.strictObject(pixelFields()).partial())

const deleteOf = <Body>(name: string, { kind }: Family<Body>) =>
  action({
    name,
    method: 'delete',
    path: `/api/${kind}s/:${kind}Id`,
    summary: `Deletes a ${kind}. Its slug stays taken.`,
    access: { to: kind, right: 'update' },
    refuses: ['not-found'],
    answer: Done,
    async run(_, { metadata, website }) {
      await metadata.websites.delete(website!.id)
      return done
    },
  })

export const deleteLink = deleteOf('deleteLink', link)
export const deletePixel = deleteOf('deletePixel', pixel)
