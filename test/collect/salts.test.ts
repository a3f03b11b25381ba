import type { D1Database } from '@cloudflare/workers-types'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { dropOldSalts, saltsFor } from '../../src/collect/salts.ts'
import { keepDropping } from '../../src/local/commands/purge-commands.ts'
import { until, type World, world } from './world.ts'

/**
 * Tests the visitors' salts. Each period has its own random salt, which is deleted once no event of that period can
 * arrive any more (section 15.3).
 */

const day = 86_400_000
const secret = 's'.repeat(32)
const [june, july, august] = [Date.UTC(2031, 5, 1), Date.UTC(2031, 6, 1), Date.UTC(2031, 7, 1)]

let weir: World

beforeAll(async () => {
  weir = await world('faulty.ts')
})

afterAll(() => weir?.close())

beforeEach(async () => {
  await weir.metadata.prepare('DELETE FROM salts').run()
})

interface Row {
  readonly rotation: string
  readonly period: number
  readonly salt: string
}

const rows = async (): Promise<Row[]> =>
  (await weir.metadata.prepare('SELECT * FROM salts ORDER BY period').all<Row>()).results

const periods = async (): Promise<number[]> => (await rows()).map(({ period }) => period)

/** A new isolate with the same D1, in which no salts are cached. Isolates identify a database by its object. */
const newIsolate = (): D1Database =>
  ({
    prepare: (query: string) => weir.metadata.prepare(query),
    batch: (statements: Parameters<D1Database['batch']>[0]) => weir.metadata.batch(statements),
  }) as unknown as D1Database

type Settings = { readonly SALT_ROTATION?: string; readonly COLLECT_LATE?: number }

/** The salt for a time, in hexadecimal, once all background work has ended. */
async function saltAt(moment: number, now: number, METADATA = newIsolate(), settings: Settings = {}): Promise<string> {
  const after: Promise<unknown>[] = []
  const waitUntil = (work: Promise<unknown>) => void after.push(work)
  const salts = await saltsFor([moment], { secret, env: { METADATA, ...settings }, now, waitUntil })
  await Promise.all(after)
  return Buffer.from(salts.of(moment)).toString('hex')
}

it('a salt is random, and all isolates use the first one created for a period', async () => {
  const both = await Promise.all([saltAt(june + day, june + day), saltAt(june, june + 2 * day)])
  expect(both[0]).toBe(both[1])
  expect(await saltAt(june, june + day)).toBe(both[0])
  expect(await rows()).toEqual([{ rotation: 'month', period: june, salt: both[0] }])
  await weir.metadata.prepare('DELETE FROM salts').run()
  expect(await saltAt(june, june + day)).not.toBe(both[0])
})

it.each([
  ['month', june, july],
  ['week', Date.UTC(2031, 5, 2), Date.UTC(2031, 5, 9)],
  ['day', june, june + day],
] as const)('each %s has its own salt', async (SALT_ROTATION, period, next) => {
  const at = (moment: number) => saltAt(moment, next, undefined, { SALT_ROTATION })
  const own = await at(period)
  expect(await at(next - 1)).toBe(own)
  expect(await at(next)).not.toBe(own)
  expect(await at(period - 1)).not.toBe(own)
})

it('salts are created two days ahead, in case D1 is unavailable when a period begins', async () => {
  let isSilent = false
  const silenced = {
    prepare: (query: string) => (isSilent ? silent : weir.metadata.prepare(query)),
    batch: (statements: Parameters<D1Database['batch']>[0]) => weir.metadata.batch(statements),
  } as unknown as D1Database
  const silent = { bind: () => ({ all: () => new Promise(() => {}) }) }
  await saltAt(july - 3 * day, july - 3 * day, silenced)
  expect(await periods()).toEqual([june])
  await saltAt(july - day, july - day, silenced)
  expect(await periods()).toEqual([june, july])
  isSilent = true
  expect(await saltAt(july + day, july + day, silenced)).toBe((await rows())[1]!.salt)
  await expect(saltAt(august + day, august + day, silenced)).rejects.toThrow('D1 does not answer')
})

it('a salt is deleted once its period’s events are too old; events sent with a key get a different one', async () => {
  const own = await saltAt(june, july + 8 * day)
  expect(own).toBe((await rows())[0]!.salt)
  await dropOldSalts({ METADATA: weir.metadata }, july + 8 * day)
  expect(await periods()).toEqual([june, july])
  await dropOldSalts({ METADATA: weir.metadata }, july + 8 * day + 1)
  expect(await periods()).toEqual([july])
  const later = await saltAt(june, july + 8 * day + 1)
  expect(later).not.toBe(own)
  expect(await saltAt(june, august)).toBe(later)
  expect(await periods()).not.toContain(june)
})

it('salts are stored longer if COLLECT_LATE is larger', async () => {
  await saltAt(june, june + day)
  await dropOldSalts({ METADATA: weir.metadata, COLLECT_LATE: 31 }, july + 32 * day)
  expect(await periods()).toEqual([june])
  await dropOldSalts({ METADATA: weir.metadata, COLLECT_LATE: 0 }, july + day + 1)
  expect(await periods()).toEqual([])
})

/** Adds audit log entries of these ages under the name of a round, and lists the ages that are left. */
const entries = {
  async add(name: string, daysAgo: readonly number[]): Promise<void> {
    const insert = weir.metadata.prepare(
      `INSERT INTO audit_entries (created_at, actor_kind, action, subjects, fields, times)
       VALUES (?1, 'nobody', ?2, '{}', '[]', ?3)`,
    )
    await weir.metadata.batch(daysAgo.map((days) => insert.bind(Date.now() - days * day, name, days)))
  },
  async left(name: string): Promise<number[]> {
    const read = weir.metadata.prepare('SELECT times FROM audit_entries WHERE action = ?1 ORDER BY times')
    return (await read.bind(name).all<{ times: number }>()).results.map(({ times }) => times)
  },
}

it('a salt is deleted when the next one is created, and by daily runs and alarms, like old audit entries', async () => {
  const old = Date.UTC(2020, 0, 1)
  const keep = async (round: string) => {
    await weir.metadata.prepare("INSERT OR REPLACE INTO salts VALUES ('day', ?1, ?2)").bind(old, 'f'.repeat(64)).run()
    await entries.add(round, [29, 31, 399, 401])
  }
  const gone = () => until(async () => (await entries.left('daily')).length < 4 || undefined)

  await keep('first')
  await saltAt(june, june + day)
  expect(await periods()).not.toContain(old)

  await keep('daily')
  const failures: string[] = []
  const stop = keepDropping(weir.client, weir.metadata, { AUDIT_DAYS: '1' }, (failure) => failures.push(failure))
  await gone()
  await stop()
  expect(failures).toEqual([])
  expect(await periods()).not.toContain(old)
  expect(await entries.left('daily')).toEqual([29])

  await keep('alarm')
  await fetch(`${weir.url}/faults?points=[]&alarm=1`, { headers: { 'x-log': 'salts' } })
  expect(await periods()).not.toContain(old)
  expect(await entries.left('alarm')).toEqual([29, 31, 399])
})
