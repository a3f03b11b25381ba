import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { namesFor } from '../facts/oracle-of.ts'
import { analysisOracle } from '../facts/oracles.ts'
import { runs } from '../support/long.ts'
import { requestPath, type World } from './generate.ts'
import { analysisRequests } from './generate-analyses.ts'
import { marked } from './generate-marks.ts'
import { peopled } from './generate-people.ts'
import { worlds } from './generate-world.ts'
import type { Analysis, OracleRequest } from './model.ts'
import { analysis } from './reports.ts'
import { currentValues } from './session-records.ts'

const sampled: World[] = fc.sample(peopled(marked(worlds)), { numRuns: runs(8, 30), seed: 20251015 })

type Asked = { request: OracleRequest<Analysis>; body: unknown; status: number }

function asked(endpoint: Analysis, numRuns: number): Asked[] {
  return sampled.flatMap((world, seed) =>
    fc.sample(analysisRequests(world, endpoint), { numRuns, seed }).map((request) => {
      const { body, status = 200 } = analysis(world.rows, request)
      return { request, body, status }
    }),
  )
}

/** Whether the answer has only zeros and empty lists. */
function isEmpty(body: unknown): boolean {
  if (Array.isArray(body)) return body.every(isEmpty)
  if (typeof body !== 'object' || body === null) return body === 0 || typeof body === 'string' || body === undefined
  const { page, pageSize, ...others } = body as Record<string, unknown>
  return Object.values(others).every(isEmpty)
}

describe('generated questions to sessions and reports', () => {
  it.each(namesFor<Analysis>(analysisOracle))(
    'can be answered in JSON, and often have an answer with something in it: %s',
    (endpoint) => {
      const some = asked(endpoint, runs(4, 10))
      for (const { request, body, status } of some) {
        if (status === 200) expect(JSON.parse(JSON.stringify(body))).toEqual(body)
        expect([...new URL(requestPath(request), 'http://localhost').searchParams]).toEqual(request.query)
      }
      expect(some.filter(({ body }) => !isEmpty(body)).length / some.length).toBeGreaterThan(0.15)
    },
  )

  it('have records of one time that do not say the same', () => {
    const changed = sampled.filter(({ websiteIds, records = [] }) => {
      const values = (some: typeof records) =>
        JSON.stringify(currentValues(some, websiteIds[0]!).map((one) => one.property))
      return values(records) !== values(records.toReversed().filter((_, index) => index % 3 > 0))
    })
    expect(changed.length).toBeGreaterThan(5)
  })

  it('have funnels that lose sessions on the way', () => {
    const lost = asked('funnels/stats', 10).filter(({ body }) => {
      const visitors = (body as { visitors: number }[]).map((step) => step.visitors)
      return visitors.at(-1)! > 0 && visitors.at(-1)! < visitors[0]!
    })
    expect(lost.length).toBeGreaterThan(runs(1, 5))
  })
})
