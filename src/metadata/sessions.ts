import type { Sql, Store } from './store.ts'

/** The most deleted sessions of a website that may wait for a purge. Every list of its sessions names them. */
export const mostDeleted = 1000

/** Selects the deleted sessions of a website, as JSON; `id` is an SQL expression. */
export const deletedSessionsOf = (id: string): string =>
  `(SELECT json_group_array(session_id) FROM (
    SELECT session_id FROM deleted_sessions WHERE website_id = ${id} ORDER BY session_id))`

/** Forgets deleted sessions of a website, and the cached answers that still count them. */
export const forgetDeleted = (websiteId: string, sessionIds: readonly string[]): Sql[] => [
  [
    'DELETE FROM deleted_sessions WHERE website_id = ?1 AND session_id IN (SELECT value FROM json_each(?2))',
    websiteId,
    JSON.stringify(sessionIds),
  ],
  ['UPDATE websites SET cache_epoch = cache_epoch + 1 WHERE id = ?1', websiteId],
]

export const sessions = (store: Store) => ({
  /** Hides a session from now on. Returns false if too many wait for a purge already. */
  async delete(websiteId: string, sessionId: string): Promise<boolean> {
    const [added] = await store.write([
      `INSERT INTO deleted_sessions (website_id, session_id, deleted_at)
       SELECT ?1, ?2, ?3 WHERE (SELECT count(*) FROM deleted_sessions WHERE website_id = ?1) < ${mostDeleted}
       ON CONFLICT DO NOTHING`,
      websiteId,
      sessionId,
      store.now,
    ])
    return added === 1 || (await isDeleted(store, websiteId, sessionId))
  },
})

const isDeleted = async (store: Store, websiteId: string, sessionId: string): Promise<boolean> =>
  (await store.first(
    'SELECT 1 FROM deleted_sessions WHERE website_id = ?1 AND session_id = ?2',
    websiteId,
    sessionId,
  )) !== undefined
