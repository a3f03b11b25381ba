import * as z from 'zod'
import { titled } from '../../made.ts'
import type { WebsiteKind } from '../../metadata/website.ts'
import { filters } from '../../request/filters.ts'
import { query } from '../../request/query-string.ts'
import { requireBoard } from '../boards/board.ts'
import { action, type Context } from '../endpoint.ts'
import { answerList, type ListRequest, listGroup, listSchema } from '../lists.ts'
import { ShareAnswer, ShareParameters, shareAnswer } from './answer.ts'
import { createShareOf, makeSlug, shareName } from './shares.ts'

const shareListQuery = () => query(listGroup('Part of the name, in any case.', ['createdAt', 'name'])).beside(filters())

const NewShareBody = titled('NewShare', () =>
  z.strictObject({ name: shareName(), parameters: ShareParameters().optional() }),
)

const answerShares = (id: string, list: ListRequest<'createdAt' | 'name'>, { metadata }: Context) =>
  answerList(list, (part) => metadata.shares.list(id, part), shareAnswer)

/** The shares of a website, a link or a pixel. */
const sharesAction = (name: string, kind: WebsiteKind) =>
  action({
    name,
    method: 'get',
    path: `/api/${kind}s/:${kind}Id/shares`,
    summary: `Shares of a ${kind}, expired ones included, paged.`,
    // Slugs are credentials, so reading them needs the right to update.
    access: { to: kind, right: 'update' },
    ...notFoundUnlessWebsite(kind),
    query: shareListQuery(),
    answer: listSchema(ShareAnswer),
    run: ({ list }, context) => answerShares(context.website!.id, list, context),
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
    body: NewShareBody,
    answer: ShareAnswer,
    run: ({ name, parameters = {} }, context) =>
      createShareOf(context.website!, { name, slug: makeSlug(), parameters }, context),
  })

export const createWebsiteShare = createSharesAction('createWebsiteShare', 'website')
export const createLinkShare = createSharesAction('createLinkShare', 'link')
export const createPixelShare = createSharesAction('createPixelShare', 'pixel')

export const getBoardShares = action({
  name: 'getBoardShares',
  method: 'get',
  path: '/api/boards/:boardId/shares',
  summary: 'Shares of a board, expired ones included, paged.',
  access: { to: 'known' },
  refuses: ['not-found'],
  query: shareListQuery(),
  answer: listSchema(ShareAnswer),
  async run({ boardId, list }, context) {
    const { id } = await requireBoard(boardId, 'update', context)
    return answerShares(id, list, context)
  },
})

export const createBoardShare = action({
  name: 'createBoardShare',
  method: 'post',
  path: '/api/boards/:boardId/shares',
  summary: 'Shares a board. The parameters open sections of every website, link and pixel that the board names.',
  access: { to: 'known' },
  refuses: ['not-found'],
  query: query(),
  body: NewShareBody,
  answer: ShareAnswer,
  async run({ boardId, name, parameters = {} }, context) {
    const { id } = await requireBoard(boardId, 'update', context)
    return createShareOf({ kind: 'board', id }, { name, slug: makeSlug(), parameters }, context)
  },
})
