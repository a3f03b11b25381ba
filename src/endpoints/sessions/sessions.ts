import { ofEvents } from '../../query/figures/figures.ts'
import type { Scope } from '../../query/language/scope.ts'
import { type Fragment, sql } from '../../query/language/sql.ts'
import {
  integerColumn,
  list,
  momentColumn,
  packedColumns,
  textColumn,
  textOrNullColumn,
  websiteIdColumn,
} from '../../query/lists/list.ts'
import {
  type ListedInput,
  lastAtItem,
  type OfSessions,
  pagesOfSessions,
  seenIdItem,
} from '../../query/lists/sessions.ts'
import { filters } from '../../request/filters.ts'
import { pages, search } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { query, requestMoment } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { inRange, pageView } from '../examples.ts'
import { attributes, lastSaid } from './attributes.ts'

/** The attributes of a session's last action. */
const last = packedColumns(lastSaid, attributes, true)

const columns = (distinctId: Fragment) => ({
  id: textColumn(seenIdItem),
  websiteId: websiteIdColumn,
  hostname: last.text('hostname'),
  browser: last.text('browser'),
  os: last.text('os'),
  device: last.text('device'),
  screen: last.text('screen'),
  language: last.text('language'),
  country: last.text('country'),
  region: last.text('region'),
  city: last.text('city'),
  distinctId: textOrNullColumn(distinctId),
  firstAt: momentColumn(sql`toUnixTimestamp64Milli(min(created_at))`),
  lastAt: momentColumn(lastAtItem),
  visits: integerColumn(ofEvents.visits),
  views: integerColumn(ofEvents.views),
  events: integerColumn(ofEvents.customEvents),
  createdAt: momentColumn(lastAtItem),
})

const lastDistinctId = sql`argMaxIf(distinct_id, (created_at, event_id), distinct_id != '')`

/** Pages of all sessions, or of those that meet a condition. Distinct ids are hidden from some readers. */
export function sessionList<Input extends ListedInput>(ofSessions?: OfSessions<Input>) {
  const from = pagesOfSessions(ofSessions)
  const shown = list({ from, columns: columns(lastDistinctId) })
  const hidden = list({ from, columns: columns(sql`''`) })
  return {
    ...shown,
    plan: (input: Parameters<typeof shown.plan>[0], scope: Scope) =>
      (scope.hidesDistinctIds ? hidden : shown).plan(input, scope),
  }
}

export const sessionSearch = search(
  'Part of the session’s distinct id, city, browser, system or device, ignoring case.',
)

export const getWebsiteSessions = report({
  name: 'getWebsiteSessions',
  path: '/api/websites/:websiteId/sessions',
  sections: ['sessions'],
  summary: 'Sessions with a view or a custom event, last seen first, paged.',
  example: { query: inRange, events: [pageView] },
  query: query(range, pages, sessionSearch, filters(), requestMoment),
  ...sessionList<ListedInput>(),
})
