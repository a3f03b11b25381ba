import type { ClickHouseClient } from '@clickhouse/client-web'
import type { Deleted } from '../../metadata/sessions.ts'
import { heatmapEvents, replayChunks, replayVisits } from '../../query/tables/tables.ts'
import { dayLength } from '../../request/time-zone.ts'
import { literal } from '../engine/literal.ts'
import { alone } from './alone.ts'
import { deleteRows } from './delete-rows.ts'
import type { OwnRetention } from './retention.ts'
import { texts } from './selected.ts'
import type { Visits } from './visits.ts'

/** How long recordings are kept. */
interface KeptRecordings {
  /** 30 days by default. Saved replays are always kept. */
  readonly replayDays: number
  /** 400 days by default. */
  readonly heatmapDays: number
  /** The websites that D1 knows. If D1 is lost, it no longer knows which replays were saved, so all others stay. */
  readonly known: ReadonlySet<string>
  /** Websites that keep recordings for a shorter time. */
  readonly own: readonly OwnRetention[]
  /** Saved replays. */
  readonly saved: readonly Visits[]
  /** Milliseconds since 1970. */
  readonly now: number
}

const ofVisits = ({ websiteId, visitIds }: Visits): string =>
  `(website_id = toUUID(${literal(websiteId)}) AND visit_id IN (${visitIds.map(literal).join(', ')}))`

/** A statement may contain many ids. Each replica looks up the old visits itself, in a subquery. */
const settings = { max_query_size: '50000000', allow_nondeterministic_mutations: 1 } as const

/** Deletes hidden replays with their heatmap events, and expired recordings. Returns the numbers of deleted rows. */
export const purgeRecordings = (
  client: ClickHouseClient,
  hidden: readonly Visits[],
  { replayDays, heatmapDays, known, own, saved, now }: KeptRecordings,
): Promise<Deleted[]> =>
  alone(client, 'purge', async () => {
    const rows = { [replayChunks.name]: 0, [replayVisits.name]: 0, [heatmapEvents.name]: 0 }
    const take = async (...doomed: { table: string; condition: string }[]) => {
      const taken = await deleteRows(client, doomed, {}, settings)
      for (const [place, { table }] of doomed.entries()) rows[table]! += taken[place]!
    }
    for (const visits of hidden) {
      await take(...Object.keys(rows).map((table) => ({ table, condition: ofVisits(visits) })))
    }
    const all = `SELECT website_id FROM ${replayVisits.name} UNION ALL SELECT website_id FROM ${heatmapEvents.name}`
    const stored = await texts(client, `SELECT DISTINCT toString(website_id) AS text FROM (${all})`)
    const unknown = stored.filter((id) => !known.has(id))
    const isKnown = unknown.length === 0 ? '1' : `website_id NOT IN (${unknown.map(literal).join(', ')})`
    const isSaved = saved.length === 0 ? '0' : saved.map(ofVisits).join(' OR ')
    const isOldVisit = `(website_id, visit_id) IN (
      SELECT website_id, visit_id FROM ${replayVisits.name} WHERE ${isKnown} GROUP BY website_id, visit_id
      HAVING max(arrived_at) < ${before(now, daysOf(own, 'replayDays', replayDays))}) AND NOT (${isSaved})`
    const isOldClick = `arrived_at < ${before(now, daysOf(own, 'heatmapDays', heatmapDays))}`
    // Visits are found in `replays`, so the rows of `replays` are deleted last.
    await take(
      { table: replayChunks.name, condition: isOldVisit },
      { table: replayVisits.name, condition: isOldVisit },
      { table: heatmapEvents.name, condition: `${isKnown} AND ${isOldClick}` },
    )
    return Object.entries(rows).map(([table, rows]) => ({ table, rows }))
  })

/** `days` is an SQL expression. */
const before = (now: number, days: string): string =>
  `fromUnixTimestamp64Milli(toInt64(${now} - ${dayLength} * ${days}), 'UTC')`

/** An SQL expression for the days that a row's website keeps recordings: the website's own setting if it is shorter. */
function daysOf(own: readonly OwnRetention[], of: 'replayDays' | 'heatmapDays', usual: number): string {
  const fewer = own.filter((one) => (one[of] ?? usual) < usual)
  if (fewer.length === 0) return String(usual)
  const ids = fewer.map(({ websiteId }) => literal(websiteId)).join(', ')
  return `transform(toString(website_id), [${ids}], [${fewer.map((one) => one[of]).join(', ')}], ${usual})`
}
