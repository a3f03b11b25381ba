import type { Endpoint } from '../endpoint.ts'
import { getWebsiteEvents } from './events.ts'
import { getWebsiteEventSeries } from './series.ts'
import { getWebsiteEventStats } from './stats.ts'

export const eventEndpoints: readonly Endpoint[] = [getWebsiteEvents, getWebsiteEventStats, getWebsiteEventSeries]
