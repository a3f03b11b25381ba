import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import type { Field } from '../../request/fields.ts'
import { noFilters } from '../../request/filters.ts'
import type { Period } from '../../request/period.ts'
import { dayLength, hourLength } from '../../request/time-zone.ts'
import type { Scope, Selection } from '../language/scope.ts'
import { type Fragment, type Statement, select, sql, text, uint8, uint64, uint64s } from '../language/sql.ts'
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
 * The sum of the actions of days, and one that weighs each day by the square of its number, as a text. No day has fewer
 * than its note says, so equal sums mean that all days are equal. The two of them would tell, too, if somebody deleted
 * rows by hand.
 */
const actionSums = sql`(sum(events), toString(sum(events * toInt32(day) * toInt32(day))))`

const weighedIn = (days: readonly DayNote[]): string =>
  String(days.reduce((sum, { day, views, customs }) => sum + BigInt(views + customs) * BigInt(day) ** 2n, 0n))

/** The notes of the latest days, in order. One question reads those of many ranges. */
const Notes = () =>
  z.object({
    /** The numbers of the days since 1970. */
    days: z.array(z.number()),
    seals: z.array(z.number()),
    /** When the seals began, and when they were done. */
    began: z.array(z.number()),
    done: z.array(z.number()),
    /** The bits of `changes`. */
    changed: z.array(z.number()),
    /** The numbers of the shards that sealed them. */
    shards: z.array(z.number()),
    views: z.array(z.number()),
    customs: z.array(z.number()),
    /** The same by hour: days are separated by semicolons, their hours by spaces. */
    viewsByHour: z.string(),
    customsByHour: z.string(),
    /** Whether this server, no front of a cluster, sealed them, and a statement reads a table at one moment. */
    isHere: z.number(),
    /** Whether `chained_hours` has rows of other seals on these days. */
    hasOtherHours: z.number(),
    /** Whether `chained_values` does. */
    hasOtherValues: z.number(),
  })

export type AllNotes = ValueOf<typeof Notes>

interface DayNote {
  readonly day: number
  readonly views: number
  readonly customs: number
}

/** What the notes of the days that a range touches say. */
export interface Notes extends Pick<AllNotes, 'isHere' | 'hasOtherHours' | 'hasOtherValues'> {
  /** The weighed sum of the noted actions, as a text. */
  readonly weighed: string
  /** Whether each day was sealed after the days before it, and all of them by one shard. */
  readonly holds: boolean
  /** The bits of `changes`. */
  readonly changed: number
  /** The noted views of the sealed hours of the range. */
  readonly views: number
  /** The noted custom events of the sealed hours of the range. */
  readonly customs: number
  /** The noted views of all these days. */
  readonly dayViews: number
  /** The noted custom events of all these days. */
  readonly dayCustoms: number
  readonly seals: readonly number[]
  /** The sum of the seals, and that of days with views, as texts. */
  readonly sealSum: string
  readonly sealSumOfViews: string
}

export const noNotes: Notes = {
  ...{ weighed: '', holds: false, isHere: 0, changed: 0, views: 0, customs: 0 },
  ...{ dayViews: 0, dayCustoms: 0, hasOtherHours: 0, hasOtherValues: 0 },
  ...{ seals: [], sealSum: '0', sealSumOfViews: '0' },
}

/** The bits of `changed` in `seals`; the last one: a visit belongs to two sessions. */
export const changes: readonly Field[] = ['browser', 'os', 'device', 'country', 'region', 'city', 'language']
export const isShared = 1 << changes.length

/** What the notes say of a range. */
export function notesWithin(all: AllNotes, { startAt, endAt }: Period): Notes {
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
  const sealSum = (notes: readonly { readonly place: number }[]): string =>
    String(notes.reduce((total, { place }) => total + BigInt(all.seals[place]!), 0n))
  return {
    ...{ isHere: all.isHere, hasOtherHours: all.hasOtherHours, hasOtherValues: all.hasOtherValues },
    weighed: weighedIn(noted),
    holds:
      new Set(noted.map(({ place }) => all.shards[place])).size <= 1 &&
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
    sealSum: sealSum(noted),
    sealSumOfViews: sealSum(noted.filter(({ views }) => views > 0)),
  }
}

