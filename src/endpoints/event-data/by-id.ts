import * as z from 'zod'
import { atMost } from '../../query/language/order.ts'
import { type Fragment, sql, uuid } from '../../query/language/sql.ts'
import { select } from '../../query/language/statement.ts'
import { contains } from '../../query/language/text.ts'
import { one } from '../../query/tables/rows.ts'
import { eventDataById } from '../../query/tables/tables.ts'
import { search } from '../../request/page.ts'
import { query } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { purchase } from '../examples.ts'
import { Property, propertiesOf, type StoredProperties } from './property.ts'

export const getEventDataById = report({
  name: 'getEventDataById',
  path: '/api/websites/:websiteId/event-data/:eventId',
  sections: ['events'],
  summary: 'The properties of one event. The list is empty if the event is unknown or has no properties.',
  example: { query: {}, events: [purchase], ids: { eventId: purchase.event_id } },
  query: query(search('Part of the event’s or a property’s name, or of a value, ignoring case.')),
  answer: () =>
    z.array(
      Property().extend({
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
      ${one(eventDataById, scope, { eventId: uuid(eventId) })}
      ${atMost(1)} settings max_threads = 1`,
  }),
  shape: ({ event }, { websiteId }) => ({
    body: event.rows.flatMap(({ event_id: eventId, created_ms, packed, found }) => {
      const [sessionId, eventName, urlPath, ...texts] = packed
      const properties = propertiesOf(unpacked(texts, created_ms)).map((property) => ({
        websiteId,
        sessionId: sessionId!,
        eventId,
        urlPath: urlPath!,
        eventName: eventName!,
        ...property,
      }))
      return found ? properties.filter((_, place) => isFound(found, place, eventName!)) : properties
    }),
  }),
})

const LookupRow = () =>
  z.object({
    event_id: z.string(),
    created_ms: z.number(),
    packed: z.array(z.string()),
    /** With a search, a flag for each text of `packed`: 1 if it contains the search text. */
    found: z.array(z.number()).optional(),
  })

const packedAnd = (search: string | undefined): Fragment =>
  search === undefined ? sql`packed` : sql`packed, arrayMap(one -> ${contains(sql`one`, search)}, packed) as found`

/** Whether the search matches the event's name (its path if it has no name), or the property's key or text. */
const isFound = (found: readonly number[], place: number, eventName: string): boolean =>
  [eventName === '' ? 2 : 1, 3 + 5 * place, 5 + 5 * place].some((index) => found[index] === 1)

/** Unpacks properties: five texts each, as `0003_custom_events.sql` packs them. */
function unpacked(texts: readonly string[], created_ms: number): StoredProperties {
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
