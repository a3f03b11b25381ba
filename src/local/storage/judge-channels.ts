import type { ClickHouseClient } from '@clickhouse/client-web'
import { channelLists } from '../../channel-lists.ts'
import { events, hourlyVisits } from '../../query/tables/tables.ts'
import { channelRules } from './channel-rules.ts'
import { derivedTables, type Scope, within } from './derived.ts'
import { rebuild } from './rebuild.ts'
import { selected } from './selected.ts'
import { unseal } from './unseal.ts'

/**
 * The rows of `events` in a month whose channels come from older lists. `month` is a number such as 202501 for January
 * 2025.
 */
interface Older {
  readonly month: number
  readonly rows: number
  readonly websiteIds: readonly string[]
}

const isOlder = `channel_lists < ${channelLists.number}`
const ofEvents = { month: 'toYYYYMM(created_at)' }
const ofHours = derivedTables.find(({ table }) => table === hourlyVisits.name)!

/** The months with rows whose channels come from older lists, oldest first. */
export async function judgedBefore(client: ClickHouseClient, scope: Scope): Promise<Older[]> {
  const found = await selected<{ ofMonth: number; rows: string; websiteIds: string[] }>(
    client,
    `SELECT toUInt32(${ofEvents.month}) AS ofMonth, count() AS rows, groupUniqArray(toString(website_id)) AS websiteIds
     FROM ${events.name} WHERE ${within(ofEvents, scope)} AND ${isOlder} GROUP BY ofMonth ORDER BY ofMonth`,
  )
  return found.map(({ ofMonth, rows, websiteIds }) => ({ month: ofMonth, rows: Number(rows), websiteIds }))
}

/**
 * Sets the channels of a month's rows according to the current lists, rebuilds their rows in `hourly_visits`, and
 * unseals their websites. The number of the lists is written last, so that the next run finds the rows again after an
 * interruption. Rows that arrive in the meantime already have the current number.
 */
export async function judgeMonth(client: ClickHouseClient, scope: Scope, { month, websiteIds }: Older): Promise<void> {
  const ofMonth = { ...scope, month }
  const isMeant = `${within(ofEvents, ofMonth)} AND ${isOlder}`
  await update(client, `channel = ${channelRules} WHERE ${isMeant} AND channel != ${channelRules}`)
  await rebuild(client, ofHours, ofMonth)
  await unseal(client, websiteIds)
  await update(client, `channel_lists = ${channelLists.number} WHERE ${isMeant}`)
}

const update = (client: ClickHouseClient, change: string): Promise<unknown> =>
  client.command({
    query: `ALTER TABLE ${events.name} UPDATE ${change}`,
    clickhouse_settings: { mutations_sync: '2', max_query_size: '10000000' },
  })
