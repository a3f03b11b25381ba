import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cacheKey } from '../../src/cache/key.ts'
import type { Scope } from '../../src/query/language/scope.ts'
import { fieldNames } from '../../src/request/fields.ts'
import { noFilters } from '../../src/request/filters.ts'
import { readLocked } from '../../src/request/locked-filters.ts'
import { ordered } from '../../src/request/ordered.ts'
import { namesFor } from '../facts/oracle-of.ts'
import { eventOracle } from '../facts/oracles.ts'
import { answer } from '../oracle/answer.ts'
import { requestsTo } from '../oracle/generate-requests.ts'
import type { World } from '../oracle/generate-world.ts'
import { worlds } from '../oracle/generate-world.ts'
import type { Endpoint, OracleRequest } from '../oracle/model.ts'
import { runs } from '../support/long.ts'
import { inputOf, type Question, questionOf } from '../support/questions.ts'
import { reports } from '../support/reports.ts'
import { wholeWebsite } from '../support/scope.ts'
import { day } from '../support/website.ts'

/** A request's cache key, computed by the Worker’s code from the final filters. */
function keyFor(question: Question, scope: Partial<Scope> = {}, epoch = 0): string {
  const given = inputOf(question) as ReturnType<typeof inputOf> & { filters?: typeof noFilters }
  const input = { ...given, filters: ordered(given.filters ?? noFilters) }
  const plan = question.report.plan(input as never, { ...wholeWebsite(given.websiteId), ...scope })
  return cacheKey({ name: question.report.name, websiteId: given.websiteId, epoch, plan, input })
}

type Pairs = readonly (readonly [name: string, value: string])[]

/** One report has a parameter of its own that is called `event`. */
const bracketable = new Set<string>(fieldNames.filter((name) => name !== 'event'))

/** The same request, but reordered, with explicit defaults, in upper case, and with filters in brackets. */
function respelled(question: Question, draws: readonly boolean[]): Pairs {
  const { parameters } = question.report.query
  const isGiven = (name: string) => question.query.some(([given]) => given === name)
  const bracketed = question.query.map(([name, value], index) =>
    draws[index % draws.length] && bracketable.has(name)
      ? ([`filters[${name}]`, value] as const)
      : ([name, value] as const),
  )
  const defaults = Object.entries({ page: '1', pageSize: '20', limit: '500', offset: '0', unit: 'day' }).filter(
    ([name], index) => draws[index] && name in parameters && !isGiven(name) && !isGiven('cursor'),
  )
  const isMatched = question.query.some(
    ([name, value]) => /match/.test(name) || (name === 'filters' && /match/.test(value)),
  )
  const match = 'browser' in parameters && !isMatched ? ([['match', 'all']] as const) : []
  const compare =
    question.report.name === 'getWebsiteEventStats' && !isGiven('compare') ? ([['compare', 'prev']] as const) : []
  return [...bracketed, ...defaults, ...match, ...compare].reverse()
}

const anyOf = (world: World): fc.Arbitrary<OracleRequest> =>
  fc.constantFrom(...namesFor<Endpoint>(eventOracle)).chain((endpoint) => requestsTo(world, endpoint))

const asked: fc.Arbitrary<{ world: World; request: OracleRequest; other: OracleRequest }> = worlds.chain((world) =>
  fc.tuple(anyOf(world), anyOf(world), fc.nat(3), fc.nat()).map(([request, unlike, way, place]) => ({
    ...{ world, request, other: [unlike, ...changed(request, unlike, place)][way]! },
  })),
)

/** Variants of a request: for another website, without one parameter, or with another request's parameters. */
function changed(request: OracleRequest, unlike: OracleRequest, place: number): OracleRequest[] {
  const [dropped] = request.query.slice(place % Math.max(1, request.query.length))
  const needed = /^(start|end)(At|Date)$|^eventName$|^propertyName$/
  const query = dropped && !needed.test(dropped[0]) ? request.query.filter((pair) => pair !== dropped) : request.query
  const added = unlike.endpoint === request.endpoint ? unlike : request
  return [
    { ...request, websiteId: unlike.websiteId },
    { ...request, query },
    { ...added, websiteId: request.websiteId },
  ]
}

/** Prints only the seed, which is sufficient to reproduce a failure. The whole input would fill pages. */
function reporter<Value>({ failed, seed, errorInstance }: fc.RunDetails<Value>): void {
  if (failed) throw new Error(`Failed with seed ${seed}.`, { cause: errorInstance })
}

