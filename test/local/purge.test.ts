import { exec } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { createClient } from '@clickhouse/client-web'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openMetadata } from '../../src/local/commands/opened.ts'
import { keepDropping } from '../../src/local/commands/purge-commands.ts'
import { type DemoVisit, recordingsFile } from '../../src/local/dataset/recordings.ts'
import { places, root } from '../../src/local/paths.ts'
import { demoWebsite } from '../../src/local/start/demo.ts'
import type { OpenMetadata } from '../../src/local/start/workerd.ts'
import { check } from '../../src/local/storage/check.ts'
import type { ClickHouse } from '../../src/local/storage/clickhouse.ts'
import { besideEvents, derivedTables } from '../../src/local/storage/derived.ts'
import { migrateMetadata } from '../../src/local/storage/migrations.ts'
import { purge as deleteHidden } from '../../src/local/storage/purge.ts'
import { purgeSessionsOf } from '../../src/local/storage/purge-sessions.ts'
import { monthsBefore } from '../../src/local/storage/retention.ts'
import { metadata } from '../../src/metadata/metadata.ts'
import { ofOperator } from '../../src/metadata/websites.ts'
import { tables as catalogue } from '../../src/query/tables/tables.ts'
import { event, id, string } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'
import { grantAlso } from '../support/clickhouse-users.ts'
import { weir } from '../support/commands.ts'
import { oneOfEachKind } from '../support/compared.ts'
import { inTurn } from '../support/long.ts'
import { ownEngine } from '../support/own-engine.ts'
import { seed } from '../support/seed.ts'
import { columnTime, newId } from '../support/website.ts'

/** A separate data folder, because the command purges every website. */
const { dataDir, clickhouse } = await ownEngine((folder) => grantAlso(places(folder).clickhouse, ['REMOTE ON *.*']))
let workerd: OpenMetadata

beforeAll(async () => {
  workerd = await openMetadata(dataDir)
  await migrateMetadata(workerd.metadata)
})

afterAll(() => workerd.close())

const purge = (...words: string[]) => weir(['purge', ...words], { dataDir, database: workerd.metadata })

const websitesAt = (now: number) => metadata(workerd.metadata, now).websites

const resetAt = Date.parse('2025-10-15T12:00:00.500Z')
const moments = [resetAt - 40 * 86_400_000, resetAt - 1, resetAt, resetAt + 1]

const reset = (websiteId: string): Promise<void> => websitesAt(resetAt).reset(websiteId)

/** Events at each of these moments, with two properties each. */
const eventsAt = (...at: number[]): IngestRow[] =>
  at.map((moment) =>
    event({ event_id: newId(), created_at: columnTime(moment), event_name: 'buy' }, [
      string('currency', 'EUR'),
      string('revenue', '1'),
    ]),
  )

/** Adds events, and an identify call at the time of each event. */
async function add(rows: readonly IngestRow[]): Promise<void> {
  await clickhouse.client.insert({ table: 'ingest', values: rows, format: 'JSONEachRow' })
  const calls = rows.map(({ website_id, session_id, created_at }) => ({ website_id, session_id, created_at }))
  await clickhouse.client.insert({ table: 'ingest_session_data', values: calls, format: 'JSONEachRow' })
}

async function website(): Promise<string> {
  const websiteId = newId()
  await websitesAt(1).create({ id: websiteId, name: 'x', domain: 'x.example', ...ofOperator })
  return websiteId
}

/** More websites with a reset than fit into a single statement. */
async function manyReset(): Promise<string[]> {
  const ids = Array.from({ length: 60 }, newId)
  await workerd.metadata
    .prepare(
      `INSERT INTO websites (id, name, domain, search, created_at, updated_at, reset_at)
       SELECT value, 'x', 'x.example', 'x', 1, 1, ${resetAt} FROM json_each(?1)`,
    )
    .bind(JSON.stringify(ids))
    .run()
  return ids
}

const tables = ['events', 'custom_events', 'session_data', 'session_events', 'event_data', 'event_data_by_id', 'sales']

