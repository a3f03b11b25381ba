import * as z from 'zod'
import { paged, pagePlan } from '../query/paging.ts'
import { all, sql, text } from '../query/sql.ts'
import { searched } from '../query/text.ts'
import { isoSecond } from '../query/time.ts'
import { filters } from '../request/filters.ts'
import { pages } from '../request/page.ts'
import { range } from '../request/period.ts'
import { freeText, group, query, required } from '../request/query-string.ts'
import { search } from '../request/search.ts'
import { pageOf } from './answers.ts'
import { report } from './endpoint.ts'
import { eventsSearched } from './events.ts'
import { pivotRows } from './exports.ts'

const PivotRow = z.object({
  event_id: z.string(),
  session_id: z.string(),
  event_name: z.string(),
  url_path: z.string(),
  created_ms: z.number(),
  keys: z.array(z.string()),
  values: z.array(z.string()),
})

const pivotColumns = sql`
  event_id, session_id, event_name, url_path, toUnixTimestamp64Milli(created_at) as created_ms,
  properties.key as keys, properties.value as values`

export const eventDataPivot = report({
  name: 'getEventDataPivot',
  path: '/api/websites/:websiteId/event-data-pivot',
  section: 'events',
  summary:
    'Events of one name that have properties, one row each with the properties as parallel arrays, newest first, paged.',
  query: query(
    range,
    pages,
    group({ eventName: required(freeText('Only events of exactly this name.')) }, ({ eventName = '' }) => ({
      eventName,
    })),
    search(eventsSearched),
    filters({ shorthand: true }),
  ),
  answer: pageOf(
    z.object({
      eventId: z.string(),
      sessionId: z.string(),
      eventName: z.string(),
      urlPath: z.string(),
      createdAt: z.string(),
      propertyKeys: z.array(z.string()),
      propertyValues: z.array(z.string()),
    }),
  ),
  plan: ({ period, filters, page, eventName, search }, scope) =>
    pagePlan(PivotRow, pivotColumns, {
      what: 'custom events',
      selection: { scope, period, filters },
      shown: all(sql`event_name = ${text(eventName)}`, sql`shape != ''`, searched(search)),
      page,
      rollups: search === undefined ? 'rollups' : 'plain',
    }),
  shape: (found, { page }) =>
    paged(page, found, (row) => ({
      eventId: row.event_id,
      sessionId: row.session_id,
      eventName: row.event_name,
      urlPath: row.url_path,
      createdAt: isoSecond(row.created_ms),
      propertyKeys: row.keys,
      propertyValues: row.values,
    })),
  export: pivotRows,
})
