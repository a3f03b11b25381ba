import { annotationEndpoints } from './annotations/index.ts'
import { authEndpoints } from './auth/index.ts'
import { boardEndpoints } from './boards/index.ts'
import type { Endpoint } from './endpoint.ts'
import { eventDataEndpoints } from './event-data/index.ts'
import { eventEndpoints } from './events/index.ts'
import { linkEndpoints } from './links/index.ts'
import { myEndpoints } from './me/index.ts'
import { realtimeEndpoints } from './realtime/index.ts'
import { reportEndpoints } from './reports/index.ts'
import { revenueEndpoints } from './revenue/index.ts'
import { savedReportEndpoints } from './saved-reports/index.ts'
import { segmentEndpoints } from './segments/index.ts'
import { serverEndpoints } from './server/index.ts'
import { readEndpoint } from './server/read.ts'
import { sessionDataEndpoints } from './session-data/index.ts'
import { sessionEndpoints } from './sessions/index.ts'
import { shareEndpoints } from './shares/index.ts'
import { statisticsEndpoints } from './statistics/index.ts'
import { teamEndpoints } from './teams/index.ts'
import { userEndpoints } from './users/index.ts'
import { websiteEndpoints } from './websites/index.ts'

/** The families of endpoints. In each, fixed paths come before paths with an id in the same place. */
const others: readonly Endpoint[] = [
  ...eventEndpoints,
  ...eventDataEndpoints,
  ...sessionDataEndpoints,
  ...statisticsEndpoints,
  ...realtimeEndpoints,
  ...reportEndpoints,
  ...revenueEndpoints,
  ...sessionEndpoints,
  ...savedReportEndpoints,
  ...websiteEndpoints,
  ...linkEndpoints,
  ...boardEndpoints,
  ...annotationEndpoints,
  ...segmentEndpoints,
  ...shareEndpoints,
  ...teamEndpoints,
  ...userEndpoints,
  ...myEndpoints,
  ...authEndpoints,
  ...serverEndpoints,
]

const read = readEndpoint(others)

/** Every endpoint of the API. */
export const endpoints: readonly Endpoint[] = [...others, read]
