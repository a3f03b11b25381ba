import type { Field } from '../request/fields.ts'
import type { Period } from '../request/period.ts'
import { canAnswer } from './rows.ts'
import { type Selection, visiblePeriod } from './scope.ts'
import { type CountKind, type RangeLength, type Table, tables } from './tables.ts'
import { daysIn, monthsIn, wholeDays, wholeMonths } from './time.ts'

/** A table of counts, and the part of a range that it answers: whole days or whole months. */
export interface TableChoice {
  readonly table: Table
  readonly whole: Period
}

/**
 * The best table of counts for the selection; undefined if none can answer. The table answers the whole days or months
 * of the range; the events answer the two ends. Each event is in exactly one part, so the sum of the parts equals the
 * plain count. `read` names fields whose columns the reader needs.
 */
export function chooseTable(
  kind: CountKind,
  selection: Selection,
  read: readonly Field[] = [],
): TableChoice | undefined {
  const visible = visiblePeriod(selection)
  const table = tables.find(
    (one) =>
      one.answersFrom?.[kind] &&
      isLongEnough(visible, one.answersFrom[kind]) &&
      canAnswer(one, selection) &&
      read.every((field) => one.fields.has(field)),
  )
  return table && { table, whole: table.grain === 'month' ? wholeMonths(visible) : wholeDays(visible) }
}

const isLongEnough = (period: Period, least: RangeLength): boolean =>
  'days' in least ? daysIn(wholeDays(period)) >= least.days : monthsIn(wholeMonths(period)) >= least.months
