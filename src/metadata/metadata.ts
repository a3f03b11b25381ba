import type { D1Database } from '@cloudflare/workers-types'
import { annotations } from './annotations.ts'
import { boards } from './boards.ts'
import type { Credential } from './holder.ts'
import { apiKeys } from './keys.ts'
import { links } from './links.ts'
import { forgetAll, lookUp, lookUpOnce, type SharedLookups } from './look-ups.ts'
import { reports } from './reports.ts'
import { segments } from './segments.ts'
import { sessions } from './sessions.ts'
import { shares } from './shares.ts'
import { storeOf, type Watch } from './store.ts'
import { teamMembers } from './team-members.ts'
import { teams } from './teams.ts'
import { users } from './users.ts'
import { websites } from './websites.ts'

export type Metadata = ReturnType<typeof metadata>

/**
 * Access to D1: one member for each family of rows. `now` is the time of the request. `watch` makes each round trip.
 */
export const metadata = (database: D1Database, now: number, lookUps?: SharedLookups, watch?: Watch) => {
  const store = storeOf(database, now, forgetAll, watch)
  return {
    store,
    lookUp: (credential: Credential | undefined, websiteId: string | undefined, afresh = false) =>
      lookUps && !afresh
        ? lookUpOnce(lookUps, database, now, credential, websiteId, watch)
        : lookUp(database, now, credential, websiteId, afresh, watch),
    annotations: annotations(store),
    boards: boards(store),
    keys: apiKeys(store),
    links: links(store),
    reports: reports(store),
    segments: segments(store),
    sessions: sessions(store),
    shares: shares(store),
    teamMembers: teamMembers(store),
    teams: teams(store),
    users: users(store),
    websites: websites(store),
  }
}
