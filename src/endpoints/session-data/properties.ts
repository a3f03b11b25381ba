import { sql } from '../../query/language/sql.ts'
import { countedList } from '../../query/lists/counted-list.ts'
import { integerColumn, list, textColumn } from '../../query/lists/list.ts'
import { propertiesOfSessions, type SessionsInput } from '../../query/lists/session-data.ts'
import { search, slices } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { freeText, group, query } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { aboutSessions, sessionFilters } from './selected.ts'

const ofSessionsWith = group({
  propertyName: freeText('Only sessions with exactly this property. All their properties are listed.'),
})

export const getSessionDataProperties = report({
  ...aboutSessions('getSessionDataProperties', 'session-data/properties'),
  summary: 'Properties of sessions by name and data type, and how many sessions have each.',
  query: query(range, slices, ofSessionsWith, search('Part of a property’s name, ignoring case.'), sessionFilters),
  ...list({
    from: countedList({
      rows: (input: SessionsInput, scope) => ({ from: sql`from ${propertiesOfSessions(input, scope)}` }),
      by: ['total', 'propertyName', 'dataType'],
      searched: ['propertyName'],
    }),
    columns: {
      propertyName: textColumn(sql`data_key`),
      dataType: integerColumn(sql`current_type`),
      total: integerColumn(sql`count()`),
    },
  }),
})