/** The fewest days whose notes are read at once. */
const fewestDays = 64

/** The days of which notes are read for a range: 64, 128 … before the current one. So many ranges ask for the same. */
export function notedDays({ startAt }: Period, { closedBefore = 0 }: Scope): Period {
  const age = (closedBefore - startAt) / dayLength
  const days = fewestDays * 2 ** Math.max(0, Math.ceil(Math.log2(age / fewestDays)))
  return { startAt: Math.max(0, closedBefore - days * dayLength), endAt: closedBefore - 1 }
}

export function notesOf(period: Period, scope: Scope): Statement<AllNotes> {
  const days = daysOf(period, unlocked(scope))
  const byHour = (amounts: Fragment) =>
    sql`arrayStringConcat(arrayMap(amount -> arrayStringConcat(amount, ' '), ${amounts}), ';')`
  const ofEach = (amounts: Fragment) => sql`arrayMap(amount -> arraySum(amount), ${amounts})`
  return select(Notes)`
    select all_notes.1 as days, all_notes.2 as seals, said.4 as began, said.5 as done, said.3 as changed,
      arrayMap(name -> indexOf(said.2, name), said.2) as shards,
      ${ofEach(sql`said.1`)} as views, ${ofEach(sql`said.6`)} as customs,
      ${byHour(sql`said.1`)} as viewsByHour, ${byHour(sql`said.6`)} as customsByHour,
      toUInt8(getSettingOrDefault('enable_shared_storage_snapshot_in_query', false))
        and arrayAll(name -> startsWith(name, concat(currentDatabase(), '/')), said.2) as isHere,
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

/** The number of fields that `chained_values` has rows of. */
const fieldsOfViews = Object.keys(chainedFields).length

/** ClickHouse heeds this setting only at the end of a scalar. */
const byProjection = sql`settings optimize_use_projections = 1`

/** A scalar: an aggregate over all rows of days. The projection `counted` has it, so it reads no row. */
const actionsIn = (
  table: Table,
  amount: Fragment,
  days: Selection,
  conditions: readonly (Fragment | undefined)[] = [],
) => sql`(select ${amount} ${sealedRows(table, days, conditions)} ${byProjection})`

/** A condition on rows: they are of a noted seal. Undefined where all rows are, which `hasNotedRows` tells. */
export function isNoted(
  { name }: Table,
  { isHere, hasOtherHours, hasOtherValues, seals }: Notes,
): Fragment | undefined {
  const hasOthers = name === chainedHours.name ? hasOtherHours : hasOtherValues
  return hasOthers || !isHere ? sql`seal in ${uint64s(seals)}` : undefined
}

/** Whether `daily_shapes` counts the actions of the notes: no event came since. */
export const hasNotedCounts = ({ weighed, dayViews, dayCustoms }: Notes, whole: Period, scope: Scope): Fragment =>
  sql`(select ${actionSums} ${rows(dailyShapes, daysOf(whole, unlocked(scope)), [isAction])} settings max_threads = 1)
    = (${uint64(dayViews + dayCustoms)}, ${text(weighed)})`

/**
 * Whether these days have rows of the noted seals, all of them, and no others unless the statement names the seals.
 * Rows of a part and their projection come and go together, and a statement reads a table at one moment.
 */
export function hasNotedRows(table: Table, notes: Notes, whole: Period, scope: Scope, field?: Fragment): Fragment {
  const { dayViews, dayCustoms, sealSum, sealSumOfViews } = notes
  const read = sealedRows(table, daysOf(whole, unlocked(scope)), [isNoted(table, notes), field])
  const sums = (actions: Fragment) => sql`(
    select (sum(held), toString(sum(seal))) from (select seal, ${actions} as held ${read} group by toDate32(hour), seal)
    ${byProjection})`
  return table.name === chainedHours.name
    ? sql`${sums(sql`sum(events) + sum(customs)`)} = (${uint64(dayViews + dayCustoms)}, ${text(sealSum)})`
    : sql`${sums(sql`sum(views)`)} = (${uint64(dayViews)}, ${text(sealSumOfViews)})`
}
