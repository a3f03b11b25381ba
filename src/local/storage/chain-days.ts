import type { ClickHouseClient } from '@clickhouse/client-web'
import { chainedHours, seals } from '../../query/tables/tables.ts'
import { dayLength } from '../../request/time-zone.ts'
import { frugallySelected } from './selected.ts'

/**
 * A past day, the number of its actions, and its latest seal. `day` is the number of days since 1970; `noted` is 0
 * without a seal.
 */
export interface Day {
  readonly day: number
  readonly stored: number
  readonly noted: number
  readonly seal: number
  readonly began: number
  readonly done: number
}

/** A website's past days with actions: the days up to the first unsealed one, and the rest. */
interface Website {
  readonly websiteId: string
  readonly sealed: readonly Day[]
  readonly open: readonly Day[]
}

/** A website's open days. Its sealed days are left out, because over the years there will be many of them. */
interface OpenDays {
  readonly websiteId: string
  /** Whether no day is sealed. */
  readonly isNew: boolean
  readonly open: readonly Day[]
}

export const isOfWebsites = (websiteIds: readonly string[]): string =>
  websiteIds.length === 0 ? '1' : 'website_id IN {websiteIds:Array(UUID)}'

type DayOfRow = [day: number, stored: number, noted: number, seal: number, began: number, done: number]

/**
 * Readers apply the same rule. A day is sealed if its latest row in `seals` has the current number of actions, and is
 * later than the previous day's row.
 */
const daysOf = (websiteIds: readonly string[]) => `
  SELECT toString(website_id) AS websiteId,
    arraySort(groupArray((dayNumber, stored, noted, seal, began_at, done_at))) AS days,
    arrayFirstIndex(
      (one, before) -> one.2 != one.3 OR NOT (one.5 = before.5 OR before.6 <= one.5),
      days, arrayPushFront(arrayPopBack(days), days[1])) AS first,
    toUInt32(if(first = 0, length(days), first - 1)) AS of_sealed
  FROM (
    SELECT website_id, toInt32(day) AS dayNumber, toUInt64(sum(counted)) AS stored, max(number) AS seal,
      argMax(sealed, number) AS noted, argMax(starting, number) AS began_at, argMax(ended, number) AS done_at
    FROM (
      SELECT website_id, day, sum(events) AS counted, toUInt64(0) AS number, toUInt64(0) AS starting,
        toUInt64(0) AS ended, toUInt64(0) AS sealed
      FROM daily_shapes WHERE event_type < 5 GROUP BY website_id, day
      UNION ALL
      SELECT website_id, day, toInt64(0), seal, began, done, arraySum(views) + arraySum(customs) FROM ${seals.name}
    )
    WHERE ${isOfWebsites(websiteIds)} AND day < toDate32(now('UTC'))
    GROUP BY website_id, day
    HAVING stored > 0 OR noted > 0
  )
  GROUP BY website_id`

/** `daily_shapes` is sorted by these groups. */
const inOrder = { optimize_aggregation_in_order: 1 } as const

const named = ([day, stored, noted, seal, began, done]: DayOfRow): Day => ({ day, stored, noted, seal, began, done })

export async function websitesWithDays(client: ClickHouseClient, websiteIds: readonly string[]): Promise<Website[]> {
  const found = await frugallySelected<{ websiteId: string; days: DayOfRow[]; of_sealed: number }>(
    client,
    `SELECT websiteId, days, of_sealed FROM (${daysOf(websiteIds)}) ORDER BY websiteId`,
    { websiteIds },
    inOrder,
  )
  return found.map(({ websiteId, days, of_sealed }) => ({
    websiteId,
    sealed: days.slice(0, of_sealed).map(named),
    open: days.slice(of_sealed).map(named),
  }))
}

export async function websitesWithOpenDays(
  client: ClickHouseClient,
  websiteIds: readonly string[],
): Promise<OpenDays[]> {
  const found = await frugallySelected<{ websiteId: string; open: DayOfRow[]; of_sealed: number }>(
    client,
    `SELECT websiteId, arraySlice(days, of_sealed + 1) AS open, of_sealed FROM (${daysOf(websiteIds)})
     WHERE notEmpty(open) ORDER BY websiteId`,
    { websiteIds },
    inOrder,
  )
  return found.map(({ websiteId, open, of_sealed }) => ({
    websiteId,
    isNew: of_sealed === 0,
    open: open.map(named),
  }))
}

/**
 * Websites that lack rows in `chained_hours` for sealed days, for example because files were lost. Later seals must not
 * read their rows.
 */
