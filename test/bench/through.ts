import { rmSync } from 'node:fs'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client-web'
import { settingsFor } from '../../src/clickhouse/query.ts'
import type { Server } from '../../src/clickhouse/server.ts'
import { places } from '../../src/local/paths.ts'
import { bundle } from '../../src/local/start/bundle.ts'
import { startBundled, type Workerd } from '../../src/local/start/workerd.ts'
import { createKey } from '../../src/local/storage/metadata.ts'
import { migrateMetadata } from '../../src/local/storage/migrations.ts'
import { metadata } from '../../src/metadata/metadata.ts'
import { ofOperator } from '../../src/metadata/websites.ts'
import { type AccessFindings, accessCosts } from './access.ts'
import { type Concurrent, concurrently } from './concurrent.ts'
import { eventIdsOf, largest, smallest, to, websiteIds, websiteRows } from './data.ts'
import type { DataSet } from './datasets.ts'
import { type Exported, exported } from './export.ts'
import type { Flags, Part } from './flags.ts'
import { type CacheFindings, hitCosts } from './hits.ts'
import { inspectedWorker } from './inspected-worker.ts'
import { type McpFindings, mcpCosts } from './mcp.ts'
import { type Cell, measured, mostRead, type Scan, type Ways } from './measure.ts'
import { type Memory, memoryOver } from './memory.ts'
import { type Openings, openingsOf } from './openings.ts'
import { type Case, casesOf } from './requests.ts'
import { shipped } from './shipped.ts'
import { type StartUp, startUp } from './start-up.ts'

/** The endpoints through the Worker, and directly. */
export interface Endpoints {
  readonly websiteRows: number
  readonly runs: number
  readonly cells: readonly Cell[]
  readonly lookups: number
  /** The costliest look-up by id. */
  readonly lookup: Scan
}

/** The results for the Worker; a part that did not run is undefined. */
export interface ThroughWorker {
  readonly endpoints: Endpoints | undefined
  readonly concurrent: Concurrent | undefined
  readonly access: AccessFindings | undefined
  readonly cache: CacheFindings | undefined
  readonly exported: Exported | undefined
  readonly memory: Memory | undefined
  readonly startUp: StartUp | undefined
  readonly openings: Openings | undefined
  readonly mcp: McpFindings | undefined
}

type Progress = (line: string) => void

/** The number of look-ups to find the costliest, and the number of ids, so that no two requests are equal. */
const lookups = 500
const ids = 5000

const nothing: ThroughWorker = {
  endpoints: undefined,
  concurrent: undefined,
  access: undefined,
  cache: undefined,
  exported: undefined,
  memory: undefined,
  startUp: undefined,
  openings: undefined,
  mcp: undefined,
}

const parts = [
  ...(['endpoints', 'concurrent', 'access', 'cache', 'export', 'memory'] as const),
  ...(['start-up', 'openings', 'mcp'] as const),
]

export async function throughWorker(set: DataSet, given: Flags, progress: Progress): Promise<ThroughWorker> {
  if (!parts.some(given.wants)) return nothing
  const dir = `${given.dataDir}/worker`
  rmSync(dir, { recursive: true, force: true })
  const { server } = set
  const cases = casesOf(largest, to, await eventIdsOf(set.layouts, largest, ids))
  const small = casesOf(smallest, to, await eventIdsOf(set.layouts, smallest, lookups))
  const { key, endpoints, concurrent } = await withWorker(dir, server, async ({ url, metadata }) => {
    const key = await websitesAndKey(metadata, websiteIds)
    const beside = await besideDirect(set, cases, { url, key }, given, progress)
    return { key, ...beside }
  })
  const only = async <Found>(part: Part, work: () => Promise<Found>) => (given.wants(part) ? work() : undefined)
  return {
    endpoints,
    concurrent,
    access: await only('access', () => accessOf(dir, server, { cases, small, key }, given, progress)),
    cache: await only('cache', () => hitCosts(dir, server, { cases: cachedOf(cases, small), key }, progress)),
    exported: await only('export', () => exported(set, { workerDir: dir, key, rows: given.exportRows }, progress)),
    memory: await only('memory', () => memoryOfWorker(dir, server, key, cheapPaths(small), progress)),
    startUp: await only('start-up', () => startUp(dir)),
    openings: await only('openings', () => openingsOf(`${given.dataDir}/openings`, progress)),
    mcp: await only('mcp', () => mcpCosts(dir, server, { key, runs: given.runs }, progress)),
  }
}

