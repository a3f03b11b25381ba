import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, inject } from 'vitest'
import { parseServer } from '../../src/clickhouse/server.ts'
import type { IngestRow } from '../oracle/model.ts'
import { asked } from './asked.ts'
import { describedIn } from './openapi.ts'
import { routeTo } from './route.ts'

/** An answer of the Worker. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests compare bodies whole, or reach into what they just checked
  readonly body: any
}

export const running = inject('running')

/** The way to the engine that all tests share. */
export const sharedRoute = routeTo(parseServer({ CLICKHOUSE_URL: running.clickhouse }))

type Query = Readonly<Record<string, string | number | readonly string[]>> | readonly (readonly [string, string])[]

/** `path?query`, with percent-encoded names and values. */
export function pathOf(path: string, query: Query = {}): string {
  const pairs = Array.isArray(query)
    ? (query as readonly (readonly [string, string])[])
    : Object.entries(query).flatMap(([name, value]) =>
        Array.isArray(value) ? value.map((one: string) => [name, one] as const) : [[name, String(value)] as const],
      )
  const text = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')
  return text === '' ? path : `${path}?${text}`
}

/** Sends a request to the Worker. Every JSON answer is checked against the Worker's OpenAPI document. */
export async function send(path: string, init: RequestInit = {}): Promise<Reply> {
  const { status, headers, text } = await asked(running.url + path, init)
  const body = text === '' ? undefined : JSON.parse(text)
  await describedIn(init.method ?? 'GET', path, status, body)
  return { status, headers, body }
}

/** Sends a GET as the admin. */
export const get = (path: string, query: Query = {}): Promise<Reply> =>
  send(pathOf(path, query), { headers: { authorization: `Bearer ${running.adminKey}` } })

/** Sends a GET for one website as the admin and asserts a 200. */
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

/** Inserts events into `ingest` over ClickHouse's HTTP interface, as any writer does. */
export const ingest = (rows: readonly Partial<IngestRow>[]): Promise<void> => insert('ingest', rows)

/** Rows that wait for the insert of their table. */
interface Waiting {
  readonly rows: object[]
  readonly stored: Promise<void>
}

const waiting = new Map<string, Waiting>()

/**
 * Inserts rows into a table. Rows that come at the same time go into one insert: each takes a tenth of a second of the
 * processor, however few its rows.
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

/** How long rows wait for others, in milliseconds. */
const together = 5

async function insertNow(table: string, rows: readonly object[]): Promise<void> {
  const query = encodeURIComponent(`INSERT INTO ${table} FORMAT JSONEachRow`)
  const body = rows.map((row) => JSON.stringify(row)).join('\n')
  const { text, status } = await asked(`${running.clickhouse}&query=${query}`, { method: 'POST', body })
  expect(text).toBe('')
  expect(status).toBe(200)
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
