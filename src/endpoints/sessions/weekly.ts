import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import { chainedWeekly } from '../../query/figures/chained-weekly.ts'
import { ofEvents } from '../../query/figures/figures.ts'
import { viewsByHourOfWeek } from '../../query/figures/views-by-bucket.ts'
import type { Selection } from '../../query/language/scope.ts'
import { type CheaperStatement, type Statement, select } from '../../query/language/sql.ts'
import { byChain } from '../../query/tables/chains.ts'
import { filters } from '../../request/filters.ts'
import { range, rangeParameters } from '../../request/period.ts'
import { group, query } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { inRange, pageView } from '../examples.ts'

const Hour = () => z.object({ hour_of_week: z.number(), sessions: z.number() })

const zone = group({ timezone: rangeParameters.timezone }, ({ timezone = 'UTC' }) => ({ zone: timezone }))

function sessionsByHour(selection: Selection, zone: string): Statement<ValueOf<typeof Hour>> {
  const { from, bucket } = viewsByHourOfWeek(selection, zone)
  const cheaper = cheaperByHour(selection, zone)
  return {
    ...select(Hour)`
      select ${bucket} as hour_of_week, ${ofEvents.visitors} as sessions
      ${from}
      group by hour_of_week`,
    ...(cheaper && { cheaper }),
  }
}

const ChainedHour = () => Hour().extend({ answers: z.number() })

function cheaperByHour(selection: Selection, zone: string): CheaperStatement<ValueOf<typeof Hour>> | undefined {
  const chained = chainedWeekly(selection, zone)
  return (
    chained &&
    byChain(
      chained,
      (of) => select(ChainedHour)`
        select of_hour as hour_of_week, ${of.sessions} as sessions, ${of.answers} as answers
        ${of.from}
        group by hour_of_week`,
    )
  )
}

const days = Array.from({ length: 7 }, (_, day) => day)
const hours = Array.from({ length: 24 }, (_, hour) => hour)

export const getWebsiteSessionsWeekly = report({
  name: 'getWebsiteSessionsWeekly',
  path: '/api/websites/:websiteId/sessions/weekly',
  sections: ['sessions', 'overview'],
  countsDeleted: true,
  summary: 'Sessions with a view, by day of the week (Sunday first) and local hour.',
  example: { query: inRange, events: [pageView] },
  query: query(range, zone, filters()),
  answer: () => z.array(z.array(z.number().int())),
  plan: ({ period, filters, zone }, scope) => ({ hours: sessionsByHour({ scope, period, filters }, zone) }),
  shape: ({ hours: found }) => {
    const sessions = new Map(found.rows.map((row) => [row.hour_of_week, row.sessions]))
    return { body: days.map((day) => hours.map((hour) => sessions.get(24 * day + hour) ?? 0)) }
  },
})
