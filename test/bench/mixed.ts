import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client-web'
import { keepSealing } from '../../src/local/commands/seal-command.ts'
import { benchPlan, datasetSteps } from '../../src/local/dataset/index.ts'
import { startClickHouse } from '../../src/local/storage/clickhouse.ts'
import { createKey } from '../../src/local/storage/metadata.ts'
import { migrateEvents } from '../../src/local/storage/migrations.ts'
import { seal } from '../../src/local/storage/seal.ts'
import { bearer, type Headers } from './access.ts'
import { sent } from './collect.ts'
import type { SentFindings } from './collect-sender.ts'
import { childrenNamed, engineIn, residentMiB } from './processes.ts'
import { websitesAndKey, withWorker } from './through.ts'

/** Readers of dashboards, alone and beside 500 events a second for 300 websites. */
export interface MixedFindings {
  readonly events: number
  readonly minutes: number
  readonly alone: ReadersFindings
  readonly beside: ReadersFindings
  readonly senders: SentFindings
  /** What the engine did while the senders sent. */
  readonly merges: { readonly count: number; readonly seconds: number }
  /** The parts of the partition that had the most at the end. */
  readonly parts: number
}

/** What the readers saw. Times in milliseconds. */
export interface ReadersFindings {
  readonly questions: number
  readonly failed: number
  readonly p50: number
  readonly p99: number
  /** The pages of the reader that got the fewest, and of the one that got the most. */
  readonly pages: readonly [fewest: number, most: number]
  /** Resident memory in MiB at the start and at the end. */
  readonly workerd: readonly [start: number, end: number]
  readonly engine: readonly [start: number, end: number]
}

const readers = 16
const websites = 300

/** Requests a second, and the events of each. */
const sending = { rate: 25, batch: 20 } as const

/** The questions of a page, as the overview of Umami's dashboard asks them. */
export const overview: readonly string[] = [
  ...['stats', 'pageviews', 'sessions/weekly'],
  ...['path', 'referrer', 'browser', 'os', 'device', 'country', 'event'].map((type) => `metrics?type=${type}`),
]

/** The same with what it sends, without the range. */
const questions = overview.map((name) =>
  name.includes('?') ? `${name}&limit=10&` : `${name}?${name === 'stats' ? '' : 'unit=day&timezone=UTC&'}`,
)

/** The days of a page; readers take them in turn. */
const ranges = [1, 7, 30, 90]

const day = 86_400_000

interface Reader {
  readonly websiteId: string
  readonly headers: Headers
}

/** `minutes` beside the senders, after a fifth of that alone. */
export async function mixedOf(
  dir: string,
  { events, minutes }: { readonly events: number; readonly minutes: number },
  progress: (line: string) => void,
): Promise<MixedFindings> {
  rmSync(dir, { recursive: true, force: true })
  progress('mixed load: filling')
  const { client, server, close } = await startClickHouse(dir, 0)
  const closers = [close]
  try {
    await migrateEvents(client, server)
    const plan = benchPlan(events, Date.now())
    for (const { query, query_params } of datasetSteps(plan)) await client.command({ query, query_params })
    progress('mixed load: sealing')
    await seal(client, { websiteIds: [], patience: 0 })
    closers.unshift(keepSealing(client, progress))
    const known = plan.websites.map(({ id }) => id)
    const websiteIds = [...known, ...Array.from({ length: websites - known.length }, () => randomUUID())]
    return await withWorker(dir, server, async ({ url, metadata }) => {
      await websitesAndKey(metadata, websiteIds)
      // A key for each reader: readers of one key take turns.
      const asking = await Promise.all(
        known.slice(0, readers).map(async (websiteId) => {
          const key = await createKey(
            metadata,
            websiteId,
            { admin: false, access: 'read', websiteIds: [websiteId] },
            Date.now(),
          )
          return { websiteId, headers: bearer(key) }
        }),
      )
      const pids = [childrenNamed('workerd')[0]!, engineIn(dir)!] as const
      const memory = () => pids.map(residentMiB) as [workerd: number, engine: number]
      progress('mixed load: readers alone')
      const alone = await readFor(12 * minutes, url, asking, memory)
      progress('mixed load: readers beside senders')
      const before = await mergesOf(client)
      const [beside, senders] = await Promise.all([
        readFor(60 * minutes, url, asking, memory),
        sent({ url, ...sending, seconds: 60 * minutes, websiteIds }),
      ])
      const after = await mergesOf(client)
      const merges = { count: after.count - before.count, seconds: after.seconds - before.seconds }
      return { events, minutes, alone, beside, senders, merges, parts: after.parts }
    })
  } finally {
    for (const one of closers) await one()
  }
}

/** Each reader asks for the next page once it has all answers of the one before. */
async function readFor(
  seconds: number,
  url: string,
  asking: readonly Reader[],
  memory: () => [workerd: number, engine: number],
): Promise<ReadersFindings> {
  const end = performance.now() + 1000 * seconds
  const took: number[] = []
  let failed = 0
  const ask = async ({ websiteId, headers }: Reader, question: string, period: string) => {
    const since = performance.now()
    const isAnswered = async () => {
      const response = await fetch(`${url}/api/websites/${websiteId}/${question}${period}`, { headers })
      await response.text()
      return response.ok
    }
    // workerd closes a kept connection if it does not come to read the next request within five seconds, as on a busy
    // machine. Browsers ask again.
    const asked = isAnswered().catch(isAnswered)
    if (!(await asked.catch(() => false))) failed++
    took.push(performance.now() - since)
  }
  const read = async (reader: Reader, number: number) => {
    let pages = 0
    for (; performance.now() < end; pages++) {
      const now = Date.now()
      const period = `startAt=${now - ranges[(number + pages) % ranges.length]! * day}&endAt=${now}`
      await Promise.all(questions.map((question) => ask(reader, question, period)))
      await pause(0)
    }
    return pages
  }
  const [workerd, engine] = memory()
  const pages = await Promise.all(asking.map(read))
  const [workerdAfter, engineAfter] = memory()
  took.sort((one, other) => one - other)
  const at = (share: number) => took[Math.floor(share * took.length)] ?? Number.NaN
  return {
    ...{ questions: took.length, failed, p50: at(0.5), p99: at(0.99) },
    pages: [Math.min(...pages), Math.max(...pages)],
    workerd: [workerd, workerdAfter],
    engine: [engine, engineAfter],
  }
}

/** What the engine has merged since its start, and the parts of its largest partition. */
async function mergesOf(client: ClickHouseClient): Promise<{ count: number; seconds: number; parts: number }> {
  const query = `SELECT toInt32(sumIf(value, event = 'Merge')) AS count,
      sumIf(value, event = 'MergeTotalMilliseconds') / 1000 AS seconds,
      (SELECT toInt32(max(parts)) FROM (
        SELECT count() AS parts FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table, partition
      )) AS parts
    FROM system.events`
  const [row] = await (await client.query({ query, format: 'JSONEachRow' })).json<never>()
  return row!
}
