import * as z from 'zod'
import { paged, pagePlan } from '../query/paging.ts'
import { all, type Fragment, select, sql } from '../query/sql.ts'
import * as tables from '../query/tables.ts'
import { contains, searched } from '../query/text.ts'
import { isoSecond } from '../query/time.ts'
import { eventWhere } from '../query/where.ts'
import { filters } from '../request/filters.ts'
import { pages } from '../request/page.ts'
import { range } from '../request/period.ts'
import { query } from '../request/query-string.ts'
import { search } from '../request/search.ts'
import { pageOf } from './answers.ts'
import { report } from './endpoint.ts'
import { eventsSearched } from './events.ts'
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

type Held = Omit<z.infer<typeof PropertyArrays>, 'event_id' | 'event_name'>

const properties = (row: Held): z.infer<typeof Property>[] =>
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
  query: query(range, pages, search(eventsSearched), filters()),
  answer: pageOf(
    z.object({ websiteId: z.string(), eventId: z.string(), eventName: z.string(), eventProperties: z.array(Property) }),
  ),
  plan: ({ period, filters, page, search }, scope) =>
    pagePlan(PropertyArrays, propertyArrays, {
      what: 'custom events',
      selection: { scope, period, filters },
      shown: all(sql`shape != ''`, searched(search)),
      page,
      rollups: search === undefined ? 'rollups' : 'plain',
    }),
  shape: (found, { page, websiteId }) =>
    paged(page, found, (row) => ({
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
  query: query(search('Part of the event’s or a property’s name, or of a value, in any case.')),
  answer: z.array(
    Property.extend({
      websiteId: z.string(),
      sessionId: z.string(),
      eventId: z.string(),
      urlPath: z.string(),
      eventName: z.string(),
    }),
  ),
  plan: ({ eventId, search }, scope) => ({
    event: select(LookupRow)`
      select event_id, toUnixTimestamp64Milli(created_at) as created_ms, ${packedAnd(search)}
      from ${tables.eventDataById}
      where ${eventWhere(scope, eventId)}
      limit 1 settings max_threads = 1`,
  }),
  shape: ({ event }, { websiteId }) => ({
    body: event.rows.flatMap(({ event_id: eventId, created_ms, packed, found }) => {
      const [sessionId, eventName, urlPath, ...texts] = packed
      const rows = properties(unpacked(texts, created_ms)).map((property) => ({
        websiteId,
        sessionId: sessionId!,
        eventId,
        urlPath: urlPath!,
        eventName: eventName!,
        ...property,
      }))
      return found ? rows.filter((_, place) => isFound(found, place, eventName!)) : rows
    }),
  }),
})

const LookupRow = z.object({
  event_id: z.string(),
  created_ms: z.number(),
  packed: z.array(z.string()),
  /** Whether each text of `packed` contains what is looked for, where something is. */
  found: z.array(z.number()).optional(),
})

const packedAnd = (search: string | undefined): Fragment =>
  search === undefined ? sql`packed` : sql`packed, arrayMap(one -> ${contains(sql`one`, search)}, packed) as found`

/** By the event, which has a name or else a path, or by the property in this place: its key or its text. */
const isFound = (found: readonly number[], place: number, eventName: string): boolean =>
  [eventName === '' ? 2 : 1, 3 + 5 * place, 5 + 5 * place].some((index) => found[index] === 1)

/** Properties as `0005_event_data_by_id.sql` packs them: five texts each. */
function unpacked(texts: readonly string[], created_ms: number): Held {
  const every = (place: number) => texts.filter((_, index) => index % 5 === place)
  const numbers = (place: number) => every(place).map((text) => (text === '' ? null : Number(text)))
  return {
    created_ms,
    keys: every(0),
    types: every(1).map(Number),
    strings: every(2),
    numbers: numbers(3),
    dates: numbers(4),
  }
}
