import { createClient } from '@clickhouse/client-web'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { breaker } from '../../src/clickhouse/breaker.ts'
import { settingsFor } from '../../src/clickhouse/query.ts'
import { run as runStatement } from '../../src/clickhouse/run.ts'
import { parseServer, type Server } from '../../src/clickhouse/server.ts'
import { streamSettings } from '../../src/clickhouse/stream.ts'
import { readWatermark } from '../../src/clickhouse/watermark.ts'
import { personIn } from '../../src/endpoints/people/person.ts'
import { type Engine, startEngine } from '../../src/local/engine/index.ts'
import { places } from '../../src/local/paths.ts'
import { migrateEvents } from '../../src/local/storage/migrations.ts'
import { seal } from '../../src/local/storage/seal.ts'
import { estimates } from '../../src/query/language/price.ts'
import { sessionsOfPerson } from '../../src/query/lists/one-person.ts'
import { entryTables, tables } from '../../src/query/tables/tables.ts'
import { formats } from '../../src/serve/export/formats.ts'
import { event, id, number, OTHER_WEBSITE, string, WEBSITE } from '../oracle/fixtures.ts'
import { access, accessStatements, type Role, readAccess, writeUsers } from '../support/clickhouse-users.ts'
import { weir } from '../support/commands.ts'
import { inTurn } from '../support/long.ts'
import { putTables } from '../support/migrated.ts'
import { answerFrom, planOf } from '../support/questions.ts'
import { eventId, eventReports, rangeReports, reports } from '../support/reports.ts'
import { routeTo } from '../support/route.ts'
import { wholeWebsite } from '../support/scope.ts'
import { seed } from '../support/seed.ts'
import { emptyDirectory } from './engine.ts'

/**
 * Several engines run one after the other on the same data. Their only user is first an admin, then has the rights of
 * `weir_writer`, then those of `weir_reader`, and so on.
 */
const folder = emptyDirectory()
const dataDir = places(folder).clickhouse
let engine: Engine | undefined

const server = (): Server => parseServer({ CLICKHOUSE_URL: `${engine!.url}/?database=weir` })

async function become(role: Role, quota = access.quota): Promise<void> {
  await engine?.close()
  writeUsers(dataDir, role, quota)
  engine = await startEngine({ dataDir, password: '' })
}

async function send(sql: string, settings: Record<string, string> = {}) {
  const fields = new URLSearchParams({ database: 'weir', ...settings })
  const response = await fetch(`${engine!.url}/?${fields}`, { method: 'POST', body: sql })
  return { code: Number(response.headers.get('x-clickhouse-exception-code') ?? 0), text: await response.text() }
}

async function run(sql: string, settings: Record<string, string> = {}): Promise<string> {
  const { code, text } = await send(sql, settings)
  if (code !== 0) throw new Error(text)
  return text.trimEnd()
}

const codeOf = async (sql: string, settings: Record<string, string> = {}): Promise<number> =>
  (await send(sql, settings)).code

/** ClickHouse's error codes. */
const NO_RIGHT = 497
const READONLY = 164
const OUT_OF_BOUNDS = 452
const NO_DDL = 392
const KEPT_ELSEWHERE = 495

/** A sale and a web vital. Together they fill all event tables. */
const insert = (eventId: string): string =>
  [
    event({ website_id: OTHER_WEBSITE, event_id: eventId }, [string('currency', 'EUR'), number('revenue', '1')]),
    event({ website_id: OTHER_WEBSITE, event_id: eventId, event_type: 5, lcp: 1200 }),
  ].reduce((query, row) => `${query} ${JSON.stringify(row)}`, 'INSERT INTO ingest FORMAT JSONEachRow')

/** A request to every report. Reports over a range get a second one, with filters that read further tables. */
const [first, ...others] = [
  ...eventReports.map((report) => ({ report, more: {} })),
  ...rangeReports.map((report) => ({ report, more: { excludeBounce: '1', epf0: '1.re.plan.o$' } })),
]

/** Each `npm test` run uses a different twelfth of these requests. Another test checks that all tables are granted. */
const asked = [first!, ...inTurn(others, seed, 12)]

