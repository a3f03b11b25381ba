import type { D1Database } from '@cloudflare/workers-types'
import { type Credential, forgetAll, lookUp } from './lookup.ts'
import { store as storeOf } from './store.ts'
import { websites } from './websites.ts'

export type Metadata = ReturnType<typeof metadata>

/** Users, teams, websites and the doors to them, kept in D1. `now` is the moment of the request. */
export const metadata = (database: D1Database, now: number) => {
  const store = storeOf(database, now, forgetAll)
  return {
    store,
    lookUp: (credential: Credential | undefined, websiteId: string | undefined) =>
      lookUp(database, now, credential, websiteId),
    websites: websites(store),
  }
}
