import { calendarMonths, nearly, slidingDays, wholeDays } from '../oracle/generate-spans.ts'
import { sweep } from '../support/sweep.ts'

const lengths = Array.from({ length: 130 }, (_, index) => index + 1)
const months = [...Array(20).fill(1), ...Array(8).fill(3), 6, 12, 12].map(calendarMonths)

sweep([
  ...months,
  ...months.map(nearly),
  ...[...lengths, 365, 730].map(slidingDays),
  ...lengths.map(wholeDays),
  ...lengths.map((count) => nearly(wholeDays(count))),
])
