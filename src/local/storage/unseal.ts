import type { ClickHouseClient } from '@clickhouse/client-web'
import { seals } from '../../query/tables/tables.ts'
import { type Clock, clockAfterNotes, isOfWebsites } from './chain-days.ts'
import { chainTables } from './chain-rows.ts'
import { frugallySelected } from './selected.ts'
import { type Shard, shardOf } from './shard.ts'

/** Withdraws the notes of these websites, or of all websites. Until the next seal, their queries use no chains. */
export async function unseal(client: ClickHouseClient, websiteIds: readonly string[]): Promise<void> {
  const clock = await clockAfterNotes(client)
  for (let start = 0; start < Math.max(websiteIds.length, 1); start += mostAtOnce) {
    await unsealSome(client, clock, websiteIds.slice(start, start + mostAtOnce))
  }
}

/** The maximum number of websites in one statement. Their ids are sent in its URL. */
const mostAtOnce = 50

async function unsealSome(client: ClickHouseClient, clock: Clock, websiteIds: readonly string[]): Promise<void> {
  const ofWebsites = isOfWebsites(websiteIds)
  // The seal numbers of a span are consecutive, from the microsecond at which its seal began.
  const { name: shard, inserting } = await shardOf(client)
  const query_params = { websiteIds, number: (await clock()) + 1000, shard }
  // A seal that began earlier has a smaller number, so its note is ignored even if it is written later.
  await client.command({
    query: `INSERT INTO ${seals.name} (website_id, day, shard, seal, began, done, views, customs, changed)
      SELECT DISTINCT website_id, day, shard, {number:UInt64}, {number:UInt64}, {number:UInt64}, [], [], 0
      FROM (
        SELECT website_id, day, shard FROM ${seals.name}
        UNION ALL SELECT website_id, day, {shard:String} AS shard FROM daily_shapes)
      WHERE ${ofWebsites}`,
    query_params,
    clickhouse_settings: inserting,
  })
  for (const table of chainTables) {
    const [found] = await frugallySelected<{ rows: number }>(
      client,
      `SELECT count() AS rows FROM ${table} WHERE ${ofWebsites} AND seal < {number:UInt64}`,
      query_params,
    )
    if (!found?.rows) continue
    await client.command({
      query: `ALTER TABLE ${table} DELETE WHERE ${ofWebsites} AND seal < {number:UInt64}`,
      query_params,
      clickhouse_settings: { mutations_sync: '2' },
    })
  }
}

/**
 * Withdraws notes that have another name, because a database was renamed or a server became a shard. Such notes contain
 * no information about other shards.
 */
export async function withdrawOthers(client: ClickHouseClient, { name, inserting }: Shard): Promise<void> {
  const others = `FROM ${seals.name}
    WHERE (website_id, day) IN (SELECT website_id, day FROM ${seals.name} WHERE shard != {name:String})
    GROUP BY website_id, day HAVING argMax(shard, seal) != {name:String} AND notEmpty(argMax(views, seal))`
  const [found] = await frugallySelected<object>(client, `SELECT 1 ${others} LIMIT 1`, { name })
  if (!found) return
  await client.command({
    query: `INSERT INTO ${seals.name} (website_id, day, shard, seal, began, done, views, customs, changed)
      SELECT website_id, day, {name:String}, max(seal) + 1, 0, 0, [], [], 0 ${others}`,
    query_params: { name },
    clickhouse_settings: inserting,
  })
}
