import { describe, it } from 'vitest'
import { statisticRequests } from './oracle/generate-statistics.ts'
import { STATISTICS } from './oracle/model.ts'
import { runs } from './support/long.ts'
import { agreesInWorlds, hidesInWorlds } from './support/worlds.ts'

const numRuns = Number(process.env.WORLDS ?? runs(1, 12))
const asked = Number(process.env.QUESTIONS ?? runs(2, 40))

describe('every statistic is what a plain computation over the same events gives', () => {
  // `active` depends on the moment of the request: see test/endpoints/active.test.ts.
  it.each(STATISTICS.filter((one) => one !== 'active'))('%s', async (statistic) => {
    await agreesInWorlds((world) => statisticRequests(world, statistic), { numRuns, asked })
  })
})

describe('a statistic shows nothing that is hidden', () => {
  it.each(STATISTICS.filter((one) => one !== 'active'))('%s', async (statistic) => {
    await hidesInWorlds((world) => statisticRequests(world, statistic), { numRuns: 1, asked: runs(1, 20) })
  })
})
