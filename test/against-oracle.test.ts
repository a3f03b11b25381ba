import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, it } from 'vitest'
import { requestsTo, type World, worlds } from './oracle/generate.ts'
import { ENDPOINTS } from './oracle/model.ts'
import { agrees } from './support/against-oracle.ts'
import { forEach } from './support/concurrently.ts'
import { runs } from './support/long.ts'
import { ingest, newWebsite } from './support/weir.ts'

/** Worlds share their website ids; each one gets new ones here, so that no test sees another's events. */
function relocated(world: World): { rows: World['rows']; idOf: (websiteId: string) => string } {
  const ids = new Map(world.rows.map(({ website_id }) => [website_id, randomUUID() as string]))
  const idOf = (websiteId: string): string => {
    if (!ids.has(websiteId)) ids.set(websiteId, randomUUID())
    return ids.get(websiteId)!
  }
  return { rows: world.rows.map((row) => ({ ...row, website_id: idOf(row.website_id) })), idOf }
}

const created = new Map<string, Promise<string>>()

/** Makes a website the first time that it is needed. */
function website(id: string): Promise<string> {
  const made = created.get(id) ?? newWebsite(id)
  created.set(id, made)
  return made
}

/** How many worlds each endpoint is asked about, and how often; a seed in the failure report repeats one. */
const numRuns = Number(process.env.WORLDS ?? runs(2, 12))
const asked = Number(process.env.QUESTIONS ?? 40)

/** The seed repeats a failure (`fc.assert(…, { seed })`); the world itself would fill pages. */
async function report<Value>(details: fc.RunDetails<Value>): Promise<void> {
  if (details.failed) throw new Error(`Failed with seed ${details.seed}.`, { cause: details.errorInstance })
}

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
          const websiteId = await website(idOf(request.websiteId))
          await agrees(rows, { ...request, websiteId })
        })
      }),
      { numRuns, endOnFailure: true, asyncReporter: report },
    )
  })
})
