import * as z from 'zod'
import { openingOfShare } from '../../access/opening.ts'
import { forbidden } from '../../access/permit.ts'
import { mayOnWebsite, personOf } from '../../access/rights.ts'
import { ApiError, type Issue, invalid, maxIssues } from '../../errors.ts'
import { made, titled, type ValueOf } from '../../made.ts'
import type { BoardSubject } from '../../metadata/board-subjects.ts'
import { type Board, boardTypes } from '../../metadata/boards.ts'
import { shareTypes } from '../../metadata/shares.ts'
import { type WebsiteKind, websiteKinds } from '../../metadata/website.ts'
import { timeOf } from '../answers.ts'
import type { Context } from '../endpoint.ts'
import { id } from '../ids.ts'

export const BoardAnswer = titled('Board', () =>
  z.object({
    id: z.string(),
    type: z.enum(boardTypes),
    name: z.string(),
    description: z.string(),
    parameters: z.record(z.string(), z.unknown()),
    userId: z.string().nullable(),
    teamId: z.string().nullable(),
    createdAt: z.string(),
    updatedAt: z.string(),
  }),
)

/** The board as this caller sees it. Shares do not see its owner. */
export const boardAnswerFor =
  ({ holder }: Pick<Context, 'holder'>) =>
  ({ id, type, name, description, parameters, userId, teamId, createdAt, updatedAt }: Board) => {
    const isShare = holder?.kind === 'share'
    const answer: ValueOf<typeof BoardAnswer> = {
      id,
      type,
      name,
      description,
      parameters: { ...parameters },
      userId: isShare ? null : userId,
      teamId: isShare ? null : teamId,
      createdAt: timeOf(createdAt),
      updatedAt: timeOf(updatedAt),
    }
    return answer
  }

const noSuchBoard = () => new ApiError('not-found', 'There is no such board.')

/** Returns the board if the caller has this right to it. Throws a 404 if the caller may not see it. */
export async function requireBoard(
  boardId: string,
  right: 'view' | 'update',
  { holder, metadata }: Context,
): Promise<Board> {
  const board = await metadata.boards.read(boardId)
  if (!board) throw noSuchBoard()
  if (mayOnWebsite(holder, board, right) || (right === 'view' && isSharedWith(holder, board))) return board
  if (mayOnWebsite(holder, board, 'view')) throw forbidden('This credential may not change this board.')
  throw noSuchBoard()
}

/** Whether the holder has a share of this board that opens at least one section. */
const isSharedWith = (holder: Context['holder'], board: Board): boolean =>
  holder?.kind === 'share' &&
  holder.shareType === shareTypes.board &&
  holder.entityId === board.id &&
  openingOfShare(holder).sections.size > 0

/** The parameter fields that contain an id, each with the kind of object that the id identifies. */
const idFields: Readonly<Record<string, WebsiteKind>> = { websiteId: 'website', linkId: 'link', pixelId: 'pixel' }

/** The kind of object that this field's id identifies; undefined if the field contains no id. */
function kindNamed(within: object, field: string): WebsiteKind | undefined {
  if (Array.isArray(within)) return undefined
  if (Object.hasOwn(idFields, field)) return idFields[field]
  return field === 'entityId' && 'entityType' in within
    ? websiteKinds.find((kind) => kind === within.entityType)
    : undefined
}

/** A value within parameters, and its path. */
interface Place {
  readonly value: unknown
  readonly name: string
  readonly within: Place | undefined
}

/** An id within parameters. */
interface NamedPlace extends Place {
  readonly kind: WebsiteKind
}

const pathOf = ({ name, within }: Place): string => (within ? `${pathOf(within)}.${name}` : name)

/** The ids that the parameters contain, at any depth. A body is nested at most `maxJsonDepth` deep. */
export function namedIds(parameters: object): NamedPlace[] {
  const found: NamedPlace[] = []
  const waiting: Place[] = [{ value: parameters, name: 'parameters', within: undefined }]
  for (let within = waiting.pop(); within !== undefined; within = waiting.pop()) {
    if (typeof within.value !== 'object' || within.value === null) continue
    for (const [name, value] of Object.entries(within.value)) {
      const place = { value, name, within }
      const kind = kindNamed(within.value, name)
      // Dashboards save empty ids in parts that are not configured yet.
      if (kind && value !== null && value !== '') found.push({ ...place, kind })
      else waiting.push(place)
    }
  }
  return found
}

/**
 * The websites, links and pixels whose ids the parameters contain. Throws a 400 that lists each id that the caller may
 * not see.
 */
export async function subjectsOf(parameters: object, { metadata, holder }: Context): Promise<BoardSubject[]> {
  const writer = personOf(holder)?.id
  const places = namedIds(parameters).map((place) => ({ ...place, id: made(id).safeParse(place.value).data }))
  const ids = [...new Set(places.flatMap((place) => place.id ?? []))]
  const owned = new Map((ids.length > 0 ? await metadata.websites.owned(ids) : []).map((one) => [one.id, one]))
  const subjects = new Map<string, BoardSubject>()
  const issues: Issue[] = []
  for (const place of places) {
    const { kind } = place
    const one = place.id === undefined ? undefined : owned.get(place.id)
    // A link's or pixel's id is allowed wherever a website's id is.
    if (one && (kind === 'website' || kind === one.kind) && mayOnWebsite(holder, one, 'view')) {
      const putBy = writer !== undefined && one.userId === writer ? writer : null
      subjects.set(`${kind} ${one.id}`, { id: one.id, kind, putBy })
    } else if (issues.length < maxIssues) {
      issues.push({ path: pathOf(place), message: `You have no ${kind} with this id.` })
    }
  }
  if (issues.length > 0) throw invalid(issues)
  return [...subjects.values()]
}
