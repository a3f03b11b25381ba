import { calendarMonths, nearly, slidingDays, wholeDays } from './oracle/generate-spans.ts'
import { sweep } from './support/sweep.ts'

/** Lengths at which another table begins to answer; `test/long` asks for every length. */
sweep([
  ...[1, 3, 12].map(calendarMonths),
  ...[3, 6].map((count) => nearly(calendarMonths(count))),
  ...[7, 30, 60, 90, 365].map(slidingDays),
  ...[8, 33].map((count) => nearly(wholeDays(count))),
])
