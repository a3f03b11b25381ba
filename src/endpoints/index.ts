import type { Endpoint } from './endpoint.ts'
import * as eventData from './event-data.ts'
import * as events from './events.ts'
import * as health from './health.ts'
import * as websites from './websites.ts'

/** Everything the API offers. Fixed paths stand before those with an id in their place. */
export const endpoints: readonly Endpoint[] = [
  events.events,
  events.eventStats,
  eventData.eventData,
  eventData.eventDataEvents,
  eventData.eventDataFields,
  eventData.eventDataProperties,
  eventData.eventDataStats,
  eventData.eventDataValues,
  eventData.eventDataById,
  eventData.eventDataPivot,
  websites.listWebsites,
  websites.createWebsite,
  websites.getWebsite,
  websites.deleteWebsite,
  health.health,
]
