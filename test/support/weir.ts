import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, inject } from 'vitest'
import { parseServer } from '../../src/clickhouse/server.ts'
import type { IngestRow } from '../oracle/model.ts'
import { asked } from './asked.ts'
import { olderChannelRules } from './older-channels.ts'
import { describedIn } from './openapi.ts'
import { routeTo } from './route.ts'
import { wronglyShared } from './shared-cache.ts'

/** A response from the Worker. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests compare bodies whole, or reach into what they just checked
  readonly body: any
}

export const running = inject('running')

/** The connection to the engine that all tests share. */
export const sharedRoute = routeTo(parseServer({ CLICKHOUSE_URL: running.clickhouse }))

type Query = Readonly<Record<string, string | number | readonly string[]>> | readonly (readonly [string, string])[]

/** Returns `path?query`, with percent-encoded names and values. */
export function pathOf(path: string, query: Query = {}): string {
  const pairs = Array.isArray(query)
    ? (query as readonly (readonly [string, string])[])
    : Object.entries(query).flatMap(([name, value]) =>
        Array.isArray(value) ? value.map((one: string) => [name, one] as const) : [[name, String(value)] as const],
      )
  const text = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
  return text === '' ? path : `${path}?${text}`
}

/**
 * Sends requests to the Worker at `url`. Checks every JSON response against the Worker's OpenAPI document, and
 * whether a shared cache may keep it.
 */
export const sendTo =
  (url: string) =>
  async (path: string, init: RequestInit = {}): Promise<Reply> => {
    const { status, headers, text } = await asked(url + path, init)
    const body = text === '' ? undefined : JSON.parse(text)
    await describedIn(init.method ?? 'GET', path, status, body)
    expect(wronglyShared({ ...(init.method && { method: init.method }), url: path }, { status, headers })).toBe(
      undefined,
    )
    return { status, headers, body }
  }

/** Sends a request to the Worker. */
export const send = sendTo(running.url)

/** Sends a GET as the admin. */
export const get = (path: string, query: Query = {}): Promise<Reply> =>
  send(pathOf(path, query), { headers: { authorization: `Bearer ${running.adminKey}` } })

/** Sends a GET for one website as the admin, and asserts a 200. */
export async function read(websiteId: string, report: string, query: Query = {}): Promise<Reply> {
  const reply = await get(`/api/websites/${websiteId}/${report}`, query)
  expect(reply.body, JSON.stringify(reply.body)).not.toHaveProperty('error')
  expect(reply.status).toBe(200)
  return reply
}

/** Creates a website. */
export async function newWebsite(id: string = randomUUID()): Promise<string> {
  const reply = await send('/api/websites', {
    method: 'POST',
    headers: { authorization: `Bearer ${running.adminKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id, name: `Website ${id}`, domain: 'example.com' }),
  })
  expect(reply.status).toBe(200)
  return id
}

/**
 * Inserts events into `ingest` through ClickHouse's HTTP interface, as any writer does. Views with an older channel
 * list version are inserted directly into `events`, with the old channel.
 */
export async function ingest(rows: readonly Partial<IngestRow>[]): Promise<void> {
  const isOlder = ({ channel_lists, event_type }: Partial<IngestRow>) => channel_lists === 0 && event_type !== 2
  const older = rows.filter(isOlder)
  if (older.length === 0) return insert('ingest', rows.map(asInserted))
  if (older.some((row) => row['properties.key']?.length)) throw new Error('Their properties would be missing.')
  beforeMade ??= makeJudgedBefore()
  await beforeMade
  const others = rows.filter((row) => !isOlder(row))
  await Promise.all([
    ...(others.length > 0 ? [insert('ingest', others.map(asInserted))] : []),
    insert(judgedBefore, older.map(asInserted).map(withoutProperties)),
  ])
}

let beforeMade: Promise<void> | undefined

/** Removes the list version, which no writer inserts. */
const asInserted = ({ channel_lists: _, ...row }: Partial<IngestRow>): object => row

/** The columns that a row in `events` has. */
export const withoutProperties = (row: object): object =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith('properties.')))

/** Rows that are waiting for the insert into their table. */
interface Waiting {
  readonly rows: object[]
  readonly stored: Promise<void>
}

const waiting = new Map<string, Waiting>()

/**
 * Inserts rows into a table. Rows that arrive at the same time share an insert, as each takes a tenth of a second
 * of processor time, however few rows it has.
 */
export function insert(table: string, rows: readonly object[]): Promise<void> {
  const known = waiting.get(table)
  const all = known?.rows ?? []
  all.push(...rows)
  if (known) return known.stored
  const stored = pause(together).then(() => {
    waiting.delete(table)
    return insertNow(table, all)
  })
  waiting.set(table, { rows: all, stored })
  return stored
}

/** How long rows wait for other rows, in milliseconds. */
const together = 5

async function insertNow(table: string, rows: readonly object[]): Promise<void> {
  const query = encodeURIComponent(`INSERT INTO ${table} FORMAT JSONEachRow`)
  const body = rows.map((row) => JSON.stringify(row)).join('\n')
  const { text, status } = await asked(`${running.clickhouse}&query=${query}`, { method: 'POST', body })
  expect(text).toBe('')
  expect(status).toBe(200)
}

/** An entry table in another database. Its rows are inserted into `events` with the channel from older lists. */
const judgedBefore = 'of_before.views'

async function makeJudgedBefore(): Promise<void> {
  const [database] = await clickhouse<{ name: string }>('SELECT currentDatabase() AS name')
  const columns = await clickhouse<{ name: string; type: string }>(
    `SELECT name, type FROM system.columns
     WHERE database = currentDatabase() AND table = 'ingest' AND name NOT LIKE 'properties.%'`,
  )
  const types = columns.map(({ name, type }) => `${name} ${type}`).join(', ')
  await clickhouse('CREATE DATABASE IF NOT EXISTS of_before')
  await clickhouse(
    `CREATE TABLE IF NOT EXISTS ${judgedBefore}
       (${types}, channel LowCardinality(String) DEFAULT ${olderChannelRules}) ENGINE = Null
     SETTINGS allow_suspicious_low_cardinality_types = 1`,
  )
  await clickhouse(
    `CREATE MATERIALIZED VIEW IF NOT EXISTS of_before.events_from_views TO ${database!.name}.events
     AS SELECT *, 0 AS channel_lists FROM ${judgedBefore}`,
  )
}

/** Runs a statement directly on ClickHouse and returns its rows. */
export async function clickhouse<Row>(query: string): Promise<Row[]> {
  const url = `${running.clickhouse}&default_format=JSONEachRow&output_format_json_quote_64bit_integers=0`
  const { text, status } = await asked(url, { method: 'POST', body: query })
  if (status !== 200) throw new Error(text)
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row)
}
