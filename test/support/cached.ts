import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CacheTimes } from '../../src/cache/times.ts'
import { parseServer, type Server } from '../../src/clickhouse/server.ts'
import { bundled, type Quotas } from '../../src/local/start/workerd.ts'
import { asked } from './asked.ts'
import { forLong } from './cache-times.ts'
import { patient } from './patient.ts'
import { passOn } from './proxy.ts'
import { isRead, observed } from './round-trips.ts'
import { isPing, isReading } from './trials.ts'
import { running } from './weir.ts'

/** A gate in front of ClickHouse. */
export interface Gate {
  readonly server: Server
  /** The number of statements since the last call. */
  look(): number
  /** Holds all further statements. `waiting` resolves once this many of them are waiting. */
  hold(): { waiting(statements: number): Promise<void>; release(): void }
  /** Cuts every connection from now on. */
  down(): void
  up(): void
  close(): void
}

export async function gate(to: Server = parseServer({ CLICKHOUSE_URL: running.clickhouse })): Promise<Gate> {
  let [count, isDown] = [0, false]
  let held: Promise<void> = Promise.resolve()
  let arrived = (): void => {}
  const proxy = createServer(async (incoming, outgoing) => {
    if (!isReading(incoming) && !isPing(incoming)) count++
    arrived()
    await held
    if (isDown) incoming.socket.destroy()
    else passOn(to.url, incoming, outgoing)
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => proxy.once('listening', listening))
  return {
    server: { ...to, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` },
    look() {
      const looked = count
      count = 0
      return looked
    },
    hold() {
      const before = count
      let release = (): void => {}
      held = new Promise((resolve) => {
        release = resolve
      })
      const waiting = (statements: number): Promise<void> =>
        new Promise((resolve) => {
          arrived = () => {
            if (count - before >= statements) resolve()
          }
          arrived()
        })
      return { waiting, release }
    },
    down() {
      isDown = true
    },
    up() {
      isDown = false
    },
    close() {
      proxy.close()
      proxy.closeAllConnections()
    },
  }
}

/** An answer from the Worker with its cache. */
export interface CacheReply {
  readonly status: number
  readonly cache: string | null
  readonly headers: Headers
  readonly text: string
}

/** The tested Worker with its cache, in a separate isolate. */
export interface CachedWorker {
  readonly url: string
  readonly clickhouse: Gate
  /** Sends a GET request, by default as the admin. */
  ask(path: string, headers?: Readonly<Record<string, string>>, init?: RequestInit): Promise<CacheReply>
  /** The numbers of D1 round trips and of ClickHouse statements since the last call. */
  look(): { d1: number; clickhouse: number }
  close(): Promise<void>
}

const asAdmin = { authorization: `Bearer ${running.adminKey}` }

export async function cachedWorker(
  times: CacheTimes = forLong,
  { server: to, quotas, timeout }: { server?: Server; quotas?: Quotas; timeout?: number } = {},
): Promise<CachedWorker> {
  const clickhouse = await gate(to)
  const server = timeout === undefined ? clickhouse.server : { ...clickhouse.server, timeout }
  const options = bundled(running.dataDir, 0, server, quotas, times)
  const worker = await observed({ ...options, bindings: { ...options.bindings, ...patient } })
  return {
    url: worker.url,
    clickhouse,
    async ask(path, headers = asAdmin, init = {}) {
      const answer = await asked(worker.url + path, { ...init, headers })
      return { ...answer, cache: answer.headers.get('x-cache') }
    },
    look() {
      const reads = worker.look().filter(isRead)
      return { d1: reads.length, clickhouse: clickhouse.look() }
    },
    async close() {
      await worker.close()
      clickhouse.close()
    },
  }
}
