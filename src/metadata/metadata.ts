import type { D1Database } from '@cloudflare/workers-types'
import { annotations } from './annotations.ts'
import { audit } from './audit.ts'
import { boards } from './boards.ts'
import type { Credential } from './holder.ts'
import { identities } from './identities.ts'
import { imports } from './imports.ts'
import { apiKeys } from './keys.ts'
import { links } from './links.ts'
import { expireAll, forgetAll, lookUp, lookUpOnce, type Purpose, type SharedLookups } from './look-ups.ts'
import { replays } from './replays.ts'
import { reports } from './reports.ts'
import { segments } from './segments.ts'
import { sessions } from './sessions.ts'
import { shares } from './shares.ts'
import { signIns } from './sign-ins.ts'
import { type Later, type Sql, type Store, storeOf, type Watch } from './store.ts'
import { teamMembers } from './team-members.ts'
import { teams } from './teams.ts'
import { twoFactors } from './two-factors.ts'
import { users } from './users.ts'
import { websites } from './websites.ts'

export interface Metadata {
  readonly store: Store
  lookUp(credential: Credential | undefined, websiteId: string | undefined, purpose: Purpose): ReturnType<typeof lookUp>
  /** Whether this request has changed websites, links, pixels, boards or shares. */
  hasChangedSources(): boolean
  readonly annotations: ReturnType<typeof annotations>
  readonly audit: ReturnType<typeof audit>
  readonly boards: ReturnType<typeof boards>
  readonly identities: ReturnType<typeof identities>
  readonly imports: ReturnType<typeof imports>
  readonly keys: ReturnType<typeof apiKeys>
  readonly links: ReturnType<typeof links>
  readonly replays: ReturnType<typeof replays>
  readonly reports: ReturnType<typeof reports>
  readonly segments: ReturnType<typeof segments>
  readonly sessions: ReturnType<typeof sessions>
  readonly shares: ReturnType<typeof shares>
  readonly signIns: ReturnType<typeof signIns>
  readonly teamMembers: ReturnType<typeof teamMembers>
  readonly teams: ReturnType<typeof teams>
  readonly twoFactors: ReturnType<typeof twoFactors>
  readonly users: ReturnType<typeof users>
  readonly websites: ReturnType<typeof websites>
}

/**
 * Access to D1: one member for each kind of object. `now` is the time of the request. `watch` wraps each round trip.
 * `changed` runs after websites, links or pixels may have been created, changed or deleted. `later` keeps work alive
 * after the response.
 */
export const metadata = (
  database: D1Database,
  now: number,
  lookUps?: SharedLookups,
  watch?: Watch,
  changed: () => Promise<void> = async () => {},
  later?: Later,
): Metadata => {
  let hasChanged = false
  const after = {
    written: (statements: readonly Sql[]) => {
      forgetAll()
      hasChanged ||= statements.some(changesSources)
      return statements.some(changesWebsites) ? changed() : undefined
    },
    failed: () => expireAll(now),
  }
  const store = storeOf(database, now, after, watch, later)
  return {
    store,
    lookUp: (credential: Credential | undefined, websiteId: string | undefined, purpose: Purpose) =>
      lookUps && purpose !== 'change'
        ? lookUpOnce(lookUps, store, credential, websiteId, purpose)
        : lookUp(store, credential, websiteId, purpose),
    hasChangedSources: () => hasChanged,
    annotations: annotations(store),
    audit: audit(store),
    boards: boards(store),
    identities: identities(store),
    imports: imports(store),
    keys: apiKeys(store),
    links: links(store),
    replays: replays(store),
    reports: reports(store),
    segments: segments(store),
    sessions: sessions(store),
    shares: shares(store),
    signIns: signIns(store),
    teamMembers: teamMembers(store),
    teams: teams(store),
    twoFactors: twoFactors(store),
    users: users(store),
    websites: websites(store),
  }
}

/** Returns whether a query changes one of these tables. */
const changing = (...tables: readonly string[]) => {
  const pattern = new RegExp(`^\\s*(?:INSERT INTO|UPDATE|DELETE FROM) (?:${tables.join('|')})\\b`)
  return ([query]: Sql): boolean => pattern.test(query)
}

/** Websites, links and pixels are rows of the same table. */
const changesWebsites = changing('websites')

/** What can be open to the public. */
const changesSources = changing('websites', 'shares', 'boards', 'board_subjects')
