import { createRequire } from 'node:module'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import type { ClickHouseClient } from '@clickhouse/client-web'

/** The machine of the measurements. */
export interface Machine {
  readonly date: string
  readonly processor: string
  readonly cores: number
  readonly memoryGiB: number
  /** The load average of the last minute before the benchmark. */
  readonly loadBefore: number
  readonly node: string
  readonly workerd: string
  readonly clickhouse: string
}

export const load = (): number => Math.round(loadavg()[0]! * 10) / 10

export async function machine(client: ClickHouseClient, loadBefore: number): Promise<Machine> {
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    loadBefore,
    node: process.version,
    workerd: versionOf('workerd'),
    clickhouse: await serverVersion(client),
  }
}

/** `workerd` is a dependency of Miniflare, not ours. */
function versionOf(name: string): string {
  const fromMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'))
  return (fromMiniflare(`${name}/package.json`) as { version: string }).version
}

async function serverVersion(client: ClickHouseClient): Promise<string> {
  const result = await client.query({ query: 'select version() as version', format: 'JSONEachRow' })
  return (await result.json<{ version: string }>())[0]!.version
}
