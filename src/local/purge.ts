import { readFileSync } from 'node:fs'
import type { ClickHouseClient } from '@clickhouse/client-web'
import type { D1Database } from '@cloudflare/workers-types'
import * as z from 'zod'
import { type Table, tables } from '../query/tables.ts'
import { yearAndMonth } from '../query/time.ts'
import { alone } from './check.ts'
import { derivedTables } from './derived.ts'
import { rebuild } from './rebuild.ts'

/** Hidden events of a website: those before a moment, in milliseconds since 1970, or all. */
interface Hidden {
  readonly websiteId: string
  readonly before: number | undefined
}

/** The D1 query for websites with hidden events. */
export const websitesToPurge =
  'SELECT id, reset_at, deleted_at FROM websites WHERE reset_at IS NOT NULL OR deleted_at IS NOT NULL'

const WebsiteRow = z.object({ id: z.guid(), reset_at: z.int().nullable(), deleted_at: z.int().nullable() })

type WebsiteRow = z.infer<typeof WebsiteRow>

/** The output of `wrangler d1 execute --json`. */
const Printed = z.array(z.object({ results: z.array(WebsiteRow) })).length(1)

export const purgeable = async (metadata: D1Database): Promise<WebsiteRow[]> =>
  (await metadata.prepare(websitesToPurge).all<WebsiteRow>()).results

/** The same websites for a remote D1, from a file with wrangler's output. */
export function purgeableIn(file: string): WebsiteRow[] {
  const printed = Printed.safeParse(jsonOf(readFileSync(file, 'utf8')))
  if (printed.success) return printed.data.flatMap(({ results }) => results)
  throw new Error(`${file} is not the output of wrangler d1 execute --json for: ${websitesToPurge}`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The events hidden by resets; with `deleted` also all events of deleted websites. */
export const hiddenEvents = (websites: readonly WebsiteRow[], { deleted }: { deleted: boolean }): Hidden[] =>
  websites.flatMap(({ id, reset_at, deleted_at }): Hidden[] => {
    if (deleted && deleted_at !== null) return [{ websiteId: id, before: undefined }]
    return reset_at === null ? [] : [{ websiteId: id, before: reset_at }]
  })

/**
 * Deletes these events from every table, on every replica, and waits for that. Returns the number of rows. ClickHouse
 * removes the old files from disk some minutes later.
 */
export const purge = (client: ClickHouseClient, hidden: readonly Hidden[]): Promise<Purged[]> =>
  alone(client, 'purge', async () => {
    const purged: Purged[] = []
    for (const table of tables) purged.push({ table: table.name, rows: await purgeTable(client, table, hidden) })
    const unsure: string[] = []
    for (const month of cutMonths(hidden)) unsure.push(...(await recount(client, month)))
    if (unsure.length > 0) {
      throw new Error(`Events kept arriving. Run purge again to be sure of ${[...new Set(unsure)].join(', ')}.`)
    }
    return purged
  })

interface Purged {
  readonly table: string
  readonly rows: number
}

/** Recounts a month and its days from the remaining events. Returns the tables that are still unsure. */
async function recount(client: ClickHouseClient, scope: { month: number; websiteIds: string[] }): Promise<string[]> {
  const unsure: string[] = []
  for (const derived of derivedTables.filter(({ counts }) => counts)) {
    const rebuilt = await rebuild(client, derived, scope)
    if (rebuilt.some((one) => one.unsure > 0)) unsure.push(derived.table)
  }
  return unsure
}

/** Groups websites by the month of their moment: 202501 for January 2025. */
function cutMonths(hidden: readonly Hidden[]): { month: number; websiteIds: string[] }[] {
  const months = new Map<number, string[]>()
  for (const { websiteId, before } of hidden) {
    if (before !== undefined) months.set(yearAndMonth(before), [...(months.get(yearAndMonth(before)) ?? []), websiteId])
  }
  return [...months].map(([month, websiteIds]) => ({ month, websiteIds }))
}

/** The most websites in one statement: their ids are sent in its URL. */
const mostAtOnce = 50

async function purgeTable(client: ClickHouseClient, table: Table, hidden: readonly Hidden[]) {
  let rows = 0
  for (let start = 0; start < hidden.length; start += mostAtOnce) {
    rows += await purgeRows(client, table, hidden.slice(start, start + mostAtOnce))
  }
  return rows
}

async function purgeRows(client: ClickHouseClient, { name, grain }: Table, hidden: readonly Hidden[]): Promise<number> {
  // The primary key needs `IN`. A website's moment is at the same index as its id.
  const condition = `website_id IN {ids:Array(UUID)} AND ${isHidden[grain]}[indexOf({ids:Array(UUID)}, website_id)]`
  const query_params = parametersOf(hidden)
  const result = await client.query({
    query: `SELECT count() AS rows FROM ${name} WHERE ${condition}`,
    query_params,
    format: 'JSONEachRow',
  })
  const [counted] = await result.json<{ rows: string }>()
  const rows = Number(counted?.rows)
  // A mutation rewrites or checks every part, even if no row matches, so it runs only if there are rows.
  if (rows > 0) {
    await client.command({
      query: `ALTER TABLE ${name} DELETE WHERE ${condition}`,
      query_params,
      clickhouse_settings: { mutations_sync: '2' },
    })
  }
  return rows
}

/** A row is hidden if it is entirely before the moment: by its time, by its day (days since 1970), or by its month. */
const isHidden: Readonly<Record<Table['grain'], string>> = {
  moment: 'toUnixTimestamp64Milli(created_at) < {moments:Array(Int64)}',
  day: 'toInt32(day) < {days:Array(Int64)}',
  month: 'month < {months:Array(Int64)}',
}

const parametersOf = (hidden: readonly Hidden[]) => ({
  ids: hidden.map(({ websiteId }) => websiteId),
  moments: hidden.map(({ before = Number.MAX_SAFE_INTEGER }) => before),
  days: hidden.map(({ before }) => (before === undefined ? Number.MAX_SAFE_INTEGER : Math.floor(before / 86_400_000))),
  months: hidden.map(({ before }) => (before === undefined ? Number.MAX_SAFE_INTEGER : yearAndMonth(before))),
})
