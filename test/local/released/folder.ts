import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { strFromU8, unzipSync } from 'fflate'
import { parse } from 'smol-toml'
import { CsvReader } from '../../../src/local/import/csv.ts'
import { places, root } from '../../../src/local/paths.ts'
import { keptBundle } from '../../../src/local/start/kept-bundle.ts'
import { startOnLogs } from '../../../src/local/start/logs.ts'
import { bundled, startBundled, type Workerd } from '../../../src/local/start/workerd.ts'
import { type ClickHouse, startClickHouse } from '../../../src/local/storage/clickhouse.ts'
import { migrateEvents, migrateMetadata } from '../../../src/local/storage/migrations.ts'
import { writeSharedMetadata } from '../../../src/local/storage/shared-metadata.ts'
import { version } from '../../../src/version.ts'

/** What a release freezes, in `<version>.json`. */
export interface Frozen {
  readonly version: string
  /** The SHA-256 of each file of `sql/events` and `sql/metadata`, by path. */
  readonly sql: Readonly<Record<string, string>>
  /** `migrations` of `wrangler.toml`: later ones are added at the end. */
  readonly migrations: readonly unknown[]
}

/** Everything about a released version's data folder that a later version has to preserve. */
export interface Manifest {
  readonly version: string
  /** An admin's key. */
  readonly key: string
  readonly signIn: { readonly username: string; readonly password: string }
  /** A user with a second factor, and its secret in base32. */
  readonly second: Manifest['signIn'] & { readonly secret: string }
  /** Requests about rows that the log had not yet sent to ClickHouse, with a part of their answers once it has. */
  readonly waiting: readonly Asked[]
  readonly asked: readonly Asked[]
}

/** A request. */
export interface Question {
  readonly path: string
  /** By default POST with a body, and GET without. */
  readonly method?: 'POST' | 'DELETE'
  readonly body?: object
  readonly accept?: string
  /** A key other than the admin's; empty: none. */
  readonly key?: string
  /** The status of a refusal. */
  readonly status?: number
}

/** A request, and the answer that the released version gave. */
export interface Asked extends Question {
  readonly answer: unknown
}

/** The files that a release freezes, relative to the checkout. */
const frozenIn = (checkout: string): string[] =>
  ['sql/events', 'sql/metadata'].flatMap((folder) =>
    readdirSync(`${checkout}/${folder}`)
      .sort()
      .map((name) => `${folder}/${name}`),
  )

const hashOf = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex')

/** What a release of this checkout freezes. */
export function frozenNow(): Frozen {
  const sql = Object.fromEntries(frozenIn(root).map((path) => [path, hashOf(`${root}/${path}`)]))
  const { migrations } = parse(readFileSync(`${root}/wrangler.toml`, 'utf8')) as unknown as Pick<Frozen, 'migrations'>
  return { version, sql, migrations }
}

/** The files of a release that a checkout lacks, or has with another content. */
export const touched = ({ sql }: Pick<Frozen, 'sql'>, checkout = root): string[] =>
  Object.keys(sql).filter((path) => {
    const file = `${checkout}/${path}`
    return !existsSync(file) || hashOf(file) !== sql[path]
  })

/** Weir on a data folder. */
export interface Started {
  readonly clickhouse: ClickHouse
  readonly url: string
  readonly metadata: Workerd['metadata']
  /** The migrations that this start applied. */
  readonly applied: readonly string[]
  /** Replaces the Worker by this code, as a rollback does. Returns its URL. */
  rollBack(code: string): Promise<string>
  close(): Promise<void>
}

/**
 * Starts this version on a data folder, in the same order as `npm start`, but without its regular work, which would
 * delete old recordings. A log sends its events after a second.
 */
export async function startFolder(dataDir: string): Promise<Started> {
  const clickhouse = await startClickHouse(dataDir, 0)
  const events = await migrateEvents(clickhouse.client, clickhouse.server)
  await keptBundle(places(dataDir).bundle)
  const startWorker = async (code?: string): Promise<Workerd> => {
    const options = bundled(dataDir, 0, clickhouse.server)
    const modules = options.modules.map((one) => (code === undefined ? one : { ...one, contents: code }))
    const bindings = { ...options.bindings, CHAINS_FROM: 1, COLLECT_PATIENCE: 1, CHECK_LOGS: true }
    const worker = await startOnLogs(dataDir, () => startBundled({ ...options, modules, bindings }), console.error)
    writeSharedMetadata(places(dataDir).sharedMetadata, { ...worker.sharedMetadata, api: worker.url })
    return worker
  }
  let worker = await startWorker()
  const applied = [...events, ...(await migrateMetadata(worker.metadata))]
  return {
    ...{ clickhouse, url: worker.url, metadata: worker.metadata, applied },
    async rollBack(code) {
      await worker.close()
      worker = await startWorker(code)
      return worker.url
    },
    async close() {
      await worker.close()
      rmSync(places(dataDir).sharedMetadata, { force: true })
      await clickhouse.close()
    },
  }
}

/** The records of a CSV file, by the names of their columns. */
function recordsOf(csv: string): object[] {
  const rows: (readonly (string | null)[])[] = []
  const reader = new CsvReader((fields) => rows.push(fields))
  reader.push(csv)
  reader.end()
  const [names = [], ...records] = rows
  return records.map((fields) => Object.fromEntries(names.map((name, place) => [name, fields[place]])))
}

/**
 * The JSON of an answer or of its lines, the records of CSV, or the lines of other formats. Files in a ZIP are
 * unpacked. A refusal's code. Throws if the answer has another status.
 */
export async function ask(url: string, adminKey: string, question: Question): Promise<unknown> {
  const { path, body, method = body ? 'POST' : 'GET', accept, key = adminKey, status = 200 } = question
  const headers = {
    ...(key !== '' && { authorization: `Bearer ${key}` }),
    ...(accept !== undefined && { accept }),
    'content-type': 'application/json',
  }
  const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const text = await response.text()
  if (response.status !== status) throw new Error(`${path}: ${response.status}, not ${status}: ${text}`)
  if (status !== 200) return JSON.parse(text).error.code
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('application/x-ndjson')) return text.split('\n').map((line) => line && JSON.parse(line))
  if (type.startsWith('text/csv')) return recordsOf(text)
  if (!type.startsWith('application/json')) return text.split('\n')
  const answer = JSON.parse(text) as { zip?: string }
  if (typeof answer?.zip !== 'string') return answer
  const files = Object.entries(unzipSync(Buffer.from(answer.zip, 'base64')))
  return Object.fromEntries(files.map(([name, bytes]) => [name, recordsOf(strFromU8(bytes))]))
}
