import type { ClickHouseClient } from '@clickhouse/client-web'
import type { Deleted } from '../../metadata/sessions.ts'
import type { WebsiteRetention } from '../../metadata/website.ts'
import { heatmapEvents, replayChunks, replayVisits, tables } from '../../query/tables/tables.ts'
import { monthsBefore, purgeBefore, type WebsiteRow } from './purge.ts'

/** How long a website keeps its data, according to its own settings. */
export interface OwnRetention extends WebsiteRetention {
  readonly websiteId: string
}

export const retentionOf = (websites: readonly WebsiteRow[]): OwnRetention[] =>
  websites.flatMap(({ id, retention }) =>
    retention === null ? [] : [{ websiteId: id, ...(JSON.parse(retention) as WebsiteRetention) }],
  )

/** Recordings have their own retention in days. */
const ofEvents = tables.filter((table) => ![replayChunks, replayVisits, heatmapEvents].includes(table))

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
      deleted.push(...(await purgeBefore(client, monthsBefore(now, months), some, ofEvents)))
    }
  }
  return deleted
}
