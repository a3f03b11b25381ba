import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import type { Field } from '../../request/fields.ts'
import { noFilters } from '../../request/filters.ts'
import type { Period } from '../../request/period.ts'
import { dayLength, hourLength } from '../../request/time-zone.ts'
import type { Scope, Selection } from '../language/scope.ts'
import {
  type Fragment,
  milliseconds,
  type Statement,
  select,
  sql,
  text,
  uint8,
  uint64,
  uint64s,
} from '../language/sql.ts'
import { chainedFields } from './chained-fields.ts'
import { isAction, rows, sealedRows } from './rows.ts'
import { chainedHours, chainedValues, dailyShapes, seals, type Table } from './tables.ts'

/** What a statement reads before it knows whether a chain answers: see `chains.ts`. */

/** Filters, and locked ones, are conditions on what is counted: all rows are read, to count their actions. */
export const unlocked = ({ websiteId, since }: Scope): Scope => ({
  websiteId,
  since,
  only: [],
  hidesDistinctIds: false,
  hidesSessionProperties: false,
})

/** The days of UTC that a period touches, with all of their actions, before a reset too: a note is of a whole day. */
const daysOf = ({ startAt, endAt }: Period, scope: Scope): Selection => ({
  scope: { ...scope, since: undefined },
  period: {
    startAt: Math.floor(startAt / dayLength) * dayLength,
    endAt: Math.ceil((endAt + 1) / dayLength) * dayLength - 1,
  },
  filters: noFilters,
})

/**
 * The sum of the actions of days, and one that weighs each day by its hash, as a text. No day has fewer than its note
 * says, so equal sums mean that all days are equal. The second one would tell, too, if somebody deleted rows by
 * hand.
 */
const digest = (actions: Fragment): Fragment =>
  sql`concat(toString(sum(toInt64(${actions}))), ' ', toString(sum(toInt64(${actions}) * cityHash64(day))))`

/** What the notes of the days that a range touches say. */
const Notes = () =>
  z.object({
    /** The `digest` of the noted actions. */
    days: z.string(),
    /** Whether each day was sealed after the days before it, and all of them by one shard. */
    holds: z.number(),
    /** Whether this server sealed them. A front of a cluster did not. */
    isHere: z.number(),
    /** The bits of `changes`. */
    changed: z.number(),
    /** The noted views of the sealed hours of the range. */
    views: z.number(),
    /** The noted custom events of the sealed hours of the range. */
    customs: z.number(),
    /** The noted views of all these days. */
    dayViews: z.number(),
    /** The noted custom events of all these days. */
    dayCustoms: z.number(),
    /** Whether `chained_hours` has rows of other seals on these days. */
    hasOtherHours: z.number(),
    /** Whether `chained_values` does. */
    hasOtherValues: z.number(),
    seals: z.array(z.number()),
  })

export type Notes = ValueOf<typeof Notes>

export const noNotes: Notes = {
  ...{ days: '', holds: 0, isHere: 0, changed: 0, views: 0, customs: 0 },
  ...{ dayViews: 0, dayCustoms: 0, hasOtherHours: 0, hasOtherValues: 0, seals: [] },
}

/** The bits of `changed` in `seals`; the last one: a visit belongs to two sessions. */
export const changes: readonly Field[] = ['browser', 'os', 'device', 'country', 'region', 'city', 'language']
export const isShared = 1 << changes.length

export function notesOf(whole: Period, scope: Scope): Statement<Notes> {
  const days = daysOf(whole, unlocked(scope))
  const isWhole = whole.startAt === days.period.startAt && whole.endAt === days.period.endAt
  const hourOfDay = sql`(toInt64(toInt32(day)) * 24 + place - 1) * ${milliseconds(hourLength)}`
  const isWithin = sql`${hourOfDay} between ${milliseconds(whole.startAt)} and ${milliseconds(whole.endAt)}`
  const within = (amounts: Fragment) =>
    sql`arraySum((amount, place) -> if(${isWithin}, amount, 0), ${amounts}, arrayEnumerate(${amounts}))`
  const ofWhole = (amounts: Fragment) => sql`sum(${isWhole ? sql`arraySum(${amounts})` : within(amounts)})`
  return select(Notes)`
    select ${digest(sql`noted`)} as days,
      uniqExactIf(note.2, noted > 0) <= 1
        and arrayAll(
          (one, next) -> one.2 = next.2 or one.3 <= next.2,
          arrayPopBack(arraySort(groupArrayIf((toInt32(day), note.4, note.5), noted > 0)) as sealed_days),
          arrayPopFront(sealed_days)) as holds,
      countIf(not startsWith(note.2, concat(currentDatabase(), '/'))) = 0 as isHere,
      groupBitOr(note.3) as changed, ${ofWhole(sql`note.1`)} as views,
      ${ofWhole(sql`note.6`)} as customs,
      sum(arraySum(note.1)) as dayViews, sum(arraySum(note.6)) as dayCustoms,
      ${actionsIn(chainedHours, sql`sum(events) + sum(customs)`, days)} != dayViews + dayCustoms as hasOtherHours,
      ${actionsIn(chainedValues, sql`sum(views)`, days)} != dayViews * ${uint8(fieldsOfViews)} as hasOtherValues,
      groupArrayIf(latest, noted > 0) as seals
    from (
      select day, max(seal) as latest, argMax((views, shard, changed, began, done, customs), seal) as note,
        arraySum(note.1) + arraySum(note.6) as noted
      ${rows(seals, days)}
      group by day
    )`
}

/** The number of fields that `chained_values` has rows of. */
const fieldsOfViews = Object.keys(chainedFields).length

/** A scalar: an aggregate over all rows of days. The projection `counted` has it, so it reads no row. */
const actionsIn = (
  table: Table,
  amount: Fragment,
  days: Selection,
  conditions: readonly (Fragment | undefined)[] = [],
) => sql`(select ${amount} ${sealedRows(table, days, conditions)} settings optimize_use_projections = 1)`

/** A condition on rows: they are of a noted seal. Undefined if all rows of these days are. */
export function isNoted({ name }: Table, { hasOtherHours, hasOtherValues, seals }: Notes): Fragment | undefined {
  const hasOthers = name === chainedHours.name ? hasOtherHours : hasOtherValues
  return hasOthers ? sql`seal in ${uint64s(seals)}` : undefined
}

/** Whether `daily_shapes` counts the actions of the notes: no event came since. */
export const hasNotedCounts = ({ days }: Notes, whole: Period, scope: Scope): Fragment =>
  sql`(select ${digest(sql`events`)} ${rows(dailyShapes, daysOf(whole, unlocked(scope)), [isAction])}) = ${text(days)}`

/**
 * Whether all rows of the noted seals are there, and no others unless the statement names the seals. Rows of a part and
 * their projection come and go together, and a statement reads a table at one moment.
 */
export function hasNotedRows(table: Table, notes: Notes, whole: Period, scope: Scope, field?: Fragment): Fragment {
  const days = daysOf(whole, unlocked(scope))
  const ofSeals = isNoted(table, notes)
  return table.name === chainedHours.name
    ? sql`${actionsIn(table, sql`(sum(events), sum(customs))`, days, [ofSeals])}
        = (${uint64(notes.dayViews)}, ${uint64(notes.dayCustoms)})`
    : sql`${actionsIn(table, sql`sum(views)`, days, [ofSeals, field])} = ${uint64(notes.dayViews)}`
}
