import { mkdirSync } from 'node:fs'
import type { Server } from '../../src/clickhouse/server.ts'
import { places } from '../../src/local/paths.ts'
import { bundle } from '../../src/local/start/bundle.ts'
import { bundled, startBundled, usualCache, type Workerd } from '../../src/local/start/workerd.ts'
import { createKey } from '../../src/local/storage/metadata.ts'
import { migrateMetadata } from '../../src/local/storage/migrations.ts'
import { metadata } from '../../src/metadata/metadata.ts'
import { ofOperator } from '../../src/metadata/websites.ts'
import { childrenNamed } from './processes.ts'

/** A Worker in workerd, and its process, which is undefined if processes cannot be listed. */
export interface Running extends Workerd {
  readonly pid: number | undefined
  /** The secret for `/metrics`. */
  readonly metricsToken: string
}

export type Headers = Readonly<Record<string, string>>

/**
 * Starts the Worker (or `entry`) as shipped, but without the platform's cache. Miniflare's substitute for that cache
 * runs in the Worker's own process and takes as long for a new answer as the Worker itself.
 */
export async function startWorker(dir: string, server: Server, more: object = {}, entry?: string): Promise<Running> {
  mkdirSync(places(dir).bundle, { recursive: true })
  await bundle(places(dir).bundle, entry)
  const before = new Set(childrenNamed('workerd'))
  const { bindings, ...options } = bundled(dir, 0, server, undefined, usualCache)
  const given = { ...options, cache: false, bindings: { ...bindings, ...more } }
  const worker = await startBundled(given as typeof given & { bindings: typeof bindings })
  const pid = childrenNamed('workerd').find((number) => !before.has(number))
  return { ...worker, pid, metricsToken: String(bindings.METRICS_TOKEN) }
}

/** Creates websites and an admin key. */
export async function websitesAndKey(database: Workerd['metadata'], websiteIds: readonly string[]): Promise<string> {
  await migrateMetadata(database)
  const store = metadata(database, Date.now())
  for (const id of websiteIds)
    await store.websites.create({ id, name: `Website ${id.slice(-2)}`, domain: 'bench.example', ...ofOperator })
  return createKey(database, 'benchmark', { admin: true, access: 'write' }, Date.now())
}

/** workerd closes idle connections after five seconds, so this retries once. */
export const get = (url: string, headers: Headers): Promise<Response> => {
  const asked = () => fetch(url, { headers })
  return asked().catch(asked)
}

export const bearer = (secret: string): Headers => ({ authorization: `Bearer ${secret}` })

/** The answer to a JSON request. Throws if the request is refused. */
export async function post<Answer>(url: string, body: object, headers: Headers = {}): Promise<Answer> {
  const json = { ...headers, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers: json, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Answer
}
