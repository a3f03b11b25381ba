import type { Endpoint } from '../endpoint.ts'
import { eventDataById } from './by-id.ts'
import { eventData } from './event-data.ts'
import { eventDataEvents } from './events.ts'
import { eventDataFields } from './fields.ts'
import { eventDataPivot } from './pivot.ts'
import { eventDataProperties } from './properties.ts'
import { eventDataStats } from './stats.ts'
import { eventDataValues } from './values.ts'

export const eventDataEndpoints: readonly Endpoint[] = [
  eventData,
  eventDataEvents,
  eventDataFields,
  eventDataProperties,
  eventDataStats,
  eventDataValues,
  eventDataById,
  eventDataPivot,
]
