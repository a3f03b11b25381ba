import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import type { Field } from '../../request/fields.ts'
import { noFilters } from '../../request/filters.ts'
import type { Period } from '../../request/period.ts'
import { dayLength, hourLength } from '../../request/time-zone.ts'
import type { Scope, Selection } from '../language/scope.ts'
import { type Fragment, sql, text, uint8, uint64, uint64s } from '../language/sql.ts'
import { type Statement, select } from '../language/statement.ts'
import { chainedFields } from '../tables/chained-fields.ts'
import { isAction, rows, sealedRows } from '../tables/rows.ts'
import { chainedHours, chainedValues, dailyShapes, seals, type Table } from '../tables/tables.ts'

/** The notes about a website's seals, which chains need before they can answer; see docs/chains.md. */

/** A scope without its locked filters. These become conditions inside the counts, so that all actions are counted. */
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
 * The sum of the days' actions, and a sum weighted by the square of the day's number, as text. No day has fewer actions
 * than its note says, so equal sums mean that all days are equal. The second sum also reveals rows that were deleted by
 * hand.
 */
const actionSums = sql`(sum(events), toString(sum(events * toInt32(day) * toInt32(day))))`

/** The notes for the latest days, in order. One read serves many ranges. */
const Notes = () =>
  z.object({
    /** The days, as numbers counted from 1970. */
    days: z.array(z.number()),
    seals: z.array(z.number()),
    /** When the seals began and ended. */
    began: z.array(z.number()),
    done: z.array(z.number()),
    /** The bits of `changes` that are set. */
    changed: z.array(z.number()),
    views: z.array(z.number()),
    customs: z.array(z.number()),
    /** The noted views by hour. Days are separated by semicolons, hours by spaces. */
    viewsByHour: z.string(),
    customsByHour: z.string(),
    /** Whether this server sealed all of the days, and each statement reads a table as of one moment. */
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
  /** The weighted sum of the noted actions, as text. */
  readonly weighed: string
  /** Whether this server sealed all of these days, each after the preceding ones. */
  readonly holds: boolean
  /** The bits of `changes` that are set. */
  readonly changed: number
  /** The number of noted views in the range's sealed hours. */
  readonly views: number
  /** The number of noted custom events in the range's sealed hours. */
  readonly customs: number
  /** The number of noted views on all these days. */
  readonly dayViews: number
  /** The number of noted custom events on all these days. */
  readonly dayCustoms: number
  readonly seals: readonly number[]
  /** The sum of the seals, and the sum of the seals of those days that have views, as text. */
  readonly sealSum: string
  readonly sealSumOfViews: string
}

/** The meaning of each bit of `changed` in `seals`. The last bit means that a visit belongs to two sessions. */
export const changes: readonly Field[] = ['browser', 'os', 'device', 'country', 'region', 'city', 'language']
export const isShared = 1 << changes.length

/** Adds up the notes for a range. */
export function notesWithin(all: SealNotes, { startAt, endAt }: Period): Notes {
  const inRange = all.days
    .map((day, place) => ({ day, place }))
    .filter(({ day }) => (day + 1) * dayLength > startAt && day * dayLength <= endAt)
  const [viewsByHour, customsByHour] = [all.viewsByHour.split(';'), all.customsByHour.split(';')]
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
  const sum = (of: (note: (typeof noted)[number]) => number): number =>
    noted.reduce((total, note) => total + of(note), 0)
  const sumOfBig = (of: (note: (typeof noted)[number]) => bigint): string =>
    String(noted.reduce((total, note) => total + of(note), 0n))
  return {
    ...{ isReplicated: all.isReplicated, hasOtherHours: all.hasOtherHours, hasOtherValues: all.hasOtherValues },
    weighed: sumOfBig(({ day, views, customs }) => BigInt(views + customs) * BigInt(day) ** 2n),
    holds:
      all.isHere === 1 &&
      noted.every(({ place }, index) => {
        const next = noted[index + 1]?.place
        return next === undefined || all.began[place] === all.began[next] || all.done[place]! <= all.began[next]!
      }),
    changed: inRange.reduce((bits, { place }) => bits | all.changed[place]!, 0),
    views: sum(({ day, place, views }) => within(day, viewsByHour[place]!, views)),
    customs: sum(({ day, place, customs }) => within(day, customsByHour[place]!, customs)),
    dayViews: sum(({ views }) => views),
    dayCustoms: sum(({ customs }) => customs),
    seals: noted.map(({ place }) => all.seals[place]!),
    sealSum: sumOfBig(({ place }) => BigInt(all.seals[place]!)),
    sealSumOfViews: sumOfBig(({ place, views }) => BigInt(views > 0 ? all.seals[place]! : 0)),
  }
}

/** The minimum number of days whose notes are read together. */
const fewestDays = 64

/** The period for which notes are read: the past 64, 128 … days, so that many ranges share one read. */
export function notedDays(startAt: number, { closedBefore = 0 }: Scope): Period {
  const age = (closedBefore - startAt) / dayLength
  const days = fewestDays * 2 ** Math.max(0, Math.ceil(Math.log2(age / fewestDays)))
  return { startAt: Math.max(0, closedBefore - days * dayLength), endAt: closedBefore - 1 }
}

export function notesOf(period: Period, scope: Scope): Statement<SealNotes> {
  const days = daysOf(period, scope)
  const byHour = (amounts: Fragment) =>
    sql`arrayStringConcat(arrayMap(amount -> arrayStringConcat(amount, ' '), ${amounts}), ';')`
  const ofEach = (amounts: Fragment) => sql`arrayMap(amount -> arraySum(amount), ${amounts})`
  return select(Notes)`
    select all_notes.1 as days, all_notes.2 as seals, said.4 as began, said.5 as done, said.3 as changed,
      ${ofEach(sql`said.1`)} as views, ${ofEach(sql`said.6`)} as customs,
      ${byHour(sql`said.1`)} as viewsByHour, ${byHour(sql`said.6`)} as customsByHour,
      toUInt8(getSettingOrDefault('enable_shared_storage_snapshot_in_query', false))
        and arrayAll(name -> startsWith(name, concat(currentDatabase(), '/')), said.2) as isHere,
      arrayExists(name -> endsWith(name, '/replicated'), said.2) as isReplicated,
      ${actionsIn(chainedHours, sql`sum(events) + sum(customs)`, days)} != arraySum(views) + arraySum(customs) as hasOtherHours,
      ${actionsIn(chainedValues, sql`sum(views)`, days)} != arraySum(views) * ${uint8(fieldsOfViews)} as hasOtherValues
    from (
      select arraySort(groupArray((toInt32(day), latest, note))) as all_notes, all_notes.3 as said
      from (
        select day, max(seal) as latest, argMax((views, shard, changed, began, done, customs), seal) as note
        ${rows(seals, days)}
        group by day
      )
    )`
}

/** The number of fields in `chained_values`. */
const fieldsOfViews = Object.keys(chainedFields).length

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

/**
 * Returns the condition that `daily_shapes` counts the same actions as the notes, which shows that no event has arrived
 * since.
 */
export const areNotedCounts = ({ weighed, dayViews, dayCustoms }: Notes, whole: Period, scope: Scope): Fragment =>
  sql`(select ${actionSums} ${rows(dailyShapes, daysOf(whole, scope), [isAction])} settings max_threads = 1)
    = (${uint64(dayViews + dayCustoms)}, ${text(weighed)})`

/**
 * Returns the condition that these days have all rows of the noted seals and, unless statements list the seals, no
 * others. The rows of a part and its projection appear and disappear together. Rows for a `field` count only views.
 */
export function hasNotedRows(table: Table, notes: Notes, { scope, period }: Selection, field?: string): Fragment {
  const ofField = field === undefined ? undefined : sql`field = ${text(field)}`
  const read = sealedRows(table, daysOf(period, scope), [isNoted(table, notes), ofField])
  const sums = (held: Fragment) => sql`(
    select (sum(held), toString(sum(seal))) from (select seal, ${held} as held ${read} group by toDate32(hour), seal)
    ${byProjection})`
  const { dayViews, dayCustoms, sealSum, sealSumOfViews } = notes
  return ofField
    ? sql`${sums(sql`sum(views)`)} = (${uint64(dayViews)}, ${text(sealSumOfViews)})`
    : sql`${sums(sql`sum(events) + sum(customs)`)} = (${uint64(dayViews + dayCustoms)}, ${text(sealSum)})`
}
