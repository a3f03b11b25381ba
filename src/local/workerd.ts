import { readFileSync } from 'node:fs'
import type { D1Database } from '@cloudflare/workers-types'
import { Miniflare } from 'miniflare'
import { unstable_readConfig } from 'wrangler'
import type { Server } from '../clickhouse/server.ts'
import { bundle } from './bundle.ts'
import { places, root } from './paths.ts'

/** The Worker in workerd, or D1 alone, kept in a data folder. */
export interface Workerd {
  readonly url: string
  readonly metadata: D1Database
  close(): Promise<void>
}

/** Bundles and starts the whole Worker on loopback; `port` 0 takes any free one. */
export async function startWorker(dataDir: string, port: number, server: Server): Promise<Workerd> {
  const script = readFileSync(await bundle(places(dataDir).bundle), 'utf8')
  return start(dataDir, port, {
    script,
    bindings: {
      CLICKHOUSE_URL: server.url,
      CLICKHOUSE_USER: server.username,
      CLICKHOUSE_PASSWORD: server.password,
      CLICKHOUSE_DATABASE: server.database,
      CLICKHOUSE_TIMEOUT: String(server.timeout),
    },
  })
}

/** D1 of a data folder without the Worker, for commands; works beside a running Worker. */
export const openMetadata = (dataDir: string): Promise<Workerd> =>
  start(dataDir, 0, { script: 'export default { fetch: () => new Response(null, { status: 404 }) }', bindings: {} })

async function start(
  dataDir: string,
  port: number,
  { script, bindings }: { script: string; bindings: Record<string, string> },
): Promise<Workerd> {
  const { compatibility_date, compatibility_flags, d1_databases } = unstable_readConfig({
    config: `${root}/wrangler.toml`,
  })
  const [{ binding }] = d1_databases as [{ binding: string }]
  const miniflare = new Miniflare({
    name: 'weir',
    modules: true,
    script,
    compatibilityDate: compatibility_date!,
    compatibilityFlags: compatibility_flags,
    bindings,
    d1Databases: { [binding]: 'weir' },
    d1Persist: places(dataDir).metadata,
    host: '127.0.0.1',
    // Straight into the Worker: Miniflare's own entry in front of it triples the cost of a small request.
    unsafeDirectSockets: [{ host: '127.0.0.1', port }],
    // Miniflare would put a Worker of its own in front of every outgoing request.
    stripCfConnectingIp: false,
    cf: false,
  })
  await miniflare.ready
  return {
    url: (await miniflare.unsafeGetDirectURL('weir')).origin,
    metadata: (await miniflare.getD1Database(binding)) as unknown as D1Database,
    close: () => miniflare.dispose(),
  }
}
