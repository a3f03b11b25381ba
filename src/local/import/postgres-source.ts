import { columnsOfKind, tableOfKind } from './kinds.ts'
import { metadataIn, savedReplays } from './metadata.ts'
import type { Postgres } from './postgres.ts'
import { eventList, withProperties } from './postgres-events.ts'
import type { Count, Counted, Cursor, FirstSessions, Kind, Section, Source, SourcePage } from './source.ts'
import { firstSessionsOf } from './split-visits.ts'
import { refuseOtherVersions } from './versions.ts'

/**
 * For each kind, its id column and the number of rows in a page. Pages twice as long need 100 MB more and save little
 * time.
 */
const paging: Readonly<Record<Kind, { readonly id: string; readonly page: number }>> = {
  events: { id: 'event_id', page: 2500 },
  sessionData: { id: 'session_data_id', page: 5000 },
  replays: { id: 'replay_id', page: 10 },
  heatmaps: { id: 'heatmap_event_id', page: 5000 },
}

const isSaved = `(website_id, visit_id) IN (SELECT website_id, visit_id FROM ${savedReplays})`

/** The data in Umami's PostgreSQL. A page has at most `mostRows` rows. Throws a `Misuse` for a version before 2.15. */
export function postgresSource(postgres: Postgres, mostRows: number): Source {
  refuseOtherVersions(postgres.columns)
  const metadata = metadataIn(postgres)
  return {
    store: 'postgresql',
    identity: postgres.identity,
    kinds: (Object.keys(paging) as Kind[]).filter((kind) => postgres.columns.has(tableOfKind[kind])),
    isByWebsite: true,
    canFollow: true,
    websites: metadata.websites,
    idsOfEvents: () => idsOfEvents(postgres),
    hasSaved: async () => (await metadata.savedVisits()).length > 0,
    months: (counted) => countsBy(postgres, counted, 'YYYY-MM'),
    hours: (counted) => countsBy(postgres, counted, 'YYYY-MM-DD"T"HH24'),
    outside: (counted) => outside(postgres, counted),
    firstSessions: (section) => firstSessions(postgres, section),
    read: (section, after) => pages(postgres, section, after, mostRows),
    close: postgres.close,
  }
}

const moment = (instant: number): string => new Date(instant).toISOString()

/** The number of rows in a span, by website and by month or hour. */
async function countsBy(
  postgres: Postgres,
  { kind, websiteIds, span, savedOnly = false }: Counted,
  form: string,
): Promise<readonly Count[]> {
  const rows = await postgres.rows(
    `SELECT website_id, to_char(created_at, '${form}') AS span, count(*) AS rows FROM ${tableOfKind[kind]}
     WHERE website_id = ANY($1::uuid[]) AND created_at >= $2 AND created_at < $3
     ${savedOnly ? `AND ${isSaved}` : ''} GROUP BY 1, 2 ORDER BY 2, 1`,
    [websiteIds, moment(span.from), moment(span.until)],
  )
  return rows.map(({ website_id, span: text, rows }) => ({ websiteId: website_id!, span: text!, rows: Number(rows) }))
}

const isOutside = '(created_at IS NULL OR created_at < $2 OR created_at >= $3)'

async function outside(postgres: Postgres, { kind, websiteIds, span }: Counted) {
  const rows = await postgres.rows(
    `SELECT website_id, count(*) AS rows FROM ${tableOfKind[kind]}
     WHERE website_id = ANY($1::uuid[]) AND ${isOutside} GROUP BY 1 ORDER BY 1`,
    [websiteIds, moment(span.from), moment(span.until)],
  )
  return rows.map(({ website_id, rows }) => ({ websiteId: website_id!, rows: Number(rows) }))
}

const firstSessions = (postgres: Postgres, section: Section): Promise<FirstSessions> =>
  firstSessionsOf(section, async (span) => {
    const rows = await postgres.rows(
      `SELECT visit_id, (array_agg(session_id ORDER BY created_at, event_id))[1] AS first FROM website_event
       WHERE website_id = $1 AND created_at >= $2 AND created_at < $3
       GROUP BY visit_id HAVING min(session_id::text) <> max(session_id::text)`,
      [section.websiteIds[0], moment(span.from), moment(span.until)],
    )
    return rows.map(({ visit_id, first }) => [visit_id!, first!])
  })

/** The pages of a section, ordered by time and id. Rows without a time are ordered by id. */
async function* pages(
  postgres: Postgres,
  section: Section,
  after: Cursor | undefined,
  mostRows: number,
): AsyncGenerator<SourcePage> {
  const { id, page: usual } = paging[section.kind]
  const [table, page] = [tableOfKind[section.kind], Math.min(mostRows, usual)]
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
    yield isEvents
      ? { events: await withProperties(postgres, found), rows: [], after: cursor }
      : { events: [], rows: found, after: cursor }
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
    // The index on times finds the start of the page.
    values[1] = time
    values.push(last)
    conditions.push(`(created_at, ${id}) > ($2, $4)`)
  }
  return { conditions, values, order: `created_at, ${id}` }
}

function selectOf(postgres: Postgres, kind: Kind): string {
  if (kind === 'events') return `SELECT ${eventList(postgres)}`
  const has = postgres.columns.get(tableOfKind[kind])!
  const names = [paging[kind].id, ...columnsOfKind[kind].filter((name) => name !== paging[kind].id)]
  return `SELECT ${names.map((name) => (has.has(name) ? `e.${name}` : `NULL AS ${name}`)).join(', ')}`
}

/** Every website id in the events. Each look-up continues after the previous id in the index. */
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
