import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { type ClickHouseClient, createClient } from '@clickhouse/client-web'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ownName } from '../../src/local/machine/process-name.ts'
import { places } from '../../src/local/paths.ts'
import { alone } from '../../src/local/storage/alone.ts'
import { check, type Difference } from '../../src/local/storage/check.ts'
import type { ClickHouse } from '../../src/local/storage/clickhouse.ts'
import { besideEvents, type Derived, derivedTables, orderOf } from '../../src/local/storage/derived.ts'
import { migrateEvents } from '../../src/local/storage/migrations.ts'
import { rebuild } from '../../src/local/storage/rebuild.ts'
import { reconcile } from '../../src/local/storage/reconcile.ts'
import { event, id, number, string } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'
import { grantAlso } from '../support/clickhouse-users.ts'
import { oneOfEachKind, oneOfEachMonth } from '../support/compared.ts'
import { inTurn, isLong } from '../support/long.ts'
import { startOwn } from '../support/own-engine.ts'
import { seed } from '../support/seed.ts'
import { newId } from '../support/website.ts'

/** A separate data folder whose database name needs quoting. Tests check all of its rows. */
const dataDir = mkdtempSync(`${tmpdir()}/weir-check-`)
let clickhouse: ClickHouse
let client: ClickHouseClient

beforeAll(async () => {
  grantAlso(places(dataDir).clickhouse, ['SYSTEM MERGES ON *.*', 'REMOTE ON *.*'])
  clickhouse = await startOwn(dataDir)
  const { timeout: _, ...connection } = { ...clickhouse.server, database: 'a `database`' }
  client = createClient(connection)
  await migrateEvents(client, { ...clickhouse.server, database: 'a `database`' })
})