describe('a cached answer’s key', () => {
  it('is the same for all spellings of a request', () => {
    fc.assert(
      fc.property(asked, fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }), ({ request }, draws) => {
        const question = questionOf(request)
        const again = { ...question, websiteId: question.websiteId.toUpperCase(), query: respelled(question, draws) }
        expect(keyFor(again)).toBe(keyFor(question))
      }),
      { numRuns: runs(40, 500), endOnFailure: true, reporter },
    )
  })

  it('differs whenever the answer differs', () => {
    let different = 0
    fc.assert(
      fc.property(asked, ({ world, request, other }) => {
        const answers = [request, other].map((one) => JSON.stringify(answer(world.rows, one)))
        if (answers[0] === answers[1]) return
        different++
        expect(keyFor(questionOf(request))).not.toBe(keyFor(questionOf(other)))
      }),
      { numRuns: runs(80, 1000), endOnFailure: true, reporter },
    )
    expect(different).toBeGreaterThan(runs(10, 200))
  })

  const question = (
    name: string,
    query: object = {},
    websiteId = '00000000-0000-4000-8000-00000000000a',
  ): Question => ({
    report: reports.find((one) => one.name === name)!,
    websiteId,
    query: Object.entries({ ...day, ...query }).map(([key, value]) => [key, String(value)]),
  })

  it('depends on report, website, range, page, filter, share, reset and purge', () => {
    const only = (kept: object) => ({ only: [readLocked(kept).data!.filters] })
    const plain = question('getWebsiteEvents')
    const keys = [
      keyFor(plain),
      keyFor(question('getEventData')),
      keyFor(question('getWebsiteEvents', {}, '00000000-0000-4000-8000-00000000000b')),
      ...[
        { startAt: day.startAt + 1 },
        { endAt: day.endAt - 1 },
        { page: 2 },
        { pageSize: 21 },
        { maxResults: 20 },
        { search: 'x' },
        ...['eq.x', 'neq.x', 'c.x', 'dnc.x', 're.x', 'nre.x', 'x,y', 'x\\,y', 'X', '', 'x '].map((browser) => ({
          browser,
        })),
        { os: 'x' },
        { os: 'x', browser: 'x' },
        { os: 'x', browser: 'x', match: 'any' },
        { eventType: 1 },
        { eventType: 'neq.1' },
        { excludeBounce: 1 },
        { epf0: '1.eq.plan.x' },
        { epf0: '1.eq.plan.y' },
        { epf0: '2.eq.plan.1' },
      ].map((query) => keyFor(question('getWebsiteEvents', query))),
      keyFor(plain, { since: day.startAt + 1 }),
      keyFor(plain, only({ browser: 'firefox' })),
      keyFor(plain, only({ browser: 'safari' })),
      keyFor(plain, only({ os: 'firefox' })),
      keyFor(plain, {}, 1),
    ]
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('contains everything that affects the answer, and no ignored parameters', () => {
    const stats = (query: object) => keyFor(question('getWebsiteEventStats', query))
    const zones = ['Asia/Tokyo', 'UTC']
    expect(new Set(zones.map((timezone) => stats({ timezone, compare: 'yoy' }))).size).toBe(2)
    expect(new Set(zones.map((timezone) => stats({ timezone, compare: 'prev' }))).size).toBe(1)
    const beside = { unit: 'week', orderBy: 'x', sortDescending: 'true', timezone: 'Asia/Tokyo', search: '' }
    const dates = { startDate: new Date(day.startAt).toISOString(), endDate: new Date(day.endAt).toISOString() }
    for (const name of ['getWebsiteEventStats', 'getEventDataEvents', 'getEventDataStats', 'getEventDataFields']) {
      const plain = keyFor(question(name))
      expect(keyFor(question(name, { ...beside, ...dates, page: 2, pageSize: 7 }))).toBe(plain)
      const others = [
        { search: 'x' },
        { search: 'X' },
        ...(name.startsWith('getEventData') ? [{ eventName: 'x' }] : []),
      ]
      const keys = others.map((query) => keyFor(question(name, query)))
      expect(new Set([plain, ...keys]).size).toBe(others.length + 1)
    }
  })

  it('is the same for the same filters of a share in any order', () => {
    const one = { only: [ordered(readLocked({ browser: 'a', os: 'b' }).data!.filters)] }
    const same = { only: [ordered(readLocked({ os: 'b', browser: 'a' }).data!.filters)] }
    expect(keyFor(question('getWebsiteEvents'), one)).toBe(keyFor(question('getWebsiteEvents'), same))
  })

  it('is not changed by a reset before the range', () => {
    const reset = { since: day.startAt }
    expect(keyFor(question('getWebsiteEvents'), reset)).toBe(keyFor(question('getWebsiteEvents')))
  })
})
