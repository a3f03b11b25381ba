import type { Period } from '../request/period.ts'
import { canAnswer } from './rows.ts'
import { type Selection, visiblePeriod } from './scope.ts'
import { type CountKind, type RangeLength, type Table, tables } from './tables.ts'
import { daysIn, monthsIn, wholeDays, wholeMonths } from './time.ts'

/** A table of counts, and the whole days or months of a range that it answers for. */
export interface TableChoice {
  readonly table: Table
  readonly whole: Period
}

/**
 * The table of counts that answers best, if one does. Its whole days or months are read there, and what is left at the two
 * ends of the range from the events: each event is in exactly one part, so that the sum is the plain count, whatever the range.
 */
export function chooseTable(kind: CountKind, selection: Selection): TableChoice | undefined {
  const visible = visiblePeriod(selection)
  const table = tables.find(
    (one) => one.answersFrom?.[kind] && isLongEnough(visible, one.answersFrom[kind]) && canAnswer(one, selection),
  )
  return table && { table, whole: table.grain === 'month' ? wholeMonths(visible) : wholeDays(visible) }
}

const isLongEnough = (period: Period, least: RangeLength): boolean =>
  'days' in least ? daysIn(wholeDays(period)) >= least.days : monthsIn(wholeMonths(period)) >= least.months
