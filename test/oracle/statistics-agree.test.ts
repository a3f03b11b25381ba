import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../support/long.ts'
import { bucketOf, bucketsOf, UNITS } from './buckets.ts'
import type { World } from './generate.ts'
import { timezones } from './generate-ranges.ts'
import { statisticRequests } from './generate-statistics.ts'
import { worlds } from './generate-world.ts'
import type { OracleRequest, Statistic } from './model.ts'
import { statistic } from './statistics.ts'
import type { Totals } from './totals.ts'

type Row = { x: string; y: number; t: string }

type Question = { world: World; request: OracleRequest<Statistic> }

/** Each question to `stats`, with which other questions over the same range and filters are compared. */
const questions: fc.Arbitrary<Question> = worlds.chain((world) =>
  fc.record({
    world: fc.constant(world),
    request: statisticRequests(world, 'stats').map((request) => ({ ...request, query: withoutFree(request.query) })),
  }),
)

/** Names that mean something elsewhere than in `stats`. */
function withoutFree(query: [string, string][]): [string, string][] {
  return query.filter(([name]) => !['unit', 'compare', 'page', 'pageSize'].includes(name))
}

function asked<Body>({ world, request }: Question, endpoint: Statistic, ...more: [string, string][]): Body {
  return statistic(world.rows, { ...request, endpoint, query: [...request.query, ...more] }).body as Body
}

const sum = (numbers: number[]): number => numbers.reduce((all, one) => all + one, 0)

const sampled = fc.sample(questions, { numRuns: runs(25, 150), seed: 20251015 })

const holds = (check: (question: Question) => void): void => sampled.forEach(check)

describe('the same figure wherever it appears', () => {
  it('views and their visits by channel add up to those of stats', () => {
    holds((question) => {
      const all = asked<Totals>(question, 'stats')
      const rows = asked<Totals[]>(question, 'metrics/expanded', ['type', 'channel'], ['limit', '10000'])
      for (const figure of ['pageviews', 'visits', 'bounces'] as const)
        expect(sum(rows.map((row) => row[figure]))).toBe(all[figure])
      expect(Math.abs(sum(rows.map((row) => row.totaltime)) - all.totaltime)).toBeLessThanOrEqual(rows.length)
    })
  })

  it('views and custom events by bucket add up to all of them', () => {
    holds((question) => {
      const { pageviews, visitors } = asked<Totals>(question, 'stats')
      const series = asked<{ pageviews: Row[]; sessions: Row[] }>(question, 'pageviews', ['unit', 'week'])
      expect(sum(series.pageviews.map(({ y }) => y))).toBe(pageviews)
      expect(sum(series.sessions.map(({ y }) => y))).toBeGreaterThanOrEqual(visitors)
      const events = asked<Row[]>(question, 'events/series', ['unit', 'week']).filter(({ x }) => x !== '')
      const names = asked<Row[]>(question, 'metrics', ['type', 'event'], ['limit', '10000'])
      expect(sum(events.map(({ y }) => y))).toBe(sum(names.map(({ y }) => y)))
    })
  })

  it('visits by the bucket of their first view add up to all of them', () => {
    type Series = Record<'visits' | 'bounces' | 'totaltime', Row[]>
    holds((question) => {
      const all = asked<Totals>(question, 'stats')
      const series = asked<Series>(question, 'pageviews', ['unit', 'week'], ['include', 'visits'])
      const of = (figure: keyof Series) => sum(series[figure].map(({ y }) => y))
      expect([of('visits'), of('bounces')]).toEqual([all.visits, all.bounces])
      expect(all.totaltime - of('totaltime')).toBeGreaterThanOrEqual(0)
      expect(all.totaltime - of('totaltime')).toBeLessThanOrEqual(series.visits.length)
    })
  })

  it('visits with an event and visits without it add up to all', () => {
    holds((question) => {
      const matters = /^(event\d*|match|filters.*|segment|epf\d+)$/
      const query = question.request.query.filter(([name]) => !matters.test(name))
      const plain = { ...question, request: { ...question.request, query } }
      const all = asked<Totals>(plain, 'stats')
      const parts = ['eq.signup', 'neq.signup'].map((value) => asked<Totals>(plain, 'stats', ['event', value]))
      for (const figure of ['pageviews', 'visits', 'bounces'] as const)
        expect(sum(parts.map((part) => part[figure]))).toBe(all[figure])
    })
  })

  it('a fill adds nothing but zeros', () => {
    const named: Statistic[] = ['pageviews', 'events/series']
    holds((question) => {
      for (const endpoint of named) {
        const [plain, filled] = ['false', 'true'].map((fill) =>
          asked<Row[] | { pageviews: Row[] }>(question, endpoint, ['unit', 'month'], ['fill', fill]),
        )
        const rows = (body: typeof plain) => (Array.isArray(body) ? body : body!.pageviews)
        expect(rows(filled).filter(({ y }) => y !== 0)).toEqual(rows(plain))
      }
    })
  })
})

describe('buckets', () => {
  const moments = fc.integer({ min: Date.UTC(2023, 0), max: Date.UTC(2026, 0) })
  const drawn = fc.tuple(moments, fc.nat({ max: 3_000_000_000 }), fc.double({ min: 0, max: 1, noNaN: true }))

  it('of a range hold each moment of it, and nothing else', () => {
    fc.assert(
      fc.property(drawn, timezones, fc.constantFrom(...UNITS), ([start, length, place], timezone, unit) => {
        const span = unit === 'minute' ? Math.floor(length / 1000) : length
        const range = { start, end: start + span }
        const buckets = bucketsOf(range, unit, timezone)
        const moment = Math.floor(start + place * span)
        const bucket = bucketOf(moment, unit, timezone)
        expect(bucket).toBeLessThanOrEqual(moment)
        expect(buckets).toContain(bucket)
        expect(buckets[0]).toBe(bucketOf(start, unit, timezone))
        expect(buckets.at(-1)).toBe(bucketOf(range.end, unit, timezone))
      }),
      { numRuns: runs(200, 500) },
    )
  })
})