/** The answers, as the Worker's own code computes them. */
const answers = (limits: Partial<Server> = {}): Promise<unknown[]> =>
  Promise.all(
    asked.map(({ report, more }) => {
      const query = Object.entries<string>({ ...report.example.query, ...more })
      return answerFrom({ ...server(), ...limits }, { report, websiteId: WEBSITE, eventId, query })
    }),
  )

/**
 * A website with one view per minute, 2,501 web vitals of different pages, titles, devices and browsers, and 10,001
 * sessions of one distinct id.
 */
const crowded = id(999)
const october = "toDateTime64('2025-10-01 00:00:00', 3, 'UTC')"
const crowd = [
  `ingest (website_id, created_at) SELECT '${crowded}', ${october} + INTERVAL number MINUTE FROM numbers(10001)`,
  `ingest (website_id, created_at, event_type, lcp, url_path, page_title, device, browser)
    SELECT '${crowded}', ${october}, 5, number, number, number, number, number FROM numbers(2501)`,
  `ingest_session_data (website_id, created_at, session_id, distinct_id)
    SELECT '${crowded}', ${october}, generateUUIDv4(), 'guest' FROM numbers(10001)`,
]

/**
 * A website with one view in each half of 5,001 days. The writer inserts it late, because each start loads its parts.
 */
const old = id(998)
const halves = `ingest (website_id, created_at) SETTINGS max_partitions_per_insert_block = 1000
  SELECT '${old}', ${october} - INTERVAL 12 * number HOUR FROM numbers(10002)`

let before: unknown[]

beforeAll(async () => {
  await putTables(folder)
  await become('admin')
  const { timeout: _, ...connection } = server()
  const client = createClient(connection)
  await migrateEvents(client, server())
  // In the engine, the only user is `default`, which is about to lose its rights. On a server, the migrating user
  // keeps its rights.
  const views = await run("SELECT name FROM system.tables WHERE database = 'weir' AND engine = 'MaterializedView'")
  for (const view of views.split('\n')) await run(`ALTER TABLE ${view} MODIFY SQL SECURITY DEFINER DEFINER = owner`)
  const properties = [string('plan', 'pro'), number('price', '10.5')]
  const values = [
    event({ event_id: eventId, event_name: 'buy', url_path: '/shop' }, properties),
    event({ event_id: id(2), event_name: 'buy', event_type: 2, session_id: id(101) }, properties),
    event({ event_id: id(3), event_type: 1, url_path: '/' }),
    event({ event_id: id(4), event_type: 1, url_path: '/shop' }),
  ]
  await client.insert({ table: 'ingest', values, format: 'JSONEachRow' })
  for (const rows of crowd) await client.command({ query: `INSERT INTO ${rows}` })
  await client.close()
  before = await answers()
})

afterAll(() => engine?.close())

