import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { namesFor } from '../facts/oracle-of.ts'
import { statisticOracle } from '../facts/oracles.ts'
import { runs } from '../support/long.ts'
import { UNITS } from './buckets.ts'
import { requestPath, type World } from './generate.ts'
import { marked } from './generate-marks.ts'
import { statisticRequests } from './generate-statistics.ts'
import { worlds } from './generate-world.ts'
import type { OracleRequest, Statistic } from './model.ts'
import { statistic } from './statistics.ts'

const sampled: World[] = fc.sample(marked(worlds), { numRuns: runs(20, 40), seed: 20251015 })

type Request = OracleRequest<Statistic>
type Asked = { world: World; request: Request; body: unknown }

/** Questions about each of the worlds, and their answers: only those that matter are answered. */
function asked(endpoint: Statistic, numRuns: number, matters: (request: Request) => boolean = () => true): Asked[] {
  return sampled.flatMap((world, seed) =>
    fc
      .sample(statisticRequests(world, endpoint), { numRuns, seed })
      .filter(matters)
      .map((request) => ({ world, request, body: statistic(world.rows, request).body })),
  )
}

/** Whether the answer has only zeros and empty lists. A text counts as content. */
function isEmpty(body: unknown): boolean {
  if (Array.isArray(body)) return body.every((row) => 'y' in row && row.y === 0)
  if (typeof body === 'object' && body !== null) return Object.values(body).every(isEmpty)
  return body === 0 || typeof body === 'string'
}

const setting = ({ query }: Request, name: string) => query.find(([one]) => one === name)?.[1]

describe('generated questions to statistics', () => {
  it.each(namesFor<Statistic>(statisticOracle))(
    'can be answered in JSON, and often have an answer with something in it: %s',
    (endpoint) => {
      const all = asked(endpoint, runs(4, 10))
      for (const { request, body } of all) {
        expect(JSON.parse(JSON.stringify(body))).toEqual(body)
        expect([...new URL(requestPath(request), 'http://localhost').searchParams]).toEqual(request.query)
      }
      expect(all.filter(({ body }) => !isEmpty(body)).length / all.length).toBeGreaterThan(0.25)
    },
  )

  it('often ask what clocks that change make of it, in every unit', () => {
    const zones = ['Australia/Lord_Howe', 'America/Santiago', 'Africa/Cairo']
    const answered = asked('pageviews', 15).filter(({ body }) => !isEmpty(body))
    const changing = answered.filter(({ request }) => zones.includes(setting(request, 'timezone') ?? ''))
    expect(changing.length).toBeGreaterThan(runs(4, 25))
    expect(new Set(answered.map(({ request }) => setting(request, 'unit')))).toEqual(new Set([undefined, ...UNITS]))
  })

  it('often fill, and then add buckets', () => {
    const filled = asked('events/series', 15, (request) => setting(request, 'fill') === 'true')
    const added = filled.filter(({ world, request, body }) => {
      const query = request.query.filter(([name]) => name !== 'fill')
      return JSON.stringify(statistic(world.rows, { ...request, query }).body) !== JSON.stringify(body)
    })
    expect(added.length).toBeGreaterThan(runs(4, 25))
  })

  it('meet every channel', () => {
    const channels = asked('metrics', 300, (request) => setting(request, 'type') === 'channel').flatMap(({ body }) =>
      (body as { x: string }[]).map(({ x }) => x),
    )
    const organic = ['Search', 'Social', 'Shopping', 'Video'].flatMap((kind) => [`organic${kind}`])
    const others = ['paidAds', 'referral', 'affiliate', 'sms', 'llm', 'email', 'direct', 'paidSocial']
    expect(channels).toEqual(expect.arrayContaining([...organic, ...others]))
  })

  it('have conditions on events that leave some views and not all', () => {
    const plain = asked('stats', 30, (request) => setting(request, 'event') !== undefined)
    const some = plain.filter(({ world, request, body }) => {
      const query = request.query.filter(([name]) => !/^event\d*$/.test(name))
      const views = (of: unknown) => (of as { pageviews: number }).pageviews
      const all = views(statistic(world.rows, { ...request, query }).body)
      return views(body) > 0 && views(body) < all
    })
    expect(some.length).toBeGreaterThan(runs(3, 15))
  })
})
