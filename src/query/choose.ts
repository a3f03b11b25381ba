import type { Period } from '../request/period.ts'
import { canAnswer } from './rows.ts'
import { type Selection, shownPeriod } from './scope.ts'
import { type Counted, type Length, type Table, tables } from './tables.ts'
import { daysIn, monthsIn, wholeDays, wholeMonths } from './time.ts'

/** A table that holds something counted, and the whole days or months of a range that it answers for. */
export interface Choice {
  readonly table: Table
  readonly whole: Period
}

/**
 * The table of counts that answers best, if one does. Its whole days or months are read there, and what is left at the two
 * ends of the range from the events: each event is in exactly one part, so that the sum is the plain count, whatever the range.
 */
export function choose(counted: Counted, selection: Selection): Choice | undefined {
  const shown = shownPeriod(selection)
  const table = tables.find(
    (one) => one.answersFrom?.[counted] && isLongEnough(shown, one.answersFrom[counted]) && canAnswer(one, selection),
  )
  return table && { table, whole: table.grain === 'month' ? wholeMonths(shown) : wholeDays(shown) }
}

const isLongEnough = (period: Period, least: Length): boolean =>
  'days' in least ? daysIn(wholeDays(period)) >= least.days : monthsIn(wholeMonths(period)) >= least.months
