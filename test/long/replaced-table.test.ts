import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { type ClickHouseClient, createClient } from '@clickhouse/client-web'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundled } from '../../src/local/start/workerd.ts'
import { check } from '../../src/local/storage/check.ts'
import type { ClickHouse } from '../../src/local/storage/clickhouse.ts'
import type { Derived } from '../../src/local/storage/derived.ts'
import { rebuild } from '../../src/local/storage/rebuild.ts'
import { event, number, string } from '../oracle/fixtures.ts'
import { type Beside, startBeside } from '../support/beside.ts'
import { startMigrated } from '../support/own-engine.ts'
import { newId } from '../support/website.ts'
import { newWebsite, pathOf, running } from '../support/weir.ts'

const dataDir = mkdtempSync(`${tmpdir()}/weir-replaced-`)
let clickhouse: ClickHouse
let client: ClickHouseClient

beforeAll(async () => {
  clickhouse = await startMigrated(dataDir)
  const { timeout: _, ...connection } = clickhouse.server
  client = createClient(connection)
})

afterAll(async () => {
  await client.close()
  await clickhouse.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const rowsOf = async <Row>(query: string): Promise<Row[]> =>
  (await client.query({ query, format: 'JSONEachRow' })).json<Row>()

describe('a table that is replaced by the steps in "Without a pause" of docs/deployment.md', () => {
  const next: Derived = { table: 'sales_next', sources: ['custom_events'], month: 'toYYYYMM(created_at)' }

  const sale = (website_id: string, created_at: string) =>
    event({ website_id, created_at, event_id: newId(), session_id: newId() }, [
      string('currency', 'EUR'),
      number('revenue', '1'),
    ])

  it('gives correct answers at each step, while a writer inserts', { timeout: 120_000 }, async () => {
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
  })
})
