import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { newClient } from '../../src/clickhouse/query.ts'
import { parseServer } from '../../src/clickhouse/server.ts'
import { LogClock } from '../../src/collect/clock.ts'
import { EntryLines, entryLine } from '../../src/local/import/entry-lines.ts'
import { eventOf } from '../../src/local/import/event-rows.ts'
import { importLastDays } from '../../src/local/import/follow.ts'
import { openPostgres } from '../../src/local/import/postgres.ts'
import { postgresSource } from '../../src/local/import/postgres-source.ts'
import { type Import, importSections } from '../../src/local/import/run.ts'
import type { Wanted } from '../../src/local/import/sections.ts'
import type { Section, SourcePage } from '../../src/local/import/source.ts'
import { State } from '../../src/local/import/state.ts'
import { Writer } from '../../src/local/import/writer.ts'
import { places } from '../../src/local/paths.ts'
import { weir } from '../support/commands.ts'
import { type Database, startPostgres } from '../support/postgres.ts'
import { spawned } from '../support/process.ts'
import { clickhouse, insert, running } from '../support/weir.ts'
import { makeClickHouse } from './clickhouse-origin.ts'
import { imported, newState, storedIds } from './moving.ts'
import { websiteRows } from './origin.ts'
import { insertInto, makeTables } from './tables.ts'

const postgres = await startPostgres()

interface Source extends Database {
  readonly websiteId: string
}

async function newSource(): Promise<Source> {
  const database = await postgres.database()
  await makeTables(database.client, '3.1')
  const websiteId = randomUUID()
  await insertInto(database.client, 'website', websiteRows([websiteId]))
  return { ...database, websiteId }
}

/** Inserts an event at this time, and returns its id. */
async function event({ client, websiteId }: Source, created_at: string, changes: object = {}): Promise<string> {
  const ids = { website_id: websiteId, session_id: randomUUID(), visit_id: randomUUID(), event_id: randomUUID() }
  await insertInto(client, 'website_event', [{ ...ids, created_at, event_type: 1, url_path: '/', ...changes }])
  return ids.event_id
}

const refused = (from: string, ...words: readonly string[]) =>
  weir(['import', 'umami', '--from', from, '--state', newState(), ...words])

