import { calendarMonths, nearly, type Spans, slidingDays, wholeDays } from '../oracle/generate-spans.ts'
import { sweep } from '../support/sweep.ts'

/** The range lengths at which a different table starts to answer. `test/long` tries all lengths. */
const year = calendarMonths(12)
const months = [nearly(calendarMonths(3)), slidingDays(90), slidingDays(365), nearly(wholeDays(33))]
const days = [calendarMonths(1), slidingDays(7), slidingDays(30), nearly(wholeDays(8))]

/** The groups of filters under which a table of counts may answer. */
const counted = ['none', 'names', 'clients', 'names and clients', 'cities']

const oneOf = (endpoint: string, group: string, spans: Spans): number => {
  if (spans === year || (endpoint === 'events' && counted.includes(group))) return 1
  return months.includes(spans) && counted.includes(group) ? 2 : 24
}

sweep([year, ...months, ...days], oneOf)
