import { freshFor, memo } from './memo.ts'
import { type Most, roomOf } from './owned.ts'
import { endShares } from './shares.ts'
import { isTaken, type Store } from './store.ts'
import type { PassQuery, Website, WebsiteKind } from './website.ts'
import { searchOf } from './websites.ts'

/** The fields of a link or pixel that can be changed. */
type LinkChange = Partial<Pick<Website, 'name' | 'slug' | 'url' | 'passQuery' | 'userId' | 'teamId'>>

/** The link or pixel found at an address. */
interface Addressed {
  readonly id: string
  /** A link's target; null for a pixel. */
  readonly url: string | null
  readonly passQuery: PassQuery
}

const addressMemo = memo<Addressed>(10_000)

/** Clears this isolate's cache of addresses. */
export const forgetAddresses = addressMemo.clear

/** Links and pixels, which are stored as other kinds of websites. */
export const links = (store: Store) => ({
  /**
   * The link or pixel with this slug; undefined if there is none or it has been deleted. Takes one round trip, or none
   * if it is cached.
   */
  async lookUp(kind: WebsiteKind, slug: string): Promise<Addressed | undefined> {
    const name = `${kind} ${slug}`
    const known = addressMemo.get(name, store.now)
    if (known) return known
    const keep = addressMemo.keeper()
    const { rows, asOf } = await store.readsNear<Addressed>([
      'SELECT id, url, pass_query AS passQuery FROM websites WHERE kind = ?1 AND slug = ?2 AND deleted_at IS NULL',
      kind,
      slug,
    ])
    const row = rows[0]![0]
    if (row) keep(name, row, asOf + freshFor)
    return row
  },

  /**
   * Changes the given fields. A change of owner revokes its shares. On failure, changes nothing and returns the reason:
   * another link or pixel has or had the slug, or this link or pixel has changed since it was read. Throws a
   * `TooManyOwnedError` if a new owner has too many links or pixels.
   */
  async update(link: Website, change: LinkChange, most: Most): Promise<'slug' | 'stale' | undefined> {
    const { name, slug, url, passQuery, userId, teamId } = { ...link, ...change }
    const isGiven = userId !== link.userId || teamId !== link.teamId
    const room = roomOf(link.kind, { userId, teamId }, isGiven ? most : null)
    try {
      const [updated] = await store.write(
        [
          `UPDATE websites SET name = ?2, slug = ?3, url = ?4, user_id = ?5, team_id = ?6, search = ?7, updated_at = ?8,
           pass_query = ?14
         WHERE id = ?1 AND deleted_at IS NULL
           AND name = ?9 AND slug IS ?10 AND url IS ?11 AND user_id IS ?12 AND team_id IS ?13 AND pass_query = ?15
           AND (?6 IS NULL OR EXISTS (SELECT 1 FROM teams WHERE id = ?6 AND deleted_at IS NULL))
           AND ${room.left('?16')}`,
          link.id,
          name,
          slug,
          url,
          userId,
          teamId,
          searchOf(name, url, slug),
          store.now,
          link.name,
          link.slug,
          link.url,
          link.userId,
          link.teamId,
          passQuery,
          link.passQuery,
          ...room.values,
        ],
        ...endShares(link, { userId, teamId }, store.now),
      )
      if (updated === 1) return undefined
      if (await room.isFull(store)) throw room.refusal()
      return 'stale'
    } catch (error) {
      if (isTaken(error, 'websites.kind')) return 'slug'
      throw error
    }
  },
})
