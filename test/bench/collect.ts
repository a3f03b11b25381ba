import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Server } from '../../src/clickhouse/server.ts'
import { places } from '../../src/local/paths.ts'
import { bundle } from '../../src/local/start/bundle.ts'
import { startBundled, type Workerd } from '../../src/local/start/workerd.ts'
import { startClickHouse } from '../../src/local/storage/clickhouse.ts'
import { migrateEvents } from '../../src/local/storage/migrations.ts'
import type { Sending, SentFindings } from './collect-sender.ts'
import type { Flags } from './flags.ts'
import { load } from './machine.ts'
import { median } from './measure.ts'
import { childrenNamed, processorTime, residentMiB } from './processes.ts'
import { shipped } from './shipped.ts'
import { websitesAndKey } from './through.ts'

/** Events that come in at steady rates: the log beside an object that only writes them down. */
export interface CollectFindings {
  readonly seconds: number
  readonly cells: readonly CollectCell[]
  /** Rows written to SQLite for each event with a window of 50 ms, by events a second. */
  readonly wide: readonly { readonly rate: number; readonly writtenRows: number }[]
  /** Workerd's resident memory in MiB while 500 events a second come in: at the start, then ten times. */
  readonly steady: readonly number[]
  /** The median of `stats` in milliseconds, alone and beside 500 events a second; undefined if it was not measured. */
  readonly readers: { readonly alone: number; readonly beside: number } | undefined
}

/** One rate. */
export interface CollectCell {
  /** Requests a second, and the events of each. */
  readonly rate: number
  readonly batch: number
  readonly log: LogFindings
  readonly bare: SentFindings
  /** The load average of the machine. */
  readonly load: number
}

export interface LogFindings extends SentFindings {
  /** Rows written to SQLite for each event. */
  readonly writtenRows: number
  readonly flushesPerSecond: number
  /** Rows that waited for ClickHouse: halfway, and at the end. */
  readonly waiting: readonly [halfway: number, end: number]
  /** Workerd's resident memory in MiB: halfway, and at the end. */
  readonly memory: readonly [halfway: number, end: number]
  /** Workerd's processor time for each event, in microseconds. */
  readonly processor: number
}

/** Requests a second, and the events of each. */
const loads = [
  { rate: 20, batch: 1 },
  { rate: 250, batch: 1 },
  { rate: 500, batch: 1 },
  { rate: 750, batch: 1 },
  { rate: 1000, batch: 1 },
  { rate: 1500, batch: 1 },
  { rate: 2000, batch: 1 },
  { rate: 50, batch: 20 },
  { rate: 80, batch: 100 },
] as const

/** Events a second that are sent once more, to a log with a wide window. */
const wideLoads = [20, 750] as const

const websites = 300

type Progress = (line: string) => void

export async function collected(
  dir: string,
  { seconds, collects }: Pick<Flags, 'seconds' | 'collects'>,
  progress: Progress,
): Promise<CollectFindings> {
  rmSync(dir, { recursive: true, force: true })
  const [own, bare] = [`${dir}/log`, `${dir}/bare`]
  progress('collection: an engine and two Workers start')
  const { client, server, close } = await startClickHouse(own, 0)
  const closers = [close]
  try {
    await migrateEvents(client, server)
    const websiteIds = Array.from({ length: websites }, () => randomUUID())
    const started = async (dir: string, bindings: object, entry?: string): Promise<Asked> => {
      const found = await startedWorker(dir, server, bindings, entry)
      closers.unshift(found.worker.close)
      return { ...found, key: await websitesAndKey(found.worker.metadata, websiteIds), websiteIds }
    }
    const asked = await started(own, {})
    const other = await started(bare, {}, 'test/bench/bare-worker.ts')
    const cells: CollectCell[] = []
    for (const { rate, batch } of loads) {
      if (!collects(batch === 1 ? String(rate) : `${rate}x${batch}`)) continue
      progress(`collection: ${rate} requests a second of ${batch}`)
      const sending = { rate, batch, seconds, websiteIds }
      const log = await loggedAt(asked, sending)
      const beside = await sent({ ...sending, url: other.worker.url })
      cells.push({ rate, batch, log, bare: beside, load: load() })
    }
    if (collects('readers')) progress('collection: readers beside senders')
    const readers = collects('readers') ? await readersOf(asked, seconds) : undefined
    const steady = []
    if (collects('memory')) {
      progress('collection: memory at 500 events a second')
      const log = await started(`${dir}/steady`, {})
      steady.push(...(await memoryOf(log, { rate: 500, batch: 1, seconds: 10 * seconds, websiteIds })))
    }
    const wide = []
    if (collects('wide')) {
      progress('collection: a window of 50 ms')
      const log = await started(`${dir}/wide`, { COLLECT_WINDOW: 50 })
      for (const rate of wideLoads) {
        wide.push({ rate, writtenRows: (await loggedAt(log, { rate, batch: 1, seconds, websiteIds })).writtenRows })
      }
    }
    return { seconds, cells, readers, steady, wide }
  } finally {
    for (const one of closers) await one()
  }
}

