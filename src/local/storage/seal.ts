import type { ClickHouseClient } from '@clickhouse/client-web'
import { isShared } from '../../query/chains/notes.ts'
import { seals } from '../../query/tables/tables.ts'
import { dayLength } from '../../request/time-zone.ts'
import {
  type Batch,
  batchesOf,
  type Clock,
  clockAfterNotes,
  type Day,
  spansOf,
  websitesThatLack,
  websitesWithOpenDays,
} from './chain-days.ts'
import { type Bounds, type Slice, type Source, slicesOf } from './chain-earlier.ts'
import { boundInRows, chains } from './chain-rows.ts'
import { refuseClusterFront } from './derived.ts'
import { areEqual, empty, isOfSeal, isRight, notesOf, placeOf, placeOfDay, sourcesOf } from './seal-notes.ts'
import { frugal } from './selected.ts'
import { type Shard, shardOf, splitDays } from './shard.ts'
import { sweep } from './sweep-seals.ts'
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
  /** Pass the same map to each run, so that a day that cannot be sealed is tried only once an hour. */
  readonly refused?: Refused
}

/** Days that could not be sealed, by website and day, with the time of the attempt in microseconds. */
export type Refused = Map<string, { readonly state: string; readonly at: number }>

/** While its numbers stay the same, a refused day is not tried again for this many microseconds. */
const refusedFor = 3_600_000_000

/** The result of a run. */
interface SealRun {
  /** The number of days that were sealed. */
  readonly sealed: number
  /** Days whose sources disagree, so that no seal can be correct. `check` reports the details. */
  readonly differing: readonly string[]
}

/** Seals past days, for each website from its first unsealed day on. */
export async function seal(client: ClickHouseClient, options: SealOptions): Promise<SealRun> {
  await refuseClusterFront(client, 'seal')
  const shard = await shardOf(client)
  // A replica may not have all rows of yesterday's seal yet. In that case, earlier days are not read from chains.
  const isAlone = !shard.isReplicated
  await withdrawOthers(client, shard)
  const clock = await clockAfterNotes(client)
  const began = await clock()
  const differing: string[] = []
  const batches = await batchesToSeal(client, options, began, differing)
  const lacking = batches.length > 0 && isAlone ? await websitesThatLack(client) : new Set()
  let sealed = 0
  // If more events of a website have arrived in the meantime, its later days also wait for the next run.
  const waiting = new Set<string>()
  for (const batch of batches) {
    if (batch.spans.some(({ websiteId }) => waiting.has(websiteId))) continue
    const source = isAlone && !batch.spans.some(({ websiteId }) => lacking.has(websiteId)) ? 'chains' : 'actions'
    for (const [websiteId, days] of await sealBatch(client, clock, shard, source, batch)) {
      sealed += days.sealed
      if (days.sealed < days.wanted) waiting.add(websiteId)
      if (!days.differing) continue
      differing.push(nameOf(websiteId, days.differing))
      options.refused?.set(placeOf(websiteId, days.differing), { state: stateOf(days.differing), at: began })
    }
  }
  if (batches.length > 0) {
    await sweep(client, clock, shard, options.patience, Math.min(...batches.map(({ start }) => start)))
  }
  return { sealed, differing }
}

const nameOf = (websiteId: string, { day }: Day): string =>
  `${websiteId} ${new Date(day * dayLength).toISOString().slice(0, 10)}`

const stateOf = ({ stored, seal }: Day): string => `${stored} ${seal}`

