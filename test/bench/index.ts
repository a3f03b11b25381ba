import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client-web'
import { settingsFor } from '../../src/clickhouse/run.ts'
import type { Server } from '../../src/clickhouse/server.ts'
import { type ClickHouse, startClickHouse } from '../../src/local/clickhouse.ts'
import { createKey } from '../../src/local/metadata.ts'
import { migrateEvents, migrateMetadata } from '../../src/local/migrations.ts'
import { defaultDataDir } from '../../src/local/paths.ts'
import { startWorker, type Workerd } from '../../src/local/workerd.ts'
import { metadata } from '../../src/metadata/metadata.ts'
import { ofOperator } from '../../src/metadata/websites.ts'
import { type AccessFindings, accessCosts } from './access.ts'
import { eventIdsOf, filled, settled, tableSizes, to, websiteIds, websiteRows } from './data.ts'
import { inspectedWorker } from './inspected-worker.ts'
import { machine } from './machine.ts'
import { type Cell, measured, mostRead, type Scan, type Ways } from './measure.ts'
import { type Memory, memoryOver } from './memory.ts'
import { type BesideCell, besideEachOther, checkSame, type Layouts, naiveClient } from './naive/beside.ts'
import { gridOf, pageSize } from './naive/grid.ts'
import { type Findings, report } from './report.ts'
import { type Case, casesOf } from './requests.ts'
import { targets } from './targets.ts'

const help = `npm run bench -- [flags]

  --events N       events of the data (5000000); the largest of its 50 websites holds 40 %
  --data-dir DIR   where the data is kept, made once (.weir/bench)
  --runs N         measured runs of each cell (31)
  --only TEXT      only endpoints whose name contains this, and no memory; "access": the access check alone; "naive":
                   the comparison of layouts alone
  --json FILE      writes everything that was found there too

Compares each endpoint through the Worker with its statements sent straight to ClickHouse, and Weir's storage with the
layout that most who host analytics themselves have (test/bench/naive), filled with the same events.`

interface Flags {
  readonly events: number
  readonly dataDir: string
  readonly runs: number
  readonly only: string
  readonly json: string | undefined
}

