import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClickHouse } from '../../src/local/commands/io.ts'
import { engineFile } from '../../src/local/engine/process.ts'
import { places } from '../../src/local/paths.ts'
import { check } from '../../src/local/storage/check.ts'
import { startClickHouse } from '../../src/local/storage/clickhouse.ts'
import { besideEvents, derivedTables } from '../../src/local/storage/derived.ts'
import { migrateEvents } from '../../src/local/storage/migrations.ts'
import { event, number, string } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'
import { oneOfEachKind } from '../support/compared.ts'
import { newId } from '../support/website.ts'

/** A data folder of its own: its engine is killed. */
const dataDir = mkdtempSync(`${tmpdir()}/weir-deduplication-`)
let clickhouse: ClickHouse

async function start(): Promise<void> {
  clickhouse = await startClickHouse(dataDir, 0)
}

beforeAll(async () => {
  await start()
  await migrateEvents(clickhouse.client, clickhouse.server)
})

afterAll(async () => {
  await clickhouse.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function kill(): Promise<void> {
  const { pid } = JSON.parse(readFileSync(engineFile(places(dataDir).clickhouse), 'utf8')) as { pid: number }
  process.kill(pid, 'SIGKILL')
  await clickhouse.ended
  await clickhouse.close().catch(() => {})
}

/** Eight events in two months: custom ones, one with properties each month, page views and web vitals. */
const batch = (): IngestRow[] =>
  ['2025-01-31', '2025-02-01'].flatMap((day) => [
    event({ event_id: newId(), created_at: `${day} 10:00:00.001`, event_name: 'buy' }, [
      string('currency', 'EUR'),
      number('revenue', '10.5'),
    ]),
    event({ event_id: newId(), created_at: `${day} 10:00:00.002`, event_name: 'buy' }),
    event({ event_id: newId(), created_at: `${day} 10:00:00.003`, event_type: 1, url_path: '/' }),
    event({ event_id: newId(), created_at: `${day} 10:00:00.004`, event_type: 5, lcp: 1200 }),
  ])

/** Rows, or what is counted, of one batch. */
const ofBatch: Readonly<Record<string, number>> = {
  events: 8,
  custom_events: 4,
  session_events: 8,
  event_data: 4,
  event_data_by_id: 2,
  sales: 2,
  web_vitals: 2,
  daily_shapes: 8,
  monthly_shapes: 4,
  daily_events: 8,
  hourly_visits: 6,
  monthly_values: 4,
}

const times = (batches: number) =>
  Object.fromEntries(Object.entries(ofBatch).map(([table, rows]) => [table, batches * rows]))

const insert = (values: readonly IngestRow[], token?: string): Promise<unknown> =>
  clickhouse.client.insert({
    table: 'ingest',
    values,
    format: 'JSONEachRow',
    ...(token && { clickhouse_settings: { insert_deduplication_token: token } }),
  })

async function stored(): Promise<Record<string, number>> {
  const counts = new Map(derivedTables.map(({ table, counts }) => [table, counts]))
  const sums = Object.keys(ofBatch).map((table) => {
    const sum = counts.get(table) ? `sum(${counts.get(table)})` : 'count()'
    return `SELECT '${table}' AS name, toInt32(${sum}) AS n FROM ${table}`
  })
  const result = await clickhouse.client.query({ query: sums.join(' UNION ALL '), format: 'JSONEachRow' })
  return Object.fromEntries((await result.json<{ name: string; n: number }>()).map(({ name, n }) => [name, n]))
}

describe('an insert that is repeated', () => {
  let batches = 0

  it('knows every table that an insert fills', () => {
    expect(Object.keys(ofBatch)).toStrictEqual(['events', 'custom_events', ...derivedTables.map(({ table }) => table)])
  })

  it('counts once with its token, whatever its rows, also after a restart and a kill, and is completed after a kill half-way', async () => {
    const values = batch()
    await insert(values, 'first')
    expect(await stored()).toStrictEqual(times(++batches))
    await insert(values, 'first')
    await insert(batch(), 'first')
    expect(await stored()).toStrictEqual(times(batches))
    await clickhouse.close()
    await start()
    await insert(values, 'first')
    expect(await stored()).toStrictEqual(times(batches))

    const others = batch()
    await clickhouse.client.command({ query: 'ALTER TABLE hourly_visits ADD CONSTRAINT broken CHECK 0' })
    await expect(insert(others, 'killed')).rejects.toThrow('broken')
    await kill()
    await start()
    await clickhouse.client.command({ query: 'ALTER TABLE hourly_visits DROP CONSTRAINT broken' })
    expect(await stored()).not.toStrictEqual(times(batches))
    await insert(others, 'killed')
    expect(await stored()).toStrictEqual(times(++batches))
    await insert(values, 'first')
    expect(await stored()).toStrictEqual(times(batches))
    await insert(batch(), 'second')
    expect(await stored()).toStrictEqual(times(++batches))
  })

  it('counts once without a token where its rows are equal, and again where they are not', async () => {
    const values = batch()
    await insert(values)
    await insert(values)
    expect(await stored()).toStrictEqual(times(++batches))
    await insert(batch())
    expect(await stored()).toStrictEqual(times(++batches))
  })

  it.each(Object.keys(ofBatch))('is completed where it had failed at %s', async (table) => {
    const values = batch()
    await clickhouse.client.command({ query: `ALTER TABLE ${table} ADD CONSTRAINT broken CHECK 0` })
    await expect(insert(values, `of ${table}`)).rejects.toThrow('broken')
    await clickhouse.client.command({ query: `ALTER TABLE ${table} DROP CONSTRAINT broken` })
    expect((await stored())[table]).toBe(batches * ofBatch[table]!)
    await insert(values, `of ${table}`)
    expect(await stored()).toStrictEqual(times(++batches))
  })

  it('counts once for identify calls, too', async () => {
    const call = { website_id: newId(), session_id: newId(), distinct_id: 'ann', 'properties.key': ['plan'] }
    const values = [
      { ...call, 'properties.data_type': [1], 'properties.string_value': ['pro'] },
      { ...call, 'properties.data_type': [2], 'properties.string_value': ['1'], 'properties.number_value': ['1'] },
    ].map((one) => ({ 'properties.number_value': [null], 'properties.date_value': [null], ...one }))
    const identify = (token: string) =>
      clickhouse.client.insert({
        table: 'ingest_session_data',
        values,
        format: 'JSONEachRow',
        clickhouse_settings: { insert_deduplication_token: token },
      })
    const calls = async () => {
      const result = await clickhouse.client.query({ query: 'SELECT count() AS n FROM session_data', format: 'JSON' })
      return Number((await result.json<{ n: string }>()).data[0]!.n)
    }
    await identify('calls')
    await identify('calls')
    expect(await calls()).toBe(2)
    await identify('more calls')
    expect(await calls()).toBe(4)
    await expect(
      clickhouse.client.insert({
        table: 'ingest_session_data',
        values: [{ ...values[0], session_id: undefined }],
        format: 'JSONEachRow',
      }),
    ).rejects.toThrow('session_id_is_given')
  })

  it('leaves nothing for check to find', async () => {
    for (const one of [besideEvents, ...oneOfEachKind(derivedTables)])
      expect(await check(clickhouse.client, one, { websiteIds: [] })).toStrictEqual([])
  })
})
