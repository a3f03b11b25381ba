import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Miniflare } from 'miniflare'
import type { Server } from '../../src/clickhouse/server.ts'
import { bundled } from '../../src/local/workerd.ts'

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
  const miniflare = new Miniflare({ ...bundled(dataDir, 0, server), inspectorPort: 0 })
  await miniflare.ready
  const child = childrenNamed('workerd').find((number) => !before.has(number))
  if (child === undefined) return void (await miniflare.dispose())
  const inspector = await connect(new URL(`/core:user:weir`, await miniflare.getInspectorURL()).href)
  return {
    url: (await miniflare.unsafeGetDirectURL('weir')).origin,
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
