import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { D1Database } from '@cloudflare/workers-types'
import type { Json, MiniflareOptions, SharedOptions, WorkerOptions } from 'miniflare'
import type { CacheTimes } from '../../cache/times.ts'
import type { Server } from '../../clickhouse/server.ts'
import type { LimitBinding, Quota } from '../../env.ts'
import { places } from '../paths.ts'
import { dropAlarms } from '../storage/metadata-file.ts'
import {
  askLog,
  metadataThrough,
  newSecret,
  type SharedMetadata,
  sharedMetadataAddress,
  sharedMetadataWorker,
} from '../storage/shared-metadata.ts'
import { withoutLoopback } from './loopback.ts'
import { runtimeWords } from './runtime-words.ts'
import { config } from './wrangler-toml.ts'

/** The D1 of a data folder. */
export interface OpenMetadata {
  readonly metadata: D1Database
  close(): Promise<void>
}

/** The Worker in workerd, with its state in a data folder. */
export interface Workerd extends OpenMetadata {
  readonly url: string
  /** The address where other processes can reach its D1. */
  readonly sharedMetadata: SharedMetadata
  /** Resolves if workerd ends without `close`. */
  readonly ended: Promise<string>
  /** Resolves when SQLite next reports a damaged file. */
  corrupted(): Promise<void>
}

/** Starts the Worker with these options, the Worker that shares its D1, and the Workers in `beside`. */
export async function startBundled(
  { d1Persist, durableObjectsPersist, cf, pages, ...worker }: ReturnType<typeof bundled>,
  { beside = [], ...shared }: Partial<SharedOptions> & { beside?: WorkerOptions[] } = {},
): Promise<Workerd> {
  const secret = newSecret()
  const { compatibilityDate, d1Databases } = worker
  const logs = { LOGS: { className: logClass, scriptName: name, useSQLite: true } }
  dropAlarms(d1Persist)
  const running = started({
    ...{ d1Persist, durableObjectsPersist, cf, ...shared },
    workers: [
      { ...worker, serviceBindings: { [config.assets.binding]: pagesName } },
      pagesWorker(pages),
      sharedMetadataWorker({ compatibilityDate, d1Databases, durableObjects: logs }, secret),
      ...beside,
    ],
  })
  await isReady(running, d1Persist)
  const { miniflare, ended, corrupted, close } = running
  const sharedMetadata = { ...(await sharedMetadataAddress(miniflare)), secret }
  const url = (await miniflare.unsafeGetDirectURL(name)).origin
  return { url, sharedMetadata, metadata: metadataThrough(sharedMetadata, d1Persist), ended, corrupted, close }
}

/** Opens the D1 of a data folder in its own workerd. */
export async function openAlone(dataDir: string): Promise<OpenMetadata> {
  const secret = newSecret()
  const { compatibilityDate, d1Databases, d1Persist, cf } = options(dataDir, 0, '', {})
  dropAlarms(d1Persist)
  // workerd reports a failure as a stack, so its output is hidden; the error itself is reported in one line.
  const running = started({ d1Persist, cf, ...sharedMetadataWorker({ compatibilityDate, d1Databases }, secret) }, true)
  await isReady(running, d1Persist)
  const { miniflare, close } = running
  return { metadata: metadataThrough({ ...(await sharedMetadataAddress(miniflare)), secret }, d1Persist), close }
}

/** Logs that are open in a separate workerd. `ask` queries the log with this id. */
interface OpenLogs {
  ask(id: string, query: string): Promise<Record<string, unknown>[]>
  close(): Promise<void>
}

/** Opens copies of logs. The data folder contains only these copies. */
export async function openLogs(dataDir: string): Promise<OpenLogs> {
  const secret = newSecret()
  const { compatibilityDate, durableObjectsPersist, cf } = options(dataDir, 0, '', {})
  const durableObjects = { LOGS: { className: logClass, useSQLite: true, unsafeUniqueKey: `${name}-${logClass}` } }
  const worker = sharedMetadataWorker({ compatibilityDate, durableObjects }, secret)
  const running = started({ durableObjectsPersist, cf, ...worker }, true)
  await isReady(running, durableObjectsPersist)
  const shared = { ...(await sharedMetadataAddress(running.miniflare)), secret }
  return {
    ask: async (id, query) => (await askLog(shared, id, query)) as Record<string, unknown>[],
    close: running.close,
  }
}

const pagesName = 'pages'

/**
 * The Worker that serves the pages. Miniflare would put a router in front of a Worker with static files. So the API has
 * no files itself, but requests them from this Worker.
 */
const pagesWorker = (directory: string): WorkerOptions => {
  const { html_handling, not_found_handling } = config.assets
  return {
    name: pagesName,
    modules: true,
    script: 'export default { fetch: () => new Response(null, { status: 404 }) }',
    compatibilityDate: config.compatibility_date,
    assets: { directory, assetConfig: { html_handling, not_found_handling } },
  }
}

/** Waits until workerd is running. With an unreadable D1 file, it does not start, and prints only a stack. */
async function isReady({ miniflare, ended, close, checkLoopback }: Started, d1Persist: string): Promise<void> {
  // If workerd ends immediately, Miniflare would wait forever, because `workerd.sh` keeps their pipe open.
  const failed = ended.then((how) => Promise.reject(new Error(how)))
  try {
    await Promise.race([miniflare.ready, failed])
  } catch (cause) {
    void close().catch(() => {})
    throw new Error(`workerd does not start. A D1 file in ${d1Persist} may be damaged, or its disk full.`, { cause })
  }
  checkLoopback()
}

const require = createRequire(import.meta.url)

