import type { ClickHouseClient } from '@clickhouse/client-web'
import { customEvents, entryTables, events, type Table, tables } from '../../query/tables/tables.ts'
import { literal } from '../engine/literal.ts'
import { selected, texts } from './selected.ts'

/** A table that views fill from other tables. */
export interface Derived {
  readonly table: string
  /** The source tables. Each has a view `TABLE_from_SOURCE`. */
  readonly sources: readonly string[]
  /**
   * The column with the number of events or properties that a row counts. Without this column, each row counts as one.
   */
  readonly counts?: Table['measure']
  /** Whether some columns contain minima or maxima, which cannot be corrected by adding rows. */
  readonly hasExtremes?: true
  /** An SQL expression for the month of a row, as `toYYYYMM` writes it. */
  readonly month: string
  /**
   * Set if `ingest` fills both this table and its source directly. The condition selects the source rows that belong in
   * both. Only the common columns are compared.
   */
  readonly beside?: string
}

/** An SQL expression for the month of a row, as `toYYYYMM` writes it. */
const monthBy: Readonly<Record<Table['grain'], string>> = {
  moment: 'toYYYYMM(created_at)',
  hour: 'toYYYYMM(hour)',
  day: 'toYYYYMM(day)',
  month: 'month',
}

/** `ingest` fills both tables. Both contain the events that are custom or have properties. */
export const besideEvents: Derived = {
  table: customEvents.name,
  sources: [events.name],
  month: monthBy[customEvents.grain],
  beside: 'event_type = 2 OR has_data',
}

/** All derived tables. Sources come first, so that a table is rebuilt from sources that have already been repaired. */
export const derivedTables: readonly Derived[] = tables
  .filter(({ from, isSealed }) => !isSealed && !from.some((source) => entryTables.includes(source)))
  .map(({ name, from, measure, hasExtremes, grain }) => ({
    table: name,
    sources: from,
    ...(measure && { counts: measure }),
    ...(hasExtremes && { hasExtremes }),
    month: monthBy[grain],
  }))

/** The tables that `check` compares and `rebuild` repairs, in this order. */
export const comparedTables: readonly Derived[] = [besideEvents, ...derivedTables]

/**
 * The websites and months of a command. An empty list of websites means all. A month is a number such as 202501 for
 * January 2025.
 */
export interface Scope {
  readonly websiteIds: readonly string[]
  readonly month?: number
}

/** Websites in one month. */
export type MonthScope = Scope & { readonly month: number }

/**
 * The maximum number of website and month pairs in one statement. Each takes about 100 bytes, and ClickHouse accepts
 * statements of up to 256 KiB.
 */
const mostPlaces = 1000

/** Groups websites by month (such as 202501 for January 2025), in lists that fit into a statement. */
export function byMonth(all: readonly (readonly [month: number, websiteId: string])[]): MonthScope[][] {
  const lists: MonthScope[][] = []
  for (let start = 0; start < all.length; start += mostPlaces) {
    const months = new Map<number, string[]>()
    for (const [month, websiteId] of all.slice(start, start + mostPlaces)) {
      months.set(month, [...(months.get(month) ?? []), websiteId])
    }
    lists.push([...months].map(([month, websiteIds]) => ({ month, websiteIds })))
  }
  return lists
}

/** The rows to compare, with the columns `keys` and `n`, the number of times that they occur. */
export interface Rows {
  readonly derived: Derived
  /** Quoted column names, for SQL. */
  readonly keys: string
  /** For a table with minima or maxima, the part of `keys` that identifies a row after merges. */
  readonly identity?: string
  /**
   * Statements that select `keys` and `n`. The second statement is restricted to the scope only if the setting
   * `sourceFilter` is set.
   */
  stored(scopes: Scope | readonly Scope[]): string
  readonly expected: string
}

export async function rowsOf(client: ClickHouseClient, derived: Derived): Promise<Rows> {
  if (derived.hasExtremes) return mergedRowsOf(client, derived)
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
    stored: (scopes) => `SELECT ${columns} FROM ${table} WHERE ${within(derived, scopes)}`,
    expected: selects.map((select) => `SELECT ${columns} FROM (${select})`).join('\nUNION ALL\n'),
  }
}

