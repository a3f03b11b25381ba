import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { type ClickHouseClient, createClient } from '@clickhouse/client-web'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { places, root } from '../../src/local/paths.ts'
import { bundled } from '../../src/local/start/workerd.ts'
import { check } from '../../src/local/storage/check.ts'
import type { ClickHouse } from '../../src/local/storage/clickhouse.ts'
import { besideEvents, type Derived, derivedTables } from '../../src/local/storage/derived.ts'
import { migrateEvents, migrationsIn } from '../../src/local/storage/migrations.ts'
import { rebuild } from '../../src/local/storage/rebuild.ts'
import { tables } from '../../src/query/tables/tables.ts'
import { event, number, string } from '../oracle/fixtures.ts'
import { type Beside, startBeside } from '../support/beside.ts'
import { grantAlso } from '../support/clickhouse-users.ts'
import { oneOfEachKind } from '../support/compared.ts'
import { isLong } from '../support/long.ts'
import { startOwn } from '../support/own-engine.ts'
import { newId } from '../support/website.ts'
import { newWebsite, pathOf, running } from '../support/weir.ts'

/** A separate data folder, because its database is upgraded. */
const dataDir = mkdtempSync(`${tmpdir()}/weir-upgrade-`)
let clickhouse: ClickHouse
let client: ClickHouseClient

beforeAll(async () => {
  grantAlso(places(dataDir).clickhouse, ['SYSTEM MERGES ON *.*'])
  clickhouse = await startOwn(dataDir)
  const { timeout: _, ...connection } = clickhouse.server
  client = createClient(connection)
})

