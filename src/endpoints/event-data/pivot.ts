import { all, sql } from '../../query/language/sql.ts'
import { hasEventName } from '../../query/language/text.ts'
import { list, momentColumn, textColumn, textsColumn } from '../../query/lists/list.ts'
import { createdAtItem, eventIdItem, eventPages } from '../../query/lists/paging.ts'
import { filters } from '../../request/filters.ts'
import { eventsSearched, pages, search } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { freeText, group, query, required } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { inRange, purchase } from '../examples.ts'

export const getEventDataPivot = report({
  name: 'getEventDataPivot',
  path: '/api/websites/:websiteId/event-data-pivot',
  sections: ['events'],
  summary: 'Events of one name with properties, newest first, paged. Each row holds the properties as parallel arrays.',
  example: { query: { ...inRange, eventName: purchase.event_name }, events: [purchase] },
  query: query(
    range,
    pages,
    group({ eventName: required(freeText('Only events of exactly this name.')) }),
    search(eventsSearched),
    filters({ shorthand: 'properties' }),
  ),
  ...list({
    from: eventPages({
      kind: 'custom events',
      isSelective: true,
      condition: ({ eventName }: { readonly eventName: string }) => all(hasEventName(eventName), sql`shape != ''`),
    }),
    columns: {
      eventId: textColumn(eventIdItem),
      sessionId: textColumn(sql`session_id`),
      eventName: textColumn(sql`event_name`),
      urlPath: textColumn(sql`url_path`),
      createdAt: momentColumn(createdAtItem),
      propertyKeys: textsColumn(sql`properties.key`),
      propertyValues: textsColumn(sql`properties.value`),
    },
  }),
})