/** An `import` would use 40 MB more, because the TypeScript loader keeps the text and the source map. */
const { Miniflare } = require('miniflare') as typeof import('miniflare')

type Started = ReturnType<typeof started>

/** Miniflare's own entry to all Workers has no port, because `workerd.sh` replaces the port with a socket file. */
const noPort = 1

/** SQLite's error names for a damaged file. */
const ofDamage = /SQLITE_(?:CORRUPT|NOTADB)/

/** Starts workerd so that it ends together with this process. */
function started(given: MiniflareOptions, isQuiet = false) {
  if (!process.env.WEIR_WORKERD) {
    const { default: binary } = createRequire(require.resolve('miniflare'))('workerd') as { default: string }
    process.env.WEIR_WORKERD = resolve(process.env.MINIFLARE_WORKERD_PATH ?? binary)
    process.env.MINIFLARE_WORKERD_PATH = fileURLToPath(new URL('workerd.sh', import.meta.url))
  }
  let end: () => void
  const ended = new Promise<string>((resolve) => {
    end = () => resolve('a crash or a kill')
  })
  const waiting: (() => void)[] = []
  const corrupted = () => new Promise<void>((resolve) => void waiting.push(resolve))
  const handleRuntimeStdio = (output: Readable, errors: Readable) => {
    const printEach = (from: Readable, print: (line: string) => void) =>
      createInterface(from).on('line', (line) => {
        if (!isQuiet) print(line)
        if (ofDamage.test(line)) for (const tell of waiting.splice(0)) tell()
      })
    // Stdout is only for output that programs read, which is the line of `npm start -- --json`.
    printEach(output, console.error)
    printEach(errors, runtimeWords(console.error))
    // The output does not emit `end` if Miniflare itself stops workerd.
    output.once('end', end)
  }
  const start = () => new Miniflare({ handleRuntimeStdio, port: noPort, ...given })
  const { result: miniflare, check: checkLoopback } = withoutLoopback(start)
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= miniflare.dispose()
    return closing
  }
  return { miniflare, ended, corrupted, close, checkLoopback }
}

/** Rate limits by binding. Without a limit for a binding, its requests are not limited. */
export type Quotas = Readonly<Partial<Record<LimitBinding, Quota>>>

/** A limit per minute that only a runaway program reaches. Locally, all requests come from one address. */
const generous: Quota = { limit: 100_000, period: 60 }

export const generousQuotas: Quotas = Object.fromEntries(config.ratelimits.map(({ name }) => [name, generous]))

/** The default cache lifetimes, as in `wrangler.toml`. */
export const usualCache = config.vars.CACHE

/** Miniflare's options for the Worker bundled into the data folder. Without `cache` nothing is cached. */
export const bundled = (
  dataDir: string,
  port: number,
  server: Server,
  quotas = generousQuotas,
  cache?: CacheTimes,
) => ({
  ...options(dataDir, port, readFileSync(`${places(dataDir).bundle}/worker.js`, 'utf8'), {
    CLICKHOUSE_URL: server.url,
    CLICKHOUSE_USER: server.username,
    CLICKHOUSE_PASSWORD: server.password,
    CLICKHOUSE_DATABASE: server.database,
    // The embedded engine has only one user.
    CLICKHOUSE_VISITOR_USER: server.username,
    CLICKHOUSE_VISITOR_PASSWORD: server.password,
    CLICKHOUSE_TIMEOUT: String(server.timeout),
    AUTH_SECRET: keptSecret(places(dataDir).authSecret),
    METRICS_TOKEN: keptSecret(places(dataDir).metricsToken),
    COLLECT_CAPACITY: 1_000_000_000,
    RATE_LIMITS: quotas as Record<string, { limit: number; period: number }>,
    ...(cache && { CACHE: { ...cache } }),
  }),
  pages: `${places(dataDir).bundle}/pages`,
  // Newer versions of Miniflare require an id.
  ratelimits: Object.fromEntries(
    Object.entries(quotas).map(([name, simple]) => [name, { namespace_id: name, simple }]),
  ),
})

/** The length of a data folder's secret, in characters. */
const secretLength = 43

/** A data folder's secret. It is generated only once, so that it survives a restart. Throws if it is truncated. */
function keptSecret(file: string): string {
  if (!existsSync(file)) writeFileSync(file, newSecret(), { mode: 0o600 })
  const secret = readFileSync(file, 'utf8')
  if (secret.length >= secretLength) return secret
  throw new Error(
    `${file} is empty or cut. Restore it from a copy of the data folder, or delete it: the next start makes a new one. ` +
      'With a new auth-secret, everybody must sign in again, and visitors count as new ones.',
  )
}

/** The Worker's name in Miniflare, and D1's binding in `wrangler.toml`. */
const name = 'weir'
const logClass = 'EventLog'
const binding = 'METADATA'

function options(dataDir: string, port: number, script: string, bindings: Record<string, Json>) {
  return {
    name,
    // With `modules: true`, Miniflare would parse the script to look for imports, which takes half a second of
    // processor time.
    modules: [{ type: 'ESModule' as const, path: '/worker.js', contents: script }],
    modulesRoot: '/',
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
    bindings,
    // Without a script, the class does not exist.
    ...(script && { durableObjects: { COLLECT: { className: logClass, useSQLite: true } } }),
    durableObjectsPersist: places(dataDir).log,
    d1Databases: { [binding]: 'weir' },
    d1Persist: places(dataDir).metadata,
    // Connects directly to the Worker. Miniflare's entry in front of it would triple the cost of a small request.
    unsafeDirectSockets: [{ host: '127.0.0.1', port }],
    // Otherwise Miniflare would put its own Worker in front of every outgoing request.
    stripCfConnectingIp: false,
    cf: false as const,
  }
}
