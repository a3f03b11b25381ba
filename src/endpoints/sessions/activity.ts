import { descending, order, slice } from '../../query/language/order.ts'
import { sql } from '../../query/language/sql.ts'
import { select } from '../../query/language/statement.ts'
import { matchesSearch } from '../../query/language/text.ts'
import { integerColumn, type ListSource, list, momentColumn, type Row, textColumn } from '../../query/lists/list.ts'
import { activityOf } from '../../query/lists/one-session.ts'
import { createdAtItem, eventIdItem } from '../../query/lists/paging.ts'
import { eventsSearched, type Slice, search, slices } from '../../request/page.ts'
import { type Period, range } from '../../request/period.ts'
import { freeText, group, query } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { inRange, pageView } from '../examples.ts'

interface ActivityInput {
  readonly sessionId: string
  readonly period: Period
  readonly distinctId: string | undefined
  readonly search: string | undefined
  readonly slice: Slice
}

const latestFirst = order([descending(sql`created_at`), descending(sql`event_id`)])

const activity: ListSource<ActivityInput, { list: Row }, 'array'> = {
  envelope: 'array',
  reads: [],
  plan: (selectList, { sessionId, period, distinctId, search, slice: part }, scope) => ({
    list: select(selectList.row)`
      select ${selectList.columns}
      ${activityOf(scope, period, { sessionId, distinctId }, matchesSearch(search))}
      ${slice(latestFirst, part)}, optimize_read_in_order = 0, optimize_use_projections = 1`,
  }),
  shape: ({ list }, _input, item) => ({ body: list.rows.map(item), total: list.total }),
  exported: ({ list }) => ({ rows: list.body }),
}

const distinctIdGroup = group(
  { distinctId: freeText('Adds the actions of sessions with this distinct id, at most the newest 1,000 sessions.') },
  ({ distinctId }) => ({ distinctId: distinctId === '' ? undefined : distinctId }),
)

export const getWebsiteSessionActivity = report({
  name: 'getWebsiteSessionActivity',
  path: '/api/websites/:websiteId/sessions/:sessionId/activity',
  sections: ({ distinctId }) => (distinctId === undefined ? ['sessions', 'events', 'realtime', 'revenue'] : []),
  summary: 'The views and custom events of a session, newest first. The list is empty if the session is unknown.',
  example: { query: inRange, events: [pageView], ids: { sessionId: pageView.session_id } },
  query: query(range, distinctIdGroup, search(eventsSearched), slices),
  ...list({
    from: activity,
    columns: {
      createdAt: momentColumn(createdAtItem),
      urlPath: textColumn(sql`url_path`),
      urlQuery: textColumn(sql`url_query`),
      referrerDomain: textColumn(sql`referrer_domain`),
      eventId: textColumn(eventIdItem),
      eventType: integerColumn(sql`event_type`),
      eventName: textColumn(sql`event_name`),
      visitId: textColumn(sql`visit_id`),
      hostname: textColumn(sql`hostname`),
      hasData: integerColumn(sql`has_data`),
    },
  }),
})
