import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { startClickHouse } from '../../../src/local/storage/clickhouse.ts'
import { migrateEvents } from '../../../src/local/storage/migrations.ts'
import { day } from '../data.ts'
import { quantile } from '../measure.ts'
import { type Column, fixed, type Section, table, whole } from '../print.ts'
import { bearer, get, type Headers, post, startWorker, websitesAndKey } from '../worker.ts'
import { sent } from './collect.ts'

/** The waiting times without a flood and during one, in milliseconds. */
interface Flooded {
  readonly flood: string
  readonly whoWaits: string
  readonly alone: number
  readonly beside: number
  /** The answers to the flood, by status. */
  readonly answers: Readonly<Record<string, number>>
}

const events = 200_000

export async function floods(dir: string, seconds: number, progress: (line: string) => void): Promise<Section> {
  rmSync(dir, { recursive: true, force: true })
  const { client, server, close } = await startClickHouse(dir, 0)
  const closers = [close]
  try {
    await migrateEvents(client, server)
    const [own, open] = [randomUUID(), randomUUID()]
    for (const websiteId of [own, open]) await client.command({ query: filling(websiteId) })
    const { url, metadata, close } = await startWorker(dir, server)
    closers.unshift(close)
    const headers = bearer(await websitesAndKey(metadata, [own, open]))
    const replayConfig = { replayEnabled: true, sampleRate: 1, maxDuration: 3_600_000 }
    await post(`${url}/api/websites/${open}`, { public: { overview: true }, replayConfig }, headers)
    progress('floods: the worst patterns')
    const found = [await patterns(url, open, () => p95OfStats(url, own, headers))]
    progress('floods: recordings')
    found.push(await recordings(url, open, seconds))
    const how = `Websites of ${whole(events)} events. The p95 of \`stats\`, and the p99 of 250 events a second, in ms.`
    return { heading: 'Floods', how, page: [table(columns, found)], more: [], found }
  } finally {
    for (const one of closers) await one()
  }
}

const columns: Column<Flooded>[] = [
  { heading: 'flood', isText: true, write: ({ flood }) => flood },
  { heading: 'who waits', isText: true, write: ({ whoWaits }) => whoWaits },
  { heading: 'alone', write: ({ alone }) => fixed(alone) },
  { heading: 'beside it', write: ({ beside }) => fixed(beside) },
  { heading: 'times', write: ({ alone, beside }) => fixed(beside / alone, 2) },
  {
    heading: 'the flood was answered',
    isText: true,
    write: ({ answers }) =>
      Object.entries(answers)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', '),
  },
]

const filling = (websiteId: string): string => `
  insert into ingest (website_id, session_id, visit_id, event_type, url_path, url_query, created_at)
  select '${websiteId}', generateUUIDv4(number % 20000), generateUUIDv4(number), 1, concat('/', number % 300),
    arrayStringConcat(arrayMap(place -> char(97 + (cityHash64(number, place) % 4)), range(50))),
    now64(3) - toIntervalSecond(number * ${(30 * 86_400) / events})
  from numbers(${events})`

let asked = 0

/** A range that no other request uses, so that nothing comes from a cache. */
const range = (): string => `startAt=${Date.now() - 30 * day + asked++}&endAt=${Date.now()}`

/** Sends requests until it is stopped, and counts the answers by status. A broken connection counts as `none`. */
function flooding(lanes: number, send: (lane: number) => Promise<number>) {
  const answers: Record<string, number> = {}
  let isOver = false
  const lane = async (number: number) => {
    while (!isOver) {
      const status = await send(number).catch(() => 'none')
      answers[status] = (answers[status] ?? 0) + 1
    }
  }
  const all = Array.from({ length: lanes }, (_, number) => lane(number))
  const stop = async () => {
    isOver = true
    await Promise.all(all)
    return answers
  }
  return { stop }
}

/**
 * The worst patterns that are accepted through a public website: with a hundred repetitions, for which RE2 needs a
 * state for each possible start of a match.
 */
