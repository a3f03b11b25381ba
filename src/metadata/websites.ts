import { type Most, roomOf } from './owned.ts'
import { type ListOptions, type Page, readPage } from './page.ts'
import { endShares, insertShare, type ShareFields, sharesOf } from './shares.ts'
import { isTaken, type Store } from './store.ts'
import {
  ofNewestShare,
  type Website,
  type WebsiteKind,
  type WebsiteRetention,
  type WebsiteRow,
  websiteById,
  websiteColumns,
  websiteOf,
} from './website.ts'

/** A website that belongs to neither a user nor a team. */
export const ofOperator = { userId: null, teamId: null, createdBy: null } as const

/** A website as it appears in a list, with the names of its owner (a user or a team) and its creator. */
export interface ListedWebsite extends Website {
  readonly owner: string | null
  readonly team: string | null
  readonly creator: string | null
}

/** The fields that decide who has rights to a website. */
type OwnedWebsite = Pick<Website, 'id' | 'kind' | 'userId' | 'teamId'>

/** A new website, or a new link or pixel with its slug. */
type NewWebsite = Pick<Website, 'id' | 'name' | 'domain' | 'userId' | 'teamId' | 'createdBy'> &
  Partial<Pick<Website, 'kind' | 'slug' | 'url' | 'passQuery'>>

type WebsiteOrder = 'name' | 'domain' | 'slug' | 'url' | 'createdAt'

/** Restricts a list of websites. If it has no fields, every website is listed. */
export interface WebsiteListFilter {
  readonly ids?: readonly string[] | undefined
  readonly userId?: string | undefined
  /** With `userId`, also includes the websites of the user's teams. */
  readonly includeTeams?: boolean | undefined
  readonly teamId?: string | undefined
}

/** The fields of a website that can be changed. */
interface WebsiteChange {
  readonly name?: string | undefined
  readonly domain?: string | undefined
  readonly replayConfig?: object | null | undefined
  readonly retention?: WebsiteRetention | null | undefined
  readonly public?: object | null | undefined
  /** The slug for the website's newest share, which is created if there is no share. Null deletes every share. */
  readonly share?: ShareFields | null | undefined
}

/** The text that is searched, in lower case. */
export const searchOf = (...fields: readonly (string | null | undefined)[]): string =>
  fields
    .filter((field) => field)
    .join('\n')
    .toLowerCase()

const websiteOrders: Readonly<Record<WebsiteOrder, string>> = {
  name: 'websites.name COLLATE NOCASE',
  domain: 'domain COLLATE NOCASE',
  slug: 'websites.slug',
  url: 'url',
  createdAt: 'websites.created_at',
}

