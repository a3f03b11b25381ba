import type { NamingOwner } from './board-subjects.ts'
import { type ListOptions, type Page, readPage } from './page.ts'
import type { Sql, Store } from './store.ts'
import { ofNewestShare, type Website } from './website.ts'

/** The kinds of things that a share opens, by the numbers that clients use. */
export const shareTypes = { website: 1, link: 2, pixel: 3, board: 4 } as const

type SharedKind = keyof typeof shareTypes

export type ShareType = (typeof shareTypes)[SharedKind]

/** The website, link, pixel or board that a share opens. */
export interface SharedEntity {
  readonly kind: SharedKind
  readonly id: string
}

export interface Share {
  readonly id: string
  readonly shareType: ShareType
  /** The id of the website, the link, the pixel or the board. */
  readonly entityId: string
  readonly name: string
  /** Its name in a link; a credential: anyone who knows it holds the share. */
  readonly slug: string
  /** The parts that it opens, and its restrictions: see `access/opening.ts`. */
  readonly parameters: object
  /** Milliseconds since 1970, like all times of D1. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** A share in a list; with its board, if it is of one. */
export interface ListedShare extends Share {
  readonly board: { readonly id: string; readonly userId: string | null; readonly teamId: string | null } | undefined
}

/** The fields of a share that the website's owner chooses. */
export type ShareFields = Pick<Share, 'name' | 'slug' | 'parameters'>

type ShareOrder = 'createdAt' | 'name'

interface ShareRow {
  readonly id: string
  readonly share_type: ShareType
  readonly website_id: string
  readonly name: string
  readonly slug: string
  readonly parameters: string
  readonly created_at: number
  readonly updated_at: number
}

const shareColumns = 'id, share_type, website_id, name, slug, parameters, created_at, updated_at'

const shareOf = (row: ShareRow): Share => ({
  id: row.id,
  shareType: row.share_type,
  entityId: row.website_id,
  name: row.name,
  slug: row.slug,
  parameters: JSON.parse(row.parameters) as object,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** Whether a share is of a board, and who owns the board. */
const boardColumns = `share_type = ${shareTypes.board} AS is_of_board,
  (SELECT user_id FROM boards WHERE boards.id = website_id) AS board_user,
  (SELECT team_id FROM boards WHERE boards.id = website_id) AS board_team`

interface ListedShareRow extends ShareRow {
  readonly is_of_board: number
  readonly board_user: string | null
  readonly board_team: string | null
}

const listedShareOf = (row: ListedShareRow): ListedShare => ({
  ...shareOf(row),
  board: row.is_of_board === 1 ? { id: row.website_id, userId: row.board_user, teamId: row.board_team } : undefined,
})

const shareOrders: Readonly<Record<ShareOrder, string>> = { createdAt: 'created_at', name: 'name COLLATE NOCASE' }

const shareValues = ({ name, slug, parameters }: ShareFields) =>
  [name, name.toLowerCase(), slug, JSON.stringify(parameters), expiryOf(parameters)] as const

const expiryOf = (parameters: object): number | null =>
  'expiresAt' in parameters && typeof parameters.expiresAt === 'string' ? Date.parse(parameters.expiresAt) : null

/** Inserts no row if the slug is taken, or if the thing to share is gone. */
export const insertShare = (id: string, entity: SharedEntity, fields: ShareFields, now: number): Sql => [
  `INSERT INTO shares (name, search, slug, parameters, expires_at, id, website_id, created_at, updated_at, share_type)
   SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9
   WHERE EXISTS (SELECT 1 FROM websites WHERE id = ?7 AND deleted_at IS NULL)
     OR EXISTS (SELECT 1 FROM boards WHERE id = ?7)
   ON CONFLICT DO NOTHING`,
  ...shareValues(fields),
  id,
  entity.id,
  now,
  shareTypes[entity.kind],
]

type Owner = Pick<Website, 'userId' | 'teamId'>

/**
 * The statements that end all shares of a website, link or pixel, and take it off all boards. Run them after the
 * statement that gives it to this owner: they change nothing if that did not, or if the owner is the same.
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

/** The statements for a website's shares. They change nothing if another share has the slug. */
export function sharesOf(
  website: SharedEntity & { readonly shareId: string | null },
  share: ShareFields | null | undefined,
  now: number,
): Sql[] {
  if (share === undefined) return []
  if (share === null) return [['DELETE FROM shares WHERE website_id = ?1', website.id]]
  if (website.shareId === null) return [insertShare(crypto.randomUUID(), website, share, now)]
  return [
    [
      `UPDATE OR IGNORE shares SET slug = ?2, updated_at = ?3 WHERE id = ${ofNewestShare('id', '?1')}`,
      website.id,
      share.slug,
      now,
    ],
  ]
}

export const shares = (store: Store) => ({
  /** The shares of a website, link, pixel or board; and those of the boards of these owners that name it. */
  list: async (
    entityId: string,
    owners: readonly Pick<NamingOwner, 'userId' | 'teamId' | 'putBy'>[],
    list: ListOptions<ShareOrder>,
  ): Promise<Page<ListedShare>> => {
    const page = await readPage<ListedShareRow>(
      store,
      {
        columns: `${shareColumns}, ${boardColumns}`,
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
    )
    return { ...page, data: page.data.map(listedShareOf) }
  },

  async read(id: string): Promise<Share | undefined> {
    const row = await store.first<ShareRow>(`SELECT ${shareColumns} FROM shares WHERE id = ?1`, id)
    return row && shareOf(row)
  },

  /** Returns the new share; undefined if the slug is taken. */
  async create(entity: SharedEntity, fields: ShareFields): Promise<Share | undefined> {
    const id = crypto.randomUUID()
    const [created] = await store.write(insertShare(id, entity, fields, store.now))
    if (created === 0) return undefined
    const shareType = shareTypes[entity.kind]
    return { id, shareType, entityId: entity.id, ...fields, createdAt: store.now, updatedAt: store.now }
  },

  /** Returns the updated share; undefined if the slug is taken or the share is gone. */
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
