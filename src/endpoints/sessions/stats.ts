import * as z from 'zod'
import { titled } from '../../made.ts'
import { counted } from '../../query/figures/counted.ts'
import { filters } from '../../request/filters.ts'
import { range } from '../../request/period.ts'
import { query } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { inRange, pageView } from '../examples.ts'

const Figure = titled('Figure', () => z.object({ value: z.number().int() }))

const sessionFigures = ['views', 'visitors', 'visits', 'countries', 'customs'] as const

export const getWebsiteSessionStats = report({
  name: 'getWebsiteSessionStats',
  path: '/api/websites/:websiteId/sessions/stats',
  sections: ['sessions'],
  countsDeleted: true,
  summary: 'The number of views, visitors, visits, countries and custom events.',
  example: { query: inRange, events: [pageView] },
  query: query(range, filters()),
  answer: () =>
    z.object({ pageviews: Figure(), visitors: Figure(), visits: Figure(), countries: Figure(), events: Figure() }),
  plan: ({ period, filters }, scope) => ({
    totals: counted({ scope, period, filters }, { of: 'actions', figures: sessionFigures }),
  }),
  shape: ({ totals }) => {
    const { f_views, f_visitors, f_visits, f_countries, f_customs } = totals.rows[0]!
    return {
      body: {
        pageviews: { value: f_views },
        visitors: { value: f_visitors },
        visits: { value: f_visits },
        countries: { value: f_countries },
        events: { value: f_customs },
      },
    }
  },
})
