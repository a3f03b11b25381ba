import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { namesFor } from '../facts/oracle-of.ts'
import { eventOracle } from '../facts/oracles.ts'
import { requestPath } from '../oracle/generate.ts'
import { requestsTo } from '../oracle/generate-requests.ts'
import { worlds } from '../oracle/generate-world.ts'
import type { Endpoint, IngestRow } from '../oracle/model.ts'
import { type CachedWorker, cachedWorker } from '../support/cached.ts'
import { forEach } from '../support/concurrently.ts'
import { runs } from '../support/long.ts'
import { websiteOf } from '../support/people.ts'
import { get, ingest } from '../support/weir.ts'
import { seedOnly } from '../support/worlds.ts'

let worker: CachedWorker
beforeAll(async () => {
  worker = await cachedWorker()
})
afterAll(() => worker.close())

const asked = runs(2, 8)

describe('a cached answer', () => {
  it.each(namesFor<Endpoint>(eventOracle))('equals the answer without a cache: %s', async (endpoint) => {
    const questions = worlds.chain((world) =>
      fc.record({
        world: fc.constant(world),
        requests: fc.array(requestsTo(world, endpoint), { minLength: asked, maxLength: asked, size: 'max' }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(questions, async ({ world, requests }) => {
        const ids = new Map<string, Promise<string>>()
        const relocated = (id: string): Promise<string> => {
          const known = ids.get(id.toLowerCase()) ?? websiteOf()
          ids.set(id.toLowerCase(), known)
          return known
        }
        const moved = async (row: IngestRow) => ({ ...row, website_id: await relocated(row.website_id) })
        const rows = await Promise.all(world.rows.map(moved))
        if (rows.length > 0) await ingest(rows)
        await forEach(requests, async (request) => {
          // Saved filters are looked up by id, and these ids do not exist.
          const query = request.query.filter(([name, value]) => !/segment|cohort/.test(name + value))
          const path = requestPath({ ...request, query, websiteId: await relocated(request.websiteId) })
          const [plain, first, again] = [await get(path), await worker.ask(path), await worker.ask(path)]
          for (const { status, text, headers } of [first, again]) {
            expect([path, status, JSON.parse(text)]).toEqual([path, plain.status, plain.body])
            for (const name of ['x-total-count', 'etag']) expect(headers.get(name)).toBe(plain.headers.get(name))
          }
          expect([path, again.cache]).toEqual([path, 'HIT'])
        })
      }),
      { numRuns: runs(1, 2), endOnFailure: true, asyncReporter: seedOnly },
    )
  })
})
