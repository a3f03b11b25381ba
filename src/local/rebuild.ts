import type { ClickHouseClient } from '@clickhouse/client-web'

/** Tables that hold nothing of their own: each is what its view selects from `custom_events`. */
export const derivedTables = ['event_data', 'event_data_by_id'] as const

export type DerivedTable = (typeof derivedTables)[number]

/**
 * Fills a derived table anew from `custom_events`, with the statement of its own materialized view. Readers see the
 * old rows until the new ones take their place, a partition at a time. Events that arrive meanwhile would be lost
 * from this table: stop the writers, or run it again.
 */
export async function rebuild(
  client: ClickHouseClient,
  table: DerivedTable,
  say: (line: string) => void,
): Promise<void> {
  const command = (query: string, query_params: Record<string, unknown> = {}) => client.command({ query, query_params })
  const target = { table, staging: `${table}_rebuild` }
  const select = await viewSelect(client, `${table}_from_custom_events`)
  await command('DROP TABLE IF EXISTS {staging:Identifier}', target)
  await command('CREATE TABLE {staging:Identifier} AS {table:Identifier}', target)
  for (const month of await partitions(client, 'custom_events')) {
    await command(
      `INSERT INTO {staging:Identifier} ${select} SETTINGS additional_table_filters = {'custom_events': 'toYYYYMM(created_at) = ${Number(month)}'}`,
      target,
    )
    say(`${table}: ${month}`)
  }
  const before = await partitions(client, table)
  const after = await partitions(client, target.staging)
  for (const id of after) {
    await command('ALTER TABLE {table:Identifier} REPLACE PARTITION ID {id:String} FROM {staging:Identifier}', {
      ...target,
      id,
    })
  }
  for (const id of before.filter((one) => !after.includes(one))) {
    await command('ALTER TABLE {table:Identifier} DROP PARTITION ID {id:String}', { ...target, id })
  }
  await command('DROP TABLE {staging:Identifier}', target)
}

async function viewSelect(client: ClickHouseClient, view: string): Promise<string> {
  const result = await client.query({
    query: 'SELECT as_select FROM system.tables WHERE database = currentDatabase() AND name = {view:String}',
    query_params: { view },
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ as_select: string }>()
  if (!row) throw new Error(`There is no view ${view}. Run the migrations first.`)
  return row.as_select
}

async function partitions(client: ClickHouseClient, table: string): Promise<string[]> {
  const result = await client.query({
    query: `SELECT DISTINCT partition_id AS id FROM system.parts
            WHERE database = currentDatabase() AND table = {table:String} AND active ORDER BY id`,
    query_params: { table },
    format: 'JSONEachRow',
  })
  return (await result.json<{ id: string }>()).map(({ id }) => id)
}
