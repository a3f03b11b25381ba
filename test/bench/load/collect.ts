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
    await websitesAndKey(worker.metadata, websiteIds)
    return { worker, websiteIds }
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
    if (collects('hot')) progress('collection: one website, with one log object and with four')
    const four = collects('hot') ? await started('four', { COLLECT_SPREAD: 4 }) : undefined
    const hot = four && (await hotRates({ one: asked, four, bare }, seconds))
    return section(seconds, cells, hot)
  } finally {
    for (const one of closers) await one()
  }
}

/** Sends events to the log, and polls its state. Stops once ClickHouse has all of them. */
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

/** Responses per second for one website, by its number of log objects. `bare` is an object that only stores bodies. */
type HotRates = Readonly<Record<'one' | 'four' | 'bare' | 'failed', number>>

/**
 * Measures how fast one log object and four log objects accept a website's events, in turn and from the same senders.
 */
async function hotRates(workers: Readonly<Record<'one' | 'four' | 'bare', Asked>>, seconds: number): Promise<HotRates> {
  const names = ['one', 'four', 'bare', 'bare', 'four', 'one'] as const
  let failed = 0
  const rates = { one: [] as number[], four: [] as number[], bare: [] as number[] }
  for (const name of names) {
    const { worker, websiteIds } = workers[name]
    // A higher rate than the machine can answer.
    const sending = { rate: 3000, batch: 1, seconds: seconds / 10, websiteIds: websiteIds.slice(0, 1) }
    const found = await sent({ ...sending, url: worker.url })
    failed += found.failed
    rates[name].push(found.rate)
  }
  return { one: median(rates.one), four: median(rates.four), bare: median(rates.bare), failed }
}

function section(seconds: number, cells: readonly CollectCell[], hot?: HotRates): Section {
  const how = `${seconds} s each, from a process of its own. Times in ms since a request was due. _Bare_ only stores bodies.`
  const page = cells.length > 0 ? [table(columns, cells)] : []
  if (hot)
    page.push(
      `One website: ${whole(hot.one)} events a second with one log object, ${whole(hot.four)} with four ` +
        `(${fixed(hot.four / hot.one, 2)} times as many), ${whole(hot.bare)} bare; ${hot.failed} failed.`,
    )
  return { heading: 'Collection', how, page, more: [table(details, cells)], found: { cells, hot } }
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
