import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ageAt, type CacheTimes, freshUntil, maxAge, sharedPeriod } from '../../src/cache/times.ts'

const times: CacheTimes = { open: 5, shared: 60, closed: 3600, settled: 300, stale: 30, onError: 86_400 }
const minute = 60_000
const noon = Date.UTC(2026, 0, 1, 12)

describe('an answer', () => {
  it('is fresh for an hour if its range ended over five minutes before it was computed', () => {
    for (const isOpening of [true, false]) {
      const ageing = { endsAt: noon - 300_001, isOpening }
      expect(freshUntil(times, ageing, noon)).toBe(noon + 3_600_000)
    }
  })

  it('is fresh for seconds in other cases, or for a minute through a share or a public website', () => {
    for (const endsAt of [noon - 300_000, noon, noon + 1, Infinity]) {
      expect(freshUntil(times, { endsAt, isOpening: false }, noon)).toBe(noon + 5000)
      expect(freshUntil(times, { endsAt, isOpening: true }, noon)).toBe(noon + 60_000)
    }
  })

  it('is fresh for the report’s own lifetime, if any, and is not served while being refreshed', () => {
    for (const isOpening of [true, false]) {
      const ageing = { endsAt: Infinity, isOpening, lifetime: 7 }
      const ages = [6999, 7000, 86_406_999, 86_407_000].map((later) => ageAt(times, ageing, noon, noon + later))
      expect(ages).toEqual(['fresh', 'old', 'old', 'gone'])
    }
  })

  it('becomes stale after that, then old, and then expires', () => {
    const ages = [-1, 0, 4999, 5000, 34_999, 35_000, 86_404_999, 86_405_000].map((later) =>
      ageAt(times, { endsAt: noon, isOpening: false }, noon, noon + later),
    )
    expect(ages).toEqual(['fresh', 'fresh', 'fresh', 'stale', 'stale', 'old', 'old', 'gone'])
    expect(maxAge(times)).toBe(3600 + 86_400)
  })

  it('does not stay fresh for longer if its range ends later', () => {
    const ageing = { endsAt: noon, isOpening: false }
    expect(ageAt(times, ageing, noon, noon + 301_000)).toBe('old')
  })
})

const shared = (startAt: number, endAt: number, now = noon) => sharedPeriod(times, { startAt, endAt }, now)

describe('a range that ends near the current time', () => {
  it('begins and ends at whole minutes', () => {
    expect(shared(noon - 86_400_000 + 12_345, noon + 12_345)).toEqual({ startAt: noon - 86_400_000, endAt: noon - 1 })
    expect(shared(noon - 86_400_000 + 59_999, noon + 59_998)).toEqual({ startAt: noon - 86_400_000, endAt: noon - 1 })
    expect(shared(noon - 86_400_000, noon + 59_999)).toEqual({ startAt: noon - 86_400_000, endAt: noon + 59_999 })
  })

  it('stays as it is if it has whole minutes, ended long ago, ends far in the future or is short', () => {
    for (const [startAt, endAt] of [
      [noon - 86_400_000, noon - 1],
      [noon - 86_400_000 + 1, noon - 300_001],
      [noon - 86_400_000 + 1, noon + 300_001],
      [noon - 29 * minute + 1, noon + 1],
    ] as const) {
      expect(shared(startAt, endAt)).toEqual({ startAt, endAt })
    }
    const period = { startAt: noon - 86_400_000 + 1, endAt: noon + 1 }
    expect(sharedPeriod({ ...times, shared: 0 }, period, noon)).toEqual(period)
  })

  it('moves back by at most a minute, never forward, and then stays at those whole minutes', () => {
    const moments = fc.integer({ min: -400_000, max: 400_000 })
    fc.assert(
      fc.property(moments, fc.integer({ min: 0, max: 400 * 86_400_000 }), moments, (offset, length, later) => {
        const asked = { startAt: noon + offset - length, endAt: noon + offset }
        const answered = shared(asked.startAt, asked.endAt)
        for (const end of ['startAt', 'endAt'] as const) {
          expect(asked[end] - answered[end]).toBeGreaterThanOrEqual(0)
          expect(asked[end] - answered[end]).toBeLessThan(minute)
        }
        expect(answered.endAt).toBeGreaterThanOrEqual(answered.startAt)
        const isMoved = answered.startAt !== asked.startAt || answered.endAt !== asked.endAt
        if (isMoved) expect(shared(answered.startAt, answered.endAt, noon + later)).toEqual(answered)
      }),
    )
  })

  it('is the same range for all requests within a minute', () => {
    fc.assert(
      fc.property(fc.nat(59_998), fc.nat(59_998), (one, other) => {
        expect(shared(noon + one - 86_400_000, noon + one)).toEqual(shared(noon + other - 86_400_000, noon + other))
      }),
    )
  })
})
