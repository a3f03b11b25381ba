import { sql } from '../../query/language/sql.ts'
import { countedList } from '../../query/lists/counted-list.ts'
import { integerColumn, list, textColumn } from '../../query/lists/list.ts'
import { activityByText, type SearchedSessionsInput } from '../../query/lists/session-data.ts'
import { eventsSearched, search, slices } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { query } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { aboutSessions, oneProperty, sessionFilters } from './selected.ts'

export const getSessionDataStats = report({
  ...aboutSessions('getSessionDataStats', 'session-data/stats', 'plan'),
  summary: 'Visits, views and events of sessions, by the current value of a text property; most active first.',
  query: query(range, slices, oneProperty, search(eventsSearched), sessionFilters),
  ...list({
    from: countedList({
      rows: (input: SearchedSessionsInput, scope) => ({ from: sql`from ${activityByText(input, scope)}` }),
      by: ['activity', 'label'],
      count: 'activity',
      searched: [],
    }),
    columns: {
      label: textColumn(sql`text`),
      activity: integerColumn(sql`sum(actions)`),
      sessions: integerColumn(sql`count()`),
      visits: integerColumn(sql`sum(visits)`),
      views: integerColumn(sql`sum(views)`),
      events: integerColumn(sql`sum(events)`),
    },
  }),
})
