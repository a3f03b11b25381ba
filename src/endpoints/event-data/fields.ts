import { properties } from '../../query/figures/counts.ts'
import { sql } from '../../query/language/sql.ts'
import { hasEventName } from '../../query/language/text.ts'
import { countedList } from '../../query/lists/counted-list.ts'
import { integerColumn, list, textColumn } from '../../query/lists/list.ts'
import { filters } from '../../request/filters.ts'
import { search, slices } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { query } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { inRange, purchase } from '../examples.ts'
import { type EventsInput, eventNameGroup } from './selected.ts'

export const getEventDataFields = report({
  name: 'getEventDataFields',
  path: '/api/websites/:websiteId/event-data/fields',
  sections: ['events'],
  summary: 'Counts of values by property name and data type.',
  example: { query: inRange, events: [purchase] },
  query: query(range, slices, eventNameGroup, search('Part of a property’s name or value, ignoring case.'), filters()),
  ...list({
    from: countedList({
      rows: ({ period, filters, eventName }: EventsInput, scope) => ({
        from: sql`from ${properties({ scope, period, filters }, [hasEventName(eventName)])}`,
      }),
      by: ['total', 'propertyName', 'value', 'dataType'],
      searched: ['propertyName', 'value'],
      mayBeNothing: true,
    }),
    columns: {
      propertyName: textColumn(sql`data_key`),
      dataType: integerColumn(sql`data_type`),
      value: textColumn(sql`value`),
      total: integerColumn(sql`sum(properties)`),
    },
  }),
})