/** Recordings are counted separately. */
const counted = derivedTables.flatMap(({ table, counts, hasExtremes }) =>
  counts && table !== 'replays' ? [{ table, counts, hasExtremes }] : [],
)

type Stored = Readonly<Record<string, readonly number[]>>

/**
 * The stored data of each website: for a table, the times of its rows; for a table of counts, the number of events or
 * properties, and the number of rows that count nothing.
 */
async function stored(): Promise<(websiteId: string) => Stored> {
  const moments = tables.map(
    (table) =>
      `SELECT website_id, '${table}' AS name, arraySort(groupArray(toUnixTimestamp64Milli(created_at))) AS found
       FROM ${table} GROUP BY website_id`,
  )
  const sums = counted.map(
    ({ table, counts, hasExtremes = false }) =>
      `SELECT website_id, '${table}' AS name,
         [toInt64(sum(${counts})), toInt64(countIf(${counts} <= 0 AND NOT ${hasExtremes}))] AS found
       FROM ${table} GROUP BY website_id`,
  )
  const result = await clickhouse.client.query({
    query: [...moments, ...sums].join(' UNION ALL '),
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  })
  const rows = await result.json<{ website_id: string; name: string; found: number[] }>()
  return (websiteId) => ({
    ...holding(),
    ...Object.fromEntries(
      rows.filter(({ website_id }) => website_id === websiteId).map(({ name, found }) => [name, found]),
    ),
  })
}

/** The rows in every table for events at these moments, each with two properties. */
const holding = (...moments: number[]): Stored => ({
  ...{ events: moments, custom_events: moments, session_data: moments },
  // There is one event and one identify call at each moment.
  session_events: moments.flatMap((moment) => [moment, moment]),
  event_data: moments.flatMap((moment) => [moment, moment]),
  event_data_by_id: moments,
  sales: moments,
  ...Object.fromEntries(
    counted.map(({ table }) => [
      table,
      moments.length === 0 ? [] : [table === 'monthly_values' ? 2 * moments.length : moments.length, 0],
    ]),
  ),
})

const rowsOf = (stdout: string): Record<string, number> =>
  Object.fromEntries(
    [...stdout.matchAll(/^(\w+): (\d+) rows deleted$/gm)].map(([, table, rows]) => [table!, Number(rows)]),
  )

/**
 * The number of rows for this many events with two properties each. `whole` of these events are the only ones on
 * their day and in their month.
 */
const rowsFor = (events: number, whole: number): Record<string, number> => ({
  events,
  ...{ custom_events: events, session_data: events, session_events: 2 * events, event_data: 2 * events },
  ...{ event_data_by_id: events, sales: events },
  // Properties are counted in two tables, as are custom events by visit and hour.
  ...Object.fromEntries(
    counted.map(({ table }) => [table, ['monthly_values', 'hourly_visits'].includes(table) ? 2 * whole : whole]),
  ),
})

const sum = (...counts: Readonly<Record<string, number>>[]): Record<string, number> =>
  Object.fromEntries(catalogue.map(({ name }) => [name, counts.reduce((all, one) => all + (one[name] ?? 0), 0)]))

describe('output that cannot be written', () => {
  it('makes a command fail', async () => {
    const command = `${process.execPath} --import tsx ${root}/src/local/command-line.ts --help`
    await expect(promisify(exec)(`${command} > /dev/full`)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The output could not be written: ENOSPC'),
    })
    expect((await promisify(exec)(`${command} | head -1`)).stderr).toBe('')
  })

  it('does not let set-aside --delete delete rows', async () => {
    const row = "INSERT INTO set_aside_rows (entry_table, row, reason, created_at) VALUES ('ingest', '{}', 'x', 1)"
    await workerd.metadata.prepare(row).run()
    const around = { dataDir, database: workerd.metadata }
    const setAside = (unwritable?: Error) =>
      weir(['set-aside', '--delete'], { ...around, ...(unwritable && { unwritable }) })
    const printed = expect.stringContaining('"table":"ingest"')
    expect(await setAside(new Error('no space'))).toMatchObject({ code: 1, stderr: 'no space\n' })
    expect(await setAside()).toMatchObject({ code: 0, stdout: printed })
    expect(await setAside()).toMatchObject({ code: 0, stdout: '' })
  })
})

