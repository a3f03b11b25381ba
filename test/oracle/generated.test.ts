import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { factsOf } from '../facts/index.ts'
import { answerOf, oracleName } from '../facts/oracle-of.ts'
import { runs } from '../support/long.ts'
import { reports } from '../support/reports.ts'
import { UNITS } from './buckets.ts'
import { marked } from './generate-marks.ts'
import { peopled } from './generate-people.ts'
import type { World } from './generate-world.ts'
import { worlds } from './generate-world.ts'
import type { OracleRequest, Report } from './model.ts'
import { requestPath } from './request-path.ts'
import { currentValues } from './session-records.ts'

/** Checks that the questions in the rule `agrees` are valid, and that a mistake would change most of their answers. */

const sampled: World[] = fc.sample(peopled(marked(worlds)), { numRuns: runs(8, 40), seed: 20251015 })

const drawn = reports.flatMap((report) => {
  const { draw, type } = factsOf(report).oracle ?? {}
  return draw && !type ? [[oracleName(report), draw] as const] : []
})

const drawOf = (endpoint: Report) => drawn.find(([name]) => name === endpoint)![1]

interface Asked {
  readonly world: World
  readonly request: OracleRequest<Report>
  readonly body: unknown
  readonly status: number
}

const answered = (world: World, request: OracleRequest<Report>): Asked => {
  const { body, status = 200 } = answerOf(world.rows, request)
  return { world, request, body, status }
}

/** Questions about each world, with their answers as needed. */
function asked(
  endpoint: Report,
  numRuns: number,
  matters: (request: Asked['request']) => boolean = () => true,
): Asked[] {
  const draw = drawOf(endpoint)
  return sampled.flatMap((world, seed) =>
    fc
      .sample(draw(world, endpoint), { numRuns, seed })
      .filter(matters)
      .map((request) => answered(world, request)),
  )
}

/** The answer to the same question without some of its parameters. */
const without = ({ world, request }: Asked, names: RegExp): unknown =>
  answered(world, { ...request, query: request.query.filter(([name]) => !names.test(name)) }).body

/** Whether the answer contains only zeros, names and empty lists. A time counts as content. */
function isEmpty(body: unknown): boolean {
  if (Array.isArray(body)) return body.every((one) => isEmpty(one) && Object(one).value === undefined)
  if (typeof body === 'string') return !/^\d{4}-\d\d-\d\dT/.test(body)
  if (typeof body !== 'object' || body === null) return !body
  const { page, pageSize, ...others } = body as Record<string, unknown>
  return Object.values(others).every(isEmpty)
}

const setting = ({ query }: Asked['request'], name: string) => query.find(([one]) => one === name)?.[1]

const shareOf = (some: readonly Asked[], matters: (one: Asked) => boolean): number =>
  some.filter(matters).length / some.length

describe('generated questions', () => {
  it.each(drawn)('have answers that are valid JSON and often not empty: %s', (endpoint) => {
    const some = asked(endpoint, runs(3, 15))
    for (const { request, body, status } of some) {
      if (status === 200) expect(JSON.parse(JSON.stringify(body))).toEqual(body)
      expect([...new URL(requestPath(request), 'http://localhost').searchParams]).toEqual(request.query)
    }
    expect(shareOf(some, ({ body }) => !isEmpty(body))).toBeGreaterThan(0.15)
  })

  it.each(['segment', 'cohort'] as const)('often contain a %s that changes the answer without emptying it', (type) => {
    const naming = asked('events', runs(20, 60), ({ saved = [] }) => saved.some((one) => one.type === type))
    const countOf = (body: unknown) => (body as { count: number }).count
    const names = new RegExp(`^(${type}|filters\\[${type}\\])$`)
    expect(naming.length).toBeGreaterThan(runs(10, 100))
    expect(shareOf(naming, (one) => countOf(one.body) !== countOf(without(one, names)))).toBeGreaterThan(0.1)
    expect(shareOf(naming, ({ body }) => countOf(body) !== 0)).toBeGreaterThan(0.2)
  })

  it('never repeat an event id within one website, but sometimes share one between two', () => {
    const repeats = sampled.map(({ rows }) => {
      expect(new Set(rows.map((row) => row.website_id + row.event_id)).size).toBe(rows.length)
      return rows.length - new Set(rows.map((row) => row.event_id)).size
    })
    expect(Math.max(...repeats)).toBeGreaterThan(0)
  })

  it('often use time zones with clock changes, and use every unit', () => {
    const zones = ['Australia/Lord_Howe', 'America/Santiago', 'Africa/Cairo']
    const some = asked('pageviews', runs(10, 20)).filter(({ body }) => !isEmpty(body))
    const changing = some.filter(({ request }) => zones.includes(setting(request, 'timezone') ?? ''))
    expect(changing.length).toBeGreaterThan(runs(4, 25))
    expect(new Set(some.map(({ request }) => setting(request, 'unit')))).toEqual(new Set([undefined, ...UNITS]))
  })

  it('often request fill, which then adds buckets', () => {
    const filled = asked('events/series', runs(10, 20), (request) => setting(request, 'fill') === 'true')
    const added = filled.filter((one) => JSON.stringify(without(one, /^fill$/)) !== JSON.stringify(one.body))
    expect(added.length).toBeGreaterThan(runs(4, 25))
  })

  it('cover every channel', () => {
    const some = fc.sample(marked(worlds), { numRuns: 40, seed: 20251015 }).flatMap((world, seed) =>
      fc.sample(drawOf('metrics')(world, 'metrics'), { numRuns: runs(3, 40), seed }).map((request) => {
        const query = request.query.map(([name, value]): [string, string] => [
          name,
          name === 'type' ? 'channel' : value,
        ])
        return answered(world, { ...request, query })
      }),
    )
    const channels = some.flatMap(({ body }) => (body as { x: string }[]).map(({ x }) => x))
    const organic = ['Search', 'Social', 'Shopping', 'Video'].map((kind) => `organic${kind}`)
    const others = ['paidAds', 'referral', 'affiliate', 'sms', 'llm', 'email', 'direct', 'paidSocial']
    expect(channels).toEqual(expect.arrayContaining([...organic, ...others]))
  })

  it('have conditions on events that keep some views, but not all', () => {
    const views = (body: unknown) => (body as { pageviews: number }).pageviews
    const plain = asked('stats', runs(15, 40), (request) => setting(request, 'event') !== undefined)
    const some = plain.filter((one) => views(one.body) > 0 && views(one.body) < views(without(one, /^event\d*$/)))
    expect(some.length).toBeGreaterThan(runs(1, 15))
  })

  it('have records with the same time but different values', () => {
    const changed = sampled.filter(({ websiteIds, records = [] }) => {
      const values = (some: typeof records) =>
        JSON.stringify(currentValues(some, websiteIds[0]!).map((one) => one.property))
      return values(records) !== values(records.toReversed().filter((_, index) => index % 3 > 0))
    })
    expect(changed.length).toBeGreaterThan(5)
  })

  it('have funnels in which some sessions drop out', () => {
    const lost = asked('funnels/stats', runs(8, 10)).filter(({ body }) => {
      const visitors = (body as { visitors: number }[]).map((step) => step.visitors)
      return visitors.at(-1)! > 0 && visitors.at(-1)! < visitors[0]!
    })
    expect(lost.length).toBeGreaterThan(runs(1, 5))
  })
})
