import * as z from 'zod'
import { titled } from '../../made.ts'
import { ofEvents } from '../../query/figures/figures.ts'
import { sql, text } from '../../query/language/sql.ts'
import { select } from '../../query/language/statement.ts'
import { selectedViews } from '../../query/tables/views.ts'
import { noFilters } from '../../request/filters.ts'
import { type Period, rangeParameters, requiredPeriod } from '../../request/period.ts'
import { type AddIssue, group, query, type Values } from '../../request/query-string.ts'
import { hasMoreBuckets, localDays } from '../../request/series.ts'
import { clockAt, dayOf } from '../../request/time-zone.ts'
import { report } from '../endpoint.ts'
import { inRange, pageView } from '../examples.ts'

export const Chart = titled('Chart', () => z.object({ values: z.array(z.number().int()), total: z.number().int() }))

/** The maximum number of days in a chart. It may have as many half days as a series may have buckets. */
const mostDays = 25_000

/** The range of a chart, refused if it has too many half days. */
export function chartPeriod(values: Values<typeof rangeParameters>, addIssue: AddIssue): Period {
  const period = requiredPeriod(values, addIssue)
  const days = { unit: 'day', zone: values.timezone ?? 'UTC', fill: true } as const
  if (hasMoreBuckets(mostDays, period, days)) {
    addIssue('endAt', `A chart has at most ${mostDays} days: give a shorter range.`)
  }
  return period
}

const chartRange = group(rangeParameters, (values, addIssue): { period: Period; zone: string } => ({
  period: chartPeriod(values, addIssue),
  zone: values.timezone ?? 'UTC',
}))

const halfAt = (moment: number, zone: string): string => {
  const isMorning = new Date(clockAt(moment, zone)).getUTCHours() < 12
  return `${dayOf(moment, zone)} ${isMorning ? 'AM' : 'PM'}`
}

/** The half days from the start to the end, both included: each is a date, and AM or PM. */
function halvesOf(period: Period, zone: string): string[] {
  const halves = localDays(period, zone).flatMap(({ date }) => [`${date} AM`, `${date} PM`])
  // When clocks go back across midnight, the previous half day occurs again.
  const [first, last] = [halfAt(period.startAt, zone), halfAt(period.endAt, zone)].sort() as [string, string]
  return halves.filter((half) => half >= first && half <= last)
}

const Half = () => z.object({ half: z.string(), visitors: z.number() })

/** The label of the row for the whole range. */
const wholeRange = ''

export const getWebsiteChart = report({
  name: 'getWebsiteChart',
  path: '/api/websites/:websiteId/chart',
  sections: ['overview', 'compare'],
  countsDeleted: true,
  summary: 'Visitors by half days of local time, and in the whole range: a small chart for lists.',
  example: { query: inRange, events: [pageView] },
  query: query(chartRange),
  answer: Chart,
  plan({ period, zone }, scope) {
    const local = sql`toTimeZone(created_at, ${text(zone)})`
    return {
      halves: select(Half)`
        select concat(toString(toDate32(${local})), if(toHour(${local}) < 12, ' AM', ' PM')) as half,
          ${ofEvents.visitors} as visitors
        ${selectedViews({ scope, period, filters: noFilters })}
        group by grouping sets ((half), ())
        settings max_result_rows = 50001`,
    }
  },
  shape({ halves }, { period, zone }) {
    const visitors = new Map(halves.rows.map((row) => [row.half, row.visitors]))
    const values = halvesOf(period, zone).map((half) => visitors.get(half) ?? 0)
    return { body: { values, total: visitors.get(wholeRange) ?? 0 } }
  },
})
