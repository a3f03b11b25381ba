import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { D1Database } from '@cloudflare/workers-types'
import { type Json, Miniflare } from 'miniflare'
import { unstable_readConfig } from 'wrangler'
import type { CacheTimes } from '../cache/times.ts'
import type { Server } from '../clickhouse/server.ts'
import type { LimitBinding, Quota } from '../env.ts'
import { bundle } from './bundle.ts'
import { guardLoopback } from './loopback.ts'
import { places, root } from './paths.ts'

/** The Worker in workerd, or D1 alone, kept in a data folder. */
export interface Workerd {
  readonly url: string
  readonly metadata: D1Database
  close(): Promise<void>
}

/** Bundles and starts the whole Worker on loopback; `port` 0 takes any free one. */
export async function startWorker(dataDir: string, port: number, server: Server, cache?: CacheTimes): Promise<Workerd> {
  await bundle(places(dataDir).bundle)
  return running(new Miniflare(bundled(dataDir, port, server, generousQuotas, cache)))
}

/** D1 of a data folder without the Worker, for commands; works beside a running Worker. */
export const openMetadata = (dataDir: string): Promise<Workerd> =>
  running(new Miniflare(options(dataDir, 0, 'export default { fetch: () => new Response(null, { status: 404 }) }', {})))

/** Rate limits by their binding; there is none where it is left out. */
export type Quotas = Readonly<Partial<Record<LimitBinding, Quota>>>

/** Requests a minute that only a program gone wild reaches: here everybody comes from the same address. */
const generous: Quota = { limit: 100_000, period: 60 }

const config = unstable_readConfig({ config: `${root}/wrangler.toml` })

const generousQuotas: Quotas = Object.fromEntries(
  config.ratelimits.map(({ name }: { name: string }) => [name, generous]),
)

/** How long answers are kept where nobody says otherwise, as in `wrangler.toml`. */
export const usualCache = config.vars.CACHE as CacheTimes

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
    compatibilityDate: config.compatibility_date!,
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

export async function running(miniflare: Miniflare): Promise<Workerd> {
  guardLoopback()
  await miniflare.ready
  return {
    url: (await miniflare.unsafeGetDirectURL(name)).origin,
    metadata: (await miniflare.getD1Database(binding)) as unknown as D1Database,
    close: () => miniflare.dispose(),
  }
}
