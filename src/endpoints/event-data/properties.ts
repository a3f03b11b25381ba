import { sql } from '../../query/language/sql.ts'
import { commonestOf, countedList } from '../../query/lists/counted-list.ts'
import { integerColumn, list, textColumn } from '../../query/lists/list.ts'
import { onlyProperty } from '../../request/client-names.ts'
import { filters } from '../../request/filters.ts'
import { search, slices } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { query } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { inRange, purchase } from '../examples.ts'
import { type EventsInput, eventNameGroup, propertyRows } from './selected.ts'

interface PropertiesInput extends EventsInput {
  readonly propertyName: string | undefined
}

export const getEventDataProperties = report({
  name: 'getEventDataProperties',
  path: '/api/websites/:websiteId/event-data/properties',
  sections: ['events'],
  summary: 'Counts of properties by event name and property name, and the data type of most of their values.',
  example: { query: inRange, events: [purchase] },
  query: query(
    range,
    slices,
    eventNameGroup,
    onlyProperty,
    search('Part of an event’s or a property’s name, ignoring case.'),
    filters(),
  ),
  ...list({
    from: countedList({
      rows: (input: PropertiesInput, scope) => propertyRows(input, scope),
      by: ['eventName', 'total', 'propertyName'],
      searched: ['eventName', 'propertyName'],
      commonest: 'dataType',
    }),
    columns: {
      eventName: textColumn(sql`parsed.1`),
      propertyName: textColumn(sql`property`),
      total: integerColumn(sql`sum(events)`),
      dataType: integerColumn(commonestOf(sql`type`, sql`events`)),
    },
  }),
})