async function startedWorker(dir: string, server: Server, bindings: object, entry?: string) {
  mkdirSync(places(dir).bundle, { recursive: true })
  await bundle(places(dir).bundle, entry)
  const before = new Set(childrenNamed('workerd'))
  const options = shipped(dir, server)
  const worker = await startBundled(
    Object.assign(options, { cache: false, bindings: { ...options.bindings, ...bindings } }),
  )
  const pid = childrenNamed('workerd').find((number) => !before.has(number))
  return { worker, pid, token: String(options.bindings.METRICS_TOKEN) }
}

interface Asked {
  readonly worker: Workerd
  readonly pid: number | undefined
  readonly token: string
  readonly key: string
  readonly websiteIds: readonly string[]
}

/** Sends to the log, and looks at it meanwhile. Ends when ClickHouse has everything. */
async function loggedAt(asked: Asked, sending: Omit<Sending, 'url'>): Promise<LogFindings> {
  const memory = () => (asked.pid === undefined ? Number.NaN : residentMiB(asked.pid))
  const worked = () => (asked.pid === undefined ? undefined : processorTime(asked.pid)) ?? Number.NaN
  const [before, workedBefore] = [await figures(asked), worked()]
  const halfway = pause(500 * sending.seconds).then(async () => [(await figures(asked)).rows, memory()] as const)
  const found = await sent({ ...sending, url: asked.worker.url })
  const [end, processor] = [await figures(asked), worked() - workedBefore]
  const [rows, mib] = await halfway
  const events = end.accepted_total - before.accepted_total
  const findings: LogFindings = {
    ...found,
    writtenRows: (end.written_rows_total - before.written_rows_total) / events,
    flushesPerSecond: (end.flushes_total - before.flushes_total) / sending.seconds,
    waiting: [rows, end.rows],
    memory: [mib, memory()],
    processor: (1000 * processor) / events,
  }
  while ((await figures(asked)).rows > 0) await pause(100)
  return findings
}

async function memoryOf(asked: Asked, sending: Omit<Sending, 'url'>): Promise<number[]> {
  const memory = () => (asked.pid === undefined ? Number.NaN : residentMiB(asked.pid))
  const found = [memory()]
  const ends = sent({ ...sending, url: asked.worker.url })
  for (let time = 0; time < 10; time++) {
    await pause(100 * sending.seconds)
    found.push(memory())
  }
  await ends
  return found
}

const figureNames = ['rows', 'accepted_total', 'written_rows_total', 'flushes_total'] as const

async function figures({ worker, token }: Asked): Promise<Record<(typeof figureNames)[number], number>> {
  const response = await fetch(`${worker.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  const text = await response.text()
  const figure = (name: string) => Number(new RegExp(`^weir_collect_${name}\\{log="0"\\} (\\S+)$`, 'm').exec(text)?.[1])
  return Object.fromEntries(figureNames.map((name) => [name, figure(name)])) as never
}

/** The median of `stats` over the last day, by ten requests a second, alone and beside 500 events a second. */
async function readersOf(asked: Asked, seconds: number): Promise<CollectFindings['readers']> {
  const read = async () => {
    const took: number[] = []
    const until = performance.now() + 1000 * seconds
    for (let index = 0; performance.now() < until; index++) {
      const now = Date.now()
      const path = `/api/websites/${asked.websiteIds[index % websites]}/stats?startAt=${now - 86_400_000}&endAt=${now}`
      const since = performance.now()
      const response = await fetch(asked.worker.url + path, { headers: { authorization: `Bearer ${asked.key}` } })
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
      await response.text()
      took.push(performance.now() - since)
      await pause(Math.max(0, 100 - took.at(-1)!))
    }
    return median(took)
  }
  const alone = await read()
  const sending = { url: asked.worker.url, rate: 500, batch: 1, seconds, websiteIds: asked.websiteIds }
  const [beside] = await Promise.all([read(), sent(sending)])
  return { alone, beside }
}

/** Sends from a process of its own. */
export function sent(sending: Sending): Promise<SentFindings> {
  const child = fork(fileURLToPath(new URL('./collect-sender.ts', import.meta.url)), [], {
    execArgv: ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href],
  })
  return new Promise((resolve, reject) => {
    child.once('message', (found) => resolve(found as SentFindings))
    child.once('exit', (code) => reject(new Error(`The sender ended with ${code}.`)))
    child.send(sending)
  })
}
