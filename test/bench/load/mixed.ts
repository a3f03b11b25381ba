import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { keepSealing } from '../../../src/local/commands/seal-command.ts'
import { benchPlan, datasetSteps } from '../../../src/local/dataset/index.ts'
import { startClickHouse } from '../../../src/local/storage/clickhouse.ts'
import { createKey } from '../../../src/local/storage/metadata.ts'
import { migrateEvents } from '../../../src/local/storage/migrations.ts'
import { seal } from '../../../src/local/storage/seal.ts'
import { day } from '../data.ts'
import { quantile } from '../measure.ts'
import { type Column, fixed, type Section, table, whole } from '../print.ts'
import { bearer, get, type Headers, type Running, startWorker, websitesAndKey } from '../worker.ts'
import { sent } from './collect.ts'

/** The readers' results, with times in milliseconds. */
interface ReadersFindings {
  readonly questions: number
  readonly failed: number
  readonly p50: number
  readonly p99: number
}

const readers = 16
const websites = 300

/** Requests per second, and the number of events in each. */
const sending = { rate: 25, batch: 20 } as const

const types = ['path', 'referrer', 'browser', 'os', 'device', 'country', 'event']

/** The requests for an overview in Umami's dashboard, without their range. */
export const overviewBy = (unit: 'hour' | 'day'): readonly string[] => [
  ...['stats?', `pageviews?unit=${unit}&timezone=UTC&`, 'sessions/weekly?unit=day&timezone=UTC&'],
  ...types.map((type) => `metrics?type=${type}&limit=10&`),
]

const questions = overviewBy('day')

/** The lengths of a page's range, in days. Readers use them in turn. */
const ranges = [1, 7, 30, 90]

interface Reader {
  readonly websiteId: string
  readonly headers: Headers
}

/** Reads without senders at first, for a fifth of `minutes`, and then for `minutes` while events are sent. */
export async function mixed(
  dir: string,
  { events, minutes }: { readonly events: number; readonly minutes: number },
  progress: (line: string) => void,
): Promise<Section> {
  rmSync(dir, { recursive: true, force: true })
  progress('mixed load: filling and sealing')
  const { client, server, close } = await startClickHouse(dir, 0)
  const closers = [close]
  try {
    await migrateEvents(client, server)
    const plan = benchPlan(events, Date.now())
    for (const { query, query_params } of datasetSteps(plan)) await client.command({ query, query_params })
    await seal(client, { websiteIds: [], patience: 0 })
    const sealing = new AbortController()
    keepSealing(client, progress, sealing.signal)
    closers.unshift(async () => sealing.abort())
    const known = plan.websites.map(({ id }) => id)
    const websiteIds = [...known, ...Array.from({ length: websites - known.length }, () => randomUUID())]
    const worker = await startWorker(dir, server)
    closers.unshift(worker.close)
    await websitesAndKey(worker.metadata, websiteIds)
    const asking = await Promise.all(known.slice(0, readers).map((websiteId) => readerOf(worker, websiteId)))
    progress('mixed load: readers alone')
    const alone = await readFor(12 * minutes, worker.url, asking)
    progress('mixed load: readers beside senders')
    const [beside, senders] = await Promise.all([
      readFor(60 * minutes, worker.url, asking),
      sent({ url: worker.url, ...sending, seconds: 60 * minutes, websiteIds }),
    ])
    const rows = [
      { name: 'alone', seconds: 12 * minutes, ...alone },
      { name: 'beside senders', seconds: 60 * minutes, ...beside },
    ]
    return {
      heading: 'Mixed load',
      how:
        `${readers} readers of websites with ${whole(events)} events in all ask for pages of ten questions over 1, 7, ` +
        `30 and 90 days, beside 500 events a second for ${websites} websites.`,
      page: [
        table(columns, rows),
        `Batches: p50 ${fixed(senders.p50)} ms, p99 ${fixed(senders.p99)} ms, ${senders.failed} failed.`,
      ],
      ...{ more: [], found: { rows, senders } },
    }
  } finally {
    for (const one of closers) await one()
  }
}

const columns: Column<ReadersFindings & { readonly name: string; readonly seconds: number }>[] = [
  { heading: 'readers', isText: true, write: ({ name }) => name },
  { heading: 'answers a second', write: ({ questions, seconds }) => fixed(questions / seconds) },
  { heading: 'failed', write: ({ failed }) => whole(failed) },
  { heading: 'p50 ms', write: ({ p50 }) => fixed(p50) },
  { heading: 'p99 ms', write: ({ p99 }) => fixed(p99) },
]

/** Creates a key for each reader, because readers with the same key would share turns. */
async function readerOf({ metadata }: Running, websiteId: string): Promise<Reader> {
  const given = { admin: false, access: 'read', websiteIds: [websiteId] } as const
  return { websiteId, headers: bearer(await createKey(metadata, websiteId, given, Date.now())) }
}

/** Each reader requests the next page once all answers for the previous one have arrived. */
async function readFor(seconds: number, url: string, asking: readonly Reader[]): Promise<ReadersFindings> {
  const end = performance.now() + 1000 * seconds
  const took: number[] = []
  let failed = 0
  const ask = async ({ websiteId, headers }: Reader, question: string, period: string) => {
    const since = performance.now()
    const response = await get(`${url}/api/websites/${websiteId}/${question}${period}`, headers).catch(() => undefined)
    await response?.text()
    if (!response?.ok) failed++
    took.push(performance.now() - since)
  }
  const read = async (reader: Reader, number: number) => {
    for (let pages = 0; performance.now() < end; pages++) {
      const now = Date.now()
      const period = `startAt=${now - ranges[(number + pages) % ranges.length]! * day}&endAt=${now}`
      await Promise.all(questions.map((question) => ask(reader, question, period)))
      await pause(0)
    }
  }
  await Promise.all(asking.map(read))
  return { questions: took.length, failed, p50: quantile(took, 0.5), p99: quantile(took, 0.99) }
}
