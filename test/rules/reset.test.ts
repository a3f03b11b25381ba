import { beforeAll, describe, expect, it } from 'vitest'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import { inTurn } from '../support/long.ts'
import { withinAMinute } from '../support/minute.ts'
import { websiteOf } from '../support/people.ts'
import { reports } from '../support/reports.ts'
import { seed } from '../support/seed.ts'
import { askExample, comparable, sidesOf, store } from '../support/sides.ts'

/**
 * Tests that no report shows an event, identify call or session from before a reset. In each run, `npm test` checks the
 * rows of a different third of the reports. `test/query/rules.test.ts` checks the statements of all.
 */

interface Websites {
  /** A website with both sides, and a reset between them. */
  readonly reset: string
  /** A website with only the data after the reset. */
  readonly young: string
  readonly whole: string
}

const asked = inTurn(reports, seed, 7)

const websites = new Map<AnyReport, Websites>()

beforeAll(async () => {
  await Promise.all(
    asked.map(async (report) => {
      const { kept, others, start } = sidesOf(report, { isEarlier: true, different: { browser: 'hidden' } })
      const [reset, young, whole] = [await websiteOf({}, { reset_at: start }), await websiteOf(), await websiteOf()]
      websites.set(report, { reset, young, whole })
      await Promise.all([store(reset, kept, others), store(young, kept), store(whole, kept, others)])
    }),
  )
})

/** A report's answers about each website. */
async function answersOf(report: AnyReport) {
  const { reset, young, whole } = websites.get(report)!
  const ask = async (websiteId: string) => comparable(await askExample(report, websiteId), websiteId)
  return { reset: await ask(reset), young: await ask(young), whole: await ask(whole) }
}

describe('a reset', () => {
  it.each(asked.map((report) => [report.name, report] as const))(
    'hides data that is a millisecond older, but not data of the same moment: %s',
    async (_, report) => {
      await withinAMinute(async () => {
        const { reset, young, whole } = await answersOf(report)
        expect(reset).toEqual(young)
        // Otherwise, the test could not detect the hidden side.
        expect(whole).not.toEqual(young)
      })
    },
  )
})