describe('sql/access', () => {
  it('is run by weir access, which prints the error of a server that cannot store users', async () => {
    const { code, stdout, stderr } = await weir(['access'], { dataDir: folder, env: { CLICKHOUSE_URL: engine!.url } })
    expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining('this storage is readonly')])
  })

  it('is valid up to the last statement, except that this engine cannot store users', async () => {
    const parameters = {
      ...{ param_reader_hash: 'a'.repeat(64), param_writer_hash: 'b'.repeat(64), param_visitor_hash: 'c'.repeat(64) },
      param_sealer_hash: 'd'.repeat(64),
    }
    expect(accessStatements.length).toBe(24)
    for (const statement of accessStatements) {
      expect([statement, await codeOf(statement, parameters)]).toEqual([statement, KEPT_ELSEWHERE])
    }
  })

  it('defines the rights of the users in the following tests', async () => {
    const shown = [
      ...['CREATE SETTINGS PROFILE weir_reader', 'CREATE QUOTA weir_reader', 'CREATE SETTINGS PROFILE weir_visitor'],
      ...['CREATE QUOTA weir_visitor', 'GRANTS FOR weir_reader', 'GRANTS FOR weir_writer', 'GRANTS FOR weir_visitor'],
    ]
    const lines = await Promise.all(shown.map((what) => run(`SHOW ${what} FORMAT TSVRaw`)))
    expect(Object.keys(access.profile)).toEqual(expect.arrayContaining(['readonly', 'max_memory_usage']))
    const { profile, quota, visitorProfile, visitorQuota } = access
    expect(readAccess(lines.slice(0, 4))).toMatchObject({ profile, quota, visitorProfile, visitorQuota })
    expect(visitorProfile).toHaveProperty('max_memory_usage_for_user')
    const rights = (line: string, user: string) =>
      line.replaceAll(` TO ${user}`, '').replaceAll('GRANT ', '').replaceAll('weir.', '').split('\n').sort()
    expect(rights(lines[4]!, 'weir_reader')).toEqual(access.reader)
    expect(rights(lines[5]!, 'weir_writer')).toEqual(access.writer)
    expect(rights(lines[6]!, 'weir_visitor')).toEqual(access.visitor)
  })

  it('limits memory and disk to what the Worker’s settings assume', () => {
    const settings = settingsFor({ timeout: 30 })
    for (const { max_memory_usage, max_temporary_data_on_disk_size_for_query } of [
      access.profile,
      access.visitorProfile,
    ]) {
      expect(Number(max_memory_usage!.value)).toBe(2 * Number(settings.max_bytes_before_external_group_by))
      expect(max_temporary_data_on_disk_size_for_query!.value).toBe(settings.max_temporary_data_on_disk_size_for_query)
    }
  })

  it('grants the reader all tables that the Worker reads', () => {
    const read = [...tables.map(({ name }) => name), 'seals', 'heartbeats', 'system.replicas']
    const granted = read.map((name) => `SELECT ON ${name}`).sort()
    const ofMetrics = ['SELECT(database, reason) ON system.detached_parts', 'SELECT(unreserved_space) ON system.disks']
    expect(access.reader, 'sql/access/0001_reader.sql grants each table of the catalogue.').toEqual(
      [...granted, ...ofMetrics].sort(),
    )
    // Shares and public websites never open recordings.
    const recordings = ['replay_chunks', 'replays', 'heatmap_events'].map((name) => `SELECT ON ${name}`)
    expect(access.visitor, 'sql/access/0003_visitor.sql grants each table of the catalogue, but recordings.').toEqual(
      granted.filter((one) => !recordings.includes(one)),
    )
    expect(access.writer).toEqual(['heartbeats', ...entryTables].map((name) => `INSERT ON ${name}`).sort())
  })
})

const writes = [
  ...['INSERT INTO ingest (event_type) VALUES (1)', 'INSERT INTO ingest SELECT * FROM ingest'],
  ...['INSERT INTO events SELECT * FROM events', 'CREATE TABLE mine (a Int8) ENGINE = Memory'],
  ...['CREATE DATABASE mine', 'DROP TABLE events', 'TRUNCATE TABLE events'],
  ...['ALTER TABLE events ADD COLUMN mine Int8', 'ALTER TABLE events DELETE WHERE 1', 'DELETE FROM events WHERE 1'],
  ...['RENAME TABLE events TO mine', 'OPTIMIZE TABLE events', 'CREATE USER mine', 'GRANT SELECT ON *.* TO default'],
]

describe('a user with all rights', () => {
  it.each(writes)('cannot write with the Worker’s settings: %s', async (sql) => {
    const settings = Object.entries(settingsFor({ timeout: 30 })).map(([name, value]) => [name, String(value)])
    expect(await codeOf(sql, Object.fromEntries(settings))).toBe(READONLY)
  })

  it('can write again in the next request', async () => {
    expect(await codeOf(insert(id(8)))).toBe(0)
  })
})

describe('a user with all rights and the reader’s profile', () => {
  beforeAll(() => become('held'))

  it.each(writes)('cannot write: %s', async (sql) => {
    expect(await codeOf(sql)).toBe(READONLY)
  })
})

