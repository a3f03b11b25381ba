import { describe, it } from 'vitest'
import { requestsTo } from './oracle/generate.ts'
import { ENDPOINTS } from './oracle/model.ts'
import { runs } from './support/long.ts'
import { agreesInWorlds } from './support/worlds.ts'

/** How many worlds each endpoint is asked about, and how often; a seed in the failure report repeats one. */
const numRuns = Number(process.env.WORLDS ?? runs(1, 12))
const asked = Number(process.env.QUESTIONS ?? runs(6, 40))

describe('every answer equals the oracle’s for the same events', () => {
  it.each(ENDPOINTS)('%s', async (endpoint) => {
    await agreesInWorlds((world) => requestsTo(world, endpoint), { numRuns, asked })
  })
})
