import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { type ClickHouseClient, createClient } from '@clickhouse/client-web'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { check } from '../../src/local/check.ts'
import { type ClickHouse, startClickHouse, urlOf } from '../../src/local/clickhouse.ts'
import { besideEvents, comparedTables, type Derived, derivedTables } from '../../src/local/derived.ts'
import { migrateEvents, migrationsIn } from '../../src/local/migrations.ts'
import { places, root } from '../../src/local/paths.ts'
import { rebuild } from '../../src/local/rebuild.ts'
import { bundled } from '../../src/local/workerd.ts'
import { tables } from '../../src/query/tables.ts'
import { event, number, string } from '../oracle/fixtures.ts'
import { type Beside, startBeside } from '../support/beside.ts'
import { grantAlso } from '../support/clickhouse-users.ts'
import { oneOfEachWay } from '../support/compared.ts'
import { newId } from '../support/website.ts'
import { newWebsite, pathOf, running } from '../support/weir.ts'

/** A data folder of its own: its database is upgraded. */
const dataDir = mkdtempSync(`${tmpdir()}/weir-upgrade-`)
let clickhouse: ClickHouse
let client: ClickHouseClient

beforeAll(async () => {
  grantAlso(places(dataDir).clickhouse, ['SYSTEM MERGES ON *.*'])
  clickhouse = await startClickHouse(dataDir, 0)
  const { timeout: _, ...connection } = clickhouse.server
  client = createClient(connection)
})

