import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import type { Field } from '../../request/fields.ts'
import { noFilters } from '../../request/filters.ts'
import type { Period } from '../../request/period.ts'
import { dayLength, hourLength } from '../../request/time-zone.ts'
import type { Scope, Selection } from '../language/scope.ts'
import { type Fragment, sql, text, uint8, uint64s } from '../language/sql.ts'
import { type Statement, select } from '../language/statement.ts'
import { chainedFields } from '../tables/chained-fields.ts'
import { isAction, rows, sealedRows } from '../tables/rows.ts'
import { chainedHours, chainedValues, dailyShapes, seals, type Table } from '../tables/tables.ts'

/** The notes about a website's seals, which must be read before chains can be used; see docs/chains.md. */

/**
 * A scope without its locked filters. They become conditions of the individual counts, so that checks can count all
 * actions.
 */
export const unlocked = ({ websiteId, since }: Scope): Scope => ({
  websiteId,
  since,
  only: [],
  hidesDistinctIds: false,
  hidesSessionProperties: false,
})

/**
 * The UTC days that a period touches, with all their actions, even those before a reset, because a note covers a whole
 * day.
 */
const daysOf = ({ startAt, endAt }: Period, scope: Scope): Selection => ({
  scope: { ...unlocked(scope), since: undefined },
  period: {
    startAt: Math.floor(startAt / dayLength) * dayLength,
    endAt: Math.ceil((endAt + 1) / dayLength) * dayLength - 1,
  },
  filters: noFilters,
})

/**
 * A distinct number (the mark) for each seal or day of a shard. Two sums of counts, each multiplied by its mark, modulo
 * 2^64, are equal only if all of the counts are.
 */
const markOf = (number: Fragment, shard: Fragment = sql`shardNum()`): Fragment =>
  sql`intHash64(toUInt64(${number}) * 4096 + ${shard})`

const markOfDay = (shard?: Fragment) => markOf(sql`toInt32(day)`, shard)

/** The factor by which a check multiplies the counts in rows of chains. */
export const markOfSeal: Fragment = markOf(sql`seal`)

/**
 * The notes of the latest days, for many ranges at once. On the front of a cluster, each shard has its own notes, which
 * are ordered by shard and day.
 */
const Notes = () =>
  z.object({
    /** The numbers of the shards in the cluster; 0 on a single server. */
    shards: z.array(z.number()),
    /** The numbers of the days since 1970. */
    days: z.array(z.number()),
    seals: z.array(z.number()),
    /** The marks of the days and of the seals, as strings. */
    dayMarks: z.array(z.string()),
    sealMarks: z.array(z.string()),
    /** The times when the seals began and ended. */
    began: z.array(z.number()),
    done: z.array(z.number()),
    /** The bits of `changes` that are set. */
    changed: z.array(z.number()),
    views: z.array(z.number()),
    customs: z.array(z.number()),
    /** The number of noted views in each hour. Notes are separated by semicolons, and hours by spaces. */
    viewsByHour: z.string(),
    /** Whether the notes are from this database, and all reads of a table in a statement see the same state here. */
    isHere: z.number(),
    /** Whether replication may deliver rows after their note has arrived. */
    isReplicated: z.number(),
    /** Whether `chained_hours` and `chained_values` have rows from other seals for these days. */
    hasOtherHours: z.number(),
    hasOtherValues: z.number(),
  })

export type SealNotes = ValueOf<typeof Notes>

/** The totals of the notes for all days that a range touches. */
export interface Notes extends Pick<SealNotes, 'isReplicated' | 'hasOtherHours' | 'hasOtherValues'> {
  /** Whether the notes come from the shards of a cluster. If so, each read in a statement sees a different state. */
  readonly areOfShards: boolean
  /** Whether each shard sealed each of these days after the days before it. */
  readonly holds: boolean
  /** The bits of `changes` that are set. */
  readonly changed: number
  /** The number of noted views in the range's sealed hours. */
  readonly views: number
  readonly seals: readonly number[]
  /** The sum, over these days, of the noted actions times the mark of the day, or of its seal. */
  readonly actionsByDay: string
  readonly actionsBySeal: string
  /** The sum, over these days, of the noted views times the mark of the seal. */
  readonly viewsBySeal: string
  /** The sum of the marks of the latest seals, including withdrawn ones. */
  readonly latest: string
}

