import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client-web'
import { benchPlan, type DatasetStep, datasetSteps } from '../../src/local/dataset/index.ts'
import { yearAndMonth } from '../../src/query/language/time.ts'
import type { Beside, Layout, Layouts } from './naive/layout.ts'

/** The last moment of the data, fixed so that every run has the same data. */
export const to = Date.parse('2026-01-15T14:37:21.456Z')

const seed = 1

/**
 * Two threads and one insert into all views at a time fill a machine of two cores fastest. Merges sum equal rows
 * later, as docs/storage.md advises for heavy writers.
 */
const insertSettings = { parallel_view_processing: 1, max_insert_threads: '2', optimize_on_insert: 0 } as const

/** The record of how a data folder was filled. */
export interface Filling {
  readonly events: number
  /** The time of the statements alone. Undefined if the note is missing, or if only one layout was filled. */
  readonly seconds: Beside<number> | undefined
}

export interface TableSize {
  readonly table: string
  readonly rows: number
  readonly parts: number
  readonly bytes: number
  readonly uncompressedBytes: number
}

/** The websites of the data, largest first; the same for every size. */
export const websiteIds: readonly string[] = benchPlan(1, to, seed).websites.map(({ id }) => id)

export const [largest, smallest] = [websiteIds[0]!, websiteIds.at(-1)!]

/** Fills the empty layouts, alternating between them. The file `note` stores how long that took. */
export async function filled(
  layouts: Layouts,
  note: string,
  wanted: number,
  progress: (line: string) => void,
): Promise<Filling> {
  const steps = datasetSteps(benchPlan(wanted, to, seed))
  const events = steps.reduce((sum, step) => sum + step.events, 0)
  const empty: Layout[] = []
  for (const layout of ['weir', 'naive'] as const) {
    const found = await rowsOf(layouts[layout], 'select count() as rows from events')
    if (found === 0) empty.push(layout)
    else if (found !== events) {
      throw new Error(
        `Found ${found} events where the benchmark keeps its ${events}. Delete that data folder, or choose another one with --data-dir.`,
      )
    }
  }
  if (!empty.includes('naive') && (await rowsOf(layouts.naive, 'select count() as rows from visit_hours')) === 0) {
    throw new Error(
      'This data folder is older than the table visit_hours. Delete it, or choose another with --data-dir.',
    )
  }
  if (!empty.includes('naive') && (await rowsOf(layouts.naive, 'select count() as rows from session_data')) === 0) {
    throw new Error('This data folder has no session data. Delete it, or choose another with --data-dir.')
  }
  if (empty.length > 0) await fill(layouts, empty, note, steps, progress)
  return { events, seconds: existsSync(note) ? secondsIn(readFileSync(note, 'utf8')) : undefined }
}

/** The times of both layouts, if they were filled together. */
function secondsIn(note: string): Beside<number> | undefined {
  const { weir, naive } = JSON.parse(note) as Partial<Beside<number>>
  return weir !== undefined && naive !== undefined ? { weir, naive } : undefined
}

async function fill(
  layouts: Layouts,
  empty: readonly Layout[],
  note: string,
  steps: readonly DatasetStep[],
  progress: (line: string) => void,
): Promise<void> {
  const seconds: Partial<Record<Layout, number>> = {}
  for (const [index, { query, query_params }] of steps.entries()) {
    progress(`filling, step ${index + 1} of ${steps.length}`)
    for (const layout of index % 2 === 0 ? empty : [...empty].reverse()) {
      const started = performance.now()
      await layouts[layout].command({ query, query_params, clickhouse_settings: insertSettings })
      seconds[layout] = (seconds[layout] ?? 0) + (performance.now() - started) / 1000
    }
  }
  for (const layout of empty) {
    progress(`identifying sessions: ${layout}`)
    await layouts[layout].command({ query: identifyCalls, clickhouse_settings: insertSettings })
  }
  writeFileSync(note, JSON.stringify(seconds))
}

