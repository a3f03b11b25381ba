import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Json } from 'miniflare'
import { expect } from 'vitest'
import { parseServer } from '../../src/clickhouse/server.ts'
import type { Spread } from '../../src/collect/spread.ts'
import { bundled } from '../../src/local/start/workerd.ts'
import type { IngestRow } from '../oracle/model.ts'
import type { SessionRecord } from '../oracle/session-records.ts'
import { type Beside, startBeside } from './beside.ts'
import { type Headers, post } from './callers.ts'
import { clickhouse, type Reply, running } from './weir.ts'

/** People's User-Agents, and a program's. */
export const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0'
export const curl = 'curl/8.5.0'

/** The headers that a visitor's browser sends. */
export const person: Headers = { 'user-agent': firefox, 'cf-connecting-ip': '192.0.2.1' }

/** Sends one object to the shared Worker. */
export const sendOne = (payload: object, headers: Headers = {}, type = 'event'): Promise<Reply> =>
  post('/api/send', { type, payload }, { ...person, ...headers })

/** Sends a batch of events to the shared Worker. */
export const sendMany = (payloads: readonly object[], headers: Headers = {}): Promise<Reply> =>
  post(
    '/api/batch',
    payloads.map((payload) => ({ type: 'event', payload })),
    { ...person, ...headers },
  )

/** The answer to a stored event. */
export const stored = {
  cache: expect.stringMatching(/^[\w-]+$/),
  sessionId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
  visitId: expect.stringMatching(/^[0-9a-f-]{36}$/),
}

/** A Worker that collects, with a separate log object. */
export interface Collecting {
  /** Sends a body, as JSON unless it is a string. `cf` is the platform's data about the request. */
  post(path: string, body: unknown, headers?: Headers, cf?: object): Promise<Reply>
  /** Stops the Worker's clock at this moment, in milliseconds since 1970. Without a moment, the clock runs again. */
  setClock(moment?: number): Promise<void>
  /** Spreads the events of these sources over this many log objects. Each call needs a higher version. */
  setSpread(sources: readonly string[], spread: Spread): Promise<void>
  readonly beside: Beside
}

/** Starts a Worker with these variables, and a clock that can be set. */
export async function startCollecting(variables: Readonly<Record<string, Json>> = {}): Promise<Collecting> {
  const options = bundled(running.dataDir, 0, parseServer({ CLICKHOUSE_URL: running.clickhouse }))
  const clock = readFileSync(fileURLToPath(new URL('clock.js', import.meta.url)), 'utf8')
  // workerd otherwise evicts objects that are idle for ten seconds. A call at that moment fails.
  const kept = { ...options.durableObjects!.COLLECT, unsafePreventEviction: true }
  const beside = await startBeside({
    ...options,
    modules: [{ type: 'ESModule', path: '/clock.js', contents: clock }, ...options.modules],
    bindings: { ...options.bindings, ...variables },
    durableObjects: { COLLECT: kept },
  })
  return {
    beside,
    post: async (path, body, headers = {}, cf = {}) => {
      const answer = await beside.dispatch(path, cf, {
        method: 'POST',
        headers: { 'user-agent': firefox, 'cf-connecting-ip': '192.0.2.1', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
      const text = await answer.text()
      return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
    },
    setClock: async (moment) => {
      await beside.dispatch('/test/clock', {}, { method: 'POST', body: moment === undefined ? '' : String(moment) })
    },
    setSpread: async (sources, spread) => {
      await beside.dispatch('/test/spread', {}, { method: 'POST', body: JSON.stringify({ sources, spread }) })
    },
  }
}

/** An event row with its properties. */
export type Stored = Omit<IngestRow, `properties.${string}`> & { readonly properties: readonly Property[] }

/** A session data row. */
export type StoredCall = Pick<SessionRecord, 'website_id' | 'session_id' | 'distinct_id' | 'created_at'> & {
  readonly properties: readonly Property[]
}

/** Key, type, text, number and date, as ClickHouse shows them. */
export type Property = readonly [string, number, string, string | null, string | null]

const properties = `arraySort(arrayMap((key, type, text, number, date) ->
    (key, type, text, if(isNull(number), NULL, toString(number)), if(isNull(date), NULL, toString(date))),
  \`properties.key\`, \`properties.data_type\`, \`properties.string_value\`, \`properties.number_value\`,
  \`properties.date_value\`)) AS properties`

const listOf = (ids: readonly string[]): string => ids.map((id) => `'${id}'`).join(', ')

/** Waits until these sources have this many events and calls. Returns them oldest first. */
export async function storedOf(
  sources: readonly string[],
  events: number,
  calls = 0,
): Promise<{ readonly events: readonly Stored[]; readonly calls: readonly StoredCall[] }> {
  const where = `WHERE website_id IN (${listOf(sources)})`
  // The tables are filled one after the other.
  const count = `SELECT count() AS events, countIf(has_data = 1) AS full,
    (SELECT count() FROM session_data ${where}) AS calls,
    (SELECT countIf(notEmpty(\`properties.key\`)) FROM custom_events ${where}) AS copied
    FROM events ${where}`
  const until = performance.now() + 60_000
  type Counts = Record<'events' | 'calls' | 'full' | 'copied', number>
  const isThere = (now: Counts) => now.events >= events && now.calls >= calls && now.copied >= now.full
  let found: Counts
  // Each query takes 20 ms of processor time, and rows arrive a second after their event.
  let wait = 700
  do {
    await pause(wait)
    wait = 200
    found = (await clickhouse<Counts>(count))[0]!
  } while (!isThere(found) && performance.now() < until)
  const [rows, data, records] = await Promise.all([
    clickhouse<Omit<Stored, 'properties'>>(
      `SELECT * EXCEPT (packed, ingested_at, channel, channel_lists, has_data) FROM events ${where} ORDER BY created_at, event_id`,
    ),
    found.copied > 0
      ? clickhouse<Pick<Stored, 'event_id' | 'created_at' | 'properties'>>(
          `SELECT event_id, created_at, ${properties} FROM custom_events ${where}`,
        )
      : [],
    found.calls > 0
      ? clickhouse<StoredCall>(
          `SELECT website_id, session_id, distinct_id, created_at, ${properties} FROM session_data ${where} ORDER BY created_at`,
        )
      : [],
  ])
  const keyOf = (row: { event_id: string; created_at: string }) => `${row.event_id} ${row.created_at}`
  const known = new Map(data.map((row) => [keyOf(row), row.properties]))
  const all = rows.map((row) => ({ ...row, properties: known.get(keyOf(row)) ?? [] }) as Stored)
  expect({ events: all.length, calls: records.length }).toEqual({ events, calls })
  return { events: all, calls: records }
}

/** One website's events. */
export const eventsOf = async (source: string, count: number): Promise<readonly Stored[]> =>
  (await storedOf([source], count)).events
