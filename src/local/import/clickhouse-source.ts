import { literal } from '../engine/literal.ts'
import type { ClickHouseReader } from './clickhouse.ts'
import { eventColumns } from './event-rows.ts'
import { columnsOfKind, tableOfKind } from './kinds.ts'
import type { Metadata } from './metadata.ts'
import type {
  Count,
  Counted,
  Cursor,
  Kind,
  Section,
  Source,
  SourcePage,
  SourceRecord,
  SourceRow,
  Span,
} from './source.ts'
import { instantOf } from './texts.ts'
import { refuseOtherVersions } from './versions.ts'

/**
 * How the pages of each kind are sorted, with types. Where this makes reading faster, the order begins like the table's
 * key.
 */
const orders: Readonly<Record<Kind, readonly (readonly [expression: string, type: string])[]>> = {
  events: [
    ['toStartOfHour(created_at)', "DateTime('UTC')"],
    ...(['website_id', 'session_id', 'visit_id'] as const).map((name) => [name, 'UUID'] as const),
    ['created_at', "DateTime('UTC')"],
    ['event_id', 'UUID'],
  ],
  sessionData: [
    ['website_id', 'UUID'],
    ['session_id', 'UUID'],
    ['data_key', 'String'],
  ],
  replays: [
    ['created_at', "DateTime64(6, 'UTC')"],
    ['replay_id', 'UUID'],
  ],
  heatmaps: [
    ['created_at', "DateTime('UTC')"],
    ['heatmap_event_id', 'UUID'],
  ],
}

/**
 * The number of rows in a page. It is as large as memory allows, because most statements read a column of the whole
 * table for each page.
 */
const pageSizes: Readonly<Record<Kind, number>> = { events: 5000, sessionData: 10_000, replays: 10, heatmaps: 10_000 }

/** The data in Umami's ClickHouse. `metadata` is its PostgreSQL. A page has at most `mostRows` rows. */
export function clickHouseSource(reader: ClickHouseReader, metadata: Metadata | undefined, mostRows: number): Source {
  refuseOtherVersions(reader.columns)
  const fromOf = fromIn(reader)
  const counts = (form: string) => async (counted: Counted) =>
    countsIn(await reader.rows(await countOf(fromOf, counted, metadata, form)))
  return {
    store: 'clickhouse',
    identity: reader.identity,
    kinds: (Object.keys(orders) as Kind[]).filter((kind) => reader.columns.has(tableOfKind[kind])),
    isByWebsite: false,
    canFollow: true,
    websites: async () => metadata?.websites(),
    idsOfEvents: async () =>
      (await reader.rows('SELECT DISTINCT website_id FROM website_event')).map(({ website_id }) => website_id!),
    hasSaved: async () => ((await metadata?.savedVisits()) ?? []).length > 0,
    months: counts('%Y-%m'),
    hours: counts('%Y-%m-%dT%H'),
    async outside({ kind, websiteIds, span }) {
      const query = `SELECT website_id, '' AS span, count() AS rows ${await fromOf(kind)}
        WHERE website_id IN (${listOf(websiteIds)}) AND NOT (${isIn(span)}) GROUP BY website_id`
      return countsIn(await reader.rows(query))
    },
    read: (section, after) =>
      pages({ reader, metadata, fromOf, page: Math.min(mostRows, pageSizes[section.kind]) }, section, after),
    async close() {
      await reader.close()
      await metadata?.close()
    },
  }
}

/** The `FROM` clause for a kind. After merges, Umami keeps one row for each session and key. */
function fromIn(reader: ClickHouseReader): (kind: Kind) => Promise<string> {
  const replaced = reader.rows(
    "SELECT engine FROM system.tables WHERE database = currentDatabase() AND name = 'session_data'",
  )
  replaced.catch(() => {})
  return async (kind) => {
    const isReplaced = kind === 'sessionData' && /Replacing/.test((await replaced)[0]?.engine ?? '')
    return `FROM ${tableOfKind[kind]}${isReplaced ? ' FINAL' : ''}`
  }
}

const listOf = (ids: readonly string[]): string => ids.map(literal).join(', ') || 'NULL'

/** An SQL condition on the time of a row. `DateTime` stores whole seconds, until 2106. */
const isIn = ({ from, until }: Span): string => `created_at >= ${second(from)} AND created_at < ${second(until)}`

const second = (instant: number): string =>
  `toDateTime(${Math.max(0, Math.min(Math.ceil(instant / 1000), 2 ** 32 - 1))}, 'UTC')`

async function countOf(
  fromOf: (kind: Kind) => Promise<string>,
  { kind, websiteIds, span, savedOnly = false }: Counted,
  metadata: Metadata | undefined,
  form: string,
): Promise<string> {
  const saved = savedOnly ? `AND visit_id IN (${listOf((await metadata?.savedVisits()) ?? [])})` : ''
  return `SELECT website_id, formatDateTime(created_at, '${form}', 'UTC') AS span, count() AS rows ${await fromOf(kind)}
    WHERE website_id IN (${listOf(websiteIds)}) AND ${isIn(span)} ${saved}
    GROUP BY website_id, span ORDER BY span, website_id`
}

