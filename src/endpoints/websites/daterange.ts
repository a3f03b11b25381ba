import * as z from 'zod'
import { sections } from '../../access/opening.ts'
import { ascending, descending, limitTo, order } from '../../query/language/order.ts'
import { isFiltered, type Scope } from '../../query/language/scope.ts'
import { inGranules, select, sql } from '../../query/language/sql.ts'
import { rows } from '../../query/tables/rows.ts'
import { events } from '../../query/tables/tables.ts'
import { noFilters } from '../../request/filters.ts'
import { always } from '../../request/period.ts'
import { timeOrNull } from '../answers.ts'
import { report } from '../endpoint.ts'
import { pageView } from '../examples.ts'

const Moment = () => z.object({ milliseconds: z.number() })

/**
 * The first event in this direction of the table's order. It reads one end of the key, regardless of the number of
 * events.
 */
const firstBy = (direction: typeof ascending, scope: Scope) => {
  const selection = { scope, period: always, filters: noFilters }
  return select(Moment)`
  select toUnixTimestamp64Milli(created_at) as milliseconds
  ${inGranules(rows(events, selection), { most: 1, isUnsure: isFiltered(selection) })}
  ${limitTo(order([direction(sql`created_at`), direction(sql`event_id`)]), 1)}`
}

export const getWebsiteDateRange = report({
  name: 'getWebsiteDateRange',
  path: '/api/websites/:websiteId/daterange',
  sections,
  summary: 'The times of the website’s first and last event; null without events.',
  example: { query: {}, events: [pageView] },
  answer: () => z.object({ startDate: z.string().nullable(), endDate: z.string().nullable() }),
  plan: (_, scope) => ({ first: firstBy(ascending, scope), last: firstBy(descending, scope) }),
  shape: ({ first, last }) => ({
    body: {
      startDate: timeOrNull(first.rows[0]?.milliseconds),
      endDate: timeOrNull(last.rows[0]?.milliseconds),
    },
  }),
})
