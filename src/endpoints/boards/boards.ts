import * as z from 'zod'
import { forbidden } from '../../access/permit.ts'
import { isAdmin, personOf } from '../../access/rights.ts'
import { ApiError, invalid } from '../../errors.ts'
import type { BoardChange, BoardListFilter, BoardOrder } from '../../metadata/boards.ts'
import { query } from '../../request/query-string.ts'
import { Done, done } from '../answers.ts'
import { descriptionSchema, nameSchema } from '../bodies.ts'
import { action, type Context } from '../endpoint.ts'
import { id } from '../ids.ts'
import { answerList, type ListRequest, listGroup, listSchema } from '../lists.ts'
import { newOwner, noSuchOwner, ownerGone } from '../websites/owner.ts'
import { BoardAnswer, boardAnswerFor, requireBoard, subjectsOf } from './board.ts'

const boardTypeNames = ['mixed', 'website', 'pixel', 'link', 'dashboard', 'open'] as const

/** `open` is another name for `mixed`. */
const boardType = () =>
  z
    .enum(boardTypeNames, { error: `Must be one of: ${boardTypeNames.join(', ')}.` })
    .transform((type) => (type === 'open' ? 'mixed' : type))

const boardFields = () => ({
  name: nameSchema(200).optional(),
  description: descriptionSchema().optional(),
  parameters: z.record(z.string(), z.unknown(), { error: 'Must be an object.' }).optional(),
})

const boardList = listGroup('Part of the name or the description, ignoring case.', [
  'name',
  'description',
  'type',
  'createdAt',
])

const answerBoards = (whose: BoardListFilter, list: ListRequest<BoardOrder>, context: Context) =>
  answerList(list, (part) => context.metadata.boards.list(whose, part), boardAnswerFor(context))

export const getBoards = action({
  name: 'getBoards',
  path: '/api/boards',
  summary:
    'The caller’s own boards, without team boards and without their dashboard, paged. The operator’s key returns all.',
  access: { to: 'account' },
  query: query(boardList),
  answer: listSchema(BoardAnswer),
  run: ({ list }, context) => answerBoards({ userId: personOf(context.holder)?.id }, list, context),
})

export const getTeamBoards = action({
  name: 'getTeamBoards',
  path: '/api/teams/:teamId/boards',
  summary: 'The boards of a team, paged, without those of the type dashboard.',
  access: { to: 'team', right: 'view' },
  query: query(boardList),
  answer: listSchema(BoardAnswer),
  run: ({ teamId, list }, context) => answerBoards({ teamId }, list, context),
})

/** The owner of a new board. Only an admin may create boards for other users. */
async function ownerOf(userId: string | null | undefined, teamId: string | null | undefined, context: Context) {
  const owner = await newOwner(teamId, context)
  if (!userId || userId === owner.userId) return owner
  if (teamId) throw invalid([{ path: 'userId', message: 'Give either userId or teamId.' }])
  if (!isAdmin(context.holder)) throw forbidden('Only an admin may create boards for other users.')
  if (!(await context.metadata.users.read(userId))) throw invalid([noSuchOwner.userId])
  return { ...owner, userId }
}

export const createBoard = action({
  name: 'createBoard',
  method: 'post',
  path: '/api/boards',
  summary: 'Creates a board for the caller or for a team.',
  access: { to: 'account' },
  refuses: ['conflict'],
  body: () =>
    z.strictObject({
      ...boardFields(),
      name: nameSchema(200),
      type: boardType(),
      teamId: id().nullish(),
      userId: id().nullish(),
    }),
  answer: BoardAnswer,
  async run({ type, name, description = '', parameters = {}, teamId, userId }, context) {
    const owner = await ownerOf(userId, teamId, context)
    const subjects = await subjectsOf(parameters, context)
    const board = await context.metadata.boards.create({ type, name, description, parameters, subjects }, owner, {
      most: context.mostOwned,
    })
    if (!board) throw ownerGone()
    return { body: boardAnswerFor(context)(board) }
  },
})

export const getBoard = action({
  name: 'getBoard',
  path: '/api/boards/:boardId',
  summary: 'One board. Holders of a share of the board may read it, too.',
  access: { to: 'holder' },
  refuses: ['not-found'],
  answer: BoardAnswer,
  run: async ({ boardId }, context) => ({
    body: boardAnswerFor(context)(await requireBoard(boardId, 'view', context)),
  }),
})

