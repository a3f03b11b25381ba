import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import { alias, aliasName, type Fragment, sql } from '../../query/language/sql.ts'
import {
  isoSecondOf,
  list,
  type NamedColumn,
  type SelectItem,
  textColumn,
  websiteIdColumn,
} from '../../query/lists/list.ts'
import { createdAtItem, eventIdItem, eventPages } from '../../query/lists/paging.ts'
import { filters } from '../../request/filters.ts'
import { eventsSearched, pages, search } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { query } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { inRange, purchase } from '../examples.ts'
import { Property, propertiesOf, type StoredProperties } from './property.ts'

const selectItem = (name: string, expression: Fragment, row: () => z.ZodType): SelectItem => ({ name, expression, row })

/** The properties of an event as parallel arrays, as the table stores them. */
const propertyKeys = selectItem('keys', sql`properties.key`, () => z.array(z.string()))
const propertyTypes = selectItem('types', sql`properties.data_type`, () => z.array(z.number()))
const propertyStrings = selectItem('strings', sql`properties.string_value`, () => z.array(z.string()))
const propertyNumbers = selectItem('numbers', sql`properties.number_value`, () => z.array(z.number().nullable()))
const propertyDates = selectItem(
  'dates',
  sql`arrayMap(date -> toUnixTimestamp64Milli(date), properties.date_value)`,
  () => z.array(z.number().nullable()),
)

const PropertyTuple = sql`Tuple(
  dataKey String, stringValue String, numberValue Nullable(Decimal(22, 4)), dateValue Nullable(String), dataType UInt8,
  createdAt String)`

const aliasOf = ({ name }: SelectItem): Fragment => alias(name)

const eventProperties: NamedColumn<ValueOf<typeof Property>[]> = () => ({
  reads: [createdAtItem, propertyKeys, propertyTypes, propertyStrings, propertyNumbers, propertyDates],
  schema: () => z.array(Property()),
  value(row) {
    const stored = ({ name }: SelectItem) => row[aliasName(name)]
    return propertiesOf({
      created_ms: stored(createdAtItem),
      keys: stored(propertyKeys),
      types: stored(propertyTypes),
      strings: stored(propertyStrings),
      numbers: stored(propertyNumbers),
      dates: stored(propertyDates),
    } as StoredProperties)
  },
  exported: ({ nested }) => {
    const date = sql`if(isNull(date), null, ${isoSecondOf(sql`assumeNotNull(date)`)})`
    const property = sql`cast((key, string, number, ${date}, type, ${isoSecondOf(aliasOf(createdAtItem))}) as ${PropertyTuple})`
    return nested(sql`arrayMap(
      (key, type, string, number, date) -> ${property},
      ${aliasOf(propertyKeys)}, ${aliasOf(propertyTypes)}, ${aliasOf(propertyStrings)}, ${aliasOf(propertyNumbers)}, ${aliasOf(propertyDates)})`)
  },
})

export const getEventData = report({
  name: 'getEventData',
  path: '/api/websites/:websiteId/event-data',
  sections: ['events'],
  summary: 'Events with properties, and all their properties, newest first, paged.',
  example: { query: inRange, events: [purchase] },
  query: query(range, pages, search(eventsSearched), filters()),
  ...list({
    from: eventPages<object>({ kind: 'custom events', condition: () => sql`shape != ''` }),
    columns: {
      websiteId: websiteIdColumn,
      eventId: textColumn(eventIdItem),
      eventName: textColumn(sql`event_name`),
      eventProperties,
    },
  }),
})
