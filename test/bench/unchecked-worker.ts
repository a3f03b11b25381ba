import { api } from '../../src/app.ts'
import { proceed } from '../../src/serve/index.ts'
import { readInput, refuseExcess } from '../../src/serve/input.ts'

/** A website record for the id in the path. It assumes that the website exists, and reads nothing. */
const websiteOf = (id: string) => ({
  id,
  name: '',
  domain: '',
  kind: 'website' as const,
  slug: null,
  url: null,
  passQuery: 'utm' as const,
  userId: null,
  teamId: null,
  createdBy: null,
  resetAt: null,
  replayConfig: null,
  public: null,
  shareId: null,
  cacheEpoch: 0,
  createdAt: 0,
  updatedAt: 0,
  deletedSessions: [],
})

/**
 * The Worker without its access check: it reads no credential, looks up nothing, checks no right and counts nothing.
 */
export default api(async (endpoint, exchange) => {
  refuseExcess(exchange.url)
  const { input, terms, returned } = await readInput(endpoint, exchange)
  const website = websiteOf(String(input.websiteId))
  const caller = { holder: undefined, website, knownUntil: Infinity, isAdmitted: true }
  return proceed({ endpoint, caller, input, returned, terms, grant: { kind: 'own' }, charge: async () => {} }, exchange)
})