afterAll(async () => {
  await client.close()
  await clickhouse.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const compared = [besideEvents, ...oneOfEachWay(derivedTables)]

async function rowsOf<Row>(query: string): Promise<Row[]> {
  return (await client.query({ query, format: 'JSONEachRow' })).json<Row>()
}

/** An event with properties, one without, and a web vital, in each of two months. */
const write = () =>
  client.insert({
    table: 'ingest',
    values: ['2025-01-31', '2025-02-01'].flatMap((day) => {
      const from = { hostname: 'shop.example', referrer_domain: 'google.com' }
      const bought = { created_at: `${day} 10:00:00.001`, event_name: 'buy', city: 'Oslo', browser: 'chrome', ...from }
      return [
        event({ ...bought, event_id: newId() }, [string('plan', 'pro'), number('price', '10.5')]),
        event({ ...bought, event_id: newId(), event_type: 1, event_name: '' }),
        event({ ...bought, event_id: newId(), event_type: 5, event_name: '', lcp: 1200 }),
      ]
    }),
    format: 'JSONEachRow',
  })

const count = async (): Promise<number> => {
  const [found] = await rowsOf<{ events: number }>('SELECT toUInt32(count()) AS events FROM events')
  return found!.events
}

/** Applies files up to the end of the last one, but is killed before it can record any. */
async function interrupted(folder: string, names: readonly string[], last: string): Promise<void> {
  const settings = { allow_suspicious_low_cardinality_types: 1 } as const
  for (const { statements } of migrationsIn(folder).filter(({ name }) => names.includes(name) && name <= last)) {
    for (const query of statements) await client.command({ query, clickhouse_settings: settings })
  }
}

describe('an upgrade', () => {
  it('applies a new file beside those that were applied, and keeps what is stored', async () => {
    const folder = mkdtempSync(`${tmpdir()}/weir-sql-`)
    cpSync(`${root}/sql/events`, folder, { recursive: true })
    const files = readdirSync(folder).sort()
    const [before, since] = [files.filter((name) => name < '0015'), files.filter((name) => name >= '0015')]
    for (const name of since) rmSync(`${folder}/${name}`)
    expect(await migrateEvents(client, clickhouse.server, folder)).toEqual(before)
    await write()
    // An event that has a value twice: the table of properties could not say so.
    const twice = event({ created_at: '2025-01-31 10:00:00', event_name: 'tag', event_id: newId() }, [
      ...[string('tag', 'a'), string('tag', 'a')],
    ])
    await client.insert({ table: 'ingest', values: [twice], format: 'JSONEachRow' })
    for (const name of since) cpSync(`${root}/sql/events/${name}`, `${folder}/${name}`)
    for (const last of ['0018_hourly_visits.sql', '0021_web_vitals.sql']) await interrupted(folder, since, last)
    expect(await migrateEvents(client, clickhouse.server, folder)).toEqual(since)
    const next = '9999_hosts.sql'
    writeFileSync(
      `${folder}/${next}`,
      `CREATE TABLE hosts (website_id UUID, hostname String, events Int64)
       ENGINE = SummingMergeTree(events) ORDER BY (website_id, hostname);

       CREATE TABLE months (month Date) ENGINE = MergeTree PARTITION BY month ORDER BY month;

       INSERT INTO months SELECT addMonths(toDate('2010-01-01'), number) FROM numbers(101);

       INSERT INTO hosts SELECT website_id, hostname, count() FROM events GROUP BY ALL;

       CREATE MATERIALIZED VIEW hosts_from_events TO hosts DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
       SELECT website_id, hostname, toInt64(count()) AS events FROM events GROUP BY ALL;
      `,
    )
    expect(await migrateEvents(client, clickhouse.server, folder)).toEqual([next])
    await write()
    expect(await rowsOf('SELECT toUInt32(sum(events)) AS events FROM hosts')).toEqual([{ events: 13 }])
    expect(await count()).toBe(13)
    const known = 'SELECT toUInt32(count()) AS events FROM events WHERE ingested_at'
    expect(await rowsOf(`${known} = created_at`)).toEqual([{ events: 7 }])
    expect(await rowsOf(`${known} > now() - INTERVAL 1 HOUR`)).toEqual([{ events: 6 }])
    const byChannel = 'SELECT DISTINCT channel FROM events WHERE event_type = 1'
    expect(await rowsOf(byChannel)).toEqual([{ channel: 'organicSearch' }])
    const ofProperties = comparedTables.find(({ table }) => table === 'event_data')!
    const found = await check(client, ofProperties, { websiteIds: [] })
    expect(found).toMatchObject([{ month: 202501, missing: 1, surplus: 1 }])
    await rebuild(client, ofProperties, { websiteIds: [] })
    for (const one of comparedTables)
      expect([one.table, await check(client, one, { websiteIds: [] })]).toEqual([one.table, []])
    rmSync(folder, { recursive: true })
  })
})

describe('data of another version', () => {
  it('is copied by the steps in the docs', async () => {
    const docs = readFileSync(`${root}/docs/storage.md`, 'utf8')
    const [section] = /### Another version's data.*?\n### /s.exec(docs)!
    const selects = [...section.matchAll(/--data-binary "(SELECT .*?) FORMAT Native"/gs)].map(([, select]) => select!)
    expect(selects).toHaveLength(2)
    const command = (query: string) => client.command({ query })
    await command('CREATE DATABASE of_before')
    // As the tables were called and made: `shown` in place of `packed`, without the alias of today.
    await command('CREATE TABLE of_before.events AS SELECT * EXCEPT packed, packed AS shown FROM events')
    await command('CREATE TABLE of_before.custom_events AS SELECT * FROM custom_events')
    const { timeout: _, ...server } = clickhouse.server
    const moved = { ...clickhouse.server, database: 'moved' }
    const target = createClient({ ...server, database: 'moved' })
    await migrateEvents(target, moved)
    const at = (database: string) => urlOf({ ...clickhouse.server, database })
    const post = async (url: string, body: string | ArrayBuffer) => {
      const response = await fetch(url, { method: 'POST', body })
      const bytes = await response.arrayBuffer()
      expect([response.status, response.ok ? '' : Buffer.from(bytes).toString()]).toEqual([200, ''])
      return bytes
    }
    for (const select of selects) {
      for (const month of [202501, 202502]) {
        const rows = await post(at('of_before'), `${select.replaceAll('202501', String(month))} FORMAT Native`)
        await post(`${at('moved')}&query=INSERT+INTO+ingest+FORMAT+Native`, rows)
      }
    }
    const all = (from: string, table: string) =>
      rowsOf(`SELECT * EXCEPT ingested_at FROM ${from}.${table} ORDER BY ALL`)
    for (const table of ['events', 'custom_events']) {
      expect(await all('moved', table)).toStrictEqual(await all(clickhouse.server.database, table))
    }
    for (const one of compared) expect(await check(target, one, { websiteIds: [] })).toEqual([])
    await target.close()
  })
})

describe('a month that is closed', () => {
  /** Tables of look-ups have no months. */
  const partitioned = tables
    .map(({ name }) => name)
    .filter((name) => name !== 'event_data_by_id' && name !== 'session_events')
    .sort()

  it('is merged in every table that has months', async () => {
    const found = await rowsOf<{ name: string }>(
      `SELECT name FROM system.tables
       WHERE database = currentDatabase() AND engine_full LIKE '%min_age_to_force_merge_seconds = 3600%'
         AND engine_full LIKE '%min_age_to_force_merge_on_partition_only = 1%'
       ORDER BY name`,
    )
    expect(found.map(({ name }) => name)).toEqual(partitioned)
  })

  it('becomes one part once nothing was written to it for that long', { timeout: 120_000 }, async () => {
    await client.command({ query: 'SYSTEM STOP MERGES events' })
    await write()
    await write()
    const parts = async () => {
      const [found] = await rowsOf<{ most: number }>(
        `SELECT toUInt32(max(parts)) AS most FROM (
           SELECT count() AS parts FROM system.parts
           WHERE database = currentDatabase() AND table = 'events' AND active GROUP BY partition)`,
      )
      return found!.most
    }
    expect(await parts()).toBeGreaterThan(1)
    await client.command({ query: 'SYSTEM START MERGES events' })
    await client.command({ query: 'ALTER TABLE events MODIFY SETTING min_age_to_force_merge_seconds = 1' })
    while ((await parts()) > 1) await pause(500)
    expect(await rowsOf('SELECT toUInt32(count()) AS events FROM events')).toEqual([{ events: 25 }])
  })
})

describe('a table that is replaced by the steps of "Without a pause" in docs/deployment.md', () => {
  const next: Derived = { table: 'sales_next', sources: ['custom_events'], month: 'toYYYYMM(created_at)' }

  const sale = (website_id: string, created_at: string) =>
    event({ website_id, created_at, event_id: newId(), session_id: newId() }, [
      string('currency', 'EUR'),
      number('revenue', '1'),
    ])

  it('answers rightly in each step, while a writer writes', { timeout: 120_000 }, async () => {
    const websiteId = await newWebsite()
    const options = bundled(running.dataDir, 0, clickhouse.server)
    const [module] = options.modules
    const contents = module!.contents.replace(/name:"sales"/, 'name:"sales_next"')
    expect(contents).not.toBe(module!.contents)
    const modules = [{ ...module!, contents }]
    const [old, updated] = await Promise.all([startBeside(options), startBeside({ ...options, modules })])
    const command = (query: string) => client.command({ query })

    let [begun, stored, isOver] = [0, 0, false]
    const send = async (values: readonly object[]) => {
      begun += values.length
      const settings = { insert_deduplication_token: newId() }
      await client.insert({ table: 'ingest', values, format: 'JSONEachRow', clickhouse_settings: settings })
      stored += values.length
    }
    await send(Array.from({ length: 50 }, (_, n) => sale(websiteId, `2025-0${1 + (n % 2)}-10 10:00:00.000`)))

    let workers = [old]
    const sources = new Set<string | null>()
    const query = { startAt: Date.parse('2025-01-01'), endAt: Date.now() + 3_600_000, currency: 'EUR' }
    const ask = async ({ url }: Beside) => {
      const least = stored
      const headers = { authorization: `Bearer ${running.adminKey}` }
      const reply = await fetch(url + pathOf(`/api/websites/${websiteId}/revenue/stats`, query), { headers })
      const { sum, count, ...rest } = (await reply.json()) as { sum: number; count: number }
      expect([reply.status, count, sum], JSON.stringify(rest)).toEqual([200, sum, count])
      expect(count).toBeGreaterThanOrEqual(least)
      expect(count).toBeLessThanOrEqual(begun)
      sources.add(reply.headers.get('x-source'))
    }
    const ended: Promise<void>[] = []
    const during = (work: () => Promise<unknown>) => {
      const repeat = async () => {
        for (; !isOver; await pause(250)) await work()
      }
      ended.push(repeat())
    }
    let round: Promise<unknown> = Promise.resolve()
    const askAll = () => {
      round = Promise.all(workers.map(ask))
      return round
    }
    during(() => send([sale(websiteId, new Date().toISOString().replace('T', ' ').slice(0, -1))]))
    during(askAll)
    const twice = async () => {
      for (let n = 0; n < 2; n++) await Promise.all(workers.map(ask))
    }

    const steps = async () => {
      await twice()
      // Add: a table in another order, and its view.
      const [view] = await rowsOf<{ as_select: string }>(
        `SELECT as_select FROM system.tables WHERE database = currentDatabase() AND name = 'sales_from_custom_events'`,
      )
      await command(`CREATE TABLE sales_next AS sales ENGINE = MergeTree PARTITION BY toYYYYMM(created_at)
        ORDER BY (website_id, currency, event_name, created_at) PRIMARY KEY (website_id, currency, event_name)
        SETTINGS non_replicated_deduplication_window = 10000`)
      await command(`CREATE MATERIALIZED VIEW sales_next_from_custom_events TO sales_next
        DEFINER = CURRENT_USER SQL SECURITY DEFINER AS ${view!.as_select}`)
      await twice()
      // Backfill.
      const rebuilt = await rebuild(client, next, { websiteIds: [websiteId] })
      expect(rebuilt.reduce((all, { added }) => all + added, 0)).toBeGreaterThanOrEqual(50)
      await twice()
      // Switch: for a while, both versions of the Worker answer.
      workers = [old, updated]
      await twice()
      workers = [updated]
      await round
      await twice()
      // Drop.
      await command('DROP VIEW sales_from_custom_events SYNC')
      await command('DROP TABLE sales SYNC')
      await twice()
    }
    await Promise.race([steps(), Promise.all(ended)]).finally(() => {
      isOver = true
    })
    await Promise.all(ended)
    expect(stored).toBeGreaterThan(50)
    expect([...sources]).toEqual(['hourly_visits, events, sales', 'hourly_visits, events, sales_next'])
    expect(await check(client, next, { websiteIds: [websiteId] })).toEqual([])
    await Promise.all([old.close(), updated.close()])
  })
})
