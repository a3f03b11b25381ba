import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import * as fc from 'fast-check'
import type pg from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { parseServer } from '../../src/clickhouse/server.ts'
import { metadata as store } from '../../src/metadata/metadata.ts'
import { marked } from '../oracle/generate-marks.ts'
import { peopled } from '../oracle/generate-people.ts'
import { worlds } from '../oracle/generate-world.ts'
import { weir } from '../support/commands.ts'
import { metadata } from '../support/metadata.ts'
import { startPostgres } from '../support/postgres.ts'
import { passOn } from '../support/proxy.ts'
import { seed } from '../support/seed.ts'
import { newId } from '../support/website.ts'
import { clickhouse, ingest, insert, newWebsite, running } from '../support/weir.ts'
import { relocated } from '../support/worlds.ts'
import { imported, newState } from './moving.ts'
import { heldBy } from './origin.ts'
import { makeTables } from './tables.ts'

const postgres = await startPostgres()
const folders: string[] = []

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** The path of a new folder that PostgreSQL may read. The folder does not exist yet. */
function newFolder(): string {
  const above = mkdtempSync('/tmp/weir-back-')
  chmodSync(above, 0o755)
  folders.push(above)
  return join(above, 'back')
}

/** Runs `export umami` with a new folder as its target. */
async function exported(...words: readonly string[]): Promise<{ folder: string; stdout: string }> {
  const folder = newFolder()
  const { code, stdout, stderr } = await weir(['export', 'umami', '--to', folder, ...words])
  if (code !== 0) throw new Error(stderr)
  return { folder, stdout }
}

/** Runs the export's own script like psql, except that PostgreSQL itself reads the files here. */
async function load(client: pg.Client, folder: string): Promise<void> {
  for (const name of ['', ...readdirSync(folder)]) chmodSync(join(folder, name), 0o755)
  const script = readFileSync(join(folder, 'load.sql'), 'utf8')
    .replace(/^\\(?:set|encoding) .*$/gm, '')
    .replace(
      /^\\copy (.*) from '(.*)' csv header$/gm,
      (_, into, file) => `COPY ${into} FROM '${join(folder, file)}' CSV HEADER;`,
    )
  await client.query(script)
}

/** A statement's rows as JSON, sorted. */
const sorted = async (query: string): Promise<string[]> =>
  (await clickhouse<object>(query)).map((row) => JSON.stringify(row)).sort()

/** Weir's data about a website, without the website's id: events, properties and current session values. */
async function storedOf(id: string) {
  const of = `website_id = '${id}'`
  return {
    events: await sorted(`SELECT * EXCEPT (website_id, ingested_at) FROM events WHERE ${of}`),
    properties: await sorted(
      `SELECT event_id, created_at, properties.key, properties.data_type, properties.value
       FROM custom_events WHERE ${of} AND notEmpty(properties.key)`,
    ),
    sessions: await sorted(
      `SELECT session_id, key, argMax((created_at, distinct_id, type, value), (created_at, type, text, distinct_id)) AS said
       FROM session_data ARRAY JOIN properties.key AS key, properties.data_type AS type,
         properties.string_value AS text, properties.value AS value
       WHERE ${of} GROUP BY session_id, key`,
    ),
  }
}

