import type { ClickHouseClient } from '@clickhouse/client-web'
import { isShared } from '../../query/chains/notes.ts'
import { chainedFields, dailyFields } from '../../query/tables/chained-fields.ts'
import { seals } from '../../query/tables/tables.ts'
import {
  type Batch,
  batchesOf,
  type Day,
  dayLength,
  frugal,
  now,
  rowsOf,
  spansOf,
  websitesThatLack,
  websitesWithOpenDays,
} from './chain-days.ts'
import { type Bounds, isOfNamed, type Slice, type Source, slicesOf } from './chain-earlier.ts'
import { boundInRows, chains, chainTables } from './chain-rows.ts'
import { refuseClusterFront } from './derived.ts'
import { type Shard, shardOf, splitDays } from './shard.ts'
import { withdrawOthers } from './unseal.ts'

/**
 * Seals days: writes their chain rows, and a note for each day. `docs/chains.md` explains notes.
 *
 * A seal's number is the time at which it began to read, in microseconds. Its rows carry this number, plus one for each
 * day. Queries ignore rows without a note, so a seal may stop at any point and be repeated. Several jobs may run at the
 * same time, and writers can continue, because the note contains how many actions were read, and when reading ended. If
 * more arrived in the meantime, or an earlier day was sealed again, the day does not count as sealed.
 */
interface SealOptions {
  /** If empty, all websites are sealed. */
  readonly websiteIds: readonly string[]
  /**
   * A day with late events is sealed again only when its seal is this old, in milliseconds, because more events may
   * follow.
   */
  readonly patience: number
  /** The maximum number of actions in one statement. Tests use small numbers. */
  readonly most?: number
}

/** The result of a run. */
interface SealRun {
  /** The number of days that were sealed. */
  readonly sealed: number
  /** Days whose hours and action counts disagree, so that no seal can be correct. `check` reports the details. */
  readonly differing: readonly string[]
}

/** Seals past days, for each website from its first unsealed day on. */
export async function seal(client: ClickHouseClient, options: SealOptions): Promise<SealRun> {
  await refuseClusterFront(client, 'seal')
  const shard = await shardOf(client)
  // A replica may not have all rows of yesterday's seal yet. In that case, earlier days are not read from chains.
  const isAlone = !shard.isReplicated
  await withdrawOthers(client, shard)
  const differing: string[] = []
  const small: Batch['spans'][number][] = []
  const batches: Batch[] = []
  for (const { websiteId, isNew, open } of await websitesWithOpenDays(client, options.websiteIds)) {
    const first = await firstToSeal(client, websiteId, open, differing)
    const started = open[first]
    if (!started || isTooFresh(started, options)) continue
    const parts = spansOf(open.slice(first), options.most)
    const isAll = isNew && first === 0 && parts.length === 1
    const spans = parts.map((days) => ({ websiteId, days, isAll }))
    if (spans.length === 1) small.push(...spans)
    else batches.push(...spans.flatMap((span) => batchesOf([span], options.most)))
  }
  batches.push(...batchesOf(small, options.most))
  const lacking = batches.length > 0 && isAlone ? await websitesThatLack(client) : new Set()
  let sealed = 0
  // If more events of a website have arrived in the meantime, its later days also wait for the next run.
  const waiting = new Set<string>()
  for (const batch of batches) {
    if (batch.spans.some(({ websiteId }) => waiting.has(websiteId))) continue
    const source = isAlone && !batch.spans.some(({ websiteId }) => lacking.has(websiteId)) ? 'chains' : 'actions'
    for (const [websiteId, days] of await sealBatch(client, shard, source, batch)) {
      sealed += days.sealed
      if (days.sealed < days.wanted) waiting.add(websiteId)
    }
  }
  if (sealed > 0) await sweep(client, shard, options, Math.min(...batches.map(({ start }) => start)))
  return { sealed, differing }
}

/**
 * The index of the first day that a seal can repair. Skips days whose note agrees with the hours but not with the
 * counts, because a seal would rewrite such a note each time.
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
    if ((await actionsInHours(client, daysAsBatch(websiteId, one))).get(placeOf(websiteId, one)) !== one.noted)
      return place
    differing.push(`${websiteId} ${new Date(one.day * dayLength).toISOString().slice(0, 10)}`)
  }
  return days.length
}

const daysAsBatch = (websiteId: string, one: Day) => ({
  websites: [websiteId],
  start: one.day * dayLength,
  end: (one.day + 1) * dayLength,
})

/** The key for a website's day. */
const placeOf = (websiteId: string, { day }: Pick<Day, 'day'>): string => `${websiteId} ${day}`

