import { calendarMonths, nearly, slidingDays, wholeDays } from './oracle/generate-spans.ts'
import { sweep } from './support/sweep.ts'

/** Lengths of range at which another table begins to answer. `test/long` tries every length. */
sweep([
  ...[1, 12].map(calendarMonths),
  nearly(calendarMonths(3)),
  ...[7, 30, 90, 365].map(slidingDays),
  ...[8, 33].map((count) => nearly(wholeDays(count))),
])