const worst = ['a(.?.?a?.?.?){40}z', `a${'.'.repeat(198)}z`, `b${'.'.repeat(198)}z`]
const filters = worst.map((one, place) => `query${place || ''}=${encodeURIComponent(`re.${one}`)}`).join('&')

/** Measures a signed-in reader while 50 readers of a public website send these patterns from new addresses. */
async function patterns(url: string, open: string, waits: () => Promise<number>): Promise<Flooded> {
  const alone = await waits()
  const { stop } = flooding(50, async (reader) => {
    const from = { 'cf-connecting-ip': `10.${reader}.${asked % 250}.${(asked >> 8) % 250}` }
    const path = `/api/websites/${open}/stats?${range()}&match=any&${filters}`
    const response = await fetch(url + path, { headers: from })
    await response.arrayBuffer()
    return response.status
  })
  // Before the first of them have ended, the queue is not full.
  await pause(6000)
  const beside = await waits()
  return { flood: '50 readers, worst patterns', whoWaits: 'a signed-in reader', alone, beside, answers: await stop() }
}

async function p95OfStats(url: string, websiteId: string, headers: Headers): Promise<number> {
  const took: number[] = []
  for (let request = 0; request < 60; request++) {
    const began = performance.now()
    const response = await get(`${url}/api/websites/${websiteId}/stats?${range()}`, headers)
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`The signed-in reader got ${response.status}.`)
    took.push(performance.now() - began)
  }
  return quantile(took, 0.95)
}

const [visitors, partsPerSecond] = [100, 50]

/** Measures senders of events while 50 chunks of recordings of 19 kB each arrive per second. */
async function recordings(url: string, open: string, seconds: number): Promise<Flooded> {
  const visits = await Promise.all(Array.from({ length: visitors }, (_, number) => visitOf(url, open, number)))
  const sending = { url, websiteIds: [open], rate: 250, batch: 1, seconds }
  const alone = await sent(sending)
  let number = 0
  const began = performance.now()
  const { stop } = flooding(visitors, async (visitor) => {
    const due = began + (1000 * number) / partsPerSecond
    const body = gzipSync(JSON.stringify({ type: 'record', payload: { website: open, ...part(number++) } }))
    await pause(Math.max(0, due - performance.now()))
    const response = await fetch(`${url}/api/record`, { method: 'POST', headers: visits[visitor]!, body })
    await response.arrayBuffer()
    return response.status
  })
  const beside = await sent(sending)
  const flood = `${partsPerSecond} parts of recordings a second`
  return { flood, whoWaits: 'senders of events', alone: alone.p99, beside: beside.p99, answers: await stop() }
}

/**
 * Sends a page view as visitor `number`, and returns the headers for its recording. A token is valid for one browser.
 */
async function visitOf(url: string, website: string, number: number): Promise<Headers> {
  const headers = { 'user-agent': `Mozilla/5.0 (X11; Linux x86_64; rv:${100 + number}.0) Firefox/${100 + number}.0` }
  const payload = { website, hostname: 'recorded.example', url: '/' }
  const { cache } = await post<{ cache: string }>(`${url}/api/send`, { type: 'event', payload }, headers)
  return { ...headers, 'content-type': 'application/json', 'x-umami-cache': cache, 'content-encoding': 'gzip' }
}

/** A unique chunk of 19 kB, whose text compresses to about a sixth, like the text of pages. */
function part(number: number) {
  const text = (from: number) =>
    Array.from({ length: 40 }, (_, place) => ((from * 7919 + place * 104_729) % 99_991).toString(36)).join(' ')
  const events = Array.from({ length: 50 }, (_, place) => ({
    ...{ type: 3, timestamp: Date.now() + place },
    data: { source: 1, positions: [{ x: number % 1000, y: place, id: 4, timeOffset: 0 }], text: text(number + place) },
  }))
  return { events, timestamp: Math.floor(Date.now() / 1000) }
}
