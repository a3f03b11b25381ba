import type { ClickHouseClient } from '@clickhouse/client-web'
import { customEvents, events, type Table, tables } from '../query/tables.ts'

/** A table that holds nothing of its own: it is what its views select from its sources. */
export interface Derived {
  readonly table: string
  /** Each has a view `TABLE_from_SOURCE`. */
  readonly sources: readonly string[]
  /** The column that says how often the others occurred; without it each row stands for itself. */
  readonly counts?: Table['measure']
  /** The month of a row as `toYYYYMM` writes it, in SQL. */
  readonly month: string
  /**
   * Which rows of its source it holds too, where no view derives it: both tables are filled from `ingest`, and are compared
   * in the columns that they share.
   */
  readonly beside?: string
}

/** The month of a row as `toYYYYMM` writes it, in SQL. */
const monthBy: Readonly<Record<Table['grain'], string>> = {
  moment: 'toYYYYMM(created_at)',
  day: 'toYYYYMM(day)',
  month: 'month',
}

/** Both are filled from `ingest`: an event that is custom, or has properties, stands in both. */
export const besideEvents: Derived = {
  table: customEvents.name,
  sources: [events.name],
  month: monthBy[customEvents.grain],
  beside: 'event_type = 2 OR has_data',
}

/** In this order a rebuilt table is compared with sources that are right. */
export const derivedTables: readonly Derived[] = tables
  .filter(({ from }) => from.length > 0)
  .map(({ name, from, measure, grain }) => ({
    table: name,
    sources: from,
    ...(measure && { counts: measure }),
    month: monthBy[grain],
  }))

/** What `check` compares and `rebuild` puts right, in this order. */
export const comparedTables: readonly Derived[] = [besideEvents, ...derivedTables]

/** What a command is about. No website: all of them. A month is 202501 for January 2025. */
export interface Scope {
  readonly websiteIds: readonly string[]
  readonly month?: number
}

/** Rows to compare: the columns `keys`, and `n`, how often they occur. */
export interface Rows {
  readonly derived: Derived
  /** Quoted names, for SQL. */
  readonly keys: string
  /** Statements that select `keys` and `n`. The second holds only with the setting `sourceFilter`. */
  stored(scope: Scope): string
  readonly expected: string
}

export async function rowsOf(client: ClickHouseClient, derived: Derived): Promise<Rows> {
  const { table, sources, counts, beside } = derived
  const names = beside === undefined ? await columnsOf(client, table) : await sharedColumns(client, table, sources[0]!)
  const keys = names
    .filter((name) => name !== counts)
    .map((name) => `\`${name}\``)
    .join(', ')
  const columns = `${keys}, ${counts ?? 'toInt64(1)'} AS n`
  const selects =
    beside === undefined
      ? await Promise.all(sources.map((source) => viewSelect(client, `${table}_from_${source}`)))
      : [`SELECT ${keys} FROM ${sources[0]} WHERE ${beside}`]
  return {
    derived,
    keys,
    stored: (scope) => `SELECT ${columns} FROM ${table} WHERE ${within(derived, scope)}`,
    expected: selects.map((select) => `SELECT ${columns} FROM (${select})`).join('\nUNION ALL\n'),
  }
}

const columnsOf = (client: ClickHouseClient, table: string): Promise<string[]> =>
  texts(
    client,
    `SELECT name AS text FROM system.columns
     WHERE database = currentDatabase() AND table = {name:String} AND default_kind = '' ORDER BY position`,
    table,
  )

async function sharedColumns(client: ClickHouseClient, left: string, right: string): Promise<string[]> {
  const others = new Set(await columnsOf(client, right))
  return [...(await columnsOf(client, left)).filter((name) => others.has(name)), 'has_data']
}

/** Rows of the derived table itself. */
export const within = ({ month }: Pick<Derived, 'month'>, scope: Scope): string =>
  [
    ...(scope.month === undefined ? [] : [`${month} = ${scope.month}`]),
    ...(scope.websiteIds.length === 0 ? [] : [`website_id IN (${scope.websiteIds.map(uuid).join(', ')})`]),
    '1',
  ].join(' AND ')

const uuid = (id: string): string => `toUUID(${text(id)})`

/** A setting under which the statement of a view reads no more of its sources than the scope. */
export function sourceFilter({ sources }: Derived, scope: Scope): string {
  const filter = text(within({ month: monthBy.moment }, scope))
  return `additional_table_filters = {${sources.map((source) => `'${source}': ${filter}`).join(', ')}}`
}

const text = (value: string): string => `'${value.replace(/[\\']/g, '\\$&')}'`

/** Months of which the table or its sources hold anything. */
export async function monthsOf(client: ClickHouseClient, derived: Derived, scope: Scope): Promise<number[]> {
  const selects = [
    `SELECT DISTINCT ${derived.month} AS month FROM ${derived.table} WHERE ${within(derived, scope)}`,
    ...derived.sources.map(
      (source) =>
        `SELECT DISTINCT ${monthBy.moment} AS month FROM ${source} WHERE ${within({ month: monthBy.moment }, scope)}`,
    ),
  ]
  const months = await texts(
    client,
    `SELECT DISTINCT toString(month) AS text FROM (${selects.join(' UNION ALL ')}) ORDER BY text`,
  )
  return months.map(Number)
}

/** `PARTITION BY … ORDER BY …` of a table. Not its engine: a replicated one names its path in Keeper, which is taken. */
export async function orderOf(client: ClickHouseClient, table: string): Promise<string> {
  const [order] = await texts(
    client,
    `SELECT concat(if(partition_key = '', '', concat('PARTITION BY ', partition_key)),
       ' PRIMARY KEY (', primary_key, ') ORDER BY (', sorting_key, ')') AS text
     FROM system.tables WHERE database = currentDatabase() AND name = {name:String}`,
    table,
  )
  return order ?? ''
}

async function viewSelect(client: ClickHouseClient, view: string): Promise<string> {
  const [select] = await texts(
    client,
    'SELECT as_select AS text FROM system.tables WHERE database = currentDatabase() AND name = {name:String}',
    view,
  )
  if (!select) throw new Error(`There is no view ${view}. Run the migrations first.`)
  return select
}

export async function texts(client: ClickHouseClient, query: string, name = ''): Promise<string[]> {
  const result = await client.query({ query, query_params: { name }, format: 'JSONEachRow' })
  return (await result.json<{ text: string }>()).map(({ text }) => text)
}

/** Rows of a cluster lie in the tables of its shards. */
export async function refuseClusterFront(client: ClickHouseClient, work: string): Promise<void> {
  const [engine] = await texts(
    client,
    "SELECT engine AS text FROM system.tables WHERE database = currentDatabase() AND name = 'events'",
  )
  if (engine && !engine.endsWith('MergeTree')) {
    throw new Error(`These are the tables in front of a cluster: ${work} each shard. See Clusters in docs/storage.md.`)
  }
}
