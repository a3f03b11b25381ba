import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createClient } from '@clickhouse/client-web'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { check } from '../../src/local/check.ts'
import { type ClickHouse, startClickHouse } from '../../src/local/clickhouse.ts'
import { demoWebsite } from '../../src/local/demo.ts'
import { comparedTables, derivedTables } from '../../src/local/derived.ts'
import { migrateEvents, migrateMetadata } from '../../src/local/migrations.ts'
import { openMetadata } from '../../src/local/open-metadata.ts'
import { places } from '../../src/local/paths.ts'
import { purge as deleteHidden, monthsBefore } from '../../src/local/purge.ts'
import type { OpenMetadata } from '../../src/local/workerd.ts'
import { metadata } from '../../src/metadata/metadata.ts'
import { ofOperator } from '../../src/metadata/websites.ts'
import { tables as catalogue } from '../../src/query/tables.ts'
import { event, id, string } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'
import { grantAlso } from '../support/clickhouse-users.ts'
import { weir } from '../support/commands.ts'
import { columnTime, newId } from '../support/website.ts'

/** A data folder of its own: the command is about every website there is. */
const dataDir = mkdtempSync(`${tmpdir()}/weir-purge-`)
let clickhouse: ClickHouse
let workerd: OpenMetadata

beforeAll(async () => {
  grantAlso(places(dataDir).clickhouse, ['REMOTE ON *.*'])
  clickhouse = await startClickHouse(dataDir, 0)
  await migrateEvents(clickhouse.client, clickhouse.server)
  workerd = await openMetadata(dataDir)
  await migrateMetadata(workerd.metadata)
})

