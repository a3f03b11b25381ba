import * as z from 'zod'
import { elements } from '../query/properties.ts'
import { ofShapes, type Shape } from '../query/shapes.ts'
import { properties } from '../query/source.ts'
import { all, count, type Fragment, type Result, select, small, sql, text } from '../query/sql.ts'
import { anyContains } from '../query/text.ts'
import { filters } from '../request/filters.ts'
import { type Slice, slices } from '../request/page.ts'
import { range } from '../request/period.ts'
import { dataTypes } from '../request/property-filters.ts'
import { freeText, group, query, required, wholeNumber } from '../request/query-string.ts'
import { search } from '../request/search.ts'
import { report } from './endpoint.ts'
import { eventsSearched } from './events.ts'
import { eventPropertyRows, eventPropertyTotalRows, propertyValueRows, valueRows } from './exports.ts'

/** The part of a bare list that was asked for, and how many rows the whole list has. */
const sliced = ({ limit, offset }: Slice): Fragment =>
  sql`limit ${count(limit)} offset ${count(offset)} settings exact_rows_before_limit = 1`

/** Nothing where there is no condition. */
const having = (...conditions: readonly (Fragment | undefined)[]): Fragment =>
  conditions.some((condition) => condition) ? sql`having ${all(...conditions)}` : sql``

/** Texts are compared by ClickHouse alone, so that a search finds the same everywhere. */
const unlessSearched = <Result>(search: string | undefined, result: Result): Result | undefined =>
  search === undefined ? result : undefined

const eventName = group({ eventName: freeText('Only events of exactly this name.') }, ({ eventName }) => ({
  eventName,
}))

const EventProperty = z.object({
  eventName: z.string(),
  propertyName: z.string(),
  dataType: z.number().int(),
  total: z.number().int(),
})

/** The properties of the events that look alike; `total` is how many there are of each. */
const propertiesOf = (shapes: readonly Shape[]): z.infer<typeof EventProperty>[] =>
  shapes.flatMap(({ eventName, keys, types, events }) =>
    keys.map((propertyName, place) => ({ eventName, propertyName, dataType: types[place]!, total: events })),
  )

/** Rows that differ in nothing but their total as one, ordered by these columns, the highest total first; and sliced. */
function added<Row extends { total: number }>(
  { limit, offset }: Slice,
  rows: readonly Row[],
  ...order: readonly (keyof Row)[]
): Result<Row> {
  const sums = new Map<string, Row>()
  for (const row of rows) {
    const id = JSON.stringify({ ...row, total: 0 })
    sums.set(id, { ...row, total: row.total + (sums.get(id)?.total ?? 0) })
  }
  const ordered = [...sums.values()].sort((one, other) => {
    const column = order.find((name) => one[name] !== other[name])
    return column && one[column] < other[column] === (column !== 'total') ? -1 : 1
  })
  return { rows: ordered.slice(offset, offset + limit), total: ordered.length }
}

export const eventDataEvents = report({
  name: 'getEventDataEvents',
  path: '/api/websites/:websiteId/event-data/events',
  section: 'events',
  summary: 'Counts of properties by event name, property name and data type.',
  query: query(range, slices, eventName, search('Part of an event’s or a property’s name, in any case.'), filters()),
  answer: z.array(EventProperty),
  plan: ({ period, filters, slice, eventName, search }, scope) => ({
    list: ofShapes(
      { scope, period, filters },
      { eventName },
      (shapes) => select(EventProperty)`
        select parsed.1 as eventName, propertyName, dataType, sum(events) as total
        from ${shapes}
        array join parsed.2 as propertyName, parsed.3 as dataType
        group by eventName, propertyName, dataType
        ${having(anyContains(search, sql`eventName`, sql`propertyName`))}
        order by eventName, propertyName, dataType
        ${sliced(slice)}`,
      unlessSearched(search, (shapes) => added(slice, propertiesOf(shapes), 'eventName', 'propertyName', 'dataType')),
    ),
  }),
  shape: ({ list }) => ({ body: [...list.rows], total: list.total }),
  export: eventPropertyRows,
})

const EventPropertyTotal = EventProperty.omit({ dataType: true })

export const eventDataProperties = report({
  name: 'getEventDataProperties',
  path: '/api/websites/:websiteId/event-data/properties',
  section: 'events',
  summary: 'Counts of properties by event name and property name.',
  query: query(range, slices, search('Part of an event’s or a property’s name, in any case.'), filters()),
  answer: z.array(EventPropertyTotal),
  plan: ({ period, filters, slice, search }, scope) => ({
    list: ofShapes(
      { scope, period, filters },
      {},
      (shapes) => select(EventPropertyTotal)`
        select parsed.1 as eventName, propertyName, sum(events) as total
        from ${shapes}
        array join parsed.2 as propertyName
        group by eventName, propertyName
        ${having(anyContains(search, sql`eventName`, sql`propertyName`))}
        order by eventName, total desc, propertyName
        ${sliced(slice)}`,
      unlessSearched(search, (shapes) => {
        const rows = propertiesOf(shapes).map(({ dataType, ...row }) => row)
        return added(slice, rows, 'eventName', 'total', 'propertyName')
      }),
    ),
  }),
  shape: ({ list }) => ({ body: [...list.rows], total: list.total }),
  export: eventPropertyTotalRows,
})

