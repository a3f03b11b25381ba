import { readFileSync } from 'node:fs'
import type { ClickHouseClient } from '@clickhouse/client-web'
import type { D1Database } from '@cloudflare/workers-types'
import * as z from 'zod'

/** Every table that stores events; `ingest` keeps nothing. */
const tables = ['events', 'custom_events', 'event_data', 'event_data_by_id'] as const

/** Events of a website that nobody is to see: those before a moment, in milliseconds since 1970, or all. */
export interface Hidden {
  readonly websiteId: string
  readonly before: number | undefined
}

/** The websites that have such events, as D1 is asked for them. */
export const websitesToPurge =
  'SELECT id, reset_at, deleted_at FROM websites WHERE reset_at IS NOT NULL OR deleted_at IS NOT NULL'

const WebsiteRow = z.object({ id: z.guid(), reset_at: z.int().nullable(), deleted_at: z.int().nullable() })

type WebsiteRow = z.infer<typeof WebsiteRow>

/** What `wrangler d1 execute --json` prints. */
const Printed = z.array(z.object({ results: z.array(WebsiteRow) })).length(1)

export const purgeable = async (metadata: D1Database): Promise<WebsiteRow[]> =>
  (await metadata.prepare(websitesToPurge).all<WebsiteRow>()).results

/** The same from a file that wrangler printed: for a remote D1. */
export function purgeableIn(file: string): WebsiteRow[] {
  const printed = Printed.safeParse(jsonOf(readFileSync(file, 'utf8')))
  if (printed.success) return printed.data.flatMap(({ results }) => results)
  throw new Error(`${file} is not what wrangler d1 execute --json prints of: ${websitesToPurge}`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What resets hide, and with `deleted` also all of the websites that were deleted. */
export const hiddenEvents = (websites: readonly WebsiteRow[], { deleted }: { deleted: boolean }): Hidden[] =>
  websites.flatMap(({ id, reset_at, deleted_at }): Hidden[] => {
    if (deleted && deleted_at !== null) return [{ websiteId: id, before: undefined }]
    return reset_at === null ? [] : [{ websiteId: id, before: reset_at }]
  })

/**
 * Deletes these events from every table and waits for it, on every replica; says how many rows it was. ClickHouse takes
 * the files of before from the disk some minutes later.
 */
export async function purge(
  client: ClickHouseClient,
  hidden: readonly Hidden[],
): Promise<{ table: string; rows: number }[]> {
  await refuseClusterFront(client)
  const counts = []
  for (const table of tables) {
    let rows = 0
    for (let start = 0; start < hidden.length; start += mostAtOnce) {
      rows += await purgeTable(client, table, hidden.slice(start, start + mostAtOnce))
    }
    counts.push({ table, rows })
  }
  return counts
}

/** Websites in one statement: their ids travel in its URL. */
const mostAtOnce = 50

async function purgeTable(client: ClickHouseClient, table: string, hidden: readonly Hidden[]): Promise<number> {
  const query_params = parametersOf(hidden)
  const result = await client.query({
    query: `SELECT count() AS rows FROM ${table} WHERE ${condition}`,
    query_params,
    format: 'JSONEachRow',
  })
  const [counted] = await result.json<{ rows: string }>()
  const rows = Number(counted?.rows)
  // A mutation costs a look at every part, even where it finds nothing.
  if (rows > 0) {
    await client.command({
      query: `ALTER TABLE ${table} DELETE WHERE ${condition}`,
      query_params,
      clickhouse_settings: { mutations_sync: '2' },
    })
  }
  return rows
}

/** `IN` is what the primary key is searched by; the moment of a website stands at the place of its id. */
const condition = `website_id IN {ids:Array(UUID)}
  AND toUnixTimestamp64Milli(created_at) < {moments:Array(Int64)}[indexOf({ids:Array(UUID)}, website_id)]`

const parametersOf = (hidden: readonly Hidden[]) => ({
  ids: hidden.map(({ websiteId }) => websiteId),
  moments: hidden.map(({ before = Number.MAX_SAFE_INTEGER }) => before),
})

/** Rows of a cluster lie in the tables of its shards. */
async function refuseClusterFront(client: ClickHouseClient): Promise<void> {
  const result = await client.query({
    query: "SELECT engine FROM system.tables WHERE database = currentDatabase() AND name = 'events'",
    format: 'JSONEachRow',
  })
  const [events] = await result.json<{ engine: string }>()
  if (events && !events.engine.endsWith('MergeTree')) {
    throw new Error('These are the tables in front of a cluster: purge each shard. See Clusters in docs/storage.md.')
  }
}
