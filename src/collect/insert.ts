import { configuredReplicas } from '../clickhouse/configuration.ts'
import { type Connection, parseServer } from '../clickhouse/server.ts'
import { type Env, numberOr } from '../env.ts'
import type { LogClock } from './clock.ts'

/** The only module that writes to ClickHouse. */

/** The entry tables, each with the key that identifies its rows in the table that stores them. */
const entries = {
  ingest: {
    stored: 'SELECT toString(event_id) AS key, count() AS copies FROM events',
    key: (row: StoredRow) => row.event_id!,
  },
  ingest_session_data: {
    stored: `SELECT concat(toString(session_id), ' ', toString(created_at), ' ', distinct_id) AS key, count() AS copies
      FROM session_data`,
    key: (row: StoredRow) => `${row.session_id} ${row.created_at} ${row.distinct_id}`,
  },
  ingest_replay_chunks: {
    stored: `SELECT concat(toString(visit_id), ' ', lower(hex(hash))) AS key, count() AS copies FROM replay_chunks`,
    key: (row: StoredRow) => `${row.visit_id} ${row.hash}`,
  },
  ingest_heatmap_events: {
    stored: `SELECT concat(toString(visit_id), ' ', lower(hex(request)), ' ', toString(place)) AS key,
      count() AS copies FROM heatmap_events`,
    key: (row: StoredRow) => `${row.visit_id} ${row.request} ${row.place}`,
  },
} as const

export type EntryTable = keyof typeof entries

/** The destination of a log's rows. */
export interface Destination {
  /** The entry tables for the first and the second kind of row. */
  readonly tables: readonly [first: EntryTable, second: EntryTable]
  /** Whether each flush also writes a heartbeat, which shows that everything inserted before it can be read. */
  readonly beats: boolean
}

export const eventTables: Destination = { tables: ['ingest', 'ingest_session_data'], beats: true }

type StoredRow = Readonly<Partial<Record<string, string>>>

/** ClickHouse refused rows because of their content. */
export class RefusedRows extends Error {}

/** ClickHouse accepts no rows for this table from this user. */
export class RefusedTable extends Error {}

/**
 * ClickHouse's error codes for a missing privilege, and for a table of several shards without a sharding key, which
 * cannot receive rows.
 */
const tableCodes = new Set(['497', '55'])

/**
 * ClickHouse's error codes for rows that cannot be parsed or violate a constraint (`ErrorCodes.cpp`). All other errors
 * may be the server's fault.
 */
const refusalCodes = new Set('6 25 26 27 38 41 53 69 70 72 117 130 131 190 321 349 376 407 441 469'.split(' '))

/**
 * Errors with one of these codes that are the fault of the tables: a failing view, or a column that does not exist yet.
 */
const faultOfTables = /while pushing to view|Unknown field|No such column/i

/** The timeout for an insert, or for a check of stored rows, in milliseconds. */
const insertLasts = 30_000

/** The maximum number of keys in one check. */
const mostKeys = 2000

/**
 * The rows stay in one block, so that ClickHouse accepts all or none. The response is sent only once the outcome is
 * known.
 */
const insertSettings = {
  async_insert: '0',
  max_insert_threads: '1',
  wait_end_of_query: '1',
  distributed_foreground_insert: '1',
  input_format_parallel_parsing: '0',
  max_partitions_per_insert_block: '0',
} as const

/** The server that receives events, with its users for inserting and for checking what is stored. */
export interface WriteServer {
  readonly writer: Connection
  readonly reader: Connection
  /** Whether readers use several servers, which must then replicate from this one. */
  readonly isOneOfSeveral: boolean
  readonly clock: LogClock
  /** The name of the log object that inserts. */
  readonly log?: string | undefined
  /** The server does not know tokens from before this time. */
  readonly tokensSince?: number
}

