import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client-web'
import { describe, expect, it, vi } from 'vitest'
import { run } from '../../src/clickhouse/run.ts'
import { getWebsiteSessionStats } from '../../src/endpoints/sessions/stats.ts'
import { getWebsiteMetrics } from '../../src/endpoints/statistics/metrics.ts'
import { getWebsiteStats } from '../../src/endpoints/statistics/stats.ts'
import { chainTables } from '../../src/local/storage/chain-rows.ts'
import { checkChains } from '../../src/local/storage/check-chains.ts'
import { purge } from '../../src/local/storage/purge.ts'
import { purgeBefore } from '../../src/local/storage/retention.ts'
import { seal } from '../../src/local/storage/seal.ts'
import { unseal } from '../../src/local/storage/unseal.ts'
import { compile } from '../../src/query/language/sql.ts'
import { event, id } from '../oracle/fixtures.ts'
import { chainedResults, plannedKnowing } from '../support/chained.ts'
import { weir } from '../support/commands.ts'
import { inTurn } from '../support/long.ts'
import { ownEngine } from '../support/own-engine.ts'
import { planOf } from '../support/questions.ts'
import { routeTo } from '../support/route.ts'
import { seed } from '../support/seed.ts'
import { unsealedDaysOf } from '../support/unsealed-days.ts'
import { columnTime, newId } from '../support/website.ts'

/** A separate data folder, because commands process every website. */
const { dataDir, clickhouse } = await ownEngine()

const [hour, day] = [3_600_000, 86_400_000]
const from = Date.UTC(2025, 0, 1)

/** The number of days of a website, which span two months. */
const days = 40

/** Three views on each day, from nine returning sessions with visits that never end. Some of them buy. */
async function website(): Promise<string> {
  const website_id = newId()
  await add(
    website_id,
    Array.from({ length: 3 * days }, (_, place) => from + (place % days) * day + (place % 7) * hour),
  )
  await add(
    website_id,
    Array.from({ length: 24 }, (_, place) => from + place * day + (place % 3) * hour),
    isSale,
  )
  return website_id
}

const isSale = { event_type: 2, event_name: 'buy' }

const add = (website_id: string, moments: readonly number[], more: object = {}) =>
  clickhouse.client.insert({
    table: 'ingest',
    values: moments.map((moment, place) => ({
      ...event({
        ...{ website_id, event_id: newId(), created_at: columnTime(moment), event_type: 1, event_name: '' },
        ...{ session_id: id(2000 + (place % 9)), visit_id: id(5000 + 9 * (place % 4) + (place % 9)) },
        url_path: `/${place % 5}`,
      }),
      ...more,
    })),
    format: 'JSONEachRow',
  })

const seals = (websiteId: string) => seal(clickhouse.client, { websiteIds: [websiteId], patience: 0 })

interface Way {
  readonly chained: unknown
  readonly whole: unknown
}

const { signal } = new AbortController()
const route = () => routeTo(clickhouse.server)

/** A question's statement, planned with the current rows of `seals`. */
async function statementOf(websiteId: string, type: string, query: Record<string, string> = {}) {
  const report = type === 'stats' ? getWebsiteStats : type === 'sessions' ? getWebsiteSessionStats : getWebsiteMetrics
  const range = {
    startAt: String(from),
    endAt: String(from + days * day - 1),
    ...(report === getWebsiteMetrics && { type }),
    ...query,
  }
  const question = { report, websiteId, query: Object.entries(range) }
  const { current, list, totals } = await plannedKnowing(route(), (known) => planOf(question, known))
  return (current ?? list ?? totals)!
}

/** The answers to a question with and without chains. `chained` is undefined if no chain answers it. */
async function ways(...question: Parameters<typeof statementOf>): Promise<Way> {
  const statement = await statementOf(...question)
  const { cheaper: _, ...whole } = statement
  const [chained, ...others] = await chainedResults(route(), statement)
  // All forms of a list give the same answer. But if the list is empty, a form with a single statement gives none.
  const isEmpty = chained?.rows.length === 0
  expect(others).toEqual(others.map(() => (isEmpty ? undefined : chained)))
  return { chained, whole: await run(route(), whole, signal) }
}

