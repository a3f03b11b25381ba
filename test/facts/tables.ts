import {
  customEvents,
  dailyShapes,
  eventData,
  events,
  monthlyShapes,
  monthlyValues,
  type Table,
} from '../../src/query/tables/tables.ts'

/**
 * Combinations of tables that answer several reports. Filters on a visit or a session read `events` as well. Beside a
 * table of counts, the plain one is read only for partial hours or days at the ends of the range.
 */
type Combinations = readonly (readonly Table[])[]

export const ofEvents: Combinations = [
  [customEvents],
  [customEvents, events],
  [customEvents, dailyShapes],
  [customEvents, monthlyShapes],
]

export const ofValues: Combinations = [[eventData], [eventData, monthlyValues], [customEvents], [customEvents, events]]