afterAll(async () => {
  await client.close()
  await clickhouse.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const compared = [besideEvents, ...oneOfEachKind(derivedTables)]

async function rowsOf<Row>(query: string): Promise<Row[]> {
  return (await client.query({ query, format: 'JSONEachRow' })).json<Row>()
}

/** Inserts an event with properties, one without, and a web vital, in each of two months. */
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

/**
 * Two migration files, like those that upgrades contain. The first one fills a table from stored events. The second
 * one replaces that table, and begins with statements that allow it to be restarted after an interruption.
 */
const upgrades = {
  '9998_hosts.sql': `CREATE TABLE IF NOT EXISTS hosts (website_id UUID, hostname String, events Int64)
    ENGINE = SummingMergeTree(events) ORDER BY (website_id, hostname);

    CREATE TABLE IF NOT EXISTS months (month Date) ENGINE = MergeTree PARTITION BY month ORDER BY month;

    INSERT INTO months SELECT addMonths(toDate('2010-01-01'), number) FROM numbers(101);

    INSERT INTO hosts SELECT website_id, hostname, count() FROM events GROUP BY ALL;

    CREATE MATERIALIZED VIEW hosts_from_events TO hosts DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
    SELECT website_id, hostname, toInt64(count()) AS events FROM events GROUP BY ALL;
  `,
  '9999_hosts_by_day.sql': `DROP VIEW IF EXISTS daily_hosts_from_events SYNC;

    DROP TABLE IF EXISTS daily_hosts SYNC;

    CREATE TABLE daily_hosts (website_id UUID, day Date32, hostname String, events Int64)
    ENGINE = SummingMergeTree(events) ORDER BY (website_id, day, hostname);

    INSERT INTO daily_hosts SELECT website_id, toDate32(created_at), hostname, count() FROM events GROUP BY ALL;

    CREATE MATERIALIZED VIEW daily_hosts_from_events TO daily_hosts DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
    SELECT website_id, toDate32(created_at) AS day, hostname, toInt64(count()) AS events FROM events GROUP BY ALL;

    DROP VIEW IF EXISTS hosts_from_events SYNC;

    DROP TABLE IF EXISTS hosts SYNC;
  `,
} as const

type Upgrade = keyof typeof upgrades

describe('an upgrade', () => {
  const folder = mkdtempSync(`${tmpdir()}/weir-sql-`)

  afterAll(() => rmSync(folder, { recursive: true }))

  const add = (name: Upgrade) => writeFileSync(`${folder}/${name}`, upgrades[name])

  /** Runs all but the last few statements of a file, like a run that was killed before it recorded the file. */
  async function interrupted(name: Upgrade, missing: number): Promise<void> {
    const { statements } = migrationsIn(folder).find((one) => one.name === name)!
    for (const query of statements.slice(0, statements.length - missing)) await client.command({ query })
  }

  const eventsOf = async (table: string): Promise<number> => {
    const [found] = await rowsOf<{ events: number }>(`SELECT toUInt32(sum(events)) AS events FROM ${table}`)
    return found!.events
  }

  it('applies only the new file, which fills a table and preserves the stored events', async () => {
    cpSync(`${root}/sql/events`, folder, { recursive: true })
    expect(await migrateEvents(client, clickhouse.server, folder)).toEqual(readdirSync(folder).sort())
    await write()
    add('9998_hosts.sql')
    expect(await migrateEvents(client, clickhouse.server, folder)).toEqual(['9998_hosts.sql'])
    await write()
    expect([await eventsOf('hosts'), await count()]).toEqual([12, 12])
  })

  it('replaces a table, even after interrupted runs', async () => {
    add('9999_hosts_by_day.sql')
    for (const missing of [4, 3, 1, 0]) await interrupted('9999_hosts_by_day.sql', missing)
    expect(await migrateEvents(client, clickhouse.server, folder)).toEqual(['9999_hosts_by_day.sql'])
    await write()
    expect([await eventsOf('daily_hosts'), await count()]).toEqual([18, 18])
    const left = "SELECT name FROM system.tables WHERE database = currentDatabase() AND name LIKE 'hosts%'"
    expect(await rowsOf(left)).toEqual([])
  })

  it('leaves derived tables correct', async () => {
    for (const one of compared)
      expect([one.table, await check(client, one, { websiteIds: [] })]).toEqual([one.table, []])
  })
})

describe('a closed month', () => {
  /** Excludes look-up tables, which are not partitioned by month. */
  const partitioned = tables
    .map(({ name }) => name)
    .filter((name) => name !== 'event_data_by_id' && name !== 'session_events')
    .sort()

  it('is merged in all tables that are partitioned by month', async () => {
    const found = await rowsOf<{ name: string }>(
      `SELECT name FROM system.tables
       WHERE database = currentDatabase() AND engine_full LIKE '%min_age_to_force_merge_seconds = 3600%'
         AND engine_full LIKE '%min_age_to_force_merge_on_partition_only = 1%'
       ORDER BY name`,
    )
    expect(
      found.map(({ name }) => name),
      'A table partitioned by month needs both settings `min_age_to_force_merge_…` in its file in sql/events.',
    ).toEqual(partitioned)
  })

  it('is merged into one part after enough time without writes', { timeout: 120_000 }, async () => {
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
    expect(await rowsOf('SELECT toUInt32(count()) AS events FROM events')).toEqual([{ events: 30 }])
  })
})

const next: Derived = { table: 'sales_next', sources: ['custom_events'], month: 'toYYYYMM(created_at)' }

const sale = (website_id: string, created_at: string) =>
  event({ website_id, created_at, event_id: newId(), session_id: newId() }, [
    string('currency', 'EUR'),
    number('revenue', '1'),
  ])

/** Only in long runs, because two Workers and a writer take seconds of processor time. */
it.each(isLong ? ['a table'] : [])(
  '%s that is replaced by the steps of docs/deployment.md gives correct answers at each step',
  async () => {
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
        for (; !isOver; await pause(500)) await work()
      }
      ended.push(repeat())
    }
    const askNow = () => Promise.all(workers.map(ask))
    let round: Promise<unknown> = Promise.resolve()
    const askAll = () => {
      round = askNow()
      return round
    }
    during(() => send([sale(websiteId, new Date().toISOString().replace('T', ' ').slice(0, -1))]))
    during(askAll)

    const steps = async () => {
      await askNow()
      // Step “add”: a table with a different order, and its view.
      const [view] = await rowsOf<{ as_select: string }>(
        `SELECT as_select FROM system.tables WHERE database = currentDatabase() AND name = 'sales_from_custom_events'`,
      )
      await command(`CREATE TABLE sales_next AS sales ENGINE = MergeTree PARTITION BY toYYYYMM(created_at)
        ORDER BY (website_id, currency, event_name, created_at) PRIMARY KEY (website_id, currency, event_name)
        SETTINGS non_replicated_deduplication_window = 10000`)
      await command(`CREATE MATERIALIZED VIEW sales_next_from_custom_events TO sales_next
        DEFINER = CURRENT_USER SQL SECURITY DEFINER AS ${view!.as_select}`)
      await askNow()
      // Backfill.
      const rebuilt = await rebuild(client, next, { websiteIds: [websiteId] })
      expect(rebuilt.reduce((all, { added }) => all + added, 0)).toBeGreaterThanOrEqual(50)
      await askNow()
      // Step “switch”: for a while, both versions of the Worker answer.
      workers = [old, updated]
      await askNow()
      workers = [updated]
      await round
      await askNow()
      // Drop.
      await command('DROP VIEW sales_from_custom_events SYNC')
      await command('DROP TABLE sales SYNC')
      await askNow()
    }
    await Promise.race([steps(), Promise.all(ended)]).finally(() => {
      isOver = true
    })
    await Promise.all(ended)
    expect(stored).toBeGreaterThan(50)
    expect([...sources]).toEqual(['hourly_visits, events, sales', 'hourly_visits, events, sales_next'])
    expect(await check(client, next, { websiteIds: [websiteId] })).toEqual([])
    await Promise.all([old.close(), updated.close()])
  },
)
