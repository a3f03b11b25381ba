import { get, type IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { Miniflare } from 'miniflare'
import type { Server } from '../../src/clickhouse/server.ts'
import { largest, momentBefore, to } from './data.ts'
import type { DataSet } from './datasets.ts'
import { type Held, inspectedWorker } from './inspected-worker.ts'
import { median } from './measure.ts'
import { flatness } from './memory.ts'
import { recording, replayed, type Sent } from './recording.ts'
import { shipped } from './shipped.ts'

/** The result of reading a stream. */
interface Read {
  readonly bytes: number
  readonly rows: number
}

/** Compares an export through the Worker with its statements sent directly to ClickHouse: medians in seconds. */
export interface Exported {
  readonly statements: number
  readonly worker: Read & { readonly seconds: number }
  readonly direct: Read & { readonly seconds: number }
  readonly rounds: number
  readonly memory: ExportMemory | undefined
}

/** The memory of the Worker during an export, after a garbage collection before each look. */
export interface ExportMemory {
  readonly looks: readonly Held[]
  readonly growth: Held
  readonly isFlat: boolean
}

interface Asked {
  /** The folder with the bundled Worker. */
  readonly workerDir: string
  readonly key: string
  readonly rows: number
}

type Progress = (line: string) => void

const rounds = 3

/** Exports the newest events of the largest website, at most the requested number. */
export async function exported(
  { server, layouts }: DataSet,
  { workerDir, key, rows }: Asked,
  progress: Progress,
): Promise<Exported> {
  const startAt = await momentBefore(layouts, largest, rows)
  const path = `/api/websites/${largest}/events?startAt=${startAt}&endAt=${to}`
  progress('export: what the Worker asks ClickHouse for')
  const { sent, read: worker } = await recorded(workerDir, server, path, key)
  const direct = await readAll(sent, server, true)
  if (direct.rows !== worker.rows) throw new Error(`The Worker exported ${worker.rows} rows of ${direct.rows}.`)
  const seconds = await secondsOf(workerDir, server, { path, key, sent }, progress)
  progress('export: the memory of the Worker')
  const memory = await memoryOf(workerDir, server, path, key)
  return {
    statements: sent.length,
    worker: { ...worker, seconds: seconds.worker },
    direct: { ...direct, seconds: seconds.direct },
    rounds,
    memory,
  }
}

/** Records the requests of one export to ClickHouse, in order. */
async function recorded(workerDir: string, server: Server, path: string, key: string) {
  const clickhouse = await recording(server)
  try {
    return await withWorker(workerDir, clickhouse.server, async (url) => {
      const read = await exportOf(url + path, key, true)
      return { sent: clickhouse.look(), read }
    })
  } finally {
    await clickhouse.close()
  }
}

async function withWorker<Found>(
  workerDir: string,
  server: Server,
  work: (url: string) => Promise<Found>,
): Promise<Found> {
  const miniflare = new Miniflare(shipped(workerDir, server))
  try {
    await miniflare.ready
    return await work((await miniflare.unsafeGetDirectURL('weir')).origin)
  } finally {
    await miniflare.dispose()
  }
}

interface Both {
  readonly path: string
  readonly key: string
  readonly sent: readonly Sent[]
}

/** Alternates between both, with the order reversed each round. The recording has already warmed up ClickHouse. */
const secondsOf = (workerDir: string, server: Server, { path, key, sent }: Both, progress: Progress) =>
  withWorker(workerDir, server, async (url) => {
    const times = { worker: [] as number[], direct: [] as number[] }
    for (let round = 0; round < rounds; round++) {
      progress(`export: round ${round + 1} of ${rounds}`)
      const turns = [
        async () => times.worker.push(await secondsTaken(() => exportOf(url + path, key, false))),
        async () => times.direct.push(await secondsTaken(() => readAll(sent, server, false))),
      ]
      for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn()
    }
    return { worker: median(times.worker), direct: median(times.direct) }
  })

async function secondsTaken(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

const exportOf = (url: string, key: string, countsRows: boolean): Promise<Read> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, accept: 'application/x-ndjson' }
    get(url, { headers }, (answer) => resolve(readWhole(answer, countsRows))).once('error', reject)
  })

/** Reads all these answers, one after the other. */
async function readAll(sent: readonly Sent[], server: Server, countsRows: boolean): Promise<Read> {
  const sum = { bytes: 0, rows: 0 }
  for (const one of sent) {
    const { bytes, rows } = await new Promise<Read>((resolve, reject) => {
      replayed(server, one, (answer) => resolve(readWhole(answer, countsRows))).once('error', reject)
    })
    sum.bytes += bytes
    sum.rows += rows
  }
  return sum
}

/** Reads an answer. It counts lines (one per row) only on request, because that costs about as much as reading. */
async function readWhole(answer: IncomingMessage, countsRows: boolean): Promise<Read> {
  const read = { bytes: 0, rows: 0 }
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    read.bytes += chunk.length
    if (countsRows) read.rows += linesIn(chunk)
  }
  if (answer.statusCode !== 200) throw new Error(`Answered ${answer.statusCode} to an export.`)
  return read
}

function linesIn(chunk: Buffer): number {
  let lines = 0
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++
  return lines
}

/** The milliseconds between two looks, and the least number of looks for a result. */
const betweenLooks = 200
const fewestLooks = 12

/** Exports again and looks at the Worker's memory until the last byte. */
async function memoryOf(
  workerDir: string,
  server: Server,
  path: string,
  key: string,
): Promise<ExportMemory | undefined> {
  const worker = await inspectedWorker(workerDir, server)
  if (!worker) return undefined
  try {
    let isOver = false
    const over = exportOf(worker.url + path, key, false).finally(() => {
      isOver = true
    })
    const looks: Held[] = []
    while (!isOver) {
      const held = await Promise.race([worker.held(), over.then(() => undefined)])
      if (held) looks.push(held)
      await Promise.race([pause(betweenLooks), over])
    }
    await over
    return looks.length < fewestLooks ? undefined : { looks, ...flatness(looks) }
  } finally {
    await worker.close()
  }
}