afterAll(async () => {
  await client.close()
  await clickhouse.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const command = (query: string) =>
  client.command({ query, clickhouse_settings: { mutations_sync: '2', allow_suspicious_low_cardinality_types: 1 } })

async function rowsIn<Row>(query: string): Promise<Row[]> {
  const result = await client.query({
    query,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  })
  return result.json<Row>()
}

const everything = { websiteIds: [] }
const websites = [newId(), newId()].sort()
const days = ['2025-01-31', '2025-02-01', '2025-02-02']

/**
 * Two websites and three days in two months. Each day has two events that differ only in their ids, a page view and
 * a web vital.
 */
const events: IngestRow[] = websites.flatMap((website_id) =>
  days.flatMap((day) => {
    const bought = { website_id, created_at: `${day} 10:00:00.001`, event_name: 'buy', browser: 'chrome' }
    return [
      event({ ...bought, event_id: newId() }, [string('currency', 'EUR'), number('revenue', '10.5')]),
      event({ ...bought, event_id: newId() }, [string('currency', 'EUR'), number('revenue', '10.5')]),
      event({ ...bought, event_id: newId(), event_type: 1, event_name: '' }),
      event({ ...bought, event_id: newId(), event_type: 5, event_name: '', lcp: 1200 }),
    ]
  }),
)

/** One replay chunk per page view, since each page view has its own visit. */
const recorded = (values: readonly IngestRow[]) =>
  values
    .filter(({ event_type }) => event_type === 1)
    .map(({ website_id, session_id, created_at }) => ({
      ...{ website_id, session_id, created_at, visit_id: newId(), chunk_index: 1, hash: '0'.repeat(64) },
      ...{ first_at: created_at, last_at: created_at, times: [1], events: '{}' },
    }))

async function insert(values: readonly IngestRow[]): Promise<void> {
  await client.insert({ table: 'ingest', values, format: 'JSONEachRow' })
  await client.insert({ table: 'ingest_replay_chunks', values: recorded(values), format: 'JSONEachRow' })
}

const stores = ['events', 'custom_events', 'replay_chunks', ...derivedTables.map(({ table }) => table)]

/** Whether all stored data was unchanged after the last test. */
let isFresh = false

/** Stores only the events above. */
async function fresh(): Promise<void> {
  if (isFresh) return
  for (const table of stores) await command(`TRUNCATE TABLE ${table}`)
  // A rebuild does not reset ClickHouse's insert log, so without a token, this insert would be a duplicate.
  for (const [table, values] of [
    ['ingest', events],
    ['ingest_replay_chunks', recorded(events)],
  ] as const) {
    await client.insert<object>({
      ...{ table, values, format: 'JSONEachRow' },
      clickhouse_settings: { insert_deduplication_token: newId() },
    })
  }
}

beforeEach(fresh)

afterEach(() => {
  isFresh = isAsBefore
  isAsBefore = false
})

/** All stored rows as text, with counts summed first. */
async function stored(): Promise<Record<string, string[]>> {
  const selects = derivedTables.map(({ table, counts, hasExtremes }) => {
    const sums = `* EXCEPT ${counts}, sum(${counts}) AS n FROM ${table} GROUP BY ALL`
    const select = hasExtremes ? `* FROM ${table} FINAL` : counts ? sums : `* FROM ${table}`
    return `SELECT '${table}' AS name, arraySort(groupArray(toString(tuple(*)))) AS rows FROM (SELECT ${select})`
  })
  const found = await rowsIn<{ name: string; rows: string[] }>(selects.join(' UNION ALL '))
  return Object.fromEntries(found.map(({ name, rows }) => [name, rows]))
}

/** Whether this test found all stored data unchanged when it ended. */
let isAsBefore = false

/** Asserts that the stored data is as before. Then `check` finds no differences either, as another test shows. */
async function expectAsBefore(before: Awaited<ReturnType<typeof stored>>): Promise<void> {
  expect(await stored()).toStrictEqual(before)
  isAsBefore = true
}

async function differences(
  scope: Parameters<typeof check>[2] = everything,
  tables: readonly Derived[] = derivedTables,
): Promise<Record<string, Difference[]>> {
  const found: Record<string, Difference[]> = {}
  for (const derived of tables) {
    const ofTable = await check(client, derived, scope)
    if (ofTable.length > 0) found[derived.table] = ofTable
  }
  return found
}

const difference = (month: number, websiteId: string, changes: Partial<Difference>): Difference => ({
  month,
  websiteId,
  ...{ missing: 0, surplus: 0, unmerged: 0, unsure: 0 },
  ...changes,
})

/** The number of counts or rows in a table for one day of the events above. */
const aDay: Record<string, number> = {
  ...{ session_events: 4, event_data: 4, event_data_by_id: 2, sales: 2, web_vitals: 1, daily_shapes: 4 },
  ...{ monthly_shapes: 2, daily_events: 4, hourly_visits: 2, monthly_values: 4, replays: 1 },
}

const [first, second] = websites as [string, string]
const ofWebsite = (website: string, { month }: Derived, value: number) =>
  `website_id = toUUID('${website}') AND ${month} = ${value}`

/**
 * Rows for a website and month with another value in a column. It uses a subquery, because otherwise the condition
 * would apply to the new value.
 */
const changed = (derived: Derived, website: string, month: number, change: string): string =>
  `SELECT * REPLACE(${change}) FROM (SELECT * FROM ${derived.table} WHERE ${ofWebsite(website, derived, month)})`

/** Adds rows only to this table. An insert would also fill the tables derived from it. */
async function put({ table }: Derived, select: string): Promise<void> {
  await command(`CREATE TABLE beside AS ${table} ENGINE = MergeTree ${await orderOf(client, table)}`)
  await command(`INSERT INTO beside ${select}`)
  for (const { part } of await rowsIn<{ part: string }>('SELECT DISTINCT _partition_id AS part FROM beside')) {
    await command(`ALTER TABLE ${table} ATTACH PARTITION ID '${part}' FROM beside`)
  }
  await command('DROP TABLE beside')
}

/** Whether this table is filled from another derived table. */
const isOfDerived = ({ sources }: Derived): boolean =>
  sources.some((source) => derivedTables.some(({ table }) => table === source))

/** A time or month in February, which has no events. */
function inFebruary({ month }: Derived): string {
  if (month === 'month') return '202502 AS month'
  const [, column] = /\((\w+)\)/.exec(month)!
  return column === 'day' ? `toDate('2025-02-03') AS day` : `toDateTime64('2025-02-03', 3, 'UTC') AS ${column}`
}

/** Duplicate rows, rows of an unknown website, rows in the wrong month, and missing rows. */
async function damage(derived: Derived): Promise<void> {
  const [twice, moved] = [ofWebsite(first, derived, 202501), ofWebsite(second, derived, 202501)]
  const wrong = [
    `SELECT * FROM ${derived.table} WHERE ${twice}`,
    changed(derived, first, 202501, `toUUID('${id(7)}') AS website_id`),
    changed(derived, second, 202501, inFebruary(derived)),
  ]
  await put(derived, wrong.join(' UNION ALL '))
  await command(`ALTER TABLE ${derived.table} DELETE WHERE ${moved} OR ${ofWebsite(first, derived, 202502)}`)
}

/**
 * The expected differences. In tables with extremes, merges sum duplicates, so the wrong row exists and the right
 * one is missing.
 */
function damaged({ table, hasExtremes }: Derived): Difference[] {
  const ofDay = aDay[table]!
  return [
    difference(202501, id(7), { surplus: ofDay }),
    difference(202501, first, { surplus: ofDay, ...(hasExtremes && { missing: ofDay }) }),
    difference(202501, second, { missing: ofDay }),
    difference(202502, first, { missing: 2 * ofDay }),
    difference(202502, second, { surplus: ofDay }),
  ]
}

describe('check and rebuild', () => {
  it('cover every table that a view fills from another table', async () => {
    isAsBefore = true
    const views = await rowsIn<{ name: string }>(
      "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'MaterializedView' AND NOT match(name, '_from_ingest(_session_data|_replay_chunks|_heatmap_events)?$') ORDER BY name",
    )
    const known = derivedTables.flatMap(({ table, sources }) => sources.map((source) => `${table}_from_${source}`))
    expect(views.map(({ name }) => name)).toStrictEqual(known.sort())
    expect(
      Object.keys(aDay),
      '`aDay`, above, has an entry for each derived table of src/query/tables/tables.ts, in its order.',
    ).toStrictEqual(derivedTables.map(({ table }) => table))
  })

  it('find no differences and change nothing if nothing is wrong', async () => {
    const before = await stored()
    expect(await differences()).toStrictEqual({})
    for (const derived of oneOfEachKind(derivedTables)) {
      expect(await rebuild(client, derived, everything), derived.table).toStrictEqual([])
    }
    await expectAsBefore(before)
  })

  // If a table is damaged, the tables filled from it are damaged, too.
  const together = [(derived: Derived) => !isOfDerived(derived), isOfDerived]
    .map((isOne) => oneOfEachKind(derivedTables).filter(isOne))
    .filter(({ length }) => length > 0)
  const damages = together.map((tables): [string, () => Promise<void>] => [
    `find and repair all damage to several tables together: ${tables.map(({ table }) => table).join(', ')}`,
    async () => {
      const before = await stored()
      for (const derived of tables) await damage(derived)
      for (const derived of tables) {
        const { table, hasExtremes } = derived
        expect([table, await check(client, derived, everything)]).toStrictEqual([table, damaged(derived)])
        const ofDay = aDay[table]!
        const repaired = await rebuild(client, derived, everything)
        expect([table, repaired]).toMatchObject([
          table,
          [
            { month: 202501, added: hasExtremes ? 2 * ofDay : ofDay, taken: 2 * ofDay, unsure: 0 },
            { month: 202502, added: 2 * ofDay, taken: ofDay, unsure: 0 },
          ],
        ])
      }
      await expectAsBefore(before)
    },
  ])

  /** Each `npm test` run uses a different selection of cases. */
  const cases: Readonly<Record<string, () => Promise<void>>> = {
    async 'find wrong counts and rows without events, and let merges remove them'() {
      const before = await stored()
      const counting = derivedTables.flatMap((derived) =>
        derived.counts && !derived.hasExtremes ? [{ derived, counts: derived.counts }] : [],
      )
      const one = 'ORDER BY ALL LIMIT 1'
      for (const { derived, counts } of inTurn(counting, seed, counting.length)) {
        await command(`SYSTEM STOP MERGES ${derived.table}`)
        const surplus = `SELECT * FROM (${changed(derived, first, 202501, `5 AS ${counts}`)} ${one})`
        const missing = `SELECT * FROM (${changed(derived, first, 202502, `-1 AS ${counts}`)} ${one})`
        const nobody = (count: number) =>
          `SELECT * FROM (${changed(derived, first, 202501, `toUUID('${id(7)}') AS website_id, ${count} AS ${counts}`)} ${one})`
        await put(derived, `${surplus} UNION ALL ${nobody(1)}`)
        await put(derived, `${missing} UNION ALL ${nobody(-1)}`)
        expect(await check(client, derived, everything), derived.table).toMatchObject([
          { month: 202501, websiteId: id(7), unmerged: 1 },
          { month: 202501, websiteId: first, surplus: 5 },
          { month: 202502, websiteId: first, unmerged: 1 },
          { month: 202502, websiteId: first, missing: 1 },
        ])
        await command(`SYSTEM START MERGES ${derived.table}`)
        await rebuild(client, derived, everything)
        expect(await rowsIn(`SELECT * FROM ${derived.table} WHERE ${counts} <= 0`), derived.table).toStrictEqual([])
      }
      await expectAsBefore(before)
    },

    async 'touch only the given websites and month, even in an emptied table'() {
      const before = await stored()
      // Values are counted from event_data, which would be empty here.
      const all = oneOfEachMonth(derivedTables.filter(({ sources }) => !sources.includes('event_data')))
      const some = inTurn(all, seed, all.length)
      for (const { table } of some) await command(`TRUNCATE TABLE ${table}`)
      const scope = { websiteIds: [first], month: 202502 }
      for (const derived of some) {
        const added = 2 * aDay[derived.table]!
        expect(await rebuild(client, derived, scope)).toMatchObject([{ month: 202502, added, taken: 0 }])
      }
      const expected = (month: number, website: string) =>
        Object.fromEntries(
          some.map(({ table }) => [table, [difference(month, website, { missing: (month - 202500) * aDay[table]! })]]),
        )
      expect(await differences({ websiteIds: [first] }, some)).toStrictEqual(expected(202501, first))
      expect(await differences({ websiteIds: [], month: 202502 }, some)).toStrictEqual(expected(202502, second))
      expect(await differences({ websiteIds: [second], month: 202501 }, some.slice(0, 1))).toStrictEqual({
        [some[0]!.table]: [difference(202501, second, { missing: aDay[some[0]!.table]! })],
      })
      for (const derived of some) await rebuild(client, derived, everything)
      await expectAsBefore(before)
    },
  }

  it.each(inTurn([...damages, ...Object.entries(cases)], seed, 3))('%s', (_, isRight) => isRight())

  describe('rebuilding a month', () => {
    const all = derivedTables.filter(({ hasExtremes }) => hasExtremes)
    // All such tables are rebuilt in the same way, so each `npm test` run uses only one of these tests and one of the
    // tables.
    const extremes = (test: 0 | 1) => inTurn(all, seed + test * all.length, 2 * all.length)
    const lose = ({ table, month }: Derived) =>
      command(`ALTER TABLE ${table} DELETE WHERE ${month} = 202501 AND website_id = toUUID('${first}')`)

    /** A client that calls `does` just before the rebuilt rows replace the first month. */
    function meanwhile(does: () => Promise<unknown>): ClickHouseClient {
      let isFirst = true
      return new Proxy(client, {
        get(target, name) {
          if (name !== 'command') return Reflect.get(target, name)
          return async (parameters: Parameters<ClickHouseClient['command']>[0]) => {
            const isNow = isFirst && parameters.query.includes('REPLACE PARTITION')
            if (isNow) isFirst = false
            if (isNow) await does()
            return target.command(parameters)
          }
        },
      })
    }

    const late = (website_id: string) =>
      event({
        ...{ website_id, event_id: newId(), session_id: newId(), visit_id: newId() },
        ...{ created_at: '2025-01-31 10:00:00.000', event_type: 1, url_path: '/late' },
      })

    it.each(extremes(0))(
      'changes nothing if it is killed; the next run keeps all rows written in the meantime: $table',
      async (derived) => {
        await lose(derived)
        const lost = await stored()
        const killed = meanwhile(() => Promise.reject(new Error('killed')))
        await expect(rebuild(killed, derived, everything)).rejects.toThrow('killed')
        expect(await stored()).toStrictEqual(lost)
        const writing = meanwhile(() => insert([late(first), late(second)]))
        expect(await rebuild(writing, derived, { websiteIds: [first] })).toMatchObject([{ month: 202501, unsure: 0 }])
        expect(await rebuild(client, derived, everything)).toStrictEqual([])
      },
    )

    it.each(extremes(1))(
      'removes sessions whose events were deleted, and includes an event that arrived late: $table',
      async (derived) => {
        const [one] = await rowsIn<{ session: string }>(
          `SELECT toString(session_id) AS session FROM events WHERE website_id = toUUID('${first}') AND event_type = 1 LIMIT 1`,
        )
        for (const source of ['events', 'replay_chunks']) {
          await command(`ALTER TABLE ${source} DELETE WHERE session_id = toUUID('${one!.session}')`)
        }
        await insert([late(first)])
        expect(await check(client, derived, everything)).not.toStrictEqual([])
        await rebuild(client, derived, everything)
        expect(await check(client, derived, everything)).toStrictEqual([])
        expect(
          await rowsIn(`SELECT 1 FROM ${derived.table} WHERE session_id = toUUID('${one!.session}')`),
        ).toStrictEqual([])
      },
    )
  })

  describe('compare events with custom_events, which is filled in parallel', () => {
    const ofDay = (day: string) => `website_id = toUUID('${first}') AND toDate(created_at) = '${day}'`
    const named = (table: string): Derived => ({ ...besideEvents, table })
    const whole = async () => ({
      events: await rowsIn('SELECT * FROM events ORDER BY ALL'),
      custom: await rowsIn('SELECT * FROM custom_events ORDER BY ALL'),
    })
    const lone = event({
      ...{ website_id: first, event_id: newId(), created_at: '2025-02-01 11:00:00.000', event_name: 'lone' },
    })
    const other = { ...lone, event_id: newId(), created_at: '2025-02-02 11:00:00.000', event_name: 'other' }

    /** Each `npm test` run uses a different selection of cases. */
    const comparisons: Readonly<Record<string, () => Promise<void>>> = {
      async 'duplicates in only one of the tables are removed'() {
        const before = await whole()
        const twice = (table: string, day: string) => `SELECT * FROM ${table} WHERE ${ofDay(day)} AND event_type = 2`
        await put(named('events'), twice('events', '2025-02-01'))
        await put(named('custom_events'), `${twice('custom_events', '2025-02-02')} LIMIT 1`)
        const found = [difference(202502, first, { missing: 2, surplus: 1 })]
        expect(await check(client, besideEvents, everything)).toStrictEqual(found)
        expect(await reconcile(client, besideEvents, everything)).toMatchObject([{ month: 202502, added: 0, taken: 3 }])
        expect(await check(client, besideEvents, everything)).toStrictEqual([])
        expect(await whole()).toStrictEqual(before)
        isAsBefore = true
      },

      async 'an event in only one of the tables is copied, and derived tables are filled from custom_events'() {
        await insert([lone, { ...other, referrer_path: '/from', referrer_domain: 'example.org' }])
        const [before, all] = [await whole(), await stored()]
        // These events have no properties, so the tables of properties stay empty.
        const filled = oneOfEachKind(
          derivedTables.filter(({ sources, counts }) => sources.includes('custom_events') && counts),
        )
        const february = { websiteIds: [first], month: 202502 }
        const rebuildFilled = async () => {
          for (const derived of filled) await rebuild(client, derived, february)
        }
        await command("ALTER TABLE custom_events DELETE WHERE event_name = 'lone'")
        await rebuildFilled()
        await command(`ALTER TABLE events DELETE WHERE ${ofDay('2025-02-02')} AND event_type = 2`)
        const found = [difference(202502, first, { missing: 1, surplus: 3, orphans: 3 })]
        expect(await check(client, besideEvents, everything)).toStrictEqual(found)
        const adopted = await reconcile(client, besideEvents, everything, { orphans: 'adopt' })
        expect(adopted).toMatchObject([{ added: 4, taken: 0, lost: 0, orphans: 0 }])
        await rebuildFilled()
        const after = await whole()
        expect([after.custom, await stored()]).toStrictEqual([before.custom, all])
        // Only `events` contains the path and query of a referrer.
        const known = (rows: unknown[]) =>
          rows.map((row) => ({ ...Object(row), referrer_path: '', packed: [], ingested_at: '' }))
        expect(known(after.events)).toStrictEqual(known(before.events))
        expect(
          await rowsIn("SELECT referrer_path, referrer_domain FROM events WHERE event_name = 'other'"),
        ).toStrictEqual([{ referrer_path: '', referrer_domain: 'example.org' }])
      },

      async 'lost properties are counted, and nothing else changes'() {
        await command(`ALTER TABLE custom_events DELETE WHERE ${ofDay('2025-02-01')}`)
        const before = await whole()
        expect(await reconcile(client, besideEvents, everything)).toStrictEqual([
          { month: 202502, added: 0, taken: 0, unsure: 0, lost: 2, orphans: 0 },
        ])
        expect(await whole()).toStrictEqual(before)
      },

      async 'duplicates are removed even if many deletions are necessary; those left are counted'() {
        const before = await whole()
        const twice = `SELECT * FROM custom_events WHERE ${ofDay('2025-02-01')} AND event_type = 2`
        for (const _ of [1, 2, 3]) await put(named('custom_events'), `SELECT DISTINCT * FROM (${twice})`)
        const undeleted = Object.assign(Object.create(client), {
          command: (given: { query: string }) =>
            given.query.startsWith('ALTER TABLE custom_events DELETE') ? undefined : client.command(given),
        })
        const left = [{ taken: 0, left: 6, unsure: 6 }]
        expect(await reconcile(undeleted, besideEvents, everything)).toMatchObject(left)
        expect(await reconcile(client, besideEvents, everything, { most: 1 })).toMatchObject([{ taken: 6, unsure: 0 }])
        expect(await whole()).toStrictEqual(before)
        isAsBefore = true
      },

      async 'a partial insert after a full disk is reported, and totals stay until the operator decides'() {
        const named = ['session_events', 'event_data_by_id']
        const looked = derivedTables.filter(({ table }) => isLong || named.includes(table))
        // After a repeated insert with other ids, some tables have rows of the first attempt, others of the second.
        const again = (table: string, rows: number) =>
          command(`INSERT INTO ${table} SELECT * REPLACE (generateUUIDv4() AS event_id) FROM ${table}
            WHERE ${ofDay('2025-02-01')} LIMIT ${rows}`)
        await again('custom_events', 2)
        await again('event_data_by_id', 1)
        await again('session_events', 3)
        await command(
          `ALTER TABLE custom_events DELETE WHERE ${ofDay('2025-02-01')} AND event_id IN (SELECT event_id FROM events)`,
        )
        const before = await whole()
        const counted = 'SELECT toUInt32(sum(events)) AS events FROM daily_events'
        const total = await rowsIn(counted)

        const halves = { missing: 2, surplus: 2, orphans: 2 }
        expect(await check(client, besideEvents, everything)).toStrictEqual([difference(202502, first, halves)])
        expect(await differences(everything, looked)).toMatchObject({
          session_events: [{ surplus: 3 }],
          event_data_by_id: [{ surplus: 3 }],
        })
        const left = [{ added: 0, taken: 0, lost: 2, orphans: 2 }]
        expect(await reconcile(client, besideEvents, everything)).toMatchObject(left)
        expect(await whole()).toStrictEqual(before)

        const decided = await reconcile(client, besideEvents, everything, { orphans: 'remove', acceptLost: true })
        expect(decided).toMatchObject([{ added: 2, taken: 2, lost: 0, orphans: 0 }])
        for (const derived of looked) await rebuild(client, derived, everything)
        expect(await differences(everything, [besideEvents, ...looked])).toStrictEqual({})
        expect([(await whole()).events.length, await rowsIn(counted)]).toEqual([before.events.length, total])
        const answered = `SELECT has_data, packed[-1] AS shown FROM events WHERE ${ofDay('2025-02-01')} AND event_type = 2`
        expect(await rowsIn(answered)).toEqual([
          { has_data: 0, shown: '0' },
          { has_data: 0, shown: '0' },
        ])
      },
    }

    it.each(inTurn(Object.entries(comparisons), seed, 4))('%s', (_, isRight) => isRight())
  })

  it('refuse to run concurrently, and explain what to do', async () => {
    await alone(client, 'check', async () => {
      await expect(alone(client, 'rebuild', async () => {})).rejects.toThrow('DROP TABLE check_running')
    })
    await expect(alone(client, 'purge', async () => 'done')).resolves.toBe('done')
    // A killed command has left its table behind.
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    const [space] = ownName().split(' ')
    await command(`CREATE TABLE check_running (nothing UInt8) ENGINE = Memory COMMENT '${space} ${pid} 1'`)
    await expect(alone(client, 'purge', async () => 'done')).resolves.toBe('done')
    // This process could not drop its table, because ClickHouse was away.
    await command(`CREATE TABLE check_running (nothing UInt8) ENGINE = Memory COMMENT '${ownName()}'`)
    await command('CREATE TABLE check_rows (nothing UInt8) ENGINE = Memory')
    await expect(alone(client, 'purge', async () => 'done')).resolves.toBe('done')
    await command("CREATE TABLE check_running (nothing UInt8) ENGINE = Memory COMMENT 'another-machine 1 1'")
    await expect(alone(client, 'purge', async () => 'done')).rejects.toThrow('DROP TABLE check_running')
    await command('DROP TABLE check_running')
    await expect(alone(client, 'purge', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    await expect(alone(client, 'check', async () => 'done')).resolves.toBe('done')
    expect(await rowsIn("SELECT name FROM system.tables WHERE name LIKE 'check%'")).toStrictEqual([])
  })

  it('refuse a cluster’s front, because its rows are stored elsewhere', async () => {
    await command('CREATE DATABASE front')
    await command("CREATE TABLE front.events AS remote('127.0.0.1', currentDatabase(), 'events')")
    const { timeout: _, ...server } = clickhouse.server
    const front = createClient({ ...server, database: 'front' })
    await expect(alone(front, 'check', async () => {})).rejects.toThrow('check each shard')
    await expect(alone(front, 'rebuild', async () => {})).rejects.toThrow('rebuild each shard')
    await front.close()
    await command('DROP DATABASE front')
  })
})
