import { noFilters } from '../../request/filters.ts'
import type { Period } from '../../request/period.ts'
import { hourLength } from '../../request/time-zone.ts'
import { allFilters, type Selection } from '../language/scope.ts'
import { all, type Fragment, sql, text, texts, uint32, uint64s } from '../language/sql.ts'
import type { DailyField } from '../tables/chained-fields.ts'
import { chooseTable } from '../tables/choose.ts'
import { fewRows, isAction, isView, outside, rows } from '../tables/rows.ts'
import { chainedDays, chainedHours, chainedValues, events, type Table } from '../tables/tables.ts'
import { unfiltered } from '../tables/views.ts'
import { fieldConditions } from '../tables/where.ts'
import { hasNotedRows, isNoted, markOfSeal, type Notes, sumOfMarks, unlocked } from './notes.ts'

/** Reads chains, which docs/chains.md explains. Whether a chain is used depends on the notes; see `notes.ts`. */

type RowConditions = readonly (Fragment | undefined)[]

/** The rows that pass all filters (`passed`), or those that pass the locked filters (`shown`). */
export type WhichRows = 'passed' | 'shown'

/** The rows of one table for the sealed hours of a range. */
export interface Chain {
  /** `from … where …` for the rows that pass the filters and meet the conditions. */
  readonly from: (...conditions: RowConditions) => Fragment
  /** `from … where …` for a few rows of hours that `first` selects. Other columns are read only for these rows. */
  readonly few: (first: Fragment, which: WhichRows, ...conditions: RowConditions) => Fragment
  /** The condition that a row of hours passes the filters. */
  readonly passes: Fragment
  /** The number of views in a row. */
  readonly views: Fragment
  /** The number of rows that meet a condition; in a chain of values, the number of sessions. */
  readonly count: (condition: Fragment) => Fragment
  /**
   * Returns the condition that the hour in a column `…_before` is before the range's sealed hours, or before `start`.
   */
  readonly isBefore: (hour: Fragment, start?: Fragment) => Fragment
  /** A scalar that says whether all noted rows exist. Undefined if `areAll` checks this. */
  readonly areThere?: Fragment
  /**
   * An aggregate over the rows without further conditions, and the value that it has if all rows exist, as a string.
   */
  readonly areAll?: { readonly held: Fragment; readonly due: string }
  /** Whether each read in a statement sees a different state. */
  readonly isOfShards: boolean
}

/** The parts of a range that are not sealed. */
export interface Ends {
  /** `from … where …` for the shown views at the ends. */
  readonly views: Fragment
  /** `from … where …` for the shown actions at the ends. */
  readonly shown: Fragment
  /** `from … where …` for the actions at the ends that pass the filters. */
  readonly actions: Fragment
  /** The condition that a view at the ends passes the filters. */
  readonly passes: Fragment
}

/** The part of a range that chains may be able to answer, in whole hours or whole days. */
export interface Sealed {
  readonly selection: Selection
  readonly whole: Period
  /** Whether the range extends beyond the sealed part. */
  readonly hasEnds: boolean
}

/** The whole hours of a range that may be sealed; undefined if no chain can answer the selection. */
export function sealedHours(selection: Selection): Sealed | undefined {
  const choice = chooseTable('chained visits', selection)
  return choice && { selection, whole: choice.whole, hasEnds: choice.hasEnds }
}

/**
 * The whole days, if rows of days can be used, which requires that there are no filters and that the range has no ends.
 */
export function sealedDays(selection: Selection): Sealed | undefined {
  const [hours, days] = [sealedHours(selection), chooseTable('chained days', selection)]
  return hours && days && days.hasEnds === hours.hasEnds ? { ...hours, whole: days.whole } : undefined
}

/** Reads rows of hours. `filter` is an additional filter, and `condition` excludes irrelevant rows. */
export function chainOfHours(sealed: Sealed, notes: Notes, condition?: Fragment, filter?: Fragment): Chain {
  const passes = [...allFilters(sealed.selection).flatMap(fieldConditions), filter]
  const conditions = [condition, isNoted(chainedHours, notes)]
  return {
    ...chainOf(chainedHours, sealed, notes, conditions, passes),
    areThere: hasNotedRows(chainedHours, notes, ofWhole(sealed)),
  }
}

/**
 * Reads rows of days for these fields. A row contains the previous days of its sessions and visits instead of hours.
 * There are few rows of days, and they are read without filters, so a statement lists the seals and counts all rows.
 */
export function chainOfDays(sealed: Sealed, notes: Notes, ...fields: readonly DailyField[]): Chain {
  const conditions = [sql`field in ${texts(fields)}`, sql`seal in ${uint64s(notes.seals)}`]
  const due = fields.map((field) =>
    field === 'actions' || field === 'bounces' ? notes.actionsBySeal : notes.viewsBySeal,
  )
  return {
    ...chainOf(chainedDays, sealed, notes, conditions),
    count: (condition) => sql`sumIf(hours, ${condition})`,
    areAll: {
      held: sql`sum((events + customs) * ${markOfSeal})`,
      due: sumOfMarks(due.map((sum) => [1, sum])),
    },
  }
}

/** Reads the rows for a field's values. `filter` is a filter on the value. */
export function chainOfValues(sealed: Sealed, notes: Notes, field: string, filter?: Fragment): Chain {
  const conditions = [sql`field = ${text(field)}`, isNoted(chainedValues, notes)]
  return {
    ...chainOf(chainedValues, sealed, notes, conditions, [filter]),
    views: sql`views`,
    count: (condition) => sql`sumIf(sessions, ${condition})`,
    areThere: hasNotedRows(chainedValues, notes, ofWhole(sealed), field),
  }
}

/**
 * All rows of the sealed hours. All filters become conditions of the individual counts, because `areThere` counts all
 * rows.
 */
const ofWhole = ({ selection: { scope }, whole }: Sealed): Selection => ({
  scope: unlocked(scope),
  period: whole,
  filters: noFilters,
})

function chainOf(
  table: Table,
  sealed: Sealed,
  { areOfShards }: Notes,
  conditions: RowConditions,
  passes: RowConditions = [],
): Chain {
  const selected = ofWhole(sealed)
  const shows = sealed.selection.scope.only.flatMap(fieldConditions)
  const firstHour = uint32(Math.max(1, sealed.whole.startAt / hourLength))
  return {
    from: (...more) => rows(table, selected, [...conditions, ...passes, ...more]),
    few: (first, which, ...more) =>
      fewRows(table, selected, first, [...conditions, ...(which === 'passed' ? passes : shows), ...more]),
    passes: all(...passes),
    views: sql`events`,
    count: (condition) => sql`countIf(${condition})`,
    isOfShards: areOfShards,
    isBefore: (hour, start) => sql`${hour} < ${start ? sql`greatest(${firstHour}, ${start})` : firstHour}`,
  }
}

/** The unsealed ends of a range; undefined if there are none. `passes` is an additional filter on views. */
export function unsealedEnds({ selection, whole, hasEnds }: Sealed, passes?: Fragment): Ends | undefined {
  if (!hasEnds) return undefined
  return {
    views: rows(events, unfiltered(selection), [isView, outside(whole)]),
    shown: rows(events, unfiltered(selection), [isAction, outside(whole)]),
    actions: rows(events, selection, [isAction, outside(whole)]),
    passes: all(...fieldConditions(selection.filters), passes),
  }
}
