import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { namesFor } from '../facts/oracle-of.ts'
import { eventOracle } from '../facts/oracles.ts'
import { requestsTo } from '../oracle/generate-requests.ts'
import type { Endpoint, IngestRow, OracleRequest } from '../oracle/model.ts'
import { requestPath } from '../oracle/request-path.ts'
import { type CachedWorker, cachedWorker } from '../support/cached.ts'
import { runs } from '../support/long.ts'
import { get } from '../support/weir.ts'
import { agreesInWorlds } from '../support/worlds.ts'

let worker: CachedWorker
beforeAll(async () => {
  worker = await cachedWorker()
})
afterAll(() => worker.close())

async function equal(_rows: readonly IngestRow[], request: OracleRequest<Endpoint>): Promise<void> {
  // Segment and cohort filters are dropped, because these ids do not exist.
  const query = request.query.filter(([name, value]) => !/segment|cohort/.test(name + value))
  const path = requestPath({ ...request, query })
  const [plain, first, again] = [await get(path), await worker.ask(path), await worker.ask(path)]
  for (const { status, text, headers } of [first, again]) {
    expect([path, status, JSON.parse(text)]).toEqual([path, plain.status, plain.body])
    for (const name of ['x-total-count', 'etag']) expect(headers.get(name)).toBe(plain.headers.get(name))
  }
  expect([path, again.cache]).toEqual([path, 'HIT'])
}

describe('a cached answer', () => {
  it.each(namesFor<Endpoint>(eventOracle))('equals the uncached answer: %s', async (endpoint) => {
    const extent = { numRuns: runs(1, 2), asked: runs(1, 8) }
    await agreesInWorlds((world) => requestsTo(world, endpoint), extent, { ask: equal })
  })
})