/** The number of actions in `hourly_visits`, by website and day. */
async function actionsInHours(client: ClickHouseClient, bounds: Bounds): Promise<ReadonlyMap<string, number>> {
  const rows = await rowsOf<{ websiteId: string; day: number; actions: number }>(
    client,
    `SELECT toString(website_id) AS websiteId, toInt32(toDate32(hour)) AS day, sum(events) AS actions
     FROM hourly_visits WHERE ${isInBounds} AND kind IN (1, 2) GROUP BY website_id, day`,
    bounds,
  )
  return new Map(rows.map(({ websiteId, day, actions }) => [placeOf(websiteId, { day }), actions]))
}

const isTooFresh = ({ noted, done }: Day, { patience }: SealOptions): boolean =>
  noted > 0 && Date.now() - done / 1000 < patience

const isInBounds = `${isOfNamed} AND hour >= fromUnixTimestamp64Milli({start:Int64}, 'UTC')
  AND hour < fromUnixTimestamp64Milli({end:Int64}, 'UTC')`

/** Each day has its own seal number, so that the rows of each day can be replaced separately. */
const placeOfDay = 'toUInt64(toInt32(toDate32(hour)) - intDiv({start:Int64}, 86400000))'

const isOfSeal = `${isInBounds} AND seal = {number:UInt64} + ${placeOfDay}`

/** Seals the days of a batch. For each website, it stops at the first day for which more events have arrived. */
async function sealBatch(
  client: ClickHouseClient,
  shard: Shard,
  source: Source,
  { spans, start, end, isFirst, slices, most }: Batch,
): Promise<Map<string, { sealed: number; wanted: number }>> {
  const number = await now(client)
  const bounds = { websites: spans.map(({ websiteId }) => websiteId), start, end, number }
  // A statement reads `hourly_visits` several times. If no action arrived since this count, all of its reads see the
  // same rows.
  const before = await actionsInHours(client, bounds)
  for await (const { slice, earlier } of slicesOf(client, bounds, {
    slices,
    most,
    source: isFirst ? 'none' : source,
  })) {
    for (const chain of chains) {
      if (!chain.fromHours) await insertRows(client, shard, chain, chain.rows(earlier), { ...slice, number })
    }
  }
  for (const chain of chains) {
    if (chain.fromHours) await insertRows(client, shard, chain, chain.fromHours(isOfSeal), bounds)
  }
  const found = await notesOf(client, bounds)
  const split = shard.front === undefined ? [] : await splitDays(client, shard, isOfSeal, bounds)
  const changedByShard = new Map(split.map((one) => [placeOf(one.websiteId, one), isShared]))
  const done = await now(client)
  const values: object[] = []
  const results = new Map<string, { sealed: number; wanted: number }>()
  for (const { websiteId, days } of spans) {
    const notes = days.map((one) => ({ ...one, ...(found.get(placeOf(websiteId, one)) ?? empty) }))
    const isRight = ({ day, views, customs, values, acted }: (typeof notes)[number]) =>
      (before.get(placeOf(websiteId, { day })) ?? 0) === sumOf(views) + sumOf(customs) &&
      values.length === (sumOf(views) > 0 ? fieldsOfViews : 0) + fieldsOfActions &&
      values.every((of) => of === sumOf(views)) &&
      acted === fieldsOfActions * sumOf(customs)
    const firstWrong = notes.findIndex((note) => !isRight(note))
    const right = firstWrong === -1 ? notes : notes.slice(0, firstWrong)
    for (const { day, views, customs, changed: ofRows } of right) {
      const seal = number + day - start / dayLength
      const changed = ofRows | (changedByShard.get(placeOf(websiteId, { day })) ?? 0)
      values.push({ website_id: websiteId, day, shard: shard.name, seal, began: number, done, views, customs, changed })
    }
    results.set(websiteId, { sealed: right.length, wanted: days.length })
  }
  const notes = { table: seals.name, values, format: 'JSONEachRow' } as const
  if (values.length > 0) await client.insert({ ...notes, clickhouse_settings: shard.inserting })
  return results
}

