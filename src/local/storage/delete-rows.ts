import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client-web'
import { selected } from './selected.ts'

/** The rows to delete from one table. */
interface Doomed {
  readonly table: string
  readonly condition: string
}

/**
 * Deletes the rows that match the conditions, table by table in this order. Returns the number of deleted rows per
 * table.
 */
export async function deleteRows(
  client: ClickHouseClient,
  doomed: readonly Doomed[],
  query_params: Record<string, unknown> = {},
  settings: ClickHouseSettings = {},
): Promise<number[]> {
  const counts = doomed.map(
    ({ table, condition }, place) => `SELECT ${place} AS place, count() AS rows FROM ${table} WHERE ${condition}`,
  )
  const counted = await selected<{ place: number; rows: string }>(
    client,
    counts.join(' UNION ALL '),
    query_params,
    settings,
  )
  const numbers = doomed.map((_, at) => Number(counted.find(({ place }) => place === at)?.rows))
  for (const [place, { table, condition }] of doomed.entries()) {
    // A mutation rewrites or checks every part, even if no row matches, so it runs only if there are rows.
    if (numbers[place] === 0) continue
    await client.command({
      query: `ALTER TABLE ${table} DELETE WHERE ${condition}`,
      query_params,
      clickhouse_settings: { ...settings, mutations_sync: '2' },
    })
  }
  return numbers
}
