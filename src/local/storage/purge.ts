import type { ClickHouseClient } from '@clickhouse/client-web'
import type { D1Database } from '@cloudflare/workers-types'
import * as z from 'zod'
import { hiddenReplaysOf, savedReplaysOf } from '../../metadata/replays.ts'
import { type Deleted, deletedSessionsOf } from '../../metadata/sessions.ts'
import { yearAndMonth } from '../../query/language/time.ts'
import { events, type Table, tables } from '../../query/tables/tables.ts'
import { dayLength, hourLength } from '../../request/time-zone.ts'
import { alone } from './alone.ts'
import { refuseBroken } from './broken-parts.ts'
import { deleteRows } from './delete-rows.ts'
import { type DeletedSessions, deleteSessions } from './delete-sessions.ts'
import { byMonth, derivedTables, type MonthScope } from './derived.ts'
import { printedRows } from './printed-rows.ts'
import { rebuild } from './rebuild.ts'
import { selected } from './selected.ts'
import { unseal } from './unseal.ts'
import type { Visits } from './visits.ts'

/** The hidden events of a website: all events, or those before a moment, in milliseconds since 1970. */
interface Hidden {
  readonly websiteId: string
  readonly before: number | undefined
}

/** The D1 query for all websites, with what a purge has to know about each. */
export const websitesToPurge =
  `SELECT id, reset_at, deleted_at, retention, ${deletedSessionsOf('websites.id')} AS deleted_sessions,
    ${hiddenReplaysOf('websites.id')} AS hidden_replays, ${savedReplaysOf('websites.id')} AS saved_replays
  FROM websites`.replaceAll(/\s+/g, ' ')

const WebsiteRow = z.object({
  id: z.guid(),
  reset_at: z.int().nullable(),
  deleted_at: z.int().nullable(),
  retention: z.string().nullable().default(null),
  deleted_sessions: z.string().default('[]'),
  hidden_replays: z.string().default('[]'),
  saved_replays: z.string().default('[]'),
})

export type WebsiteRow = z.infer<typeof WebsiteRow>

export const purgeable = async (metadata: D1Database): Promise<WebsiteRow[]> =>
  (await metadata.prepare(websitesToPurge).all<WebsiteRow>()).results

/** The purgeable websites of a remote D1, from a file with wrangler's output. */
export const purgeableIn = (file: string): WebsiteRow[] => printedRows(file, websitesToPurge, WebsiteRow)

/** The events that resets hide. With `deleted`, also all events of deleted websites. */
export const hiddenEvents = (websites: readonly WebsiteRow[], { deleted }: { deleted: boolean }): Hidden[] =>
  websites.flatMap(({ id, reset_at, deleted_at }): Hidden[] => {
    if (deleted && deleted_at !== null) return [{ websiteId: id, before: undefined }]
    return reset_at === null ? [] : [{ websiteId: id, before: reset_at }]
  })

const Ids = z.array(z.guid())

const idsIn = (json: string): string[] => Ids.parse(JSON.parse(json))

/** The sessions that were deleted and are still stored. */
export const deletedSessions = (websites: readonly WebsiteRow[]): DeletedSessions[] =>
  websites
    .map(({ id, deleted_sessions }) => ({ websiteId: id, sessionIds: idsIn(deleted_sessions) }))
    .filter(({ sessionIds }) => sessionIds.length > 0)

/** By website, either the hidden replays that are still stored, or the saved replays. */
export const replaysOf = (websites: readonly WebsiteRow[], which: 'hidden_replays' | 'saved_replays'): Visits[] =>
  websites
    .map((row) => ({ websiteId: row.id, visitIds: idsIn(row[which]) }))
    .filter(({ visitIds }) => visitIds.length > 0)

/**
 * Deletes these events and sessions from all tables on all replicas, and waits until they are deleted. Returns the
 * number of rows. ClickHouse removes the old files from disk a few minutes later.
 */
