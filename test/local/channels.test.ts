import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { channelLists } from '../../src/channel-lists.ts'
import { getWebsiteMetrics } from '../../src/endpoints/statistics/metrics.ts'
import { root } from '../../src/local/paths.ts'
import { channelMigration, channelRules, writeChannelMigration } from '../../src/local/storage/channel-rules.ts'
import type { ClickHouse } from '../../src/local/storage/clickhouse.ts'
import { comparedTables } from '../../src/local/storage/derived.ts'
import { judgedBefore } from '../../src/local/storage/judge-channels.ts'
import { channelOf } from '../oracle/channels.ts'
import { event, id } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'
import { weir } from '../support/commands.ts'
import { landings } from '../support/landings.ts'
import { olderChannelRules } from '../support/older-channels.ts'
import { startMigrated } from '../support/own-engine.ts'
import { answerFrom } from '../support/questions.ts'
import { columnTime, newId } from '../support/website.ts'

const files = readdirSync(`${root}/sql/events`).sort()

describe('the newest file of sql/events with channels', () => {
  it('contains the rules for the current lists', () => {
    const newest = files.filter((name) => /_channels_\d+\.sql$/.test(name)).at(-1)
    const [name, rules] =
      newest === undefined
        ? ['0002_events.sql', `DEFAULT ${channelRules},`]
        : [newest, channelMigration(channelLists.number)]
    const text = readFileSync(`${root}/sql/events/${name}`, 'utf8')
    expect(
      [text.includes(rules), /channel_lists +UInt8 DEFAULT (\d+)/.exec(text)?.[1]],
      'A file that was released never changes. Take the next number in src/channel-lists.ts, then: npm run channels.',
    ).toEqual([true, String(channelLists.number)])
  })

  it('is a new file if the lists have a new number, and otherwise the file with their number', () => {
    const folder = mkdtempSync(`${tmpdir()}/weir-channels-made-`)
    const names = ['0001_ingest.sql', '0041_channels_7.sql', '0050_other.sql']
    for (const name of names) writeFileSync(`${folder}/${name}`, '-- before')
    const own = '0051_channels_8.sql'
    expect([writeChannelMigration(folder, 8), writeChannelMigration(folder, 8)]).toEqual([own, own])
    expect(() => writeChannelMigration(folder, 1)).toThrow('Take the next number.')
    expect(readdirSync(folder).sort()).toEqual([...names, own])
    expect(readFileSync(`${folder}/${own}`, 'utf8')).toBe(channelMigration(8))
    for (const name of names) expect(readFileSync(`${folder}/${name}`, 'utf8')).toBe('-- before')
    rmSync(folder, { recursive: true })
  })
})

/** A separate data folder, because the rules of its database change. */
const dataDir = mkdtempSync(`${tmpdir()}/weir-channels-`)
let clickhouse: ClickHouse

beforeAll(async () => {
  clickhouse = await startMigrated(dataDir)
  await run(`ALTER TABLE events MODIFY COLUMN channel LowCardinality(String) DEFAULT ${olderChannelRules},
    MODIFY COLUMN channel_lists UInt8 DEFAULT 0`)
})

