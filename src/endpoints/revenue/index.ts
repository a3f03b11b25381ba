import type { Endpoint } from '../endpoint.ts'
import { getWebsiteRevenueChart } from './chart.ts'
import { getWebsiteRevenueCurrencies } from './currencies.ts'
import { getWebsiteRevenueMetrics } from './metrics.ts'
import { getWebsiteRevenueSessions } from './sessions.ts'
import { getWebsiteRevenueStats } from './stats.ts'

export const revenueEndpoints: readonly Endpoint[] = [
  getWebsiteRevenueStats,
  getWebsiteRevenueChart,
  getWebsiteRevenueMetrics,
  getWebsiteRevenueSessions,
  getWebsiteRevenueCurrencies,
]