describe('import umami', () => {
  it('refuses Umami before 2.15, stating its version, and anything that is not Umami', async () => {
    const old = await newSource()
    await old.client.query('ALTER TABLE event_data RENAME COLUMN data_key TO event_key')
    expect(await refused(old.url)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is of an Umami before 2.15: it lacks event_data.data_key.'),
    })
    const { url } = await postgres.database()
    expect(await refused(url)).toMatchObject({ code: 2, stderr: expect.stringContaining('no table website_event') })
    for (const from of ['ftp://host/umami', 'umami.tar']) {
      expect(await refused(from)).toMatchObject({ code: 2, stderr: expect.stringContaining('--from must be') })
    }
  })

  it('does not show the password if it cannot connect', async () => {
    const { code, stderr } = await refused('postgres://umami:hunter2@127.0.0.1:1/umami')
    expect(code).toBe(1)
    expect(stderr).toContain('PostgreSQL at 127.0.0.1:1/umami')
    expect(stderr).not.toContain('hunter2')
  })

  it('refuses invalid dates, numbers and websites, and identifies the flag', async () => {
    for (const [flag, value] of [
      ['--since', 'yesterday'],
      ['--until', '2025-13-01'],
      ['--rows', '0'],
      ['--website', 'mine'],
    ] as const) {
      expect(await refused('postgres://127.0.0.1/x', flag, value)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(flag),
      })
    }
  })

  it('only reads from the source, over a single connection', async () => {
    const source = await newSource()
    const { client } = source
    await event(source, '2025-03-04 00:00:00+00')
    await client.query('CREATE TABLE seen (connections bigint)')
    // A view records the number of connections at each read, which would fail in a read-only session.
    await client.query(
      `CREATE FUNCTION written() RETURNS uuid LANGUAGE plpgsql AS 'BEGIN INSERT INTO seen
         SELECT count(*) FROM pg_stat_activity WHERE application_name = ''weir import''; RETURN gen_random_uuid(); END'`,
    )
    await client.query('ALTER TABLE website_event RENAME TO kept')
    await client.query('CREATE VIEW website_event AS SELECT kept.*, written() AS more FROM kept')
    expect(await refused(source.url)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('cannot execute INSERT in a read-only transaction'),
    })
    await client.query('DROP VIEW website_event')
    await client.query(
      `CREATE VIEW website_event AS SELECT kept.* FROM kept WHERE 1 = (
         SELECT count(*) FROM pg_stat_activity WHERE application_name = 'weir import' AND datname = current_database())`,
    )
    expect(await imported(source.url, '--state', newState())).toContain('events: 1 imported')
  })

  it('imports one of several websites, from a start time to an end time', async () => {
    const source = await newSource()
    const other = randomUUID()
    await insertInto(source.client, 'website', websiteRows([other]))
    await event(source, '2025-03-04 00:00:00+00', { website_id: other })
    await event(source, '2025-03-03 23:59:59.999+00')
    const first = await event(source, '2025-03-04 00:00:00+00')
    const last = await event(source, '2025-04-04 11:59:59.999+00')
    await event(source, '2025-04-04 12:00:00+00')
    const words = ['--website', source.websiteId, '--since', '2025-03-04', '--until', '2025-04-04T12:00:00Z']
    await imported(source.url, '--state', newState(), ...words)
    expect(await storedIds(source.websiteId, other)).toEqual([first, last].sort())
  })

  it('combines small months and websites in one insert, and records each as read', async () => {
    const source = await newSource()
    const other = randomUUID()
    await insertInto(source.client, 'website', websiteRows([other]))
    for (const month of ['03', '04']) {
      for (const website_id of [source.websiteId, other])
        await event(source, `2025-${month}-04 00:00:00+00`, { website_id })
    }
    const state = newState()
    await imported(source.url, '--state', state)
    expect(
      await clickhouse(
        `SELECT toUInt8(count()) AS rows, toUInt8(uniqExact(ingested_at)) AS inserts FROM events
         WHERE website_id IN ('${source.websiteId}', '${other}')`,
      ),
    ).toEqual([{ rows: 4, inserts: 1 }])
    expect(readFileSync(state, 'utf8').match(/"isWhole":true,"read":1,/g)).toHaveLength(4)
  })

  it('prints the numbers of rows in a dry run, and imports nothing', async () => {
    const source = await newSource()
    for (const month of ['01', '02', '03']) await event(source, `2025-${month}-04 00:00:00+00`)
    expect(await imported(source.url, '--dry-run')).toMatch(
      /^websites: 1 to import\nevents: 3 rows of 1 websites, about 600 bytes here\nIt may take 1 seconds\.\n$/,
    )
    expect(await storedIds(source.websiteId)).toEqual([])
  })

  it('stores its progress in the data folder if no file is given', async () => {
    const source = await newSource()
    await event(source, '2025-03-04 00:00:00+00')
    await imported(source.url)
    expect(await imported(source.url)).toContain('Nothing is new: all 1 rows')
    expect(readdirSync(places(running.dataDir).imports).length).toBeGreaterThan(0)
  })

  it('reads websites and saved replays from PostgreSQL if the events are in ClickHouse', async () => {
    const { client, url, websiteId } = await newSource()
    const [deleted, visit] = [randomUUID(), randomUUID()]
    await insertInto(client, 'website', [{ ...websiteRows([deleted])[0], deleted_at: '2025-01-01' }])
    const saved = { saved_replay_id: randomUUID(), name: 'kept', website_id: websiteId, visit_id: visit }
    await insertInto(client, 'session_replay_saved', [saved])
    const name = `umami_${randomUUID().replaceAll('-', '')}`
    const from = await makeClickHouse(name, false)
    const ids = () => ({ session_id: randomUUID(), visit_id: randomUUID(), event_id: randomUUID() })
    const at = '2025-03-04 00:00:00'
    const events = [websiteId, deleted].map((website_id) => ({ website_id, ...ids(), event_type: 1, created_at: at }))
    await insert(`${name}.website_event`, events)
    await clickhouse(
      `CREATE TABLE ${name}.session_replay (replay_id UUID, website_id UUID, session_id UUID, visit_id UUID,
         chunk_index UInt32, events String, created_at DateTime64(6, 'UTC')) ENGINE = MergeTree ORDER BY replay_id`,
    )
    const part = (visit_id: string) => ({
      ...{ replay_id: randomUUID(), website_id: websiteId, session_id: randomUUID(), visit_id, chunk_index: 1 },
      ...{ events: '[{"type":4,"timestamp":1741046400000,"data":{}}]', created_at: at },
    })
    await insert(`${name}.session_replay`, [part(visit), part(randomUUID())])
    const { stdout, stderr } = await weir(['import', 'umami', '--from', from, '--metadata', url, '--state', newState()])
    expect(stderr).toContain('1 events of 1 websites that Umami has deleted are left out.')
    expect(stdout).toContain('parts of replays: 1 left out, too old to be kept here\n')
    expect(stdout).toContain('events: 1 imported\nparts of replays: 1 imported\n')
    expect(await storedIds(websiteId, deleted)).toEqual([events[0]!.event_id])
    await clickhouse(`DROP DATABASE ${name}`)
  })
})

