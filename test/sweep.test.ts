import { calendarMonths, nearlyWholeDays, slidingDays, wholeDays } from './oracle/generate-spans.ts'
import { sweep } from './support/sweep.ts'

/** Lengths in days at which another table begins to answer; `test/long` asks for every length. */
sweep([
  ...[1, 3, 12].map(calendarMonths),
  ...[7, 30, 60, 90, 365].map(slidingDays),
  ...[33, 45].map(wholeDays),
  ...[8, 130].map(nearlyWholeDays),
])
