import type { ClickHouseClient } from '@clickhouse/client-web'
import { tables as allTables, entryTables, type Table } from '../../src/query/tables/tables.ts'
import type { TableSize } from './data.ts'
import { ask, clockOf } from './measure.ts'
import { type Column, fixed, type Section, table } from './print.ts'

/** The cost of a table per stored event of any kind. */
interface TableCost {
  readonly table: string
  readonly rows: number
  /** Bytes on disk. */
  readonly bytes: number
  /** Processor time in microseconds, of the views that fill the table, or of copying it from an entry table. */
  readonly microseconds: number
}

/** Fills a copy of each table again from its sources, in a separate database. */
export async function tableCosts(
  client: ClickHouseClient,
  { sizes, events }: { readonly sizes: readonly TableSize[]; readonly events: number },
  progress: (line: string) => void,
): Promise<Section> {
  const clock = await clockOf(client)
  const command = (query: string) => client.command({ query, clickhouse_settings: settings })
  await command('drop database if exists table_costs')
  await command('create database table_costs')
  const costs: TableCost[] = []
  for (const one of allTables) {
    progress(`filling ${one.name} again`)
    await command(`create table table_costs.${one.name} as ${one.name}`)
    const fillings = await fillingsOf(client, one)
    const { processor } = await clock.costOf(async () => {
      for (const filling of fillings) await command(filling)
    })
    const { rows = 0, bytes = 0 } = sizes.find(({ table }) => table === one.name) ?? {}
    costs.push({
      table: one.name,
      rows: rows / events,
      bytes: bytes / events,
      microseconds: (1000 * processor) / events,
    })
  }
  await command('drop database table_costs')
  const how = 'Of each stored event, of any kind. Processor time is that of the views that fill a table.'
  return { heading: 'Tables', how, page: [table(columns, costs)], more: [], found: costs }
}

const columns: Column<TableCost>[] = [
  { heading: 'table', isText: true, write: (row) => `\`${row.table}\`` },
  { heading: 'rows', write: (row) => fixed(row.rows, 3) },
  { heading: 'bytes', write: (row) => fixed(row.bytes) },
  { heading: 'µs', write: (row) => fixed(row.microseconds, 1) },
]

/** Deduplication is off, because the same inserts are repeated. */
const settings = { insert_deduplicate: 0, allow_suspicious_low_cardinality_types: 1 } as const

/** The statements that fill the copy: those of its views, or a plain copy if the source is an entry table. */
async function fillingsOf(client: ClickHouseClient, { name, from }: Table): Promise<string[]> {
  if (from.every((source) => entryTables.includes(source))) {
    return [`insert into table_costs.${name} select * from ${name}`]
  }
  return Promise.all(
    from.map(async (source) => {
      const view = `select as_select as text from system.tables
        where database = currentDatabase() and name = {view:String}`
      const [{ text }] = (await rowsOf(client, view, { view: `${name}_from_${source}` })) as [{ text: string }]
      const columns = (await rowsOf(client, `describe (${text})`)) as { name: string }[]
      return `insert into table_costs.${name} (${columns.map((one) => `\`${one.name}\``).join(', ')}) ${text}`
    }),
  )
}

const rowsOf = async (client: ClickHouseClient, query: string, query_params = {}): Promise<unknown> =>
  (await ask(client, { query, query_params })).data
