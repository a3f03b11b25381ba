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
 * Combinations of tables that answer several reports. Visit and session filters also read `events`. Next to a
 * table of counts, the plain table is read only for partial hours or days at the ends of the range.
 */
type Combinations = readonly (readonly Table[])[]

export const ofEvents: Combinations = [
  [customEvents],
  [customEvents, events],
  [customEvents, dailyShapes],
  [customEvents, monthlyShapes],
]

export const ofValues: Combinations = [[eventData], [eventData, monthlyValues], [customEvents], [customEvents, events]]
