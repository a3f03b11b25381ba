import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Server } from '../../src/clickhouse/server.ts'
import { places, root } from '../../src/local/paths.ts'
import { bundle } from '../../src/local/start/bundle.ts'
import { startBundled } from '../../src/local/start/workerd.ts'
import { bearer, type Headers, post } from './access.ts'
import { smallest, to } from './data.ts'
import { median, timed } from './measure.ts'
import { childrenNamed, processorTime } from './processes.ts'
import { day } from './requests.ts'
import { shipped } from './shipped.ts'
import { startUps } from './start-up.ts'

/** What assistants cost: a tool beside its report, the list of tools, and the code of both in the Worker. */
export interface McpFindings {
  readonly runs: number
  readonly cells: readonly McpCell[]
  /** Bytes of the JSON of all tools. */
  readonly listed: number
  readonly withTools: WorkerCost
  readonly without: WorkerCost
}

/** Milliseconds, over 24 hours of the smallest website. */
interface McpCell {
  readonly tool: string
  readonly report: string
  /** Medians of the time until the answer. */
  readonly called: number
  readonly plain: number
  /** Means of the processor time of workerd, which other programs hardly change. */
  readonly calledWork: number
  readonly plainWork: number
}

interface WorkerCost {
  /** Bytes after gzip. */
  readonly size: number
  /** Milliseconds of processor time to start it. */
  readonly start: number
}

type Values = Readonly<Record<string, string | number>>

/** Tools that ask one report, and the report with the same parameters. */
const asked: readonly { tool: string; given: Values; report: string; query: Values }[] = [
  { tool: 'get_website_stats', given: {}, report: 'stats', query: { compare: 'prev' } },
  { tool: 'get_website_metrics', given: { type: 'path' }, report: 'metrics', query: { type: 'path', limit: 20 } },
  { tool: 'get_event_series', given: {}, report: 'events/series', query: { limit: 20 } },
  { tool: 'get_events', given: {}, report: 'events', query: { pageSize: 20, include: 'distinctId' } },
]

const warmUps = 20

type Progress = (line: string) => void

/** Measures the Worker that is bundled in this data folder. */
export async function mcpCosts(
  dataDir: string,
  server: Server,
  { key, runs }: { readonly key: string; readonly runs: number },
  progress: Progress,
): Promise<McpFindings> {
  const others = new Set(childrenNamed('workerd'))
  const worker = await startBundled(Object.assign(shipped(dataDir, server), { cache: false }))
  try {
    const headers = bearer(key)
    const pid = childrenNamed('workerd').find((number) => !others.has(number))
    const cells: McpCell[] = []
    for (const one of asked) {
      progress(`measuring the tool ${one.tool}`)
      const asking = { one, url: worker.url, headers }
      const times = await timesOf(asking, runs)
      cells.push({ tool: one.tool, report: one.report, ...times, ...(await workOf(asking, pid)) })
    }
    const { tools } = await message<{ tools: object[] }>(worker.url, headers, 'tools/list', {})
    progress('starting the Worker with and without tools')
    const dirs = [dataDir, await withoutTools(`${dataDir}/without-tools`)]
    const [withTools, without] = (await startUps(dirs)).map(({ milliseconds }, index) => ({
      size: gzipSync(readFileSync(`${places(dirs[index]!).bundle}/worker.js`)).length,
      start: milliseconds,
    }))
    const listed = Buffer.byteLength(JSON.stringify(tools))
    return { ...{ runs, cells, listed }, withTools: withTools!, without: without! }
  } finally {
    await worker.close()
  }
}

interface Asking {
  readonly one: (typeof asked)[number]
  readonly url: string
  readonly headers: Headers
}

/** Asks the tool and its report in turn. */
async function timesOf(asking: Asking, runs: number): Promise<Pick<McpCell, 'called' | 'plain'>> {
  const times = { called: [] as number[], plain: [] as number[] }
  for (let round = 0; round < warmUps + runs; round++) {
    const called = await timed(() => callTool(asking))
    const plain = await timed(() => askReport(asking))
    if (round < warmUps) continue
    times.called.push(called)
    times.plain.push(plain)
  }
  return { called: median(times.called), plain: median(times.plain) }
}

/** Linux counts processor time in hundredths of a second, so each is asked many times in a row. */
const [blocks, asksOfBlock] = [6, 30]

async function workOf(asking: Asking, pid: number | undefined): Promise<Pick<McpCell, 'calledWork' | 'plainWork'>> {
  const workBy = async (ask: (asking: Asking) => Promise<void>): Promise<number> => {
    const before = (pid !== undefined && processorTime(pid)) || Number.NaN
    for (let count = 0; count < asksOfBlock; count++) await ask(asking)
    return ((pid !== undefined && processorTime(pid)) || Number.NaN) - before
  }
  let [calledWork, plainWork] = [0, 0]
  for (let block = 0; block < blocks; block++) {
    calledWork += await workBy(callTool)
    plainWork += await workBy(askReport)
  }
  const asks = blocks * asksOfBlock
  return { calledWork: calledWork / asks, plainWork: plainWork / asks }
}

let rounds = 0

/** A range that nothing asked before. */
function newRange(): { readonly startAt: number; readonly endAt: number } {
  rounds++
  return { startAt: to - day, endAt: to - 2 * rounds }
}

async function callTool({ one: { tool, given }, url, headers }: Asking): Promise<void> {
  const { startAt, endAt } = newRange()
  const range = { startAt: new Date(startAt).toISOString(), endAt: new Date(endAt).toISOString() }
  const call = { name: tool, arguments: { websiteId: smallest, ...range, ...given } }
  const { isError, structuredContent } = await message<Called>(url, headers, 'tools/call', call)
  if (isError) throw new Error(`${tool} answered ${JSON.stringify(structuredContent)}`)
}

async function askReport({ one: { report, query }, url, headers }: Asking): Promise<void> {
  const { startAt, endAt } = newRange()
  const parameters = { startAt: `${startAt}`, endAt: `${endAt}`, timezone: 'UTC', ...texts(query) }
  const path = `${url}/api/websites/${smallest}/${report}?${new URLSearchParams(parameters)}`
  const response = await fetch(path, { headers })
  const body = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${body}`)
  JSON.parse(body)
}

interface Called {
  readonly isError?: true
  readonly structuredContent: unknown
}

const texts = (values: Values) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, `${value}`]))

async function message<Result>(url: string, headers: Headers, method: string, params: object): Promise<Result> {
  type Answer = { result?: Result; error?: unknown }
  const { result, error } = await post<Answer>(`${url}/mcp`, { jsonrpc: '2.0', id: 1, method, params }, headers)
  if (result === undefined) throw new Error(`${method} was refused: ${JSON.stringify(error)}`)
  return result
}

/** Bundles a copy of the Worker whose tools are left out. The copy lies where packages are found. */
async function withoutTools(dataDir: string): Promise<string> {
  const copy = `${root}/node_modules/.cache/weir-without-tools`
  rmSync(copy, { recursive: true, force: true })
  mkdirSync(`${copy}/src`, { recursive: true })
  mkdirSync(places(dataDir).bundle, { recursive: true })
  cpSync(`${root}/src`, `${copy}/src`, { recursive: true, filter: (path) => !path.startsWith(`${root}/src/client`) })
  writeFileSync(`${copy}/src/mcp/answer.ts`, 'export const answerMessage = async () => ({ status: 404 })\n')
  await bundle(places(dataDir).bundle, `${copy}/src/worker.ts`)
  rmSync(copy, { recursive: true })
  return dataDir
}
