import type { NamingOwner } from './board-subjects.ts'
import { type Most, type Room, roomOf } from './owned.ts'
import { type ListOptions, type Page, readPage } from './page.ts'
import type { Sql, Store, Stored } from './store.ts'
import { ofNewestShare, type Website } from './website.ts'

/** The kinds of objects that a share can open, with the numbers that clients use. */
export const shareTypes = { website: 1, link: 2, pixel: 3, board: 4 } as const

type SharedKind = keyof typeof shareTypes

export type ShareType = (typeof shareTypes)[SharedKind]

/** The website, link, pixel or board that a share opens. */
interface SharedEntity {
  readonly kind: SharedKind
  readonly id: string
}

export interface Share {
  readonly id: string
  readonly shareType: ShareType
  /** The id of the website, link, pixel or board. */
  readonly entityId: string
  readonly name: string
  /** The share's name in a link. It is a credential: anyone who knows it can use the share. */
  readonly slug: string
  /** What the share opens, and its restrictions; see `access/opening.ts`. */
  readonly parameters: object
  /** In milliseconds since 1970, like all times in D1. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** A share as it appears in a list. If a board is shared, the board is included. */
export interface ListedShare extends Share {
  readonly board: { readonly id: string; readonly userId: string | null; readonly teamId: string | null } | undefined
}

/** The fields of a share that the website's owner chooses. */
export type ShareFields = Pick<Share, 'name' | 'slug' | 'parameters'>

type ShareOrder = 'createdAt' | 'name'

type ShareRow = Stored<Share, 'parameters'>

const shareColumns = `id, share_type AS shareType, website_id AS entityId, name, slug, parameters,
  created_at AS createdAt, updated_at AS updatedAt`

const shareOf = (row: ShareRow): Share => ({ ...row, parameters: JSON.parse(row.parameters) as object })

/** The shared board, as JSON. */
const boardColumn = `(SELECT json_object('id', boards.id, 'userId', user_id, 'teamId', team_id) FROM boards
   WHERE boards.id = website_id AND share_type = ${shareTypes.board}) AS board`

type ListedShareRow = ShareRow & { readonly board: string | null }

const listedShareOf = ({ board, ...row }: ListedShareRow): ListedShare => ({
  ...shareOf(row),
  board: board === null ? undefined : (JSON.parse(board) as Required<ListedShare>['board']),
})

const shareOrders: Readonly<Record<ShareOrder, string>> = { createdAt: 'created_at', name: 'name COLLATE NOCASE' }

const shareValues = ({ name, slug, parameters }: ShareFields) =>
  [name, name.toLowerCase(), slug, JSON.stringify(parameters), expiryOf(parameters)] as const

const expiryOf = (parameters: object): number | null =>
  'expiresAt' in parameters && typeof parameters.expiresAt === 'string' ? Date.parse(parameters.expiresAt) : null

type Owner = Pick<Website, 'userId' | 'teamId'>

/** What is to be shared, with the owner for whom the request was authorised. */
export type OwnedEntity = SharedEntity & Owner

/** Inserts no row if the slug is taken, or if the object to share no longer exists or has another owner. */
export const insertShare = (
  id: string,
  entity: OwnedEntity,
  fields: ShareFields,
  now: number,
  room: Room = noLimit,
): Sql => [
  `INSERT INTO shares (name, search, slug, parameters, expires_at, id, website_id, created_at, updated_at, share_type)
   SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9
   WHERE (EXISTS (SELECT 1 FROM websites WHERE id = ?7 AND deleted_at IS NULL AND user_id IS ?10 AND team_id IS ?11)
     OR EXISTS (SELECT 1 FROM boards WHERE id = ?7 AND user_id IS ?10 AND team_id IS ?11))
     AND ${room.left('?12')}
   ON CONFLICT DO NOTHING`,
  ...shareValues(fields),
  id,
  entity.id,
  now,
  shareTypes[entity.kind],
  entity.userId,
  entity.teamId,
  ...room.values,
]

/** The first share of a website needs no room: it is created with the website, or takes the place of deleted ones. */
const noLimit = roomOf('share', { userId: null, teamId: null }, null)

/**
 * The statements that revoke all shares of a website, link or pixel and remove it from all boards. Run them after the
 * statement that changes the owner. They change nothing if that statement failed or if the owner stays the same.
 */
export const endShares = (website: Owner & Pick<Website, 'id'>, to: Owner, now: number): Sql[] =>
  website.userId === to.userId && website.teamId === to.teamId
    ? []
    : ['shares WHERE website_id', 'board_subjects WHERE subject_id'].map((those) => [
        `DELETE FROM ${those} = ?1 AND EXISTS (
           SELECT 1 FROM websites WHERE id = ?1 AND user_id IS ?2 AND team_id IS ?3 AND updated_at = ?4)`,
        website.id,
        to.userId,
        to.teamId,
        now,
      ])

/**
 * The statements for a website's shares. They change nothing if another share already has the slug, or if the website
 * has another owner.
 */
export function sharesOf(
  website: OwnedEntity & { readonly shareId: string | null },
  share: ShareFields | null | undefined,
  now: number,
): Sql[] {
  if (share === undefined) return []
  const { id, userId, teamId } = website
  const isTheirs = 'EXISTS (SELECT 1 FROM websites WHERE id = ?1 AND user_id IS ?2 AND team_id IS ?3)'
  if (share === null) return [[`DELETE FROM shares WHERE website_id = ?1 AND ${isTheirs}`, id, userId, teamId]]
  if (website.shareId === null) return [insertShare(crypto.randomUUID(), website, share, now)]
  return [
    [
      `UPDATE OR IGNORE shares SET slug = ?4, updated_at = ?5 WHERE id = ${ofNewestShare('id', '?1')} AND ${isTheirs}`,
      ...[id, userId, teamId, share.slug, now],
    ],
  ]
}

export const shares = (store: Store) => ({
  /** The shares of a website, link, pixel or board, and the shares of these owners' boards that include it. */
  list: (
    entityId: string,
    owners: readonly Pick<NamingOwner, 'userId' | 'teamId' | 'putBy'>[],
    list: ListOptions<ShareOrder>,
  ): Promise<Page<ListedShare>> =>
    readPage(
      store,
      {
        columns: `${shareColumns}, ${boardColumn}`,
        from: `FROM shares WHERE instr(search, ?2) > 0 AND website_id IN (
          SELECT ?1 UNION ALL
          SELECT board_id FROM board_subjects JOIN boards ON boards.id = board_id JOIN json_each(?3)
            ON user_id IS value ->> 'userId' AND team_id IS value ->> 'teamId' AND put_by IS value ->> 'putBy'
          WHERE subject_id = ?1)`,
        order: `${shareOrders[list.orderBy]} ${list.descending ? 'DESC' : 'ASC'}, id`,
        large: 'parameters',
      },
      [
        entityId,
        list.search.toLowerCase(),
        JSON.stringify(owners.map(({ userId, teamId, putBy }) => ({ userId, teamId, putBy }))),
      ],
      list,
      listedShareOf,
    ),

  read: (id: string): Promise<Share | undefined> =>
    store.one(shareOf, `SELECT ${shareColumns} FROM shares WHERE id = ?1`, id),

  /**
   * Returns the new share, or the reason why there is none: the slug is taken, or the object no longer exists or has
   * another owner. Throws a `TooManyOwnedError`.
   */
  async create(entity: OwnedEntity, fields: ShareFields, most: Most): Promise<Share | 'slug' | 'gone'> {
    const id = crypto.randomUUID()
    const room = roomOf('share', entity, most)
    const [created] = await store.write(insertShare(id, entity, fields, store.now, room))
    if (created === 0) {
      if (await room.isFull(store)) throw room.refusal()
      return (await store.first('SELECT 1 FROM shares WHERE slug = ?1', fields.slug)) ? 'slug' : 'gone'
    }
    const shareType = shareTypes[entity.kind]
    return { id, shareType, entityId: entity.id, ...fields, createdAt: store.now, updatedAt: store.now }
  },

  /** Returns the updated share, or undefined if the slug is taken or the share no longer exists. */
  async update(share: Share, fields: ShareFields): Promise<Share | undefined> {
    const [updated] = await store.write([
      `UPDATE OR IGNORE shares SET name = ?1, search = ?2, slug = ?3, parameters = ?4, expires_at = ?5, updated_at = ?7
       WHERE id = ?6`,
      ...shareValues(fields),
      share.id,
      store.now,
    ])
    return updated === 0 ? undefined : { ...share, ...fields, updatedAt: store.now }
  },

  async delete(id: string): Promise<void> {
    await store.write(['DELETE FROM shares WHERE id = ?1', id])
  },
})
