import * as z from 'zod'
import { mayOwnerShare } from '../../access/rights.ts'
import { titled } from '../../made.ts'
import type { Website, WebsiteKind } from '../../metadata/website.ts'
import { filters } from '../../request/filters.ts'
import { query } from '../../request/query-string.ts'
import { requireBoard } from '../boards/board.ts'
import { action, type Context } from '../endpoint.ts'
import { answerList, type ListRequest, listGroup, listSchema } from '../lists.ts'
import { ListedShareAnswer, listedShareAnswer, ShareAnswer, ShareParameters, shareAnswer } from './answer.ts'
import { createShareOf, makeSlug, shareName } from './shares.ts'

const shareListQuery = () =>
  query(listGroup('Part of the name, ignoring case.', ['createdAt', 'name'])).beside(filters())

const NewShareBody = titled('NewShare', () =>
  z.strictObject({ name: shareName(), parameters: ShareParameters().optional() }),
)

/** The shares of a website, link or pixel, and the board shares that currently open it. */
async function answerSharesOf(website: Website, list: ListRequest<'createdAt' | 'name'>, context: Context) {
  const { boards, shares } = context.metadata
  const owners = (await boards.ownersNaming(website.id)).filter(({ owner, putBy }) =>
    mayOwnerShare(owner, website, putBy),
  )
  return answerList(list, (part) => shares.list(website.id, owners, part), listedShareAnswer(context))
}

const sharesAction = (name: string, kind: WebsiteKind) =>
  action({
    name,
    path: `/api/${kind}s/:${kind}Id/shares`,
    summary: `Shares of a ${kind}, and of boards that open it, expired ones included, paged.`,
    // Slugs are credentials, so reading them needs the right to update.
    access: { to: kind, right: 'update' },
    ...notFoundUnlessWebsite(kind),
    query: shareListQuery(),
    answer: listSchema(ListedShareAnswer),
    run: ({ list }, context) => answerSharesOf(context.website!, list, context),
  })

const notFoundUnlessWebsite = (kind: WebsiteKind) => (kind === 'website' ? {} : { refuses: ['not-found'] as const })

const refusesNewShare = (kind: WebsiteKind) =>
  kind === 'website' ? (['conflict'] as const) : (['not-found', 'conflict'] as const)

export const getWebsiteShares = sharesAction('getWebsiteShares', 'website')
export const getLinkShares = sharesAction('getLinkShares', 'link')
export const getPixelShares = sharesAction('getPixelShares', 'pixel')

const withoutSections: Readonly<Record<WebsiteKind, string>> = {
  website: 'Without parameters the share opens nothing yet.',
  link: 'If the parameters list no section, the share opens all of them.',
  pixel: 'If the parameters list no section, the share opens all of them.',
}

const createSharesAction = (name: string, kind: WebsiteKind) =>
  action({
    name,
    method: 'post',
    path: `/api/${kind}s/:${kind}Id/shares`,
    summary: `Shares a ${kind}. ${withoutSections[kind]}`,
    access: { to: kind, right: 'update' },
    refuses: refusesNewShare(kind),
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
  path: '/api/boards/:boardId/shares',
  summary: 'Shares of a board, expired ones included, paged.',
  access: { to: 'known' },
  refuses: ['not-found'],
  query: shareListQuery(),
  answer: listSchema(ShareAnswer),
  async run({ boardId, list }, context) {
    const { id } = await requireBoard(boardId, 'update', context)
    return answerList(list, (part) => context.metadata.shares.list(id, [], part), shareAnswer)
  },
})

export const createBoardShare = action({
  name: 'createBoardShare',
  method: 'post',
  path: '/api/boards/:boardId/shares',
  summary:
    'Shares a board. The parameters open sections of its websites, links and pixels; all sections if they list none.',
  access: { to: 'known' },
  refuses: ['not-found', 'conflict'],
  body: NewShareBody,
  answer: ShareAnswer,
  async run({ boardId, name, parameters = {} }, context) {
    const board = await requireBoard(boardId, 'update', context)
    return createShareOf({ ...board, kind: 'board' }, { name, slug: makeSlug(), parameters }, context)
  },
})