/**
 * Identify calls: each visit of an identified visitor has a plan and a number of seats; every second visitor also the
 * end of a trial, every third visit tags. The rate of inserts does not include them.
 */
const identifyCalls = `
  insert into ingest_session_data
  with
    (number, what) -> cityHash64(number, what) as hash,
    (choices, drawn) -> choices[drawn % length(choices) + 1] as one_of
  select
    website_id, session_id, said_by, first_at,
    arrayMap(said -> said.1, all) as \`properties.key\`,
    arrayMap(said -> said.2, all) as \`properties.data_type\`,
    arrayMap(said -> said.3, all) as \`properties.string_value\`,
    arrayMap(said -> if(said.2 = 2, toDecimal64(said.3, 4), null), all) as \`properties.number_value\`,
    arrayMap(said -> if(said.2 = 4, parseDateTimeBestEffort(said.3, 'UTC'), null), all) as \`properties.date_value\`
  from (
    select
      website_id, session_id, visit_id, any(distinct_id) as said_by, min(created_at) as first_at,
      arrayConcat(
        [('plan', 1, one_of(['free', 'free', 'free', 'team', 'team', 'business'], hash(visit_id, 'plan'))),
         ('seats', 2, toDecimalString(toUInt32(1 + pow(20, hash(visit_id, 'seats') % 1000 / 1000)), 4))],
        if(hash(session_id, 'trial') % 2 = 0, [('trial_ends', 4, formatDateTime(first_at + toIntervalDay(14), '%Y-%m-%dT%H:%i:%SZ'))], []),
        if(hash(visit_id, 'tags') % 3 = 0, [('tags', 5, one_of(['["beta"]', '["beta","vip"]', '["partner"]'], hash(visit_id, 'tag')))], [])
      ) as all
    from events
    where distinct_id != ''
    group by website_id, session_id, visit_id
  )`

/** The number of consecutive looks without a running merge, and the milliseconds between two looks. */
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
 * Merges the partitions that ClickHouse would merge after an hour without inserts: of tables with that setting, all
 * partitions before the last moment's.
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
    `select table, sum(rows) as rows, count() as parts, sum(bytes_on_disk) as bytes,
       sum(data_uncompressed_bytes) as uncompressedBytes
     from system.parts
     where database = currentDatabase() and active and table != 'migrations'
     group by table order by bytes desc`,
  )
}

export const websiteRows = ({ naive }: Layouts, websiteId: string): Promise<number> =>
  rowsOf(naive, 'select count() as rows from events where website_id = {websiteId:UUID}', { websiteId })

/** Ids of events with properties, spread over the website's events. */
export async function eventIdsOf({ naive }: Layouts, websiteId: string, most: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    naive,
    `select event_id as id from event_data where website_id = {websiteId:UUID}
     group by id order by cityHash64(id) limit {most:UInt32}`,
    { websiteId, most },
  )
  return found.map(({ id }) => id)
}

/** Ids of sessions with events in the last month, spread over these sessions. */
export async function sessionIdsOf({ naive }: Layouts, websiteId: string, most: number): Promise<string[]> {
  const found = await rows<{ id: string }>(
    naive,
    `select session_id as id from visit_hours
     where website_id = {websiteId:UUID} and hour >= toDateTime({to:UInt32}, 'UTC') - toIntervalDay(28)
     group by id order by cityHash64(id) limit {most:UInt32}`,
    { websiteId, most, to: Math.floor(to / 1000) },
  )
  return found.map(({ id }) => id)
}

/** The time of the event with so many newer events on its website; of the oldest event if there are fewer. */
export async function momentBefore({ naive }: Layouts, websiteId: string, newer: number): Promise<number> {
  const [found] = await rows<{ at: number }>(
    naive,
    `select toUnixTimestamp64Milli(min(created_at)) as at from (
       select created_at from events where website_id = {websiteId:UUID} and event_type != 5
       order by created_at desc limit {newer:UInt32})`,
    { websiteId, newer },
  )
  return found!.at
}

async function rowsOf(client: ClickHouseClient, query: string, parameters = {}): Promise<number> {
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