export const purge = (
  client: ClickHouseClient,
  hidden: readonly Hidden[],
  deleted: readonly DeletedSessions[] = [],
): Promise<Deleted[]> =>
  alone(client, 'purge', async () => {
    await refuseBroken(client)
    const rows = new Map(tables.map(({ name }) => [name, 0]))
    const count = (table: string, more: number) => rows.set(table, rows.get(table)! + more)
    const changed = [...(await withHiddenEvents(client, hidden)), ...deleted.map(({ websiteId }) => websiteId)]
    if (changed.length > 0) await unseal(client, changed)
    await purgeRows(client, hidden, count)
    const unsure: string[] = []
    for (const months of cutMonths(hidden)) unsure.push(...(await recount(client, months)))
    unsure.push(...(await deleteSessions(client, deleted, count)))
    // A seal that read rows during the deletion is invalid.
    if (changed.length > 0) await unseal(client, changed)
    if (unsure.length > 0) {
      throw new Error(`Events kept arriving. Run purge again to be sure of ${[...new Set(unsure)].join(', ')}.`)
    }
    return [...rows].map(([table, rows]) => ({ table, rows }))
  })

/** The websites that have hidden events in ClickHouse. */
async function withHiddenEvents(client: ClickHouseClient, hidden: readonly Hidden[]): Promise<string[]> {
  const found: string[] = []
  for (let start = 0; start < hidden.length; start += mostAtOnce) {
    const query = `SELECT DISTINCT toString(website_id) AS id FROM ${events.name} WHERE ${isOfHidden('moment')}`
    const rows = await selected<{ id: string }>(client, query, parametersOf(hidden.slice(start, start + mostAtOnce)))
    found.push(...rows.map(({ id }) => id))
  }
  return found
}

/** ClickHouse uses the primary key only with `IN`. The moment of a website is at the same index as its id. */
const isOfHidden = (grain: Table['grain']): string =>
  `website_id IN {ids:Array(UUID)} AND ${isHidden[grain]}[indexOf({ids:Array(UUID)}, website_id)]`

/** Rebuilds the counts of whole months and days from the remaining events. Returns tables that may be wrong. */
async function recount(client: ClickHouseClient, months: readonly MonthScope[]): Promise<string[]> {
  const unsure: string[] = []
  for (const derived of derivedTables.filter(({ counts }) => counts)) {
    const rebuilt = await rebuild(client, derived, months)
    if (rebuilt.some((one) => one.unsure > 0)) unsure.push(derived.table)
  }
  return unsure
}

/** Groups websites by the month that contains their moment. */
const cutMonths = (hidden: readonly Hidden[]) =>
  byMonth(
    hidden.flatMap(({ websiteId, before }) =>
      before === undefined ? [] : [[yearAndMonth(before), websiteId] as const],
    ),
  )

/** The maximum number of websites in one statement. Their ids are sent in its URL. */
const mostAtOnce = 50

async function purgeRows(
  client: ClickHouseClient,
  hidden: readonly Hidden[],
  count: (table: string, rows: number) => void,
): Promise<void> {
  const doomed = tables.map(({ name, grain }) => ({ table: name, condition: isOfHidden(grain) }))
  for (let start = 0; start < hidden.length; start += mostAtOnce) {
    const rows = await deleteRows(client, doomed, parametersOf(hidden.slice(start, start + mostAtOnce)))
    for (const [place, { table }] of doomed.entries()) count(table, rows[place]!)
  }
}

/** A row is hidden if it ends before the moment. Compares its time, hour, day (in days since 1970) or month. */
export const isHidden: Readonly<Record<Table['grain'], string>> = {
  moment: 'toUnixTimestamp64Milli(created_at) < {moments:Array(Int64)}',
  hour: 'toUnixTimestamp64Milli(hour) < {hours:Array(Int64)}',
  day: 'toInt32(day) < {days:Array(Int64)}',
  month: 'month < {months:Array(Int64)}',
}

export function parametersOf(hidden: readonly Hidden[]) {
  const ends = (endOf: (before: number) => number): number[] =>
    hidden.map(({ before }) => (before === undefined ? Number.MAX_SAFE_INTEGER : endOf(before)))
  return {
    ids: hidden.map(({ websiteId }) => websiteId),
    moments: ends((before) => before),
    hours: ends((before) => Math.floor(before / hourLength) * hourLength),
    days: ends((before) => Math.floor(before / dayLength)),
    months: ends(yearAndMonth),
  }
}
