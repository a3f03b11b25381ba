import * as fc from 'fast-check'
import { describe, it } from 'vitest'
import { requestsTo, worlds } from './oracle/generate.ts'
import { ENDPOINTS } from './oracle/model.ts'
import { agrees } from './support/against-oracle.ts'
import { forEach } from './support/concurrently.ts'
import { runs } from './support/long.ts'
import { ingest } from './support/weir.ts'
import { relocated, seedOnly, websiteOnce } from './support/worlds.ts'

/** How many worlds each endpoint is asked about, and how often; a seed in the failure report repeats one. */
const numRuns = Number(process.env.WORLDS ?? runs(2, 12))
const asked = Number(process.env.QUESTIONS ?? 40)

describe('every answer equals the oracle’s for the same events', () => {
  it.each(ENDPOINTS)('%s', async (endpoint) => {
    const questions = worlds.chain((world) =>
      fc.record({
        world: fc.constant(world),
        requests: fc.array(requestsTo(world, endpoint), { minLength: asked, maxLength: asked, size: 'max' }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(questions, async ({ world, requests }) => {
        const { rows, idOf } = relocated(world)
        if (rows.length > 0) await ingest(rows)
        await forEach(requests, async (request) => {
          const websiteId = await websiteOnce(idOf(request.websiteId))
          await agrees(rows, { ...request, websiteId })
        })
      }),
      { numRuns, endOnFailure: true, asyncReporter: seedOnly },
    )
  })
})