/**
 * Compares rows as they will be after merges. The views select each month as a whole, so their rows are already merged.
 */
async function mergedRowsOf(client: ClickHouseClient, derived: Derived): Promise<Rows> {
  const { table, sources } = derived
  const columns = await selected<{ name: string; merge: string }>(
    client,
    `SELECT name, extract(type, '^SimpleAggregateFunction\\((\\w+),') AS merge FROM system.columns
      WHERE database = currentDatabase() AND table = {table:String} ORDER BY position`,
    { table },
  )
  const identity = columns.filter(({ merge }) => merge === '').map(({ name }) => `\`${name}\``)
  const merged = columns.map(({ name, merge }) =>
    merge === '' ? `\`${name}\`` : `${merge}(\`${name}\`) AS \`${name}\``,
  )
  const keys = columns.map(({ name }) => `\`${name}\``).join(', ')
  const selects = await Promise.all(sources.map((source) => viewSelect(client, `${table}_from_${source}`)))
  return {
    derived,
    keys,
    identity: identity.join(', '),
    stored: (scopes) => `SELECT ${keys}, toInt64(1) AS n FROM (
      SELECT ${merged.join(', ')} FROM ${table} WHERE ${within(derived, scopes)} GROUP BY ${identity.join(', ')})`,
    expected: selects.map((select) => `SELECT ${keys}, toInt64(1) AS n FROM (${select})`).join('\nUNION ALL\n'),
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

/** A condition that selects the derived table's own rows in a scope, or in any of several scopes. */
export const within = (derived: Pick<Derived, 'month'>, scopes: Scope | readonly Scope[]): string =>
  `(${[scopes]
    .flat()
    .map((one) => withinOne(derived, one))
    .join(' OR ')})`

const withinOne = ({ month }: Pick<Derived, 'month'>, scope: Scope): string =>
  [
    ...(scope.month === undefined ? [] : [`${month} = ${scope.month}`]),
    ...(scope.websiteIds.length === 0 ? [] : [`website_id IN (${scope.websiteIds.map(uuid).join(', ')})`]),
    '1',
  ].join(' AND ')

const uuid = (id: string): string => `toUUID(${literal(id)})`

/** A setting that makes a view's statement read only the scope's rows of its sources. */
export function sourceFilter({ sources }: Derived, scopes: Scope | readonly Scope[]): string {
  const filter = literal(within({ month: monthBy.moment }, scopes))
  return `additional_table_filters = {${sources.map((source) => `'${source}': ${filter}`).join(', ')}}`
}

/** The months with rows in the table or its sources, and the number of these rows. */
export async function monthsOf(
  client: ClickHouseClient,
  derived: Derived,
  scope: Scope,
): Promise<{ readonly month: number; readonly rows: number }[]> {
  const selects = [
    `SELECT ${derived.month} AS month FROM ${derived.table} WHERE ${within(derived, scope)}`,
    ...derived.sources.map(
      (source) => `SELECT ${monthBy.moment} AS month FROM ${source} WHERE ${within({ month: monthBy.moment }, scope)}`,
    ),
  ]
  const months = await selected<{ ofMonth: number; rows: string }>(
    client,
    `SELECT toUInt32(month) AS ofMonth, count() AS rows FROM (${selects.join(' UNION ALL ')})
     GROUP BY ofMonth ORDER BY ofMonth`,
  )
  return months.map(({ ofMonth, rows }) => ({ month: ofMonth, rows: Number(rows) }))
}

/**
 * A table's `PARTITION BY … ORDER BY …` without its engine, because a replicated engine contains a Keeper path that is
 * already in use.
 */
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

/** Throws for the `Distributed` tables of a cluster, because their rows are in the tables of the shards. */
export async function refuseClusterFront(client: ClickHouseClient, work: string): Promise<string | undefined> {
  const [engine] = await texts(
    client,
    "SELECT engine AS text FROM system.tables WHERE database = currentDatabase() AND name = 'events'",
  )
  if (engine && !engine.endsWith('MergeTree')) {
    throw new Error(`These are the tables in front of a cluster: ${work} each shard. See docs/clusters.md.`)
  }
  return engine
}
