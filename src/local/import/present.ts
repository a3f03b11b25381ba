import type { ClickHouseClient } from '@clickhouse/client-web'
import type { EntryTable } from '../../collect/insert.ts'
import { literal } from '../engine/literal.ts'
import { selected } from '../storage/selected.ts'
import type { EntryRow } from './made-rows.ts'

/** A row of an entry table as a line of JSON, with the values that identify it in ClickHouse. */
export interface EntryLine {
  readonly line: string
  readonly websiteId: string
  readonly time: string
  readonly id: string
  /** The keys of its stored rows. An identify call has one key for each property; other rows have one key. */
  readonly keys: readonly string[]
}

/**
 * How to find the rows of an entry table in the table that stores them. The times and ids of a batch limit how much is
 * read.
 */
interface Look {
  readonly table: string
  /** The column with the times, and the column with the ids. */
  readonly time: string
  readonly id: string
  /** The expression for the key of a stored row, or of its property. */
  readonly stored: string
  keys(row: EntryRow): readonly (readonly unknown[])[]
}

const joined = (websiteId: string, key: readonly unknown[]): string => JSON.stringify([websiteId, ...key])

/** The names of a call's properties. For a call without properties, a single empty name. */
function namesOf(row: EntryRow): readonly string[] {
  const names = (row['properties.key'] as readonly string[] | undefined) ?? []
  return names.length > 0 ? names : ['']
}

const looks: Readonly<Record<EntryTable, Look>> = {
  ingest: {
    ...{ table: 'events', time: 'created_at', id: 'event_id' },
    stored: '[toString(event_id)]',
    keys: (row) => [[row.event_id]],
  },
  ingest_session_data: {
    ...{ table: 'session_data LEFT ARRAY JOIN properties.key AS name', time: 'created_at', id: 'session_id' },
    stored: '[toString(session_id), toString(created_at), distinct_id, name]',
    keys: (row) => namesOf(row).map((name) => [row.session_id, row.created_at, row.distinct_id, name]),
  },
  ingest_replay_chunks: {
    ...{ table: 'replay_chunks', time: 'created_at', id: 'visit_id' },
    stored: '[toString(visit_id), lower(hex(hash))]',
    keys: (row) => [[row.visit_id, row.hash]],
  },
  ingest_heatmap_events: {
    ...{ table: 'heatmap_events', time: 'arrived_at', id: 'visit_id' },
    stored: '[toString(visit_id), lower(hex(request)), toString(place)]',
    keys: (row) => [[row.visit_id, row.request, String(row.place)]],
  },
}

export function entryLine(table: EntryTable, row: EntryRow): EntryLine {
  const { time, id, keys } = looks[table]
  return {
    line: JSON.stringify(row),
    websiteId: row.website_id,
    time: String(row[time]),
    id: String(row[id]),
    keys: keys(row).map((key) => joined(row.website_id, key)),
  }
}

/** The maximum number of ids in one statement. */
const mostIds = 5000

/** A statement contains thousands of ids. */
const settings = { max_query_size: '50000000', max_ast_elements: '1000000' } as const

/**
 * The lines of a batch that ClickHouse does not have yet, each once. An identify call keeps only the properties that
 * ClickHouse lacks. Ids are looked up only for lines between the first and last stored row of their website. In a first
 * import, that is rare. The keys in `known` count as stored; those of the batch are added.
 */
export async function absent(
  client: ClickHouseClient,
  table: EntryTable,
  lines: readonly EntryLine[],
  known: Set<string>,
): Promise<readonly string[]> {
  const look = looks[table]
  const begun = await selected<{ website: string; first: string; last: string }>(
    client,
    `SELECT toString(website_id) AS website, toString(min(${look.time})) AS first, toString(max(${look.time})) AS last
     FROM ${look.table} WHERE ${scopeOf(look, lines)} GROUP BY website_id`,
    {},
    settings,
  )
  const spans = new Map(begun.map((span) => [span.website, span]))
  const doubtful = lines.filter(({ websiteId, time }) => {
    const span = spans.get(websiteId)
    return span !== undefined && time >= span.first && time <= span.last
  })
  for (let start = 0; start < doubtful.length; start += mostIds) {
    const some = doubtful.slice(start, start + mostIds)
    const ids = listOf(some.map(({ id }) => id))
    const query = `SELECT toString(website_id) AS website, ${look.stored} AS key FROM ${look.table}
      WHERE ${scopeOf(look, some)} AND ${look.id} IN (${ids})`
    const found = await selected<{ website: string; key: string[] }>(client, query, {}, settings)
    for (const { website, key } of found) known.add(joined(website, key))
  }
  return lines.flatMap((line) => missingOf(line, known))
}

/** A condition for the rows of these websites between the first and last time in these lines. */
function scopeOf({ time }: Look, lines: readonly EntryLine[]): string {
  const ids = listOf(lines.map(({ websiteId }) => websiteId))
  let [first, last] = [lines[0]!.time, lines[0]!.time]
  for (const line of lines) {
    if (line.time < first) first = line.time
    if (line.time > last) last = line.time
  }
  return `website_id IN (${ids}) AND ${time} BETWEEN ${literal(first)} AND ${literal(last)}`
}

/** The part of a line that ClickHouse lacks. This part then counts as stored, because a batch may contain it twice. */
function missingOf({ line, keys }: EntryLine, known: Set<string>): readonly string[] {
  const missing = keys.flatMap((key, place) => (known.has(key) ? [] : [place]))
  for (const key of keys) known.add(key)
  if (missing.length === 0) return []
  if (missing.length === keys.length) return [line]
  const columns = Object.entries(JSON.parse(line) as EntryRow).map(([name, value]) =>
    name.startsWith('properties.') ? [name, missing.map((place) => (value as unknown[])[place])] : [name, value],
  )
  return [JSON.stringify(Object.fromEntries(columns))]
}

const listOf = (ids: readonly string[]): string => [...new Set(ids)].map(literal).join(',')
