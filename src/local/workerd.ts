import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { D1Database } from '@cloudflare/workers-types'
import { type Json, Miniflare, type MiniflareOptions, type SharedOptions, type WorkerOptions } from 'miniflare'
import type { CacheTimes } from '../cache/times.ts'
import type { Server } from '../clickhouse/server.ts'
import type { LimitBinding, Quota } from '../env.ts'
import { bundle } from './bundle.ts'
import { guardLoopback } from './loopback.ts'
import { places } from './paths.ts'
import {
  findSharedMetadata,
  metadataThrough,
  newSecret,
  type SharedMetadata,
  sharedMetadataAddress,
  sharedMetadataWorker,
} from './shared-metadata.ts'
import { config } from './wrangler-toml.ts'

/** D1 of a data folder. */
export interface OpenMetadata {
  readonly metadata: D1Database
  close(): Promise<void>
}

/** The Worker in workerd, kept in a data folder. */
export interface Workerd extends OpenMetadata {
  readonly url: string
  /** Where other processes reach the D1 of this one. */
  readonly sharedMetadata: SharedMetadata
  /** Resolves when workerd has ended without `close`. */
  readonly ended: Promise<string>
}

/** Bundles and starts the whole Worker on loopback; `port` 0 takes any free one. */
export async function startWorker(dataDir: string, port: number, server: Server, cache?: CacheTimes): Promise<Workerd> {
  await bundle(places(dataDir).bundle)
  return startBundled(bundled(dataDir, port, server, generousQuotas, cache))
}

/** Starts the Worker of these options, the Worker that shares its D1 beside it, and the Workers of `beside`. */
export async function startBundled(
  { d1Persist, cf, ...worker }: ReturnType<typeof options>,
  { beside = [], ...shared }: Partial<SharedOptions> & { beside?: WorkerOptions[] } = {},
): Promise<Workerd> {
  const secret = newSecret()
  const { compatibilityDate, d1Databases } = worker
  const running = started({
    ...{ d1Persist, cf, ...shared },
    workers: [worker, sharedMetadataWorker({ compatibilityDate, d1Databases }, secret), ...beside],
  })
  await isReady(running, d1Persist)
  const { miniflare, ended, close } = running
  const sharedMetadata = { ...(await sharedMetadataAddress(miniflare)), secret }
  const url = (await miniflare.unsafeGetDirectURL(name)).origin
  return { url, sharedMetadata, metadata: metadataThrough(sharedMetadata), ended, close }
}

/** For commands: D1 of a data folder, through the Worker that runs on it, else opened for as long as the command takes. */
export async function openMetadata(dataDir: string): Promise<OpenMetadata> {
  const known = await findSharedMetadata(places(dataDir).sharedMetadata)
  if (known) return { metadata: metadataThrough(known), close: async () => {} }
  const secret = newSecret()
  const { compatibilityDate, d1Databases, d1Persist, cf } = options(dataDir, 0, '', {})
  // What workerd says of a failure is a stack; the failure itself is told in a line.
  const running = started({ d1Persist, cf, ...sharedMetadataWorker({ compatibilityDate, d1Databases }, secret) }, true)
  await isReady(running, d1Persist)
  const { miniflare, close } = running
  return { metadata: metadataThrough({ ...(await sharedMetadataAddress(miniflare)), secret }), close }
}

/** Waits until workerd runs. It does not start on a D1 file that it cannot read, and says so in a stack. */
async function isReady({ miniflare, ended, close }: Started, d1Persist: string): Promise<void> {
  // Miniflare waits for ever where workerd ends at once: `workerd.sh` keeps their pipe open.
  const failed = ended.then((how) => Promise.reject(new Error(how)))
  try {
    await Promise.race([miniflare.ready, failed])
  } catch (cause) {
    void close().catch(() => {})
    throw new Error(`workerd does not start. A D1 file in ${d1Persist} may be damaged, or its disk full.`, { cause })
  }
}

const require = createRequire(import.meta.url)

type Started = ReturnType<typeof started>

/** Starts workerd, which ends when this process does. */
function started(given: MiniflareOptions, isQuiet = false) {
  guardLoopback()
  if (!process.env.WEIR_WORKERD) {
    const { default: binary } = createRequire(require.resolve('miniflare'))('workerd') as { default: string }
    process.env.WEIR_WORKERD = process.env.MINIFLARE_WORKERD_PATH ?? binary
    process.env.MINIFLARE_WORKERD_PATH = fileURLToPath(new URL('workerd.sh', import.meta.url))
  }
  let end: () => void
  const ended = new Promise<string>((resolve) => {
    end = () => resolve('a crash or a kill')
  })
  const handleRuntimeStdio = (output: Readable, errors: Readable) => {
    createInterface(output).on('line', (line) => isQuiet || console.log(line))
    createInterface(errors).on('line', (line) => isQuiet || console.error(line))
    // It does not end where Miniflare stops workerd.
    output.once('end', end)
  }
  const miniflare = new Miniflare({ handleRuntimeStdio, ...given })
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= miniflare.dispose()
    return closing
  }
  return { miniflare, ended, close }
}

/** Rate limits by their binding; there is none where it is left out. */
export type Quotas = Readonly<Partial<Record<LimitBinding, Quota>>>

/** Requests a minute that only a program gone wild reaches: here everybody comes from the same address. */
const generous: Quota = { limit: 100_000, period: 60 }

const generousQuotas: Quotas = Object.fromEntries(config.ratelimits.map(({ name }) => [name, generous]))

/** How long answers are kept where nobody says otherwise, as in `wrangler.toml`. */
export const usualCache = config.vars.CACHE

/** Miniflare's options for the Worker that was bundled into the data folder; without `cache` it keeps no answers. */
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
    CLICKHOUSE_TIMEOUT: String(server.timeout),
    AUTH_SECRET: authSecret(dataDir),
    RATE_LIMITS: quotas as Record<string, { limit: number; period: number }>,
    ...(cache && { CACHE: { ...cache } }),
  }),
  ratelimits: Object.fromEntries(Object.entries(quotas).map(([name, simple]) => [name, { simple }])),
})

/** What signs the tokens of a data folder: made once, so that they outlive a restart. */
function authSecret(dataDir: string): string {
  const file = places(dataDir).authSecret
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64url'), { mode: 0o600 })
  return readFileSync(file, 'utf8')
}

/** The Worker's name within Miniflare, and the binding of D1 in `wrangler.toml`. */
const name = 'weir'
const binding = 'METADATA'

function options(dataDir: string, port: number, script: string, bindings: Record<string, Json>) {
  return {
    name,
    modules: true as const,
    script,
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
    bindings,
    d1Databases: { [binding]: 'weir' },
    d1Persist: places(dataDir).metadata,
    // Straight into the Worker: Miniflare's own entry in front of it triples the cost of a small request.
    unsafeDirectSockets: [{ host: '127.0.0.1', port }],
    // Miniflare would put a Worker of its own in front of every outgoing request.
    stripCfConnectingIp: false,
    cf: false as const,
  }
}
