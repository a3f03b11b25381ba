import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { requestPath, requestsTo, worlds } from '../oracle/generate.ts'
import { ENDPOINTS } from '../oracle/model.ts'
import { type CachedWorker, cachedWorker } from '../support/cached.ts'
import { runs } from '../support/long.ts'
import { websiteOf } from '../support/people.ts'
import { get, ingest } from '../support/weir.ts'

let worker: CachedWorker
beforeAll(async () => {
  worker = await cachedWorker()
})
afterAll(() => worker.close())

const asked = 8

/** The seed repeats a failure; the world itself would fill pages. */
async function report<Value>({ failed, seed, errorInstance }: fc.RunDetails<Value>): Promise<void> {
  if (failed) throw new Error(`Failed with seed ${seed}.`, { cause: errorInstance })
}

describe('a cached answer', () => {
  it.each(ENDPOINTS)('is what is answered without a cache: %s', async (endpoint) => {
    const questions = worlds.chain((world) =>
      fc.record({
        world: fc.constant(world),
        requests: fc.array(requestsTo(world, endpoint), { minLength: asked, maxLength: asked, size: 'max' }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(questions, async ({ world, requests }) => {
        const ids = new Map<string, string>()
        const relocated = async (id: string): Promise<string> => {
          const known = ids.get(id.toLowerCase()) ?? (await websiteOf())
          ids.set(id.toLowerCase(), known)
          return known
        }
        for (const { website_id } of world.rows) await relocated(website_id)
        const rows = world.rows.map((row) => ({ ...row, website_id: ids.get(row.website_id)! }))
        if (rows.length > 0) await ingest(rows)
        for (const request of requests) {
          // What is saved is looked up by id, and there is none of these.
          const query = request.query.filter(([name, value]) => !/segment|cohort/.test(name + value))
          const path = requestPath({ ...request, query, websiteId: await relocated(request.websiteId) })
          const [plain, first, again] = [await get(path), await worker.ask(path), await worker.ask(path)]
          for (const { status, text, headers } of [first, again]) {
            expect([path, status, JSON.parse(text)]).toEqual([path, plain.status, plain.body])
            for (const name of ['x-total-count', 'etag']) expect(headers.get(name)).toBe(plain.headers.get(name))
          }
          expect([path, again.cache]).toEqual([path, 'HIT'])
        }
      }),
      { numRuns: runs(1, 2), endOnFailure: true, asyncReporter: report },
    )
  })
})
