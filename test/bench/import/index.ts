import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { ClickHouseClient } from '@clickhouse/client-web'
import type { Server } from '../../../src/clickhouse/server.ts'
import { LogClock } from '../../../src/collect/clock.ts'
import { insertRows } from '../../../src/collect/insert.ts'
import { root } from '../../../src/local/paths.ts'
import { startClickHouse } from '../../../src/local/storage/clickhouse.ts'
import { migrateEvents } from '../../../src/local/storage/migrations.ts'
import { runPostgres } from '../../support/postgres.ts'
import { day, rowsOf, settled, to } from '../data.ts'
import { clientOf } from '../data-set.ts'
import { ask, timed } from '../measure.ts'
import { type Column, fixed, type Section, table, whole } from '../print.ts'
import { residentMiB } from '../processes.ts'
import { fillClickHouse, fillPostgres, origin } from './sources.ts'

/** The cost of one way of writing the events. */
interface Cell {
  readonly way: string
  /** Events per second. */
  readonly rate: number
  /** The command's peak memory, in MiB. */
  readonly memory: number | undefined
}

type Progress = (line: string) => void

/** Imports the same rows with one writer into `ingest`, and with the command from both of Umami's stores. */
export async function imports(dir: string, events: number, progress: Progress): Promise<Section> {
  rmSync(dir, { recursive: true, force: true })
  // PostgreSQL may run as another user, who must be able to read the files.
  const folder = mkdtempSync(`${tmpdir()}/weir-bench-`)
  chmodSync(folder, 0o777)
  const { client, server, close } = await startClickHouse(dir, 0)
  const postgres = await runPostgres('256MB')
  try {
    await migrateEvents(client, server)
    progress('import: rows for ClickHouse')
    const made = await fillClickHouse(clientOf(server), events)
    progress('import: rows for PostgreSQL')
    const url = await fillPostgres(postgres, clientOf(server), folder)
    const measured = measuring(server, made, progress)
    const cells = [
      await measured('ingest, one writer', (target) => byOneWriter(target, folder)),
      await measured('from ClickHouse', (target) => byCommand(target, withCredentials(server), dir)),
      await measured('from PostgreSQL', (target) => byCommand(target, url, dir)),
    ]
    const columns: Column<Cell>[] = [
      { heading: 'way', isText: true, write: ({ way }) => way },
      { heading: 'events a second', write: ({ rate }) => whole(rate) },
      { heading: 'of ingest', write: ({ rate }) => fixed(rate / cells[0]!.rate, 2) },
      { heading: 'memory, MiB', write: ({ memory }) => (memory === undefined ? '' : whole(memory)) },
    ]
    const how = `${whole(made)} events of 50 websites, in inserts of ${whole(batch)} rows. The command with its start.`
    return { heading: 'Import', how, page: [table(columns, cells)], more: [], found: cells }
  } finally {
    await postgres.close()
    await close()
    rmSync(folder, { recursive: true })
  }
}

/** Measures one way into a separate database, which is dropped afterwards. */
const measuring =
  (server: Server, events: number, progress: Progress) =>
  async (way: string, write: (target: Server) => Promise<Pick<Cell, 'memory'> & { milliseconds: number }>) => {
    progress(`import: ${way}`)
    const target = { ...server, database: 'import' }
    const client = clientOf(target)
    await migrateEvents(client, target)
    await settled(client, progress)
    const { milliseconds, memory } = await write(target)
    const found = await rowsOf(client, 'select count() as rows from events')
    if (found !== events) throw new Error(`${way}: ${found} events are there, where ${events} should be.`)
    await client.command({ query: 'drop database import' })
    await client.close()
    return { way, rate: (1000 * events) / milliseconds, memory }
  }

/** The number of rows per insert, the same as the command's. */
const batch = 10_000

/** Inserts files one after the other. Like the command, leaves out empty columns. */
async function byOneWriter(target: Server, folder: string) {
  const client = clientOf(target)
  const files = await filesOfRows(client, folder)
  const writer = { writer: target, reader: target, isOneOfSeveral: false, clock: new LogClock() }
  const milliseconds = await timed(async () => {
    for (const file of files) {
      const lines = readFileSync(file)
      await insertRows(writer, 'ingest', lines, createHash('sha256').update(lines).digest('hex'))
    }
  })
  for (const file of files) rmSync(file)
  await client.close()
  return { milliseconds, memory: undefined }
}

/** Writes the rows into files, one for each insert. */
async function filesOfRows(client: ClickHouseClient, folder: string): Promise<readonly string[]> {
  const files: string[] = []
  let waiting: string[] = []
  for (let from = to - 366 * day; from <= to; from += day) {
    const query = `select * from ${origin}.given
      where created_at >= fromUnixTimestamp64Milli({from:Int64}) and created_at < fromUnixTimestamp64Milli({to:Int64})
      order by created_at`
    const { data } = await ask(client, { query, query_params: { from, to: from + day } })
    waiting.push(...(data as object[]).map(line))
    for (; waiting.length >= batch || (from + day > to && waiting.length > 0); waiting = waiting.slice(batch)) {
      files.push(`${folder}/${files.length}.json`)
      writeFileSync(files.at(-1)!, waiting.slice(0, batch).join('\n'))
    }
  }
  return files
}

const isEmpty = (value: unknown): boolean =>
  value === '' || value === null || (Array.isArray(value) && value.length === 0)

const line = (row: object): string =>
  JSON.stringify(Object.fromEntries(Object.entries(row).filter(([, value]) => !isEmpty(value))))

function withCredentials({ url, username, password }: Server): string {
  const made = new URL(url)
  Object.assign(made, { username, password })
  made.searchParams.set('database', origin)
  return made.href
}

async function byCommand(target: Server, from: string, dir: string) {
  const words = ['import', 'umami', '--from', from, '--events', '--state', `${dir}/state`, '--data-dir', dir]
  const { url, username, password, database } = target
  const env = { CLICKHOUSE_URL: url, CLICKHOUSE_USER: username, CLICKHOUSE_PASSWORD: password }
  let memory = 0
  const milliseconds = await timed(async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'src/local/command-line.ts', ...words], {
      ...{ cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
      env: { ...process.env, ...env, CLICKHOUSE_DATABASE: database },
    })
    const looking = setInterval(() => {
      memory = Math.max(memory, residentMiB(child.pid, 'VmHWM') || 0)
    }, 100)
    const code = await new Promise((resolve) => child.once('close', resolve))
    clearInterval(looking)
    if (code !== 0) throw new Error(`The import ended with ${code}.`)
  })
  rmSync(`${dir}/state`, { force: true })
  return { milliseconds, memory }
}
