import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { type Concurrency, defaultLimits } from '../../src/clickhouse/turns.ts'
import { places } from '../../src/local/paths.ts'
import { startClickHouse } from '../../src/local/storage/clickhouse.ts'
import { createKey } from '../../src/local/storage/metadata.ts'
import { migrateEvents } from '../../src/local/storage/migrations.ts'
import { day } from './data.ts'
import { bearer, type Headers, startWorker, websitesAndKey } from './worker.ts'

/**
 * Measures how much one caller slows down others: `npx tsx test/bench/left-behind.ts`. The caller sends many requests
 * at once, and disconnects or stays. Meanwhile, a reader of the same website and a reader of another website send one
 * request at a time.
 */

const events = 60_000
const asked = 300
/** The number of requests that each reader sends meanwhile. */
const times = 5

const cores = availableParallelism()
const cells: Readonly<Record<string, Concurrency>> = {
  'as shipped': { cores },
  'without a quarter for each caller': { cores, callerOfWebsite: defaultLimits.website },
}

let number = 0

/** A range that no other request uses, so that nothing comes from a cache. */
const range = (): string => `startAt=${Date.now() - 30 * day + number++}&endAt=${Date.now()}`
const heavy = () => `breakdown?${range()}&fields=path,browser`
const light = () => `stats?${range()}`

async function ask(url: string, headers: Headers, signal?: AbortSignal): Promise<string> {
  const began = performance.now()
  const response = await fetch(url, { headers, ...(signal && { signal }) })
  await response.arrayBuffer()
  return `${response.status} ${(performance.now() - began).toFixed()} ms`
}

/** The longest time among several consecutive requests, and each status other than 200. */
async function reading(of: string, headers: Headers): Promise<string> {
  const answers: string[] = []
  for (let time = 0; time < times; time++)
    answers.push(await ask(`${of}/${light()}`, headers).catch((error) => `0 ${error.cause}`))
  const took = answers.map((one) => Number.parseInt(one.slice(4), 10))
  return `${Math.max(...took)} ms at most ${answers.filter((one) => !one.startsWith('200')).join(', ')}`
}

/** The number of answers per second that one caller gets with 16 concurrent requests. */
async function rateOf(of: string, headers: Headers): Promise<string> {
  const [most, began] = [40, performance.now()]
  let left = most
  const lane = async () => {
    while (left-- > 0) await ask(`${of}/${heavy()}`, headers)
  }
  await Promise.all(Array.from({ length: 16 }, lane))
  return `${((1000 * most) / (performance.now() - began)).toFixed(1)} answers/s`
}

async function measure(dir: string): Promise<void> {
  const { client, server, close } = await startClickHouse(dir, 0)
  await migrateEvents(client, server)
  const [busy, other] = [randomUUID(), randomUUID()]
  for (const websiteId of [busy, other]) {
    await client.command({
      query: `insert into ingest (website_id, session_id, visit_id, event_type, url_path, browser, created_at)
        select '${websiteId}', generateUUIDv4(number % 20000), generateUUIDv4(number), 1, concat('/', number % 3000),
          concat('browser ', number % 7), now64(3) - toIntervalSecond(number * ${(30 * 86_400) / events})
        from numbers(${events})`,
    })
  }
  for (const [name, concurrency] of Object.entries(cells)) {
    rmSync(places(dir).metadata, { recursive: true, force: true })
    const worker = await startWorker(dir, server, { CONCURRENCY: concurrency })
    const first = bearer(await websitesAndKey(worker.metadata, [busy, other]))
    const second = bearer(await createKey(worker.metadata, 'second', { admin: true, access: 'write' }, Date.now()))
    const of = (websiteId: string) => `${worker.url}/api/websites/${websiteId}`
    const both = () => Promise.all([reading(of(busy), second), reading(of(other), second)])
    const print = (what: string, [same, another]: readonly string[]) =>
      console.log(`${name}, ${what}: the same website ${same}; another one ${another}`)
    // The first requests load code and files.
    await both()
    print('quiet', await both())
    console.log(`${name}: a caller alone gets ${await rateOf(of(busy), first)}`)
    for (const stays of [false, true]) {
      const leaving = new AbortController()
      const all = Array.from({ length: asked }, () =>
        ask(`${of(busy)}/${heavy()}`, first, leaving.signal).catch(() => ''),
      )
      await pause(500)
      if (!stays) leaving.abort()
      print(`${asked} ${stays ? 'that stay' : 'left behind'}`, await both())
      leaving.abort()
      await Promise.all(all)
      await pause(8000)
    }
    await worker.close()
  }
  await close()
}

const dir = mkdtempSync(`${tmpdir()}/weir-bench-`)
await measure(dir).finally(() => rmSync(dir, { recursive: true }))