export function writeServer(env: Omit<Env, 'METADATA'>, clock: LogClock, log?: string): WriteServer {
  const reader = parseServer({ ...env, CLICKHOUSE_URL: env.CLICKHOUSE_WRITE_URL || env.CLICKHOUSE_URL })
  const writer = {
    ...reader,
    ...(env.CLICKHOUSE_WRITE_USER && { username: env.CLICKHOUSE_WRITE_USER }),
    ...(env.CLICKHOUSE_WRITE_PASSWORD !== undefined && { password: env.CLICKHOUSE_WRITE_PASSWORD }),
  }
  return {
    ...{ writer, reader, clock, log, tokensSince: numberOr(0, env.COLLECT_TOKENS_SINCE) },
    isOneOfSeveral: Boolean(env.CLICKHOUSE_REPLICAS) && configuredReplicas(env).length > 1,
  }
}

/** Why this server must not receive events; undefined if it may. */
export async function faultOf(server: WriteServer): Promise<string | undefined> {
  if (!server.isOneOfSeveral) return undefined
  const query = "SELECT engine FROM system.tables WHERE database = currentDatabase() AND name = 'events'"
  const engine = await post(server, 'reader', { wait_end_of_query: '1' }, query)
  return /^(Replicated|Shared|Distributed)/.test(engine)
    ? undefined
    : 'CLICKHOUSE_REPLICAS lists several servers, but the one that receives events does not replicate to the others.'
}

/** Inserts lines of JSON. ClickHouse stores the same token and bytes only once, no matter how often they are sent. */
export async function insertRows(
  server: WriteServer,
  table: EntryTable,
  lines: Uint8Array<ArrayBuffer>,
  token: string,
): Promise<void> {
  const settings = { ...insertSettings, insert_deduplication_token: token }
  const answer = await post(server, 'writer', { query: `INSERT INTO ${table} FORMAT JSONEachRow`, ...settings }, lines)
  if (answer !== '') throw new Error('ClickHouse should answer an insert with an empty body, but this body has text.')
}

/** Writes a heartbeat, which shows that everything inserted before it can be read. */
export const insertHeartbeat = (server: WriteServer): Promise<string> =>
  post(
    server,
    'writer',
    { query: 'INSERT INTO heartbeats FORMAT JSONEachRow', wait_end_of_query: '1' },
    '{"source":""}',
  )

/**
 * ClickHouse may have forgotten a token after this many milliseconds, because it only remembers the tokens of 10,000
 * blocks. A hot website's objects may insert 16 times a second, several such websites more often.
 */
export const insertTokenLasts = 60_000

/** A table forgets a token after 10,000 blocks, and every block has at least one row. */
const safeRows = 5000

/** The maximum difference between the Worker's and ClickHouse's clocks that is allowed for here, in milliseconds. */
const clocksDiffer = 600_000

/** Whether ClickHouse is certain to know the tokens of all events that arrived at or after this time. */
export async function knowsTokensSince(server: WriteServer, moment: number): Promise<boolean> {
  const form = new FormData()
  form.set(
    'query',
    `SELECT count() < ${safeRows}
     FROM (SELECT 1 FROM events WHERE ingested_at >= fromUnixTimestamp64Milli({since:Int64}) LIMIT ${safeRows})`,
  )
  form.set('param_since', String(moment - clocksDiffer))
  return (await post(server, 'reader', { wait_end_of_query: '1' }, form)).trim() === '1'
}

/** ClickHouse's time, in milliseconds since 1970. */
export const serverTime = async (server: WriteServer): Promise<number> =>
  Number(await post(server, 'reader', { wait_end_of_query: '1' }, 'SELECT toUnixTimestamp64Milli(now64(3))'))

/**
 * Whether ClickHouse still knows the token of an insert, which began at `since` by ClickHouse's clock. `own` of the
 * insert's rows are stored. Only `events` records when each row arrived. Replicated tables also forget tokens by time.
 */
export async function knowsToken(
  server: WriteServer,
  table: EntryTable,
  { since, own }: { readonly since: number; readonly own: number },
): Promise<boolean> {
  const form = new FormData()
  form.set(
    'query',
    `SELECT
       toUnixTimestamp64Milli(now64(3)) - {since:Int64},
       (SELECT count() FROM
         (SELECT 1 FROM events WHERE ingested_at >= fromUnixTimestamp64Milli({since:Int64}) LIMIT {most:UInt64})),
       (SELECT engine FROM system.tables WHERE database = currentDatabase() AND name = 'events')`,
  )
  form.set('param_since', String(since))
  form.set('param_most', String(safeRows + own))
  const [age, rows, engine] = (await post(server, 'reader', { wait_end_of_query: '1' }, form)).trim().split('\t')
  if (Number(age) < 0) return false
  const isCounted = table === 'ingest' && engine === 'MergeTree'
  return isCounted ? Number(rows) < safeRows + own : Number(age) <= insertTokenLasts
}