describe('weir_writer', () => {
  beforeAll(() => become('writer'))

  it('inserts into the entry tables, from which views fill all other tables', async () => {
    expect(await codeOf(insert(id(7)))).toBe(0)
    for (const session of [8, 9]) {
      const call = `('${OTHER_WEBSITE}', '${id(session)}')`
      expect(await codeOf(`INSERT INTO ingest_session_data (website_id, session_id) VALUES ${call}`)).toBe(0)
    }
    const visit = `'${OTHER_WEBSITE}', '${id(1)}', '${id(2)}', now64(3), now64(3)`
    const recorded = `(${visit}, now64(3), '${'0'.repeat(64)}', [1], '{}')`
    const chunk = 'website_id, visit_id, session_id, created_at, first_at, last_at, hash, times, events'
    expect(await codeOf(`INSERT INTO ingest_replay_chunks (${chunk}) VALUES ${recorded}`)).toBe(0)
    const click = 'website_id, visit_id, session_id, created_at, arrived_at, request, type'
    const clicked = `(${visit}, '${'0'.repeat(16)}', 1)`
    expect(await codeOf(`INSERT INTO ingest_heatmap_events (${click}) VALUES ${clicked}`)).toBe(0)
    expect(await codeOf("INSERT INTO heartbeats (source) VALUES ('')")).toBe(0)
    expect(await codeOf(`INSERT INTO ${halves}`)).toBe(0)
  })

  it.each([
    ...['SELECT count() FROM ingest', 'SELECT count() FROM events', 'INSERT INTO events (event_type) VALUES (1)'],
    "SELECT * FROM remote('127.0.0.1', 'weir', 'events')",
    ...writes.filter((sql) => !sql.startsWith('INSERT INTO ingest (')),
  ])('may not run: %s', async (sql) => {
    expect(await codeOf(sql)).toBe(NO_RIGHT)
  })
})

