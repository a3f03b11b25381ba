import { forgetHidden } from './replays.ts'
import type { Sql, Store } from './store.ts'

/**
 * The maximum number of a website's deleted sessions that may be waiting for a purge. Every list of its sessions
 * contains their ids.
 */
export const mostDeleted = 1000

/** Selects a website's deleted sessions, as JSON. `id` is an SQL expression. */
export const deletedSessionsOf = (id: string): string =>
  `(SELECT json_group_array(session_id) FROM (
    SELECT session_id FROM deleted_sessions WHERE website_id = ${id} ORDER BY session_id))`

/**
 * Forgets a website's deleted sessions, their rows that ClickHouse refused, and cached answers that still count these
 * sessions.
 */
export const forgetDeleted = (websiteId: string, sessionIds: readonly string[]): Sql[] => [
  [
    'DELETE FROM deleted_sessions WHERE website_id = ?1 AND session_id IN (SELECT value FROM json_each(?2))',
    websiteId,
    JSON.stringify(sessionIds),
  ],
  [
    `DELETE FROM set_aside_rows WHERE json_extract(row, '$.website_id') = ?1
       AND json_extract(row, '$.session_id') IN (SELECT value FROM json_each(?2))`,
    websiteId,
    JSON.stringify(sessionIds),
  ],
  ['UPDATE websites SET cache_epoch = cache_epoch + 1 WHERE id = ?1', websiteId],
]

/** How many rows were deleted from a table. */
export interface Deleted {
  readonly table: string
  readonly rows: number
}

/** The number of rows that a purge of sessions deleted, and the recorded visits of these sessions. */
export interface PurgedSessions {
  readonly tables: readonly Deleted[]
  readonly visitIds: readonly string[]
}

/** Deletes sessions from every ClickHouse table. Returns undefined if that is currently impossible. */
export type PurgeSessions = (websiteId: string, sessionIds: readonly string[]) => Promise<PurgedSessions | undefined>

export const sessions = (store: Store) => {
  const isDeleted = async (websiteId: string, sessionIds: readonly string[]): Promise<boolean> => {
    const found = await store.first<{ waiting: number }>(
      `SELECT count(*) AS waiting FROM deleted_sessions
       WHERE website_id = ?1 AND session_id IN (SELECT value FROM json_each(?2))`,
      websiteId,
      JSON.stringify(sessionIds),
    )
    return found?.waiting === sessionIds.length
  }

  /**
   * Hides these sessions from now on. Their ids must be distinct. If too many would be waiting for a purge, hides none
   * and returns false.
   */
  const hide = async (websiteId: string, sessionIds: readonly string[]): Promise<boolean> => {
    const [added] = await store.write([
      `INSERT INTO deleted_sessions (website_id, session_id, deleted_at)
       SELECT ?1, value, ?3 FROM json_each(?2) WHERE (SELECT count(*) FROM (
         SELECT session_id FROM deleted_sessions WHERE website_id = ?1
         UNION SELECT value FROM json_each(?2))) <= ${mostDeleted}
       ON CONFLICT DO NOTHING`,
      websiteId,
      JSON.stringify(sessionIds),
      store.now,
    ])
    return added === sessionIds.length || (await isDeleted(websiteId, sessionIds))
  }

  /** Deletes hidden sessions from all tables. */
  const take = async (websiteId: string, sessionIds: readonly string[], purge: PurgeSessions) => {
    const purged = await purge(websiteId, sessionIds)
    if (!purged) return undefined
    const statements = [...forgetDeleted(websiteId, sessionIds), ...forgetHidden(websiteId, purged.visitIds)]
    const changed = await store.write(...statements)
    const inD1 = statements.map(([query], place) => ({
      table: /^DELETE FROM (\w+)/.exec(query)?.[1],
      rows: changed[place]!,
    }))
    return [...purged.tables, ...inD1.filter((one): one is Deleted => one.table !== undefined)]
  }

  const waiting = (websiteId: string): Promise<{ id: string }[]> =>
    store.all<{ id: string }>('SELECT session_id AS id FROM deleted_sessions WHERE website_id = ?1', websiteId)

  return {
    delete: (websiteId: string, sessionId: string): Promise<boolean> => hide(websiteId, [sessionId]),

    /**
     * Hides these sessions immediately. Their ids must be distinct. If `purge` can, also deletes them permanently, at
     * most 1,000 at a time. Returns the number of rows deleted from each table, null if the sessions are only hidden,
     * or undefined if too many are waiting for a purge.
     */
    async erase(websiteId: string, sessionIds: readonly string[], purge: PurgeSessions | undefined) {
      const isHidden = await hide(websiteId, sessionIds)
      if (!purge) return isHidden ? null : undefined
      if (!isHidden) {
        const before = (await waiting(websiteId)).map(({ id }) => id)
        if (before.length > 0 && !(await take(websiteId, before, purge))) return undefined
      }
      const rows = new Map<string, number>()
      for (let start = 0; start < sessionIds.length; start += mostDeleted) {
        const some = sessionIds.slice(start, start + mostDeleted)
        if (!isHidden && !(await hide(websiteId, some))) return undefined
        const taken = await take(websiteId, some, purge)
        if (!taken) return isHidden ? null : undefined
        for (const one of taken) rows.set(one.table, (rows.get(one.table) ?? 0) + one.rows)
      }
      return [...rows].map(([table, rows]) => ({ table, rows }))
    },
  }
}
