import * as z from 'zod'
import { openingOf } from '../../access/opening.ts'
import { forbidden } from '../../access/permit.ts'
import { mayOnWebsite } from '../../access/rights.ts'
import { ApiError, type Issue, invalid, maxIssues } from '../../errors.ts'
import { made, titled, type ValueOf } from '../../made.ts'
import { type Board, type BoardSubjects, boardTypes } from '../../metadata/boards.ts'
import { shareTypes } from '../../metadata/shares.ts'
import type { WebsiteKind } from '../../metadata/website.ts'
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

/** The board for this caller. Shares do not see its owner. */
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

/** The board, if the caller has this right to it; 404 for those who may not see it. */
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

/** Whether the holder's share is of this board and opens at least one section. */
const isSharedWith = (holder: Context['holder'], board: Board): boolean =>
  holder?.kind === 'share' &&
  holder.shareType === shareTypes.board &&
  holder.entityId === board.id &&
  openingOf(holder.parameters).sections.size > 0

/** The fields of parameters that hold an id, and the kind of thing it must name. */
const idFields: Readonly<Record<string, { readonly list: keyof BoardSubjects; readonly kind?: WebsiteKind }>> = {
  // The id of a link or pixel may stand wherever that of a website may.
  websiteId: { list: 'websiteIds' },
  linkId: { list: 'linkIds', kind: 'link' },
  pixelId: { list: 'pixelIds', kind: 'pixel' },
}

/** A value within parameters, and its path. */
interface Place {
  readonly value: unknown
  readonly name: string
  readonly within: Place | undefined
}

const pathOf = ({ name, within }: Place): string => (within ? `${pathOf(within)}.${name}` : name)

/** The ids that the parameters name, at any depth. A body is nested at most `maxJsonDepth` deep. */
function namedIds(parameters: object): Place[] {
  const found: Place[] = []
  const waiting: Place[] = [{ value: parameters, name: 'parameters', within: undefined }]
  for (let within = waiting.pop(); within !== undefined; within = waiting.pop()) {
    if (typeof within.value !== 'object' || within.value === null) continue
    for (const [name, value] of Object.entries(within.value)) {
      const place = { value, name, within }
      const isNamed = Object.hasOwn(idFields, name) && !Array.isArray(within.value)
      // Dashboards save empty ids in parts that are not configured yet.
      if (isNamed && value !== null && value !== '') found.push(place)
      else waiting.push(place)
    }
  }
  return found
}

/**
 * The websites, links and pixels that the parameters name. Throws a 400 that names each id that the caller may not see.
 */
export async function subjectsOf(parameters: object, { metadata, holder }: Context): Promise<BoardSubjects> {
  const places = namedIds(parameters).map((place) => ({ ...place, id: made(id).safeParse(place.value).data }))
  const ids = [...new Set(places.flatMap((place) => place.id ?? []))]
  const owned = new Map((ids.length > 0 ? await metadata.websites.owned(ids) : []).map((one) => [one.id, one]))
  const subjects = { websiteIds: new Set<string>(), linkIds: new Set<string>(), pixelIds: new Set<string>() }
  const issues: Issue[] = []
  for (const place of places) {
    const { list, kind } = idFields[place.name]!
    const one = place.id === undefined ? undefined : owned.get(place.id)
    if (one && (!kind || one.kind === kind) && mayOnWebsite(holder, one, 'view')) subjects[list].add(one.id)
    else if (issues.length < maxIssues) {
      issues.push({ path: pathOf(place), message: `You have no ${kind ?? 'website'} with this id.` })
    }
  }
  if (issues.length > 0) throw invalid(issues)
  return {
    websiteIds: [...subjects.websiteIds].sort(),
    linkIds: [...subjects.linkIds].sort(),
    pixelIds: [...subjects.pixelIds].sort(),
  }
}
