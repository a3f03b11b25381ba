import type { ClickHouseReader } from './clickhouse.ts'
import { behind, inOrder, isIn, listOf, type Order } from './clickhouse-conditions.ts'
import { eventPages } from './clickhouse-events.ts'
import { eventColumns } from './event-rows.ts'
import { columnsOfKind, tableOfKind } from './kinds.ts'
import type { Metadata } from './metadata.ts'
import {
  type Count,
  type Counted,
  type Cursor,
  type FirstSessions,
  type Kind,
  kinds,
  type Section,
  type Source,
  type SourcePage,
  type SourceRow,
} from './source.ts'
import { firstSessionsOf } from './split-visits.ts'
import { refuseOtherVersions } from './versions.ts'

/** The kinds for which a statement reads one page. Statements for events read more than a page. */
type Paged = Exclude<Kind, 'events'>

/**
 * The sort order of each kind's pages. Where this makes reading faster, the order begins with the columns of the
 * table's key.
 */
const orders: Readonly<Record<Paged, Order>> = {
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
const pageSizes: Readonly<Record<Paged, number>> = { sessionData: 10_000, replays: 10, heatmaps: 10_000 }

/** The data in Umami's ClickHouse. `metadata` is its PostgreSQL. A page has at most `mostRows` rows. */
export function clickHouseSource(reader: ClickHouseReader, metadata: Metadata | undefined, mostRows: number): Source {
  refuseOtherVersions(reader.columns)
  const fromOf = fromIn(reader)
  const counts = (form: string) => async (counted: Counted) =>
    countsIn(await reader.rows(await countOf(fromOf, counted, metadata, form)))
  return {
    store: 'clickhouse',
    identity: reader.identity,
    kinds: kinds.filter((kind) => reader.columns.has(tableOfKind[kind])),
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
    firstSessions: (section) => firstSessions(reader, section),
    read: (section, after) =>
      section.kind === 'events'
        ? eventPages({ reader, columns: columnsIn(reader, 'events'), mostRows }, section, after)
        : pages({ reader, metadata, fromOf, mostRows }, section, section.kind, after),
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

const firstSessions = (reader: ClickHouseReader, section: Section): Promise<FirstSessions> =>
  firstSessionsOf(section, async (span) => {
    const events = `FROM website_event WHERE website_id IN (${listOf(section.websiteIds)}) AND ${isIn(span)}`
    const rows = await reader.rows(
      `SELECT visit_id, argMin(session_id, (created_at, event_id)) AS first ${events} AND visit_id IN (
         SELECT visit_id ${events} GROUP BY visit_id HAVING min(session_id) != max(session_id))
       GROUP BY visit_id`,
    )
    return rows.map(({ visit_id, first }) => [visit_id!, first!])
  })

interface Reading {
  readonly reader: ClickHouseReader
  readonly metadata: Metadata | undefined
  fromOf(kind: Kind): Promise<string>
  readonly mostRows: number
}

/** Pages of a section. A cursor contains the values of the order's expressions. */
async function* pages(
  { reader, metadata, fromOf, mostRows }: Reading,
  { websiteIds, rows }: Section,
  kind: Paged,
  after: Cursor | undefined,
): AsyncGenerator<SourcePage> {
  const [order, page] = [orders[kind], Math.min(mostRows, pageSizes[kind])]
  const conditions = [`website_id IN (${listOf(websiteIds)})`]
  conditions.push('in' in rows ? isIn(rows.in) : `NOT (${isIn(rows.outside)})`)
  if ('in' in rows && rows.savedOnly) conditions.push(`visit_id IN (${listOf((await metadata?.savedVisits()) ?? [])})`)
  const keys = order.map(([expression], place) => `toString(${expression}) AS key_${place}`)
  for (let cursor = after; ; ) {
    const found = await reader.rows(
      `SELECT ${[...columnsIn(reader, kind), ...keys].join(', ')} ${await fromOf(kind)}
       WHERE ${[...conditions, ...(cursor ? behind(order, cursor) : [])].join(' AND ')}
       ${inOrder(order)} LIMIT ${page}`,
    )
    const last = found.at(-1)
    if (last === undefined) return
    cursor = order.map((_, place) => last[`key_${place}`]!)
    yield { events: [], rows: found, after: cursor }
    if (found.length < page) return
  }
}

/**
 * The columns of a kind in a SELECT. Columns that this version lacks are NULL. The column of the region had another
 * name in earlier versions.
 */
function columnsIn({ columns }: ClickHouseReader, kind: Kind): readonly string[] {
  const has = columns.get(tableOfKind[kind])!
  const names = kind === 'events' ? eventColumns : columnsOfKind[kind]
  return names.map((name) => {
    if (has.has(name)) return name
    return name === 'region' && has.has('subdivision1') ? 'subdivision1 AS region' : `NULL AS ${name}`
  })
}
