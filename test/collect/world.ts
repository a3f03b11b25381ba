import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client-web'
import { transformSync } from 'esbuild'
import type { Server } from '../../src/clickhouse/server.ts'
import { places, root } from '../../src/local/paths.ts'
import { keptBundle } from '../../src/local/start/kept-bundle.ts'
import { bundled, startBundled, type Workerd } from '../../src/local/start/workerd.ts'
import { check, type Difference } from '../../src/local/storage/check.ts'
import { comparedTables } from '../../src/local/storage/derived.ts'
import { migrateMetadata } from '../../src/local/storage/migrations.ts'
import { rebuild } from '../../src/local/storage/rebuild.ts'
import { reconcile } from '../../src/local/storage/reconcile.ts'
import { clientOf, ownDatabase } from '../support/own-database.ts'

/** A separate Worker with its own D1 and logs, and a database that it shares with the other worlds of this process. */
export interface World {
  readonly url: string
  readonly client: ClickHouseClient
  readonly metadata: Workerd['metadata']
  websites(count: number): Promise<string[]>
  /** The differences that `weir check` finds for its websites. */
  differences(): Promise<Difference[]>
  /** Runs `weir rebuild` for these websites. */
  rebuild(websiteIds: readonly string[]): Promise<void>
  /** Replaces ClickHouse with a double, or restores it if undefined. */
  behave(how: Double | undefined): void
  /** Restarts workerd. From then on, it also has these variables. */
  restart(bindings?: Bindings): Promise<void>
  close(): Promise<void>
}

/** A ClickHouse double. `body` is the request's body. `pass` forwards to ClickHouse, with this token if given. */
export type Double = (
  body: string,
  response: ServerResponse,
  pass: (token?: string) => Promise<Answered>,
) => Promise<void>

interface Answered {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly text: string
}

type Bindings = Readonly<Record<string, string | number>>

/**
 * Starts a world. `around` is a file in this folder, with a Worker that changes how the usual one runs. `other` is
 * another ClickHouse database.
 */
export async function world(around?: string, given: Bindings = {}, other?: Server): Promise<World> {
  let bindings = given
  const dataDir = mkdtempSync(`${tmpdir()}/weir-collect-`)
  mkdirSync(places(dataDir).bundle)
  if (!other) inProcess.weirServer ??= newDatabase()
  const [server] = await Promise.all([other ?? inProcess.weirServer!, keptBundle(places(dataDir).bundle)])
  const client = clientOf(server)
  let behave: Double = passing
  const double = createServer((request, response) => {
    void text(request)
      .then((body) =>
        behave(body, response, (token) => asked(withToken(server.url + request.url, token), request, body)),
      )
      .catch(() => response.destroy())
  }).listen(0, '127.0.0.1')
  await once(double, 'listening')
  const options = bundled(dataDir, 0, { ...server, url: `http://127.0.0.1:${(double.address() as AddressInfo).port}` })
  const modules = around === undefined ? options.modules : [moduleOf(around), ...options.modules]
  const start = () => startBundled({ ...options, modules, bindings: { ...options.bindings, ...bindings } })
  let worker = await start()
  await migrateMetadata(worker.metadata)
  const own: string[] = []
  return {
    get url() {
      return worker.url
    },
    client,
    get metadata() {
      return worker.metadata
    },
    async websites(count) {
      const ids = Array.from({ length: count }, () => randomUUID())
      const insert = worker.metadata.prepare(
        `INSERT INTO websites (id, name, domain, search, created_at, updated_at) VALUES (?1, '', '', '', 0, 0)`,
      )
      await worker.metadata.batch(ids.map((id) => insert.bind(id)))
      own.push(...ids)
      return ids
    },
    differences: () => differencesIn(client, own),
    async rebuild(websiteIds) {
      for (const table of comparedTables)
        await (table.beside === undefined ? rebuild : reconcile)(client, table, { websiteIds })
    },
    behave(how = passing) {
      behave = how
    },
    async restart(more = {}) {
      await worker.close()
      bindings = { ...bindings, ...more }
      worker = await start()
    },
    async close() {
      await worker.close()
      double.closeAllConnections()
      double.close()
      await client.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const inProcess = globalThis as { weirServer?: Promise<Server> }

/** A database whose entry table refuses events with the tag `refused`. Its migration takes a second. */
async function newDatabase(): Promise<Server> {
  const folder = mkdtempSync(`${tmpdir()}/weir-sql-`)
  cpSync(`${root}/sql/events`, folder, { recursive: true })
  const file = `${folder}/0001_ingest.sql`
  const constraint = "CONSTRAINT tag_is_taken CHECK tag != 'refused',"
  writeFileSync(file, readFileSync(file, 'utf8').replace(/(?=CONSTRAINT website_id_is_given)/, `${constraint}\n    `))
  const server = await ownDatabase(folder)
  rmSync(folder, { recursive: true })
  return server
}

/** A module that replaces the usual Worker by the one in this file of this folder. */
function moduleOf(file: string) {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8').replace('../../src/worker.ts', './worker.js')
  return { type: 'ESModule' as const, path: '/around.js', contents: transformSync(text, { loader: 'ts' }).code }
}

/** Forwards to ClickHouse. */
export const passing: Double = async (_, response, pass) => {
  const { status, headers, text } = await pass()
  response.writeHead(status, headers).end(text)
}

const withToken = (url: string, token: string | undefined): string =>
  token === undefined ? url : url.replace(/(?<=insert_deduplication_token=)[^&]*/, token)

async function asked(url: string, { method, headers }: IncomingMessage, body: string): Promise<Answered> {
  const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...sent } = headers
  const answer = await fetch(url, { method: method!, headers: sent as Record<string, string>, body })
  const own = [...answer.headers].filter(([name]) => name.startsWith('x-clickhouse'))
  return { status: answer.status, headers: Object.fromEntries(own), text: await answer.text() }
}

/** Polls until the result is not `undefined`. Throws after this many minutes. */
export async function until<Answer>(ask: () => Promise<Answer | undefined>, minutes = 1): Promise<Answer> {
  const end = Date.now() + minutes * 60_000
  for (;;) {
    const answer = await ask()
    if (answer !== undefined) return answer
    if (Date.now() > end) throw new Error(`This did not come true in time: ${ask}`)
    await pause(200)
  }
}

/** The differences that `check` finds in all tables, for these websites or all. */
export async function differencesIn(client: ClickHouseClient, websiteIds: readonly string[] = []) {
  const found: Difference[] = []
  for (const table of comparedTables) found.push(...(await check(client, table, { websiteIds })))
  return found
}
