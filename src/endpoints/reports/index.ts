import type { Endpoint } from '../endpoint.ts'
import { getUtmReport, getWebsiteUtmMetrics } from './utm.ts'

export const reportEndpoints: readonly Endpoint[] = [getWebsiteUtmMetrics, getUtmReport]
