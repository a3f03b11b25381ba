import { mkdirSync } from 'node:fs'
import { createClient } from '@clickhouse/client-web'
import { describe, expect, it } from 'vitest'
import { tellRebuilt } from '../../src/local/commands/derived-commands.ts'
import { brokenParts, refuseBroken } from '../../src/local/storage/broken-parts.ts'
import { chainTables } from '../../src/local/storage/chain-rows.ts'
import { urlOf } from '../../src/local/storage/clickhouse.ts'
import { besideEvents, comparedTables, derivedTables } from '../../src/local/storage/derived.ts'
import { event, number, string } from '../oracle/fixtures.ts'
import { weir as command } from '../support/commands.ts'
import { isolate } from '../support/isolate.ts'
import { inTurn } from '../support/long.ts'
import { ownEngine } from '../support/own-engine.ts'
import { seed } from '../support/seed.ts'
import { newId } from '../support/website.ts'
import { newWebsite, pathOf, running } from '../support/weir.ts'

/** A separate data folder, because commands read whole months of all websites. */
const { dataDir, clickhouse: engine } = await ownEngine()
const { username: CLICKHOUSE_USER, password: CLICKHOUSE_PASSWORD } = engine.server
const clickhouseBindings = { CLICKHOUSE_URL: urlOf(engine.server), CLICKHOUSE_USER, CLICKHOUSE_PASSWORD }
const ask = isolate(undefined, { ...clickhouseBindings, CACHE: undefined })

const weir = (...words: string[]) => command(words, { dataDir })

const clickhouse = (query: string): Promise<unknown> => engine.client.command({ query })

const rows = async <Row>(query: string): Promise<Row[]> =>
  (await engine.client.query({ query, format: 'JSONEachRow' })).json<Row>()

/** Questions over these months read all tables of counts. */
const range = { startAt: Date.UTC(2025, 0, 5, 7), endAt: Date.UTC(2025, 4, 20, 9) }
const moments = ['2025-02-07', '2025-03-08', '2025-03-09']
const eventId = newId()

async function website(): Promise<string> {
  const website_id = await newWebsite()
  await engine.client.insert({
    ...{ table: 'ingest', format: 'JSONEachRow' },
    values: moments.flatMap((day, index) => [
      event(
        {
          website_id,
          event_id: index === 0 ? eventId : newId(),
          ...{ created_at: `${day} 10:00:00.001`, event_name: 'buy', browser: 'chrome' },
        },
        [string('plan', 'pro'), number('price', String(index))],
      ),
      event({ website_id, event_id: newId(), created_at: `${day} 10:00:00.002`, event_type: 1, browser: 'safari' }),
    ]),
  })
  return website_id
}

const questions: readonly (readonly [string, Record<string, string | number>])[] = [
  ['events', { ...range, pageSize: 3 }],
  ['events', { ...range, browser: 'chrome' }],
  ['event-data/events', range],
  ['event-data/events', { ...range, browser: 'chrome' }],
  ['event-data/fields', range],
  ['event-data/stats', range],
  ['events/stats', { ...range, browser: 'chrome' }],
  ['event-data/values', { ...range, event: 'buy', propertyName: 'plan' }],
  [`event-data/${eventId}`, {}],
]

/** The answers, each with the table that answered the whole months. Other tables answer the rest of the range. */
const answers = (websiteId: string) =>
  Promise.all(
    questions.map(async ([path, query]) => {
      const authorization = `Bearer ${running.adminKey}`
      const reply = await ask(pathOf(`/api/websites/${websiteId}/${path}`, query), { authorization })
      expect([path, reply.status]).toEqual([path, 200])
      return { body: JSON.parse(reply.text), source: reply.headers.get('x-source')!.split(', ')[0]! }
    }),
  )

const bodies = (replies: Awaited<ReturnType<typeof answers>>) => replies.map(({ body }) => body)

const checkedByName = ['event_data', 'monthly_shapes', 'hourly_visits']

