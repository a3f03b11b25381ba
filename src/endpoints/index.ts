import type { Endpoint } from './endpoint.ts'
import * as eventData from './event-data.ts'
import * as counts from './event-data-counts.ts'
import * as pivot from './event-data-pivot.ts'
import * as events from './events.ts'
import * as health from './health.ts'
import * as websites from './websites.ts'

/** Everything the API offers. Fixed paths stand before those with an id in their place. */
export const endpoints: readonly Endpoint[] = [
  events.events,
  events.eventStats,
  eventData.eventData,
  counts.eventDataEvents,
  counts.eventDataFields,
  counts.eventDataProperties,
  counts.eventDataStats,
  counts.eventDataValues,
  eventData.eventDataById,
  pivot.eventDataPivot,
  websites.listWebsites,
  websites.createWebsite,
  websites.getWebsite,
  websites.deleteWebsite,
  health.health,
]
