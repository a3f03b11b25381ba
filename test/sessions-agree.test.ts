import * as fc from 'fast-check'
import { describe, it } from 'vitest'
import {
  analysisRequests,
  askedOfSessions,
  marked,
  peopled,
  requestsTo,
  statisticRequests,
  worlds,
} from './oracle/generate.ts'
import { ENDPOINTS, SESSION_REPORTS, STATISTICS, WITHOUT_RANGE } from './oracle/model.ts'
import { runs } from './support/long.ts'
import { agreesInWorlds, hidesInWorlds } from './support/worlds.ts'

const numRuns = Number(process.env.WORLDS ?? runs(1, 12))
const asked = Number(process.env.QUESTIONS ?? runs(2, 40))
const among = peopled(marked(worlds))

describe('sessions and their data are what a plain computation over the same events and records gives', () => {
  it.each(SESSION_REPORTS)('%s', async (report) => {
    await agreesInWorlds((world) => analysisRequests(world, report), { numRuns, asked }, { among })
  })
})

describe('they show nothing that is hidden', () => {
  it.each(SESSION_REPORTS)('%s', async (report) => {
    await hidesInWorlds((world) => analysisRequests(world, report), { numRuns: 1, asked: runs(1, 20) }, among)
  })
})

describe('filters on properties of sessions are what they are there', () => {
  const endpoints = ENDPOINTS.filter((one) => !WITHOUT_RANGE.includes(one))
  const statistics = STATISTICS.filter((one) => one !== 'active')

  it('in every list and count of events', async () => {
    await agreesInWorlds(
      (world) =>
        askedOfSessions(
          world,
          fc.constantFrom(...endpoints).chain((one) => requestsTo(world, one)),
        ),
      { numRuns, asked: 2 * asked },
      { among },
    )
  })

  it('in every statistic', async () => {
    await agreesInWorlds(
      (world) =>
        askedOfSessions(
          world,
          fc.constantFrom(...statistics).chain((one) => statisticRequests(world, one)),
        ),
      { numRuns, asked: 2 * asked },
      { among },
    )
  })
})
