import type { Endpoint } from '../endpoint.ts'
import { getWebsiteRevenueChart } from './chart.ts'
import { getWebsiteRevenueMetrics } from './metrics.ts'
import { getWebsiteRevenueStats } from './stats.ts'

export const revenueEndpoints: readonly Endpoint[] = [
  getWebsiteRevenueStats,
  getWebsiteRevenueChart,
  getWebsiteRevenueMetrics,
]