function flags(): Flags {
  const { values } = parseArgs({
    options: {
      events: { type: 'string', default: '5000000' },
      'data-dir': { type: 'string', default: `${defaultDataDir}/bench` },
      runs: { type: 'string', default: '31' },
      only: { type: 'string', default: '' },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(help)
    process.exit(0)
  }
  return {
    events: wholeNumber('--events', values.events),
    dataDir: resolve(values['data-dir']),
    runs: wholeNumber('--runs', values.runs),
    only: values.only,
    json: values.json,
  }
}

function wholeNumber(flag: string, text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text)
  throw new Error(`${flag} must be a whole number from 1, not ${text}.`)
}

/** How many ids are looked up to find the costliest. */
const lookups = 500

async function bench(given: Flags): Promise<Findings> {
  mkdirSync(given.dataDir, { recursive: true })
  const clickhouse = await startClickHouse(given.dataDir, 0)
  const closers = [clickhouse.close]
  try {
    await migrateEvents(clickhouse.client, clickhouse.server)
    const where = await machine(clickhouse.client)
    const layouts = { weir: clickhouse.client, naive: await naiveClient(clickhouse.server, clickhouse.client) }
    closers.push(() => layouts.naive.close())
    const filling = await filled(layouts, `${given.dataDir}/filled.json`, given.events, progress)
    await settled(clickhouse.client, progress)
    const tables = await tableSizes(clickhouse.client)
    const naive = await besideNaive(layouts, given)
    const through = await throughBoth(clickhouse, given)
    return { machine: where, filling, tables, runs: given.runs, lookups, naive, ...through }
  } finally {
    for (const close of closers.splice(0)) await close()
  }
}

/** What a cell beside the naive layout is measured: its statements take long, and the ratios are large. */
const naiveRuns = 5

/** Every cell of the grid on the largest website, in both layouts. */
async function besideNaive(layouts: Layouts, { events, only }: Flags): Promise<Findings['naive']> {
  if (!'naive'.includes(only)) return undefined
  const websiteId = websiteIds(events)[0]!
  const cells: BesideCell[] = []
  for (const cell of gridOf(websiteId, to, await eventIdsOf(layouts.weir, websiteId, lookups))) {
    progress(`beside the naive layout: ${cell.endpoint} over ${cell.range}`)
    await checkSame(cell, layouts, pageSize)
    cells.push(await besideEachOther(cell, layouts, naiveRuns))
  }
  return { runs: naiveRuns, cells, tables: await tableSizes(layouts.naive) }
}

type Compared = Pick<Findings, 'websiteRows' | 'cells' | 'lookup' | 'access' | 'memory' | 'targets'>

async function throughBoth({ server }: ClickHouse, given: Flags): Promise<Compared> {
  const { timeout, ...connection } = server
  const direct = createClient({
    ...connection,
    clickhouse_settings: settingsFor(timeout),
    use_multipart_params_auto: true,
    log: { level: ClickHouseLogLevel.OFF },
  })
  const ids = websiteIds(given.events)
  const [largest, smallest] = [ids[0]!, ids.at(-1)!]
  const workerDir = `${given.dataDir}/worker`
  rmSync(workerDir, { recursive: true, force: true })
  try {
    const { key, cells, lookup } = await withWorker(workerDir, server, async ({ url, metadata }) => {
      const key = await websitesAndKey(metadata, ids)
      return { key, ...(await compared({ worker: { url, key }, direct }, largest, given)) }
    })
    const access = await accessOf(workerDir, server, { key, largest, smallest }, given)
    const paths = await cheapPaths(direct, smallest)
    const memory = given.only === '' ? await memoryOfWorker(workerDir, server, key, paths) : undefined
    const rows = await websiteRows(direct, largest)
    return { websiteRows: rows, cells, lookup, access, memory, targets: targets(cells, rows, lookup, memory, access) }
  } finally {
    await direct.close()
  }
}

async function withWorker<Found>(
  dataDir: string,
  server: Server,
  work: (worker: Workerd) => Promise<Found>,
): Promise<Found> {
  const worker = await startWorker(dataDir, 0, server)
  try {
    return await work(worker)
  } finally {
    await worker.close()
  }
}

/** Creates the websites and an admin key. */
async function websitesAndKey(database: Workerd['metadata'], ids: readonly string[]): Promise<string> {
  await migrateMetadata(database)
  const store = metadata(database, Date.now())
  for (const id of ids)
    await store.websites.create({ id, name: `Website ${id.slice(-2)}`, domain: 'bench.example', ...ofOperator })
  return createKey(database, 'benchmark', { admin: true }, Date.now())
}

async function compared(
  ways: Ways,
  websiteId: string,
  { only, runs }: Flags,
): Promise<{ cells: Cell[]; lookup: Scan }> {
  const all = casesOf(websiteId, to, await eventIdsOf(ways.direct, websiteId, lookups))
  const cells = await measuredAll(
    all.filter(({ endpoint }) => endpoint.includes(only)),
    ways,
    runs,
  )
  return { cells, lookup: await mostRead(all.at(-1)!, ways, lookups) }
}

async function measuredAll(cases: readonly Case[], ways: Ways, runs: number): Promise<Cell[]> {
  const cells: Cell[] = []
  for (const one of cases) {
    progress(`measuring ${one.endpoint} over ${one.range}`)
    cells.push(await measured(one, ways, runs))
  }
  return cells
}

/** Every endpoint over the last day of a small website, a few requests of each. */
async function cheapPaths(direct: ClickHouseClient, websiteId: string): Promise<string[]> {
  const cases = casesOf(websiteId, to, await eventIdsOf(direct, websiteId, lookups))
  const cheap = cases.filter(({ range }) => range === '24 hours' || range === 'any')
  return Array.from({ length: 200 }, (_, round) => cheap.map(({ request }) => request(round).path)).flat()
}

/** Pairs for each of the runs of a cell: what is looked for here is far smaller. */
const pairsPerRun = 32

/** The cost of the access check beside what is as cheap as a report can be, and beside a page of a month. */
async function accessOf(
  dataDir: string,
  server: Server,
  { key, largest, smallest }: Readonly<Record<'key' | 'largest' | 'smallest', string>>,
  { only, runs }: Flags,
): Promise<AccessFindings | undefined> {
  if (!'access'.includes(only)) return undefined
  const cheap = casesOf(smallest, to, [largest]).find((one) => one.endpoint === 'event-data/stats')!
  const typical = casesOf(largest, to, [largest]).find((one) => one.endpoint === 'events' && one.range === '30 days')!
  return accessCosts(dataDir, server, { cases: [cheap, typical], key, pairs: pairsPerRun * runs }, progress)
}

async function memoryOfWorker(
  dataDir: string,
  server: Server,
  key: string,
  paths: readonly string[],
): Promise<Memory | undefined> {
  const worker = await inspectedWorker(dataDir, server)
  try {
    return worker && (await memoryOver(worker, key, paths, progress))
  } finally {
    await worker?.close()
  }
}

const progress = (line: string): void => {
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${line}` : `${line}\n`)
}

async function main(): Promise<void> {
  const given = flags()
  const found = await bench(given)
  if (process.stderr.isTTY) progress('')
  console.log(report(found))
  if (given.json !== undefined) writeFileSync(given.json, `${JSON.stringify(found, null, 2)}\n`)
}

main().catch((error: Error) => {
  console.error(`\n${error.message}`)
  process.exitCode = 1
})