const Totals = z.object({ events: z.number().int(), properties: z.number().int(), records: z.number().int() })

export const eventDataStats = report({
  name: 'getEventDataStats',
  path: '/api/websites/:websiteId/event-data/stats',
  section: 'events',
  summary: 'How many events have properties, how many property names there are, and how many properties in all.',
  query: query(range, eventName, search(eventsSearched), filters()),
  answer: z.array(Totals),
  plan: ({ period, filters, eventName, search }, scope) => ({
    totals: ofShapes(
      { scope, period, filters },
      { eventName, search },
      (shapes) => select(Totals)`
        select
          sum(shapes.events) as events, uniqExactArray(parsed.2) as properties, sum(shapes.events * length(parsed.2)) as records
        from ${shapes} as shapes`,
      (shapes) => {
        const sum = (each: (shape: Shape) => number) => shapes.reduce((total, shape) => total + each(shape), 0)
        const properties = new Set(shapes.flatMap(({ keys }) => keys)).size
        const records = sum(({ events, keys }) => events * keys.length)
        return { rows: [{ events: sum(({ events }) => events), properties, records }], total: 1 }
      },
    ),
  }),
  shape: ({ totals }) => ({ body: [...totals.rows] }),
})

const PropertyValue = z.object({
  propertyName: z.string(),
  dataType: z.number().int(),
  value: z.string(),
  total: z.number().int(),
})

const eventNamed = (name: string | undefined): Fragment | undefined =>
  name === undefined ? undefined : sql`event_name = ${text(name)}`

export const eventDataFields = report({
  name: 'getEventDataFields',
  path: '/api/websites/:websiteId/event-data/fields',
  section: 'events',
  summary: 'Counts of values by property name and data type.',
  query: query(range, slices, eventName, search('Part of a property’s name or value, in any case.'), filters()),
  answer: z.array(PropertyValue),
  plan: ({ period, filters, slice, eventName, search }, scope) => ({
    list: select(PropertyValue)`
      select data_key as propertyName, data_type as dataType, value, sum(properties) as total
      from ${properties({ scope, period, filters }, [eventNamed(eventName)])}
      group by propertyName, dataType, value
      ${having(sql`total > 0`, anyContains(search, sql`propertyName`, sql`value`))}
      order by total desc, propertyName, value, dataType
      ${sliced(slice)}`,
  }),
  shape: ({ list }) => ({ body: [...list.rows], total: list.total }),
  export: propertyValueRows,
})

const ValueCount = z.object({ counted: z.string(), total: z.number().int() })

/** `event` and `eventName` are one parameter. */
const property = group(
  {
    event: freeText('Only events of exactly this name; over all events when left out.'),
    eventName: freeText('The same as event.'),
    propertyName: required(freeText('The property whose values are counted: exactly this name.')),
    dataType: wholeNumber(
      'Only properties of this type: 1 text, 2 number, 3 boolean, 4 date, 5 array, whose elements are counted.',
      {
        min: 1,
        max: 5,
      },
    ),
  },
  ({ event, eventName, propertyName = '', dataType }, report) => {
    if (event !== undefined && eventName !== undefined && event !== eventName) {
      report('eventName', 'event and eventName are one parameter; give one, or the same value twice.')
    }
    return { event: event ?? eventName, propertyName, dataType }
  },
)

export const eventDataValues = report({
  name: 'getEventDataValues',
  path: '/api/websites/:websiteId/event-data/values',
  section: 'events',
  summary: 'Counts of the values of one property.',
  query: query(range, slices, property, search('Part of a value, in any case.'), filters()),
  answer: z.array(z.object({ value: z.string(), total: z.number().int() })),
  plan: ({ period, filters, slice, event, propertyName, dataType, search }, scope) => {
    const rows = properties({ scope, period, filters }, [
      eventNamed(event),
      sql`data_key = ${text(propertyName)}`,
      dataType === undefined ? undefined : sql`data_type = ${small(dataType)}`,
    ])
    const values = dataType === dataTypes.array ? sql`arrayJoin(${elements(sql`value`)})` : sql`value`
    return {
      list: select(ValueCount)`
        select ${values} as counted, sum(properties) as total
        from ${rows}
        group by counted
        ${having(sql`total > 0`, anyContains(search, sql`counted`))}
        order by total desc, counted
        ${sliced(slice)}`,
    }
  },
  shape: ({ list }) => ({
    body: list.rows.map(({ counted, total }) => ({ value: counted, total })),
    total: list.total,
  }),
  export: valueRows,
})
