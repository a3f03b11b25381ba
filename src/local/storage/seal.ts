import type { ClickHouseClient } from '@clickhouse/client-web'
import { seals } from '../../query/tables/tables.ts'
import { type Day, dayLength, mostOfSpan, now, rowsOf, shardOf, spansOf, websitesWithDays } from './chain-days.ts'
import { boundInRows, chains, chainTables } from './chain-rows.ts'
import { refuseClusterFront } from './derived.ts'

/**
 * Seals days: makes their rows of chains, and notes it. `src/query/tables/chains.ts` says what notes mean to readers.
 *
 * A seal has a number, the microsecond at which it began to read. Its rows have this number (counted on for each day),
 * and no reader looks at them before the note is written. So it may end at any point, and be repeated: rows without a
 * note are never read. Several jobs may run at once, and writers go on: the note states the actions of the rows that
 * were read, and when the reading ended. Where more came meanwhile, or a day before was sealed again, the day is not
 * sealed.
 */
interface SealOptions {
  /** None means all. */
  readonly websiteIds: readonly string[]
  /** Late events wait until the seal of their day is this old, in milliseconds: more may come. */
  readonly patience: number
}

/** What a run did. */
interface SealRun {
  /** The number of days that were sealed. */
  readonly sealed: number
  /** Days whose hours and counts of actions differ, so that no seal can be right: `check` says more. */
  readonly differing: readonly string[]
}

/** Seals all days that are over and not sealed, of each website from its first such day on. */
export async function seal(client: ClickHouseClient, options: SealOptions): Promise<SealRun> {
  await refuseClusterFront(client, 'seal')
  const shard = await shardOf(client)
  await withdrawOthers(client, shard)
  const differing: string[] = []
  let sealed = 0
  for (const { websiteId, open } of await websitesWithDays(client, options.websiteIds)) {
    const first = await firstToSeal(client, websiteId, open, differing)
    const started = open[first]
    if (!started || isTooFresh(started, options)) continue
    for (const span of spansOf(open.slice(first))) {
      const done = await sealSpan(client, { website: websiteId, shard }, span)
      sealed += done
      // More came meanwhile: later days wait for the next run, too.
      if (done < span.length) break
    }
  }
  if (sealed > 0) await sweep(client, options)
  return { sealed, differing }
}

/** Notes of another name: the database was renamed. They would count beside those of this name. */
async function withdrawOthers(client: ClickHouseClient, shard: string): Promise<void> {
  const others = `FROM ${seals.name} WHERE shard != {shard:String}
    GROUP BY website_id, day, shard HAVING notEmpty(argMax(views, seal))`
  const [found] = await rowsOf<object>(client, `SELECT 1 ${others} LIMIT 1`, { shard })
  if (!found) return
  await client.command({
    query: `INSERT INTO ${seals.name} (website_id, day, shard, seal, began, done, views, customs, changed)
      SELECT website_id, day, shard, max(seal) + 1, 0, 0, [], [], 0 ${others}`,
    query_params: { shard },
  })
}

/**
 * The place of the first day that a seal can mend. A note that agrees with the hours, and not with the counts, would be
 * written again each time.
 */
async function firstToSeal(
  client: ClickHouseClient,
  websiteId: string,
  days: readonly Day[],
  differing: string[],
): Promise<number> {
  for (const [place, one] of days.entries()) {
    const before = days[place - 1]
    const isInOrder = !before || one.began === before.began || before.done <= one.began
    if (one.noted === one.stored && isInOrder) continue
    if (one.noted === 0 || one.noted === one.stored || !isInOrder) return place
    if ((await actionsInHours(client, websiteId, one.day, one.day)).get(one.day) !== one.noted) return place
    differing.push(`${websiteId} ${new Date(one.day * dayLength).toISOString().slice(0, 10)}`)
  }
  return days.length
}

/** The actions of these days in `hourly_visits`; days in days since 1970, the last one included. */
async function actionsInHours(
  client: ClickHouseClient,
  website: string,
  first: number,
  last: number,
): Promise<ReadonlyMap<number, number>> {
  const rows = await rowsOf<{ day: number; actions: number }>(
    client,
    `SELECT toInt32(toDate32(hour)) AS day, sum(events) AS actions FROM hourly_visits
     WHERE website_id = {website:UUID} AND kind IN (1, 2)
       AND toDate32(hour) BETWEEN toDate32({first:Int32}) AND toDate32({last:Int32})
     GROUP BY day`,
    { website, first, last },
  )
  return new Map(rows.map(({ day, actions }) => [day, actions]))
}

const isTooFresh = ({ noted, done }: Day, { patience }: SealOptions): boolean =>
  noted > 0 && Date.now() - done / 1000 < patience

/** Each day has a seal of its own: rows of one day may be replaced, and those of another stay. */
const placeOfDay = 'toUInt64(toInt32(toDate32(hour)) - intDiv({start:Int64}, 86400000))'

