import type { Field } from '../../request/fields.ts'
import type { Period } from '../../request/period.ts'
import { dayLength } from '../../request/time-zone.ts'
import { type Selection, visiblePeriod } from '../language/scope.ts'
import { millisecondsIn, monthsIn, wholeDays, wholeHours, wholeMonths } from '../language/time.ts'
import { canAnswer } from './rows.ts'
import { type CountKind, type RangeLength, type Table, tables } from './tables.ts'

/** A table of counts, and the part of a range for which it is used: whole hours, days or months. */
export interface TableChoice {
  readonly table: Table
  readonly whole: Period
  /** Whether the range extends beyond that part. */
  readonly hasEnds: boolean
}

/**
 * The best table of counts for the selection; undefined if none can be used. The table covers the whole hours, days or
 * months of the range; the events cover the two ends. Each event is in exactly one part, so the sum of the parts equals
 * the plain count. `read` lists additional fields whose columns are needed.
 */
export function chooseTable(
  kind: CountKind,
  selection: Selection,
  read: readonly Field[] = [],
): TableChoice | undefined {
  for (const table of tables) {
    const isAsked = (table.answersFrom ?? table.answersAloneFrom)?.[kind]
    const choice = isAsked && choiceOf(table, selection)
    if (
      choice &&
      isLongEnough(choice, kind) &&
      canAnswer(table, selection) &&
      read.every((field) => table.fields.has(field))
    ) {
      return choice
    }
  }
  return undefined
}

function choiceOf(table: Table, selection: Selection): TableChoice {
  const visible = visiblePeriod(selection)
  const whole = wholePart[table.isOfDays ? 'day' : table.grain](
    table.isSealed ? closedPart(visible, selection) : visible,
  )
  return { table, whole, hasEnds: whole.startAt !== visible.startAt || whole.endAt !== visible.endAt }
}

/** Only past days are sealed. Whether a day's seal exists and is valid is known only when the statement runs. */
const closedPart = ({ startAt, endAt }: Period, { scope }: Selection): Period => ({
  startAt,
  endAt: Math.min(endAt, (scope.closedBefore ?? 0) - 1),
})

const wholePart: Readonly<Record<Table['grain'], (period: Period) => Period>> = {
  moment: (period) => period,
  hour: wholeHours,
  day: wholeDays,
  month: wholeMonths,
}

function isLongEnough({ table, whole, hasEnds }: TableChoice, kind: CountKind): boolean {
  const least = (hasEnds ? undefined : table.answersAloneFrom?.[kind]) ?? table.answersFrom?.[kind]
  return least !== undefined && isAtLeast(whole, least)
}

function isAtLeast(period: Period, least: RangeLength): boolean {
  if ('months' in least) return monthsIn(period) >= least.months
  return millisecondsIn(period) >= least.days * dayLength
}
