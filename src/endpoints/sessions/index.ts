import type { Endpoint } from '../endpoint.ts'
import { getWebsiteSessionActivity } from './activity.ts'
import { deleteWebsiteSession } from './delete.ts'
import { getWebsiteSessionProperties } from './properties.ts'
import { getWebsiteSession } from './session.ts'
import { getWebsiteSessions } from './sessions.ts'
import { getWebsiteSessionStats } from './stats.ts'
import { getWebsiteSessionsWeekly } from './weekly.ts'

export const sessionEndpoints: readonly Endpoint[] = [
  getWebsiteSessions,
  getWebsiteSessionStats,
  getWebsiteSessionsWeekly,
  getWebsiteSession,
  getWebsiteSessionActivity,
  getWebsiteSessionProperties,
  deleteWebsiteSession,
]