/** The lines that ClickHouse lacks. */
export async function notStored(
  server: WriteServer,
  table: EntryTable,
  lines: readonly string[],
): Promise<readonly string[]> {
  const { stored, key } = entries[table]
  const missing: string[] = []
  for (let start = 0; start < lines.length; start += mostKeys) {
    const some = lines.slice(start, start + mostKeys)
    const rows = some.map((line) => JSON.parse(line) as StoredRow)
    const times = rows.map((row) => row.created_at!).sort()
    const form = new FormData()
    form.set(
      'query',
      `${stored} WHERE website_id IN {websites:Array(UUID)} AND created_at BETWEEN {first:DateTime64(3, 'UTC')}
         AND {last:DateTime64(3, 'UTC')} AND session_id IN {sessions:Array(UUID)}
       GROUP BY key FORMAT JSONEachRow`,
    )
    form.set('param_websites', arrayOf(rows.map((row) => row.website_id!)))
    form.set('param_sessions', arrayOf(rows.map((row) => row.session_id!)))
    form.set('param_first', times[0]!)
    form.set('param_last', times.at(-1)!)
    const answer = await post(
      server,
      'reader',
      { wait_end_of_query: '1', output_format_json_quote_64bit_integers: '0' },
      form,
    )
    const copies = new Map<string, number>()
    for (const line of answer.split('\n').filter(Boolean)) {
      const { key, copies: found } = JSON.parse(line) as { key: string; copies: number }
      copies.set(key, found)
    }
    for (const [index, row] of rows.entries()) {
      const left = copies.get(key(row)) ?? 0
      if (left === 0) missing.push(some[index]!)
      copies.set(key(row), Math.max(0, left - 1))
    }
  }
  return missing
}

/** Formats UUIDs as a ClickHouse array literal. */
const arrayOf = (ids: readonly string[]): string => `[${[...new Set(ids)].map((id) => `'${id}'`).join(',')}]`

async function post(
  server: WriteServer,
  user: 'writer' | 'reader',
  parameters: Readonly<Record<string, string>>,
  body: Uint8Array<ArrayBuffer> | FormData | string,
): Promise<string> {
  const { url, username, password, database } = server[user]
  const patience = new AbortController()
  const end = server.clock.after(insertLasts, () => patience.abort(new Error('ClickHouse does not answer.')))
  const asked = fetch(`${url}/?${new URLSearchParams({ database, ...parameters })}`, {
    method: 'POST',
    headers: { 'X-ClickHouse-User': username, 'X-ClickHouse-Key': password },
    body,
    signal: patience.signal,
  })
  return asked.then(readAnswer).finally(end)
}

/** The text of ClickHouse's response. Throws if ClickHouse refuses the rows or the table, or fails. */
async function readAnswer(response: Response): Promise<string> {
  const text = await response.text()
  const code = response.headers.get('x-clickhouse-exception-code') ?? /^Code: (\d+)\./.exec(text)?.[1]
  if (code !== undefined && refusalCodes.has(code) && !faultOfTables.test(text)) {
    throw new RefusedRows(text.slice(0, 1000))
  }
  if (code !== undefined && tableCodes.has(code)) throw new RefusedTable(text.slice(0, 1000))
  if (!response.ok || code !== undefined)
    throw new Error(`ClickHouse answered ${response.status}: ${text.slice(0, 500)}`)
  // Only ClickHouse sends these headers; a proxy that answers instead does not.
  if (!response.headers.has('x-clickhouse-query-id') && !response.headers.has('x-clickhouse-summary')) {
    throw new Error('The response is not from ClickHouse.')
  }
  return text
}
