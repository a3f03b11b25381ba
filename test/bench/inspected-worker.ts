import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Miniflare } from 'miniflare'
import { unstable_readConfig } from 'wrangler'
import type { Server } from '../../src/clickhouse/server.ts'
import { places, root } from '../../src/local/paths.ts'

/** What a Worker holds, in MiB, once its garbage is collected. */
export interface Held {
  /** What JavaScript can still reach. */
  readonly heap: number
  /** All memory of the process of workerd. */
  readonly resident: number
}

/** The Worker with V8's inspector: left alone, V8 keeps garbage for long, and no growth of it says anything. */
export interface InspectedWorker {
  readonly url: string
  /** Collects garbage and looks. It answers only while the Worker is at work on requests. */
  held(): Promise<Held>
  close(): Promise<void>
}

/** Starts the Worker that `startWorker` bundled into this data folder. Undefined where no `/proc` tells of memory. */
export async function inspectedWorker(dataDir: string, server: Server): Promise<InspectedWorker | undefined> {
  const before = new Set(childrenNamed('workerd'))
  const miniflare = start(dataDir, server)
  await miniflare.ready
  const child = childrenNamed('workerd').find((number) => !before.has(number))
  if (child === undefined) return void (await miniflare.dispose())
  const inspector = await connect(new URL(`/core:user:${name}`, await miniflare.getInspectorURL()).href)
  return {
    url: (await miniflare.unsafeGetDirectURL(name)).origin,
    async held() {
      await inspector.call('HeapProfiler.collectGarbage')
      const { usedSize } = await inspector.call('Runtime.getHeapUsage')
      return { heap: usedSize! / 2 ** 20, resident: residentMiB(child) }
    },
    async close() {
      inspector.close()
      await miniflare.dispose()
    },
  }
}

const name = 'weir'

function start(dataDir: string, server: Server): Miniflare {
  const config = unstable_readConfig({ config: `${root}/wrangler.toml` })
  return new Miniflare({
    name,
    modules: true,
    script: readFileSync(`${places(dataDir).bundle}/worker.js`, 'utf8'),
    compatibilityDate: config.compatibility_date!,
    compatibilityFlags: config.compatibility_flags,
    bindings: {
      CLICKHOUSE_URL: server.url,
      CLICKHOUSE_USER: server.username,
      CLICKHOUSE_PASSWORD: server.password,
      CLICKHOUSE_DATABASE: server.database,
    },
    d1Databases: { [config.d1_databases[0]!.binding]: 'weir' },
    d1Persist: places(dataDir).metadata,
    unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
    inspectorPort: 0,
    cf: false,
  })
}

interface Inspector {
  call(method: string): Promise<Readonly<Record<string, number>>>
  close(): void
}

interface Socket {
  send(text: string): void
  close(): void
  on(event: 'message', listener: (text: unknown) => void): void
  once(event: 'open' | 'error', listener: (error?: Error) => void): void
}

/** Node 20 has no WebSocket of its own; Miniflare brings one. */
const WebSocket = createRequire(createRequire(import.meta.url).resolve('miniflare'))('ws') as new (
  url: string,
) => Socket

async function connect(url: string): Promise<Inspector> {
  const socket = new WebSocket(url)
  await new Promise<void>((open, failed) => {
    socket.once('open', () => open())
    socket.once('error', failed)
  })
  const waiting = new Map<number, (result: Record<string, number>) => void>()
  socket.on('message', (text) => {
    const { id, result = {} } = JSON.parse(String(text)) as { id: number; result?: Record<string, number> }
    waiting.get(id)?.(result)
    waiting.delete(id)
  })
  let last = 0
  return {
    call: (method) =>
      new Promise((answered) => {
        waiting.set(++last, answered)
        socket.send(JSON.stringify({ id: last, method }))
      }),
    close: () => socket.close(),
  }
}

/** The processes with this name that this one started. */
function childrenNamed(wanted: string): number[] {
  const own = new RegExp(`\\(${wanted}\\) \\S ${process.pid} `)
  return numbersIn('/proc').filter((number) => own.test(statusOf(number)))
}

function numbersIn(folder: string): number[] {
  try {
    return readdirSync(folder)
      .filter((entry) => /^\d+$/.test(entry))
      .map(Number)
  } catch {
    return []
  }
}

/** `pid (name) state parent …`; empty for a process that has ended meanwhile. */
function statusOf(number: number): string {
  try {
    return readFileSync(`/proc/${number}/stat`, 'utf8')
  } catch {
    return ''
  }
}

function residentMiB(number: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${number}/status`, 'utf8'))![1]) / 1024
}
