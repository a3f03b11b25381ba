import type { ClickHouseClient } from '@clickhouse/client-web'
import { seals } from '../../query/tables/tables.ts'
import type { Clock } from './chain-days.ts'
import { chainTables } from './chain-rows.ts'
import { frugallySelected } from './selected.ts'
import type { Shard } from './shard.ts'

/**
 * How long rows of older seals are kept, in microseconds, because a reader may still use an older note. Replicas delete
 * at different times, so on replicas, this is long enough for even the slowest seal to write its notes.
 */
const keptFor = { alone: 600_000_000, replicated: 86_400_000_000 } as const

/**
 * Deletes rows of older and unfinished seals once they are a tenth of the rows from the earliest sealed day on. With a
 * `patience` of 0, deletes them immediately, for all days.
 */
export async function sweep(
  client: ClickHouseClient,
  clock: Clock,
  { isReplicated }: Shard,
  patience: number,
  sealedFrom: number,
): Promise<void> {
  const kept = keptFor[isReplicated ? 'replicated' : 'alone']
  const query_params = { before: (await clock()) - kept, from: patience > 0 ? sealedFrom : 0 }
  const isSwept = "hour >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')"
  const isOld = `seal < {before:UInt64} AND (website_id, toDate32(hour), seal) NOT IN (
    SELECT website_id, day, max(seal) FROM ${seals.name}
    WHERE day >= toDate32(fromUnixTimestamp64Milli({from:Int64}, 'UTC')) GROUP BY website_id, day)`
  for (const table of chainTables) {
    const query = `SELECT countIf(${isOld}) AS old, count() AS all FROM ${table} WHERE ${isSwept}`
    const [found] = await frugallySelected<{ old: number; all: number }>(client, query, query_params)
    if (!found || found.old === 0 || (patience > 0 && found.old * 10 < found.all)) continue
    await client.command({ query: `ALTER TABLE ${table} DELETE WHERE ${isSwept} AND ${isOld}`, query_params })
  }
}
