import { createHmac, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { D1Database } from '@cloudflare/workers-types'
import type { Miniflare, WorkerOptions } from 'miniflare'
import { whileBusy } from '../../metadata/busy.ts'
import { explainedFault } from './metadata-file.ts'

/**
 * The address where other processes can use this workerd's D1, because two workerds would lock each other out of the
 * file. It listens on loopback and requires the secret.
 */
export interface SharedMetadata {
  readonly url: string
  readonly secret: string
  /** The URL of the API. */
  readonly api?: string
  /** The host of `CLICKHOUSE_URL`, whose server has the events; undefined for the embedded engine. */
  readonly clickhouse?: string | undefined
}

const name = 'shared-metadata'

/**
 * A Worker that runs all of the statements it receives or none of them, and queries log objects. A caller without the
 * secret can only have a challenge signed, which proves that the Worker knows the secret. The challenge is necessary,
 * because after a restart, another process may listen on the port, and could replay an old proof. The Worker's own
 * class reads copies of logs; in a running Weir, the objects are those of the API.
 */
const script = `import { DurableObject } from 'cloudflare:workers'
class EventLog extends DurableObject {
  rows(query) {
    return this.ctx.storage.sql.exec(query).toArray()
  }
}
export { EventLog }
export default {
  async fetch(request, { METADATA, LOGS, SECRET }) {
    const challenge = request.headers.get('x-challenge')
    if (challenge !== null) {
      const bytes = (text) => new TextEncoder().encode(text)
      const hmac = { name: 'HMAC', hash: 'SHA-256' }
      const key = await crypto.subtle.importKey('raw', bytes(SECRET), hmac, false, ['sign'])
      return new Response(await crypto.subtle.sign(hmac, key, bytes(challenge)))
    }
    if (request.headers.get('authorization') !== 'Bearer ' + SECRET) return new Response(null, { status: 403 })
    try {
      const statements = await request.json()
      const { log, query } = statements
      if (log !== undefined) {
        const object = LOGS.get(LOGS.idFromString(log))
        return Response.json((await (query ? object.rows(query) : object.fault())) ?? null)
      }
      const prepared = statements.map(({ query, values }) => METADATA.prepare(query).bind(...values))
      return Response.json(await METADATA.batch(prepared))
    } catch (error) {
      return new Response(error.message, { status: 500 })
    }
  },
}`

export const newSecret = (): string => randomBytes(32).toString('base64url')

/** Miniflare's options for the Worker that shares D1 or logs. */
export const sharedMetadataWorker = (
  shared: Partial<Pick<WorkerOptions, 'compatibilityDate' | 'd1Databases' | 'durableObjects'>>,
  secret: string,
): WorkerOptions => ({
  ...shared,
  name,
  modules: true,
  script,
  bindings: { SECRET: secret },
  unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
})

export const sharedMetadataAddress = async (miniflare: Miniflare): Promise<Pick<SharedMetadata, 'url'>> => ({
  url: (await miniflare.unsafeGetDirectURL(name)).origin,
})

/** Writes the file in which commands find the address. */
export const writeSharedMetadata = (file: string, shared: SharedMetadata): void => {
  rmSync(file, { force: true })
  writeFileSync(file, JSON.stringify(shared), { mode: 0o600 })
}

/** The content of the file; undefined if the file was truncated, for example on a full disk. */
function read(file: string): SharedMetadata | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SharedMetadata
  } catch {
    return undefined
  }
}

/** Reads the address from the file; undefined unless its Worker still answers and proves that it knows the secret. */
export async function findSharedMetadata(file: string): Promise<SharedMetadata | undefined> {
  const shared = existsSync(file) ? read(file) : undefined
  if (!shared) return undefined
  const challenge = newSecret()
  const proof = createHmac('sha256', shared.secret).update(challenge).digest()
  const given = await fetch(shared.url, { headers: { 'x-challenge': challenge }, signal: AbortSignal.timeout(5000) })
    .then(async (answer) => Buffer.from(await answer.arrayBuffer()))
    .catch(() => undefined)
  return given && proof.equals(given) ? shared : undefined
}

/** Queries the log object with this id. Without a query, returns its fault, or null. */
export async function askLog({ url, secret }: SharedMetadata, log: string, query?: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${secret}` }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ log, query }) })
  if (!answer.ok) throw new Error(await answer.text())
  return answer.json()
}

interface SentStatement {
  readonly query: string
  readonly values: readonly unknown[]
}

interface Result {
  readonly results: readonly Record<string, unknown>[]
}

/** How long a command waits while another process uses the database, in milliseconds. */
const patience = 10_000

/** A D1 database whose statements go to the sharing Worker. `folder` contains its files. */
export function metadataThrough({ url, secret }: SharedMetadata, folder: string): D1Database {
  const headers = { authorization: `Bearer ${secret}` }
  const send = (statements: readonly SentStatement[]): Promise<Result[]> =>
    whileBusy(patience, async () => {
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(statements) })
      if (!response.ok) throw new Error(explainedFault(folder, await response.text()))
      return (await response.json()) as Result[]
    })
  const prepared = (query: string, values: readonly unknown[] = []) => {
    const run = async (): Promise<Result> => (await send([{ query, values }]))[0]!
    return {
      query,
      values,
      bind: (...given: readonly unknown[]) => prepared(query, given),
      run,
      all: run,
      async first(column?: string): Promise<unknown> {
        const row = (await run()).results[0] ?? null
        return column === undefined ? row : (row?.[column] ?? null)
      },
    }
  }
  const database = {
    prepare: (query: string) => prepared(query),
    batch: (statements: readonly SentStatement[]) => send(statements.map(({ query, values }) => ({ query, values }))),
    withSession: () => database,
    getBookmark: () => null,
  }
  return database as unknown as D1Database
}
