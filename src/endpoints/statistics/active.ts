import * as z from 'zod'
import { sections } from '../../access/opening.ts'
import { ofEvents } from '../../query/figures/figures.ts'
import { select } from '../../query/language/statement.ts'
import { rows } from '../../query/tables/rows.ts'
import { events } from '../../query/tables/tables.ts'
import { noFilters } from '../../request/filters.ts'
import { query, requestMoment } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { happeningNow } from '../examples.ts'

const Active = () => z.object({ visitors: z.number().int() })

/** A visitor with an event within this many milliseconds is active. */
const lookedBack = 5 * 60_000

export const getWebsiteActive = report({
  name: 'getWebsiteActive',
  path: '/api/websites/:websiteId/active',
  sections,
  countsDeleted: true,
  lifetime: 5,
  summary: 'The number of visitors who sent any event within the last five minutes.',
  example: { query: {}, events: [happeningNow] },
  query: query(requestMoment),
  answer: Active,
  plan: ({ now }, scope) => {
    const period = { startAt: now - lookedBack, endAt: now }
    return {
      active: select(Active)`
        select ${ofEvents.visitors} as visitors ${rows(events, { scope, period, filters: noFilters })}`,
    }
  },
  shape: ({ active }) => ({ body: active.rows[0]! }),
})
