import * as z from 'zod'
import { counted } from '../../query/figures/counted.ts'
import { filters } from '../../request/filters.ts'
import { range, rangeParameters } from '../../request/period.ts'
import { group, query } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { inRange, pageView } from '../examples.ts'

const zone = group({ timezone: rangeParameters.timezone }, ({ timezone = 'UTC' }) => ({ zone: timezone }))

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
  plan: ({ period, filters, zone }, scope) => ({
    hours: counted(
      { scope, period, filters },
      { of: 'views', by: { kind: 'hour of week', zone }, figures: ['visitors'] },
    ),
  }),
  shape: ({ hours: found }) => {
    const sessions = new Map(found.rows.map(({ f_x, f_visitors }) => [Number(f_x), f_visitors]))
    return { body: days.map((day) => hours.map((hour) => sessions.get(24 * day + hour) ?? 0)) }
  },
})
