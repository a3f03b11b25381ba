import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { newClient } from '../../src/clickhouse/query.ts'
import { parseServer } from '../../src/clickhouse/server.ts'
import { LogClock } from '../../src/collect/clock.ts'
import { EntryLines, entryLine } from '../../src/local/import/entry-lines.ts'
import { Writer } from '../../src/local/import/writer.ts'
import { weir } from '../support/commands.ts'
import { type Database, startPostgres } from '../support/postgres.ts'
import { clickhouse, running } from '../support/weir.ts'
import { imported, newState, refusedIn, storedIds, storedKeys } from './moving.ts'
import { websiteRows } from './origin.ts'
import { insertInto, makeTables } from './tables.ts'

const postgres = await startPostgres()

interface Source extends Database {
  readonly websiteId: string
}

async function newSource(encoding?: 'SQL_ASCII'): Promise<Source> {
  const database = await postgres.database(encoding)
  await makeTables(database.client, '3.1', true)
  const websiteId = randomUUID()
  await insertInto(database.client, 'website', websiteRows([websiteId]))
  return { ...database, websiteId }
}

/** The engine that all tests share. */
async function shared() {
  const server = parseServer({ CLICKHOUSE_URL: running.clickhouse })
  return { server, client: await newClient(server) }
}

/** Inserts an event, and returns its id. */
async function event({ client, websiteId }: Source, changes: object = {}): Promise<string> {
  const ids = { website_id: websiteId, session_id: randomUUID(), visit_id: randomUUID(), event_id: randomUUID() }
  const row = { ...ids, created_at: '2025-03-04 05:06:07+00', event_type: 1, url_path: '/', ...changes }
  await insertInto(client, 'website_event', [row])
  return row.event_id
}

/** Inserts properties of an event. */
const properties = ({ client, websiteId }: Source, eventId: string, rows: readonly object[]): Promise<void> =>
  insertInto(
    client,
    'event_data',
    rows.map((row, place) => ({
      ...{
        event_data_id: `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`.replace(
          /^0{8}/,
          eventId.slice(0, 8),
        ),
      },
      ...{ website_id: websiteId, website_event_id: eventId, created_at: '2025-03-04 05:06:07+00' },
      ...row,
    })),
  )

/** A stored event's properties by key, with type, text, number and date. */
async function storedProperties(eventId: string): Promise<Record<string, unknown>> {
  const [row] = await clickhouse<{ all: [string, ...unknown[]][] }>(
    `SELECT arrayZip(properties.key, properties.data_type, properties.string_value, properties.number_value,
       properties.date_value) AS all FROM custom_events WHERE event_id = '${eventId}'`,
  )
  return Object.fromEntries((row?.all ?? []).map(([key, ...rest]) => [key, rest]))
}