const countsIn = (rows: readonly SourceRow[]): readonly Count[] =>
  rows.map(({ website_id, span, rows }) => ({ websiteId: website_id!, span: span!, rows: Number(rows) }))

interface Paged {
  readonly reader: ClickHouseReader
  readonly metadata: Metadata | undefined
  fromOf(kind: Kind): Promise<string>
  readonly page: number
}

/** Pages of a section. A cursor contains the values of the order's expressions. */
async function* pages(paged: Paged, section: Section, after: Cursor | undefined): AsyncGenerator<SourcePage> {
  const { reader, metadata, fromOf, page } = paged
  const { kind, websiteIds, rows } = section
  const order = orders[kind]
  const conditions = [`website_id IN (${listOf(websiteIds)})`]
  conditions.push('in' in rows ? isIn(rows.in) : `NOT (${isIn(rows.outside)})`)
  if ('in' in rows && rows.savedOnly) conditions.push(`visit_id IN (${listOf((await metadata?.savedVisits()) ?? [])})`)
  const keys = order.map(([expression], place) => `toString(${expression}) AS key_${place}`)
  for (let cursor = after; ; ) {
    const found = await reader.rows(
      `SELECT ${[...columnsIn(reader, kind), ...keys].join(', ')} ${await fromOf(kind)}
       WHERE ${[...conditions, ...(cursor ? behind(order, cursor) : [])].join(' AND ')}
       ORDER BY ${order.map(([expression]) => expression).join(', ')} LIMIT ${page}`,
    )
    const last = found.at(-1)
    if (last === undefined) return
    cursor = order.map((_, place) => last[`key_${place}`]!)
    yield { records: kind === 'events' ? await withProperties(reader, found) : plain(found), after: cursor }
    if (found.length < page) return
  }
}

const plain = (rows: readonly SourceRow[]): readonly SourceRecord[] => rows.map((row) => ({ row, properties: [] }))

/** Conditions for rows after a cursor. The first condition lets the server skip earlier rows. */
function behind(order: (typeof orders)[Kind], cursor: Cursor): readonly string[] {
  const values = order.map(([, type], place) => `CAST(${literal(cursor[place]!)} AS ${type})`)
  const expressions = order.map(([expression]) => expression)
  return [`${expressions[0]} >= ${values[0]}`, `(${expressions.join(', ')}) > (${values.join(', ')})`]
}

/**
 * The columns of a kind in a SELECT. Columns that this version lacks are NULL. The region column once had another name.
 */
function columnsIn({ columns }: ClickHouseReader, kind: Kind): readonly string[] {
  const has = columns.get(tableOfKind[kind])!
  const names = kind === 'events' ? eventColumns : columnsOfKind[kind]
  return names.map((name) => {
    if (has.has(name)) return name
    return name === 'region' && has.has('subdivision1') ? 'subdivision1 AS region' : `NULL AS ${name}`
  })
}

/** How far the times of an event and its properties may differ, in milliseconds. */
const apart = 86_400_000

/** The maximum number of properties in one answer. */
const mostFound = 100_000

/**
 * The events with their properties. They are requested together, because each statement reads the times of the whole
 * table.
 */
async function withProperties(reader: ClickHouseReader, rows: readonly SourceRow[]): Promise<readonly SourceRecord[]> {
  const byEvent = new Map<string, SourceRow[]>()
  for (const property of await propertiesOf(reader, rows)) {
    const known = byEvent.get(nameOf(property))
    if (known) known.push(property)
    else byEvent.set(nameOf(property), [property])
  }
  return rows.map((row) => ({ row, properties: byEvent.get(nameOf(row)) ?? [] }))
}

const nameOf = ({ website_id, event_id }: SourceRow): string => `${website_id} ${event_id}`

async function propertiesOf(reader: ClickHouseReader, rows: readonly SourceRow[]): Promise<readonly SourceRow[]> {
  const instants = rows.map(({ created_at }) => instantOf(created_at!))
  const span = { from: Math.min(...instants) - apart, until: Math.max(...instants) + apart }
  const ids = (name: 'website_id' | 'event_id') => listOf([...new Set(rows.map((row) => row[name]!))])
  const found = await reader.rows(
    `SELECT website_id, ${columnsOfKind.properties.join(', ')} FROM event_data
     WHERE website_id IN (${ids('website_id')}) AND event_id IN (${ids('event_id')}) AND ${isIn(span)}
     ORDER BY event_id, data_key, created_at, data_type, string_value LIMIT ${mostFound}`,
  )
  if (found.length < mostFound || rows.length === 1) return found
  const half = Math.ceil(rows.length / 2)
  return [...(await propertiesOf(reader, rows.slice(0, half))), ...(await propertiesOf(reader, rows.slice(half)))]
}
