import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../src/local/machine/port.ts'
import { root } from '../../../src/local/paths.ts'
import { quantile } from '../measure.ts'
import { type Column, fixed, type Section, table, whole } from '../print.ts'
import { familyOf, processorTime, proportionalMiB } from '../processes.ts'
import { bearer, get, type Headers } from '../worker.ts'
import { sent } from './collect.ts'
import { overviewBy } from './mixed.ts'
import type { SentFindings } from './sender.ts'

/** The number of single events per second, and the number of websites to which they are sent in turn. */
const loads = [...[50, 100, 200, 400, 600, 800].map((rate) => ({ rate, websites: 100 })), { rate: 100, websites: 3000 }]

interface Cell extends SentFindings {
  readonly due: number
  readonly websites: number
  /** The time for an overview of one website, which sends ten questions at once, in milliseconds. */
  readonly overview: { readonly p50: number; readonly p99: number }
  /** The processor time of all of Weir's processes, as a fraction of one core. */
  readonly cores: number
  /** Their memory in MiB. Shared pages are divided among them. */
  readonly memory: number
}

/** Measures `weir serve` with an empty folder while somebody reads one dashboard. The senders run on the same cores. */
export async function oneServer(dir: string, seconds: number, progress: (line: string) => void): Promise<Section> {
  rmSync(dir, { recursive: true, force: true })
  const port = await freePort('--port', 0)
  const url = `http://127.0.0.1:${port}`
  const weir = (...words: readonly string[]) => [
    '--import',
    'tsx',
    'src/local/command-line.ts',
    ...words,
    '--data-dir',
    dir,
  ]
  const serving = ['serve', '--port', String(port), '--clickhouse-port', '0']
  const child = spawn(process.execPath, weir(...serving), { cwd: root, stdio: 'ignore' })
  try {
    while (!(await fetch(`${url}/health`).catch(() => undefined))?.ok) await pause(100)
    const printed = execFileSync(process.execPath, weir('key', 'create', '--name', 'bench', '--admin'), { cwd: root })
    const headers = bearer(/api_\w+/.exec(String(printed))![0])
    const cells: Cell[] = []
    const websiteIds: string[] = []
    for (const load of loads) {
      progress(`server: ${load.rate} events a second of ${load.websites} websites`)
      while (websiteIds.length < load.websites) websiteIds.push(await created(url, headers))
      cells.push(await measured({ url, headers, child, websiteIds }, load, seconds))
    }
    const how = `\`weir serve\` with an empty folder, ${seconds} seconds a rate. Senders share its processors.`
    return { heading: 'One server', how, page: [table(columns, cells)], more: [], found: cells }
  } finally {
    child.kill()
    await new Promise((resolve) => child.once('close', resolve))
  }
}

interface Serving {
  readonly url: string
  readonly headers: Headers
  readonly child: ChildProcess
  readonly websiteIds: readonly string[]
}

/** Creates a website. The rate limit may delay it. */
async function created(url: string, headers: Headers): Promise<string> {
  const id = randomUUID()
  const body = JSON.stringify({ id, name: id, domain: 'www.example.com' })
  const json = { ...headers, 'content-type': 'application/json' }
  for (;;) {
    const { ok, status } = await fetch(`${url}/api/websites`, { method: 'POST', headers: json, body })
    if (ok) return id
    if (status !== 429) throw new Error(`The website was refused with ${status}.`)
    await pause(1000)
  }
}

async function measured(
  { url, headers, child, websiteIds }: Serving,
  { rate, websites }: (typeof loads)[number],
  seconds: number,
): Promise<Cell> {
  const spent = () => familyOf(child.pid!).reduce((sum, pid) => sum + processorTime(pid), 0)
  const before = spent()
  const [found, overview] = await Promise.all([
    sent({ url, rate, batch: 1, seconds, websiteIds }),
    readFor(seconds, `${url}/api/websites/${websiteIds[0]}`, headers),
  ])
  const cores = (spent() - before) / (1000 * seconds)
  const memory = familyOf(child.pid!).reduce((sum, pid) => sum + proportionalMiB(pid), 0)
  return { ...found, due: rate, websites, overview, cores, memory }
}

const questions = overviewBy('hour')

/** Opens an overview of the last 24 hours each second. */
async function readFor(seconds: number, path: string, headers: Headers): Promise<Cell['overview']> {
  const took: number[] = []
  for (const end = performance.now() + 1000 * seconds; performance.now() < end; await pause(1000)) {
    const since = performance.now()
    const range = `startAt=${Date.now() - 86_400_000}&endAt=${Date.now()}`
    const answers = await Promise.all(questions.map((question) => get(`${path}/${question}${range}`, headers)))
    for (const answer of answers) {
      await answer.text()
      if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}.`)
    }
    took.push(performance.now() - since)
  }
  return { p50: quantile(took, 0.5), p99: quantile(took, 0.99) }
}

const columns: Column<Cell>[] = [
  { heading: 'events a second', write: ({ due }) => whole(due) },
  { heading: 'websites', write: ({ websites }) => whole(websites) },
  { heading: 'failed', write: ({ failed }) => whole(failed) },
  { heading: 'p50 ms', write: ({ p50 }) => fixed(p50) },
  { heading: 'p99 ms', write: ({ p99 }) => fixed(p99) },
  { heading: 'overview p50 ms', write: ({ overview }) => whole(overview.p50) },
  { heading: 'overview p99 ms', write: ({ overview }) => whole(overview.p99) },
  { heading: 'cores', write: ({ cores }) => fixed(cores, 2) },
  { heading: 'memory, MiB', write: ({ memory }) => whole(memory) },
]
