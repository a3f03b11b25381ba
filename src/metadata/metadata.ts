import type { D1Database } from '@cloudflare/workers-types'
import { memo } from './memo.ts'

export interface Website {
  readonly id: string
  readonly name: string
  readonly domain: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
}

export interface ApiKey {
  readonly keyHash: string
  readonly isAdmin: boolean
  readonly websiteIds: readonly string[]
}

/** Which websites to list, and in what order. */
export interface WebsiteList {
  /** Only these; every website where undefined. */
  readonly among: readonly string[] | undefined
  readonly search: string
  readonly orderBy: 'name' | 'domain' | 'createdAt'
  readonly descending: boolean
  readonly limit: number
  readonly offset: number
}

/** How long what was read may be used again, in milliseconds: a deleted key or website is gone everywhere after it. */
const freshFor = 10_000

const apiKeys = memo<ApiKey | undefined>(10_000, freshFor)
const websites = memo<Website | undefined>(10_000, freshFor)

export type Metadata = ReturnType<typeof metadata>

/** Websites and API keys, kept in D1. `now` is the moment of the request. */
export const metadata = (database: D1Database, now: number) => ({
  /** The key with this hash. */
  apiKey: (keyHash: string): Promise<ApiKey | undefined> =>
    apiKeys(keyHash, now, async () => {
      const row = await database
        .prepare(
          `SELECT key_hash, is_admin,
             (SELECT json_group_array(website_id) FROM api_key_websites WHERE key_id = api_keys.id) AS website_ids
           FROM api_keys WHERE key_hash = ?`,
        )
        .bind(keyHash)
        .first<{ key_hash: string; is_admin: number; website_ids: string }>()
      return row
        ? { keyHash: row.key_hash, isAdmin: row.is_admin === 1, websiteIds: JSON.parse(row.website_ids) as string[] }
        : undefined
    }),

  website: (id: string): Promise<Website | undefined> =>
    websites(id, now, async () => {
      const row = await database
        .prepare('SELECT id, name, domain, created_at, updated_at FROM websites WHERE id = ? AND deleted_at IS NULL')
        .bind(id)
        .first<WebsiteRow>()
      return row ? websiteOf(row) : undefined
    }),

  async websites(list: WebsiteList): Promise<{ count: number; data: Website[] }> {
    const among = list.among === undefined ? null : JSON.stringify(list.among)
    const where = `deleted_at IS NULL
      AND (?1 IS NULL OR id IN (SELECT value FROM json_each(?1)))
      AND instr(search, ?2) > 0`
    const order = { name: 'name COLLATE NOCASE', domain: 'domain COLLATE NOCASE', createdAt: 'created_at' }[
      list.orderBy
    ]
    const direction = list.descending ? 'DESC' : 'ASC'
    const [counted, page] = await database.batch<WebsiteRow & { count: number }>([
      database.prepare(`SELECT count(*) AS count FROM websites WHERE ${where}`).bind(among, list.search.toLowerCase()),
      database
        .prepare(
          `SELECT id, name, domain, created_at, updated_at FROM websites WHERE ${where}
           ORDER BY ${order} ${direction}, id LIMIT ?3 OFFSET ?4`,
        )
        .bind(among, list.search.toLowerCase(), list.limit, list.offset),
    ])
    return { count: counted!.results[0]!.count, data: page!.results.map(websiteOf) }
  },

  /** False where the id is taken, be it by a deleted website. */
  async createWebsite({
    id,
    name,
    domain,
  }: {
    id: string
    name: string
    domain: string
  }): Promise<Website | undefined> {
    const { meta } = await database
      .prepare(
        'INSERT INTO websites (id, name, domain, search, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
      )
      .bind(id, name, domain, `${name}\n${domain}`.toLowerCase(), now, now)
      .run()
    websites.forget(id)
    return meta.changes === 1 ? { id, name, domain, createdAt: now, updatedAt: now } : undefined
  },

  async deleteWebsite(id: string): Promise<void> {
    await database.prepare('UPDATE websites SET deleted_at = ? WHERE id = ?').bind(now, id).run()
    websites.forget(id)
  },
})

interface WebsiteRow {
  readonly id: string
  readonly name: string
  readonly domain: string
  readonly created_at: number
  readonly updated_at: number
}

const websiteOf = ({ id, name, domain, created_at, updated_at }: WebsiteRow): Website => ({
  id,
  name,
  domain,
  createdAt: created_at,
  updatedAt: updated_at,
})
