import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { event, string } from '../oracle/fixtures.ts'
import { peopled } from '../oracle/generate-people.ts'
import { worlds } from '../oracle/generate-world.ts'
import type { SessionRecord } from '../oracle/session-records.ts'
import { weir } from '../support/commands.ts'
import { runs } from '../support/long.ts'
import { type Database, startPostgres } from '../support/postgres.ts'
import { spawned } from '../support/process.ts'
import { seed } from '../support/seed.ts'
import { running } from '../support/weir.ts'
import { relocated } from '../support/worlds.ts'
import { imported, newState, storedIds, storedKeys } from './moving.ts'
import { heldBy, type Moved, websiteRows, writeOrigin } from './origin.ts'
import { insertInto, makeTables } from './tables.ts'

const postgres = await startPostgres()

interface Source extends Moved, Database {
  readonly websiteIds: string[]
}

/** An Umami database filled with a random world. */
async function newSource(turn = 0): Promise<Source> {
  const among = peopled(worlds).filter(({ rows, records = [] }) => rows.length > 60 && records.length > 10)
  const [world] = fc.sample(among, { seed: seed + turn, numRuns: 1 })
  const { rows, records, idOf } = relocated(world!)
  const held = heldBy('3.1', rows, records)
  const database = await postgres.database()
  const websiteIds = world!.websiteIds.map(idOf)
  await makeTables(database.client, '3.1')
  await insertInto(database.client, 'website', websiteRows(websiteIds))
  await writeOrigin(database.client, held)
  return { ...database, ...held, websiteIds }
}

const keysOf = (records: readonly SessionRecord[]): string[] =>
  records
    .flatMap((one) =>
      one['properties.key'].map((key) => JSON.stringify([one.session_id, one.created_at, one.distinct_id, key])),
    )
    .sort()

/** Asserts that every table contains each row exactly once. */
async function expectAll({ rows, records, websiteIds }: Source): Promise<void> {
  expect(await storedIds(...websiteIds)).toEqual(rows.map(({ event_id }) => event_id).sort())
  expect(await storedKeys(...websiteIds)).toEqual([...new Set(keysOf(records))])
  const checked = await weir(['check', ...websiteIds.flatMap((id) => ['--website', id])])
  expect(checked).toMatchObject({ code: 0 })
}

const linesIn = (file: string): number => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').length : 0)

/** Starts the command and kills it after this many steps. Returns whether it was still running. */
async function killed(url: string, state: string, steps: number): Promise<boolean> {
  const words = ['import', 'umami', '--from', url, '--state', state, '--events', '--rows', '15']
  const { child, ended } = spawned('weir', words, { ...process.env, CLICKHOUSE_URL: running.clickhouse })
  const isOver = ended.then(() => true)
  const goal = linesIn(state) + steps
  while (linesIn(state) < goal && !(await Promise.race([isOver, pause(2)])));
  await pause(steps % 40)
  child.kill('SIGKILL')
  return (await ended).signal === 'SIGKILL'
}

describe('an import', () => {
  it('loses nothing and stores nothing twice if it is killed repeatedly', async () => {
    const most = runs(1, 20)
    for (let kills = 0; kills < most; ) {
      const source = await newSource(kills)
      const state = newState()
      while (kills < most && (await killed(source.url, state, 1 + ((seed + 7 * kills) % 5)))) kills++
      await imported(source.url, '--state', state)
      await expectAll(source)
    }
  })

  it('changes nothing when it runs again after it has finished, and says so', async () => {
    const source = await newSource()
    const state = newState()
    await imported(source.url, '--state', state)
    const rows = source.rows.length + keysOf(source.records).length
    const nothing = `Nothing is new: all ${rows.toLocaleString('en-US')} rows were imported before.\n`
    expect(await imported(source.url, '--events', '--state', state)).toBe(nothing)
    // Without the state, the import reads everything again, and finds it already stored.
    const again = await imported(source.url, '--state', newState())
    expect(again).toContain(`events: 0 imported, ${source.rows.length} were there already`)
    expect(again).toContain(nothing)
    await expectAll(source)
  })

  it('imports rows that have arrived since the last run, even with an older time', async () => {
    const source = await newSource()
    const state = newState()
    const early = { ...source, stored: source.stored.filter((_, place) => place % 3 !== 0) }
    await source.client.query('DELETE FROM website_event WHERE NOT event_id = ANY($1)', [
      early.stored.map(({ event_id }) => event_id),
    ])
    await imported(source.url, '--state', state, '--rows', '50')
    const late = source.stored.filter((_, place) => place % 3 === 0)
    await source.client.query('TRUNCATE event_data')
    await source.client.query('TRUNCATE session, session_data')
    await writeOrigin(source.client, { stored: late, records: source.records })
    expect(await imported(source.url, '--state', state)).toContain(`events: ${late.length} imported`)
    await expectAll(source)
  })

  it('starts with the interrupted batch, and completes it in every table', async () => {
    const { client, url } = await postgres.database()
    await makeTables(client, '3.1')
    const state = newState()
    const row = event({ website_id: randomUUID(), event_id: randomUUID() }, [string('plan', 'pro')])
    writeFileSync(`${state}.batch`, `ingest\n${JSON.stringify(row)}`)
    await imported(url, '--state', state)
    expect(existsSync(`${state}.batch`)).toBe(false)
    expect(await storedIds(row.website_id)).toEqual([row.event_id])
    expect(await weir(['check', '--website', row.website_id])).toMatchObject({ code: 0 })
  })

  it('refuses a state file that belongs to another source or is used by another process', async () => {
    const [one, other] = [await postgres.database(), await postgres.database()]
    const state = newState()
    await makeTables(one.client, '3.1')
    await makeTables(other.client, '3.1')
    await imported(one.url, '--state', state)
    const refused = await weir(['import', 'umami', '--from', other.url, '--state', state])
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('belongs to an import with another source'),
    })
    const two = newState()
    writeFileSync(`${two}.lock`, String(process.ppid))
    const held = await weir(['import', 'umami', '--from', one.url, '--state', two])
    expect(held).toMatchObject({ code: 2, stderr: expect.stringContaining(`as process ${process.ppid}.`) })
  })
})