/** Seals the days of a span, up to the first one to which more came meanwhile. Returns how many were sealed. */
async function sealSpan(
  client: ClickHouseClient,
  { website, shard }: { readonly website: string; readonly shard: string },
  span: readonly Day[],
): Promise<number> {
  const number = await now(client)
  // A statement reads `hourly_visits` several times. Where nothing came since this count, all of them read the same.
  const before = await actionsInHours(client, website, span[0]!.day, span.at(-1)!.day)
  const slices = Math.ceil(span.reduce((sum, { stored }) => sum + stored, 0) / mostOfSpan)
  const bounds = { website, start: span[0]!.day * dayLength, end: (span.at(-1)!.day + 1) * dayLength, number }
  for (let slice = 0; slice < slices; slice++) {
    const query_params = { ...bounds, ...boundInRows, slices, slice }
    for (const { table, columns, rows } of chains) {
      await client.command({
        query: `INSERT INTO ${table} (website_id, seal, ${columns.join(', ')})
          SELECT {website:UUID}, {number:UInt64} + ${placeOfDay}, ${columns.join(', ')} FROM (${rows})`,
        query_params,
      })
    }
  }
  const notes = await notesOf(client, bounds)
  const done = await now(client)
  const days = span.map(
    ({ day }) => notes.find((note) => note.day === day) ?? { day, views: [], customs: [], values: [], changed: 0 },
  )
  const firstUnequal = days.findIndex(
    ({ day, views, customs, values }) =>
      (before.get(day) ?? 0) !== sumOf(views) + sumOf(customs) || values.some((of) => of !== sumOf(views)),
  )
  const right = firstUnequal === -1 ? days : days.slice(0, firstUnequal)
  const values = right.map(({ day, views, customs, changed }) => ({
    website_id: website,
    day,
    shard,
    seal: number + day - span[0]!.day,
    began: number,
    done,
    views,
    customs,
    changed,
  }))
  if (values.length > 0) await client.insert({ table: seals.name, values, format: 'JSONEachRow' })
  return right.length
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

/** What the rows of a seal hold by hour, and the views of each field of `chained_values`, which must agree. */
async function notesOf(client: ClickHouseClient, bounds: object) {
  const byHour = (column: string) => `sumForEach(arrayMap(of -> if(of = toHour(hour), ${column}, 0), range(24)))`
  const hours = await rowsOf<{ day: number; views: number[]; customs: number[]; changed: number }>(
    client,
    `SELECT toInt32(toDate32(hour)) AS day, groupBitOr(changed) AS changed,
       ${byHour('events')} AS views, ${byHour('customs')} AS customs
     FROM chained_hours
     WHERE website_id = {website:UUID} AND hour >= fromUnixTimestamp64Milli({start:Int64}, 'UTC')
       AND hour < fromUnixTimestamp64Milli({end:Int64}, 'UTC') AND seal = {number:UInt64} + ${placeOfDay}
     GROUP BY day`,
    bounds,
  )
  const values = await rowsOf<{ day: number; views: number }>(
    client,
    `SELECT toInt32(toDate32(hour)) AS day, sum(views) AS views
     FROM chained_values
     WHERE website_id = {website:UUID} AND hour >= fromUnixTimestamp64Milli({start:Int64}, 'UTC')
       AND hour < fromUnixTimestamp64Milli({end:Int64}, 'UTC') AND seal = {number:UInt64} + ${placeOfDay}
     GROUP BY day, field`,
    bounds,
  )
  const days = [...new Set([...hours, ...values].map(({ day }) => day))]
  return days.map((day) => ({
    day,
    views: hours.find((one) => one.day === day)?.views ?? [],
    customs: hours.find((one) => one.day === day)?.customs ?? [],
    changed: hours.find((one) => one.day === day)?.changed ?? 0,
    values: values.filter((one) => one.day === day).map(({ views }) => views),
  }))
}

/** Rows of older seals stay for readers that know an older note, in microseconds. */
const keptFor = 600_000_000

/** Deletes rows of older seals, and of seals that did not end: once they are a tenth of the rows, or at once. */
async function sweep(client: ClickHouseClient, { patience }: SealOptions): Promise<void> {
  const query_params = { before: (await now(client)) - keptFor }
  const isOld = `seal < {before:UInt64} AND (website_id, toDate32(hour), seal) NOT IN (
    SELECT website_id, day, max(seal) FROM ${seals.name} GROUP BY website_id, day)`
  for (const table of chainTables) {
    const query = `SELECT countIf(${isOld}) AS old, count() AS all FROM ${table}`
    const [found] = await rowsOf<{ old: number; all: number }>(client, query, query_params)
    if (!found || found.old === 0 || (patience > 0 && found.old * 10 < found.all)) continue
    await client.command({ query: `ALTER TABLE ${table} DELETE WHERE ${isOld}`, query_params })
  }
}
