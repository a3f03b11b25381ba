import type { Field } from '../../request/fields.ts'
import { noFilters } from '../../request/filters.ts'
import type { Period } from '../../request/period.ts'
import { dayLength, hourLength } from '../../request/time-zone.ts'
import { allFilters, type Scope, type Selection } from '../language/scope.ts'
import { all, type Fragment, milliseconds, sql, uint8, uint32, union } from '../language/sql.ts'
import { chooseTable } from './choose.ts'
import { isView, rows } from './rows.ts'
import { type CountKind, dailyShapes, seals } from './tables.ts'
import { fieldConditions } from './where.ts'

/**
 * What a chain is. A row of a chain says in which hour its session, its visit or its session's value was seen the last
 * time before. In a range that begins with hour A, the first rows are those with an hour before A; 0 means never. So
 * distinct sessions of a range are counted by comparing a number: no ids are read, and no set of them is made. A row
 * never looks forward, so what comes later changes none.
 *
 * `weir seal` makes the rows of a day that is over, and then notes it in `seals`. A range is answered by chains if:
 *
 * - each of its days with views has a note, and the note has as many views as `daily_shapes` counts now;
 * - each day was sealed after the days before it: after late views, their day and then all later ones are made anew,
 *   because rows of later days look back on it;
 * - no session changes a filtered column on these days: then all rows of a session pass a filter, or none;
 * - the rows that were read hold as many views as the notes say: notes and rows are read at two moments.
 *
 * The statement tells whether all of this held. Where it did not, the whole statement answers, by `hourly_visits`.
 */
export interface Chain {
  /**
   * A subquery of the rows of the range that belong to the latest seals, with these columns, and with `passed`: whether
   * a row passes the filters. No rows if the range is not sealed.
   */
  readonly rows: (columns: Fragment) => Fragment
  /** A condition on a column `…_before`: not within the range. */
  readonly isBefore: (hour: Fragment) => Fragment
  /** Over all rows, whose views are counted by `views`: whether the chain answers. */
  readonly answers: (views: Fragment) => Fragment
}

/** The chain that may answer; undefined if another table has to. `condition` says which rows of it. */
export function chainFor(
  kind: Extract<CountKind, 'chained visits' | 'chained values'>,
  selection: Selection,
  condition?: Fragment,
): Chain | undefined {
  const choice = chooseTable(kind, selection)
  if (!choice) return undefined
  const { table, whole } = choice
  const scope = unlocked(selection.scope)
  const days = { scope: { ...scope, since: undefined }, period: daysOf(whole), filters: noFilters }
  const state = stateOf(selection, whole, days)
  const isLatest = sql`seal global in (select max(seal) ${rows(seals, days)} group by day)`
  const conditions = [condition, sql`state.1`, isLatest]
  const passes = all(...allFilters(selection).flatMap(fieldConditions))
  return {
    rows: (columns) => sql`(
      select ${columns}, ${passes} as passed, ${state} as state
      ${rows(table, { scope, period: whole, filters: noFilters }, conditions)}
    )`,
    isBefore: (hour) => sql`${hour} < ${uint32(Math.max(1, whole.startAt / hourLength))}`,
    // Without a row, there is no state.
    answers: (views) => sql`ifNull(any(state.1) and ${views} = any(state.2), 0)`,
  }
}

/** Filters, and locked ones, are conditions on what is counted: all rows are read, to count their views. */
const unlocked = ({ websiteId, since }: Scope): Scope => ({
  websiteId,
  since,
  only: [],
  hidesDistinctIds: false,
  hidesSessionProperties: false,
})

/** The days of UTC that a period touches. */
const daysOf = ({ startAt, endAt }: Period): Period => ({
  startAt: Math.floor(startAt / dayLength) * dayLength,
  endAt: Math.ceil((endAt + 1) / dayLength) * dayLength - 1,
})

/** The bits of `changed` in `seals`; the last one: a visit belongs to two sessions. */
const changes: readonly Field[] = ['browser', 'os', 'device', 'country', 'region', 'city', 'language']
const isShared = 1 << changes.length

/**
 * A scalar subquery: whether the notes let chains answer the period, and how many views its sealed hours have. A note
 * is of a whole day, so this looks at all days that the period touches, before a reset too.
 */
function stateOf(selection: Selection, period: Period, days: Selection): Fragment {
  const asked = allFilters(selection).flatMap(({ fields }) => fields.map(({ field }) => 1 << changes.indexOf(field)))
  const relevant = uint8(asked.reduce((bits, bit) => bits | bit, isShared))
  const notesAndCounts = union([
    sql`select day, events as stored, toUInt64(0) as number, toUInt64(0) as starting, toUInt64(0) as ended,
      emptyArrayUInt64() as hours,
      toUInt8(0) as bits ${rows(dailyShapes, days, [isView])}`,
    sql`select day, toInt64(0) as stored, seal as number, began as starting, done as ended, views as hours,
      changed as bits
      ${rows(seals, days)}`,
  ])
  const hourOfDay = sql`(toInt64(toInt32(day)) * 24 + place - 1) * ${milliseconds(hourLength)}`
  const isWithin = sql`${hourOfDay} between ${milliseconds(period.startAt)} and ${milliseconds(period.endAt)}`
  return sql`(
    select (
      countIf(counted != arraySum(noted)) = 0
        and bitAnd(groupBitOrIf(different, counted > 0), ${relevant}) = 0
        and arrayAll(
          (one, next) -> one.2 = next.2 or one.3 <= next.2,
          arrayPopBack(arraySort(groupArrayIf((toInt32(day), began_at, done_at), counted > 0)) as sealed_days),
          arrayPopFront(sealed_days)),
      sum(arraySum((amount, place) -> if(${isWithin}, amount, 0), noted, arrayEnumerate(noted)))
    )
    from (
      select day, sum(stored) as counted, argMax(starting, number) as began_at, argMax(ended, number) as done_at,
        argMax(hours, number) as noted, argMax(bits, number) as different
      from ${notesAndCounts}
      group by day
    )
  )`
}