/** The meaning of each bit of `changed` in `seals`. The last bit means that a visit belongs to two sessions. */
export const changes: readonly Field[] = ['browser', 'os', 'device', 'country', 'region', 'city', 'language']
export const isShared = 1 << changes.length

/** Adds up the notes for a range. */
export function notesWithin(all: SealNotes, { startAt, endAt }: Period): Notes {
  const inRange = all.days
    .map((day, place) => ({ day, place }))
    .filter(({ day }) => (day + 1) * dayLength > startAt && day * dayLength <= endAt)
  const viewsByHour = all.viewsByHour.split(';')
  const within = (day: number, hours: string, whole: number): number => {
    if (day * dayLength >= startAt && (day + 1) * dayLength - 1 <= endAt) return whole
    return hours.split(' ').reduce((sum, amount, hour) => {
      const at = day * dayLength + hour * hourLength
      return sum + (at >= startAt && at <= endAt ? Number(amount) : 0)
    }, 0)
  }
  const noted = inRange
    .map(({ day, place }) => ({ day, place, views: all.views[place]!, customs: all.customs[place]! }))
    .filter(({ views, customs }) => views + customs > 0)
  type Note = (typeof noted)[number]
  const marked = (marks: readonly string[], of: (note: Note) => number): string =>
    sumOfMarks(noted.map((note) => [of(note), marks[note.place]!]))
  const actions = ({ views, customs }: Note) => views + customs
  return {
    ...{ isReplicated: all.isReplicated, hasOtherHours: all.hasOtherHours, hasOtherValues: all.hasOtherValues },
    areOfShards: all.shards.some((shard) => shard > 0),
    holds:
      all.isHere === 1 &&
      noted.every(({ place }, index) => {
        const next = noted[index + 1]?.place
        if (next === undefined || all.shards[place] !== all.shards[next]) return true
        return all.began[place] === all.began[next] || all.done[place]! <= all.began[next]!
      }),
    changed: inRange.reduce((bits, { place }) => bits | all.changed[place]!, 0),
    views: noted.reduce((sum, { day, place, views }) => sum + within(day, viewsByHour[place]!, views), 0),
    seals: noted.map(({ place }) => all.seals[place]!),
    actionsByDay: marked(all.dayMarks, actions),
    actionsBySeal: marked(all.sealMarks, actions),
    viewsBySeal: marked(all.sealMarks, ({ views }) => views),
    latest: sumOfMarks(inRange.map(({ place }) => [1, all.sealMarks[place]!])),
  }
}

/** Adds up the products modulo 2^64, as ClickHouse does for 64-bit numbers. */
export const sumOfMarks = (terms: readonly (readonly [count: number, mark: string])[]): string =>
  String(
    BigInt.asUintN(
      64,
      terms.reduce((sum, [count, mark]) => sum + BigInt(count) * BigInt(mark), 0n),
    ),
  )

/** The minimum number of days whose notes are read at once. */
const fewestDays = 64

/** The period for which notes are read: the past 64, 128 … days, so that many ranges share one read. */
export function notedDays(startAt: number, { closedBefore = 0 }: Scope): Period {
  const age = (closedBefore - startAt) / dayLength
  const days = fewestDays * 2 ** Math.max(0, Math.ceil(Math.log2(age / fewestDays)))
  return { startAt: Math.max(0, closedBefore - days * dayLength), endAt: closedBefore - 1 }
}

