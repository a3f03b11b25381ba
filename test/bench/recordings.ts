import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type ClickHouseClient, createClient } from '@clickhouse/client-web'
import { withDemo } from '../support/demo.ts'
import { bearer, type Headers, post } from './access.ts'
import { median } from './measure.ts'
import { descendantNamed } from './processes.ts'
import { processorClock } from './processor.ts'
import { type RecordedChunk, type RecorderFindings, recorderOf } from './recorder.ts'
import { type Flood, flooded, type Held, heldDuring, record, type Site, visitOf } from './recording-load.ts'

/** What it takes to make, to keep and to read recordings. */
export interface RecordingsFindings {
  readonly runs: number
  readonly cells: readonly RecordingsCell[]
  readonly recorder: RecorderFindings
  /** Bytes that ClickHouse stores for a minute of the article, with a snapshot every five minutes. */
  readonly minute: number
  /** 1,000 chunks of 45 kB: while they are sent, and while they are read. */
  readonly written: Held
  readonly read: Held
  readonly flood: Flood
}

/** Medians in milliseconds. */
interface RecordingsCell {
  readonly what: string
  readonly firstByte: number
  readonly whole: number
  /** The processor time of ClickHouse, which other programs hardly change. */
  readonly work: number
  /** The most that `firstByte` and `whole` may be. */
  readonly most: { readonly firstByte?: number; readonly whole: number }
}

type Progress = (line: string) => void

const websiteId = '00000000-0000-4000-8000-0000000000ec'
const visitId = '00000000-0000-4000-8000-000000000001'
const minute = 60_000
const [replays, clicks] = [100_000, 1_000_000]

/** A chunk each two seconds for three minutes, of 40 kB that hardly compress. */
const replay = `
  insert into ingest_replay_chunks
  select '${websiteId}', '${visitId}', '${visitId}', at, toUnixTimestamp(at), lower(hex(SHA256(toString(number)))), at, at,
    arrayWithConstant(20, toUnixTimestamp64Milli(at)),
    arrayStringConcat(arrayMap(
      line -> concat('{"type":3,"timestamp":', toString(toUnixTimestamp64Milli(at)), ',"data":{"source":0,"text":"',
        base64Encode(randomString(1450, line)), '"}}'), range(20)), '\\n')
  from (select number, now64(3, 'UTC') - toIntervalMillisecond(600000 - 2000 * number) as at from numbers(90))`

/** Replays of three small chunks, over 29 days. */
const list = `
  insert into ingest_replay_chunks
  select '${websiteId}', reinterpretAsUUID(sipHash128(visit)), reinterpretAsUUID(sipHash128(visit, 1)), at,
    toUnixTimestamp(at), lower(hex(SHA256(toString(number)))), at, at, [toUnixTimestamp64Milli(at)], '{}'
  from (
    select number, number % ${replays} as visit,
      now64(3, 'UTC') - toIntervalSecond(3600 + visit * 25 - intDiv(number, ${replays}) * 60) as at
    from numbers(${3 * replays}))`

/** Clicks of one path in five sizes of the viewport, eight in a visit, most of them near the top. */
const heatmap = `
  insert into ingest_heatmap_events
  select '${websiteId}', reinterpretAsUUID(sipHash128(visit)), reinterpretAsUUID(sipHash128(visit, 1)), at, at,
    leftPad(lower(hex(number)), 16, '0'), 0, 1, '/busy', place % vw, place * 7 % vh, place % vw,
    intDiv(place * 13, 3) % 4000, vw, [4000, 4050, null][1 + size % 3], vw, vh, null
  from (
    select number, intDiv(number, 8) as visit, now64(3, 'UTC') - toIntervalSecond(visit * 20) as at,
      cityHash64(visit) as size, cityHash64(number) % 100000 as drawn, toInt32(intDiv(drawn * drawn, 100000)) as place,
      [1280, 1440, 390, 1920, 412][1 + size % 5] as vw, [720, 900, 844, 1080, 915][1 + size % 5] as vh
    from numbers(${clicks}))`

const asked = [
  { what: 'a replay of three minutes, 3.6 MB', path: `replays/${visitId}`, most: { firstByte: 100, whole: 500 } },
  { what: 'the list of 100,000 replays', path: 'replays', most: { whole: 200 } },
  { what: 'the heatmap of a million clicks', path: 'heatmaps?urlPath=%2Fbusy', most: { whole: 1000 } },
] as const

