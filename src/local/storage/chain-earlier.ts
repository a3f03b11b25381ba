import type { ClickHouseClient } from '@clickhouse/client-web'
import { chainedHours, seals } from '../../query/tables/tables.ts'
import { frugallySelected } from './selected.ts'

/**
 * Rows of earlier days for the sessions of a span. Sealed rows are quick to scan, because they have 8-byte keys instead
 * of ids, and hashes instead of strings.
 */

const isOfSlice = 'cityHash64(session_id) % {slices:UInt32} = {slice:UInt32}'
const startOfSpan = "fromUnixTimestamp64Milli({start:Int64}, 'UTC')"
export const endOfSpan = "fromUnixTimestamp64Milli({end:Int64}, 'UTC')"
export const hourNumber = (moment: string) => `toUInt32(intDiv(toUnixTimestamp64Milli(${moment}), 3600000))`

export const isOfNamed = 'website_id IN {websites:Array(UUID)}'

export const actions = `hourly_visits WHERE ${isOfNamed} AND kind IN (1, 2)`
const isOfSpan = (moment: string) => `${moment} >= ${startOfSpan} AND ${moment} < ${endOfSpan}`
export const within = (moment: string) => `${isOfSpan(moment)} AND ${isOfSlice}`
export const actionsOfSpan = `${actions} AND ${within('hour')}`

/** The earlier rows of a span's sessions and visits. */
export interface Earlier {
  /** The days with earlier rows. Other days need not be read. */
  readonly days: readonly string[]
  /** The number of earlier rows. */
  readonly rows: number
  /** Whether a visit of the span belongs to two sessions. */
  readonly isShared: number
  /** Where to read the earlier rows. */
  readonly source: Source
}

const isBeforeSpan = `${isOfNamed} AND hour < ${startOfSpan}`
export const keyOf = (id: string) => `sipHash64(${id})`
const ofSpan = (column: string) => `SELECT ${column} FROM ${actionsOfSpan}`

/**
 * Earlier rows of the span's sessions and visits. An index hint selects whole granules, which is far faster than
 * checking the website and hour of every row. Therefore, the result also contains some rows of other websites and later
 * days.
 */
const rowsAround = {
  chains: `
    SELECT website_id, hour, session_key, visit_key FROM ${chainedHours.name}
    WHERE (session_key IN (${ofSpan(keyOf('session_id'))}) OR visit_key IN (${ofSpan(keyOf('visit_id'))}))
      AND indexHint(${isBeforeSpan})`,
  actions: `
    SELECT website_id, hour, ${keyOf('session_id')} AS session_key, ${keyOf('visit_id')} AS visit_key FROM ${actions}
      AND hour < ${startOfSpan} AND (session_id IN (${ofSpan('session_id')}) OR visit_id IN (${ofSpan('visit_id')}))`,
  none: undefined,
}

/** The source of earlier rows: sealed rows if all earlier days are sealed, otherwise the stored tables. */
export type Source = keyof typeof rowsAround

/** The other session of a shared visit may belong to another slice. */
const rowsAlsoOfOthers = `${actions} AND ${isOfSpan('hour')} AND (${isOfSlice} OR visit_id IN (${ofSpan('visit_id')}))`

/** Scans all earlier days once, and reads only keys or ids. If the span begins with the first day, it reads nothing. */
const earlierDays = (source: Source, { slices }: Slice) => `
  SELECT arraySort(groupUniqArrayIf(toString(toDate32(hour)), isEarlier)) AS days, countIf(isEarlier) AS rows,
    uniqExact(sipHash64(website_id, visit_key)) < uniqExact(sipHash64(website_id, visit_key, session_key)) AS isShared
  FROM (
    SELECT website_id, hour, ${keyOf('session_id')} AS session_key, ${keyOf('visit_id')} AS visit_key,
      false AS isEarlier
    FROM ${slices === 1 ? actionsOfSpan : rowsAlsoOfOthers}
    ${rowsAround[source] ? `UNION ALL (SELECT *, ${isBeforeSpan} AS isEarlier FROM (${rowsAround[source]}))` : ''}
  )`

/** Websites and a time range, in milliseconds since 1970. */
export interface Bounds {
  readonly websites: readonly string[]
  readonly start: number
  readonly end: number
}

/** One slice of the sessions of these websites. */
export interface Slice extends Bounds {
  readonly slices: number
  readonly slice: number
}

async function lookBack(client: ClickHouseClient, slice: Slice, source: Source): Promise<Earlier> {
  const [found] = await frugallySelected<Omit<Earlier, 'source'>>(client, earlierDays(source, slice), slice)
  return { ...found!, source }
}

/** Yields slices that fit into memory, each with up to `most` actions and up to `most` earlier rows. */
export async function* slicesOf(
  client: ClickHouseClient,
  bounds: Bounds,
  { slices, most, source }: { readonly slices: number; readonly most: number; readonly source: Source },
): AsyncGenerator<{ readonly slice: Slice; readonly earlier: Earlier }> {
  const { websites, start, end } = bounds
  for (let slice = 0; slice < slices; slice++) {
    const earlier = await lookBack(client, { websites, start, end, slices, slice }, source)
    // Sessions of visitors who return for years have many earlier rows, which also need memory.
    const parts = Math.max(1, Math.ceil(earlier.rows / most))
    for (let part = 0; part < parts; part++) {
      yield { slice: { websites, start, end, slices: slices * parts, slice: slice + part * slices }, earlier }
    }
  }
}

const isOfDays = (moment: string, { days }: Earlier) => `${moment} IN ('${days.join("', '")}')`

/** The SQL after `FROM` for the earlier rows of the span's sessions. Days without such rows are not read. */
export const earlierActions = (table: string, moment: string, earlier: Earlier): string => `
  ${table} PREWHERE session_id IN (${ofSpan('session_id')})
  WHERE ${isOfNamed} AND ${moment} < ${startOfSpan} AND indexHint(${isOfDays(`toDate32(${moment})`, earlier)})`

/** Like `earlierActions`, but for sealed rows. Rows of unfinished or older seals are left out. */
export const earlierSealed = (earlier: Earlier): string => `
  ${chainedHours.name} PREWHERE session_key IN (${ofSpan(keyOf('session_id'))})
  WHERE ${isBeforeSpan} AND indexHint(${isOfDays('toDate32(hour)', earlier)})
    AND (website_id, toDate32(hour), seal) IN (
      SELECT website_id, day, max(seal) FROM ${seals.name}
      WHERE ${isOfNamed} AND ${isOfDays('day', earlier)} GROUP BY website_id, day)`
