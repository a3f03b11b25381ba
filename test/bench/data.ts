import { setTimeout as pause } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client-web'
import { benchPlan } from '../../src/local/dataset/index.ts'
import { yearAndMonth } from '../../src/query/language/time.ts'

/** The time of the last event, fixed so that every run has the same data. */
export const to = Date.parse('2026-01-15T14:37:21.456Z')

export const seed = 1

export const hour = 3_600_000
export const day = 24 * hour

export interface TableSize {
  readonly table: string
  readonly rows: number
  readonly bytes: number
}

/** The websites, largest first. They are the same for every data size. */
export const websiteIds: readonly string[] = benchPlan(1, to, seed).websites.map(({ id }) => id)

export const [largest, smallest] = [websiteIds[0]!, websiteIds.at(-1)!]

/** How many consecutive polls must find no running merge, and the milliseconds between two polls. */
const quietLooks = 5
const betweenLooks = 500

/** Waits until background merges have finished. */
export async function settled(client: ClickHouseClient, progress: (line: string) => void): Promise<void> {
  for (let quiet = 0; quiet < quietLooks; await pause(betweenLooks)) {
    const merges = await rowsOf(client, 'select count() as rows from system.merges')
    if (merges > 0) progress(`waiting for ${merges} merges`)
    quiet = merges === 0 ? quiet + 1 : 0
  }
}

/**
 * Merges the partitions that ClickHouse would merge after an hour without inserts. In tables with that setting, these
 * are all partitions before the one of the last event.
 */
export async function closed(client: ClickHouseClient, progress: (line: string) => void): Promise<void> {
  const open = await rows<{ table: string; partition: string }>(
    client,
    `select table, partition_id as partition from system.parts
     where database = currentDatabase() and active and partition_id < {last:String}
       and not startsWith({last:String}, partition_id) and table in (
       select name from system.tables
       where database = currentDatabase() and engine_full like '%min_age_to_force_merge_on_partition_only = 1%')
     group by table, partition having count() > 1 order by table, partition`,
    { last: String(yearAndMonth(to)) },
  )
  for (const { table, partition } of open) {
    progress(`merging ${partition} of ${table}`)
    await client.command({ query: `optimize table ${table} partition id '${partition}' final` })
  }
}

export async function tableSizes(client: ClickHouseClient): Promise<TableSize[]> {
  return rows<TableSize>(
    client,
    `select table, sum(rows) as rows, sum(bytes_on_disk) as bytes
     from system.parts
     where database = currentDatabase() and active and table != 'migrations'
     group by table order by bytes desc`,
  )
}

export const websiteRows = (weir: ClickHouseClient, websiteId: string): Promise<number> =>
  rowsOf(weir, 'select count() as rows from events where website_id = {websiteId:UUID}', { websiteId })

/** Ids of events with properties, taken evenly from all of the website's events. */
export async function eventIdsOf(weir: ClickHouseClient, websiteId: string, most: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    weir,
    `select event_id as id from events where website_id = {websiteId:UUID} and has_data = 1
     order by cityHash64(id) limit {most:UInt32}`,
    { websiteId, most },
  )
  return found.map(({ id }) => id)
}

/** Ids of sessions with events in the last month, taken evenly from these sessions. */
export async function sessionIdsOf(weir: ClickHouseClient, websiteId: string, most: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    weir,
    `select session_id as id from hourly_visits
     where website_id = {websiteId:UUID} and hour >= toDateTime({to:UInt32}, 'UTC') - toIntervalDay(28)
     group by id order by cityHash64(id) limit {most:UInt32}`,
    { websiteId, most, to: Math.floor(to / 1000) },
  )
  return found.map(({ id }) => id)
}

export async function rowsOf(client: ClickHouseClient, query: string, parameters = {}): Promise<number> {
  return (await rows<{ rows: number }>(client, query, parameters))[0]!.rows
}

async function rows<Row>(client: ClickHouseClient, query: string, query_params = {}): Promise<Row[]> {
  const result = await client.query({
    query,
    query_params,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  })
  return result.json<Row>()
}