/** Starts the product with an own data folder, fills a website with recordings, and reads them. */
export function recordingsOf(dir: string, runs: number, progress: Progress): Promise<RecordingsFindings> {
  progress('starting the product')
  return withDemo(dir, async ({ url, clickhouse, apiKey }) => {
    const { origin, searchParams } = new URL(clickhouse)
    const part = (name: string): string => searchParams.get(name)!
    const client = createClient({
      ...{ url: origin, database: part('database'), username: part('user'), password: part('password') },
      request_timeout: 300_000,
    })
    const headers = bearer(apiKey)
    await post(`${url}/api/websites`, { id: websiteId, name: 'Recorded', domain: 'recorded.example' }, headers)
    const replayConfig = { replayEnabled: true, sampleRate: 1, maxDuration: 3_600_000 }
    await post(`${url}/api/websites/${websiteId}`, { replayConfig }, headers)
    const site = { url, websiteId }
    progress('recording an article')
    const { chunks, ...recorder } = await recorderOf(site, { rounds: runs, seconds: 30 })
    const aMinute = await storedOf(client, site, chunks)
    progress('sending and reading 1,000 parts of a replay')
    const { written, read: reading } = await heldBy(site, headers)
    progress('sending events beside a flood of recordings')
    const flood = await flooded(site, floodLasts)
    for (const query of [replay, list, heatmap]) {
      progress('filling recordings')
      await client.command({ query })
    }
    // As an hour later.
    for (const table of ['replay_chunks', 'replays', 'heatmap_events'])
      await client.command({ query: `optimize table ${table} final` })
    const clock = await processorClock(client)
    const cells: RecordingsCell[] = []
    for (const { what, path, most } of asked) {
      progress(`measuring ${what}`)
      const taken = { firstByte: [] as number[], whole: [] as number[], work: [] as number[] }
      // The first one warms up. Each asks of another range.
      for (let round = 0; round <= runs; round++) {
        const now = Date.now()
        const range = `startAt=${now - 30 * 1440 * minute - round * 1000}&endAt=${now}`
        const link = `${url}/api/websites/${websiteId}/${path}${path.includes('?') ? '&' : '?'}${range}`
        let times = { firstByte: 0, whole: 0 }
        const work = await clock.of(async () => {
          times = await read(link, headers)
        })
        if (round === 0) continue
        taken.firstByte.push(times.firstByte)
        taken.whole.push(times.whole)
        taken.work.push(work)
      }
      const { firstByte, whole } = taken
      cells.push({ what, most, firstByte: median(firstByte), whole: median(whole), work: median(taken.work) })
    }
    await client.close()
    return { runs, cells, recorder, minute: aMinute, written, read: reading, flood }
  })
}

const floodLasts = 15

/** Stores five minutes of what was recorded in half a minute: one snapshot, and ten times the rest. */
async function storedOf(client: ClickHouseClient, site: Site, chunks: readonly RecordedChunk[]): Promise<number> {
  const bytes = async () => {
    for (const table of ['replay_chunks', 'replays']) await client.command({ query: `optimize table ${table} final` })
    const result = await client.query({
      query: `select toFloat64(sum(bytes_on_disk)) as size from system.parts
        where active and database = currentDatabase() and table in ('replay_chunks', 'replays')`,
      format: 'JSONEachRow',
    })
    return (await result.json<{ size: number }>())[0]!.size
  }
  const before = await bytes()
  const visit = await visitOf(site, 1)
  const first = chunks.findIndex((events) => events.some(({ type }) => type === 2))
  const [snapshot, rest] = [chunks[first]!, chunks.slice(first + 1)]
  const since = Date.now() - 300_000
  const shifted = (events: RecordedChunk, turn: number): RecordedChunk =>
    events.map((event) => ({ ...event, timestamp: event.timestamp - snapshot[0]!.timestamp + since + 30_000 * turn }))
  let count = 1
  await record(site, visit, shifted(snapshot, 0))
  for (let turn = 0; turn < 10; turn++) {
    for (const events of rest) {
      if (events.length === 0) continue
      await record(site, visit, shifted(events, turn))
      count++
    }
  }
  await isStored(client, visit.visitId, count)
  return ((await bytes()) - before) / 5
}

async function isStored(client: ClickHouseClient, visit: string, count: number): Promise<void> {
  const query = `select count() as chunks from replay_chunks where visit_id = '${visit}'`
  for (;;) {
    const result = await client.query({ query, format: 'JSONEachRow' })
    if (Number((await result.json<{ chunks: string }>())[0]!.chunks) >= count) return
    await pause(100)
  }
}

/** Sends a replay as long as it may be, and reads it five times. */
async function heldBy(site: Site, headers: Headers): Promise<Record<'written' | 'read', Held>> {
  const pid = descendantNamed('workerd')
  const visit = await visitOf(site, 2)
  const text = () => Array.from({ length: 45 }, () => randomBytes(750).toString('base64'))
  const written = await heldDuring(pid, async () => {
    for (let part = 0; part < 1000; part++) {
      const events = text().map((data) => ({ type: 3, timestamp: Date.now(), data: { source: 1, text: data } }))
      await record(site, visit, events)
    }
  })
  await pause(5000)
  const link = `${site.url}/api/websites/${site.websiteId}/replays/${visit.visitId}`
  const reading = await heldDuring(pid, async () => {
    for (let turn = 0; turn < 5; turn++) await read(link, headers)
  })
  return { written, read: reading }
}

async function read(url: string, headers: Headers): Promise<{ firstByte: number; whole: number }> {
  const started = performance.now()
  const response = await fetch(url, { headers })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  let firstByte: number | undefined
  for await (const _ of response.body!) firstByte ??= performance.now() - started
  return { firstByte: firstByte!, whole: performance.now() - started }
}