describe('broken rows', () => {
  it('are refused without an id, a time or a known type, each with the reason', async () => {
    const source = await newSource()
    const broken = {
      'created_at is missing': { created_at: null },
      'created_at is before 2000': { created_at: '1970-01-01 00:00:00+00' },
      'created_at is more than a day ahead': { created_at: '9999-12-31 23:59:59+00' },
      'created_at is not a valid time': { created_at: 'infinity' },
      'session_id is missing': { session_id: null },
      'visit_id is missing': { visit_id: null },
      'session_id is not an id': { session_id: '00000000-0000-0000-0000-000000000000' },
      'event_type 9 is not known to Weir': { event_type: 9 },
      'event_type NULL is not known to Weir': { event_type: null },
    }
    for (const changes of Object.values(broken)) await event(source, changes)
    const good = await event(source)
    const state = newState()
    expect(await imported(source.url, '--events', '--state', state)).toBe(
      `events: 1 imported, ${Object.keys(broken).length} refused\nRefused rows: ${state}.refused\n`,
    )
    expect(
      refusedIn(state)
        .map(({ reason }) => reason)
        .sort(),
    ).toEqual(Object.keys(broken).sort())
    expect(await storedIds(source.websiteId)).toEqual([good])
    expect(await imported(source.url, '--state', state)).toContain('Nothing is new')
    expect(refusedIn(state)).toHaveLength(Object.keys(broken).length)
  })

  it('do not affect other rows if ClickHouse refuses them', async () => {
    const { client, server } = await shared()
    const website_id = randomUUID()
    const rows = Array.from({ length: 9 }, (_, place) => ({
      ...{ website_id, event_id: randomUUID(), session_id: randomUUID(), visit_id: randomUUID(), url_path: '/' },
      ...{ created_at: '2025-03-04 05:06:07.000', event_type: place === 4 ? 9 : 1 },
    }))
    const writer = new Writer(
      { client, server: { writer: server, reader: server, isOneOfSeveral: false, clock: new LogClock() } },
      newState(),
      'x',
    )
    const lines = new EntryLines().begin('ingest')
    for (const row of rows) lines.add(entryLine('ingest', row))
    const { inserted, refused } = await writer.write('events', [lines])
    await client.close()
    expect(refused).toEqual([{ kind: 'events', row: rows[4], reason: expect.stringContaining('event_type_is_1_to_5') }])
    const others = rows.filter((row) => row !== rows[4]).map(({ event_id }) => event_id)
    expect([inserted, await storedIds(website_id)]).toEqual([8, others.sort()])
  })

  it('get NULL instead of empty texts, and U+FFFD instead of invalid UTF-8', async () => {
    const source = await newSource('SQL_ASCII')
    const id = await event(source, {
      url_query: null,
      page_title: null,
      event_name: null,
      event_type: 2,
      url_path: null,
    })
    const odd = await event(source)
    await source.client.query(`UPDATE website_event SET page_title = E'caf\\xe9' WHERE event_id = $1`, [odd])
    await imported(source.url, '--state', newState())
    const rows = await clickhouse<{ event_id: string; page_title: string; url_path: string }>(
      `SELECT toString(event_id) AS event_id, page_title, url_path FROM events WHERE website_id = '${source.websiteId}'`,
    )
    expect(Object.fromEntries(rows.map((row) => [row.event_id, [row.page_title, row.url_path]]))).toEqual({
      [id]: ['', ''],
      [odd]: ['caf\ufffd', '/'],
    })
  })

  it('are counted for missing or deleted websites, and imported only if the website is specified', async () => {
    const source = await newSource()
    const [gone, deleted] = [randomUUID(), randomUUID()]
    await insertInto(source.client, 'website', [{ ...websiteRows([deleted])[0], deleted_at: '2025-01-01' }])
    const own = await event(source)
    const orphan = await event(source, { website_id: gone })
    await event(source, { website_id: deleted })
    const ended = await weir(['import', 'umami', '--from', source.url, '--state', newState()])
    expect(ended.stderr).toContain('2 events of 2 websites that Umami has deleted are left out.')
    expect(await storedIds(source.websiteId, gone, deleted)).toEqual([own])
    await imported(source.url, '--state', newState(), '--website', gone)
    expect(await storedIds(gone, deleted)).toEqual([orphan])
  })
})

