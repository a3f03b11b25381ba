import type { Postgres } from './postgres.ts'
import { eventList, withProperties } from './postgres-events.ts'
import type { Count, Counted, Cursor, Kind, Section, Source, SourcePage, SourceWebsite } from './source.ts'
import { refuseOtherVersions } from './versions.ts'

/** The table of each kind, the column of its id, and how many rows a page has. */
const tables: Readonly<Record<Kind, { readonly table: string; readonly id: string; readonly page: number }>> = {
  events: { table: 'website_event', id: 'event_id', page: 10_000 },
  sessionData: { table: 'session_data', id: 'session_data_id', page: 10_000 },
  replays: { table: 'session_replay', id: 'replay_id', page: 10 },
  heatmaps: { table: 'heatmap_event', id: 'heatmap_event_id', page: 10_000 },
}

/** Columns of the kinds whose tables stand alone. */
const plainColumns: Readonly<Record<Exclude<Kind, 'events'>, readonly string[]>> = {
  sessionData: [
    ...['session_data_id', 'website_id', 'session_id', 'data_key', 'string_value', 'number_value', 'date_value'],
    ...['data_type', 'distinct_id', 'created_at'],
  ],
  replays: ['replay_id', 'website_id', 'session_id', 'visit_id', 'chunk_index', 'events', 'created_at'],
  heatmaps: [
    ...['heatmap_event_id', 'website_id', 'session_id', 'visit_id', 'url_path', 'event_type', 'created_at'],
    ...['x', 'y', 'viewport_w', 'viewport_h', 'page_x', 'page_y', 'page_w', 'page_h', 'scroll_pct'],
  ],
}

/** What has the visits of saved replays. */
const saved = 'session_replay_saved'
const isSaved = `(website_id, visit_id) IN (SELECT website_id, visit_id FROM ${saved})`

/** What Umami's PostgreSQL has. A page has `mostRows` at most. Throws a `Misuse` for a version before 2.15. */
export function postgresSource(postgres: Postgres, mostRows: number): Source {
  refuseOtherVersions(postgres.columns)
  return {
    identity: postgres.identity,
    kinds: (Object.keys(tables) as Kind[]).filter((kind) => postgres.columns.has(tables[kind].table)),
    isByWebsite: true,
    canFollow: true,
    websites: () => websitesIn(postgres),
    idsOfEvents: () => idsOfEvents(postgres),
    hasSaved: () => hasSaved(postgres),
    months: (counted) => countsBy(postgres, counted, 'YYYY-MM'),
    hours: (counted) => countsBy(postgres, counted, 'YYYY-MM-DD"T"HH24'),
    outside: (counted) => outside(postgres, counted),
    read: (section, after) => pages(postgres, section, after, mostRows),
    close: postgres.close,
  }
}

const moment = (instant: number): string => new Date(instant).toISOString()

/** The rows of a span by website and the start of their month or hour. */
async function countsBy(
  postgres: Postgres,
  { kind, websiteIds, span, savedOnly = false }: Counted,
  form: string,
): Promise<readonly Count[]> {
  const rows = await postgres.rows(
    `SELECT website_id, to_char(created_at, '${form}') AS span, count(*) AS rows FROM ${tables[kind].table}
     WHERE website_id = ANY($1::uuid[]) AND created_at >= $2 AND created_at < $3
     ${savedOnly ? `AND ${isSaved}` : ''} GROUP BY 1, 2 ORDER BY 2, 1`,
    [websiteIds, moment(span.from), moment(span.until)],
  )
  return rows.map(({ website_id, span: text, rows }) => ({ websiteId: website_id!, span: text!, rows: Number(rows) }))
}

const isOutside = '(created_at IS NULL OR created_at < $2 OR created_at >= $3)'

async function outside(postgres: Postgres, { kind, websiteIds, span }: Counted) {
  const rows = await postgres.rows(
    `SELECT website_id, count(*) AS rows FROM ${tables[kind].table}
     WHERE website_id = ANY($1::uuid[]) AND ${isOutside} GROUP BY 1 ORDER BY 1`,
    [websiteIds, moment(span.from), moment(span.until)],
  )
  return rows.map(({ website_id, rows }) => ({ websiteId: website_id!, rows: Number(rows) }))
}

