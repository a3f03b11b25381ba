import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { startClickHouse } from '../../../src/local/storage/clickhouse.ts'
import { migrateEvents } from '../../../src/local/storage/migrations.ts'
import type { Flags } from '../flags.ts'
import { median } from '../measure.ts'
import { type Column, fixed, type Section, table, whole } from '../print.ts'
import { processorTime, residentMiB } from '../processes.ts'
import { bearer, get, type Running, startWorker, websitesAndKey } from '../worker.ts'
import type { Sending, SentFindings } from './sender.ts'

/** The results for one rate. */
interface CollectCell {
  /** Requests per second, and the number of events in each. */
  readonly rate: number
  readonly batch: number
  readonly log: LogFindings
  readonly bare: SentFindings
}

interface LogFindings extends SentFindings {
  /** Rows written to SQLite for each event. */
  readonly writtenRows: number
  readonly flushesPerSecond: number
  /** The number of rows waiting for ClickHouse, halfway through and at the end. */
  readonly waiting: readonly [halfway: number, end: number]
  /** Workerd's resident memory at the end, in MiB. */
  readonly memory: number
  /** Workerd's processor time per event, in microseconds. */
  readonly processor: number
}

/** Requests per second, and the number of events in each. */
const loads = [
  ...[20, 250, 500, 750, 1000, 1500, 2000].map((rate) => ({ rate, batch: 1 })),
  { rate: 50, batch: 20 },
  { rate: 80, batch: 100 },
]

const websites = 300

interface Asked {
  readonly worker: Running
  readonly key: string
  readonly websiteIds: readonly string[]
}

export async function collect(
  dir: string,
  { seconds, collects }: Pick<Flags, 'seconds' | 'collects'>,
  progress: (line: string) => void,
): Promise<Section> {
  rmSync(dir, { recursive: true, force: true })
  progress('collection: an engine and two Workers start')
  const { client, server, close } = await startClickHouse(`${dir}/log`, 0)
  const closers = [close]
  const websiteIds = Array.from({ length: websites }, () => randomUUID())
  const started = async (name: string, bindings: object, entry?: string): Promise<Asked> => {
    const worker = await startWorker(`${dir}/${name}`, server, bindings, entry)
    closers.unshift(worker.close)
    return { worker, key: await websitesAndKey(worker.metadata, websiteIds), websiteIds }
  }
  try {
    await migrateEvents(client, server)
    const asked = await started('log', {})
    const bare = await started('bare', {}, 'test/bench/load/bare-worker.ts')
    const cells: CollectCell[] = []
    for (const { rate, batch } of loads) {
      if (!collects(batch === 1 ? String(rate) : `${rate}x${batch}`)) continue
      progress(`collection: ${rate} requests a second of ${batch}`)
      const sending = { rate, batch, seconds, websiteIds }
      const log = await loggedAt(asked, sending)
      cells.push({ rate, batch, log, bare: await sent({ ...sending, url: bare.worker.url }) })
    }
    if (collects('readers')) progress('collection: readers')
    const readers = collects('readers') ? await readersOf(asked, seconds) : undefined
    return section(seconds, cells, readers)
  } finally {
    for (const one of closers) await one()
  }
}

/** Sends to the log, and polls its state. Stops when ClickHouse has everything. */
async function loggedAt(asked: Asked, sending: Omit<Sending, 'url'>): Promise<LogFindings> {
  const worked = () => processorTime(asked.worker.pid)
  const [before, workedBefore] = [await figures(asked), worked()]
  const halfway = pause(500 * sending.seconds).then(() => figures(asked))
  const found = await sent({ ...sending, url: asked.worker.url })
  const [end, processor] = [await figures(asked), worked() - workedBefore]
  const events = end.accepted_total - before.accepted_total
  const findings: LogFindings = {
    ...found,
    writtenRows: (end.written_rows_total - before.written_rows_total) / events,
    flushesPerSecond: (end.flushes_total - before.flushes_total) / sending.seconds,
    waiting: [(await halfway).rows, end.rows],
    memory: residentMiB(asked.worker.pid),
    processor: (1000 * processor) / events,
  }
  while ((await figures(asked)).rows > 0) await pause(100)
  return findings
}

const figureNames = ['rows', 'accepted_total', 'written_rows_total', 'flushes_total'] as const

async function figures({ worker }: Asked): Promise<Record<(typeof figureNames)[number], number>> {
  const response = await get(`${worker.url}/metrics`, bearer(worker.metricsToken))
  const text = await response.text()
  const figure = (name: string) => Number(new RegExp(`^weir_collect_${name}\\{log="0"\\} (\\S+)$`, 'm').exec(text)?.[1])
  return Object.fromEntries(figureNames.map((name) => [name, figure(name)])) as never
}

/** The median time of `stats` over the last day at ten requests per second, alone and beside 500 events per second. */
async function readersOf(asked: Asked, seconds: number) {
  const read = async () => {
    const took: number[] = []
    const until = performance.now() + 1000 * seconds
    for (let index = 0; performance.now() < until; index++) {
      const now = Date.now()
      const path = `/api/websites/${asked.websiteIds[index % websites]}/stats?startAt=${now - 86_400_000}&endAt=${now}`
      const since = performance.now()
      const response = await get(asked.worker.url + path, bearer(asked.key))
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

function section(
  seconds: number,
  cells: readonly CollectCell[],
  readers?: { readonly alone: number; readonly beside: number },
): Section {
  const how = `${seconds} s each, from a process of its own. Times in ms since a request was due. _Bare_ only stores bodies.`
  const page = cells.length > 0 ? [table(columns, cells)] : []
  if (readers)
    page.push(`\`stats\`: ${fixed(readers.alone)} ms, and ${fixed(readers.beside)} beside 500 events a second.`)
  return { heading: 'Collection', how, page, more: [table(details, cells)], found: { cells, readers } }
}

const columns: Column<CollectCell>[] = [
  { heading: 'requests a second', write: ({ rate, batch }) => (batch === 1 ? whole(rate) : `${rate} of ${batch}`) },
  { heading: 'p50', write: ({ log }) => fixed(log.p50) },
  { heading: 'p99', write: ({ log }) => fixed(log.p99) },
  { heading: 'p99 bare', write: ({ bare }) => fixed(bare.p99) },
  { heading: 'failed', write: ({ log }) => whole(log.failed) },
  { heading: 'rows of SQLite an event', write: ({ log }) => fixed(log.writtenRows, 3) },
  { heading: 'processor µs an event', write: ({ log }) => whole(log.processor) },
]

const details: Column<CollectCell>[] = [
  columns[0]!,
  { heading: 'reached', write: ({ log }) => whole(log.rate) },
  { heading: 'flushes a second', write: ({ log }) => fixed(log.flushesPerSecond, 2) },
  { heading: 'rows waiting', write: ({ log }) => log.waiting.map(whole).join(', ') },
  { heading: 'workerd MiB', write: ({ log }) => whole(log.memory) },
]

/** Sends from a separate process. */
export function sent(sending: Sending): Promise<SentFindings> {
  const child = fork(fileURLToPath(new URL('./sender.ts', import.meta.url)), [], {
    execArgv: ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href],
  })
  return new Promise((resolve, reject) => {
    child.once('message', (found) => resolve(found as SentFindings))
    child.once('exit', (code) => reject(new Error(`The sender ended with ${code}.`)))
    child.send(sending)
  })
}
