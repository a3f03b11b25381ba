import * as z from 'zod'
import { sections } from '../../access/opening.ts'
import { ascending, descending, limitTo, order } from '../../query/language/order.ts'
import { isFiltered, type Scope } from '../../query/language/scope.ts'
import { type Fragment, inGranules, select, sql, union } from '../../query/language/sql.ts'
import { rows } from '../../query/tables/rows.ts'
import { events } from '../../query/tables/tables.ts'
import { noFilters } from '../../request/filters.ts'
import { always } from '../../request/period.ts'
import { timeOrNull } from '../answers.ts'
import { report } from '../endpoint.ts'
import { pageView } from '../examples.ts'

const FirstAndLast = () => z.object({ first: z.number(), last: z.number(), found: z.number() })

/**
 * The first event in this direction of the table's order. It reads one end of the key, regardless of the number of
 * events.
 */
const firstBy = (direction: typeof ascending, scope: Scope): Fragment => {
  const selection = { scope, period: always, filters: noFilters }
  return sql`
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
  plan: (_, scope) => ({
    ends: select(FirstAndLast)`
      select min(milliseconds) as first, max(milliseconds) as last, count() as found
      from ${union([firstBy(ascending, scope), firstBy(descending, scope)])}`,
  }),
  shape({ ends }) {
    const { first, last, found } = ends.rows[0]!
    const [startDate, endDate] = found === 0 ? [null, null] : [first, last]
    return { body: { startDate: timeOrNull(startDate), endDate: timeOrNull(endDate) } }
  },
})
