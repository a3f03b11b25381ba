import type { Endpoint } from '../endpoint.ts'
import { health, ready } from './health.ts'

export const serverEndpoints: readonly Endpoint[] = [health, ready]
