import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@clickhouse/client-web'
import { Miniflare } from 'miniflare'
import { parseServer, type Server } from '../../src/clickhouse/server.ts'
import { bundle } from '../../src/local/bundle.ts'
import { type Engine, startEngine } from '../../src/local/engine/index.ts'
import { engineFile } from '../../src/local/engine/process.ts'
import { migrateEvents } from '../../src/local/migrations.ts'
import { places } from '../../src/local/paths.ts'
import { passOn } from '../support/proxy.ts'
import { bearer } from './access.ts'
import { shipped } from './shipped.ts'
import { websitesAndKey, withWorker } from './through.ts'

/** Three engines as three regions, one after the other in trouble, at a steady rate. */
export interface RegionsFindings {
  readonly events: number
  /** Answers a second that one replica sustains alone; the rate of all phases is half of it. */
  readonly sustained: number
  /** The delay of a hedge that the calm answers give at most, in milliseconds. */
  readonly hedgeDelay: number
  /** Statements that ClickHouse ran for each answer in calm, of those that one replica alone runs for it. */
  readonly overhead: number
  readonly phases: readonly Phase[]
}

export interface Phase {
  readonly name: string
  readonly answers: number
  /** Answers that were no 200, and answers that were not right. */
  readonly failed: number
  readonly wrong: number
  /** In milliseconds. */
  readonly median: number
  readonly p95: number
  readonly p99: number
  readonly most: number
  /** The answers of each replica. */
  readonly by: Readonly<Record<string, number>>
}

const events = 200_000
const sessions = 997
const names = 7
const startOfData = Date.UTC(2025, 9, 1)
const step = 1000

const cities = [
  { name: 'oregon', latitude: 45.6, longitude: -121.2, continent: 'NA' },
  { name: 'frankfurt', latitude: 50.1, longitude: 8.7, continent: 'EU' },
  { name: 'sydney', latitude: -33.9, longitude: 151.2, continent: 'OC' },
] as const

/** How the share of all answers is spread over the phases. */
const plan = [
  ['calm', 0.3],
  ['one killed', 0.15],
  ['another hangs', 0.2],
  ['the third is slow', 0.15],
  ['all are back', 0.2],
] as const

/** After them: readers who all ask at once, and the share of the answers that they get more. */
const readers = 50
const shareAtOnce = 0.2

/** The seconds in which the sustained rate is measured, and the requests under way meanwhile. */
const seconds = 6
const underWay = 8

/** What the slow replica adds to each answer, in milliseconds. */
const slowness = 150

export async function regionsOf(
  dir: string,
  answers: number,
  progress: (line: string) => void,
): Promise<RegionsFindings> {
  rmSync(dir, { recursive: true, force: true })
  const websiteId = randomUUID()
  const engines: Region[] = []
  try {
    for (const { name } of cities) {
      progress(`filling ${name}`)
      engines.push(await startRegion(`${dir}/${name}`, websiteId))
    }
    await bundle(places(dir).bundle)
    const key = await withWorker(dir, engines[0]!.server, ({ metadata }) => websitesAndKey(metadata, [websiteId]))
    const ask = asking(websiteId, key)
    const alone = await measureAlone(dir, engines, ask, progress)
    return { events, ...(await measureTogether(dir, engines, ask, { answers, ...alone }, progress)) }
  } finally {
    for (const one of engines) await one.close()
  }
}

/** An engine with all events, behind a proxy that can make it slow. */
interface Region {
  readonly server: Server
  readonly url: string
  selects(): Promise<number>
  kill(): Promise<void>
  hang(): void
  slow(): void
  /** Makes it as it was. */
  restart(): Promise<void>
  close(): Promise<void>
}