/**
 * The Worker as it ships, without the platform's cache. Miniflare's stand-in for that cache runs in the Worker's own
 * process and takes as long for a new answer as the Worker itself.
 */
export async function withWorker<Found>(
  dataDir: string,
  server: Server,
  work: (worker: Workerd) => Promise<Found>,
): Promise<Found> {
  await bundle(places(dataDir).bundle)
  const worker = await startBundled(Object.assign(shipped(dataDir, server), { cache: false }))
  try {
    return await work(worker)
  } finally {
    await worker.close()
  }
}

/** Creates websites and an admin key. */
export async function websitesAndKey(database: Workerd['metadata'], websiteIds: readonly string[]): Promise<string> {
  await migrateMetadata(database)
  const store = metadata(database, Date.now())
  for (const id of websiteIds)
    await store.websites.create({ id, name: `Website ${id.slice(-2)}`, domain: 'bench.example', ...ofOperator })
  return createKey(database, 'benchmark', { admin: true, access: 'write' }, Date.now())
}

/** Compares with the bare statements: one request at a time, and many concurrent ones. */
async function besideDirect(
  set: DataSet,
  all: readonly Case[],
  worker: Ways['worker'],
  { wants, wantsEndpoint, runs }: Flags,
  progress: Progress,
): Promise<Pick<ThroughWorker, 'endpoints' | 'concurrent'>> {
  const { timeout, ...connection } = set.server
  const direct = createClient({
    ...connection,
    clickhouse_settings: settingsFor({ timeout }),
    use_multipart_params_auto: true,
    log: { level: ClickHouseLogLevel.OFF },
  })
  const cases = all.filter(({ endpoint }) => wantsEndpoint(endpoint))
  try {
    return {
      endpoints: wants('endpoints')
        ? await endpointsOf(set, all, cases, { worker, direct }, runs, progress)
        : undefined,
      concurrent: wants('concurrent') ? await concurrently(cases, { worker, direct }, progress) : undefined,
    }
  } finally {
    await direct.close()
  }
}

async function endpointsOf(
  { layouts }: DataSet,
  all: readonly Case[],
  cases: readonly Case[],
  ways: Ways,
  runs: number,
  progress: Progress,
): Promise<Endpoints> {
  const cells: Cell[] = []
  for (const one of cases) {
    progress(`measuring ${one.endpoint} over ${one.range}`)
    cells.push(await measured(one, ways, runs))
  }
  const lookup = await mostRead(all.at(-1)!, ways, lookups)
  return { websiteRows: await websiteRows(layouts, largest), runs, cells, lookups, lookup }
}

const caseOf = (cases: readonly Case[], endpoint: string, range: string): Case =>
  cases.find((one) => one.endpoint === endpoint && one.range === range)!

/** The number of pairs per run of a cell: this measures a far smaller effect. */
const pairsPerRun = 32

interface Cases {
  readonly cases: readonly Case[]
  readonly small: readonly Case[]
  readonly key: string
}

/** The cost of the access check, relative to one of the cheapest reports and to a page of a month. */
function accessOf(
  dataDir: string,
  server: Server,
  { cases, small, key }: Cases,
  { runs }: Flags,
  progress: Progress,
): Promise<AccessFindings> {
  const asked = [caseOf(small, 'event-data/stats', '24 hours'), caseOf(cases, 'events', '30 days')]
  return accessCosts(dataDir, server, { cases: asked, key, pairs: pairsPerRun * runs }, progress)
}

/** A short answer, and a page. */
const cachedOf = (cases: readonly Case[], small: readonly Case[]): Case[] => [
  caseOf(small, 'event-data/stats', '24 hours'),
  caseOf(cases, 'events', '30 days'),
]

/**
 * Requests to every endpoint of a small website, hardly any two equal: over a day, or over a year with large pages.
 * Their answers fill the Worker's memory cache long before the end.
 */
function cheapPaths(small: readonly Case[]): string[] {
  const cheap = small.filter(({ range, isPaged }) => range === (isPaged ? '12 months' : '24 hours') || range === 'any')
  const pathOf = ({ isPaged, request }: Case, round: number) => request(round).path + (isPaged ? '&pageSize=100' : '')
  return Array.from({ length: 1000 }, (_, round) => cheap.map((one) => pathOf(one, round))).flat()
}

async function memoryOfWorker(
  dataDir: string,
  server: Server,
  key: string,
  paths: readonly string[],
  progress: Progress,
): Promise<Memory | undefined> {
  const worker = await inspectedWorker(dataDir, server)
  try {
    return worker && (await memoryOver(worker, key, paths, progress))
  } finally {
    await worker?.close()
  }
}
