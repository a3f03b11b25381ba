import type { ClickHouseClient } from '@clickhouse/client-web'

/** Tables that hold nothing of their own: each is what its view selects from `custom_events`. */
export const derivedTables = ['event_data', 'event_data_by_id'] as const

type DerivedTable = (typeof derivedTables)[number]

/**
 * Fills a derived table anew from `custom_events`, with the statement of its own materialized view. Readers see the
 * old rows until the new ones take their place, a partition at a time. Events that arrive meanwhile would be lost
 * from this table: the writers have to be quiet.
 */
export async function rebuild(
  client: ClickHouseClient,
  table: DerivedTable,
  say: (line: string) => void,
): Promise<void> {
  const staging = `${table}_rebuild`
  const command = (query: string, query_params: Record<string, unknown> = {}) => client.command({ query, query_params })
  const select = await viewSelect(client, `${table}_from_custom_events`)
  const columns = await columnsOf(client, table)
  await command(`DROP TABLE IF EXISTS ${staging}`)
  // Not the table's own engine: a replicated one names its path in Keeper, which is taken.
  await command(`CREATE TABLE ${staging} AS ${table} ENGINE = MergeTree ${await keysOf(client, table)}`)
  for (const month of await partitions(client, 'custom_events')) {
    const ofMonth = `{'custom_events': 'toYYYYMM(created_at) = ${Number(month)}'}`
    // A view fills its table by the names of the columns; an insert would go by their places.
    await command(
      `INSERT INTO ${staging} (${columns}) SELECT ${columns} FROM (${select}) SETTINGS additional_table_filters = ${ofMonth}`,
    )
    say(`${table}: ${month}`)
  }
  const before = await partitions(client, table)
  const after = await partitions(client, staging)
  for (const id of after) await command(`ALTER TABLE ${table} REPLACE PARTITION ID {id:String} FROM ${staging}`, { id })
  for (const id of before.filter((one) => !after.includes(one))) {
    await command(`ALTER TABLE ${table} DROP PARTITION ID {id:String}`, { id })
  }
  await command(`DROP TABLE ${staging}`)
}

async function keysOf(client: ClickHouseClient, table: string): Promise<string> {
  const [keys] = await texts(
    client,
    `SELECT concat(if(partition_key = '', '', concat('PARTITION BY ', partition_key)), ' ORDER BY (', sorting_key, ')') AS text
     FROM system.tables WHERE database = currentDatabase() AND name = {name:String}`,
    table,
  )
  return keys ?? ''
}

async function viewSelect(client: ClickHouseClient, view: string): Promise<string> {
  const [select] = await texts(
    client,
    'SELECT as_select AS text FROM system.tables WHERE database = currentDatabase() AND name = {name:String}',
    view,
  )
  if (!select) throw new Error(`There is no view ${view}. Run the migrations first.`)
  return select
}

const columnsOf = async (client: ClickHouseClient, table: string): Promise<string> =>
  (
    await texts(
      client,
      "SELECT concat('`', name, '`') AS text FROM system.columns WHERE database = currentDatabase() AND table = {name:String} AND default_kind = '' ORDER BY position",
      table,
    )
  ).join(', ')

const partitions = (client: ClickHouseClient, table: string): Promise<string[]> =>
  texts(
    client,
    'SELECT DISTINCT partition_id AS text FROM system.parts WHERE database = currentDatabase() AND table = {name:String} AND active ORDER BY text',
    table,
  )

async function texts(client: ClickHouseClient, query: string, name: string): Promise<string[]> {
  const result = await client.query({ query, query_params: { name }, format: 'JSONEachRow' })
  return (await result.json<{ text: string }>()).map(({ text }) => text)
}