describe('weir_reader', () => {
  beforeAll(() => become('reader'))

  it('can read how recent the events are', async () => {
    const { timeout: _, ...connection } = server()
    const read = () => readWatermark({ name: 'here', place: {}, server: connection, breaker: breaker() })
    // Weir does not wait for a slow server.
    await expect.poll(read).toBeGreaterThan(Date.now() - 600_000)
  })

  it('can run all reports on events, with and without filters, with the Worker’s settings', async () => {
    expect(eventReports.length).toBeGreaterThanOrEqual(11)
    expect(before[0]).toMatchObject({ body: { count: 4 } })
    expect(await answers()).toEqual(before)
  })

  it('can read a series with more rows than its profile’s default', async () => {
    const report = reports.find(({ path }) => path.endsWith('/:websiteId/pageviews'))!
    const october = [
      ['startAt', '1759276800000'],
      ['endAt', '1761955199999'],
      ['unit', 'minute'],
    ] as const
    const { body } = await answerFrom(server(), { report, websiteId: crowded, eventId, query: october })
    expect((body as { pageviews: unknown[] }).pageviews).toHaveLength(10_001)
  })

  it('can read a chart with more half days', async () => {
    const report = reports.find(({ path }) => path.endsWith('/:websiteId/chart'))!
    const query = [
      ['startAt', '0'],
      ['endAt', '1761955199999'],
    ] as const
    const { body } = await answerFrom(server(), { report, websiteId: old, eventId, query })
    expect((body as { values: number[] }).values.filter((visitors) => visitors === 1)).toHaveLength(10_002)
  })

  it('can read a report of four lists that together have more rows', async () => {
    const report = reports.find(({ path }) => path === '/api/reports/performance')!
    const query = [
      ['startAt', '1759276800000'],
      ['endAt', '1761955199999'],
      ['limit', '10000'],
    ] as const
    const { body } = await answerFrom(server(), { report, websiteId: crowded, eventId, query })
    const lists = Object.values(body as object).filter((value) => value.length === 2501)
    expect(lists).toHaveLength(4)
  })

  it('can find that a distinct id has more sessions than a person may have', async () => {
    const [scope, { signal }] = [wholeWebsite(crowded), new AbortController()]
    const { rows } = await runStatement(routeTo(server()), sessionsOfPerson(scope, { distinctId: 'guest' }), signal)
    expect(() => personIn(rows, 'guest')).toThrow('More than 10000 sessions have this distinct id')
  })

  it('may run every report’s example', async () => {
    // `npm test` runs only a twelfth, and not those chosen above.
    for (const report of inTurn(reports, seed + 6, 12)) {
      const query = Object.entries(report.example.query)
      const asking = answerFrom(server(), { report, websiteId: WEBSITE, eventId, sessionId: id(100), query })
      await expect(asking, report.name).resolves.toHaveProperty('body')
    }
  })

  it('may estimate every report’s price', async () => {
    // `npm test` estimates only a twelfth of the examples, because the examples read the same tables.
    for (const report of inTurn(reports, seed, 12)) {
      const query = Object.entries(report.example.query)
      const { statements } = estimates(planOf({ report, websiteId: WEBSITE, eventId, sessionId: id(100), query }))
      const { signal } = new AbortController()
      const asking = Promise.all(statements.map((one) => runStatement(routeTo(server()), one, signal)))
      await expect(asking, report.name).resolves.not.toHaveLength(0)
    }
  })

  it('can read what the writer has inserted, in every table', async () => {
    // In tables of counts, two inserts may already be merged into one row.
    for (const { name: table } of tables.filter(({ isSealed }) => !isSealed)) {
      const rows = await run(`SELECT count() FROM ${table} WHERE website_id = '${OTHER_WEBSITE}'`)
      expect([table, Number(rows)]).toEqual([table, expect.toSatisfy((count: number) => count >= 1)])
    }
  })

  it.each([
    ...writes,
    'CREATE TEMPORARY TABLE mine (a Int8)',
    'SELECT count() FROM ingest',
    "SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a Int8')",
    "SELECT * FROM file('/etc/passwd', 'LineAsString', 'a String')",
    "SELECT * FROM remote('127.0.0.1', 'weir', 'ingest')",
    "SELECT * FROM mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
    "SELECT * FROM executable('x', 'CSV', 'a Int8')",
    ...['SELECT * FROM system.users', 'SELECT addressToLine(1)', 'SHOW CREATE TABLE ingest', 'SHOW ACCESS'],
    'EXPLAIN SELECT * FROM ingest',
  ])('may not: %s', async (sql) => {
    expect(await codeOf(sql)).toBe(NO_RIGHT)
  })

  it.each([
    [{ readonly: '0' }, READONLY],
    [{ readonly: '1' }, READONLY],
    [{ allow_ddl: '1' }, NO_DDL],
    [{ allow_introspection_functions: '1' }, OUT_OF_BOUNDS],
    [{ max_execution_time: '3601' }, OUT_OF_BOUNDS],
    [{ max_execution_time: '0' }, OUT_OF_BOUNDS],
    [{ max_memory_usage: '4294967297' }, OUT_OF_BOUNDS],
    [{ max_memory_usage: '0' }, OUT_OF_BOUNDS],
    [{ max_rows_to_read: '5000000001' }, OUT_OF_BOUNDS],
    [{ max_rows_to_read: '0' }, OUT_OF_BOUNDS],
    [{ max_result_rows: '5000000001' }, OUT_OF_BOUNDS],
    [{ max_result_rows: '0' }, OUT_OF_BOUNDS],
    [{ result_overflow_mode: 'break' }, OUT_OF_BOUNDS],
    [{ read_overflow_mode: 'break' }, OUT_OF_BOUNDS],
    [{ timeout_overflow_mode: 'break' }, OUT_OF_BOUNDS],
    [{ max_concurrent_queries_for_user: '0' }, OUT_OF_BOUNDS],
  ])('may not loosen %o, in the URL or in the statement, under any profile', async (settings, code) => {
    const inStatement = Object.entries(settings).map(([name, value]) => `${name} = '${value}'`)
    expect(await codeOf('SELECT 1', settings)).toBe(code)
    expect(await codeOf(`SELECT 1 SETTINGS ${inStatement}`)).toBe(code)
    expect(await codeOf('SELECT 1', { profile: 'default', ...settings })).toBe(code)
    expect(await codeOf(`SELECT 1 SETTINGS ${inStatement}`, { profile: 'default' })).toBe(code)
  })

  it('may repeat the current settings, and lower a limit', async () => {
    const same = { readonly: '2', allow_ddl: '0', max_execution_time: '60', result_overflow_mode: 'throw' }
    expect(await run("SELECT getSetting('readonly'), getSetting('max_execution_time')", same)).toBe('2\t60')
    expect(await run("SELECT getSetting('readonly'), getSetting('max_execution_time')")).toBe('2\t30')
    const million = 'SELECT count() FROM (SELECT number FROM numbers(1000000) GROUP BY number)'
    expect(await run(million)).toBe('1000000')
    expect(await codeOf(million, { max_memory_usage: '1000000' })).toBe(241)
    expect(await codeOf('SELECT sleep(3)', { max_execution_time: '0.1' })).toBe(159)
    expect(await codeOf(million, { max_rows_to_read: '999999' })).toBe(158)
    expect(await codeOf('SELECT number FROM numbers(10)', { max_result_rows: '9' })).toBe(396)
  })

  it('may use the export settings, which allow long results', async () => {
    for (const { streaming } of formats) {
      const settings = { ...settingsFor({ timeout: 600 }), ...streamSettings(streaming) }
      const sent = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]))
      const rows = await run('SELECT number FROM numbers(20000)', sent)
      expect(rows.split('\n')).toHaveLength(20_000)
    }
  })

  it('is bound by its profile’s limits', async () => {
    expect((await run('SELECT number FROM numbers(10000)')).split('\n')).toHaveLength(10_000)
    expect(await codeOf('SELECT number FROM numbers(10001)')).toBe(396)
    expect(await codeOf('SELECT sum(number) FROM numbers(5000000001)')).toBe(158)
  })

  it('has a quota', async () => {
    await become('reader', { ...access.quota, queries: '40' })
    const codes = new Set<number>()
    // Each query has different settings, so that the engine opens a new connection: chdb counts nothing on open ones.
    for (let asked = 1; asked <= 200 && !codes.has(201); asked++) {
      codes.add(await codeOf('SELECT 1', { max_block_size: String(asked) }))
    }
    expect([...codes]).toEqual([0, 201])
  })
})

