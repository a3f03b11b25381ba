import { randomUUID } from 'node:crypto'
import type { D1Database } from '@cloudflare/workers-types'
import { hashOf, newKey, prefixOf } from '../../access/api-key.ts'
import { insertEntry } from '../../metadata/audit.ts'
import { insertKey } from '../../metadata/keys.ts'
import type { Sql } from '../../metadata/store.ts'

interface ListedKey {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly access: 'read' | 'write'
  /** What the key gives access to: everything (`admin`), the websites with these ids, or an owner's websites. */
  readonly opens: string
  /** Milliseconds since 1970, like all times of D1. */
  readonly expiresAt: number | null
  readonly lastUsedAt: number | null
}

/** The scope of an operator's new key: everything, or read access to the listed websites. */
export type KeyScope = (
  | { readonly admin: true }
  | { readonly admin: false; readonly websiteIds: readonly string[] }
) & {
  readonly access: 'read' | 'write'
  readonly origins?: readonly string[] | undefined
  readonly expiresAt?: number | undefined
}

/** A new key, its id, and the statements that store its hash. The key itself appears nowhere else. */
export async function prepareKey(name: string, scope: KeyScope, now: number) {
  const [id, key] = [randomUUID(), newKey()]
  const inserts = insertKey(
    {
      id,
      name,
      hash: await hashOf(key),
      prefix: prefixOf(key),
      userId: null,
      isAdmin: scope.admin,
      access: scope.access,
      websiteIds: scope.admin ? null : scope.websiteIds,
      origins: scope.origins ?? null,
      expiresAt: scope.expiresAt ?? null,
    },
    now,
  )
  return { id, key, inserts }
}

export async function createKey(database: D1Database, name: string, scope: KeyScope, now: number): Promise<string> {
  const { key, inserts } = await prepareKey(name, scope, now)
  await database.batch(inserts.map(([query, ...values]) => database.prepare(query).bind(...values)))
  return key
}

/** The ids of the objects that a command changed, by kind. */
export type Subjects = Readonly<Record<string, string>>

/** The statement that adds a command to the audit log, with its words and the names of its flags. */
export const entryOfCommand = (words: string, fields: readonly string[], subjects: Subjects, now = Date.now()): Sql =>
  insertEntry(
    {
      ...{ actor: { kind: 'operator', id: null, name: null }, action: `weir ${words}`, network: null },
      fields,
      subjects,
    },
    now,
  )

/** The statements as one piece of SQL, for `wrangler d1 execute --remote`. */
export const asScript = (statements: readonly Sql[]): string =>
  statements
    .map(([query, ...values]) => {
      const line = query.replaceAll(/\s*\n\s*/g, ' ')
      return `${line.replaceAll(/\?(\d+)/g, (_, place: string) => literal(values[Number(place) - 1]!))};`
    })
    .join('\n')

const literal = (value: Sql[number]): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value ?? 'NULL')

export async function listKeys(database: D1Database): Promise<ListedKey[]> {
  const { results } = await database
    .prepare(
      `SELECT api_keys.id, name, key_prefix AS prefix, access, expires_at AS expiresAt, last_used_at AS lastUsedAt,
         CASE WHEN is_admin THEN 'admin' WHEN all_websites THEN 'all of ' || coalesce(username, 'nobody')
           ELSE coalesce((SELECT group_concat(website_id, ' ') FROM api_key_websites WHERE key_id = api_keys.id), 'nothing')
         END AS opens
       FROM api_keys LEFT JOIN users ON users.id = user_id ORDER BY api_keys.created_at, api_keys.id`,
    )
    .all<ListedKey>()
  return results
}

/** Returns whether the key existed. */
export async function deleteKey(database: D1Database, id: string): Promise<boolean> {
  const { meta } = await database.prepare('DELETE FROM api_keys WHERE id = ?1').bind(id).run()
  return meta.changes > 0
}
