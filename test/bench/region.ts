import { readFileSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { createClient } from '@clickhouse/client-web'
import type { Miniflare } from 'miniflare'
import { parseServer, type Server } from '../../src/clickhouse/server.ts'
import { keepBeating } from '../../src/local/commands/heartbeat.ts'
import { type Engine, startEngine } from '../../src/local/engine/index.ts'
import { engineFile } from '../../src/local/engine/process.ts'
import { migrateEvents } from '../../src/local/storage/migrations.ts'
import { passOn } from '../support/proxy.ts'
import { shipped } from './shipped.ts'

/** The events of each region: one every `step` milliseconds. */
export const events = 200_000
const startOfData = Date.UTC(2025, 9, 1)
const step = 1000

export const cities = [
  { name: 'oregon', latitude: 45.6, longitude: -121.2, continent: 'NA' },
  { name: 'frankfurt', latitude: 50.1, longitude: 8.7, continent: 'EU' },
  { name: 'sydney', latitude: -33.9, longitude: 151.2, continent: 'OC' },
] as const

/** What the slow replica adds to each answer, in milliseconds. */
const slowness = 150

/** Where the reader of this question is. */
export function placeOf(number: number) {
  const { name: _, ...cf } = cities[number % cities.length]!
  return { ...cf, latitude: String(cf.latitude), longitude: String(cf.longitude) }
}

/** The range of the question of this number, which no other question has, and the events in it. */
export function questionRange(number: number) {
  const first = (number * 37) % (events / 2)
  const last = first + 100 + (number % 5000)
  // Questions of equal rows still differ by the milliseconds after the last one.
  const startAt = startOfData + first * step - (Math.floor(number / 5000) % 900)
  const endAt = startOfData + last * step + (number % 900)
  return { startAt, endAt, rows: last - first + 1 }
}

/** The statement that inserts the events: an expression for each column, over `number`. */
export const insertEvents = (columns: Readonly<Record<string, string>>): string =>
  `insert into ingest (${Object.keys(columns).join(', ')}, created_at)
    select ${Object.values(columns).join(', ')}, fromUnixTimestamp64Milli(${startOfData} + number * ${step}, 'UTC')
    from numbers(${events})`

export const uuid = (first: number, number: string): string =>
  `toUUID(concat('00000000-0000-4000-800${first}-', leftPad(toString(${number}), 12, '0')))`

/** An engine with all events, behind a proxy that can make it slow. */
export interface Region {
  readonly server: Server
  readonly url: string
  /** The engine's process. */
  pid(): number
  selects(): Promise<number>
  /** Inserts heartbeats from now on. */
  beat(): Promise<void>
  kill(): Promise<void>
  hang(): void
  slow(): void
  /** Makes it as it was. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** Starts an engine and fills it. */
export async function startRegion(dataDir: string, filling: string): Promise<Region> {
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
  await client.command({ query: filling })
  const pid = (): number => (JSON.parse(readFileSync(engineFile(dataDir), 'utf8')) as { pid: number }).pid
  let stopBeating = async () => {}
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
    pid,
    async selects() {
      const query = "SELECT toUInt32(sum(value)) AS value FROM system.events WHERE event = 'SelectQuery'"
      const [row] = await (await client.query({ query, format: 'JSONEachRow' })).json<{ value: number }>()
      return row!.value
    },
    async beat() {
      stopBeating = await keepBeating(client)
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
      await stopBeating()
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

/** The options of a Worker over these regions, without the platform's cache. */
export function optionsOver(dir: string, regions: readonly Pick<Region, 'server' | 'url'>[]) {
  const { bindings, unsafeDirectSockets: _, ...options } = shipped(dir, regions[0]!.server)
  const list = regions.map(({ url }, index) => {
    const { name, latitude, longitude } = cities[index]!
    return { name, url, latitude, longitude, password: `PASSWORD_${index}` }
  })
  const secrets = Object.fromEntries(regions.map(({ server }, index) => [`PASSWORD_${index}`, server.password]))
  return {
    ...options,
    cache: false,
    bindings: { ...bindings, ...secrets, CLICKHOUSE_REPLICAS: list },
  } as ConstructorParameters<typeof Miniflare>[0]
}

/** Sends at a fixed rate as long as `goesOn` says so, however long the answers take. */
export async function steadily<Answer>(
  goesOn: (index: number) => boolean,
  rate: number,
  from: number,
  ask: (number: number) => Promise<Answer>,
): Promise<Answer[]> {
  const began = performance.now()
  const sent: Promise<Answer>[] = []
  for (let index = 0; goesOn(index); index++) {
    const wait = began + (1000 * index) / rate - performance.now()
    if (wait > 0) await pause(wait)
    sent.push(ask(from + index))
  }
  return Promise.all(sent)
}
