import { annotationEndpoints } from './annotations/index.ts'
import { authEndpoints } from './auth/index.ts'
import { boardEndpoints } from './boards/index.ts'
import type { Endpoint } from './endpoint.ts'
import { eventDataEndpoints } from './event-data/index.ts'
import { eventEndpoints } from './events/index.ts'
import { heatmapEndpoints } from './heatmaps/index.ts'
import { identityEndpoints } from './identities/index.ts'
import { linkEndpoints } from './links/index.ts'
import { myEndpoints } from './me/index.ts'
import { peopleEndpoints } from './people/index.ts'
import { realtimeEndpoints } from './realtime/index.ts'
import { replayEndpoints } from './replays/index.ts'
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
import { twoFactorEndpoints } from './two-factors/index.ts'
import { userEndpoints } from './users/index.ts'
import { websiteEndpoints } from './websites/index.ts'

/** Endpoints that belong together: a tag of the OpenAPI document. */
export interface EndpointFamily {
  readonly name: string
  readonly description: string
  readonly endpoints: readonly Endpoint[]
}

/** In each family, fixed paths come before paths with an id in the same place. */
const othersByFamily: readonly EndpointFamily[] = [
  { name: 'Events', description: 'Events of a website: lists, totals, series.', endpoints: eventEndpoints },
  { name: 'Event data', description: 'The properties of events.', endpoints: eventDataEndpoints },
  {
    name: 'Session data',
    description: 'The properties that identify calls gave to sessions.',
    endpoints: sessionDataEndpoints,
  },
  {
    name: 'Statistics',
    description: 'Views, visitors and visits, in total, over time, and by their values.',
    endpoints: statisticsEndpoints,
  },
  { name: 'Realtime', description: 'The last half hour.', endpoints: realtimeEndpoints },
  {
    name: 'Reports',
    description: 'Goals, funnels, journeys, retention, attribution, breakdowns, campaigns and web vitals.',
    endpoints: reportEndpoints,
  },
  { name: 'Revenue', description: 'Sales in a currency.', endpoints: revenueEndpoints },
  { name: 'Sessions', description: 'Sessions of a website, and the actions of each.', endpoints: sessionEndpoints },
  { name: 'People', description: 'Export and deletion of all data about one person.', endpoints: peopleEndpoints },
  {
    name: 'Replays',
    description: 'Recorded visits, which can be played, saved and marked as seen.',
    endpoints: replayEndpoints,
  },
  { name: 'Heatmaps', description: 'Where visitors clicked, and how far they scrolled.', endpoints: heatmapEndpoints },
  {
    name: 'Saved reports',
    description: 'Reports, funnels and goals that are saved under a name.',
    endpoints: savedReportEndpoints,
  },
  { name: 'Websites', description: 'Websites and their owners.', endpoints: websiteEndpoints },
  { name: 'Links and pixels', description: 'Short links and pixels that count hits.', endpoints: linkEndpoints },
  { name: 'Boards', description: 'Boards, and the dashboard of a user.', endpoints: boardEndpoints },
  { name: 'Annotations', description: 'Notes on dates of a website.', endpoints: annotationEndpoints },
  { name: 'Segments', description: 'Saved filters, and cohorts of sessions.', endpoints: segmentEndpoints },
  {
    name: 'Shares',
    description: 'Links that open parts of the statistics to whoever has them.',
    endpoints: shareEndpoints,
  },
  { name: 'Teams', description: 'Teams and their members.', endpoints: teamEndpoints },
  { name: 'Users', description: 'Users; for admins.', endpoints: userEndpoints },
  { name: 'Me', description: 'The caller: credential, password, API keys.', endpoints: myEndpoints },
  { name: 'Sign-in', description: 'Signing in and out.', endpoints: authEndpoints },
  {
    name: 'Two factors',
    description: 'The second factor of a sign-in, and who must have one.',
    endpoints: twoFactorEndpoints,
  },
  { name: 'Identities', description: 'Users’ identities at OpenID Connect issuers.', endpoints: identityEndpoints },
  {
    name: 'Server',
    description: 'Health, configuration, and several reads in one request.',
    endpoints: serverEndpoints,
  },
]

const read = readEndpoint(othersByFamily.flatMap((family) => family.endpoints))

/** The families of endpoints. The batch endpoint is built from all other endpoints, so it comes last. */
export const families: readonly EndpointFamily[] = othersByFamily.map((family) =>
  family.endpoints === serverEndpoints ? { ...family, endpoints: [...serverEndpoints, read] } : family,
)

/** Every endpoint of the API. */
export const endpoints: readonly Endpoint[] = families.flatMap((family) => family.endpoints)
