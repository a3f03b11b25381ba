import { createClient } from '@clickhouse/client-web'
import { withDemo } from '../support/demo.ts'
import { bearer, type Headers, post } from './access.ts'
import { median } from './measure.ts'
import { processorClock } from './processor.ts'

/** What it takes to read recordings. */
export interface RecordingsFindings {
  readonly runs: number
  readonly cells: readonly RecordingsCell[]
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
    return { runs, cells }
  })
}

async function read(url: string, headers: Headers): Promise<{ firstByte: number; whole: number }> {
  const started = performance.now()
  const response = await fetch(url, { headers })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  let firstByte: number | undefined
  for await (const _ of response.body!) firstByte ??= performance.now() - started
  return { firstByte: firstByte!, whole: performance.now() - started }
}