export async function websitesThatLack(client: ClickHouseClient): Promise<ReadonlySet<string>> {
  const found = await frugallySelected<{ websiteId: string }>(
    client,
    `SELECT DISTINCT toString(website_id) AS websiteId
     FROM (
       SELECT website_id, day, max(seal) AS number, argMax(arraySum(views) + arraySum(customs), seal) AS noted
       FROM ${seals.name} GROUP BY website_id, day HAVING noted > 0
     ) AS notes
     LEFT JOIN (
       SELECT website_id, toDate32(hour) AS day, seal AS number, sum(events) + sum(customs) AS held
       FROM ${chainedHours.name} GROUP BY website_id, day, number
     ) AS hours USING (website_id, day, number)
     WHERE noted != held`,
  )
  return new Set(found.map(({ websiteId }) => websiteId))
}

/** The maximum number of actions in a span of several days. A seal needs up to 2.9 KB of memory for each action. */
export const mostOfSpan = 160_000

/** The maximum number of days in a span. An insert creates a part for each month, and ClickHouse allows a hundred. */
const mostDaysOfSpan = 400

/** Splits days into spans that fit into memory. */
export function spansOf(days: readonly Day[], most = mostOfSpan): Day[][] {
  const spans: Day[][] = []
  let actions = 0
  for (const one of days) {
    const span = spans.at(-1)
    actions += one.stored
    if (span && actions <= most && one.day - span[0]!.day < mostDaysOfSpan) span.push(one)
    else {
      spans.push([one])
      actions = one.stored
    }
  }
  return spans
}

/** Open days of a website that are sealed together. `isAll` means that the website has no other days. */
interface Span {
  readonly websiteId: string
  readonly days: readonly Day[]
  readonly isAll: boolean
}

/** Spans of several websites that are sealed together. `start` and `end` enclose all their days, in milliseconds. */
export interface Batch {
  readonly spans: readonly Span[]
  readonly start: number
  readonly end: number
  /** Whether the websites have no earlier days, and the batch is a single slice. */
  readonly isFirst: boolean
  /** The number of slices. Each slice contains some of the sessions, with up to `most` actions. */
  readonly slices: number
  readonly most: number
}

/** The maximum number of websites in a batch. Their ids are sent in the URL of a statement. */
const mostOfBatch = 50

/**
 * Combines spans that together fit into memory. A batch writes all rows from its start on, so its websites must not
 * have sealed days after its start: either their open days begin there, or they have no other days.
 */
export function batchesOf(spans: readonly Span[], most = mostOfSpan): Batch[] {
  const inOrder = spans.toSorted((one, other) => one.days[0]!.day - other.days[0]!.day)
  const batches: Span[][] = []
  for (const span of inOrder) {
    const fits = batches.findLast((batch) => fitsInto(batch, span, most))
    if (fits) fits.push(span)
    else batches.push([span])
  }
  return batches.map((batch) => {
    const days = batch.flatMap((span) => span.days)
    const [first, last] = [firstOf(batch), Math.max(...days.map(({ day }) => day))]
    const slices = Math.ceil(actionsOf(batch) / most)
    const isFirst = slices === 1 && batch.every(({ isAll }) => isAll)
    return { spans: batch, start: first * dayLength, end: (last + 1) * dayLength, isFirst, slices, most }
  })
}

function fitsInto(batch: readonly Span[], span: Span, most: number): boolean {
  const [first, start] = [firstOf(batch), span.days[0]!.day]
  return (
    batch.length < mostOfBatch &&
    actionsOf([...batch, span]) <= most &&
    (span.isAll || start === first) &&
    span.days.at(-1)!.day - first < mostDaysOfSpan
  )
}

const firstOf = ([first]: readonly Span[]): number => first!.days[0]!.day

const actionsOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, { days }) => days.reduce((all, { stored }) => all + stored, sum), 0)

/** A clock, in microseconds since 1970. */
export type Clock = () => Promise<number>

/**
 * Returns the server's clock. If notes are later, because it was ahead and has been set back, whole hours are added. So
 * clocks that are made at about the same time agree, and no seal has a number that an older note may have, too.
 */
export async function clockAfterNotes(client: ClickHouseClient): Promise<Clock> {
  const now = 'toUnixTimestamp64Micro(now64(6))'
  const newest = `(SELECT toInt64(max(greatest(seal, done))) FROM ${seals.name})`
  const [found] = await frugallySelected<{ ahead: number }>(client, `SELECT ${newest} - ${now} AS ahead`)
  const ahead = Math.max(0, found!.ahead + 1)
  const added = ahead < barelyAhead ? ahead : Math.ceil(ahead / hourInMicroseconds) * hourInMicroseconds
  return async () => {
    const [row] = await frugallySelected<{ at: number }>(client, `SELECT ${now} AS at`)
    return row!.at + added
  }
}

/** Notes that were just written may be ahead by this many microseconds: the numbers of several days, or an `unseal`. */
const barelyAhead = 10_000
const hourInMicroseconds = 3_600_000_000
