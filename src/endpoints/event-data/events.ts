import { sql } from '../../query/language/sql.ts'
import { countedList } from '../../query/lists/counted-list.ts'
import { integerColumn, list, textColumn } from '../../query/lists/list.ts'
import { filters } from '../../request/filters.ts'
import { search, slices } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { query } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { inRange, purchase } from '../examples.ts'
import { type EventsInput, eventNameGroup, propertyRows } from './selected.ts'

export const getEventDataEvents = report({
  name: 'getEventDataEvents',
  path: '/api/websites/:websiteId/event-data/events',
  sections: ['events'],
  summary: 'Counts of properties by event name, property name and data type.',
  example: { query: inRange, events: [purchase] },
  query: query(
    range,
    slices,
    eventNameGroup,
    search('Part of an event’s or a property’s name, ignoring case.'),
    filters(),
  ),
  ...list({
    from: countedList({
      rows: (input: EventsInput, scope) => propertyRows(input, scope),
      by: ['eventName', 'propertyName', 'dataType'],
      searched: ['eventName', 'propertyName'],
    }),
    columns: {
      eventName: textColumn(sql`parsed.1`),
      propertyName: textColumn(sql`property`),
      dataType: integerColumn(sql`type`),
      total: integerColumn(sql`sum(events)`),
    },
  }),
})