describe('broken properties', () => {
  it('keep their type if their value is valid, and become texts otherwise', async () => {
    const source = await newSource()
    const id = await event(source, { event_type: 2, event_name: 'bought' })
    await properties(source, id, [
      { data_key: 'number', data_type: 2, string_value: '10.5000', number_value: 10.5 },
      { data_key: 'no number', data_type: 2, string_value: '7', number_value: null },
      { data_key: 'word', data_type: 2, string_value: 'seven', number_value: null },
      { data_key: 'yes', data_type: 3, string_value: 'true' },
      { data_key: 'perhaps', data_type: 3, string_value: 'perhaps' },
      {
        data_key: 'date',
        data_type: 4,
        string_value: '2025-01-02T03:04:05.678Z',
        date_value: '2025-01-02 03:04:05.678+00',
      },
      { data_key: 'old', data_type: 4, string_value: '1700-01-01T00:00:00.000Z', date_value: '1700-01-01 00:00:00+00' },
      { data_key: 'null', data_type: 5, string_value: 'null' },
      { data_key: 'list', data_type: 5, string_value: '["a",1]' },
      { data_key: 'unknown', data_type: 77, string_value: 'text' },
      { data_key: 'empty', data_type: 1, string_value: null },
      { data_key: 'twice', data_type: 1, string_value: 'first' },
      { data_key: 'twice', data_type: 1, string_value: 'later', created_at: '2025-03-04 05:06:09+00' },
    ])
    await imported(source.url, '--state', newState())
    expect(await storedProperties(id)).toEqual({
      number: [2, '10.5000', 10.5, null],
      'no number': [2, '7', 7, null],
      word: [1, 'seven', null, null],
      yes: [3, 'true', null, null],
      perhaps: [1, 'perhaps', null, null],
      date: [4, '2025-01-02T03:04:05.678Z', null, '2025-01-02 03:04:05.678'],
      old: [1, '1700-01-01T00:00:00.000Z', null, null],
      list: [5, '["a",1]', null, null],
      unknown: [1, 'text', null, null],
      empty: [1, '', null, null],
      twice: [1, 'later', null, null],
    })
  })

  it('are imported even if a day has 100,000 of them; an event retains 1,000', async () => {
    const source = await newSource()
    const id = await event(source, { event_type: 2, event_name: 'many' })
    await source.client.query(
      `INSERT INTO website_event (event_id, website_id, session_id, visit_id, event_type, event_name, url_path, created_at)
       SELECT md5('${id}' || one)::uuid, '${source.websiteId}', gen_random_uuid(), gen_random_uuid(), 2, 'few', '/',
         '2025-03-04'::timestamptz + one * interval '1 second' FROM generate_series(1, 1000) AS one`,
    )
    await source.client.query(
      `INSERT INTO event_data (event_data_id, website_id, website_event_id, data_key, data_type, string_value, created_at)
       SELECT gen_random_uuid(), '${source.websiteId}', event_id, 'key' || lpad(key::text, 4, '0'), 1, 'text', created_at
       FROM website_event, generate_series(1, CASE event_name WHEN 'many' THEN 2000 ELSE 100 END) AS key`,
    )
    expect(await imported(source.url, '--state', newState())).toContain('events: 1,001 imported')
    expect(Object.keys(await storedProperties(id))).toHaveLength(1000)
    const [sum] = await clickhouse<{ sum: number }>(
      `SELECT sum(length(properties.key)) AS sum FROM custom_events WHERE website_id = '${source.websiteId}'`,
    )
    expect(sum!.sum).toBe(101_000)
  })
})

describe('broken identify calls', () => {
  it('are refused, while all rows of other calls are stored together', async () => {
    const source = await newSource()
    const session_id = randomUUID()
    const row = (changes: object) => ({
      ...{ session_data_id: randomUUID(), website_id: source.websiteId, session_id, data_type: 1, string_value: 'x' },
      ...{ created_at: '2025-03-04 05:06:07.123456+00', distinct_id: null, ...changes },
    })
    const rows = [{ data_key: 'a' }, { data_key: 'b' }, { data_key: 'a' }, { data_key: 'c', session_id: null }]
    await insertInto(source.client, 'session_data', rows.map(row))
    await insertInto(source.client, 'session_data', [row({ data_key: 'd', created_at: null })])
    const state = newState()
    await imported(source.url, '--state', state, '--rows', '1')
    const key = (name: string) => JSON.stringify([session_id, '2025-03-04 05:06:07.123', '', name])
    expect(await storedKeys(source.websiteId)).toEqual([key('a'), key('b')])
    expect(refusedIn(state).map(({ reason }) => reason)).toEqual(['session_id is missing', 'created_at is missing'])
  })
})
