import { type ListOptions, type Page, readPage } from './page.ts'
import type { Sql, Store } from './store.ts'

/** The maximum number of a website's replays that may be waiting for a purge, and that may be saved. */
export const mostHidden = 1000
export const mostSaved = 1000

/** The maximum number of replays remembered as watched by one user. */
const mostSeen = 10_000

/** A saved replay. Times are in milliseconds since 1970. */
interface SavedReplay {
  readonly id: string
  readonly websiteId: string
  readonly visitId: string
  readonly name: string
  readonly createdAt: number
  readonly updatedAt: number
}

const savedColumns = `id, website_id AS websiteId, visit_id AS visitId, name, created_at AS createdAt,
  updated_at AS updatedAt`

/** Selects a website's hidden replays, as JSON. `id` is an SQL expression. */
export const hiddenReplaysOf = (id: string): string =>
  `(SELECT json_group_array(visit_id) FROM (
    SELECT visit_id FROM hidden_replays WHERE website_id = ${id} ORDER BY visit_id))`

/** Selects a website's saved replays, as JSON. `id` is an SQL expression. */
export const savedReplaysOf = (id: string): string =>
  `(SELECT json_group_array(visit_id) FROM (
    SELECT visit_id FROM saved_replays WHERE website_id = ${id} ORDER BY visit_id))`

/** Forgets hidden replays that no longer exist in any table. */
export const forgetHidden = (websiteId: string, visitIds: readonly string[]): Sql[] =>
  ['hidden_replays', 'saved_replays', 'seen_replays'].map((table) => [
    `DELETE FROM ${table} WHERE website_id = ?1 AND visit_id IN (SELECT value FROM json_each(?2))`,
    websiteId,
    JSON.stringify(visitIds),
  ])

const idsOf = (rows: readonly { readonly visitId: string }[]): string[] => rows.map(({ visitId }) => visitId)

export const replays = (store: Store) => ({
  /** The visits whose replays are hidden. */
  hidden: async (websiteId: string): Promise<string[]> =>
    idsOf(
      await store.all<{ visitId: string }>(
        'SELECT visit_id AS visitId FROM hidden_replays WHERE website_id = ?1 ORDER BY visit_id',
        websiteId,
      ),
    ),

  /** Hides a replay from now on. Returns false if too many are already waiting for a purge. */
  async hide(websiteId: string, visitId: string): Promise<boolean> {
    const [added] = await store.write([
      `INSERT INTO hidden_replays (website_id, visit_id, hidden_at)
       SELECT ?1, ?2, ?3 WHERE (SELECT count(*) FROM hidden_replays WHERE website_id = ?1) < ${mostHidden}
       ON CONFLICT DO NOTHING`,
      websiteId,
      visitId,
      store.now,
    ])
    return added === 1 || (await this.hidden(websiteId)).includes(visitId)
  },

  /** Which of these replays the user has watched. */
  seen: async (userId: string, websiteId: string, visitIds: readonly string[]): Promise<Set<string>> =>
    new Set(
      idsOf(
        await store.all<{ visitId: string }>(
          `SELECT visit_id AS visitId FROM seen_replays
           WHERE user_id = ?1 AND website_id = ?2 AND visit_id IN (SELECT value FROM json_each(?3))`,
          userId,
          websiteId,
          JSON.stringify(visitIds),
        ),
      ),
    ),

  /** Records that the user has watched the replay, and deletes the oldest records. */
  async see(userId: string, websiteId: string, visitId: string): Promise<void> {
    await store.note(
      `INSERT INTO seen_replays (user_id, website_id, visit_id, seen_at) VALUES (?1, ?2, ?3, ?4)
       ON CONFLICT DO UPDATE SET seen_at = excluded.seen_at`,
      userId,
      websiteId,
      visitId,
      store.now,
    )
    await store.note(
      `DELETE FROM seen_replays WHERE user_id = ?1 AND seen_at <
         (SELECT seen_at FROM seen_replays WHERE user_id = ?1 ORDER BY seen_at DESC LIMIT 1 OFFSET ${mostSeen - 1})`,
      userId,
    )
  },

  /** The visits whose replays are saved. */
  savedVisits: async (websiteId: string): Promise<string[]> =>
    idsOf(
      await store.all<{ visitId: string }>(
        'SELECT visit_id AS visitId FROM saved_replays WHERE website_id = ?1 ORDER BY visit_id',
        websiteId,
      ),
    ),

  /** Saved replays, newest first, excluding hidden ones. With `among`, only replays of these visits. */
  saved: (websiteId: string, list: ListOptions<'fixed'>, among?: readonly string[]): Promise<Page<SavedReplay>> =>
    readPage(
      store,
      {
        columns: savedColumns,
        from: `FROM saved_replays WHERE website_id = ?1 AND instr(search, ?2) > 0 AND NOT EXISTS (
          SELECT 1 FROM hidden_replays AS hidden
          WHERE hidden.website_id = saved_replays.website_id AND hidden.visit_id = saved_replays.visit_id)
          AND (?3 = 'null' OR visit_id IN (SELECT value FROM json_each(?3)))`,
        order: 'created_at DESC, id',
      },
      [websiteId, list.search.toLowerCase(), JSON.stringify(among ?? null)],
      list,
      (row: SavedReplay) => row,
    ),

  isSaved: async (websiteId: string, visitId: string): Promise<boolean> =>
    (await store.first(
      `SELECT 1 FROM saved_replays WHERE website_id = ?1 AND visit_id = ?2 AND NOT EXISTS (
         SELECT 1 FROM hidden_replays WHERE website_id = ?1 AND visit_id = ?2)`,
      websiteId,
      visitId,
    )) !== undefined,

  /** Saves a replay. If it is already saved and a name is given, renames it. Returns false if too many are saved. */
  async save(websiteId: string, visitId: string, name: string | undefined): Promise<boolean> {
    const [changed] = await store.write([
      `INSERT INTO saved_replays (id, website_id, visit_id, name, search, created_at, updated_at)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?6 WHERE ?7 OR (
         SELECT count(*) FROM saved_replays WHERE website_id = ?2) < ${mostSaved}
       ON CONFLICT (website_id, visit_id) DO UPDATE SET
         name = iif(?8, excluded.name, name), search = iif(?8, excluded.search, search), updated_at = excluded.updated_at`,
      crypto.randomUUID(),
      websiteId,
      visitId,
      name ?? '',
      (name ?? '').toLowerCase(),
      store.now,
      (await this.isSaved(websiteId, visitId)) ? 1 : 0,
      name === undefined ? 0 : 1,
    ])
    return changed === 1
  },

  async unsave(websiteId: string, visitId: string): Promise<void> {
    await store.write(['DELETE FROM saved_replays WHERE website_id = ?1 AND visit_id = ?2', websiteId, visitId])
  },
})
