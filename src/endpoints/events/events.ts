import { sql } from '../../query/language/sql.ts'
import {
  integerColumn,
  list,
  momentColumn,
  packedColumns,
  textColumn,
  websiteIdColumn,
} from '../../query/lists/list.ts'
import { createdAtItem, eventIdItem, eventPages } from '../../query/lists/paging.ts'
import { isAction } from '../../query/tables/rows.ts'
import { filters } from '../../request/filters.ts'
import { eventsSearched, pages, search } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { query } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { inRange, pageView, purchase } from '../examples.ts'

/** The columns that `events` also stores as one array. */
export const packedEvent = packedColumns(sql`packed`, [
  'hostname',
  'url_path',
  'url_query',
  'referrer_path',
  'referrer_query',
  'referrer_domain',
  'country',
  'city',
  'device',
  'os',
  'browser',
  'page_title',
  'event_name',
  'has_data',
])

export const getWebsiteEvents = report({
  name: 'getWebsiteEvents',
  path: '/api/websites/:websiteId/events',
  sections: ['events'],
  summary: 'Events of every kind except performance measurements (5: see performance/metrics), newest first, paged.',
  example: { query: inRange, events: [pageView, purchase] },
  query: query(range, pages, search(eventsSearched), filters()),
  ...list({
    from: eventPages<object>({ kind: 'events', condition: () => isAction }),
    columns: {
      id: textColumn(eventIdItem),
      websiteId: websiteIdColumn,
      sessionId: textColumn(sql`session_id`),
      createdAt: momentColumn(createdAtItem),
      hostname: packedEvent.text('hostname'),
      urlPath: packedEvent.text('url_path'),
      urlQuery: packedEvent.text('url_query'),
      referrerPath: packedEvent.text('referrer_path'),
      referrerQuery: packedEvent.text('referrer_query'),
      referrerDomain: packedEvent.text('referrer_domain'),
      country: packedEvent.text('country'),
      city: packedEvent.text('city'),
      device: packedEvent.text('device'),
      os: packedEvent.text('os'),
      browser: packedEvent.text('browser'),
      pageTitle: packedEvent.text('page_title'),
      eventType: integerColumn(sql`event_type`),
      eventName: packedEvent.text('event_name'),
      hasData: packedEvent.flag('has_data'),
    },
  }),
})
