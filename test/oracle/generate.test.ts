import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { namesFor } from '../facts/oracle-of.ts'
import { eventOracle } from '../facts/oracles.ts'
import { runs } from '../support/long.ts'
import { answer } from './answer.ts'
import { questions, requestPath, type World } from './generate.ts'
import { requestsTo } from './generate-requests.ts'
import { worlds } from './generate-world.ts'
import type { Endpoint } from './model.ts'

const endpoints = namesFor<Endpoint>(eventOracle)

const sampled: World[] = fc.sample(worlds, { numRuns: runs(16, 40), seed: 20251015 })

function bodies(endpoint: Endpoint): unknown[] {
  return sampled.flatMap((world, seed) =>
    fc
      .sample(requestsTo(world, endpoint), { numRuns: runs(5, 25), seed })
      .map((request) => answer(world.rows, request).body),
  )
}

describe('generated questions', () => {
  it('are all requests the oracle can answer, in JSON', () => {
    fc.assert(
      fc.property(questions(endpoints), ({ world, request }) => {
        const { body } = answer(world.rows, request)
        expect(JSON.parse(JSON.stringify(body))).toEqual(body)
      }),
      { numRuns: runs(40, 200) },
    )
  })

  it('can be read back from their path', () => {
    fc.assert(
      fc.property(questions(endpoints), ({ request }) => {
        const url = new URL(requestPath(request), 'http://localhost')
        expect([...url.searchParams]).toEqual(request.query)
      }),
      { numRuns: runs(40, 200) },
    )
  })

  it.each(endpoints)('often have an answer with something in it: %s', (endpoint) => {
    const all = bodies(endpoint)
    const nothing = /^(\[\]|\{"data":\[\].*|\{"data":\{"events":0.*|\[\{"events":0.*)$/
    const full = all.filter((body) => !nothing.test(JSON.stringify(body)))
    expect(full.length / all.length).toBeGreaterThan(0.25)
  })

  it.each(['prev', 'yoy'])('often have something to compare with: %s', (compare) => {
    const comparisons = sampled.flatMap(({ websiteIds, rows, window }) =>
      websiteIds.map((websiteId) => {
        const secondHalf = String((window.start + window.end + 1) / 2)
        const query: [string, string][] = [
          ['startAt', secondHalf],
          ['endAt', String(window.end)],
          ['compare', compare],
        ]
        return JSON.stringify(answer(rows, { endpoint: 'events/stats', websiteId, query }).body)
      }),
    )
    const full = comparisons.filter((body) => !body.includes('"comparison":{"events":0'))
    expect(full.length / comparisons.length).toBeGreaterThan(0.25)
  })

  const naming = sampled.map((world, seed) => ({
    world,
    requests: fc
      .sample(requestsTo(world, 'events'), { numRuns: 60, seed })
      .filter(({ saved = [] }) => saved.length > 0),
  }))

  it.each(['segment', 'cohort'] as const)('often name a %s that matters, and leaves something', (type) => {
    const answers = naming.flatMap(({ world, requests }) =>
      requests
        .filter(({ saved = [] }) => saved.some((one) => one.type === type))
        .map(({ saved = [], ...request }) => {
          const without = request.query.filter(([name]) => name !== type && name !== `filters[${type}]`)
          const count = (query: [string, string][]): number =>
            (answer(world.rows, { ...request, query, saved }).body as { count: number }).count
          return [count(request.query), count(without)]
        }),
    )
    expect(answers.length).toBeGreaterThan(runs(40, 100))
    expect(answers.filter(([kept, all]) => kept !== all).length / answers.length).toBeGreaterThan(0.1)
    expect(answers.filter(([kept]) => kept !== 0).length / answers.length).toBeGreaterThan(0.2)
  })

  it('have no event id twice in a website, and some in two', () => {
    const repeats = sampled.map(({ rows }) => {
      expect(new Set(rows.map((row) => row.website_id + row.event_id)).size).toBe(rows.length)
      return rows.length - new Set(rows.map((row) => row.event_id)).size
    })
    expect(Math.max(...repeats)).toBeGreaterThan(0)
  })
})
