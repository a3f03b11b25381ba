import { createRequire } from 'node:module'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import type { ClickHouseClient } from '@clickhouse/client-web'

/** What the figures were taken on. */
export interface Machine {
  readonly date: string
  readonly processor: string
  readonly cores: number
  readonly memoryGiB: number
  /** How busy the machine was before the benchmark began: the mean number of runnable processes of the last minute. */
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

/** `workerd` belongs to Miniflare, not to us. */
function versionOf(name: string): string {
  const fromMiniflare = createRequire(createRequire(import.meta.url).resolve('miniflare'))
  return (fromMiniflare(`${name}/package.json`) as { version: string }).version
}

async function serverVersion(client: ClickHouseClient): Promise<string> {
  const result = await client.query({ query: 'select version() as version', format: 'JSONEachRow' })
  return (await result.json<{ version: string }>())[0]!.version
}