const asSources = [...comparedTables.map(({ table }) => table), ...chainTables]
  .map((table) => `${table}: agrees with its sources\n`)
  .join('')

describe('npm run weir -- check, rebuild', () => {
  /** Each `npm test` run uses one of these cases. */
  const cases: Readonly<Record<string, () => Promise<void>>> = {
    async 'report a website’s differences and repair them, so that all answers are as before'() {
      const [websiteId, other] = [await website(), await website()]
      const scope = ['--website', websiteId.toUpperCase()]
      const before = await answers(websiteId)
      expect(before[0]).toMatchObject({ body: { count: 6 } })

      const others = inTurn(derivedTables, seed, derivedTables.length)
      const damagedTables = derivedTables.filter((one) => others.includes(one) || checkedByName.includes(one.table))
      for (const { table, month } of damagedTables) {
        const some = table === 'event_data' ? [websiteId, other] : [websiteId]
        const months = checkedByName.includes(table) ? '202502, 202503' : '202502'
        const ofWebsite = `website_id IN ('${some.join("', '")}') AND ${month} IN (${months})`
        await clickhouse(`ALTER TABLE ${table} DELETE WHERE ${ofWebsite} SETTINGS mutations_sync = 2`)
      }
      const damaged = await answers(websiteId)
      const reading = before.flatMap(({ source }, index) =>
        damagedTables.some(({ table }) => table === source) ? [index] : [],
      )
      expect(reading.length).toBeGreaterThan(1)
      for (const index of reading) {
        expect([questions[index], damaged[index]!.body]).not.toStrictEqual([questions[index], before[index]!.body])
      }
      const checked = await weir('check', ...checkedByName, ...scope)
      expect([checked.code, checked.stderr, checked.stdout.split('\n')]).toStrictEqual([
        1,
        '',
        [
          `event_data 2025-02 ${websiteId}: 2 rows missing`,
          `event_data 2025-03 ${websiteId}: 4 rows missing`,
          `monthly_shapes 2025-02 ${websiteId}: 1 events missing`,
          `monthly_shapes 2025-03 ${websiteId}: 2 events missing`,
          `hourly_visits 2025-02 ${websiteId}: 3 rows missing`,
          `hourly_visits 2025-03 ${websiteId}: 6 rows missing`,
          '',
        ],
      ])

      const month = await weir('rebuild', 'event_data', ...scope, '--month', '2025-02')
      expect([month.code, month.stdout]).toStrictEqual([
        0,
        'event_data 2025-02: 2 rows added, 0 removed\nevent_data: agrees with its sources\n',
      ])
      expect((await weir('check', 'event_data', ...scope)).stdout).toBe(
        `event_data 2025-03 ${websiteId}: 4 rows missing\n`,
      )
      const names = damagedTables.map(({ table }) => table)
      expect(await weir('rebuild', ...names, ...scope)).toMatchObject({ code: 0, stderr: '' })
      expect(bodies(await answers(websiteId))).toStrictEqual(bodies(before))
      expect(await weir('check', ...scope, '--month', '2025-03')).toStrictEqual({
        ...{ code: 0, stdout: asSources, stderr: '' },
      })
      const ofOther = await weir('check', 'event_data', '--website', other, '--month', '2025-03')
      expect([ofOther.code, ofOther.stdout]).toStrictEqual([1, `event_data 2025-03 ${other}: 4 rows missing\n`])
    },

    async 'report rows without events and events without properties, and repair them as the flags say'() {
      const websiteId = await website()
      const ofMonth = (month: number) => `website_id = '${websiteId}' AND toYYYYMM(created_at) = ${month}`
      const custom =
        'INSERT INTO custom_events SELECT * REPLACE (generateUUIDv4() AS event_id) FROM custom_events WHERE'
      await clickhouse(`${custom} ${ofMonth(202503)}`)
      await clickhouse(`ALTER TABLE custom_events DELETE WHERE ${ofMonth(202502)} SETTINGS mutations_sync = 2`)
      const count = `SELECT count() AS events, sum(has_data) AS data FROM events WHERE website_id = '${websiteId}'`
      expect(await rows(count)).toEqual([{ events: 6, data: 3 }])
      const run = async (...words: string[]) => {
        const { code, stdout } = await weir(...words, '--website', websiteId)
        return [code, ...stdout.trimEnd().split('\n')]
      }
      expect(await run('check', 'custom_events')).toEqual([
        1,
        `custom_events 2025-02 ${websiteId}: 1 rows missing`,
        `custom_events 2025-03 ${websiteId}: 2 rows without their event`,
      ])
      expect(await run('rebuild')).toEqual([
        1,
        'custom_events 2025-02: 1 events no longer have properties in custom_events. Derived tables may have the last ' +
          'copy; to keep the events without properties, run rebuild with --accept-lost',
        'custom_events 2025-03: 2 rows without their event. If their insert was repeated with other ids, run rebuild ' +
          'with --orphans remove; if it was not, with --orphans adopt',
        'Nothing was changed in the tables derived from it.',
      ])
      expect(await rows(count)).toEqual([{ events: 6, data: 3 }])
      expect((await weir('rebuild', '--orphans', 'keep')).code).toBe(2)
      const both = ['custom_events', 'event_data']
      const [code, ...lines] = await run('rebuild', ...both, '--orphans', 'remove', '--accept-lost')
      expect([code, lines.slice(0, 2)]).toEqual([
        0,
        ['custom_events 2025-02: 1 rows added, 0 removed', 'custom_events 2025-03: 0 rows added, 2 removed'],
      ])
      expect(await rows(count)).toEqual([{ events: 6, data: 2 }])
      expect((await run('check', ...both))[0]).toBe(0)
    },
  }

  it.each(inTurn(Object.entries(cases), seed, 2))('%s', (_, isRight) => isRight())

  it.each(['check', 'rebuild'])('%s reports a mistyped argument and changes nothing', async (command) => {
    for (const month of ['2025-13', '202501']) {
      const refused = await weir(command, '--month', month)
      expect([refused.code, refused.stdout, refused.stderr]).toStrictEqual([
        2,
        '',
        '--month: Must be a month such as 2025-01.\n',
      ])
    }
    expect(await weir(command, '--website', "'")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--website ': Must be an id"),
    })
    for (const table of ['events', 'toString']) {
      expect(await weir(command, table)).toMatchObject({
        code: 2,
        stderr: `${table} is not a table to compare. Allowed: ${[...comparedTables.map(({ table }) => table), ...chainTables].join(', ')}.\n`,
      })
    }
  })

  it('rebuild reports differences that it could not repair, and exits with 1', () => {
    const lines: string[] = []
    const rebuilt = { month: 202502, added: 0, taken: 3, unsure: 2, left: 2 }
    expect(tellRebuilt({ out: (line) => lines.push(line) }, besideEvents, [rebuilt])).toBe(1)
    expect(lines).toEqual([
      'custom_events 2025-02: 0 rows added, 3 removed',
      'custom_events 2025-02: 2 rows still differ. Run rebuild again',
    ])
  })

  it('report a detached part as broken; until it is dropped, rebuild does nothing', async () => {
    const database = 'broken'
    await clickhouse(`CREATE DATABASE ${database}`)
    await clickhouse(`CREATE TABLE ${database}.events (x UInt8) ENGINE = MergeTree ORDER BY x`)
    const [made] = await rows<{ path: string }>(
      `SELECT data_paths[1] AS path FROM system.tables WHERE database = '${database}' AND name = 'events'`,
    )
    mkdirSync(`${made!.path}detached/broken_202501_1_1_0`, { recursive: true })
    const { timeout: _, ...server } = engine.server
    const client = createClient({ ...server, database })
    const line = 'events: part broken_202501_1_1_0 is set aside (broken), and its rows are missing'
    expect(await brokenParts(client)).toEqual([line])
    await expect(refuseBroken(client)).rejects.toThrow(`${line}\nNothing was changed`)
    await client.close()
  })
})