afterAll(async () => {
  await workerd.close()
  await clickhouse.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const purge = (...words: string[]) => weir(['purge', ...words], { dataDir, database: workerd.metadata })

const websitesAt = (now: number) => metadata(workerd.metadata, now).websites

const resetAt = Date.parse('2025-10-15T12:00:00.500Z')
const moments = [resetAt - 40 * 86_400_000, resetAt - 1, resetAt, resetAt + 1]

const reset = (websiteId: string): Promise<void> => websitesAt(resetAt).reset(websiteId)

const insert = (values: readonly IngestRow[]) =>
  clickhouse.client.insert({ table: 'ingest', values, format: 'JSONEachRow' })

/** Adds events, and an identify call at the moment of each. */
async function add(websiteId: string, ...rows: IngestRow[]): Promise<void> {
  await insert(rows.map((row) => ({ ...row, website_id: websiteId })))
  const calls = rows.map(({ session_id, created_at }) => ({ website_id: websiteId, session_id, created_at }))
  await clickhouse.client.insert({ table: 'ingest_session_data', values: calls, format: 'JSONEachRow' })
}

async function emptyWebsite(): Promise<string> {
  const websiteId = newId()
  await websitesAt(1).create({ id: websiteId, name: 'x', domain: 'x.example', ...ofOperator })
  return websiteId
}

async function website(...rows: IngestRow[]): Promise<string> {
  const websiteId = await emptyWebsite()
  await add(websiteId, ...rows)
  return websiteId
}

const events = moments.map((moment, index) =>
  event({ event_id: id(index), created_at: columnTime(moment), event_name: 'buy' }, [
    string('currency', 'EUR'),
    string('revenue', '1'),
  ]),
)

const tables = ['events', 'custom_events', 'session_data', 'session_events', 'event_data', 'event_data_by_id', 'sales']

/** Moments of the rows that are stored of a website, by table. */
async function stored(websiteId: string): Promise<Record<string, number[]>> {
  const rows = tables.map(async (table) => {
    const result = await clickhouse.client.query({
      query: `SELECT toInt64(toUnixTimestamp64Milli(created_at)) AS moment FROM ${table} WHERE website_id = {id:UUID} ORDER BY moment`,
      query_params: { id: websiteId },
      format: 'JSONEachRow',
    })
    const found = await result.json<{ moment: string }>()
    return [table, found.map(({ moment }) => Number(moment))] as const
  })
  return Object.fromEntries(await Promise.all(rows))
}

/** The rows of every table for events at these moments, each with two properties. */
const holding = (...moments: number[]): Record<string, number[]> => ({
  events: moments,
  custom_events: moments,
  session_data: moments,
  // An event and a call at each moment.
  session_events: moments.flatMap((moment) => [moment, moment]),
  event_data: moments.flatMap((moment) => [moment, moment]),
  event_data_by_id: moments,
  sales: moments,
})

const rowsOf = (stdout: string): Record<string, number> =>
  Object.fromEntries(
    [...stdout.matchAll(/^(\w+): (\d+) rows deleted$/gm)].map(([, table, rows]) => [table!, Number(rows)]),
  )

const nothing = Object.fromEntries(catalogue.map(({ name }) => [name, 0]))

/** Rows that count whole days or months of a website before the moment. The others of the same day or month stay. */
const counting = { daily_shapes: 1, monthly_shapes: 1, daily_events: 1, daily_visits: 1, monthly_values: 2 }

const twice = (counts: Record<string, number>) =>
  Object.fromEntries(Object.entries(counts).map(([table, rows]) => [table, 2 * rows]))

/** The events, or properties, that each table counts for a website. Asserts that no row counts 0. */
async function countedOf(websiteId: string): Promise<Record<string, number>> {
  const counted = derivedTables.flatMap(({ table, counts }) => (counts ? [{ table, counts }] : []))
  const sums = counted.map(async ({ table, counts }) => {
    const result = await clickhouse.client.query({
      query: `SELECT toInt32(sum(${counts})) AS n, toInt32(min(${counts}) <= 0 AND count() > 0) AS isOff FROM ${table} WHERE website_id = {id:UUID}`,
      query_params: { id: websiteId },
      format: 'JSONEachRow',
    })
    const [row] = await result.json<{ n: number; isOff: number }>()
    expect(row!.isOff).toBe(0)
    return [table, row!.n] as const
  })
  return Object.fromEntries(await Promise.all(sums))
}

/** The counts of so many events of these tests. */
const ofEvents = (events: number): Record<string, number> => ({
  daily_shapes: events,
  monthly_shapes: events,
  daily_events: events,
  daily_visits: events,
  monthly_values: 2 * events,
})

describe('npm run weir -- purge', () => {
  it('deletes events hidden by resets from every table, once, and prints their number', async () => {
    const [untouched, one, other] = [await website(...events), await website(...events), await website(...events)]
    await reset(one)
    await reset(other)
    const first = await purge()
    expect(first).toMatchObject({ code: 0, stderr: '' })
    expect(rowsOf(first.stdout)).toStrictEqual({
      events: 4,
      custom_events: 4,
      session_data: 4,
      session_events: 8,
      event_data: 8,
      event_data_by_id: 4,
      sales: 4,
      ...twice(counting),
    })
    for (const websiteId of [one, other]) {
      expect(await stored(websiteId)).toStrictEqual(holding(resetAt, resetAt + 1))
      expect(await countedOf(websiteId)).toStrictEqual(ofEvents(2))
    }
    expect(await stored(untouched)).toStrictEqual(holding(...moments))
    expect(await countedOf(untouched)).toStrictEqual(ofEvents(4))
    expect(rowsOf((await purge()).stdout)).toStrictEqual(nothing)

    await add(one, event({ event_id: id(9), created_at: columnTime(resetAt - 5) }))
    expect(rowsOf((await purge()).stdout)).toStrictEqual({
      ...nothing,
      ...{ events: 1, custom_events: 1, session_data: 1, session_events: 2 },
    })
    expect(await stored(one)).toStrictEqual(holding(resetAt, resetAt + 1))
    expect(await countedOf(one)).toStrictEqual(ofEvents(2))
  })

  it('deletes all events of a deleted website only with --deleted', async () => {
    const [deleted, both] = [await website(...events), await website(...events)]
    await reset(both)
    for (const websiteId of [deleted, both]) await websitesAt(resetAt).delete(websiteId)
    expect(rowsOf((await purge()).stdout)).toMatchObject({ events: 2 })
    expect(await stored(deleted)).toStrictEqual(holding(...moments))
    expect(await stored(both)).toStrictEqual(holding(resetAt, resetAt + 1))
    expect(rowsOf((await purge('--deleted')).stdout)).toMatchObject({ events: 6, event_data: 12 })
    for (const websiteId of [deleted, both]) {
      expect(await stored(websiteId)).toStrictEqual(holding())
      expect(await countedOf(websiteId)).toStrictEqual(ofEvents(0))
    }
    expect(rowsOf((await purge('--deleted')).stdout)).toStrictEqual(nothing)
  })

  it('takes deleted sessions out of every table, and then forgets them', async () => {
    const gone = [id(501), id(502)]
    const [websiteId, other] = [await emptyWebsite(), await emptyWebsite()]
    const all = [...gone, id(503)].flatMap((session_id, place) =>
      events.map((row) => ({ ...row, session_id, visit_id: session_id, event_id: newId(), city: String(place) })),
    )
    for (const one of [websiteId, other]) await add(one, ...all)
    for (const session of gone) {
      expect(await metadata(workerd.metadata, 1).sessions.delete(websiteId, session)).toBe(true)
    }
    const purged = await purge()
    expect(purged).toMatchObject({ code: 0, stderr: '' })
    expect(rowsOf(purged.stdout)).toMatchObject({
      ...{ events: 8, custom_events: 8, session_data: 8, session_events: 16, event_data: 16, event_data_by_id: 8 },
    })
    expect(await stored(websiteId)).toStrictEqual(holding(...moments))
    expect(await countedOf(websiteId)).toStrictEqual(ofEvents(4))
    expect(await stored(other)).toStrictEqual(holding(...moments.flatMap((moment) => [moment, moment, moment])))
    expect(await countedOf(other)).toStrictEqual(ofEvents(12))
    const { deletedSessions, cacheEpoch } = (await websitesAt(1).read(websiteId))!
    expect([deletedSessions, cacheEpoch]).toStrictEqual([[], 1])
    expect(rowsOf((await purge()).stdout)).toStrictEqual(nothing)
  })

  it('leaves a deleted demo website deleted', async () => {
    const websiteId = await website(...events)
    writeFileSync(places(dataDir).demo, websiteId)
    const asStarted = () =>
      demoWebsite(dataDir, clickhouse.client, workerd.metadata, undefined, 1000, () => {
        throw new Error('fills it again')
      })
    expect(await asStarted()).toBe(websiteId)
    await websitesAt(resetAt).delete(websiteId)
    await deleteHidden(clickhouse.client, [{ websiteId, before: undefined }])
    expect(await asStarted()).toBe(null)
  })

  it('takes the websites of a remote D1 as wrangler prints them', async () => {
    const file = `${dataDir}/websites.json`
    const { stdout } = await purge('--sql')
    const websiteId = await website(...events)
    await reset(websiteId)
    const { results } = await workerd.metadata.prepare(stdout.trim()).all<{ id: string }>()
    const one = results.filter((row) => row.id === websiteId)
    writeFileSync(file, JSON.stringify([{ results: one, success: true, meta: { duration: 1 } }]))
    expect(rowsOf((await purge(file)).stdout)).toMatchObject({ events: 2, event_data: 4 })
    expect(await stored(websiteId)).toStrictEqual(holding(resetAt, resetAt + 1))
    for (const wrong of ['[]', '{', JSON.stringify([{ results: [{ id: "'", reset_at: 1, deleted_at: 1 }] }])]) {
      writeFileSync(file, wrong)
      const { code, stderr } = await purge(file)
      expect([code, stderr]).toStrictEqual([
        1,
        expect.stringContaining('is not the output of wrangler d1 execute --json'),
      ])
    }
  })

  it('takes many websites at once', async () => {
    const websiteIds = await Promise.all(Array.from({ length: 60 }, emptyWebsite))
    await insert(websiteIds.map((website_id) => event({ website_id, created_at: columnTime(resetAt - 1) })))
    await Promise.all(websiteIds.map(reset))
    expect(rowsOf((await purge()).stdout)).toMatchObject({ events: 60, custom_events: 60 })
  })

  it('keeps so many months: it deletes the same older events from every table', async () => {
    expect(monthsBefore(Date.parse('2026-11-22T19:00:00Z'), 13)).toBe(Date.parse('2025-10-01T00:00:00Z'))
    const october = 2025 * 12 + 9
    const now = new Date()
    const months = String(now.getUTCFullYear() * 12 + now.getUTCMonth() - october)
    const [first, last] = [Date.parse('2025-10-01T00:00:00.000Z'), Date.parse('2025-09-30T23:59:59.999Z')]
    const rows = [...moments, first, last].map((moment) => ({
      ...events[0]!,
      event_id: newId(),
      created_at: columnTime(moment),
    }))
    const [one, other] = [await website(...rows), await website(...rows)]
    const ofOne = await purge('--keep-months', months, '--website', one)
    expect([ofOne.code, ofOne.stdout.split('\n')[0]]).toStrictEqual([0, 'Events before 2025-10-01 (UTC):'])
    expect(rowsOf(ofOne.stdout)).toMatchObject({ events: 2, session_events: 4, event_data: 4, monthly_shapes: 1 })
    const kept = [first, ...moments.slice(1)]
    expect(await stored(one)).toStrictEqual(holding(...kept))
    expect(await countedOf(one)).toStrictEqual(ofEvents(4))
    expect(await countedOf(other)).toStrictEqual(ofEvents(6))

    await purge('--keep-months', months)
    expect(await stored(other)).toStrictEqual(holding(...kept))
    for (const compared of comparedTables) {
      expect(await check(clickhouse.client, compared, { websiteIds: [] })).toStrictEqual([])
    }
    expect(rowsOf((await purge('--keep-months', months)).stdout)).toStrictEqual(nothing)
  })

  it.each([
    [['--keep-months', '0'], '--keep-months: Must be a number of months from 1 to 999.'],
    [['--keep-months', '13', '--deleted'], 'Give --keep-months without --sql, --deleted and FILE.'],
    [['--website', id(1)], 'Give --website only with --keep-months: purge takes the websites from D1.'],
  ])('refuses %j', async (words, message) => {
    const { code, stdout, stderr } = await purge(...words)
    expect([code, stdout, stderr]).toStrictEqual([2, '', `${message}\n`])
  })

  it('has left every table as its sources', async () => {
    for (const derived of derivedTables)
      expect(await check(clickhouse.client, derived, { websiteIds: [] })).toStrictEqual([])
  })

  it('refuses the front of a cluster, whose rows lie elsewhere', async () => {
    await clickhouse.client.command({ query: 'CREATE DATABASE purge_front' })
    await clickhouse.client.command({
      query: "CREATE TABLE purge_front.events AS remote('127.0.0.1', currentDatabase(), 'events')",
    })
    const { timeout: _, ...server } = clickhouse.server
    const client = createClient({ ...server, database: 'purge_front' })
    await expect(deleteHidden(client, [])).rejects.toThrow('purge each shard')
    await client.close()
    await clickhouse.client.command({ query: 'DROP DATABASE purge_front' })
  })
})
