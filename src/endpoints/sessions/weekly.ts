import * as z from 'zod'
import { ofEvents } from '../../query/figures/figures.ts'
import { viewsByHourOfWeek } from '../../query/figures/views-by-bucket.ts'
import { select } from '../../query/language/sql.ts'
import { filters } from '../../request/filters.ts'
import { range, rangeParameters } from '../../request/period.ts'
import { group, query } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { inRange, pageView } from '../examples.ts'

const Hour = () => z.object({ hour_of_week: z.number(), sessions: z.number() })

const zone = group({ timezone: rangeParameters.timezone }, ({ timezone = 'UTC' }) => ({ zone: timezone }))

const days = Array.from({ length: 7 }, (_, day) => day)
const hours = Array.from({ length: 24 }, (_, hour) => hour)

export const getWebsiteSessionsWeekly = report({
  name: 'getWebsiteSessionsWeekly',
  path: '/api/websites/:websiteId/sessions/weekly',
  sections: ['sessions', 'overview'],
  summary: 'Sessions with a view, by day of the week (Sunday first) and local hour.',
  example: { query: inRange, events: [pageView] },
  query: query(range, zone, filters()),
  answer: () => z.array(z.array(z.number().int())),
  plan({ period, filters, zone }, scope) {
    const { from, bucket } = viewsByHourOfWeek({ scope, period, filters }, zone)
    return {
      hours: select(Hour)`
        select ${bucket} as hour_of_week, ${ofEvents.visitors} as sessions
        ${from}
        group by hour_of_week`,
    }
  },
  shape: ({ hours: found }) => {
    const sessions = new Map(found.rows.map((row) => [row.hour_of_week, row.sessions]))
    return { body: days.map((day) => hours.map((hour) => sessions.get(24 * day + hour) ?? 0)) }
  },
})
