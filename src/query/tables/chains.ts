import type { Field } from '../../request/fields.ts'
import { noFilters } from '../../request/filters.ts'
import type { Period } from '../../request/period.ts'
import { dayLength, hourLength } from '../../request/time-zone.ts'
import { allFilters, type Scope, type Selection } from '../language/scope.ts'
import { all, type Fragment, milliseconds, sql, uint8, uint32 } from '../language/sql.ts'
import { chooseTable } from './choose.ts'
import { isView, outside, rows } from './rows.ts'
import { type CountKind, dailyShapes, events, seals } from './tables.ts'
import { unfiltered } from './views.ts'
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
 * - all views of these days lie on one shard, if this is a cluster: a seal knows no rows of other shards, and a session
 *   may have rows on several;
 * - no session changes a filtered column on these days: then all rows of a session pass a filter, or none;
 * - the rows that were read hold as many views as the notes say: notes and rows are read at two moments.
 *
 * The statement tells whether all of this held. Where it did not, the whole statement answers, by `hourly_visits`.
 *
 * Chains answer the whole hours of a range that are sealed. What is left are its ends: parts of an hour, and the
 * current day. The events answer them, and the rows of the few sessions that have views there say what both parts
 * share.
 */
export interface Chain {
  /**
   * A subquery of the rows of the range that belong to the latest seals, with these columns; with `passed`, whether a
   * row passes the filters; and with `shown`, whether it passes the locked ones. No rows if the range is not sealed.
   */
  readonly rows: (columns: Fragment) => Fragment
  /** A condition on a column `…_before`: not within the sealed hours of the range. */
  readonly isBefore: (hour: Fragment) => Fragment
  /** Over all rows, whose views are counted by `views`: whether the chain answers. */
  readonly answers: (views: Fragment) => Fragment
  /** Undefined if the sealed hours are the whole range. */
  readonly ends: ChainEnds | undefined
}

/** The parts of a range that are not sealed. */
export interface ChainEnds {
  /** `from … where …`: their shown views. */
  readonly views: Fragment
  /** A condition on such a view: it passes the filters. */
  readonly passes: Fragment
  /** The sealed hours of the range, as a selection of shown views. */
  readonly sealed: Selection
}

/** The chain that may answer; undefined if another table has to. `condition` says which rows of it. */
export function chainFor(
  kind: Extract<CountKind, 'chained visits' | 'chained values'>,
  selection: Selection,
  condition?: Fragment,
): Chain | undefined {
  const choice = chooseTable(kind, selection)
  if (!choice) return undefined
  const { table, whole, hasEnds } = choice
  const scope = unlocked(selection.scope)
  const days = { scope: { ...scope, since: undefined }, period: daysOf(whole), filters: noFilters }
  const { notes, counts } = stateOf(selection, whole, days)
  const isLatest = sql`seal global in (select max(seal) ${rows(seals, days)} group by day)`
  const passes = all(...allFilters(selection).flatMap(fieldConditions))
  const shows = all(...selection.scope.only.flatMap(fieldConditions))
  return {
    rows: (columns) => sql`(
      select ${columns}, ${passes} as passed, ${shows} as shown, 
        ((${notes} as notes).1 = ${counts} and notes.2) as holds, notes.3 as noted
      ${rows(table, { scope, period: whole, filters: noFilters }, [condition, isLatest])} and holds
    )`,
    isBefore: (hour) => sql`${hour} < ${uint32(Math.max(1, whole.startAt / hourLength))}`,
    // Without a row, there is no state.
    answers: (views) => sql`ifNull(any(holds) and ${views} = any(noted), 0)`,
    ends: hasEnds ? endsOf(selection, whole) : undefined,
  }
}

function endsOf(selection: Selection, whole: Period): ChainEnds {
  const shown = unfiltered(selection)
  return {
    views: rows(events, shown, [isView, outside(whole)]),
    passes: all(...fieldConditions(selection.filters)),
    sealed: { ...shown, period: whole },
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
 * Two scalar subqueries. `notes`: sums of the noted views, to be compared with `counts`; whether the notes let chains
 * answer the period otherwise; and how many views its sealed hours have. A note is of a whole day, so this looks at all
 * days that the period touches, before a reset too.
 *
 * No day has fewer views than its note says, so equal sums mean that all days are equal. Sums that weigh each day by
 * its hash would tell, too, if somebody deleted rows by hand. ClickHouse runs a scalar twice if it lies in another one,
 * and is slow with long ones.
 */
function stateOf(
  selection: Selection,
  period: Period,
  days: Selection,
): { readonly notes: Fragment; readonly counts: Fragment } {
  const asked = allFilters(selection).flatMap(({ fields }) => fields.map(({ field }) => 1 << changes.indexOf(field)))
  const relevant = uint8(asked.reduce((bits, bit) => bits | bit, isShared))
  const sums = (views: Fragment) => sql`(sum(toInt64(${views})), sum(toInt64(${views}) * cityHash64(day)))`
  const isWhole = period.startAt === days.period.startAt && period.endAt === days.period.endAt
  const hourOfDay = sql`(toInt64(toInt32(day)) * 24 + place - 1) * ${milliseconds(hourLength)}`
  const isWithin = sql`${hourOfDay} between ${milliseconds(period.startAt)} and ${milliseconds(period.endAt)}`
  const within = sql`arraySum((amount, place) -> if(${isWithin}, amount, 0), note.1, arrayEnumerate(note.1))`
  const counts = sql`(select ${sums(sql`events`)} ${rows(dailyShapes, days, [isView])})`
  const notes = sql`(
    select (
      ${sums(sql`noted`)},
      uniqExactIf(note.2, noted > 0) <= 1
        and bitAnd(groupBitOr(note.3), ${relevant}) = 0
        and arrayAll(
          (one, next) -> one.2 = next.2 or one.3 <= next.2,
          arrayPopBack(arraySort(groupArrayIf((toInt32(day), note.4, note.5), noted > 0)) as sealed_days),
          arrayPopFront(sealed_days)),
      sum(${isWhole ? sql`noted` : within})
    )
    from (
      select day, argMax((views, shard, changed, began, done), seal) as note,
        arraySum(note.1) as noted
      ${rows(seals, days)}
      group by day
    )
  )`
  return { notes, counts }
}
