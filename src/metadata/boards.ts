import {
  type BoardSubject,
  hasOwner,
  joinOwner,
  type NamingOwner,
  type NamingOwnerRow,
  namingOwnerFromRow,
  namingOwners,
  replaceSubjects,
  type SharedBoard,
  sharedBoardColumns,
  sharedBoardFromRow,
} from './board-subjects.ts'
import { type Most, roomOf } from './owned.ts'
import { type ListOptions, type Page, readPage } from './page.ts'
import type { Store, Stored } from './store.ts'

export const boardTypes = ['mixed', 'website', 'pixel', 'link', 'dashboard'] as const

type BoardType = (typeof boardTypes)[number]

export interface Board {
  readonly id: string
  readonly type: BoardType
  readonly name: string
  readonly description: string
  readonly parameters: object
  /** The owner is a user or a team, or the operator if both are null. */
  readonly userId: string | null
  readonly teamId: string | null
  /** In milliseconds since 1970, like all times in D1. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** The fields of a board that its writer chooses. */
interface BoardFields extends Pick<Board, 'type' | 'name' | 'description' | 'parameters'> {
  /** The subjects that the parameters refer to. */
  readonly subjects: readonly BoardSubject[]
}

/** The fields of a board that should be changed. */
export type BoardChange = { readonly [Name in keyof BoardFields]?: BoardFields[Name] | undefined }

export type BoardOrder = 'name' | 'description' | 'type' | 'createdAt'

/** Restricts a list to a user's or a team's boards. If neither is given, the list contains every board. */
export type BoardListFilter =
  | { readonly userId?: string | undefined; readonly teamId?: never }
  | { readonly teamId: string; readonly userId?: never }

type BoardRow = Stored<Board, 'parameters'>

const boardColumns = `id, type, name, description, parameters, user_id AS userId, team_id AS teamId,
  created_at AS createdAt, updated_at AS updatedAt`

const boardOf = (row: BoardRow): Board => ({ ...row, parameters: JSON.parse(row.parameters) as object })

const boardOrders: Readonly<Record<BoardOrder, string>> = {
  name: 'name COLLATE NOCASE',
  description: 'description COLLATE NOCASE',
  type: 'type',
  createdAt: 'created_at',
}

/** Compares the owner with `?1` in a form for which SQLite can use an index. Optional conditions would prevent that. */
const ownerCondition = ({ userId, teamId }: BoardListFilter): string =>
  userId !== undefined ? 'user_id = ?1' : teamId !== undefined ? 'team_id = ?1' : '?1 IS NULL'

/** The values for `?1` to `?6`. Missing fields are null. */
const boardValues = ({ type, name, description, parameters }: BoardChange) =>
  [
    type ?? null,
    name ?? null,
    name?.toLowerCase() ?? null,
    description ?? null,
    description?.toLowerCase() ?? null,
    parameters ? JSON.stringify(parameters) : null,
  ] as const

export const boards = (store: Store) => ({
  /** Does not include boards of type `dashboard`. */
  list: (whose: BoardListFilter, list: ListOptions<BoardOrder>): Promise<Page<Board>> =>
    readPage(
      store,
      {
        columns: boardColumns,
        from: `FROM boards WHERE ${ownerCondition(whose)} AND type <> 'dashboard'
          AND (instr(name_key, ?2) > 0 OR instr(description_key, ?2) > 0)`,
        order: `${boardOrders[list.orderBy]} ${list.descending ? 'DESC' : 'ASC'}, id`,
        large: 'parameters',
      },
      [whose.userId ?? whose.teamId ?? null, list.search.toLowerCase()],
      list,
      boardOf,
    ),

  read: (id: string): Promise<Board | undefined> =>
    store.one(boardOf, `SELECT ${boardColumns} FROM boards WHERE id = ?1`, id),

  /** A board's subjects and owner. Undefined if the board or its owner no longer exists. */
  shared: (id: string): Promise<SharedBoard | undefined> =>
    store.one(
      sharedBoardFromRow,
      `SELECT ${sharedBoardColumns} FROM boards ${joinOwner} WHERE boards.id = ?1 AND ${hasOwner}`,
      id,
    ),

  /** The owners of the shared boards that include this website, link or pixel. */
  async ownersNaming(subjectId: string): Promise<NamingOwner[]> {
    return (await store.all<NamingOwnerRow>(namingOwners, subjectId)).map(namingOwnerFromRow)
  },

  /** The oldest dashboard of a user or of the operator. */
  dashboard: (userId: string | null): Promise<Board | undefined> =>
    store.one(
      boardOf,
      `SELECT ${boardColumns} FROM boards WHERE type = 'dashboard' AND user_id IS ?1 AND team_id IS NULL
       ORDER BY created_at, id LIMIT 1`,
      userId,
    ),

  /**
   * Returns the new board, or undefined if its owner no longer exists. With `isOnly`, also returns undefined if the
   * owner already has a board of this type. Throws a `TooManyOwnedError`.
   */
  async create(
    fields: BoardFields,
    { userId, teamId }: Pick<Board, 'userId' | 'teamId'>,
    { most, isOnly = false }: { readonly most: Most; readonly isOnly?: boolean },
  ): Promise<Board | undefined> {
    const { subjects, ...rest } = fields
    const id = crypto.randomUUID()
    const room = roomOf('board', { userId, teamId }, most)
    const [created] = await store.write(
      [
        `INSERT INTO boards (type, name, name_key, description, description_key, parameters,
           id, user_id, team_id, created_at, updated_at)
         SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10
         WHERE (?8 IS NULL OR EXISTS (SELECT 1 FROM users WHERE id = ?8 AND deleted_at IS NULL))
           AND (?9 IS NULL OR EXISTS (SELECT 1 FROM teams WHERE id = ?9 AND deleted_at IS NULL))
           AND (NOT ?11 OR NOT EXISTS (SELECT 1 FROM boards WHERE type = ?1 AND user_id IS ?8 AND team_id IS ?9))
           AND ${room.left('?12')}`,
        ...boardValues(fields),
        id,
        userId,
        teamId,
        store.now,
        isOnly ? 1 : 0,
        ...room.values,
      ],
      ...replaceSubjects(id, subjects),
    )
    if (created === 1) return { id, ...rest, userId, teamId, createdAt: store.now, updatedAt: store.now }
    if (await room.isFull(store)) throw room.refusal()
    return undefined
  },

  /** Changes the given fields. Returns false if the board no longer exists. */
  async update(id: string, change: BoardChange): Promise<boolean> {
    const [updated] = await store.write(
      [
        `UPDATE boards SET type = ifnull(?1, type), name = ifnull(?2, name), name_key = ifnull(?3, name_key),
           description = ifnull(?4, description), description_key = ifnull(?5, description_key),
           parameters = ifnull(?6, parameters), updated_at = ?8
         WHERE id = ?7`,
        ...boardValues(change),
        id,
        store.now,
      ],
      ...(change.subjects ? replaceSubjects(id, change.subjects) : []),
    )
    return updated === 1
  },

  /** Deletes the board and its shares. Returns whether it existed. */
  async delete(id: string): Promise<boolean> {
    const [, deleted] = await store.write(
      ['DELETE FROM shares WHERE website_id = ?1 AND share_type = 4', id],
      ['DELETE FROM boards WHERE id = ?1', id],
    )
    // D1 also counts the subjects that were deleted with the board.
    return deleted !== 0
  },
})
