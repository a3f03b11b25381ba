import { all, type Fragment, sql } from './sql.ts'
import { customEventsWhere, eventDataWhere, needsEvent, type Selection } from './where.ts'

/**
 * Where property rows (`data_key`, `data_type`, `value`) of the selected events come from, as `from … where …`.
 * `event_data` holds them ready; a filter that needs the event's visit or its other properties unfolds
 * `custom_events` instead, which gives the same rows.
 */
export const propertyRows = (selection: Selection, ...conditions: readonly (Fragment | undefined)[]): Fragment =>
  needsEvent(selection)
    ? sql`from custom_events
      array join properties.key as data_key, properties.data_type as data_type, properties.value as value
      where ${all(customEventsWhere(selection), ...conditions)}`
    : sql`from event_data where ${all(eventDataWhere(selection), ...conditions)}`

/**
 * The selected events that have properties, counted by `shape`: `names`, `keys` and `types` are the event's name and
 * the names and data types of its properties, `events` how many events look like that.
 */
export const shapes = (selection: Selection): Fragment =>
  sql`(
    select
      JSONExtract(shape, 'Tuple(String, Array(String), Array(UInt8))') as parsed,
      parsed.1 as name, parsed.2 as keys, parsed.3 as types, events
    from (
      select shape, count() as events
      from custom_events
      where ${all(customEventsWhere(selection), sql`shape != ''`)}
      group by shape
    )
  )`
