import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { Server } from '../../src/clickhouse/server.ts'
import { places, root } from '../../src/local/paths.ts'
import { bundle } from '../../src/local/start/bundle.ts'
import { startBundled } from '../../src/local/start/workerd.ts'
import { bearer, type Headers, post } from './access.ts'
import { smallest, to } from './data.ts'
import { median, timed } from './measure.ts'
import { day } from './requests.ts'
import { shipped } from './shipped.ts'
import { startUp } from './start-up.ts'

/** What assistants cost: a tool beside its report, the list of tools, and the code of both in the Worker. */
export interface McpFindings {
  readonly runs: number
  readonly cells: readonly McpCell[]
  /** Bytes of the JSON of all tools. */
  readonly listed: number
  readonly withTools: WorkerCost
  readonly without: WorkerCost
}

/** Medians in milliseconds, over 24 hours of the smallest website. */
interface McpCell {
  readonly tool: string
  readonly report: string
  readonly called: number
  readonly plain: number
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
  const worker = await startBundled(Object.assign(shipped(dataDir, server), { cache: false }))
  try {
    const headers = bearer(key)
    const cells: McpCell[] = []
    for (const one of asked) {
      progress(`measuring the tool ${one.tool}`)
      cells.push({ tool: one.tool, report: one.report, ...(await timesOf(one, worker.url, headers, runs)) })
    }
    const { tools } = await message<{ tools: object[] }>(worker.url, headers, 'tools/list', {})
    progress('starting the Worker with and without tools')
    return {
      ...{ runs, cells, listed: Buffer.byteLength(JSON.stringify(tools)) },
      withTools: await costOf(dataDir),
      without: await costOf(await withoutTools(`${dataDir}/without-tools`)),
    }
  } finally {
    await worker.close()
  }
}

/** Asks the tool and its report in turn, over ranges of which no two are equal. */
async function timesOf(
  { tool, given, report, query }: (typeof asked)[number],
  url: string,
  headers: Headers,
  runs: number,
): Promise<Pick<McpCell, 'called' | 'plain'>> {
  const times = { called: [] as number[], plain: [] as number[] }
  for (let round = 0; round < warmUps + runs; round++) {
    const [startAt, endAt] = [to - day, to - 2 * round]
    const range = { startAt: new Date(startAt).toISOString(), endAt: new Date(endAt).toISOString() }
    const called = await timed(async () => {
      const call = { name: tool, arguments: { websiteId: smallest, ...range, ...given } }
      const { isError, structuredContent } = await message<Called>(url, headers, 'tools/call', call)
      if (isError) throw new Error(`${tool} answered ${JSON.stringify(structuredContent)}`)
    })
    const plain = await timed(async () => {
      const parameters = { startAt: `${startAt}`, endAt: `${endAt - 1}`, timezone: 'UTC', ...texts(query) }
      const path = `${url}/api/websites/${smallest}/${report}?${new URLSearchParams(parameters)}`
      const response = await fetch(path, { headers })
      const body = await response.text()
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${body}`)
      JSON.parse(body)
    })
    if (round < warmUps) continue
    times.called.push(called)
    times.plain.push(plain)
  }
  return { called: median(times.called), plain: median(times.plain) }
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

async function costOf(dataDir: string): Promise<WorkerCost> {
  const code = readFileSync(`${places(dataDir).bundle}/worker.js`)
  return { size: gzipSync(code).length, start: (await startUp(dataDir)).milliseconds }
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
