import type { Tool } from '../tool.ts'
import { getAnnotationsTool } from './annotations.ts'
import { getEventPropertiesTool } from './event-properties.ts'
import { getEventSeriesTool } from './event-series.ts'
import { getEventStatsTool } from './event-stats.ts'
import { getEventsTool } from './events.ts'
import { getGoalsTool } from './goals.ts'
import { listFunnelsTool } from './list-funnels.ts'
import { listSegmentsTool } from './list-segments.ts'
import { listWebsitesTool } from './list-websites.ts'
import { getPerformanceTool } from './performance.ts'
import { getRealtimeTool } from './realtime.ts'
import { getRevenueTool } from './revenue.ts'
import { runAttributionTool } from './run-attribution.ts'
import { runFunnelTool } from './run-funnel.ts'
import { runJourneyTool } from './run-journey.ts'
import { runRetentionTool } from './run-retention.ts'
import { getSessionTool } from './session.ts'
import { getSessionStatsTool } from './session-stats.ts'
import { getSessionsTool } from './sessions.ts'
import { getWebsiteDaterangeTool } from './website-daterange.ts'
import { getWebsiteMetricsTool } from './website-metrics.ts'
import { getWebsiteStatsTool } from './website-stats.ts'
import { getWebsiteTrafficTool } from './website-traffic.ts'

/** Every tool, in the order of `tools/list`. */
export const tools: readonly Tool[] = [
  ...[
    listWebsitesTool,
    getWebsiteDaterangeTool,
    getWebsiteStatsTool,
    getWebsiteTrafficTool,
    getWebsiteMetricsTool,
    getRealtimeTool,
  ],
  ...[
    getEventsTool,
    getEventStatsTool,
    getEventSeriesTool,
    getEventPropertiesTool,
    getSessionsTool,
    getSessionStatsTool,
    getSessionTool,
  ],
  ...[
    getAnnotationsTool,
    listSegmentsTool,
    listFunnelsTool,
    runFunnelTool,
    getGoalsTool,
    runJourneyTool,
    runRetentionTool,
    runAttributionTool,
  ],
  ...[getRevenueTool, getPerformanceTool],
]