describe('--follow', () => {
  it('first imports existing events, then each changed hour of the last two days', async () => {
    const source = await newSource()
    const now = Date.now()
    const at = (hours: number) => new Date(now - hours * 3_600_000).toISOString()
    const ids = [await event(source, at(60)), await event(source, at(30)), await event(source, at(1))]
    const state = newState()
    const words = ['import', 'umami', '--from', source.url, '--state', state, '--events', '--follow']
    const { child, firstLine, ended } = spawned('weir', words, { ...process.env, CLICKHOUSE_URL: running.clickhouse })
    expect(await firstLine).toBe('events: 3 imported')
    // The command starts reading the last two days immediately.
    await expect
      .poll(() => readFileSync(state, 'utf8'))
      .toMatch(/"section":"events \d{4}-\d\d-\d\dT\d\d.*"isWhole":true/)
    expect(await weir(words)).toMatchObject({ code: 2, stderr: expect.stringContaining('Another import is running') })
    child.kill()
    await ended
    expect(await storedIds(source.websiteId)).toEqual(ids.sort())
  })

  it('reads on while three batches wait, and inserts a page of more than 10,000 rows in parts', async () => {
    const { work, close } = await begun(await newSource())
    const website_id = randomUUID()
    const ids = Array.from({ length: 10_401 }, () => randomUUID())
    const time = { created_at: '2025-03-04 05:06:07', event_type: '1' }
    const pageOf = (some: readonly string[]): SourcePage => ({
      events: some.map((id) => eventOf({ website_id, session_id: id, visit_id: id, event_id: id, ...time }, [])),
      ...{ rows: [], after: [] },
    })
    const order: string[] = []
    async function* read() {
      for (const start of [0, 100, 200, 300, 400]) {
        order.push('read')
        yield pageOf(ids.slice(start, start === 400 ? undefined : start + 100))
      }
    }
    const rows = { in: { from: Date.UTC(2025, 2), until: Date.UTC(2025, 3) } }
    const section: Section = { name: 'all', kind: 'events', websiteIds: [website_id], rows, count: ids.length }
    const told = { ...work, source: { ...work.source, read }, read: () => order.push('written') }
    await importSections(told, [section])
    await close()
    expect(order.indexOf('written')).toBe(4)
    expect(work.sums.get('events')).toEqual({ read: ids.length, inserted: ids.length, present: 0, refused: 0 })
    expect(await storedIds(website_id)).toEqual(ids.sort())
  })

  it('finds rows with an older time that arrive late, and rereads only their hours', async () => {
    const source = await newSource()
    const now = Date.now()
    const at = (hours: number) => new Date(now - hours * 3_600_000).toISOString()
    const ids = [await event(source, at(30)), await event(source, at(20)), await event(source, at(1))]
    const { work, close } = await begun(source)
    const wanted = wantedOf(source, now)
    await importLastDays(work, wanted, now)
    expect(work.sums.get('events')).toEqual({ read: 3, inserted: 3, present: 0, refused: 0 })
    ids.push(await event(source, at(30)))
    work.sums.clear()
    await importLastDays(work, wanted, now)
    expect(work.sums.get('events')).toEqual({ read: 2, inserted: 1, present: 1, refused: 0 })
    work.sums.clear()
    await importLastDays(work, wanted, now)
    expect([...work.sums]).toEqual([])
    expect(await storedIds(source.websiteId)).toEqual(ids.sort())
    await close()
  })

  it('imports only from its start time to its end time, and reads an unchanged hour once', async () => {
    const source = await newSource()
    const now = Date.now()
    const hour = 3_600_000
    const [since, until] = [30, 2].map((hours) => (Math.floor(now / hour) - hours) * hour + hour / 2) as [
      number,
      number,
    ]
    const at = (time: number) => event(source, new Date(time).toISOString())
    const [, ...ids] = [await at(since - 1), await at(since), await at(until - 1)]
    await at(until)
    const { work, close } = await begun(source)
    const wanted = { ...wantedOf(source, now), since, until }
    await importLastDays(work, wanted, now)
    expect(work.sums.get('events')).toEqual({ read: 2, inserted: 2, present: 0, refused: 0 })
    work.sums.clear()
    await importLastDays(work, wanted, now)
    expect([...work.sums]).toEqual([])
    expect(await storedIds(source.websiteId)).toEqual(ids.sort())
    await close()
  })

  it('imports rows that a failed pass had looked up, and inserts the batch that it left unfinished', async () => {
    const source = await newSource()
    const now = Date.now()
    const created_at = new Date(now - 3_600_000).toISOString()
    const id = await event(source, created_at)
    const { work, close } = await begun(source)
    const ids = { website_id: source.websiteId, session_id: randomUUID(), visit_id: randomUUID() }
    const row = { ...ids, event_id: id, created_at: created_at.replace(/T|Z/g, ' ').trim(), event_type: 1 }
    const lines = new EntryLines().begin('ingest')
    lines.add(entryLine('ingest', row))
    await work.writer.find('events', [lines])
    const left = { ...row, event_id: randomUUID() }
    writeFileSync(work.state.batchFile, `ingest\n${JSON.stringify(left)}`)
    await importLastDays(work, wantedOf(source, now), now)
    expect(await storedIds(source.websiteId)).toEqual([id, left.event_id].sort())
    await close()
  })
})

const wantedOf = ({ websiteId }: Source, now: number): Wanted => ({
  ...{ websiteIds: [websiteId], since: undefined, until: undefined, now },
  days: { replays: 30, heatmaps: 400 },
})

/** An import that has not yet read anything. */
async function begun({ url }: Source) {
  const server = parseServer({ CLICKHOUSE_URL: running.clickhouse })
  const client = await newClient(server)
  const source = postgresSource(await openPostgres(url), 100)
  const state = new State(newState(), { source: source.identity, target: 'of a test' })
  const target = { client, server: { writer: server, reader: server, isOneOfSeveral: false, clock: new LogClock() } }
  const writer = new Writer(target, state.batchFile, state.id)
  const work: Import = { source, state, writer, mostRows: 100, levelOf: () => 'moderate', read() {}, sums: new Map() }
  const close = () => Promise.all([source.close(), client.close()])
  return { work, close }
}
