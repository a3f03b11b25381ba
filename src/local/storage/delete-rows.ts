import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client-web'

/** Deletes the rows that meet the condition, and returns their number. */
export async function deleteRows(
  client: ClickHouseClient,
  table: string,
  condition: string,
  query_params: Record<string, unknown> = {},
  settings: ClickHouseSettings = {},
): Promise<number> {
  const result = await client.query({
    query: `SELECT count() AS rows FROM ${table} WHERE ${condition}`,
    query_params,
    format: 'JSONEachRow',
    clickhouse_settings: settings,
  })
  const [counted] = await result.json<{ rows: string }>()
  const rows = Number(counted?.rows)
  // A mutation rewrites or checks every part, even if no row matches, so it runs only if there are rows.
  if (rows > 0) {
    await client.command({
      query: `ALTER TABLE ${table} DELETE WHERE ${condition}`,
      query_params,
      clickhouse_settings: { ...settings, mutations_sync: '2' },
    })
  }
  return rows
}
