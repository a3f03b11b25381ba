import type { ClickHouseClient } from '@clickhouse/client-web'
import { literal } from '../../engine/literal.ts'
import { selected } from '../../storage/selected.ts'
import type { EntryRow } from '../made-rows.ts'
import { type Kind, kinds } from '../source.ts'
import { entryTables } from '../writer.ts'

/** The number of rows of a kind on a UTC day. */
export interface Day {
  readonly kind: Kind
  /** `2026-11-29`. */
  readonly day: string
  readonly rows: number
}

/** Weir's table for each kind, its time column, and the columns whose form differs in the entry table. */
const tables: Readonly<Record<Kind, { name: string; time: string; forms?: Readonly<Record<string, string>> }>> = {
  events: { name: 'events', time: 'created_at' },
  sessionData: { name: 'session_data', time: 'created_at' },
  replays: { name: 'replay_chunks', time: 'created_at', forms: { hash: 'lower(hex(hash))' } },
  heatmaps: { name: 'heatmap_events', time: 'arrived_at', forms: { request: 'lower(hex(request))' } },
}

/** Whether a column contains properties. Properties of events are in `custom_events`. */
const ofProperties = (name: string): boolean => name.startsWith('properties.')

/** With these settings, numbers keep all of their digits, and UTF-8 texts keep their bytes. */
const settings = {
  output_format_json_quote_decimals: 1,
  output_format_json_quote_64bit_integers: 1,
  // Both tables are sorted by the key, so the join need not hold half of a day in memory.
  join_algorithm: 'full_sorting_merge',
} as const

/** The number of rows by day, for every kind that these tables have. */
export async function daysIn(client: ClickHouseClient): Promise<Day[]> {
  const days: Day[] = []
  for (const kind of kinds) {
    const { name, time } = tables[kind]
    if ((await columnsOf(client, name)).length === 0) continue
    const query = `SELECT toString(toDate32(${time})) AS day, toUInt32(count()) AS rows FROM ${name} GROUP BY day ORDER BY day`
    for (const { day, rows } of await selected<Omit<Day, 'kind'>>(client, query)) days.push({ kind, day, rows })
  }
  return days
}

/** The number of rows of each kind in these tables. */
export async function countsIn(client: ClickHouseClient): Promise<ReadonlyMap<Kind, number>> {
  const counts = new Map<Kind, number>()
  for (const kind of kinds) {
    const [found] = await selected<{ rows: number }>(
      client,
      `SELECT toUInt32(count()) AS rows FROM ${tables[kind].name}`,
    )
    counts.set(kind, found!.rows)
  }
  return counts
}

/** The columns of the entry table of each kind in this database. */
export async function entryColumns(client: ClickHouseClient): Promise<ReadonlyMap<Kind, ReadonlySet<string>>> {
  const columns = new Map<Kind, ReadonlySet<string>>()
  for (const kind of kinds) columns.set(kind, new Set(await columnsOf(client, entryTables[kind])))
  return columns
}

/** The rows of a day in batches, in the form of their entry table. Empty columns are left out. */
export async function* rowsOfDay(client: ClickHouseClient, { kind, day }: Day) {
  const result = await client.query({
    query: await selectOf(client, kind, day),
    format: 'JSONEachRow',
    clickhouse_settings: settings,
  })
  for await (const some of result.stream<Record<string, unknown>>()) {
    yield some.map((row) => withoutEmpty(row.json()))
  }
}

const withoutEmpty = (row: Record<string, unknown>): EntryRow =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== '' && value !== null)) as EntryRow

/** Selects only columns that both tables have, because another version may have others. */
async function selectOf(client: ClickHouseClient, kind: Kind, day: string): Promise<string> {
  const { name, time, forms = {} } = tables[kind]
  const [entry, own] = [await columnsOf(client, entryTables[kind]), new Set(await columnsOf(client, name))]
  const columns = entry.filter((column) => own.has(column))
  const isOfDay = `toDate32(${time}) = ${literal(day)}`
  const select = `SELECT ${columns.map((column) => (forms[column] ? `${forms[column]} AS ${column}` : column)).join(', ')}
    FROM ${name} WHERE ${isOfDay}`
  if (kind !== 'events') return select
  const properties = entry.filter(ofProperties).join(', ')
  // An event is stored in one table, then its properties in the other. In between, the event is left out.
  return `SELECT * EXCEPT has_data FROM (${select.replace('FROM', ', has_data FROM')}) AS event ANY LEFT JOIN (
      SELECT website_id, created_at, event_id, ${properties} FROM custom_events WHERE ${isOfDay}
    ) AS custom USING (website_id, created_at, event_id) WHERE NOT has_data OR notEmpty(properties.key)`
}

/** The stored columns of a table, in the table's order. Empty if there is no such table. */
async function columnsOf(client: ClickHouseClient, table: string): Promise<string[]> {
  const query = `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {table:String}
    AND default_kind != 'ALIAS' ORDER BY position`
  return (await selected<{ name: string }>(client, query, { table })).map(({ name }) => name)
}