describe('npm run weir -- purge', () => {
  const names = [
    ...(['untouched', 'one', 'other', 'deleted', 'both', 'visited', 'visitedToo', 'unvisited', 'remote'] as const),
    ...(['kept', 'keptToo'] as const),
  ]
  let ids: Record<(typeof names)[number], string>
  let many: string[]

  const gone = [id(501), id(502)]
  /** The first and the last millisecond of two months. */
  const edges = [Date.parse('2025-09-30T23:59:59.999Z'), Date.parse('2025-10-01T00:00:00.000Z')]

  beforeAll(async () => {
    ids = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await website()]))) as typeof ids
    many = await manyReset()
    const { visited, visitedToo, unvisited, kept, keptToo, ...others } = ids
    const visits = [...gone, id(503)].flatMap((session_id, place) =>
      eventsAt(...moments).map((row) => ({ ...row, session_id, visit_id: session_id, city: String(place) })),
    )
    const of = (website_id: string, rows: readonly IngestRow[]) =>
      rows.map((row) => ({ ...row, website_id, event_id: newId() }))
    await add([
      ...Object.values(others).flatMap((one) => of(one, eventsAt(...moments))),
      ...[visited, visitedToo, unvisited].flatMap((one) => of(one, visits)),
      ...[kept, keptToo].flatMap((one) => of(one, eventsAt(...moments, ...edges))),
      ...many.flatMap((one) => of(one, eventsAt(resetAt - 1))),
    ])
  })

  it('deletes events hidden by resets and session deletions from every table, and prints how many', async () => {
    for (const name of ['one', 'other', 'both'] as const) await reset(ids[name])
    for (const session of gone) {
      for (const one of [ids.visited, ids.visitedToo]) {
        expect(await metadata(workerd.metadata, 1).sessions.delete(one, session)).toBe(true)
      }
    }
    for (const name of ['deleted', 'both'] as const) await websitesAt(resetAt).delete(ids[name])
    const purged = await purge()
    expect(purged).toMatchObject({ code: 0, stderr: '' })
    // Two sessions on each of two websites had four events each, on two days.
    const ofSessions = { ...rowsFor(16, 16), hourly_visits: 16 }
    expect(rowsOf(purged.stdout)).toStrictEqual(sum(rowsFor(6, 3), rowsFor(many.length, 0), ofSessions))
    const now = await stored()
    for (const name of ['one', 'other', 'both'] as const) {
      expect([name, now(ids[name])]).toStrictEqual([name, holding(resetAt, resetAt + 1)])
    }
    for (const one of many) expect(now(one)).toStrictEqual(holding())
    for (const name of ['untouched', 'deleted', 'remote', 'visited', 'visitedToo'] as const) {
      expect([name, now(ids[name])]).toStrictEqual([name, holding(...moments)])
    }
    expect(now(ids.unvisited)).toStrictEqual(holding(...moments.flatMap((moment) => [moment, moment, moment])))
    const { deletedSessions, cacheEpoch } = (await websitesAt(1).read(ids.visited))!
    expect([deletedSessions, cacheEpoch]).toStrictEqual([[], 1])
    // A mutation reads a whole table, so a single one covers the sessions of all websites.
    const mutations = await clickhouse.client.query({
      query: `SELECT table, toUInt32(count()) AS made FROM system.mutations
        WHERE database = currentDatabase() AND command LIKE '%session_id IN%' GROUP BY table`,
      format: 'JSONEachRow',
    })
    const made = await mutations.json<{ table: string; made: number }>()
    expect(made).toContainEqual({ table: 'events', made: 1 })
    expect(made.filter(({ made }) => made > 1)).toEqual([])
  })

  it('reads websites from wrangler’s output; deletes late events and, with --deleted, deleted websites', async () => {
    const asStarted = () =>
      demoWebsite(dataDir, clickhouse.client, workerd.metadata, 1000, () => {
        throw new Error('fills it again')
      })
    writeFileSync(places(dataDir).demo, ids.untouched)
    expect(await asStarted()).toBe(ids.untouched)
    writeFileSync(places(dataDir).demo, ids.deleted)
    const file = `${dataDir}/websites.json`
    const { stdout } = await purge('--sql')
    await reset(ids.remote)
    await add([event({ website_id: ids.one, event_id: newId(), created_at: columnTime(resetAt - 5) })])
    const { results } = await workerd.metadata.prepare(stdout.trim()).all<{ id: string }>()
    expect(results.map((row) => row.id)).toContain(ids.remote)
    writeFileSync(file, JSON.stringify([{ results, success: true, meta: { duration: 1 } }]))
    // The purge deletes a late event without properties, two events of `remote`, and six of the two deleted websites.
    const rows = { events: 9, custom_events: 9, session_data: 9, session_events: 18, event_data: 16, sales: 8 }
    const { stdout: script, stderr: told } = await purge(file, '--deleted')
    expect(rowsOf(told)).toMatchObject(rows)
    // A shell may redirect the output into a file for `wrangler d1 execute`.
    expect(script.trim().split('\n')).toEqual(
      expect.not.arrayContaining([expect.not.stringMatching(/^(DELETE|INSERT) .*;$/)]),
    )
    const [old, done, entry] = script.trim().split('\n').slice(-3)
    expect(old).toMatch(/^DELETE FROM audit_entries WHERE created_at < \d{13};$/)
    // `/metrics` of the remote Worker reports this time.
    expect(done).toMatch(/^INSERT OR REPLACE INTO daily_work \(name, done_at\) VALUES \('recordings', \d{13}\);$/)
    expect(entry).toMatch(/^INSERT INTO audit_entries .*'operator', NULL, NULL, 'weir purge', '\{\}', '\["deleted"\]'/)
    const now = await stored()
    for (const name of ['one', 'remote'] as const) {
      expect([name, now(ids[name])]).toStrictEqual([name, holding(resetAt, resetAt + 1)])
    }
    for (const name of ['deleted', 'both'] as const) expect([name, now(ids[name])]).toStrictEqual([name, holding()])
    expect(now(ids.untouched)).toStrictEqual(holding(...moments))
    expect(await asStarted()).toBe(null)
    for (const wrong of ['[]', '{', JSON.stringify([{ results: [{ id: "'", reset_at: 1, deleted_at: 1 }] }])]) {
      writeFileSync(file, wrong)
      const { code, stderr } = await purge(file)
      expect([code, stderr]).toStrictEqual([
        1,
        expect.stringContaining('is not the output of wrangler d1 execute --json'),
      ])
    }
  })

  /** Each `npm test` run uses one of these cases. */
  const cases: Readonly<Record<string, () => Promise<void>>> = {
    async 'keeps the months of --keep-months, and deletes the same older events from every table'() {
      expect(monthsBefore(Date.parse('2026-11-22T19:00:00Z'), 13)).toBe(Date.parse('2025-10-01T00:00:00Z'))
      const october = 2025 * 12 + 9
      const now = new Date()
      const months = String(now.getUTCFullYear() * 12 + now.getUTCMonth() - october)
      const ofOne = await purge('--keep-months', months, '--website', ids.kept)
      expect([ofOne.code, ofOne.stdout.split('\n')[0]]).toStrictEqual([0, 'Events before 2025-10-01 (UTC):'])
      expect(rowsOf(ofOne.stdout)).toMatchObject({ events: 2, session_events: 4, event_data: 4, monthly_shapes: 1 })
      const kept = [edges[1]!, ...moments.slice(1)]
      const first = await stored()
      expect(first(ids.kept)).toStrictEqual(holding(...kept))
      expect(first(ids.keptToo)).toStrictEqual(holding(moments[0]!, ...edges, ...moments.slice(1)))

      // The purge deletes one event of `untouched`, two of `keptToo`, one per session that was not deleted, and three
      // others.
      expect(rowsOf((await purge('--keep-months', months)).stdout)).toMatchObject({ events: 8, custom_events: 8 })
      const second = await stored()
      expect(second(ids.keptToo)).toStrictEqual(holding(...kept))
      expect(second(ids.untouched)).toStrictEqual(holding(...moments.slice(1)))
      // Recordings are kept for days, and saved ones for good.
      const ofEvents = Object.entries(sum()).filter(([table]) => !/^(replay|heatmap)/.test(table))
      expect(ofEvents.length).toBeGreaterThan(10)
      expect(rowsOf((await purge('--keep-months', months)).stdout)).toStrictEqual(Object.fromEntries(ofEvents))
      const entries = await workerd.metadata
        .prepare("SELECT fields, subjects FROM audit_entries WHERE action = 'weir purge' ORDER BY id DESC LIMIT 3")
        .all<{ fields: string; subjects: string }>()
      expect(entries.results.map(({ fields, subjects }) => [fields, JSON.parse(subjects)])).toEqual([
        ...Array(2).fill(['["keepMonths"]', {}]),
        ['["keepMonths","website"]', { 'website 1': ids.kept }],
      ])
    },

    async 'starts over if filling the demo website was interrupted, and leaves nothing behind'() {
      // This folder was used with another ClickHouse before. The current one has no events of that website.
      writeFileSync(places(dataDir).demo, newId())
      const interrupted = Proxy.revocable(clickhouse.client, {})
      const shown = { advance() {}, done() {} }
      let planned = 0
      const fill = (client: ClickHouse['client'], advance = () => {}) =>
        demoWebsite(dataDir, client, workerd.metadata, 1000, (events) => {
          planned = events
          return { ...shown, advance }
        })
      await expect(fill(interrupted.proxy, interrupted.revoke)).rejects.toThrow('revoked')
      const gone = readFileSync(places(dataDir).demoFilling, 'utf8')
      const eventsOf = async () => (await stored())(gone).events!.length
      expect(await eventsOf()).toBeGreaterThan(500)
      const websiteId = (await fill(clickhouse.client))!
      expect((await stored())(gone)).toStrictEqual(holding())
      const visits = gunzipSync(readFileSync(recordingsFile)).toString().trim().split('\n')
      const recorded = visits.flatMap((line) => (JSON.parse(line) as DemoVisit).events)
      expect((await stored())(websiteId).events).toHaveLength(planned + recorded.length)
      expect(existsSync(places(dataDir).demoFilling)).toBe(false)
    },

    async 'corrects counts in all of a session’s months together; only properties are compared by month'() {
      const websiteId = newId()
      const common = { website_id: websiteId, session_id: id(600), visit_id: id(600), event_name: 'buy' }
      const at = [Date.UTC(2024, 0, 10), Date.UTC(2024, 1, 10)]
      await add(at.map((moment) => event({ ...common, event_id: newId(), created_at: columnTime(moment) })))
      const asked: string[] = []
      const client = new Proxy(clickhouse.client, {
        get(target, name: 'query' | 'command') {
          const own = target[name] as (given: { query: string }) => Promise<unknown>
          return (given: { query: string }) => {
            asked.push(given.query)
            return own.call(target, given)
          }
        },
      })
      const purged = await deleteHidden(client, [], [{ websiteId, sessionIds: [id(600)] }])
      expect(purged).toContainEqual({ table: 'daily_shapes', rows: 2 })
      expect((await stored())(websiteId)).toStrictEqual(holding())
      const [january, february] = ['202401', '202402'].map((month) => asked.filter((query) => query.includes(month)))
      expect(january!.filter((query) => february!.includes(query)).length).toBeGreaterThan(10)
      const apart = january!.filter((query) => !february!.includes(query))
      expect(apart).toEqual([expect.stringContaining(' FROM event_data ')])
    },

    async 'deletes events that a visitor sends during the deletion, or keeps the session hidden'() {
      const websiteId = await website()
      const ofVisitor = { website_id: websiteId, session_id: id(610), visit_id: id(610) }
      const send = (moment: number) => add(eventsAt(moment).map((row) => ({ ...row, ...ofVisitor })))
      const { sessions } = metadata(workerd.metadata, 1)
      /** Deletes the session. After each deletion from `events`, `work` runs. */
      const erase = (work: () => Promise<unknown>) => {
        const command = async (given: { query: string }) => {
          const made = await clickhouse.client.command(given)
          if (given.query.startsWith('ALTER TABLE events DELETE')) await work()
          return made
        }
        const client = Object.assign(Object.create(clickhouse.client), { command })
        return sessions.erase(websiteId, [id(610)], (...which) => purgeSessionsOf(client, ...which))
      }
      const hidden = async () => (await websitesAt(1).read(websiteId))!.deletedSessions
      const january = Date.UTC(2024, 0, 10)
      await send(january)
      // The first of these events belongs to a known month.
      const arriving = [january + 1, Date.UTC(2024, 1, 10)]
      const erased = await erase(async () => arriving.length > 0 && send(arriving.shift()!))
      expect(erased).toContainEqual({ table: 'events', rows: 3 })
      expect([await hidden(), (await stored())(websiteId)]).toStrictEqual([[], holding()])

      let at = january
      const always = async () => send(++at)
      await always()
      await expect(erase(always)).rejects.toThrow('Events kept arriving')
      expect(await hidden()).toEqual([id(610)])
      expect((await purge()).code).toBe(0)
      expect([await hidden(), (await stored())(websiteId)]).toStrictEqual([[], holding()])
    },

    async 'npm start deletes old data again soon after its clock was set back'() {
      const done = () => workerd.metadata.prepare('SELECT done_at FROM daily_work').first<number>('done_at')
      const [now, hour] = [Date.now(), 3_600_000]
      vi.useFakeTimers({ toFake: ['Date'], now: now + 2 * hour })
      const failures: string[] = []
      const stop = keepDropping(clickhouse.client, workerd.metadata, {}, (failure) => failures.push(failure), 2400)
      const often = { timeout: 60_000, interval: 400 }
      await vi.waitFor(async () => expect(await done()).toBeGreaterThan(now + hour), often).finally(vi.useRealTimers)
      await vi.waitFor(async () => expect(await done()).toBeLessThan(now + hour), often)
      await stop()
      expect(failures).toEqual([])
    },

    async 'deletes hidden and old recordings, and keeps saved ones'() {
      const websiteId = await website()
      const own = metadata(workerd.metadata, Date.now())
      const visits = ['young', 'old', 'saved', 'hidden', 'forgotten', 'gone'].map((name) => [name, newId()] as const)
      const of = Object.fromEntries(visits) as Record<string, string>
      const days = { young: 1, old: 31, saved: 500, hidden: 1, forgotten: 1, gone: 401 } as Record<string, number>
      const at = (name: string) => columnTime(Date.now() - days[name]! * 86_400_000)
      const common = (name: string) => ({
        ...{ website_id: websiteId, visit_id: of[name], session_id: of[name], created_at: at(name) },
      })
      const insert = (table: string, values: object[]) =>
        clickhouse.client.insert({ table, values, format: 'JSONEachRow' })
      const chunk = (name: string, hash: string) => ({
        ...{ ...common(name), chunk_index: 1, hash: hash.repeat(64), first_at: at(name), last_at: at(name) },
        ...{ times: [1], events: '{}' },
      })
      const names = Object.keys(of)
      await insert('ingest_replay_chunks', [...names.map((name) => chunk(name, '0')), chunk('young', '1')])
      const click = { request: '0'.repeat(16), type: 1, url_path: '/' }
      await insert(
        'ingest_heatmap_events',
        names.map((name) => ({ ...common(name), ...click, arrived_at: at(name) })),
      )
      await own.replays.save(websiteId, of.saved!, 'Kept')
      await own.replays.save(websiteId, of.hidden!, 'Hidden')
      await own.replays.hide(websiteId, of.hidden!)
      await own.sessions.delete(websiteId, of.forgotten!)
      expect(rowsOf((await purge()).stdout)).toMatchObject({ replay_chunks: 4, replays: 4, heatmap_events: 4 })
      const left = async (table: string) => {
        const query = `SELECT DISTINCT toString(visit_id) AS visit FROM ${table} WHERE website_id = '${websiteId}'`
        const rows = await (await clickhouse.client.query({ query, format: 'JSONEachRow' })).json<{ visit: string }>()
        return rows.map(({ visit }) => names.find((name) => of[name] === visit)).sort()
      }
      expect(await left('replay_chunks')).toEqual(['saved', 'young'])
      expect(await left('replays')).toEqual(['saved', 'young'])
      expect(await left('heatmap_events')).toEqual(['old', 'young'])
      expect(await own.replays.hidden(websiteId)).toEqual([])
      expect([
        await own.replays.isSaved(websiteId, of.hidden!),
        await own.replays.isSaved(websiteId, of.saved!),
      ]).toEqual([...[false, true]])
      // `npm start` deletes old recordings immediately, then daily.
      const failures: string[] = []
      const every = 2400
      const stop = keepDropping(clickhouse.client, workerd.metadata, {}, (failure) => failures.push(failure), every)
      for (const name of ['old', 'gone']) {
        await insert('ingest_replay_chunks', [chunk(name, '2')])
        // A purge may begin between an insert's tables. Then the next run deletes the rest.
        const bothTables = async () => [await left('replay_chunks'), await left('replays')]
        const kept = ['saved', 'young']
        const often = { timeout: 60_000, interval: 400 }
        await vi.waitFor(async () => expect(await bothTables()).toEqual([kept, kept]), often)
      }
      await stop()
      expect(failures).toEqual([])
      // `/metrics` reports this time.
      const done = await workerd.metadata.prepare('SELECT done_at FROM daily_work').first<number>('done_at')
      expect(done).toBeGreaterThan(Date.now() - 60_000)
      const wrong = { REPLAY_DAYS: 'soon' }
      expect(() => keepDropping(clickhouse.client, workerd.metadata, wrong, () => {})).toThrow(
        'REPLAY_DAYS: Must be a number of days from 1 to 99999.',
      )
      // A reset hides earlier data, which a purge then deletes.
      await websitesAt(Date.now()).reset(websiteId)
      expect(rowsOf((await purge()).stdout)).toMatchObject({ replay_chunks: 3, heatmap_events: 2 })
      expect([await left('replay_chunks'), await left('replays')]).toEqual([[], []])
    },

    async 'deletes data of a website with a shorter retention than others'() {
      const [own, others] = [await website(), await website()]
      const ago = (days: number) => columnTime(Date.now() - days * 86_400_000)
      const insert = (table: string, values: object[]) =>
        clickhouse.client.insert({ table, values, format: 'JSONEachRow' })
      const both = [own, others]
      await add(
        both.flatMap((website_id) =>
          [1, 100].map((days) => event({ website_id, event_id: newId(), created_at: ago(days) })),
        ),
      )
      const visits = both.flatMap((website_id) =>
        [1, 6, 100, 150].map((days) => {
          const [at, visit_id] = [ago(days), newId()]
          return { at, common: { website_id, visit_id, session_id: visit_id, created_at: at } }
        }),
      )
      const chunk = { chunk_index: 1, hash: '0'.repeat(64), times: [1], events: '{}' }
      const chunks = visits.map(({ at, common }) => ({ ...common, ...chunk, first_at: at, last_at: at }))
      const click = { request: '0'.repeat(16), type: 1, url_path: '/' }
      await insert('ingest_replay_chunks', chunks)
      await insert(
        'ingest_heatmap_events',
        visits.map(({ at, common }) => ({ ...common, ...click, arrived_at: at })),
      )
      const websites = websitesAt(Date.now())
      const retention = { eventMonths: 2, replayDays: 5, heatmapDays: 120 }
      await websites.update((await websites.read(own))!, { retention })
      const checked = ['events', 'session_events', 'daily_events', 'replay_chunks', 'replays', 'heatmap_events']
      const left = async (website_id: string, what = 'count()', tables = checked): Promise<number[]> => {
        const counts = tables.map((table) => `(SELECT ${what} FROM ${table} WHERE website_id = '${website_id}')`)
        const query = `SELECT arrayMap(rows -> toFloat64(rows), [${counts}]) AS rows`
        const [found] = await (await clickhouse.client.query({ query, format: 'JSONEachRow' })).json<{
          rows: number[]
        }>()
        return found!.rows
      }
      const stop = keepDropping(clickhouse.client, workerd.metadata, {}, (failure) => expect(failure).toBe(''))
      await stop()
      expect(await left(own)).toEqual([1, 2, 1, 1, 1, 3])
      expect(await left(others)).toEqual([2, 4, 2, 2, 2, 4])
      // A purge does not withdraw seals of days if nothing is too old.
      const notes = await left(own, 'max(seal) / 1000', ['seals'])
      expect((await purge()).code).toBe(0)
      expect(await left(own, 'max(seal) / 1000', ['seals'])).toEqual(notes)
    },
  }

  it.each(inTurn(Object.entries(cases), seed, 8))('%s', (_, isRight) => isRight())

  it('keeps the recordings of websites that D1 does not know, because it also forgot which ones were saved', async () => {
    const websiteId = newId()
    await add([event({ website_id: websiteId, event_id: newId(), created_at: columnTime(Date.now()) })])
    const at = columnTime(Date.now() - 31 * 86_400_000)
    const visit = { website_id: websiteId, visit_id: newId(), session_id: newId(), created_at: at }
    const part = { chunk_index: 0, hash: '0'.repeat(64), first_at: at, last_at: at, times: [1], events: '{}' }
    await clickhouse.client.insert({
      ...{ table: 'ingest_replay_chunks', values: [{ ...visit, ...part }], format: 'JSONEachRow' },
    })
    mkdirSync(`${dataDir}/lost`)
    const lost = await openMetadata(`${dataDir}/lost`)
    await migrateMetadata(lost.metadata)
    await keepDropping(clickhouse.client, lost.metadata, {}, (failure) => expect(failure).toBe(''))()
    const { code } = await weir(['purge'], { dataDir, database: lost.metadata })
    await lost.close()
    expect(code).toBe(0)
    const query = `SELECT toString(visit_id) AS visit_id FROM replay_chunks WHERE website_id = '${websiteId}'`
    const left = await clickhouse.client.query({ query, format: 'JSONEachRow' })
    expect(await left.json()).toEqual([{ visit_id: visit.visit_id }])
  })

  it('leaves all tables in agreement with their sources', async () => {
    for (const compared of [besideEvents, ...oneOfEachKind(derivedTables)]) {
      expect(await check(clickhouse.client, compared, { websiteIds: [] })).toStrictEqual([])
    }
  })

  it.each([
    [['--keep-months', '0'], '--keep-months: Must be a number of months from 1 to 999.'],
    [['--keep-months', '13', '--deleted'], 'Give --keep-months without --sql, --deleted and FILE.'],
    [['--website', id(1)], 'Give --website only with --keep-months: purge reads the websites from D1.'],
  ])('refuses %j', async (words, message) => {
    const { code, stdout, stderr } = await purge(...words)
    expect([code, stdout, stderr]).toStrictEqual([2, '', `${message}\n`])
  })

  it('refuses a cluster’s front, whose rows are on its shards', async () => {
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
