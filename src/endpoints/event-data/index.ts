import type { Endpoint } from '../endpoint.ts'
import { getEventDataById } from './by-id.ts'
import { getEventData } from './event-data.ts'
import { getEventDataEvents } from './events.ts'
import { getEventDataFields } from './fields.ts'
import { getEventDataPivot } from './pivot.ts'
import { getEventDataProperties } from './properties.ts'
import {
  getEventDataArraySeries,
  getEventDataDateSeries,
  getEventDataNumericSeries,
  getEventDataNumericStats,
  getEventDataPropertySeries,
} from './series.ts'
import { getEventDataStats } from './stats.ts'
import { getEventDataValues } from './values.ts'

export const eventDataEndpoints: readonly Endpoint[] = [
  getEventData,
  getEventDataEvents,
  getEventDataFields,
  getEventDataProperties,
  getEventDataStats,
  getEventDataValues,
  getEventDataById,
  getEventDataPivot,
  getEventDataPropertySeries,
  getEventDataArraySeries,
  getEventDataDateSeries,
  getEventDataNumericSeries,
  getEventDataNumericStats,
]
