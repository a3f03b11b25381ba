import type { ClickHouseClient } from '@clickhouse/client-web'
import { texts } from './selected.ts'

/** Parts that ClickHouse could not read when it started, and detached. Their rows are missing from all answers. */
export const brokenParts = (client: ClickHouseClient): Promise<string[]> =>
  texts(
    client,
    `SELECT concat(table, ': part ', name, ' is set aside (', reason, '), and its rows are missing') AS text
     FROM system.detached_parts
     WHERE database = currentDatabase() AND startsWith(ifNull(reason, ''), 'broken') ORDER BY text`,
  )

/**
 * Throws while parts are broken. A repair would mistake the rows in other tables that belong to these parts for surplus
 * rows, and delete them. A purge would not reach the rows in these parts, which may come back.
 */
export async function refuseBroken(client: ClickHouseClient): Promise<void> {
  const parts = await brokenParts(client)
  if (parts.length === 0) return
  const advice = 'Nothing was changed: bring these parts back, or drop them with ALTER TABLE … DROP DETACHED PART.'
  throw new Error([...parts, advice].join('\n'))
}
