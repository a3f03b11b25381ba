import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, expect, it } from 'vitest'
import { check } from '../../src/local/storage/check.ts'
import { urlOf } from '../../src/local/storage/clickhouse.ts'
import { derivedTables } from '../../src/local/storage/derived.ts'
import { rebuild } from '../../src/local/storage/rebuild.ts'
import { event, number, string } from '../oracle/fixtures.ts'
import { oneOfEachKind } from '../support/compared.ts'
import { runs } from '../support/long.ts'
import { ownEngine } from '../support/own-engine.ts'
import { newId } from '../support/website.ts'

/** A separate data folder, because `check` would wait for other tests' inserts. */
const { clickhouse } = await ownEngine()

/** The tables that are filled by the event from `insert`. */
const compared = oneOfEachKind(derivedTables.filter(({ table }) => !['web_vitals', 'replays'].includes(table)))
const everything = { websiteIds: [] }
const website = newId()

/** Inserts an event. All events have the same day, visit and values, but different ids. */
const insert = (): Promise<unknown> =>
  clickhouse.client.insert({
    table: 'ingest',
    values: [event({ website_id: website, event_id: newId() }, [string('currency', 'EUR'), number('revenue', '1')])],
    format: 'JSONEachRow',
  })

async function texts(query: string): Promise<string[]> {
  const result = await clickhouse.client.query({ query, format: 'JSONEachRow' })
  return (await result.json<{ text: string }>()).map(({ text }) => text)
}

/** Repeats the query until it returns the wanted result. */
async function until(query: string, passes: (found: string[]) => boolean): Promise<void> {
  while (!passes(await texts(query)));
}

/**
 * Milliseconds between two inserts by a writer. This is about the duration of an insert, or less in `npm run
 * test:long`, so that an insert is nearly always running.
 */
const pause = runs(150, 50)

/** Inserts with one writer, or two in `npm run test:long`, until `work` is done. Returns the number of events. */
async function whileWriting(work: () => Promise<void>): Promise<number> {
  let isDone = false
  let written = 0
  const write = async () => {
    while (!isDone) {
      await insert()
      written++
      await delay(pause)
    }
  }
  const writers = Array.from({ length: runs(1, 2) }, write)
  await work().finally(() => {
    isDone = true
  })
  await Promise.all(writers)
  return written
}

/** The differences that running inserts cannot explain. */
async function certain(): Promise<unknown[]> {
  const found = []
  for (const derived of compared) found.push(...(await check(clickhouse.client, derived, everything)))
  return found.filter(({ missing, surplus, unmerged }) => missing + surplus + unmerged > 0)
}

async function rebuildAll(): Promise<number> {
  let changed = 0
  for (const derived of compared) {
    for (const { added, taken } of await rebuild(clickhouse.client, derived, everything)) changed += added + taken
  }
  return changed
}

const stored = async (): Promise<number[]> => {
  const sums = compared.map(({ table, counts }) =>
    texts(`SELECT toString(${counts ? `sum(${counts})` : 'count()'}) AS text FROM ${table}`),
  )
  return (await Promise.all(sums)).map(([sum]) => Number(sum))
}

/** The count of one event in each table. */
let ofOne: number[]
beforeAll(async () => {
  await insert()
  ofOne = await stored()
  expect(Math.min(...ofOne)).toBeGreaterThan(0)
})

it('check does not report rows that a running insert has not stored yet', async () => {
  const byId = derivedTables.find(({ table }) => table === 'event_data_by_id')!
  await insert()
  await clickhouse.client.command({ query: 'CREATE TABLE kept AS event_data_by_id' })
  await clickhouse.client.command({ query: 'INSERT INTO kept SELECT * FROM event_data_by_id' })
  await clickhouse.client.command({ query: 'TRUNCATE TABLE event_data_by_id' })

  // This insert lasts as long as its body is being sent. Before it ends, the test adds its missing rows by hand.
  await clickhouse.client.command({ query: 'CREATE TABLE lasting (n UInt8) ENGINE = Null' })
  const body = new TransformStream<Uint8Array, Uint8Array>()
  const rows = body.writable.getWriter()
  const lasting = fetch(`${urlOf(clickhouse.server)}&query=${encodeURIComponent('INSERT INTO lasting FORMAT TSV')}`, {
    ...{ method: 'POST', body: body.readable, duplex: 'half' },
  } as RequestInit)
  await rows.write(new TextEncoder().encode('1\n'))
  await until("SELECT query_id AS text FROM system.processes WHERE query_kind = 'Insert'", ({ length }) => length === 1)

  // The insert continues once `check` waits for it, which is when `check` asks again whether it has ended.
  let asked = 0
  const client: typeof clickhouse.client = Object.create(clickhouse.client)
  const query: typeof client.query = async (question) => {
    if (question.query.includes('system.processes') && ++asked === 2) {
      await clickhouse.client.command({ query: 'ALTER TABLE event_data_by_id ATTACH PARTITION tuple() FROM kept' })
      await rows.close()
      expect((await lasting).status).toBe(200)
    }
    return clickhouse.client.query(question)
  }
  client.query = query
  expect(await check(client, byId, everything)).toStrictEqual([])
  expect(asked).toBeGreaterThan(2)
  await clickhouse.client.command({ query: 'DROP TABLE kept' })
})

it('check and rebuild find nothing and change nothing if nothing is wrong, however busy writers are', async () => {
  const before = await stored()
  const written = await whileWriting(async () => {
    expect(await certain()).toStrictEqual([])
    expect(await rebuildAll()).toBe(0)
  })
  expect(written).toBeGreaterThan(0)
  expect(await stored()).toStrictEqual(before.map((sum, index) => sum + written * ofOne[index]!))
  expect(await certain()).toStrictEqual([])
})

it('rebuild loses and duplicates nothing during writes', async () => {
  const before = await stored()
  const written = await whileWriting(async () => {
    for (const { table } of compared) await clickhouse.client.command({ query: `TRUNCATE TABLE ${table}` })
    expect(await rebuildAll()).toBeGreaterThan(0)
  })
  const all = before.map((sum, index) => sum + written * ofOne[index]!)
  // A difference that a running insert could explain may remain until a check without inserts.
  const sums = await stored()
  expect(sums.filter((sum, index) => sum > all[index]!)).toStrictEqual([])
  await rebuildAll()
  expect(await stored()).toStrictEqual(all)
  expect(await certain()).toStrictEqual([])
})

it('rebuild never hides a duplicated row from readers, and never changes a correct count', async () => {
  const byId = derivedTables.find(({ table }) => table === 'event_data_by_id')!
  const [events] = await texts('SELECT toString(uniqExact(event_id)) AS text FROM event_data_by_id')
  const [values] = await texts('SELECT toString(sum(properties)) AS text FROM monthly_values')
  await clickhouse.client.command({ query: 'INSERT INTO event_data_by_id SELECT * FROM event_data_by_id' })
  let isDone = false
  const seen = new Set<string>()
  const read = async () => {
    do {
      const select = 'SELECT uniqExact(event_id) FROM event_data_by_id'
      const [text] = await texts(
        `SELECT concat((${select}), ' ', (SELECT sum(properties) FROM monthly_values)) AS text`,
      )
      seen.add(text!)
    } while (!isDone)
  }
  const reading = read()
  const rebuilt = await rebuild(clickhouse.client, byId, everything).finally(() => {
    isDone = true
  })
  await reading
  expect(rebuilt).toMatchObject([{ added: 0, taken: Number(events) }])
  expect([...seen]).toStrictEqual([`${events} ${values}`])
})