afterAll(async () => {
  await clickhouse.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const run = (query: string) => clickhouse.client.command({ query })

const websiteId = newId()
const [hour, day] = [3_600_000, 86_400_000]
const start = Date.UTC(2025, 0, 1)

/** Every landing once, each with its own visit and hour, over two months. */
const rowsOf = (first: number, changes: Partial<IngestRow> = {}): IngestRow[] =>
  landings.map((landing, place) =>
    event({
      ...{ website_id: websiteId, event_id: newId(), session_id: id(first + place), visit_id: newId(), event_type: 1 },
      ...{ created_at: columnTime(start + 14 * day + (place % 34) * day + (place % 7) * hour), url_path: '/' },
      ...{ ...landing, ...changes },
    }),
  )

const old = rowsOf(10_000)
const young = rowsOf(20_000)

const insert = (rows: readonly IngestRow[]) =>
  clickhouse.client.insert({ table: 'ingest', values: rows, format: 'JSONEachRow' })

const selected = async <Row>(query: string): Promise<Row[]> =>
  (await clickhouse.client.query({ query, format: 'JSONEachRow' })).json<Row>()

/** The channel and list number of each event. */
async function stored(): Promise<Map<string, unknown>> {
  const rows = await selected<{ event_id: string }>(
    `SELECT toString(event_id) AS event_id, channel, channel_lists FROM events WHERE website_id = '${websiteId}'`,
  )
  return new Map(rows.map(({ event_id, ...rest }) => [event_id, rest]))
}

const judged = (rows: readonly IngestRow[], channel_lists: number): [string, unknown][] =>
  rows.map((row) => {
    const channel = channelOf({ ...row, ...(channel_lists === 0 && { channel_lists }) })
    return [row.event_id, { channel, channel_lists }]
  })

const command = (...words: string[]) => weir(words, { dataDir })

/** The number of visits in each channel, from the hourly table. */
const byHours = async (): Promise<Record<string, number>> => {
  const rows = await selected<{ name: string; visits: number }>(
    `SELECT name, toUInt32(count()) AS visits FROM (
       SELECT substring(min(landing) AS first, 25, position(first, '\\0', 25) - 25) AS name
       FROM hourly_visits WHERE website_id = '${websiteId}' AND kind = 1 GROUP BY visit_id
     ) GROUP BY name`,
  )
  return Object.fromEntries(rows.map(({ name, visits }) => [name, visits]))
}

/** The visitors in each channel from the endpoint: from hours, from events for a partial hour, and with a filter. */
const answered = (): Promise<Record<string, number>[]> =>
  Promise.all(
    [{}, { startAt: String(start + 1) }, { path: '/' }].map(async (more) => {
      const query = { type: 'channel', startAt: String(start), endAt: String(start + 60 * day - 1), ...more }
      const question = { report: getWebsiteMetrics, websiteId, query: Object.entries(query) }
      const { body } = await answerFrom(clickhouse.server, question)
      return Object.fromEntries((body as { x: string; y: number }[]).map(({ x, y }) => [x, y]))
    }),
  )

const counted = (rows: readonly [string, unknown][]): Record<string, number> => {
  const sums: Record<string, number> = {}
  for (const [, one] of rows) {
    const { channel } = one as { channel: string }
    sums[channel] = (sums[channel] ?? 0) + 1
  }
  return sums
}

/** The lines of an output of `check` about channels. */
const ofChannels = (stdout: string): string[] => stdout.split('\n').filter((line) => line.startsWith('events '))

const changedIn = (month: string) => old.filter(({ created_at }) => created_at.startsWith(month)).length

const olderIn = (month: string) =>
  `events ${month}: ${changedIn(month)} rows have channels of older lists. rebuild --channels updates them`

const again = (month: string) => `events ${month}: ${changedIn(month)} rows updated`

const done = 'events: all channels follow the newest lists. seal renews the sealed days'

describe('a database with events that older lists classified', () => {
  it('keeps their channels, and classifies new events with the current lists', async () => {
    await insert(old)
    await run(channelMigration(channelLists.number).replace(/;\n$/, ''))
    await insert(young)
    expect(await stored()).toEqual(new Map([...judged(old, 0), ...judged(young, channelLists.number)]))
    const all = counted([...judged(old, 0), ...judged(young, channelLists.number)])
    expect([await byHours(), ...(await answered())]).toEqual([all, all, all, all])
  })

  it('has no differences that check would report, but check counts these events', async () => {
    const { code, stdout } = await command('check')
    expect([code, stdout]).toEqual([0, expect.stringContaining('hourly_visits: agrees with its sources')])
    expect(ofChannels(stdout)).toEqual(['2025-01', '2025-02'].map(olderIn))
  })

  it('is reclassified month by month, which unseals the days that change', async () => {
    expect((await command('seal')).stdout).toBe('34 days sealed\n')
    const { code, stdout, stderr } = await command('rebuild', '--channels', '--month', '2025-02')
    expect([code, stdout, stderr]).toEqual([0, `${again('2025-02')}\n${done}\n`, ''])
    const isOfMonth = ({ created_at }: IngestRow) => created_at.startsWith('2025-02')
    expect(await stored()).toEqual(
      new Map([
        ...judged(old.filter(isOfMonth), channelLists.number),
        ...judged(
          old.filter((row) => !isOfMonth(row)),
          0,
        ),
        ...judged(young, channelLists.number),
      ]),
    )
    const older = await judgedBefore(clickhouse.client, { websiteIds: [] })
    expect(older).toMatchObject([{ month: 202501, rows: changedIn('2025-01') }])
    expect((await command('seal')).stdout).toBe('34 days sealed\n')
  })

  it('is finished by the next run after an interruption, without reclassifying any event twice', async () => {
    // This is the state after a run that stopped before it rebuilt the hours. The list number is set last.
    const query = `ALTER TABLE events UPDATE channel = ${channelRules} WHERE channel_lists = 0`
    await clickhouse.client.command({ query, clickhouse_settings: { mutations_sync: '2' } })
    expect((await command('check', 'hourly_visits')).code).toBe(1)
    expect((await command('rebuild', '--channels')).stdout).toBe(`${again('2025-01')}\n${done}\n`)
    const all = [...judged(old, channelLists.number), ...judged(young, channelLists.number)]
    expect(await stored()).toEqual(new Map(all))
    expect([await byHours(), ...(await answered())]).toEqual(Array(4).fill(counted(all)))
    expect((await command('rebuild', '--channels')).stdout).toBe(`${done}\n`)
    const { code, stdout } = await command('check')
    expect([code, stdout.match(/agrees/g)?.length, ofChannels(stdout)]).toEqual([0, comparedTables.length + 3, []])
  })

  it.each([
    [['hourly_visits', '--channels']],
    [['--channels', '--orphans', 'remove']],
    [['--channels', '--accept-lost']],
  ])('refuses %j', async (words) => {
    const { code, stderr } = await command('rebuild', ...words)
    expect([code, stderr]).toEqual([2, 'Give --channels alone, or with --website and --month.\n'])
  })
})
