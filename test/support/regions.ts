import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CacheTimes } from '../../src/cache/times.ts'
import { parseServer } from '../../src/clickhouse/server.ts'
import { bundled } from '../../src/local/start/workerd.ts'
import { type Beside, startBeside } from './beside.ts'
import { passOn } from './proxy.ts'
import { isTrial } from './trials.ts'
import { running } from './weir.ts'

/** Handles a request to a replica. `pass` forwards it to ClickHouse. */
export type Fault = (incoming: IncomingMessage, outgoing: ServerResponse, pass: () => void) => void

const passes: Fault = (_, __, pass) => pass()

/** A replica that a test controls, which is the engine that all tests share behind a proxy. */
export interface Region {
  readonly name: string
  readonly url: string
  readonly place: { readonly latitude: number; readonly longitude: number }
  /** Sets the fault for all further requests. Without one, the replica works again and drops waiting requests. */
  fails(fault?: Fault): void
  /** The fault for the next statement in any region with this `once`. All others are forwarded, and so are trials. */
  failsOnce(once: { fault: Fault | undefined }): void
  /** The numbers of statements and trial requests up to now, and of requests whose caller left before the response. */
  readonly counts: { statements: number; trials: number; abandoned: number }
  close(): void
}

/** Cuts the connection. */
export const cutsOff: Fault = ({ socket }) => void socket.destroy()

/** Never answers. */
export const hangs: Fault = () => {}

/** Lets statements wait, and answers everything else. */
const waits: Fault = (incoming, _, pass) => void (isTrial(incoming) && pass())

/** Responds with somebody else's page. */
export const answersPage: Fault = (_, outgoing) =>
  void outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>')

/** The locations of requests, each with the replica there. */
export const cities = {
  oregon: { latitude: '45.6', longitude: '-121.2', continent: 'NA', colo: 'PDX' },
  frankfurt: { latitude: '50.1', longitude: '8.7', continent: 'EU', colo: 'FRA' },
  sydney: { latitude: '-33.9', longitude: '151.2', continent: 'OC', colo: 'SYD' },
} as const

/** Other tests' events cause heartbeats in the shared engine, but its replicas here have none. */
const noHeartbeat = JSON.stringify({ data: [{ sources: 0, newest: 0, now: 0, delay: 0 }], rows: 1 })

async function region(name: keyof typeof cities): Promise<Region> {
  const { url: engine, database } = parseServer({ CLICKHOUSE_URL: running.clickhouse })
  const { latitude, longitude } = cities[name]
  const counts = { statements: 0, trials: 0, abandoned: 0 }
  let does = passes
  const proxy = createServer((incoming, outgoing) => {
    counts[isTrial(incoming) ? 'trials' : 'statements']++
    outgoing.once('close', () => {
      if (!outgoing.writableEnded) counts.abandoned++
    })
    const reads = new URL(incoming.url!, engine).searchParams
    const isWatermark = reads.get('query_id')?.startsWith('weir-watermark-') && reads.get('database') === database
    does(incoming, outgoing, () =>
      isWatermark ? void outgoing.writeHead(200).end(noHeartbeat) : passOn(engine, incoming, outgoing),
    )
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => proxy.once('listening', listening))
  return {
    name,
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    place: { latitude: Number(latitude), longitude: Number(longitude) },
    counts,
    fails(fault) {
      if (!fault && does !== passes) proxy.closeAllConnections()
      does = fault ?? passes
    },
    failsOnce(once) {
      does = (incoming, outgoing, pass) => {
        const { fault } = once
        if (!fault || isTrial(incoming)) return pass()
        once.fault = undefined
        fault(incoming, outgoing, pass)
      }
    },
    close() {
      proxy.close()
      proxy.closeAllConnections()
    },
  }
}

/** Starts a replica in each city. */
export const startRegions = (): Promise<Region[]> =>
  Promise.all((Object.keys(cities) as (keyof typeof cities)[]).map(region))

/** The databases of replicas whose data differs. */
type Databases = Readonly<Partial<Record<string, string>>>

/** The value for `CLICKHOUSE_REPLICAS`. */
export const replicaList = (all: readonly Region[], databases: Databases = {}) =>
  all.map(({ name, url, place }) => ({ name, url, ...place, ...(databases[name] && { database: databases[name] }) }))

/** A Worker on three replicas, in a separate isolate. */
export interface Regions {
  readonly worker: Beside
  readonly all: readonly Region[]
  /**
   * Lets no other region answer statements. On a busy machine, a slow nearest region causes hedges, so that another
   * region may answer first.
   */
  answersOnly(name: string): void
  close(): Promise<void>
}

export async function regions(cache: CacheTimes, databases?: Databases): Promise<Regions> {
  const all = await startRegions()
  const { bindings, ...options } = bundled(
    running.dataDir,
    0,
    parseServer({ CLICKHOUSE_URL: running.clickhouse }),
    undefined,
    cache,
  )
  const worker = await startBeside({
    ...options,
    bindings: { ...bindings, CLICKHOUSE_REPLICAS: replicaList(all, databases) },
  })
  return {
    worker,
    all,
    answersOnly(only) {
      for (const one of all) one.fails(one.name === only ? undefined : waits)
    },
    async close() {
      await worker.close()
      for (const one of all) one.close()
    },
  }
}