export function notesOf(period: Period, scope: Scope): Statement<SealNotes> {
  const days = daysOf(period, scope)
  const ofEach = (amounts: Fragment) => sql`arrayMap(amount -> arraySum(amount), ${amounts})`
  return select(Notes)`
    select all_notes.1 as shards, all_notes.2 as days, all_notes.3 as seals, said.4 as began, said.5 as done,
      said.3 as changed, said.7 as dayMarks, said.8 as sealMarks,
      ${ofEach(sql`said.1`)} as views, ${ofEach(sql`said.6`)} as customs,
      arrayStringConcat(arrayMap(amount -> arrayStringConcat(amount, ' '), said.1), ';') as viewsByHour,
      toUInt8(getSettingOrDefault('enable_shared_storage_snapshot_in_query', false))
        and arrayAll(name -> startsWith(name, concat(currentDatabase(), '/')), said.2) as isHere,
      arrayExists(name -> endsWith(name, '/replicated'), said.2) as isReplicated,
      ${actionsIn(chainedHours, sql`sum(events) + sum(customs)`, days)} != arraySum(views) + arraySum(customs) as hasOtherHours,
      ${actionsIn(chainedValues, sql`sum(views)`, days)} != arraySum(views) * ${uint8(fieldsOfValues)} as hasOtherValues
    from (
      select arraySort(groupArray((of_shard, toInt32(day), latest, note))) as all_notes, all_notes.4 as said
      from (
        select shardNum() as of_shard, day, max(seal) as latest,
          argMax((views, shard, changed, began, done, customs, ${marks}), seal) as note
        ${rows(seals, days)}
        group by of_shard, day
      )
    )`
}

const marks = sql`toString(${markOfDay()}), toString(${markOfSeal})`

/** The number of fields in `chained_values`. */
const fieldsOfValues = Object.keys(chainedFields).length

/** In a scalar, ClickHouse honours this setting only at the end. */
const byProjection = sql`settings optimize_use_projections = 1`

/** A scalar: an aggregate over all rows of these days. The projection `counted` contains it, so no rows are read. */
const actionsIn = (table: Table, amount: Fragment, days: Selection) =>
  sql`(select ${amount} ${sealedRows(table, days, [])} ${byProjection})`

/**
 * Returns the condition that a noted seal wrote the row. Undefined if that is true of all rows, which `hasNotedRows`
 * checks.
 */
export function isNoted({ name }: Table, { hasOtherHours, hasOtherValues, seals }: Notes): Fragment | undefined {
  const hasOthers = name === chainedHours.name ? hasOtherHours : hasOtherValues
  return hasOthers ? sql`seal in ${uint64s(seals)}` : undefined
}

/** Whether `daily_shapes` counts the same actions as the notes, which means that no event has arrived since. */
export const areNotedCounts = ({ actionsByDay }: Notes, whole: Period, scope: Scope): Fragment =>
  sql`(
    select toString(sum(toUInt64(events) * ${markOfDay()})) ${rows(dailyShapes, daysOf(whole, scope), [isAction])}
    settings max_threads = 1) = ${text(actionsByDay)}`

/**
 * Whether no day has been sealed again or withdrawn since the notes were read. The rows of a seal are only deleted
 * after that.
 */
export const areLatest = ({ latest }: Notes, whole: Period, scope: Scope): Fragment =>
  sql`(
    select toString(sum(${markOf(sql`newest`, sql`of_shard`)}))
    from (select shardNum() as of_shard, max(seal) as newest ${rows(seals, daysOf(whole, scope))} group by of_shard, day)
    settings max_threads = 1) = ${text(latest)}`

/**
 * Returns the condition that these days have all rows of the noted seals and, unless statements list the seals, no
 * others. The rows of a part and its projection appear and disappear together. Rows for a `field` count only views.
 */
export function hasNotedRows(table: Table, notes: Notes, { scope, period }: Selection, field?: string): Fragment {
  const ofField = field === undefined ? undefined : sql`field = ${text(field)}`
  const read = sealedRows(table, daysOf(period, scope), [isNoted(table, notes), ofField])
  const [held, due] = ofField
    ? [sql`sum(views)`, notes.viewsBySeal]
    : [sql`sum(events) + sum(customs)`, notes.actionsBySeal]
  return sql`(
    select toString(sum(held * mark)) from (select ${markOfSeal} as mark, ${held} as held ${read} group by mark)
    ${byProjection}) = ${text(due)}`
}
