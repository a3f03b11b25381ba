import type { Endpoint } from '../endpoint.ts'
import { getRealtime } from './realtime.ts'

export const realtimeEndpoints: readonly Endpoint[] = [getRealtime]
