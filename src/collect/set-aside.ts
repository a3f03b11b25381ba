import type { D1Database } from '@cloudflare/workers-types'
import type { EntryTable } from './insert.ts'

/** How many rows are kept for the operator. Later ones replace the oldest. */
const most = 1000

/** Keeps a row that ClickHouse refuses, for `weir check` to show. A repeated flush keeps it once. */
export async function setAside(
  database: D1Database,
  table: EntryTable,
  json: string,
  reason: string,
  now: number,
): Promise<void> {
  await database.batch([
    database
      .prepare(
        `INSERT INTO set_aside_rows (entry_table, row, reason, created_at)
         SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS (SELECT 1 FROM set_aside_rows WHERE row = ?2)`,
      )
      .bind(table, json, reason, now),
    database.prepare('DELETE FROM set_aside_rows WHERE id <= (SELECT max(id) FROM set_aside_rows) - ?1').bind(most),
  ])
}
