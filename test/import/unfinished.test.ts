import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import { LogClock } from '../../src/collect/clock.ts'
import type { EntryTable } from '../../src/collect/insert.ts'
import { EntryLines, entryLine } from '../../src/local/import/entry-lines.ts'
import { Writer } from '../../src/local/import/writer.ts'
import { check } from '../../src/local/storage/check.ts'
import { comparedTables, derivedTables } from '../../src/local/storage/derived.ts'
import { event, record, string } from '../oracle/fixtures.ts'
import { clientOf, ownDatabase } from '../support/own-database.ts'
import { newId } from '../support/website.ts'
import { newState } from './moving.ts'

/** A separate database: no other test inserts rows, breaks a table or makes it forget tokens. */
const server = await ownDatabase()
const client = clientOf(server)
afterAll(() => client.close())
const target = { client, server: { writer: server, reader: server, isOneOfSeveral: false, clock: new LogClock() } }

/** A writer as each run of the same import has it. */
const writerOf = (file: string) => new Writer(target, file, 'an import')

const command = (query: string) => client.command({ query })

async function countIn(table: string, websiteId: string): Promise<number> {
  const query = `SELECT count() AS n FROM ${table} WHERE website_id = '${websiteId}'`
  const result = await client.query({ query, format: 'JSONEachRow' })
  return Number((await result.json<{ n: string }>())[0]!.n)
}

/** Two custom events with properties, in each of two months. */
const eventsOf = (website_id: string) =>
  ['2025-01-31', '2025-01-31', '2025-02-01', '2025-02-01'].map((day) => {
    const ids = { website_id, event_id: newId(), session_id: newId(), visit_id: newId() }
    return event({ ...ids, created_at: `${day} 10:00:00.000`, event_name: 'buy' }, [string('plan', 'pro')])
  })

/** The tables that differ from the tables that fill them. */
async function different(websiteId: string): Promise<string[]> {
  const tables: string[] = []
  for (const one of comparedTables) {
    if ((await check(client, one, { websiteIds: [websiteId] })).length > 0) tables.push(one.table)
  }
  return tables
}

/** Inserts events of another website. They arrive now. */
const insertOthers = (rows: number) =>
  command(`INSERT INTO ingest (website_id, created_at)
    SELECT toUUID('${newId()}'), toDateTime64('2025-01-31 10:00:00', 3, 'UTC') FROM numbers(${rows})`)

/** Makes all tables forget every token, except that of their last block. */
async function forgetTokens(): Promise<void> {
  for (const table of ['events', 'custom_events', 'session_data', ...derivedTables.map(({ table }) => table)]) {
    await command(`ALTER TABLE ${table} MODIFY SETTING non_replicated_deduplication_window = 1`)
  }
}

const textOf = (table: EntryTable, rows: readonly object[]): string =>
  [table, ...rows.map((row) => JSON.stringify(row))].join('\n')

describe('the batch that an import left unfinished', () => {
  it('is completed in every table, and stored once although ClickHouse has forgotten its token', async () => {
    const [file, websiteId] = [newState(), newId()]
    const lines = new EntryLines().begin('ingest')
    for (const row of eventsOf(websiteId)) lines.add(entryLine('ingest', row))
    await command('ALTER TABLE hourly_visits ADD CONSTRAINT broken CHECK 0')
    await expect(writerOf(file).write('events', [lines])).rejects.toThrow('broken')
    await command('ALTER TABLE hourly_visits DROP CONSTRAINT broken')
    const left = readFileSync(file)
    expect(await different(websiteId)).toContain('hourly_visits')

    // The token is certain to be known after fewer than 5,000 other rows.
    await insertOthers(4500)
    await writerOf(file).finish()
    expect(existsSync(file)).toBe(false)
    expect([await countIn('events', websiteId), await different(websiteId)]).toEqual([4, []])

    // This time the import was killed just before it could remove the file.
    await forgetTokens()
    await insertOthers(600)
    writeFileSync(file, left)
    await writerOf(file).finish()
    expect(existsSync(file)).toBe(false)
    expect([await countIn('events', websiteId), await different(websiteId)]).toEqual([4, []])
  })

  it('loses none of its rows if some are stored, and its token is unknown', async () => {
    const [file, websiteId] = [newState(), newId()]
    const rows = eventsOf(websiteId)
    await client.insert({ table: 'ingest', values: rows.slice(0, 2), format: 'JSONEachRow' })
    writeFileSync(file, textOf('ingest', rows))
    await writerOf(file).finish()
    expect([await countIn('events', websiteId), await different(websiteId)]).toEqual([4, []])
    // Nothing is stored yet.
    const others = eventsOf(websiteId)
    writeFileSync(file, textOf('ingest', others))
    await writerOf(file).finish()
    expect([await countIn('events', websiteId), await different(websiteId)]).toEqual([8, []])
  })

  it('stores identify calls once, too', async () => {
    const [file, website_id] = [newState(), newId()]
    const calls = [1, 2, 3].map((hour) =>
      record(`0${hour}:00:00`, [string('plan', 'pro')], { website_id, session_id: newId() }),
    )
    await client.insert({ table: 'ingest_session_data', values: calls.slice(0, 2), format: 'JSONEachRow' })
    writeFileSync(file, textOf('ingest_session_data', calls))
    await writerOf(file).finish()
    expect(await countIn('session_data', website_id)).toBe(3)
  })
})
