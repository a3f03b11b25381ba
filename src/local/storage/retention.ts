import type { ClickHouseClient } from '@clickhouse/client-web'
import type { Deleted } from '../../metadata/sessions.ts'
import type { WebsiteRetention } from '../../metadata/website.ts'
import { heatmapEvents, replayChunks, replayVisits, tables } from '../../query/tables/tables.ts'
import { alone } from './alone.ts'
import { deleteRows } from './delete-rows.ts'
import { isHidden, parametersOf, type WebsiteRow } from './purge.ts'
import { selected } from './selected.ts'
import { unseal } from './unseal.ts'

/** How long a website keeps its data, according to its own settings. */
export interface OwnRetention extends WebsiteRetention {
  readonly websiteId: string
}

export const retentionOf = (websites: readonly WebsiteRow[]): OwnRetention[] =>
  websites.flatMap(({ id, retention }) =>
    retention === null ? [] : [{ websiteId: id, ...(JSON.parse(retention) as WebsiteRetention) }],
  )

/**
 * The first moment, in UTC, of the month that is `months` before the month of `now`. Both are in milliseconds since
 * 1970.
 */
export function monthsBefore(now: number, months: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months)
}

/** Recordings are kept for days, and some of them for good. */
const ofEvents = tables.filter((table) => ![replayChunks, replayVisits, heatmapEvents].includes(table))

/**
 * Deletes all events and identify calls before the start of a month, for these websites or for all. No row of any table
 * spans two months, so no counts have to be rebuilt. Returns the number of rows.
 */
export const purgeBefore = (
  client: ClickHouseClient,
  startOfMonth: number,
  websiteIds: readonly string[],
): Promise<Deleted[]> =>
  alone(client, 'purge', async () => {
    const { ids: _, ...cut } = parametersOf([{ websiteId: '', before: startOfMonth }])
    const ofWebsites = websiteIds.length === 0 ? '1' : 'website_id IN {websiteIds:Array(UUID)}'
    const doomed = ofEvents.map(({ name, grain }) => ({
      table: name,
      condition: `${ofWebsites} AND ${isHidden[grain]}[1]`,
    }))
    const any = doomed.map(({ table, condition }) => `SELECT 1 FROM ${table} WHERE ${condition} LIMIT 1`)
    const isOver = (await selected(client, any.join(' UNION ALL '), { ...cut, websiteIds })).length === 0
    if (isOver) return doomed.map(({ table }) => ({ table, rows: 0 }))
    await unseal(client, websiteIds)
    const rows = await deleteRows(client, doomed, { ...cut, websiteIds })
    await unseal(client, websiteIds)
    return doomed.map(({ table }, place) => ({ table, rows: rows[place]! }))
  })

/** The maximum number of websites in one statement. Their ids are sent in its URL. */
const mostAtOnce = 50

/** Deletes events that are older than their website's retention. Returns the number of rows by table. */
export async function purgeExpired(
  client: ClickHouseClient,
  kept: readonly OwnRetention[],
  now: number,
): Promise<Deleted[]> {
  const deleted: Deleted[] = []
  for (const months of new Set(kept.flatMap(({ eventMonths }) => eventMonths ?? []))) {
    const ids = kept.filter(({ eventMonths }) => eventMonths === months).map(({ websiteId }) => websiteId)
    for (let start = 0; start < ids.length; start += mostAtOnce) {
      const some = ids.slice(start, start + mostAtOnce)
      deleted.push(...(await purgeBefore(client, monthsBefore(now, months), some)))
    }
  }
  return deleted
}
