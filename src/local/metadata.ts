import { randomUUID } from 'node:crypto'
import type { D1Database } from '@cloudflare/workers-types'
import { hashOf, newKey, prefixOf } from '../access/api-key.ts'

/** An API key as a list shows it. */
export interface ListedKey {
  readonly id: string
  readonly name: string
  readonly prefix: string
  /** `admin`, or the websites it opens. */
  readonly opens: string
}

/** What a new key may do: everything, or read the listed websites. */
export type KeyScope = { readonly admin: true } | { readonly admin: false; readonly websiteIds: readonly string[] }

/** A statement for D1 with its values. */
interface Insert {
  readonly query: string
  readonly values: readonly (string | number)[]
}

/** A new key, shown here and nowhere else, and the statements that store its hash. */
export async function prepareKey(
  name: string,
  scope: KeyScope,
  now: number,
): Promise<{ key: string; inserts: Insert[] }> {
  const key = newKey()
  const id = randomUUID()
  const insert = {
    query:
      'INSERT INTO api_keys (id, name, key_hash, key_prefix, is_admin, access, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    values: [id, name, await hashOf(key), prefixOf(key), scope.admin ? 1 : 0, scope.admin ? 'write' : 'read', now],
  }
  const websites = (scope.admin ? [] : scope.websiteIds).map((websiteId) => ({
    query: 'INSERT INTO api_key_websites (key_id, website_id) VALUES (?, ?)',
    values: [id, websiteId],
  }))
  return { key, inserts: [insert, ...websites] }
}

export async function createKey(database: D1Database, name: string, scope: KeyScope, now: number): Promise<string> {
  const { key, inserts } = await prepareKey(name, scope, now)
  await database.batch(inserts.map(({ query, values }) => database.prepare(query).bind(...values)))
  return key
}

/** The statements as one SQL text, for `wrangler d1 execute --remote`. */
export const asScript = (inserts: readonly Insert[]): string =>
  inserts
    .map(({ query, values }) =>
      query.split('?').reduce((text, piece, index) => text + literal(values[index - 1]!) + piece),
    )
    .map((statement) => `${statement};`)
    .join('\n')

const literal = (value: string | number): string =>
  typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`

export async function listKeys(database: D1Database): Promise<ListedKey[]> {
  const { results } = await database
    .prepare(
      `SELECT id, name, key_prefix AS prefix,
         iif(is_admin, 'admin', (SELECT group_concat(website_id, ' ') FROM api_key_websites WHERE key_id = api_keys.id)) AS opens
       FROM api_keys ORDER BY created_at, id`,
    )
    .all<ListedKey>()
  return results
}

/** Whether there was such a key. */
export async function deleteKey(database: D1Database, id: string): Promise<boolean> {
  const [, deleted] = await database.batch([
    database.prepare('DELETE FROM api_key_websites WHERE key_id = ?').bind(id),
    database.prepare('DELETE FROM api_keys WHERE id = ?').bind(id),
  ])
  return deleted!.meta.changes === 1
}
