import { sql } from '../../query/language/sql.ts'
import { list, momentColumn, textColumn, textsColumn } from '../../query/lists/list.ts'
import { latestId } from '../../query/lists/session-data.ts'
import { createdItem, sessionIdItem, sessionPages } from '../../query/lists/session-pages.ts'
import { eventsSearched, pages, search } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { query } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { aboutSessions, oneProperty, sessionFilters } from './selected.ts'

const byKey = sql`arraySort(pair -> pair.1, groupArray((data_key, value)))`

export const getSessionDataPivot = report({
  ...aboutSessions('getSessionDataPivot', 'session-data-pivot', 'plan'),
  summary:
    'Sessions with a property, latest identify call first, paged. Each row holds all current properties as parallel arrays.',
  query: query(range, pages, oneProperty, search(eventsSearched), sessionFilters),
  ...list({
    from: sessionPages,
    columns: {
      sessionId: textColumn(sessionIdItem),
      distinctId: textColumn(latestId),
      createdAt: momentColumn(createdItem),
      propertyKeys: textsColumn(sql`arrayMap(pair -> pair.1, ${byKey})`),
      propertyValues: textsColumn(sql`arrayMap(pair -> pair.2, ${byKey})`),
    },
  }),
})