const types = ['stats', 'sessions', 'path', 'title', 'entry', 'channel']

/** One question for each of the tables. `types` lists all questions. */
const oneOfEach = ['stats', 'sessions', 'path']

let turns = 0
/** The next one of these questions, in turn. */
const nextOfEach = () => inTurn(oneOfEach, seed + turns++, oneOfEach.length)

async function expectChained(websiteId: string, isChained = true, asked = nextOfEach()): Promise<void> {
  for (const type of asked) {
    const { chained, whole } = await ways(websiteId, type)
    expect({ type, chained }).toEqual({ type, chained: isChained ? whole : undefined })
  }
}

const command = (...words: string[]) => weir(words, { dataDir })

describe('a statement that reads rows of chains twice', () => {
  it('is sent only to a server that reads them in a single snapshot', async () => {
    const { query, query_params } = compile((await statementOf(newId(), 'stats')).wants!.statement.body)
    for (const isOn of [1, 0]) {
      const clickhouse_settings = { enable_shared_storage_snapshot_in_query: isOn } as ClickHouseSettings
      const found = await clickhouse.client.query({ query, query_params, format: 'JSONEachRow', clickhouse_settings })
      expect(await found.json()).toMatchObject([{ isHere: isOn }])
    }
  })
})

describe('seal', () => {
  it('seals each past day once, except today, and days on which hourly_visits and daily_shapes differ', async () => {
    const websiteId = await website()
    await expectChained(websiteId, false)
    await add(websiteId, [Date.now()])
    const { code, stdout } = await command('seal', '--website', websiteId)
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${days} days sealed\n` })
    expect((await command('seal', '--website', websiteId)).stdout).toBe('0 days sealed\n')
    await expectChained(websiteId, true, types)
    // A day on which the two tables differ is reported, and stays unsealed.
    await clickhouse.client.command({
      query: `INSERT INTO daily_shapes VALUES (toUUID('${websiteId}'), toDate32('2025-02-01'), 1, '', '', 1)`,
    })
    const differing = await command('seal', '--website', websiteId)
    expect({ code: differing.code, stdout: differing.stdout }).toEqual({
      code: 1,
      stdout: `0 days sealed\n${websiteId} 2025-02-01: events, hourly_visits and daily_shapes differ. Run check, then rebuild.\n`,
    })
    await expectChained(websiteId, false)
  })
})

/** A client whose inserts into a table include only the rows that meet a condition. */
const losing = (table: string, kept: string): ClickHouseClient =>
  Object.assign(Object.create(clickhouse.client), {
    command: ({ query, ...more }: { readonly query: string }) =>
      clickhouse.client.command({
        ...more,
        query: query.startsWith(`INSERT INTO ${table} `) ? `${query} WHERE ${kept}` : query,
      }),
  })

/**
 * Cases that seal their own websites. Each `npm test` run uses a different selection of these cases and of the tables
 * below.
 */
const cases: Readonly<Record<string, () => Promise<void>>> = {
  async 'seals a day of many actions in slices of sessions, and finds visits that two slices share'() {
    const websiteId = newId()
    await add(
      websiteId,
      Array.from({ length: 24 }, (_, place) => from + place * hour),
    )
    const options = { websiteIds: [websiteId], patience: 0, most: 10 }
    expect(await seal(clickhouse.client, options)).toEqual({ sealed: 1, differing: [] })
    await expectChained(websiteId, true, types)
    expect(await checkChains(clickhouse.client, chainTables, { websiteIds: [websiteId] }, 10)).toEqual([])
    for (const session of [2, 3]) {
      await add(websiteId, [from + session * hour], { visit_id: id(1), session_id: id(session) })
    }
    expect(await seal(clickhouse.client, options)).toEqual({ sealed: 1, differing: [] })
    expect((await ways(websiteId, 'stats')).chained).toBeUndefined()
  },

  async 'creates the same rows for equal visits, whatever other rows a statement reads'() {
    const websiteId = newId()
    const sessions = Array.from({ length: 60 }, () => newId())
    const sales = sessions.flatMap((session_id) =>
      [1, 2, 3].map(() => ({
        ...event({ website_id: websiteId, session_id, visit_id: newId(), created_at: columnTime(from) }),
        ...{ ...isSale, event_id: newId() },
      })),
    )
    await clickhouse.client.insert({ table: 'ingest', values: sales, format: 'JSONEachRow' })
    await seals(websiteId)
    expect(await checkChains(clickhouse.client, chainTables, { websiteIds: [websiteId] }, 60)).toEqual([])
  },

  async 'also seals in slices if a day has few actions, but of sessions with many earlier days'() {
    const websiteId = newId()
    const moments = Array.from({ length: 10 }, (_, place) => from + place * day)
    for (const session of [1, 2, 3, 4])
      await add(websiteId, moments, { session_id: id(session), visit_id: id(session) })
    const options = { websiteIds: [websiteId], patience: 0, most: 10 }
    expect(await seal(clickhouse.client, options)).toEqual({ sealed: 10, differing: [] })
    await expectChained(websiteId, true, types)
    expect(await checkChains(clickhouse.client, chainTables, { websiteIds: [websiteId] })).toEqual([])
  },

  async 'does not use chains for a range that contains a day with late views; other ranges use them'() {
    const websiteId = await website()
    await seals(websiteId)
    await add(websiteId, [from + 12 * day])
    await expectChained(websiteId, false)
    const later = { startAt: String(from + 13 * day) }
    const { chained, whole } = await ways(websiteId, 'stats', later)
    expect(chained).toEqual(whole)
    // Late events wait until their day's seal is old enough. Then that day and all later days are sealed again.
    const patient = { websiteIds: [websiteId], patience: 600_000 }
    expect(await seal(clickhouse.client, patient)).toEqual({ sealed: 0, differing: [] })
    expect(await seals(websiteId)).toEqual({ sealed: days - 12, differing: [] })
    await expectChained(websiteId)
  },

  async 'continues after it was killed between two days that late events made it seal again'() {
    const websiteId = await website()
    await seals(websiteId)
    await add(websiteId, [from + 12 * day])
    let notes = 0
    const insert: ClickHouseClient['insert'] = (given) => {
      if (given.table === 'seals' && notes++ > 0) throw new Error('killed')
      return clickhouse.client.insert(given)
    }
    const killed = Object.assign(Object.create(clickhouse.client), { insert })
    // Each day is a batch of its own.
    await expect(seal(killed, { websiteIds: [websiteId], patience: 0, most: 1 })).rejects.toThrow('killed')
    await expectChained(websiteId, false)
    expect(await seals(websiteId)).toEqual({ sealed: days - 13, differing: [] })
    await expectChained(websiteId)
  },

  async 'does not use chains for ranges in which one visit belongs to two sessions'() {
    const websiteId = await website()
    await add(websiteId, [from + 32 * day, from + 37 * day], { visit_id: id(1), session_id: id(2) })
    await add(websiteId, [from + 33 * day], { visit_id: id(1), session_id: id(3) })
    await seals(websiteId)
    expect((await ways(websiteId, 'stats')).chained).toBeUndefined()
    const { chained, whole } = await ways(websiteId, 'stats', { endAt: String(from + 33 * day - 1) })
    expect(chained).toEqual(whole)
  },

  async 'takes account of sessions and visits of earlier sealed days'() {
    const [ofSession, ofVisit] = [newId(), newId()]
    const query = `INSERT INTO chained_hours SELECT * REPLACE (hour + INTERVAL 1 HOUR AS hour, seal + 1 AS seal)
      FROM chained_hours WHERE website_id IN ('${ofSession}', '${ofVisit}')`
    for (const place of [0, 1, 2]) {
      // These rows belong to unfinished seals, which no statement reads.
      await clickhouse.client.command({ query })
      await add(ofSession, [from + place * day], { session_id: id(1), visit_id: id(10 + place) })
      await add(ofVisit, [from + (10 + place) * day], { session_id: id(20 + place), visit_id: id(1) })
      const options = { websiteIds: [ofSession, ofVisit], patience: 0 }
      expect(await seal(clickhouse.client, options)).toEqual({ sealed: 2, differing: [] })
    }
    await expectChained(ofSession)
    expect((await ways(ofVisit, 'stats')).chained).toBeUndefined()
    expect(await checkChains(clickhouse.client, chainTables, { websiteIds: [ofSession, ofVisit] })).toEqual([])
  },

  async 'a day with missing rows is not sealed, even if all rows of a field are missing'() {
    const websiteId = newId()
    await add(websiteId, [from])
    await add(websiteId, [from + hour], isSale)
    const options = { websiteIds: [websiteId], patience: 0 }
    const lost = [
      ['chained_values', "field != 'title'"],
      ['chained_days', "field != 'browser'"],
      ['chained_days', 'customs = 0'],
    ] as const
    for (const [table, kept] of lost) {
      const found = await seal(losing(table, kept), options)
      expect({ kept, ...found }).toEqual({ kept, sealed: 0, differing: [`${websiteId} 2025-01-01`] })
    }
    expect(await seals(websiteId)).toEqual({ sealed: 1, differing: [] })
  },

  async 'a day whose events were lost is reported, and tried again only after a change; old rows are deleted'() {
    const websiteId = newId()
    await add(websiteId, [from, from + hour])
    await clickhouse.client.command({
      query: `ALTER TABLE events DELETE WHERE website_id = '${websiteId}' AND created_at = '${columnTime(from + hour)}'`,
      clickhouse_settings: { mutations_sync: '2' },
    })
    const old = 12345
    await clickhouse.client.command({
      query: `INSERT INTO chained_hours (website_id, hour, seal) VALUES ('${websiteId}', '${columnTime(from)}', ${old})`,
    })
    const written = async () => {
      const query = `SELECT DISTINCT toFloat64(seal) AS seal FROM chained_hours WHERE website_id = '${websiteId}'`
      const result = await clickhouse.client.query({ query, format: 'JSONEachRow' })
      return (await result.json<{ seal: number }>()).map((row) => row.seal)
    }
    const options = { websiteIds: [websiteId], patience: 0, refused: new Map() }
    const refusal = { sealed: 0, differing: [`${websiteId} 2025-01-01`] }
    expect(await seal(clickhouse.client, options)).toEqual(refusal)
    await vi.waitFor(async () => expect(await written()).not.toContain(old), { timeout: 60_000, interval: 100 })
    const numbers = await written()
    expect(numbers).toHaveLength(1)
    expect(await seal(clickhouse.client, options)).toEqual(refusal)
    expect(await written()).toEqual(numbers)
    const { code, stdout } = await command('seal', '--website', websiteId)
    const told = 'events, hourly_visits and daily_shapes differ. Run check, then rebuild.'
    expect([code, stdout]).toEqual([1, `0 days sealed\n${websiteId} 2025-01-01: ${told}\n`])
    expect((await command('rebuild', 'hourly_visits', 'daily_shapes', '--website', websiteId)).code).toBe(0)
    expect(await seal(clickhouse.client, options)).toEqual({ sealed: 1, differing: [] })
    await expectChained(websiteId)
  },

  async 'seals and withdrawn seals count after the clock was ahead and has been set back'() {
    const websiteId = await website()
    await seals(websiteId)
    /** Copies the rows of a table, with times that are 90 minutes later. */
    const later = (table: string, columns: readonly string[]) => {
      const changes = columns.map((name) => `${name} + ${1.5 * hour * 1000} AS ${name}`).join(', ')
      const query = `INSERT INTO ${table} SELECT * REPLACE (${changes}) FROM ${table} WHERE website_id = '${websiteId}'`
      return clickhouse.client.command({ query })
    }
    for (const table of chainTables) await later(table, ['seal'])
    await later('seals', ['seal', 'began', 'done'])
    await expectChained(websiteId)
    await add(websiteId, [from + 12 * day])
    const patient = { websiteIds: [websiteId], patience: 600_000 }
    expect(await seal(clickhouse.client, patient)).toEqual({ sealed: days - 12, differing: [] })
    await expectChained(websiteId)
    await unseal(clickhouse.client, [websiteId])
    await expectChained(websiteId, false)
    expect(await seals(websiteId)).toEqual({ sealed: days, differing: [] })
    await expectChained(websiteId)
  },

  async 'if rows of hours are lost, a seal reads the rows from which they were derived'() {
    const websiteId = await website()
    await seals(websiteId)
    await clickhouse.client.command({
      query: `ALTER TABLE chained_hours DELETE WHERE website_id = '${websiteId}' AND toDate(hour) = '2025-02-09'`,
      clickhouse_settings: { mutations_sync: '2' },
    })
    await add(
      websiteId,
      Array.from({ length: 18 }, () => from + days * day),
    )
    expect(await seals(websiteId)).toEqual({ sealed: 1, differing: [] })
    const range = { startAt: String(from + (days - 1) * day), endAt: String(from + (days + 1) * day - 1) }
    for (const type of oneOfEach) {
      const { chained, whole } = await ways(websiteId, type, range)
      expect({ type, chained }).toEqual({ type, chained: whole })
    }
  },

  async 'the metric of open days counts days that are unsealed, got later events, or lost rows'() {
    const websiteId = newId()
    const moments = [2, 3, 4, 5, 6].map((age) => (Math.floor(Date.now() / day) - age) * day)
    const unsealed = () => unsealedDaysOf(clickhouse.server)
    await add(websiteId, moments)
    await add(websiteId, moments, isSale)
    const before = await unsealed()
    await seals(websiteId)
    const counts = [await unsealed()]
    await add(websiteId, [moments[0]!])
    counts.push(await unsealed())
    const copied = (table: string, changes: string) =>
      clickhouse.client.command({
        query: `INSERT INTO ${table} SELECT * REPLACE (${changes}) FROM ${table} WHERE website_id = '${websiteId}'`,
      })
    // Rows of an unfinished seal do not replace any others.
    await copied('chained_hours', 'seal + 1000 AS seal')
    for (const [place, table] of chainTables.entries()) {
      const lost = `website_id = '${websiteId}' AND hour = '${columnTime(moments[1 + place]!)}'`
      await clickhouse.client.command({
        query: `ALTER TABLE ${table} DELETE WHERE ${lost} AND seal IN (SELECT seal FROM seals)`,
        clickhouse_settings: { mutations_sync: '2' },
      })
      counts.push(await unsealed())
    }
    await copied('seals', 'seal + 2000 AS seal, [] AS views, [] AS customs')
    counts.push(await unsealed())
    expect(counts).toEqual([5, 4, 3, 2, 1, 0].map((sealed) => before - sealed))
  },
}

/** Questions that read a table over sealed days, and with partial days, which also read rows of hours. */
const questionsOf: Readonly<Record<string, { readonly sealed: string; readonly ended: readonly string[] }>> = {
  chained_hours: { sealed: 'entry', ended: ['entry', 'path', 'stats', 'sessions'] },
  chained_values: { sealed: 'path', ended: ['path'] },
  chained_days: { sealed: 'stats', ended: ['stats', 'sessions'] },
}

const shared = [undefined, 120].map((most): [string, () => Promise<void>] => [
  `seals websites that share ids, with at most ${most} actions per statement`,
  async () => {
    const websiteIds = [await website(), await website()]
    await add(websiteIds[1]!, [from - 3 * day, from + 20 * day], { city: 'Elsewhere' })
    const options = { websiteIds, patience: 0, ...(most && { most }) }
    expect(await seal(clickhouse.client, options)).toEqual({ sealed: 2 * days + 1, differing: [] })
    for (const websiteId of websiteIds) await expectChained(websiteId)
    expect(await checkChains(clickhouse.client, chainTables, { websiteIds })).toEqual([])
    // Adds a day for both websites, and a late event for one of them. Of its old days, only that of the event and later
    // ones are sealed again.
    for (const websiteId of websiteIds) await add(websiteId, [from + (days + 1) * day], isSale)
    await add(websiteIds[0]!, [from + (days - 2) * day])
    expect(await seal(clickhouse.client, options)).toEqual({ sealed: 4, differing: [] })
    for (const websiteId of websiteIds) await expectChained(websiteId)
  },
])

const losses = chainTables.map((table): [string, () => Promise<void>] => [
  `chains that lost rows do not answer; check reports the loss, and rebuild and seal repair it: ${table}`,
  async () => {
    const websiteId = await website()
    await seals(websiteId)
    const withEnds = (type: string) => ways(websiteId, type, { endAt: String(from + (days - 1) * day + hour / 2) })
    const { sealed, ended } = questionsOf[table]!
    for (const type of ended) {
      const { chained, whole } = await withEnds(type)
      expect({ type, chained }).toEqual({ type, chained: whole })
    }
    expect((await command('check', table, '--website', websiteId)).code).toBe(0)
    await clickhouse.client.command({
      query: `ALTER TABLE ${table} DELETE WHERE website_id = '${websiteId}' AND toDate(hour) = '2025-02-03'`,
      clickhouse_settings: { mutations_sync: '2' },
    })
    expect((await ways(websiteId, sealed)).chained).toBeUndefined()
    for (const type of ended) expect({ type, chained: (await withEnds(type)).chained }).toEqual({ type })
    const { code, stdout } = await command('check', table, '--website', websiteId)
    expect(code).toBe(1)
    expect(stdout).toContain(`${table} 2025-02 ${websiteId}: sealed days differ from their sources\n`)
    const rebuilt = await command('rebuild', table, '--website', websiteId)
    expect(rebuilt.stdout).toBe(`${websiteId}: its days are no longer sealed. seal seals them again\n`)
    await expectChained(websiteId, false)
    expect(await seals(websiteId)).toEqual({ sealed: days, differing: [] })
    await expectChained(websiteId)
    expect(await checkChains(clickhouse.client, [table], { websiteIds: [websiteId] })).toEqual([])
  },
])

const purged: readonly [string, (websiteId: string) => Promise<unknown>][] = [
  ['a reset', (websiteId) => purge(clickhouse.client, [{ websiteId, before: from + 30 * day + hour }])],
  ['a session', (websiteId) => purge(clickhouse.client, [], [{ websiteId, sessionIds: [id(2003)] }])],
  ['old months', (websiteId) => purgeBefore(clickhouse.client, Date.UTC(2025, 1), [websiteId])],
]

const purges = purged.map(([what, purging]): [string, () => Promise<void>] => [
  `purge also deletes data from chains: ${what}`,
  async () => {
    const websiteId = await website()
    await seals(websiteId)
    // An isolate may have read the rows of `seals` before.
    const asked = await statementOf(websiteId, 'stats')
    expect((await chainedResults(route(), asked))[0]).toBeDefined()
    await purging(websiteId)
    expect((await chainedResults(route(), asked))[0]).toBeUndefined()
    await expectChained(websiteId, false)
    const [left] = await (
      await clickhouse.client.query({
        query: `SELECT (SELECT count() FROM chained_hours WHERE website_id = '${websiteId}')
          + (SELECT count() FROM chained_values WHERE website_id = '${websiteId}')
          + (SELECT count() FROM chained_days WHERE website_id = '${websiteId}') AS rows`,
        format: 'JSONEachRow',
      })
    ).json<{ rows: string }>()
    expect(Number(left!.rows)).toBe(0)
    await seals(websiteId)
    await expectChained(websiteId)
  },
])

it.each(inTurn([...Object.entries(cases), ...shared, ...losses, ...purges], seed, 18))('%s', (_, isRight) => isRight())