/** Changes the given fields of a board that the caller may change. */
async function changeBoard(boardId: string, change: Omit<BoardChange, 'subjects'>, context: Context) {
  const subjects = change.parameters && (await subjectsOf(change.parameters, context))
  if (!(await context.metadata.boards.update(boardId, { ...change, subjects }))) throw deletedJustNow()
  return { body: boardAnswerFor(context)(await requireBoard(boardId, 'view', context)) }
}

const deletedJustNow = () => new ApiError('not-found', 'This board was deleted just now.')

export const updateBoard = action({
  name: 'updateBoard',
  method: 'post',
  path: '/api/boards/:boardId',
  summary: 'Changes the given fields of a board.',
  access: { to: 'known' },
  refuses: ['not-found'],
  body: () => z.strictObject({ ...boardFields(), type: boardType().optional() }),
  record: {
    answer: BoardAnswer,
    read: async ({ boardId }, context) => boardAnswerFor(context)(await requireBoard(boardId, 'update', context)),
  },
  answer: BoardAnswer,
  async run({ boardId, ...change }, context) {
    await requireBoard(boardId, 'update', context)
    return changeBoard(boardId, change, context)
  },
})

export const deleteBoard = action({
  name: 'deleteBoard',
  method: 'delete',
  path: '/api/boards/:boardId',
  summary: 'Deletes a board and its shares.',
  access: { to: 'known' },
  refuses: ['not-found'],
  answer: Done,
  async run({ boardId }, context) {
    const { id } = await requireBoard(boardId, 'update', context)
    if (!(await context.metadata.boards.delete(id))) throw deletedJustNow()
    return done
  },
})

export const cloneBoard = action({
  name: 'cloneBoard',
  method: 'post',
  path: '/api/boards/:boardId/clone',
  summary: 'Copies a board into the same team, or for the caller. The given fields replace those of the copy.',
  access: { to: 'known' },
  refuses: ['not-found', 'conflict'],
  body: () => z.strictObject(boardFields()),
  answer: BoardAnswer,
  async run({ boardId, ...change }, context) {
    const board = await requireBoard(boardId, 'view', context)
    const owner = await newOwner(board.teamId, context)
    const { name = board.name, description = board.description, parameters = board.parameters } = change
    const subjects = await subjectsOf(parameters, context)
    const fields = { type: board.type, name, description, parameters, subjects }
    const copy = await context.metadata.boards.create(fields, owner, { most: context.mostOwned })
    if (!copy) throw ownerGone()
    return { body: boardAnswerFor(context)(copy) }
  },
})

export const getDashboard = action({
  name: 'getDashboard',
  path: '/api/dashboard',
  summary: 'The caller’s board of the type dashboard; null before the first POST.',
  access: { to: 'account' },
  answer: () => BoardAnswer().nullable(),
  async run(_, context) {
    const board = await context.metadata.boards.dashboard(personOf(context.holder)?.id ?? null)
    return { body: board ? boardAnswerFor(context)(board) : null }
  },
})

export const updateDashboard = action({
  name: 'updateDashboard',
  method: 'post',
  path: '/api/dashboard',
  summary: 'Changes the given fields of the caller’s dashboard, or creates it.',
  access: { to: 'account' },
  refuses: ['conflict'],
  body: () => z.strictObject(boardFields()),
  record: {
    answer: BoardAnswer,
    async read(_, context) {
      const { userId } = await newOwner(undefined, context)
      const board = await context.metadata.boards.dashboard(userId)
      return board ? boardAnswerFor(context)(board) : { type: 'dashboard', userId, teamId: null }
    },
  },
  answer: BoardAnswer,
  async run(change, context) {
    const { boards } = context.metadata
    const owner = await newOwner(undefined, context)
    const known = await boards.dashboard(owner.userId)
    if (known) return changeBoard(known.id, change, context)
    const { name = 'Dashboard', description = '', parameters = {} } = change
    const subjects = await subjectsOf(parameters, context)
    const fields = { type: 'dashboard', name, description, parameters, subjects } as const
    const board = await boards.create(fields, owner, { most: context.mostOwned, isOnly: true })
    if (board) return { body: boardAnswerFor(context)(board) }
    // Another request has created it meanwhile.
    const other = await boards.dashboard(owner.userId)
    if (!other) throw ownerGone()
    return changeBoard(other.id, change, context)
  },
})