/** The batches to seal now. Adds days to `differing` that no seal can repair. */
async function batchesToSeal(
  client: ClickHouseClient,
  options: SealOptions,
  now: number,
  differing: string[],
): Promise<Batch[]> {
  const small: Batch['spans'][number][] = []
  const batches: Batch[] = []
  for (const { websiteId, isNew, open } of await websitesWithOpenDays(client, options.websiteIds)) {
    const first = await firstToSeal(client, websiteId, open, differing)
    const started = open[first]
    if (!started || isTooFresh(started, options, now)) continue
    if (isRefused(websiteId, started, options, now)) {
      differing.push(nameOf(websiteId, started))
      continue
    }
    const parts = spansOf(open.slice(first), options.most)
    const isAll = isNew && first === 0 && parts.length === 1
    const spans = parts.map((days) => ({ websiteId, days, isAll }))
    if (spans.length === 1) small.push(...spans)
    else batches.push(...spans.flatMap((span) => batchesOf([span], options.most)))
  }
  return [...batches, ...batchesOf(small, options.most)]
}

const isTooFresh = ({ noted, done }: Day, { patience }: SealOptions, now: number): boolean =>
  noted > 0 && now - done < patience * 1000

function isRefused(websiteId: string, day: Day, { refused }: SealOptions, now: number): boolean {
  const known = refused?.get(placeOf(websiteId, day))
  return known?.state === stateOf(day) && known.at <= now && now - known.at < refusedFor
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
    // The first open day is out of order if its counts agree, for example because a seal of several days was killed.
    const isInOrder = before ? one.began === before.began || before.done <= one.began : one.noted !== one.stored
    if (one.noted === one.stored && isInOrder) continue
    if (one.noted === 0 || one.noted === one.stored || !isInOrder) return place
    const sources = await sourcesOf(client, daysAsBatch(websiteId, one))
    if (sources(websiteId, one).actions !== one.noted) return place
    differing.push(nameOf(websiteId, one))
  }
  return days.length
}

const daysAsBatch = (websiteId: string, one: Day) => ({
  websites: [websiteId],
  start: one.day * dayLength,
  end: (one.day + 1) * dayLength,
})

/** The result for a website in a batch. */
interface SealedDays {
  readonly sealed: number
  readonly wanted: number
  /** The first day that could not be sealed although its sources stayed the same. */
  readonly differing: Day | undefined
}

/** Seals the days of a batch. For each website, it stops at the first day for which more events have arrived. */
async function sealBatch(
  client: ClickHouseClient,
  clock: Clock,
  shard: Shard,
  source: Source,
  { spans, start, end, isFirst, slices, most }: Batch,
): Promise<Map<string, SealedDays>> {
  const number = await clock()
  const bounds = { websites: spans.map(({ websiteId }) => websiteId), start, end, number }
  // A statement reads `hourly_visits` several times. If no action arrived since this count, all of its reads see the
  // same rows.
  const before = await sourcesOf(client, bounds)
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
  const done = await clock()
  const rightDays = spans.map(({ websiteId, days }) => {
    const notes = days.map((one) => ({ one, ...(found.get(placeOf(websiteId, one)) ?? empty) }))
    const firstWrong = notes.findIndex((note) => !isRight(note, before(websiteId, note.one).actions))
    return { websiteId, days, right: firstWrong === -1 ? notes : notes.slice(0, firstWrong) }
  })
  const values = rightDays.flatMap(({ websiteId, right }) =>
    right.map(({ one, views, customs, changed: ofRows }) => {
      const changed = ofRows | (changedByShard.get(placeOf(websiteId, one)) ?? 0)
      const { day } = one
      const seal = number + day - start / dayLength
      return { website_id: websiteId, day, shard: shard.name, seal, began: number, done, views, customs, changed }
    }),
  )
  const notes = { table: seals.name, values, format: 'JSONEachRow' } as const
  const after = rightDays.some(({ days, right }) => right.length < days.length)
    ? await sourcesOf(client, bounds)
    : before
  if (values.length > 0) await client.insert({ ...notes, clickhouse_settings: shard.inserting })
  return new Map(
    rightDays.map(({ websiteId, days, right }) => {
      const wrong = days[right.length]
      const isSame = wrong && areEqual(before(websiteId, wrong), after(websiteId, wrong))
      return [websiteId, { sealed: right.length, wanted: days.length, differing: isSame ? wrong : undefined }]
    }),
  )
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