/** Inserts a chain's rows, for all sessions or a slice of them. */
async function insertRows(
  client: ClickHouseClient,
  { inserting }: Shard,
  { table, columns }: (typeof chains)[number],
  rows: string,
  of: (Slice | Bounds) & { readonly number: number },
): Promise<void> {
  await client.command({
    query: `INSERT INTO ${table} (website_id, seal, ${columns.join(', ')})
      SELECT website_id, {number:UInt64} + ${placeOfDay}, ${columns.join(', ')} FROM (${rows})`,
    query_params: { ...of, ...boundInRows },
    clickhouse_settings: { ...frugal, ...inserting },
  })
}

interface Note {
  readonly views: readonly number[]
  readonly customs: readonly number[]
  readonly changed: number
  /** The number of page views in each field. `chained_values` and `chained_days` must have the same numbers. */
  readonly values: readonly number[]
  /** The number of custom events in `chained_days`. */
  readonly acted: number
}

const empty: Note = { views: [], customs: [], changed: 0, values: [], acted: 0 }

/**
 * The number of fields that count actions (`actions` and `bounces`). The other fields exist only for days with page
 * views.
 */
const fieldsOfActions = 2
const fieldsOfViews = Object.keys(chainedFields).length + dailyFields.length + 1

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

/** The totals of a seal's rows, by website and day. */
async function notesOf(client: ClickHouseClient, bounds: Bounds): Promise<ReadonlyMap<string, Note>> {
  const byHour = (column: string) => `sumForEach(arrayMap(of -> if(of = toHour(hour), ${column}, 0), range(24)))`
  const key = 'toString(website_id) AS websiteId, toInt32(toDate32(hour)) AS day'
  const hours = await rowsOf<Omit<Note, 'values' | 'acted'> & { websiteId: string; day: number }>(
    client,
    `SELECT ${key}, groupBitOr(changed) AS changed, ${byHour('events')} AS views, ${byHour('customs')} AS customs
     FROM chained_hours WHERE ${isOfSeal} GROUP BY website_id, day`,
    bounds,
  )
  const values = await rowsOf<Pick<Note, 'values' | 'acted'> & { websiteId: string; day: number }>(
    client,
    `SELECT websiteId, day, groupArray(viewed) AS values, sum(did) AS acted FROM (
       SELECT ${key}, sum(views) AS viewed, 0 AS did
       FROM chained_values WHERE ${isOfSeal} GROUP BY website_id, day, field
       UNION ALL SELECT ${key}, sum(events) AS viewed, sum(customs) AS did
       FROM chained_days WHERE ${isOfSeal} GROUP BY website_id, day, field)
     GROUP BY websiteId, day`,
    bounds,
  )
  const notes = new Map<string, Note>()
  for (const found of [...hours, ...values]) {
    const { websiteId, ...note } = found
    const place = placeOf(websiteId, found)
    notes.set(place, { ...empty, ...notes.get(place), ...note })
  }
  return notes
}

/**
 * How long rows of older seals are kept, in microseconds, because a reader may still use an older note. Replicas delete
 * at different times, so on replicas, this is long enough for even the slowest seal to write its notes.
 */
const keptFor = { alone: 600_000_000, replicated: 86_400_000_000 } as const

/**
 * Deletes rows of older and unfinished seals once they are a tenth of the rows from the earliest sealed day on. With a
 * `patience` of 0, deletes them immediately, for all days.
 */
async function sweep(
  client: ClickHouseClient,
  { isReplicated }: Shard,
  { patience }: SealOptions,
  sealedFrom: number,
): Promise<void> {
  const kept = keptFor[isReplicated ? 'replicated' : 'alone']
  const query_params = { before: (await now(client)) - kept, from: patience > 0 ? sealedFrom : 0 }
  const isSwept = "hour >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')"
  const isOld = `seal < {before:UInt64} AND (website_id, toDate32(hour), seal) NOT IN (
    SELECT website_id, day, max(seal) FROM ${seals.name}
    WHERE day >= toDate32(fromUnixTimestamp64Milli({from:Int64}, 'UTC')) GROUP BY website_id, day)`
  for (const table of chainTables) {
    const query = `SELECT countIf(${isOld}) AS old, count() AS all FROM ${table} WHERE ${isSwept}`
    const [found] = await rowsOf<{ old: number; all: number }>(client, query, query_params)
    if (!found || found.old === 0 || (patience > 0 && found.old * 10 < found.all)) continue
    await client.command({ query: `ALTER TABLE ${table} DELETE WHERE ${isSwept} AND ${isOld}`, query_params })
  }
}