async function startRegion(dataDir: string, websiteId: string): Promise<Region> {
  let engine: Engine = await startEngine({ dataDir })
  const port = Number(new URL(engine.url).port)
  const server = parseServer({
    CLICKHOUSE_URL: engine.url,
    CLICKHOUSE_USER: engine.user,
    CLICKHOUSE_PASSWORD: engine.password,
    CLICKHOUSE_DATABASE: 'weir',
  })
  const { timeout: _, ...connection } = server
  const client = createClient(connection)
  await migrateEvents(client, server)
  const uuid = (first: number, number: string) =>
    `toUUID(concat('00000000-0000-4000-800${first}-', leftPad(toString(${number}), 12, '0')))`
  await client.command({
    query: `insert into ingest (website_id, event_id, session_id, visit_id, event_type, event_name, created_at)
      select '${websiteId}', ${uuid(1, 'number')}, ${uuid(2, `number % ${sessions}`)}, ${uuid(3, `number % ${sessions}`)}, 2,
        concat('name ', toString(number % ${names})), fromUnixTimestamp64Milli(${startOfData} + number * ${step}, 'UTC')
      from numbers(${events})`,
  })
  const pid = (): number => (JSON.parse(readFileSync(engineFile(dataDir), 'utf8')) as { pid: number }).pid
  let [isKilled, isHung, delay] = [false, false, 0]
  const proxy = await delaying(server.url, () => delay)
  const restart = async () => {
    if (isHung) process.kill(pid(), 'SIGCONT')
    if (isKilled) engine = await startEngine({ dataDir, port })
    ;[isKilled, isHung, delay] = [false, false, 0]
  }
  return {
    server,
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    async selects() {
      const query = "SELECT toUInt32(sum(value)) AS value FROM system.events WHERE event = 'SelectQuery'"
      const [row] = await (await client.query({ query, format: 'JSONEachRow' })).json<{ value: number }>()
      return row!.value
    },
    async kill() {
      process.kill(pid(), 'SIGKILL')
      await engine.ended
      isKilled = true
    },
    hang() {
      process.kill(pid(), 'SIGSTOP')
      isHung = true
    },
    slow() {
      delay = slowness
    },
    restart,
    async close() {
      await restart().catch(() => {})
      proxy.close()
      proxy.closeAllConnections()
      await client.close()
      await engine.close()
    },
  }
}