export const websites = (store: Store) => {
  /** Whether a share other than the website's newest one has this slug. */
  const isSlugTaken = async (slug: string, websiteId: string): Promise<boolean> =>
    (await store.first(
      `SELECT 1 FROM shares WHERE slug = ?1 AND id IS NOT ${ofNewestShare('id', '?2')}`,
      slug,
      websiteId,
    )) !== undefined

  return {
    list: (
      kind: WebsiteKind,
      whose: WebsiteListFilter,
      list: ListOptions<WebsiteOrder>,
    ): Promise<Page<ListedWebsite>> =>
      readPage(
        store,
        {
          columns: `${websiteColumns},
          (SELECT username FROM users WHERE users.id = websites.user_id) AS owner,
          (SELECT name FROM teams WHERE teams.id = websites.team_id) AS team,
          (SELECT username FROM users WHERE users.id = created_by) AS creator`,
          from: `FROM websites WHERE deleted_at IS NULL
          AND (?1 IS NULL OR id IN (SELECT value FROM json_each(?1)))
          AND (?2 IS NULL OR user_id = ?2
            OR (?3 AND team_id IN (SELECT team_id FROM team_members WHERE team_members.user_id = ?2)))
          AND (?4 IS NULL OR team_id = ?4)
          AND instr(search, ?5) > 0 AND kind = ?6`,
          order: `${websiteOrders[list.orderBy]} ${list.descending ? 'DESC' : 'ASC'}, id`,
        },
        [
          whose.ids ? JSON.stringify(whose.ids) : null,
          whose.userId ?? null,
          whose.includeTeams ? 1 : 0,
          whose.teamId ?? null,
          list.search.toLowerCase(),
          kind,
        ],
        list,
        websiteOf<WebsiteRow & Pick<ListedWebsite, 'owner' | 'team' | 'creator'>>,
      ),

    /** The kind and owner of each of these ids that exists. */
    owned: (ids: readonly string[]): Promise<OwnedWebsite[]> =>
      store.all<OwnedWebsite>(
        `SELECT id, kind, user_id AS userId, team_id AS teamId FROM websites
         WHERE deleted_at IS NULL AND id IN (SELECT value FROM json_each(?1))`,
        JSON.stringify(ids),
      ),

    /**
     * Inserts a website, together with its share if one is given. On failure, inserts neither and returns the reason:
     * the id or slug is taken, or the owner (user or team) no longer exists. Throws a `TooManyOwnedError` if `most` is
     * exceeded.
     */
    async create(
      website: NewWebsite,
      { share, most = null }: { readonly share?: ShareFields | undefined; readonly most?: Most } = {},
    ): Promise<'id' | 'slug' | 'owner' | undefined> {
      const { id, kind = 'website', name, domain, userId, teamId, createdBy } = website
      const { slug = null, url = null, passQuery = 'utm' } = website
      const room = roomOf(kind, website, most)
      try {
        const [created] = await store.write(
          [
            `INSERT INTO websites (id, name, domain, search, user_id, team_id, created_by, created_at, updated_at,
             kind, slug, url, pass_query)
           SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?10, ?11, ?12, ?13
           WHERE NOT EXISTS (SELECT 1 FROM shares WHERE slug = ?9)
             AND (?5 IS NULL OR EXISTS (SELECT 1 FROM users WHERE id = ?5 AND deleted_at IS NULL))
             AND (?6 IS NULL OR EXISTS (SELECT 1 FROM teams WHERE id = ?6 AND deleted_at IS NULL))
             AND ${room.left('?14')}`,
            id,
            name,
            domain,
            searchOf(name, domain, url, slug),
            userId,
            teamId,
            createdBy,
            store.now,
            share?.slug ?? null,
            kind,
            slug,
            url,
            passQuery,
            ...room.values,
          ],
          ...(share
            ? [insertShare(crypto.randomUUID(), { kind: 'website', id, userId, teamId }, share, store.now)]
            : []),
        )
        if (created === 1) return undefined
        if (await room.isFull(store)) throw room.refusal()
        return share && (await isSlugTaken(share.slug, id)) ? 'slug' : 'owner'
      } catch (error) {
        // The id of a deleted website remains taken.
        if (isTaken(error, 'websites.id')) return 'id'
        if (isTaken(error, 'websites.kind')) return 'slug'
        throw error
      }
    },

    read: (id: string): Promise<Website | undefined> => store.one(websiteOf<WebsiteRow>, websiteById, id),

    /**
     * Changes the given fields and the shares. On failure, changes nothing and returns the reason: another share has
     * the slug, or the website or its owner has changed since it was read.
     */
    async update(website: Website, change: WebsiteChange): Promise<'slug' | 'stale' | undefined> {
      const [name, domain] = [change.name ?? website.name, change.domain ?? website.domain]
      const json = (value: object | null | undefined): string | null => (value ? JSON.stringify(value) : null)
      const isGiven = (value: unknown): number => (value === undefined ? 0 : 1)
      const [updated] = await store.write(
        [
          `UPDATE websites SET name = ?2, domain = ?3, search = ?4, replay_config = iif(?5, ?6, replay_config),
           public = iif(?7, ?8, public), updated_at = ?9, retention = iif(?14, ?15, retention)
         WHERE id = ?1 AND deleted_at IS NULL AND name = ?10 AND domain = ?11 AND replay_config IS ?12
           AND user_id IS ?16 AND team_id IS ?17
           AND NOT EXISTS (SELECT 1 FROM shares WHERE slug = ?13 AND shares.id IS NOT ${ofNewestShare('id', 'websites.id')})`,
          website.id,
          name,
          domain,
          searchOf(name, domain),
          isGiven(change.replayConfig),
          json(change.replayConfig),
          isGiven(change.public),
          json(change.public),
          store.now,
          website.name,
          website.domain,
          json(website.replayConfig),
          change.share?.slug ?? null,
          isGiven(change.retention),
          json(change.retention),
          website.userId,
          website.teamId,
        ],
        ...sharesOf(website, change.share, store.now),
      )
      if (updated === 1) return undefined
      return change.share && (await isSlugTaken(change.share.slug, website.id)) ? 'slug' : 'stale'
    },

    /** Hides every event before the current time. */
    async reset(id: string): Promise<void> {
      await store.write([
        'UPDATE websites SET reset_at = max(ifnull(reset_at, 0), ?2), updated_at = ?2 WHERE id = ?1',
        id,
        store.now,
      ])
    },

    /**
     * Transfers the website to another owner and revokes its shares. Returns false if the user or team does not exist,
     * or if the owner has changed in the meantime.
     */
    async transfer(website: Website, to: { userId: string } | { teamId: string }): Promise<boolean> {
      const [userId, teamId] = 'userId' in to ? [to.userId, null] : [null, to.teamId]
      const [given] = await store.write(
        [
          `UPDATE websites SET user_id = ?2, team_id = ?3, updated_at = ?4
         WHERE id = ?1 AND user_id IS ?5 AND team_id IS ?6 AND deleted_at IS NULL
           AND (EXISTS (SELECT 1 FROM users WHERE id = ?2 AND deleted_at IS NULL)
             OR EXISTS (SELECT 1 FROM teams WHERE id = ?3 AND deleted_at IS NULL))`,
          website.id,
          userId,
          teamId,
          store.now,
          website.userId,
          website.teamId,
        ],
        ...endShares(website, { userId, teamId }, store.now),
      )
      return given === 1
    },

    async delete(id: string): Promise<void> {
      await store.write(['UPDATE websites SET deleted_at = ?2 WHERE id = ?1', id, store.now])
    },
  }
}
