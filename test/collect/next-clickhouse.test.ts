import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Collecting, firefox, startCollecting } from '../support/collecting.ts'
import { weir } from '../support/commands.ts'
import { type KeepingUsers, startKeepingUsers } from '../support/doubles/keeping-users.ts'
import { everything, moved, recordedWebsite } from '../support/recording.ts'
import { clickhouse, running } from '../support/weir.ts'

/**
 * Tests the changes in ClickHouse 26.8 that affect what Weir sends: docs/deployment.md. A proxy records all inserts.
 */
let front: KeepingUsers
let collecting: Collecting

beforeAll(async () => {
  front = await startKeepingUsers(running.clickhouse)
  const { searchParams } = new URL(running.clickhouse)
  const url = `${front.url}/?${searchParams}`
  collecting = await startCollecting({ CLICKHOUSE_URL: url })
})

afterAll(async () => {
  await collecting.beside.close()
  front.close()
})

/** The JSON lines that an entry table received, and the settings sent with them. */
const insertsInto = (table: string) =>
  front.sent
    .filter(({ fields, statement }) => `${fields.query} ${statement}`.startsWith(`INSERT INTO ${table} `))
    .map(({ fields, statement }) => ({ fields, rows: statement.match(/^\{.*\}$/gm) ?? [] }))

it('times are sent as texts, because 26.8 reads unquoted numbers as seconds', async () => {
  const website = await recordedWebsite(everything)
  const headers = { 'user-agent': firefox, 'cf-connecting-ip': '2001:db8::1' }
  const data = { when: '2026-01-01T00:00:00Z', text: 'x' }
  const event = { website, hostname: 'example.com', url: '/', name: 'bought', data }
  const { body } = await collecting.post('/api/send', { type: 'event', payload: event }, headers)
  await collecting.post('/api/send', { type: 'identify', payload: { website, id: 'ada', data } }, headers)
  const recorder = { ...headers, 'x-umami-cache': (body as { cache: string }).cache }
  const click = { type: 'click', url: '/', x: 1, y: 2, width: 100, height: 100, timestamp: Date.now() }
  for (const [type, sent] of [
    ['record', moved(Date.now(), randomUUID())],
    ['heatmap', click],
  ] as const) {
    const answer = await collecting.post('/api/record', { type, payload: { website, events: [sent] } }, recorder)
    expect(answer.body).toEqual({ ok: true })
  }
  await weir(['send', '--website', website, '--name', 'x'], { env: { CLICKHOUSE_URL: `${front.url}/?database=weir` } })
  for (const table of ['ingest', 'ingest_session_data', 'ingest_replay_chunks', 'ingest_heatmap_events']) {
    const typed = await clickhouse<{ name: string }>(`SELECT name FROM system.columns
      WHERE database = currentDatabase() AND table = '${table}' AND type LIKE '%DateTime64%'`)
    const times = typed.map(({ name }) => name)
    await vi.waitFor(() => expect(insertsInto(table).length).toBeGreaterThan(table === 'ingest' ? 1 : 0), 30_000)
    const rows = insertsInto(table).flatMap((one) => one.rows.map((row) => JSON.parse(row) as Record<string, unknown>))
    const values = rows.flatMap((row) => times.flatMap((name) => row[name] ?? [])).flat()
    expect(values.length).toBeGreaterThan(0)
    expect(values.filter((value) => value !== null && typeof value !== 'string')).toEqual([])
  }
})

it('inserts use one thread, because 26.8 would write an insert’s rows in parallel', () => {
  const ofCollection = insertsInto('ingest').filter(({ fields }) => fields.async_insert !== undefined)
  expect(ofCollection.map(({ fields }) => fields.max_insert_threads)).toEqual(ofCollection.map(() => '1'))
  expect(ofCollection.length).toBeGreaterThan(0)
})

it('AggregatingMergeTree tables have no plain columns outside the key, because 26.8 refuses them', async () => {
  const rows = await clickhouse<{ engine: string; isRight: number }>(`SELECT engine,
      is_in_sorting_key OR type LIKE '%AggregateFunction%' AS isRight
    FROM system.columns AS c JOIN system.tables AS t ON t.database = c.database AND t.name = c.table
    WHERE c.database = currentDatabase() AND engine LIKE '%AggregatingMergeTree'`)
  expect(rows.length).toBeGreaterThan(20)
  expect(rows.filter(({ isRight }) => !isRight)).toEqual([])
})