/** A proxy that waits before it passes a request on. */
async function delaying(to: string, delay: () => number): Promise<HttpServer> {
  const proxy = createServer((incoming, outgoing) => {
    const pass = () => passOn(to, incoming, outgoing)
    if (delay() === 0) pass()
    else setTimeout(pass, delay())
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => proxy.once('listening', listening))
  return proxy
}

/** One answer: how long it took in milliseconds, and who made it. */
interface Answer {
  readonly took: number
  readonly outcome: 'right' | 'wrong' | 'failed'
  readonly replica: string
}

type Ask = (worker: Miniflare, number: number) => Promise<Answer>

/** Asks the question of this number, which no other number has, and compares the answer with one counted by hand. */
function asking(websiteId: string, key: string): Ask {
  return async (worker, number) => {
    const first = (number * 37) % (events / 2)
    const last = first + 100 + (number % 5000)
    // Questions of equal rows still differ by the milliseconds after the last one.
    const startAt = startOfData + first * step - (Math.floor(number / 5000) % 900)
    const endAt = startOfData + last * step + (number % 900)
    const rows = last - first + 1
    const right = {
      events: rows,
      visitors: Math.min(rows, sessions),
      visits: Math.min(rows, sessions),
      uniqueEvents: Math.min(rows, names),
    }
    const { name: _, ...cf } = cities[number % cities.length]!
    const began = performance.now()
    try {
      const path = `/api/websites/${websiteId}/events/stats?startAt=${startAt}&endAt=${endAt}`
      const answer = await worker.dispatchFetch(`http://weir${path}`, {
        headers: bearer(key),
        cf: { ...cf, latitude: String(cf.latitude), longitude: String(cf.longitude) },
      })
      const text = await answer.text()
      const took = performance.now() - began
      const replica = answer.headers.get('x-replica') ?? 'nobody'
      if (answer.status !== 200) return { took, outcome: 'failed', replica }
      if (answer.headers.get('x-cache') !== 'MISS') throw new Error(`${path} came from the cache.`)
      const { data } = JSON.parse(text) as { data: Record<string, number> }
      const isRight = Object.entries(right).every(([field, value]) => data[field] === value)
      return { took, outcome: isRight ? 'right' : 'wrong', replica }
    } catch (error) {
      if (String(error).includes('came from the cache')) throw error
      return { took: performance.now() - began, outcome: 'failed', replica: 'nobody' }
    }
  }
}

async function workerOver(dir: string, regions: readonly Region[]): Promise<Miniflare> {
  const { bindings, unsafeDirectSockets: _, ...options } = shipped(dir, regions[0]!.server)
  const list = regions.map(({ url }, index) => {
    const { name, latitude, longitude } = cities[index]!
    return { name, url, latitude, longitude, password: `PASSWORD_${index}` }
  })
  const secrets = Object.fromEntries(regions.map(({ server }, index) => [`PASSWORD_${index}`, server.password]))
  const worker = new Miniflare({
    ...options,
    cache: false,
    bindings: { ...bindings, ...secrets, CLICKHOUSE_REPLICAS: list },
  } as ConstructorParameters<typeof Miniflare>[0])
  await worker.ready
  return worker
}

/** Numbers from here on are asked while the sustained rate is measured. */
const firstAlone = 1_000_000

async function measureAlone(dir: string, regions: readonly Region[], ask: Ask, progress: (line: string) => void) {
  progress('measuring one replica alone')
  const worker = await workerOver(dir, regions.slice(0, 1))
  try {
    for (let number = 0; number < 200; number++) await ask(worker, firstAlone - 1 - number)
    const before = await regions[0]!.selects()
    const until = performance.now() + 1000 * seconds
    let number = firstAlone
    const sender = async () => {
      while (performance.now() < until) {
        const { outcome } = await ask(worker, number++)
        if (outcome !== 'right') throw new Error(`One replica alone gave an answer that ${outcome}.`)
      }
    }
    await Promise.all(Array.from({ length: underWay }, sender))
    const answers = number - firstAlone
    return { sustained: answers / seconds, selectsPerAnswer: ((await regions[0]!.selects()) - before) / answers }
  } finally {
    await worker.dispose()
  }
}

interface Alone {
  readonly answers: number
  readonly sustained: number
  readonly selectsPerAnswer: number
}

async function measureTogether(
  dir: string,
  regions: readonly Region[],
  ask: Ask,
  { answers, sustained, selectsPerAnswer }: Alone,
  progress: (line: string) => void,
): Promise<Omit<RegionsFindings, 'events'>> {
  const worker = await workerOver(dir, regions)
  const selects = async () => (await Promise.all(regions.map((one) => one.selects()))).reduce((sum, one) => sum + one)
  const [first, second, third] = regions as [Region, Region, Region]
  const begins: Readonly<Record<string, () => Promise<void> | void>> = {
    'one killed': () => first.kill(),
    'another hangs': () => second.hang(),
    'the third is slow': () => third.slow(),
    'all are back': async () => {
      for (const one of regions) await one.restart()
    },
  }
  try {
    for (let number = 0; number < 100; number++) await ask(worker, firstAlone - 1000 - number)
    const phases: Phase[] = []
    let [number, overhead] = [0, Number.NaN]
    for (const [name, share] of plan) {
      progress(`measuring: ${name}`)
      const count = Math.round(answers * share)
      const before = name === 'calm' ? await selects() : 0
      const phase = steadily(count, sustained / 2, number, (one) => ask(worker, one))
      // The trouble begins while requests are under way.
      await Promise.all([phase, pause(500).then(begins[name])])
      if (name === 'calm') overhead = ((await selects()) - before) / count / selectsPerAnswer
      phases.push(phaseOf(name, await phase))
      number += count
    }
    progress(`measuring: ${readers} readers at once`)
    const atOnce = Math.round(answers * shareAtOnce)
    phases.push(phaseOf(`${readers} readers at once`, await together(atOnce, number, (one) => ask(worker, one))))
    const calm = phases[0]!
    return { sustained, hedgeDelay: hedgeDelayOf(calm), overhead, phases }
  } finally {
    await worker.dispose()
  }
}

/** The Worker waits half as long again as it usually takes; its statements take less than the answers here. */
const hedgeDelayOf = ({ p95 }: Phase): number => Math.min(2000, Math.max(50, 1.5 * p95))

/** Sends at a fixed rate, however long the answers take. */
async function steadily(
  count: number,
  rate: number,
  from: number,
  ask: (number: number) => Promise<Answer>,
): Promise<Answer[]> {
  const began = performance.now()
  const sent: Promise<Answer>[] = []
  for (let index = 0; index < count; index++) {
    const wait = began + (1000 * index) / rate - performance.now()
    if (wait > 0) await pause(wait)
    sent.push(ask(from + index))
  }
  return Promise.all(sent)
}

/** Each reader asks as soon as it has its answer. */
async function together(count: number, from: number, ask: (number: number) => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = []
  let next = from
  const reader = async () => {
    while (next < from + count) answers.push(await ask(next++))
  }
  await Promise.all(Array.from({ length: readers }, reader))
  return answers
}

function phaseOf(name: string, answers: readonly Answer[]): Phase {
  const times = answers.map(({ took }) => took).sort((one, other) => one - other)
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(part * times.length))]!
  const by: Record<string, number> = {}
  for (const { replica } of answers) by[replica] = (by[replica] ?? 0) + 1
  const count = (outcome: Answer['outcome']) => answers.filter((one) => one.outcome === outcome).length
  return {
    name,
    answers: answers.length,
    failed: count('failed'),
    wrong: count('wrong'),
    median: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    most: times.at(-1)!,
    by,
  }
}
