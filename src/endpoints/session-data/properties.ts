import { countedList } from '../../query/counted-list.ts'
import { integerColumn, list, textColumn } from '../../query/list.ts'
import { propertiesOfSessions, type SessionsInput } from '../../query/session-data.ts'
import { sql } from '../../query/sql.ts'
import { slices } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { freeText, group, query } from '../../request/query-string.ts'
import { search } from '../../request/search.ts'
import { report } from '../endpoint.ts'
import { aboutSessions, sessionFilters } from './selected.ts'

const ofSessionsWith = group(
  { propertyName: freeText('Only sessions that have exactly this property; all of theirs are listed.') },
  ({ propertyName }) => ({ propertyName }),
)

export const getSessionDataProperties = report({
  ...aboutSessions('getSessionDataProperties', 'session-data/properties'),
  summary: 'The properties of sessions by name and data type, and how many sessions have each now.',
  query: query(range, slices, ofSessionsWith, search('Part of a property’s name, in any case.'), sessionFilters),
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