describe('export umami', () => {
  it('writes files from which an import restores all events', async () => {
    const among = peopled(marked(worlds)).filter(({ rows, records }) => rows.length > 60 && !!records?.length)
    const [world] = fc.sample(among, { seed, numRuns: 1 })
    const { rows, records, idOf } = relocated(world!)
    const held = heldBy('3.1', rows, records)
    const ids = world!.websiteIds.map(idOf)
    await Promise.all(ids.map((id) => newWebsite(id)))
    await Promise.all([ingest(held.rows), insert('ingest_session_data', held.records)])
    const { folder, stdout } = await exported(...ids.flatMap((id) => ['--website', id]))
    expect(stdout).toContain(`website_event.csv: ${held.rows.length} rows`)
    expect(stdout).not.toContain('cut to')
    const { client, url } = await postgres.database()
    await makeTables(client, '3.1')
    await load(client, folder)
    const { rows: counts } = await client.query('SELECT count(*)::int AS rows FROM event_data')
    expect(stdout).toContain(`event_data.csv: ${counts[0].rows.toLocaleString('en-US')} rows`)
    // Running the script again adds no rows.
    await load(client, folder)
    expect((await client.query('SELECT count(*)::int AS rows FROM event_data')).rows).toEqual(counts)
    const others = new Map(ids.map((id) => [id, newId()]))
    for (const [id, other] of others) {
      for (const table of ['website_event', 'session', 'event_data', 'session_data'])
        await client.query(`UPDATE ${table} SET website_id = $1 WHERE website_id = $2`, [other, id])
    }
    await imported(url, '--state', newState(), ...[...others.values()].flatMap((id) => ['--website', id]))
    for (const [id, other] of others) {
      const [here, back] = [await storedOf(id), await storedOf(other)]
      for (const part of ['events', 'properties', 'sessions'] as const) {
        expect(back[part].length).toBe(here[part].length)
        expect(back[part].filter((row, at) => row !== here[part][at]).length).toBe(0)
      }
    }
  })

  const event = (website_id: string, created_at: string, more: object = {}) => ({
    ...{ website_id, created_at, session_id: randomUUID(), visit_id: randomUUID(), event_id: randomUUID() },
    ...{ url_path: '/', ...more },
  })

  const property = (key: string, type: number, text: string, number: string | null = null) => ({
    ...{ 'properties.key': [key], 'properties.data_type': [type], 'properties.string_value': [text] },
    ...{ 'properties.number_value': [number], 'properties.date_value': [null] },
  })

  const rowsOf = async (client: pg.Client, columns: string, table: string) =>
    (await client.query(`SELECT ${columns} FROM ${table} ORDER BY 1`)).rows

  /** Exports a website into Umami's tables. */
  async function loaded(id: string): Promise<{ client: pg.Client; stdout: string }> {
    const { folder, stdout } = await exported('--website', id)
    const { client } = await postgres.database()
    await makeTables(client, '3.1')
    await load(client, folder)
    return { client, stdout }
  }

  it('shortens or omits texts and numbers that do not fit the columns, and counts them', async () => {
    const id = await newWebsite()
    const hostile = 'a "quoted", \\N\r\ntext\0'
    const page_title = `${hostile}${'🙂'.repeat(600)}`
    await ingest([
      event(id, '2025-03-01 00:00:00.001', { page_title, country: 'Germany', url_path: '' }),
      event(id, '2025-03-01 00:00:00.002', { lcp: 1e10, cls: 0.12345 }),
    ] as never)
    const { client, stdout } = await loaded(id)
    expect(stdout).toContain('1 texts of page_title cut to 500 characters')
    expect(stdout).toContain('1 texts of country cut to 2 characters')
    expect(stdout).toContain('1 figures of lcp that are too large, left out')
    expect(stdout).toContain('Left out: replays and heatmaps; revenue')
    const columns = 'page_title, url_path, url_query, lcp, cls'
    expect((await client.query(`SELECT ${columns} FROM website_event ORDER BY created_at`)).rows).toEqual([
      {
        page_title: `${hostile.replace('\0', '\ufffd')}${'🙂'.repeat(500 - hostile.length)}`,
        ...{ url_path: '', url_query: null, lcp: null, cls: null },
      },
      { page_title: null, url_path: '/', url_query: null, lcp: null, cls: '0.1235' },
    ])
  })

  it('shortens or converts properties that do not fit the columns, and counts them', async () => {
    const id = await newWebsite()
    const list = JSON.stringify(Array(100).fill('abcdef'))
    await ingest([
      event(id, '2025-03-01 00:00:00.001', { event_name: 'a', ...property('list', 5, list) }),
      event(id, '2025-03-01 00:00:00.002', { event_name: 'b', ...property('large', 2, '', '123456789012345678') }),
      event(id, '2025-03-01 00:00:00.003', { event_name: 'c', ...property('text', 1, 'x'.repeat(600)) }),
      event(id, '2025-03-01 00:00:00.004', { event_name: 'd', ...property('whole', 2, '10', '10') }),
    ] as never)
    const { client, stdout } = await loaded(id)
    expect(stdout).toContain('1 texts of string_value cut to 500 characters')
    expect(stdout).toContain('1 arrays cut to 500 characters, by whole elements')
    expect(stdout).toContain('1 numbers of more than 15 digits that became texts')
    expect(await rowsOf(client, 'data_key, data_type, string_value, number_value', 'event_data')).toEqual([
      { data_key: 'large', data_type: 1, string_value: '123456789012345678.0000', number_value: null },
      { data_key: 'list', data_type: 5, string_value: JSON.stringify(Array(55).fill('abcdef')), number_value: null },
      { data_key: 'text', data_type: 1, string_value: 'x'.repeat(500), number_value: null },
      { data_key: 'whole', data_type: 2, string_value: '10.0000', number_value: '10.0000' },
    ])
  })

  it('omits data that reports hide, duplicates, and data outside its range', async () => {
    const id = await newWebsite()
    const [gone, kept] = [randomUUID(), event(id, '2025-03-03 00:00:00.000', { browser: 'late' })]
    const first = event(id, '2025-03-02 00:00:00.000', { session_id: kept.session_id, browser: 'early' })
    await ingest([
      event(id, '2025-02-28 23:59:59.999'),
      event(id, '2025-03-03 00:00:00.000', { session_id: gone, event_name: 'x', ...property('k', 1, 'v') }),
      first,
      kept,
      kept,
      event(id, '2025-03-04 00:00:00.000'),
    ] as never)
    const { sessions, websites } = store(metadata, Date.UTC(2025, 5))
    await sessions.delete(id, gone)
    await metadata.prepare('UPDATE websites SET reset_at = ?1 WHERE id = ?2').bind(Date.UTC(2025, 2), id).run()
    expect((await websites.read(id))?.resetAt).toBe(Date.UTC(2025, 2))
    const words = ['--website', id, '--since', '2025-03-03', '--until', '2025-03-04']
    const { folder, stdout } = await exported(...words)
    expect(stdout).toMatch(
      /^event_data.csv: 0 rows\nsession_data.csv: 0 rows\nwebsite_event.csv: 1 rows\nsession.csv: 1 rows\n/,
    )
    expect(readFileSync(join(folder, 'session.csv'), 'utf8').split('\n')[1]).toBe(
      `${kept.session_id},${id},2025-03-02 00:00:00.000+00,early,,,,,,,,`,
    )
    expect(statSync(join(folder, 'session.csv')).mode & 0o777).toBe(0o600)
    expect(await weir(['export', 'umami', '--to', folder, ...words])).toMatchObject({
      ...{ code: 2, stderr: expect.stringContaining('already has event_data.csv') },
    })
  })

  it('keeps Umami’s session values until newer ones replace them', async () => {
    const id = await newWebsite()
    const session_id = randomUUID()
    const said = (created_at: string, text: string) => ({
      ...{ website_id: id, session_id, created_at, distinct_id: '', ...property('plan', 1, text) },
    })
    await insert('ingest_session_data', [
      said('2025-03-01 00:00:00.000', 'free'),
      said('2025-03-02 00:00:00.000', 'paid'),
    ])
    const one = event(id, '2025-03-01 00:00:00.000', { event_name: 'x', ...property('k', 1, 'v') })
    await ingest([one] as never)
    const { client } = await postgres.database()
    await makeTables(client, '3.1')
    const ids = [randomUUID(), id, session_id]
    await client.query(
      "INSERT INTO session_data (session_data_id, website_id, session_id, data_key, string_value, data_type, created_at) VALUES ($1, $2, $3, 'plan', 'old', 1, '2025-02-01')",
      ids,
    )
    await client.query(
      "INSERT INTO event_data (event_data_id, website_id, website_event_id, data_key, string_value, data_type) VALUES ($1, $2, $3, 'k', 'v', 1)",
      [randomUUID(), id, one.event_id],
    )
    await load(client, (await exported('--website', id)).folder)
    expect(await rowsOf(client, 'string_value', 'session_data')).toEqual([{ string_value: 'paid' }])
    expect(await rowsOf(client, 'string_value', 'event_data')).toEqual([{ string_value: 'v' }])
    expect(await rowsOf(client, 'session_id', 'session')).toHaveLength(2)
  })

  it.each([
    ['ends within a row', (answer: ServerResponse) => answer.end('{"website_id":"')],
    ['ends with an error', (answer: ServerResponse) => answer.end('Code: 241. DB::Exception: Memory limit exceeded\n')],
    ['breaks off', (answer: ServerResponse) => answer.write(' ', () => answer.destroy())],
  ])('leaves no file behind if ClickHouse’s response %s', async (_, answered) => {
    const { url, username, password, database } = parseServer({ CLICKHOUSE_URL: running.clickhouse })
    const between = createServer((request, response) => {
      // Only export statements have this setting.
      if (request.url!.includes('decimal_trailing_zeros')) answered(response)
      else passOn(url, request, response)
    }).listen(0, '127.0.0.1')
    await once(between, 'listening')
    const { port } = between.address() as AddressInfo
    const env = {
      CLICKHOUSE_URL: `http://127.0.0.1:${port}/?database=${database}`,
      ...{ CLICKHOUSE_USER: username, CLICKHOUSE_PASSWORD: password },
    }
    const folder = newFolder()
    const outcome = await weir(['export', 'umami', '--to', folder, '--website', await newWebsite()], { env })
    between.closeAllConnections()
    between.close()
    expect(outcome).toMatchObject({ code: 1, stdout: '' })
    expect(readdirSync(folder)).toEqual([])
  })

  it('reads a remote D1’s websites from a file, and refuses an unknown website', async () => {
    const id = await newWebsite()
    await ingest([event(id, '2025-03-01 00:00:00.000')] as never)
    const { stdout: statement } = await weir(['export', 'umami', '--sql'])
    const { results } = await metadata.prepare(statement).all<{ id: string }>()
    const file = `${newFolder()}.json`
    writeFileSync(file, JSON.stringify([{ results: results.filter((row) => row.id === id) }]))
    expect((await exported(file)).stdout).toContain('website_event.csv: 1 rows')
    const [folder, unknown] = [newFolder(), randomUUID()]
    const outcome = await weir(['export', 'umami', '--to', folder, '--website', unknown])
    expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining(`There is no website ${unknown}`) })
    expect(existsSync(folder)).toBe(false)
  })
})
