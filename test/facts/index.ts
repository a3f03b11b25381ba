import type { AnyReport, Endpoint } from '../../src/endpoints/endpoint.ts'
import { families } from '../../src/endpoints/index.ts'
import { annotationsFacts } from './annotations.ts'
import { authFacts } from './auth.ts'
import { boardsFacts } from './boards.ts'
import { eventDataFacts } from './event-data.ts'
import { eventsFacts } from './events.ts'
import type { FactsByName, ReportFacts } from './facts.ts'
import { heatmapsFacts } from './heatmaps.ts'
import { identitiesFacts } from './identities.ts'
import { linksFacts } from './links.ts'
import { meFacts } from './me.ts'
import { peopleFacts } from './people.ts'
import { realtimeFacts } from './realtime.ts'
import { replaysFacts } from './replays.ts'
import { reportsFacts } from './reports.ts'
import { revenueFacts } from './revenue.ts'
import { savedReportsFacts } from './saved-reports.ts'
import { segmentsFacts } from './segments.ts'
import { serverFacts } from './server.ts'
import { sessionDataFacts } from './session-data.ts'
import { sessionsFacts } from './sessions.ts'
import { sharesFacts } from './shares.ts'
import { statisticsFacts } from './statistics.ts'
import { teamsFacts } from './teams.ts'
import { twoFactorsFacts } from './two-factors.ts'
import { usersFacts } from './users.ts'
import { websitesFacts } from './websites.ts'

/** The facts about each endpoint, by the file below `test/facts` for its family. */
const byFile: Readonly<Record<string, FactsByName>> = {
  ...{ annotations: annotationsFacts, auth: authFacts, boards: boardsFacts, 'event-data': eventDataFacts },
  ...{
    events: eventsFacts,
    heatmaps: heatmapsFacts,
    links: linksFacts,
    me: meFacts,
    people: peopleFacts,
    realtime: realtimeFacts,
  },
  ...{ replays: replaysFacts, reports: reportsFacts, revenue: revenueFacts, 'saved-reports': savedReportsFacts },
  ...{ segments: segmentsFacts, server: serverFacts, 'session-data': sessionDataFacts, sessions: sessionsFacts },
  ...{ shares: sharesFacts, statistics: statisticsFacts, teams: teamsFacts, users: usersFacts },
  ...{ identities: identitiesFacts, 'two-factors': twoFactorsFacts, websites: websitesFacts },
}

/** The same facts by endpoint name. `test/facts/facts.test.ts` compares the names with the list. */
export const facts: FactsByName = Object.assign({}, ...Object.values(byFile))

/** The file for an endpoint's facts, which is that of its family. */
export function factsFileOf(name: string): string {
  const others = families.find(({ endpoints }) => endpoints.some((one) => one.name === name))?.endpoints ?? []
  const [file] = Object.entries(byFile).find(([, its]) => others.some((one) => one.name in its)) ?? ['<family>']
  return `test/facts/${file}.ts`
}

/** The facts about an endpoint. */
export function factsOf({ name }: Pick<Endpoint, 'name'>): ReportFacts {
  const found = facts[name]
  if (!found) throw new Error(`${name} has no facts: add them to ${factsFileOf(name)}. See docs/tests.md.`)
  return found
}

/** The facts about a report. Missing facts come from the report that `like` specifies. */
export function wholeFactsOf(report: Pick<AnyReport, 'name'>): ReportFacts {
  const own = factsOf(report)
  return own.like === undefined ? own : { ...wholeFactsOf({ name: own.like }), ...own }
}
