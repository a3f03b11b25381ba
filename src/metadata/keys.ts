import { type Most, roomOf } from './owned.ts'
import type { Sql, Store, Stored } from './store.ts'

/** The fields of a key that its owner chooses. */
interface KeyFields {
  readonly name: string
  readonly access: 'read' | 'write'
  /** Null allows all of its owner's websites. */
  readonly websiteIds: readonly string[] | null
  /** Allowed page origins; null allows any origin. */
  readonly origins: readonly string[] | null
  /** In milliseconds since 1970, like all times in D1. */
  readonly expiresAt: number | null
}

/** A key as it appears in a list. */
export interface ApiKey extends KeyFields {
  readonly id: string
  readonly prefix: string
  readonly createdAt: number
  /** Accurate to a few minutes; null if the key has never been used. */
  readonly lastUsedAt: number | null
}

interface NewKey extends KeyFields {
  readonly id: string
  readonly hash: string
  readonly prefix: string
  /** The owner's id; null for the operator's keys. */
  readonly userId: string | null
  /** Whether this is an operator's key that gives access to everything. */
  readonly isAdmin: boolean
}

type ApiKeyRow = Stored<ApiKey, 'websiteIds' | 'origins'> & { readonly allWebsites: number }

const apiKeyOf = ({ allWebsites, ...row }: ApiKeyRow): ApiKey => ({
  ...row,
  websiteIds: allWebsites === 1 ? null : (JSON.parse(row.websiteIds) as string[]),
  origins: JSON.parse(row.origins) as string[] | null,
})

/** If `most` is given and the owner already has that many keys, nothing is inserted. */
export const insertKey = (key: NewKey, now: number, most: Most = null): Sql[] => [
  [
    `INSERT INTO api_keys (id, name, key_hash, key_prefix, user_id, is_admin, access, all_websites, origins, expires_at, created_at)
     SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11 WHERE ${roomOfKeys(key, most).left('?12')}`,
    key.id,
    key.name,
    key.hash,
    key.prefix,
    key.userId,
    key.isAdmin ? 1 : 0,
    key.access,
    key.websiteIds === null ? 1 : 0,
    key.origins && JSON.stringify(key.origins),
    key.expiresAt,
    now,
    ...roomOfKeys(key, most).values,
  ],
  ...(key.websiteIds === null
    ? []
    : ([
        [
          `INSERT INTO api_key_websites (key_id, website_id)
           SELECT api_keys.id, value FROM api_keys, json_each(?2) WHERE api_keys.id = ?1`,
          key.id,
          JSON.stringify(key.websiteIds),
        ],
      ] as const)),
]

const roomOfKeys = ({ userId }: NewKey, most: Most) => roomOf('API key', { userId, teamId: null }, most)

/** The minimum time between two stored uses of the same key, in milliseconds. */
const usedWithin = 300_000

/** Whether a use at this time should be stored. */
export const isNewUse = (lastUsedAt: number | undefined, now: number): boolean =>
  lastUsedAt === undefined || lastUsedAt < now - usedWithin

export const apiKeys = (store: Store) => ({
  /** All of a user's keys, newest first. */
  async list(userId: string): Promise<ApiKey[]> {
    const rows = await store.all<ApiKeyRow>(
      `SELECT id, name, key_prefix AS prefix, access, all_websites AS allWebsites, ifnull(origins, 'null') AS origins,
         expires_at AS expiresAt, created_at AS createdAt, last_used_at AS lastUsedAt,
         (SELECT json_group_array(website_id ORDER BY website_id) FROM api_key_websites WHERE key_id = api_keys.id) AS websiteIds
       FROM api_keys WHERE user_id = ?1 ORDER BY created_at DESC, id`,
      userId,
    )
    return rows.map(apiKeyOf)
  },

  /** Throws a `TooManyOwnedError`. */
  async create(key: NewKey, most: Most): Promise<ApiKey> {
    const [created] = await store.write(...insertKey(key, store.now, most))
    if (created === 0) throw roomOfKeys(key, most).refusal()
    return { ...key, createdAt: store.now, lastUsedAt: null }
  },

  /** Returns false if the user has no such key. */
  async delete(id: string, userId: string): Promise<boolean> {
    const [deleted] = await store.write(['DELETE FROM api_keys WHERE id = ?1 AND user_id = ?2', id, userId])
    return deleted !== 0
  },

  /** Records that the key is being used now, unless a use was stored recently. */
  async used(id: string): Promise<void> {
    await store.note(
      'UPDATE api_keys SET last_used_at = ?2 WHERE id = ?1 AND (last_used_at IS NULL OR last_used_at < ?2 - ?3)',
      id,
      store.now,
      usedWithin,
    )
  },
})
