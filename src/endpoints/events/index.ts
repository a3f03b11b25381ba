import type { Endpoint } from '../endpoint.ts'
import { getWebsiteEvents } from './events.ts'
import { getWebsiteEventStats } from './stats.ts'

export const eventEndpoints: readonly Endpoint[] = [getWebsiteEvents, getWebsiteEventStats]
