import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { Miniflare } from 'miniflare'
import type { Server } from '../../src/clickhouse/server.ts'
import { childrenNamed, residentMiB } from './processes.ts'
import { shipped } from './shipped.ts'

/** The memory of a Worker in MiB, after a garbage collection. */
export interface Held {
  /** Memory that JavaScript can still reach. */
  readonly heap: number
  /** The resident memory of the workerd process. */
  readonly resident: number
}

/** A Worker with V8's inspector. V8 alone keeps garbage for long, so its growth would mean nothing. */
export interface InspectedWorker {
  readonly url: string
  /** Collects garbage and reads the memory. It answers only while the Worker handles requests. */
  held(): Promise<Held>
  close(): Promise<void>
}

/** A workerd with V8's inspector. */
export interface Inspected extends Pick<InspectedWorker, 'held' | 'close'> {
  readonly miniflare: Miniflare
  readonly pid: number
}

/**
 * Starts the Worker that is bundled in this data folder. It omits Miniflare's stand-in for the
 * platform's cache, which stores entries in the same process. Undefined if the system does not show memory.
 */
export async function inspectedWorker(dataDir: string, server: Server): Promise<InspectedWorker | undefined> {
  const worker = await inspected({ ...shipped(dataDir, server), cache: false })
  return worker && { ...worker, url: (await worker.miniflare.unsafeGetDirectURL('weir')).origin }
}

/** Starts the Worker of these options. */
export async function inspected(options: ConstructorParameters<typeof Miniflare>[0]): Promise<Inspected | undefined> {
  const before = new Set(childrenNamed('workerd'))
  const miniflare = new Miniflare({ ...options, inspectorPort: 0 } as typeof options)
  await miniflare.ready
  const pid = childrenNamed('workerd').find((number) => !before.has(number))
  if (pid === undefined) return void (await miniflare.dispose())
  const url = await miniflare.getInspectorURL()
  const inspector = await connect(new URL('/core:user:weir', url).href)
  const others = await Promise.all((await standIns(url)).map((id) => connect(new URL(`/${id}`, url).href)))
  return {
    miniflare,
    pid,
    async held() {
      const collected = others.map((one) => one.call('HeapProfiler.collectGarbage'))
      // One that handles no requests does not answer.
      await Promise.race([Promise.all(collected), pause(patience)])
      await inspector.call('HeapProfiler.collectGarbage')
      const { usedSize } = await inspector.call('Runtime.getHeapUsage')
      return { heap: usedSize! / 2 ** 20, resident: residentMiB(pid) }
    },
    async close() {
      for (const one of [inspector, ...others]) one.close()
      await miniflare.dispose()
    },
  }
}

/** The longest wait for stand-ins to collect their garbage, in milliseconds. */
const patience = 1000

/**
 * The Workers of Miniflare's own in the same process, which stand in for parts of the platform (the entry, D1). They
 * collect garbage rarely.
 */
async function standIns(inspector: URL): Promise<string[]> {
  const targets = (await (await fetch(`http://${inspector.host}/json`)).json()) as { id: string }[]
  return targets.map(({ id }) => id).filter((id) => id !== 'core:user:weir')
}

interface Inspector {
  call<Result = Readonly<Record<string, number>>>(method: string, params?: object): Promise<Result>
  close(): void
}

interface Socket {
  send(text: string): void
  close(): void
  on(event: 'message', listener: (text: unknown) => void): void
  once(event: 'open' | 'error', listener: (error?: Error) => void): void
}

/** Node 20 has no global WebSocket, but Miniflare includes one. */
const WebSocket = createRequire(createRequire(import.meta.url).resolve('miniflare'))('ws') as new (
  url: string,
) => Socket

export async function connect(url: string): Promise<Inspector> {
  const socket = new WebSocket(url)
  await new Promise<void>((open, failed) => {
    socket.once('open', () => open())
    socket.once('error', failed)
  })
  const waiting = new Map<number, (result: never) => void>()
  socket.on('message', (text) => {
    const { id, result = {} } = JSON.parse(String(text)) as { id: number; result?: object }
    waiting.get(id)?.(result as never)
    waiting.delete(id)
  })
  let last = 0
  return {
    call: (method, params = {}) =>
      new Promise((answered) => {
        waiting.set(++last, answered)
        socket.send(JSON.stringify({ id: last, method, params }))
      }),
    close: () => socket.close(),
  }
}