/** Pages of a section by time and id. Rows without a time come by their id. */
async function* pages(
  postgres: Postgres,
  section: Section,
  after: Cursor | undefined,
  mostRows: number,
): AsyncGenerator<SourcePage> {
  const { table, id } = tables[section.kind]
  const page = Math.min(mostRows, tables[section.kind].page)
  for (let cursor = after; ; ) {
    const { conditions, values, order } = conditionsOf(section, cursor, id)
    const found = await postgres.rows(
      `${selectOf(postgres, section.kind)} FROM (
         SELECT * FROM ${table} WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ${page}) AS e
       ${section.kind === 'events' ? 'LEFT JOIN session AS s ON s.session_id = e.session_id' : ''}
       ORDER BY ${order.replace(/\w+/g, 'e.$&')}`,
      values,
    )
    const last = found.at(-1)
    if (last === undefined) return
    cursor = [last.created_at ?? '', last[id]!]
    const isEvents = section.kind === 'events'
    const records = isEvents ? await withProperties(postgres, found) : found.map((row) => ({ row, properties: [] }))
    yield { records, after: cursor }
    if (found.length < page) return
  }
}

function conditionsOf({ websiteIds, rows }: Section, after: Cursor | undefined, id: string) {
  const [time = '', last] = after ?? []
  const span = 'in' in rows ? rows.in : rows.outside
  const values: unknown[] = [websiteIds[0], moment(span.from), moment(span.until)]
  if ('outside' in rows) {
    if (last !== undefined) values.push(last)
    const conditions = ['website_id = $1', isOutside, ...(last === undefined ? [] : [`${id} > $4`])]
    return { conditions, values, order: id }
  }
  const conditions = ['website_id = $1', 'created_at >= $2', 'created_at < $3']
  if (rows.savedOnly) conditions.push(isSaved)
  if (last !== undefined) {
    // The index on times finds where to begin.
    values[1] = time
    values.push(last)
    conditions.push(`(created_at, ${id}) > ($2, $4)`)
  }
  return { conditions, values, order: `created_at, ${id}` }
}

function selectOf(postgres: Postgres, kind: Kind): string {
  if (kind === 'events') return `SELECT ${eventList(postgres)}`
  const has = postgres.columns.get(tables[kind].table)!
  return `SELECT ${plainColumns[kind].map((name) => (has.has(name) ? `e.${name}` : `NULL AS ${name}`)).join(', ')}`
}

/** Each id that events have. Every look goes on behind the id before, in the index. */
async function idsOfEvents(postgres: Postgres): Promise<readonly string[]> {
  const rows = await postgres.rows(
    `WITH RECURSIVE ids AS (
       (SELECT website_id FROM website_event ORDER BY website_id LIMIT 1)
       UNION ALL
       SELECT (SELECT e.website_id FROM website_event AS e WHERE e.website_id > ids.website_id
               ORDER BY e.website_id LIMIT 1)
       FROM ids WHERE ids.website_id IS NOT NULL)
     SELECT website_id FROM ids WHERE website_id IS NOT NULL`,
  )
  return rows.map(({ website_id }) => website_id!)
}

/** Websites, links and pixels, as far as this version has them. */
async function websitesIn(postgres: Postgres): Promise<readonly SourceWebsite[] | undefined> {
  const tables = ['website', 'link', 'pixel'].filter((table) => postgres.columns.has(table))
  if (!tables.includes('website')) return undefined
  const isStrict = postgres.columns.get('website')!.has('replay_config')
  const rows = await postgres.rows(
    tables
      .map((table) => {
        const level = table === 'website' && isStrict ? "replay_config->>'maskLevel'" : 'NULL'
        return `SELECT ${table}_id AS id, deleted_at IS NOT NULL AS is_deleted, ${level} AS level FROM "${table}"`
      })
      .join(' UNION ALL '),
  )
  return rows.map(({ id, is_deleted, level }) => ({
    id: id!,
    isDeleted: is_deleted === 't',
    maskLevel: level === 'strict' ? 'strict' : 'moderate',
  }))
}

async function hasSaved(postgres: Postgres): Promise<boolean> {
  return postgres.columns.has(saved) && (await postgres.rows(`SELECT 1 AS one FROM ${saved} LIMIT 1`)).length > 0
}