describe('weir_visitor', () => {
  beforeAll(() => become('visitor'))

  it('gets the same answers from all reports, with the Worker’s settings for this user', async () => {
    expect(await answers({ isOpening: true })).toEqual(before)
  })

  it('is limited to one thread and five seconds, whatever a request sets', async () => {
    expect(await run("SELECT getSetting('max_threads'), getSetting('max_execution_time')")).toBe('1\t5')
    expect(await codeOf('SELECT 1', { max_threads: '2' })).toBe(OUT_OF_BOUNDS)
    expect(await codeOf('SELECT 1', { max_memory_usage_for_user: '0' })).toBe(OUT_OF_BOUNDS)
  })

  it.each([...writes, 'SELECT count() FROM ingest', 'SELECT * FROM system.users'])('may not: %s', async (sql) => {
    expect(await codeOf(sql)).toBe(NO_RIGHT)
  })

  it('has quotas of at most a quarter of the reader’s', () => {
    expect(Object.keys(access.visitorQuota)).toEqual(Object.keys(access.quota))
    for (const [name, most] of Object.entries(access.visitorQuota)) {
      expect(Number(most), name).toBeLessThanOrEqual(Number(access.quota[name]) / 4)
    }
  })
})

describe('weir_sealer', () => {
  beforeAll(() => become('sealer'))

  it('can seal days, and seal them again', async () => {
    const { timeout: _, ...connection } = server()
    const client = createClient(connection)
    // The other website's days are many.
    const some = { websiteIds: [WEBSITE], patience: 0 }
    const { sealed, differing } = await seal(client, some)
    expect(sealed).toBeGreaterThan(0)
    expect(differing).toEqual([])
    expect(await seal(client, some)).toEqual({ sealed: 0, differing: [] })
    await client.close()
    expect(await codeOf('ALTER TABLE chained_hours DELETE WHERE 0')).toBe(0)
  })

  it.each([
    ...['SELECT count() FROM session_events', 'SELECT count() FROM custom_events'],
    ...['INSERT INTO ingest (event_type) VALUES (1)', 'ALTER TABLE events DELETE WHERE 1'],
    ...['ALTER TABLE seals DELETE WHERE 1', 'DROP TABLE chained_hours'],
  ])('may not: %s', async (sql) => {
    expect(await codeOf(sql)).toBe(NO_RIGHT)
  })
})
