import type { Endpoint } from '../endpoint.ts'
import { events } from './events.ts'
import { eventStats } from './stats.ts'

export const eventEndpoints: readonly Endpoint[] = [events, eventStats]
