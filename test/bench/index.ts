import { mkdirSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client-web'
import { type ClickHouse, startClickHouse } from '../../src/local/clickhouse.ts'
import { createKey } from '../../src/local/metadata.ts'
import { migrateEvents, migrateMetadata } from '../../src/local/migrations.ts'
import { defaultDataDir } from '../../src/local/paths.ts'
import { startWorker } from '../../src/local/workerd.ts'
import { metadata } from '../../src/metadata/metadata.ts'
import { eventIdsOf, filled, settled, tableSizes, to, websiteIds, websiteRows } from './data.ts'
import { machine } from './machine.ts'
import { type Cell, measured, mostRead, type Ways } from './measure.ts'
import { memoryOver } from './memory.ts'
import { type Findings, report } from './report.ts'
import { type Case, casesOf } from './requests.ts'
import { targets } from './targets.ts'

const help = `npm run bench -- [flags]

  --events N       events of the data (5000000); the largest of its 50 websites holds 40 %
  --data-dir DIR   where the data is kept, made once (.weir/bench)
  --runs N         measured runs of each cell (31)
  --only TEXT      only endpoints whose name contains this, and no memory
  --json FILE      writes everything that was found there too

Compares each endpoint through the Worker with its statements sent straight to ClickHouse.`

interface Flags {
  readonly events: number
  readonly dataDir: string
  readonly runs: number
  readonly only: string | undefined
  readonly json: string | undefined
}

function flags(): Flags {
  const { values } = parseArgs({
    options: {
      events: { type: 'string', default: '5000000' },
      'data-dir': { type: 'string', default: `${defaultDataDir}/bench` },
      runs: { type: 'string', default: '31' },
      only: { type: 'string' },
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
  try {
    await migrateEvents(clickhouse.client, clickhouse.server)
    const where = await machine(clickhouse.client)
    const filling = await filled(clickhouse.client, `${given.dataDir}/filled.json`, given.events, progress)
    await settled(clickhouse.client, progress)
    const tables = await tableSizes(clickhouse.client)
    return { machine: where, filling, tables, runs: given.runs, lookups, ...(await throughBoth(clickhouse, given)) }
  } finally {
    await clickhouse.close()
  }
}

type Compared = Pick<Findings, 'websiteRows' | 'cells' | 'lookup' | 'memory' | 'targets'>

async function throughBoth(clickhouse: ClickHouse, given: Flags): Promise<Compared> {
  const ids = websiteIds(given.events)
  const worker = await startWorker(given.dataDir, 0, clickhouse.server)
  const direct = createClient({
    ...clickhouse.server,
    use_multipart_params_auto: true,
    log: { level: ClickHouseLogLevel.OFF },
  })
  try {
    await migrateMetadata(worker.metadata)
    await createWebsites(metadata(worker.metadata, Date.now()), ids)
    const key = await createKey(worker.metadata, 'benchmark', { admin: true }, Date.now())
    return await compared({ worker: { url: worker.url, key }, direct }, ids, given)
  } finally {
    await direct.close()
    await worker.close()
  }
}

async function createWebsites(store: ReturnType<typeof metadata>, ids: readonly string[]): Promise<void> {
  for (const id of ids) await store.createWebsite({ id, name: `Website ${id.slice(-2)}`, domain: 'bench.example' })
}

async function compared(ways: Ways, ids: readonly string[], { only = '', runs }: Flags): Promise<Compared> {
  const [largest, smallest] = [ids[0]!, ids.at(-1)!]
  const all = casesOf(largest, to, await eventIdsOf(ways.direct, largest, lookups))
  const cells = await measuredAll(
    all.filter(({ endpoint }) => endpoint.includes(only)),
    ways,
    runs,
  )
  const lookup = await mostRead(all.at(-1)!, ways, lookups)
  const memory = only === '' ? await memoryOver(await cheapCases(ways, smallest), ways, progress) : undefined
  const rows = await websiteRows(ways.direct, largest)
  return { websiteRows: rows, cells, lookup, memory, targets: targets(cells, rows, lookup, memory) }
}

async function measuredAll(cases: readonly Case[], ways: Ways, runs: number): Promise<Cell[]> {
  const cells: Cell[] = []
  for (const one of cases) {
    progress(`measuring ${one.endpoint} over ${one.range}`)
    cells.push(await measured(one, ways, runs))
  }
  return cells
}

/** Every endpoint over the last day of a small website. */
async function cheapCases({ direct }: Ways, websiteId: string): Promise<Case[]> {
  const cases = casesOf(websiteId, to, await eventIdsOf(direct, websiteId, lookups))
  return cases.filter(({ range }) => range === '24 hours' || range === 'any')
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
