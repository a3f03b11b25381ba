import * as z from 'zod'
import { openingOfShare, sections } from '../../access/opening.ts'
import { forbidden, websiteRefusal } from '../../access/permit.ts'
import { doesBoardOpen, mayOnWebsite } from '../../access/rights.ts'
import { ApiError, invalid } from '../../errors.ts'
import { made } from '../../made.ts'
import { type OwnedEntity, type Share, type ShareFields, shareTypes } from '../../metadata/shares.ts'
import { Done, done, timeOrNull } from '../answers.ts'
import { nameSchema } from '../bodies.ts'
import { action, type Context } from '../endpoint.ts'
import { id, newSlug, slug } from '../ids.ts'
import {
  ListedShareAnswer,
  ShareAnswer,
  SharedIds,
  ShareParameters,
  shareAnswer,
  sharedIds,
  withVisibleParameters,
} from './answer.ts'

const wrongShareType = 'Must be one of: 1 (a website), 2 (a link), 3 (a pixel), 4 (a board).'

export const shareName = () => nameSchema(200)

const slugTaken = () => invalid([{ path: 'slug', message: 'Another share has this slug. Choose another one.' }])

export async function createShareOf(entity: OwnedEntity, fields: ShareFields, { metadata, mostOwned }: Context) {
  const share = await metadata.shares.create(entity, fields, mostOwned)
  if (share === 'slug') throw slugTaken()
  if (share === 'gone') throw forbidden(websiteRefusal.update)
  return { body: shareAnswer(share) }
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/**
 * Checks a new slug. A short slug could be guessed. The check counts as an attempt, because a taken slug reveals
 * another share.
 */
export async function checkNewSlug(
  slug: string,
  path: string,
  { attempt }: Context,
  schema: () => z.ZodType = newSlug,
): Promise<void> {
  const { error } = made(schema).safeParse(slug)
  if (error) throw invalid([{ path, message: error.issues[0]!.message }])
  if (new Set(slug.toLowerCase().match(/[a-z\d]/g)).size < 4) {
    throw invalid([{ path, message: 'Must have four different letters or digits.' }])
  }
  await attempt({ kind: 'slug' })
}

/** Generates a slug of 16 letters and digits with a uniform distribution. */
export function makeSlug(): string {
  let made = ''
  while (made.length < 16) {
    // Six bits have two more values than the alphabet; these two are skipped.
    for (const byte of crypto.getRandomValues(new Uint8Array(32))) made += letters[byte % 64] ?? ''
  }
  return made.slice(0, 16)
}

export const createShare = action({
  name: 'createShare',
  method: 'post',
  path: '/api/share',
  summary: 'Shares a website, link, pixel or board. Anyone with the slug sees what the parameters open.',
  access: { to: 'known' },
  refuses: ['conflict'],
  body: () =>
    z.strictObject({
      entityId: id(),
      shareType: z.int({ error: wrongShareType }).min(1, { error: wrongShareType }).max(4, { error: wrongShareType }),
      name: shareName(),
      slug: newSlug().optional(),
      parameters: ShareParameters(),
    }),
  answer: ShareAnswer,
  async run({ entityId, shareType, name, slug, parameters }, context) {
    const entity = await reachEntity(entityId, shareType === shareTypes.board, context)
    if (!entity) throw forbidden(websiteRefusal.update)
    if (shareTypes[entity.kind] !== shareType) {
      throw invalid([{ path: 'shareType', message: `Must be ${shareTypes[entity.kind]} for this ${entity.kind}.` }])
    }
    if (slug !== undefined) await checkNewSlug(slug, 'slug', context)
    return createShareOf(entity, { name, slug: slug ?? makeSlug(), parameters }, context)
  },
})

/** The website, link, pixel or board to share, if the caller may change it. */
async function reachEntity(id: string, isBoard: boolean, context: Context): Promise<OwnedEntity | undefined> {
  if (!isBoard) return context.reach(id, 'update')
  const board = await context.metadata.boards.read(id)
  return board && mayOnWebsite(context.holder, board, 'update') ? { ...board, kind: 'board' } : undefined
}

const noSuchShare = () => new ApiError('not-found', 'There is no such share.')

/** Returns the share if the caller may change what it opens; otherwise throws a 404. */
async function requireShare(shareId: string, context: Context): Promise<Share> {
  const share = await context.metadata.shares.read(shareId)
  if (!share || !(await mayChangeShared(share, context))) throw noSuchShare()
  return share
}

const mayChangeShared = async ({ entityId, shareType }: Share, context: Context): Promise<boolean> =>
  (await reachEntity(entityId, shareType === shareTypes.board, context)) !== undefined

/**
 * Whether the caller may change the shared object or, for a board, one of the objects that the board currently opens.
 */
async function mayEnd(share: Share, context: Context): Promise<boolean> {
  if (await mayChangeShared(share, context)) return true
  if (share.shareType !== shareTypes.board) return false
  const { boards, websites } = context.metadata
  const board = await boards.shared(share.entityId)
  const named = board ? await websites.owned(board.subjects.map(({ id }) => id)) : []
  return named.some((one) => doesBoardOpen(board!, one) && mayOnWebsite(context.holder, one, 'update'))
}

export const getShare = action({
  name: 'getShare',
  path: '/api/share/id/:shareId',
  summary: 'One share, for callers who may change its website.',
  access: { to: 'known' },
  refuses: ['not-found'],
  answer: ShareAnswer,
  run: async ({ shareId }, context) => ({ body: shareAnswer(await requireShare(shareId, context)) }),
})

export const updateShare = action({
  name: 'updateShare',
  method: 'post',
  path: '/api/share/id/:shareId',
  summary: 'Replaces the name and the parameters of a share. Another slug invalidates its tokens.',
  access: { to: 'known' },
  refuses: ['not-found'],
  body: () => z.strictObject({ name: shareName(), slug: slug(), parameters: ShareParameters() }),
  record: {
    answer: ListedShareAnswer,
    read: async ({ shareId }, context) => {
      const share = await requireShare(shareId, context)
      return { ...shareAnswer(share), ...(share.shareType === shareTypes.board && { boardId: share.entityId }) }
    },
  },
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
  summary:
    'Deletes a share. Its slug and its tokens stop working. Anyone who may change a website may delete the shares of boards that open it.',
  access: { to: 'known' },
  refuses: ['not-found'],
  answer: Done,
  async run({ shareId }, context) {
    const share = await context.metadata.shares.read(shareId)
    if (!share || !(await mayEnd(share, context))) throw noSuchShare()
    await context.metadata.shares.delete(share.id)
    return done
  },
})

export const getShareBySlug = action({
  name: 'getShareBySlug',
  path: '/api/share/:slug',
  summary: 'What a share opens, and a token for it. The slug is the only credential needed.',
  access: { to: 'anyone' },
  refuses: ['forbidden', 'not-found', 'too-many-requests', 'service-unavailable'],
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
    // The share's page contains this answer, and caches may store it until the look-up ends.
    const { holder } = await metadata.lookUp({ kind: 'slug', id: slug }, undefined, 'public')
    if (holder?.kind !== 'share') throw noSuchShare()
    const opening = openingOfShare(holder)
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
