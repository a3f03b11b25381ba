import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engineFile } from '../../src/local/engine/process.ts'
import { places, root } from '../../src/local/paths.ts'
import { check } from '../../src/local/storage/check.ts'
import type { ClickHouse } from '../../src/local/storage/clickhouse.ts'
import { besideEvents, derivedTables } from '../../src/local/storage/derived.ts'
import { migrateEvents } from '../../src/local/storage/migrations.ts'
import { purge } from '../../src/local/storage/purge.ts'
import { rebuild } from '../../src/local/storage/rebuild.ts'
import { event, number, string } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'
import { oneOfEachKind } from '../support/compared.ts'
import { inTurn } from '../support/long.ts'
import { startMigrated, startOwn } from '../support/own-engine.ts'
import { seed } from '../support/seed.ts'
import { newId } from '../support/website.ts'

/** A separate data folder, because its engine is killed. */
const dataDir = mkdtempSync(`${tmpdir()}/weir-deduplication-`)
let clickhouse: ClickHouse

async function start(): Promise<void> {
  clickhouse = await startOwn(dataDir)
}

beforeAll(async () => {
  clickhouse = await startMigrated(dataDir)
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

/** Four events per day: two custom ones, one of them with properties, a page view and a web vital. */
const batch = (days = ['2025-01-31', '2025-02-01']): IngestRow[] =>
  days.flatMap((day) => [
    event({ event_id: newId(), created_at: `${day} 10:00:00.001`, event_name: 'buy' }, [
      string('currency', 'EUR'),
      number('revenue', '10.5'),
    ]),
    event({ event_id: newId(), created_at: `${day} 10:00:00.002`, event_name: 'buy' }),
    event({ event_id: newId(), created_at: `${day} 10:00:00.003`, event_type: 1, url_path: '/' }),
    event({ event_id: newId(), created_at: `${day} 10:00:00.004`, event_type: 5, lcp: 1200 }),
  ])

/** The derived tables that are filled from events. Recordings have their own entry table. */
const filled = derivedTables.filter(({ sources }) => !sources.includes('replay_chunks'))

/** The number of rows, or of counted events, from one batch. */
const ofBatch: Readonly<Record<string, number>> = {
  ...{ events: 8, custom_events: 4, session_events: 8, event_data: 4, event_data_by_id: 2, sales: 2, web_vitals: 2 },
  ...{ daily_shapes: 8, monthly_shapes: 4, daily_events: 8, hourly_visits: 6, monthly_values: 4 },
}

const times = (batches: number) =>
  Object.fromEntries(Object.entries(ofBatch).map(([table, rows]) => [table, batches * rows]))

const insert = (values: readonly IngestRow[], token?: string): Promise<unknown> =>
  clickhouse.client.insert({
    ...{ table: 'ingest', values, format: 'JSONEachRow' },
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

describe('a repeated insert', () => {
  let batches = 0

  it('is tested in every table that it fills', () => {
    expect(Object.keys(ofBatch)).toStrictEqual(['events', 'custom_events', ...filled.map(({ table }) => table)])
  })

  it('counts once if it has the same token, even after a kill halfway through', async () => {
    const values = batch()
    await insert(values, 'first')
    expect(await stored()).toStrictEqual(times(++batches))
    await insert(values, 'first')
    await insert(batch(), 'first')
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

  it('counts once without a token if its rows are identical, and again if they differ', async () => {
    const values = batch()
    await insert(values)
    await insert(values)
    expect(await stored()).toStrictEqual(times(++batches))
    await insert(batch())
    expect(await stored()).toStrictEqual(times(++batches))
  })

  it.each(inTurn(Object.keys(ofBatch), seed, 12))(
    'is completed after the first attempt failed at %s',
    async (table) => {
      const values = batch()
      await clickhouse.client.command({ query: `ALTER TABLE ${table} ADD CONSTRAINT broken CHECK 0` })
      await expect(insert(values, `of ${table}`)).rejects.toThrow('broken')
      await clickhouse.client.command({ query: `ALTER TABLE ${table} DROP CONSTRAINT broken` })
      expect((await stored())[table]).toBe(batches * ofBatch[table]!)
      await insert(values, `of ${table}`)
      expect(await stored()).toStrictEqual(times(++batches))
    },
  )

  // ClickHouse first writes its log of blocks, then renames the part.
  const kills: readonly [string, string[], string][] = [
    ['the engine was killed before it renamed a part', ['2024-01-31', '2024-02-01'], ''],
    ['the log also ends with half a line', ['2024-03-31', '2024-04-01'], '1\t2025'],
  ]
  const killed = kills.map(([what, days, rest]): [string, () => Promise<void>] => [
    `is completed if ${what}`,
    async () => {
      const [values, kept, lost] = [batch(days), newId(), newId()]
      await insert(batch(), kept)
      // This uses only the first of these months, whose parts are not merged with others.
      await insert(values, lost)
      batches += 2
      const result = await clickhouse.client.query({
        query: `SELECT data_paths[1] AS path FROM system.tables
        WHERE database = currentDatabase() AND name IN ('events', 'custom_events')`,
        format: 'JSONEachRow',
      })
      const paths = (await result.json<{ path: string }>()).map(({ path }) => path)
      await kill()
      for (const path of paths) {
        const log = `${path}/deduplication_logs/deduplication_log_1.txt`
        const [, part] = readFileSync(log, 'utf8').trim().split('\n').at(-1)!.split('\t')
        rmSync(`${path}/${part}`, { recursive: true })
        appendFileSync(log, rest)
      }
      await start()
      expect(await stored()).not.toStrictEqual(times(batches))
      await insert(values, lost)
      await insert(batch(), kept)
      expect(await stored()).toStrictEqual(times(batches))
      await kill()
      await start()
      await insert(batch(days), lost)
      expect(await stored()).toStrictEqual(times(batches))
    },
  ])

  /** Each `npm test` run uses a different selection of cases. */
  const cases: Readonly<Record<string, () => Promise<void>>> = {
    async 'counts once after a migration and a restart, and does not bring back purged rows'() {
      const [values, token, purged] = [batch(), newId(), newId()]
      const gone = batch().map((row) => ({ ...row, website_id: purged }))
      await insert(values, token)
      await insert(gone, purged)
      expect(await stored()).toStrictEqual(times(++batches + 1))
      const folder = `${dataDir}/sql`
      cpSync(`${root}/sql/events`, folder, { recursive: true })
      // This replaces a view, as an upgrade does.
      const file = readFileSync(`${folder}/0002_events.sql`, 'utf8')
      const [view] = /CREATE MATERIALIZED VIEW IF NOT EXISTS web_vitals_from_events[^;]*;/.exec(file)!
      writeFileSync(`${folder}/9999_view.sql`, `DROP VIEW web_vitals_from_events SYNC;\n\n${view}\n`)
      expect(await migrateEvents(clickhouse.client, clickhouse.server, folder)).toEqual(['9999_view.sql'])
      await purge(clickhouse.client, [{ websiteId: purged, before: undefined }])
      await clickhouse.close()
      await start()
      expect(await stored()).toStrictEqual(times(batches))
      await insert(values, token)
      await insert(gone, purged)
      expect(await stored()).toStrictEqual(times(batches))
    },

    async 'is partly stored if its token was used for other rows; check finds the rest, and rebuild adds it'() {
      await insert(batch(), 'taken')
      batches++
      const others = batch(['2025-02-01', '2025-03-01'])
      await insert(others, 'taken')
      const of = (days: number) =>
        Object.fromEntries(Object.entries(times(batches)).map(([t, n]) => [t, n + (days * ofBatch[t]!) / 2]))
      const byYear = [
        ...['session_events', 'event_data_by_id', 'daily_shapes', 'monthly_shapes', 'daily_events', 'monthly_values'],
      ]
      expect(await stored()).toStrictEqual({
        ...of(1),
        ...Object.fromEntries(byYear.map((table) => [table, of(0)[table]])),
      })
      const march = { websiteIds: [], month: 202503 }
      // The others are complete, and `npm test` checks only some of them.
      const some = inTurn(filled, seed, 4)
      for (const one of filled.filter((one) => byYear.includes(one.table) || some.includes(one))) {
        const found = await check(clickhouse.client, one, march)
        const missing = {
          month: 202503,
          websiteId: others[0]!.website_id,
          missing: ofBatch[one.table]! / 2,
          surplus: 0,
        }
        expect([one.table, found]).toMatchObject([one.table, byYear.includes(one.table) ? [missing] : []])
        if (found.length > 0) await rebuild(clickhouse.client, one, march)
      }
      expect(await stored()).toStrictEqual(of(1))
    },
  }

  it.each(inTurn([...killed, ...Object.entries(cases)], seed, 4))('%s', (_, isRight) => isRight())

  it('also counts only once for identify calls', async () => {
    const ann = { website_id: newId(), session_id: newId(), distinct_id: 'ann' }
    const call = { ...ann, created_at: '2025-01-31 10:00:00.000', 'properties.key': ['plan'] }
    const values = [
      { ...call, 'properties.data_type': [1], 'properties.string_value': ['pro'] },
      { ...call, 'properties.data_type': [2], 'properties.string_value': ['1'], 'properties.number_value': ['1'] },
    ].map((one) => ({ 'properties.number_value': [null], 'properties.date_value': [null], ...one }))
    const identify = (token: string) =>
      clickhouse.client.insert({
        ...{ table: 'ingest_session_data', values, format: 'JSONEachRow' },
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
