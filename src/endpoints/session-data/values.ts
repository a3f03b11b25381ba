import { sql, uint8 } from '../../query/language/sql.ts'
import { countedList } from '../../query/lists/counted-list.ts'
import { integerColumn, list, textColumn } from '../../query/lists/list.ts'
import { propertyOfSessions, type SessionsInput } from '../../query/lists/session-data.ts'
import { elements } from '../../query/tables/properties.ts'
import { search, slices } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { dataTypes } from '../../request/property-filters.ts'
import { freeText, group, query } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { propertyType } from '../event-data/values.ts'
import { aboutSessions, sessionFilters } from './selected.ts'

const valued = group({
  propertyName: freeText('The exact name of the property whose values are counted; every property by default.'),
  dataType: propertyType,
})

interface SessionValuesInput extends SessionsInput {
  readonly dataType: number | undefined
}

export const getSessionDataValues = report({
  ...aboutSessions('getSessionDataValues', 'session-data/values', 'plan'),
  summary: 'The current values of a property of sessions, and how many sessions have each.',
  query: query(range, slices, valued, search('Part of a value, ignoring case.'), sessionFilters),
  ...list({
    from: countedList({
      rows(input: SessionValuesInput, scope) {
        const { dataType } = input
        const element =
          dataType === dataTypes.array ? sql`arrayJoin(arrayDistinct(${elements(sql`value`)}))` : sql`value`
        const isOfType = dataType === undefined ? sql`` : sql` where data_type = ${uint8(dataType)}`
        const rows = sql`select session_id, ${element} as element from ${propertyOfSessions(input, scope)}${isOfType}`
        // Several properties of a session may have the same value.
        const each = input.propertyName === undefined ? sql` group by session_id, element` : sql``
        return { from: sql`from (${rows}${each})` }
      },
      by: ['total', 'value'],
      searched: ['value'],
    }),
    columns: { value: textColumn(sql`element`), total: integerColumn(sql`count()`) },
  }),
})
