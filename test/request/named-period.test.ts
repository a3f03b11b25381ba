import { describe, expect, it } from 'vitest'
import { isPeriodName, namedPeriod } from '../../src/request/named-period.ts'
import { range } from '../../src/request/period.ts'
import { query } from '../../src/request/query-string.ts'
import { random } from '../fuzz/random.ts'
import { PERIOD_NAMES, periodCalled } from '../oracle/periods.ts'
import { seed } from '../support/seed.ts'

const named = (name: string, now: string, zone = 'UTC', first?: number): string[] => {
  const { startAt, endAt } = namedPeriod(name, { now: Date.parse(now), zone, first })!
  return [startAt, endAt].map((moment) => new Date(moment).toISOString())
}

describe('a named period', () => {
  it('ends now, rounded down to the second, unless it is already over', () => {
    const now = '2026-11-28T16:47:57.999Z'
    expect(named('today', now)).toEqual(['2026-11-28T00:00:00.000Z', '2026-11-28T16:47:57.000Z'])
    expect(named('last_month', now)).toEqual(['2026-10-01T00:00:00.000Z', '2026-10-31T23:59:59.999Z'])
  })

  it('is 30 times 24 hours for 30d, and whole days including today for last_30_days', () => {
    const now = '2026-11-28T16:47:57Z'
    expect(named('30d', now)).toEqual(['2026-10-29T16:47:57.000Z', '2026-11-28T16:47:57.000Z'])
    expect(named('last_30_days', now)).toEqual(['2026-10-30T00:00:00.000Z', '2026-11-28T16:47:57.000Z'])
    expect(named('last_30_days', now, 'Europe/Berlin')[0]).toBe('2026-10-29T23:00:00.000Z')
  })

  it('never ends before it starts', () => {
    expect(named('all_time', '2026-11-28T16:47:57.600Z', 'UTC', Date.parse('2026-11-28T16:47:57.500Z'))).toEqual([
      '2026-11-28T16:47:57.500Z',
      '2026-11-28T16:47:57.500Z',
    ])
    expect(named('all_time', '2026-11-28T16:47:57.600Z')).toEqual([
      '2026-11-28T16:47:57.000Z',
      '2026-11-28T16:47:57.000Z',
    ])
    expect(named('last_9999_years', '2026-11-28T16:47:57Z')[0]).toBe('1970-01-01T00:00:00.000Z')
  })

  it('matches the oracle in all time zones and at any time', () => {
    const zones = Intl.supportedValuesOf('timeZone')
    const draw = random(seed)
    const drawn = Array.from({ length: 40 }, () => ({
      now: Date.UTC(2010, 0) + draw.whole(20 * 365) * 86_400_000 + draw.whole(86_400_000),
      zone: draw.pick(zones),
    }))
    for (const { now, zone } of drawn) {
      for (const name of PERIOD_NAMES) {
        const first = now - 12_345_678
        const period = namedPeriod(name, { now, zone, first })
        expect({ name, now, zone, ...period }).toEqual({ name, now, zone, ...periodCalled(name, zone, now, first) })
      }
    }
  })

  it.each(['', 'now', '31d', '7D', ' 7d', 'last_0_days', 'last_12345_days', 'last_hour', 'this_7_days', 'toString'])(
    'is not %j',
    (name) => {
      expect(isPeriodName(name)).toBe(false)
    },
  )
})

describe('the ends of a range', () => {
  const issues = (raw: Record<string, string>) =>
    Object.fromEntries(
      (query(range).schema.safeParse(raw).error?.issues ?? []).map(({ path, message }) => [path[0], message]),
    )

  it.each(['2026-11-28', '2026-11-28T16:47:57Z'])('cannot be ISO dates: %s', (date) => {
    for (const message of Object.values(issues({ startAt: date, endAt: date }))) {
      expect(message).toMatch(/^Must be milliseconds .*startDate.*period/)
    }
    expect(Object.keys(issues({ startAt: date, endAt: date }))).toEqual(['startAt', 'endAt'])
  })

  it('cannot be in seconds', () => {
    expect(issues({ startAt: '1764348477', endAt: '1764348478' }).endAt).toMatch(/seconds/)
  })

  it.each(['startAt', 'endAt', 'startDate', 'endDate'])('cannot be combined with a period: %s', (name) => {
    const value = name.endsWith('At') ? '1764348477000' : '2026-11-28'
    expect(issues({ period: '7d', [name]: value })).toEqual({
      period: 'Leave it out if startAt, endAt, startDate or endDate is given.',
    })
  })

  it('may be missing if the period is misspelt, which causes one error instead of three', () => {
    expect(issues({ period: '31d' })).toEqual({ period: expect.stringMatching(/^Must be one of: today, .*last_/) })
  })
})
