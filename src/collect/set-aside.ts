import type { D1Database } from '@cloudflare/workers-types'
import { utf8Length } from './characters.ts'
import type { EntryTable } from './insert.ts'
import { leavesRoom } from './table.ts'

/**
 * The maximum number of rows stored for the operator. A website may fill half of the room that other websites leave.
 */
const most = 1000

/**
 * The maximum size of a row that is stored, in bytes. D1 accepts rows twice as large. Only rows of recordings can be
 * larger.
 */
const longestKept = 1_000_000

/** How many rows are looked up in D1 at a time. */
const rowsAtOnce = 10

/** A row that ClickHouse refuses, with the error message. */
export interface RefusedRow {
  readonly json: string
  readonly reason: string
}

/**
 * Stores rows that ClickHouse refuses, so that `weir check` can show them. Each is stored once, even if the flush is
 * repeated. Returns the websites, links and pixels that have no room left for their rows.
 */
export async function setAside(
  database: D1Database,
  table: EntryTable,
  rows: readonly RefusedRow[],
  now: number,
): Promise<ReadonlySet<string>> {
  const counting =
    "SELECT json_extract(row, '$.website_id') AS source, count(*) AS count FROM set_aside_rows GROUP BY source"
  const { results } = await database.prepare(counting).all<{ source: string; count: number }>()
  const counts = new Map(results.map(({ source, count }) => [source, count]))
  const full = new Set<string>()
  const insert = database.prepare(
    'INSERT INTO set_aside_rows (entry_table, row, reason, created_at) VALUES (?1, ?2, ?3, ?4)',
  )
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    const some = rows.slice(start, start + rowsAtOnce)
    const select = database.prepare('SELECT 1 FROM set_aside_rows WHERE row = ?1')
    const known = await database.batch(some.map(({ json }) => select.bind(json)))
    const fitting = some.filter(({ json }, place) => known[place]!.results.length === 0 && hasRoom(json, counts, full))
    if (fitting.length > 0)
      await database.batch(fitting.map(({ json, reason }) => insert.bind(table, json, reason, now)))
  }
  return full
}

/** Whether there is room for a row. Counts it if there is. */
function hasRoom(json: string, counts: Map<string, number>, full: Set<string>): boolean {
  const { website_id: source } = JSON.parse(json) as { readonly website_id: string }
  const own = counts.get(source) ?? 0
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
  if (utf8Length(json) > longestKept || !leavesRoom(own + 1, all - own, most)) {
    full.add(source)
    return false
  }
  counts.set(source, own + 1)
  return true
}
