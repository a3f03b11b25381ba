import * as z from 'zod'
import { after, counted, enough, located, newestFirst, paged } from '../query/paging.ts'
import { eventCount } from '../query/source.ts'
import { all, type Fragment, select, sql } from '../query/sql.ts'
import * as tables from '../query/tables.ts'
import { isoSecond } from '../query/time.ts'
import { customEventsWhere, eventWhere } from '../query/where.ts'
import { filters } from '../request/filters.ts'
import { pages } from '../request/page.ts'
import { range } from '../request/period.ts'
import { query } from '../request/query-string.ts'
import { pageOf } from './answers.ts'
import { report } from './endpoint.ts'
import { eventDataRows } from './exports.ts'

const Property = z.object({
  dataKey: z.string(),
  stringValue: z.string(),
  numberValue: z.number().nullable(),
  dateValue: z.string().nullable(),
  dataType: z.number().int(),
  createdAt: z.string(),
})

/** An event's properties as parallel arrays, as the tables hold them. */
const PropertyArrays = z.object({
  event_id: z.string(),
  event_name: z.string(),
  created_ms: z.number(),
  keys: z.array(z.string()),
  types: z.array(z.number()),
  strings: z.array(z.string()),
  numbers: z.array(z.number().nullable()),
  dates: z.array(z.number().nullable()),
})

const propertyArrays: Fragment = sql`
  event_id,
  event_name,
  toUnixTimestamp64Milli(created_at) as created_ms,
  properties.key as keys,
  properties.data_type as types,
  properties.string_value as strings,
  properties.number_value as numbers,
  arrayMap(date -> toUnixTimestamp64Milli(date), properties.date_value) as dates`

const properties = (row: z.infer<typeof PropertyArrays>): z.infer<typeof Property>[] =>
  row.keys.map((dataKey, index) => {
    const date = row.dates[index] ?? null
    return {
      dataKey,
      stringValue: row.strings[index]!,
      numberValue: row.numbers[index] ?? null,
      dateValue: date === null ? null : isoSecond(date),
      dataType: row.types[index]!,
      createdAt: isoSecond(row.created_ms),
    }
  })

export const eventData = report({
  name: 'getEventData',
  path: '/api/websites/:websiteId/event-data',
  section: 'events',
  summary: 'Events that have properties, each with all of them, newest first, paged.',
  query: query(range, pages, filters()),
  answer: pageOf(
    z.object({ websiteId: z.string(), eventId: z.string(), eventName: z.string(), eventProperties: z.array(Property) }),
  ),
  plan: ({ period, filters, page }, scope) => {
    const selection = { scope, period, filters }
    const hasData = sql`shape != ''`
    const where = all(customEventsWhere(selection), hasData)
    return {
      count: counted(eventCount(selection, 'custom events', hasData, enough(page))),
      rows: select(PropertyArrays)`
        select ${propertyArrays}
        from ${tables.customEvents}
        where ${all(where, after(page.cursor), located(tables.customEvents, where, selection, page))}
        ${newestFirst(page)}`,
    }
  },
  shape: ({ count, rows }, { page, websiteId }) =>
    paged(page, count.rows, rows.rows, (row) => ({
      websiteId,
      eventId: row.event_id,
      eventName: row.event_name,
      eventProperties: properties(row),
    })),
  export: eventDataRows,
})

export const eventDataById = report({
  name: 'getEventDataById',
  path: '/api/websites/:websiteId/event-data/:eventId',
  section: 'events',
  summary: 'The properties of one event; an empty list for an event that is unknown or has none.',
  query: query(),
  answer: z.array(
    Property.extend({
      websiteId: z.string(),
      sessionId: z.string(),
      eventId: z.string(),
      urlPath: z.string(),
      eventName: z.string(),
    }),
  ),
  plan: ({ eventId }, scope) => ({
    event: select(PropertyArrays.extend({ session_id: z.string(), url_path: z.string() }))`
      select ${propertyArrays}, session_id, url_path
      from ${tables.eventDataById}
      where ${eventWhere(scope, eventId)}
      limit 1`,
  }),
  shape: ({ event }, { websiteId }) => ({
    body: event.rows.flatMap((row) =>
      properties(row).map((property) => ({
        websiteId,
        sessionId: row.session_id,
        eventId: row.event_id,
        urlPath: row.url_path,
        eventName: row.event_name,
        ...property,
      })),
    ),
  }),
})
