import type { ClickHouseClient } from '@clickhouse/client-web'
import type { EntryTable } from '../../collect/insert.ts'
import { literal } from '../engine/literal.ts'
import { selected } from '../storage/selected.ts'
import type { EntryRow } from './made-rows.ts'

/** How an entry table's rows are found in the table that they reach. Times and ids of a batch narrow what is read. */
interface Look {
  readonly table: string
  /** The column of times, and the column of ids. */
  readonly time: string
  readonly id: string
  /** The texts that name a stored row, or its properties. */
  readonly stored: string
  keys(row: EntryRow): readonly string[]
}

const joined = (...parts: readonly unknown[]): string => JSON.stringify(parts)

const looks: Readonly<Record<EntryTable, Look>> = {
  ingest: {
    ...{ table: 'events', time: 'created_at', id: 'event_id' },
    stored: '[toString(website_id), toString(event_id)]',
    keys: (row) => [joined(row.website_id, row.event_id)],
  },
  ingest_session_data: {
    ...{ table: 'session_data ARRAY JOIN properties.key AS name', time: 'created_at', id: 'session_id' },
    stored: '[toString(session_id), toString(created_at), distinct_id, name]',
    keys: (row) => namesOf(row).map((name) => joined(row.session_id, row.created_at, row.distinct_id, name)),
  },
  ingest_replay_chunks: {
    ...{ table: 'replay_chunks', time: 'created_at', id: 'visit_id' },
    stored: '[toString(visit_id), lower(hex(hash))]',
    keys: (row) => [joined(row.visit_id, row.hash)],
  },
  ingest_heatmap_events: {
    ...{ table: 'heatmap_events', time: 'arrived_at', id: 'visit_id' },
    stored: '[toString(visit_id), lower(hex(request)), toString(place)]',
    keys: (row) => [joined(row.visit_id, row.request, String(row.place))],
  },
}

const namesOf = (row: EntryRow): readonly string[] => (row['properties.key'] as readonly string[] | undefined) ?? []

/** How many ids one statement names. */
const mostIds = 5000

/** A statement names thousands of ids. */
const settings = { max_query_size: '50000000', max_ast_elements: '1000000' } as const

/**
 * The rows of a batch that ClickHouse does not have, each once. A call of identify loses the properties that are there.
 */
export async function absent(
  client: ClickHouseClient,
  table: EntryTable,
  rows: readonly EntryRow[],
): Promise<readonly EntryRow[]> {
  const look = looks[table]
  const times = rows.map((row) => String(row[look.time])).sort()
  const scope =
    `FROM ${look.table} WHERE website_id IN (${listOf(rows, 'website_id')}) ` +
    `AND ${look.time} BETWEEN ${literal(times[0]!)} AND ${literal(times.at(-1)!)}`
  const known = new Set<string>()
  if ((await selected(client, `SELECT 1 ${scope} LIMIT 1`, {}, settings)).length > 0) {
    for (let start = 0; start < rows.length; start += mostIds) {
      const ids = listOf(rows.slice(start, start + mostIds), look.id)
      const query = `SELECT ${look.stored} AS key ${scope} AND ${look.id} IN (${ids})`
      for (const { key } of await selected<{ key: string[] }>(client, query, {}, settings)) known.add(joined(...key))
    }
  }
  return rows.flatMap((row) => missingOf(row, look, known))
}

/** What is missing of a row. It is known from then on: a batch may have it twice. */
function missingOf(row: EntryRow, { keys }: Look, known: Set<string>): readonly EntryRow[] {
  const own = keys(row)
  const missing = own.flatMap((key, place) => (known.has(key) ? [] : [place]))
  for (const key of own) known.add(key)
  if (missing.length === 0) return []
  if (missing.length === own.length) return [row]
  const columns = Object.entries(row).map(([name, value]) =>
    name.startsWith('properties.') ? [name, missing.map((place) => (value as unknown[])[place])] : [name, value],
  )
  return [Object.fromEntries(columns) as EntryRow]
}

const listOf = (rows: readonly EntryRow[], column: string): string =>
  [...new Set(rows.map((row) => literal(String(row[column]))))].join(',')
