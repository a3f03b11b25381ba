import type { ClickHouseClient } from '@clickhouse/client-web'
import { compile } from '../../query/language/sql.ts'
import { eventDataById, sessionEvents, tables } from '../../query/tables/tables.ts'
import { insertsEnded } from './check.ts'
import { deleteRows } from './delete-rows.ts'
import { byMonth, derivedTables, type MonthScope, within } from './derived.ts'
import { rebuild } from './rebuild.ts'
import { texts } from './selected.ts'

/** Deleted sessions of a website. */
export interface DeletedSessions {
  readonly websiteId: string
  readonly sessionIds: readonly string[]
}

type Count = (table: string, rows: number) => void

/** Deletes sessions from all tables, and counts the rows. Returns tables that may be wrong. */
export async function deleteSessions(
  client: ClickHouseClient,
  deleted: readonly DeletedSessions[],
  count: Count,
): Promise<string[]> {
  const unsure: string[] = []
  for (const part of inParts(deleted)) unsure.push(...(await deletePart(client, part, count)))
  return unsure
}

/**
 * The maximum number of sessions in one statement. ClickHouse accepts statements of up to 256 KiB, and each id takes 40
 * bytes.
 */
const mostSessions = 4000

/** Splits the list into parts of at most `mostSessions`, unless a single website has more. */
function inParts(deleted: readonly DeletedSessions[]): DeletedSessions[][] {
  const parts: DeletedSessions[][] = []
  let room = 0
  for (const one of deleted) {
    if (room < one.sessionIds.length) {
      parts.push([])
      room = mostSessions
    }
    parts.at(-1)!.push(one)
    room -= one.sessionIds.length
  }
  return parts
}

/** The maximum number of times that sessions are deleted. Each time finds only rows that arrived during the last. */
const rounds = 5

/**
 * Deletes sessions until none of their rows is left after all running inserts have ended: while one table after the
 * other is changed, an active visitor's events arrive. If they do so each time, returns the tables in which rows were
 * found last.
 */
async function deletePart(
  client: ClickHouseClient,
  deleted: readonly DeletedSessions[],
  count: Count,
): Promise<string[]> {
  const isDeleted = isOf(deleted)
  const places = new Set<string>()
  let unsure: string[] = []
  let found: string[] = []
  for (let made = 0; made < rounds; made++) {
    await insertsEnded(client)
    found = []
    const countFound: Count = (table, rows) => {
      if (rows > 0) found.push(table)
      count(table, rows)
    }
    await deleteById(client, deleted, places, countFound)
    const isLeft = await addPlaces(client, sessionEvents.name, isDeleted, places)
    if (found.length === 0 && !isLeft) return unsure
    const months = byMonth([...places].sort().map((text) => [Number(text.slice(0, 6)), text.slice(7)]))
    unsure = await recountWithoutIds(client, months, count)
    // If an event has arrived since, in another month, its row stays until the next round, which finds the month.
    for (const some of months) {
      const condition = `(${isDeleted}) AND ${within(ofSessionEvents, some)}`
      await deleteCounted(client, sessionEvents.name, condition, countFound, { max_query_size: '1000000' })
    }
  }
  return [...unsure, ...found]
}

/** Adds the months and websites of the rows that meet a condition. Returns whether there are any. */
async function addPlaces(
  client: ClickHouseClient,
  table: string,
  condition: string,
  places: Set<string>,
): Promise<boolean> {
  const found = await texts(
    client,
    `SELECT DISTINCT concat(toString(toYYYYMM(created_at)), ' ', toString(website_id)) AS text
     FROM ${table} WHERE ${condition}`,
  )
  for (const place of found) places.add(place)
  return found.length > 0
}

const ofSessionEvents = { month: 'toYYYYMM(created_at)' }

/** `session` is an SQL expression for the session of a row. */
const isOf = (deleted: readonly DeletedSessions[], session = 'session_id'): string =>
  deleted
    .map(({ websiteId, sessionIds }) => {
      const ids = sessionIds.map((id) => `'${id}'`).join(', ')
      return `website_id = toUUID('${websiteId}') AND ${session} IN (${ids})`
    })
    .join(' OR ')

async function deleteCounted(
  client: ClickHouseClient,
  table: string,
  condition: string,
  count: Count,
  settings = {},
): Promise<void> {
  const [rows] = await deleteRows(client, [{ table, condition }], {}, settings)
  count(table, rows!)
}

/** The tables with session ids. */
const tablesWithIds = (client: ClickHouseClient): Promise<string[]> =>
  texts(client, "SELECT table AS text FROM system.columns WHERE database = currentDatabase() AND name = 'session_id'")

/**
 * Deletes sessions from tables with session ids, except from `session_events`, which is changed last: it contains the
 * months of the sessions, so that an interrupted purge can run again. Adds the months of all rows that it deletes. One
 * table is changed after the other, because a single statement would repeat every id for each table.
 */
async function deleteById(
  client: ClickHouseClient,
  deleted: readonly DeletedSessions[],
  places: Set<string>,
  count: Count,
): Promise<void> {
  const withIds = await tablesWithIds(client)
  const others = tables.filter(({ name }) => withIds.includes(name) && name !== sessionEvents.name)
  for (const { name, grain } of [eventDataById, ...others]) {
    const condition = isOf(deleted, name === eventDataById.name ? compile(eventDataById.session).query : 'session_id')
    if (grain === 'moment' && !(await addPlaces(client, name, condition, places))) continue
    await deleteCounted(client, name, condition, count)
  }
}

/** Rebuilds the tables that only count, for the months of the sessions. Returns tables that may be wrong. */
async function recountWithoutIds(
  client: ClickHouseClient,
  months: readonly MonthScope[][],
  count: Count,
): Promise<string[]> {
  const withIds = await tablesWithIds(client)
  const unsure: string[] = []
  const isCounted = (table: string): boolean => !withIds.includes(table) && table !== eventDataById.name
  for (const derived of derivedTables.filter(({ table }) => isCounted(table))) {
    for (const some of months) {
      const rebuilt = await rebuild(client, derived, some)
      count(
        derived.table,
        rebuilt.reduce((sum, { taken }) => sum + taken, 0),
      )
      if (rebuilt.some((one) => one.unsure > 0)) unsure.push(derived.table)
    }
  }
  return unsure
}
