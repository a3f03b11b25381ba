import { describe, expect, it } from 'vitest'
import { compared, comparison, range } from '../../src/request/period.ts'
import { query } from '../../src/request/query-string.ts'

const { schema } = query(range)

const at = (text: string): number => Date.parse(text)
const between = (start: string, end: string) => ({ startAt: at(start), endAt: at(end) })
const texts = ({ startAt, endAt }: { startAt: number; endAt: number }): string[] =>
  [startAt, endAt].map((moment) => new Date(moment).toISOString())

const period = (raw: Record<string, string>): string[] => texts(schema.parse(raw).period)

const issues = (raw: Record<string, string | string[]>): [string, string][] =>
  (schema.safeParse(raw).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message])

describe('a range', () => {
  it('may be given as two moments in milliseconds', () => {
    expect(schema.parse({ startAt: '0', endAt: '9999999999999' })).toStrictEqual({
      period: { startAt: 0, endAt: 9_999_999_999_999 },
    })
    expect(schema.parse({ startAt: '100000000000', endAt: '100000000000' }).period).toStrictEqual({
      startAt: 1e11,
      endAt: 1e11,
    })
  })

  it('may be given as whole days in its time zone', () => {
    const days = { startDate: '2025-03-08', endDate: '2025-03-09' }
    expect(period(days)).toStrictEqual(['2025-03-08T00:00:00.000Z', '2025-03-09T23:59:59.999Z'])
    expect(period({ ...days, timezone: 'America/Havana' })).toStrictEqual([
      '2025-03-08T05:00:00.000Z',
      '2025-03-10T03:59:59.999Z',
    ])
    expect(period({ ...days, timezone: 'Pacific/Apia' })).toStrictEqual([
      '2025-03-07T11:00:00.000Z',
      '2025-03-09T10:59:59.999Z',
    ])
  })

  it('may be given as moments with offsets, whatever its time zone', () => {
    const moments = { startDate: '2025-10-15T00:00:00+02:00', endDate: '2025-10-15T12:00:00.5Z' }
    const expected = ['2025-10-14T22:00:00.000Z', '2025-10-15T12:00:00.500Z']
    expect(period(moments)).toStrictEqual(expected)
    expect(period({ ...moments, timezone: 'Asia/Tokyo' })).toStrictEqual(expected)
  })

  it('may start with a day and end with a moment', () => {
    expect(period({ startDate: '2025-10-15', endDate: '2025-10-15T12:00:00Z' })).toStrictEqual([
      '2025-10-15T00:00:00.000Z',
      '2025-10-15T12:00:00.000Z',
    ])
  })

  it('is refused if it is one day that the calendar skipped, while a longer range simply omits that day', () => {
    const days = { startDate: '2011-12-30', endDate: '2011-12-30', timezone: 'Pacific/Apia' }
    expect(issues(days)).toStrictEqual([['endDate', 'Must not be before startDate.']])
    expect(period({ ...days, endDate: '2011-12-31' })).toStrictEqual([
      '2011-12-30T10:00:00.000Z',
      '2011-12-31T09:59:59.999Z',
    ])
  })

  it('may be given in both ways if they describe the same range', () => {
    const numbers = { startAt: String(at('2025-10-14T15:00:00Z')), endAt: String(at('2025-10-15T14:59:59.999Z')) }
    const expected = ['2025-10-14T15:00:00.000Z', '2025-10-15T14:59:59.999Z']
    const moments = { startDate: '2025-10-15T00:00:00+09:00', endDate: '2025-10-15T14:59:59.999Z' }
    expect(period({ ...numbers, ...moments })).toStrictEqual(expected)
    const days = { ...numbers, startDate: '2025-10-15', endDate: '2025-10-15' }
    expect(period({ ...days, timezone: 'Asia/Tokyo' })).toStrictEqual(expected)
    expect(issues(days)).toStrictEqual([
      ['startDate', 'Must be the same moment as startAt, or left out.'],
      ['endDate', 'Must be the same moment as endAt, or left out.'],
    ])
    const { endDate: _, ...halved } = { ...numbers, ...moments }
    expect(issues(halved)).toStrictEqual([['endDate', 'This parameter is required.']])
    expect(issues({ startAt: numbers.startAt, endDate: moments.endDate })).toStrictEqual([
      ['startDate', 'This parameter is required.'],
      ['endAt', 'This parameter is required.'],
    ])
  })

  it('is refused, with a hint, if it is in seconds', () => {
    const hint =
      'Must be milliseconds since 1970, from 100000000000 on. These look like seconds: multiply them by 1000.'
    for (const endAt of ['0', '1760486400', '99999999999']) {
      expect(issues({ startAt: '0', endAt })).toContainEqual(['endAt', hint])
    }
  })
})

describe('the comparison period', () => {
  it('has the same length and ends one millisecond before the range', () => {
    expect(compared({ startAt: 1000, endAt: 1999 }, { to: 'prev' })).toStrictEqual({ startAt: 0, endAt: 999 })
    expect(compared({ startAt: 1000, endAt: 1000 }, { to: 'prev' })).toStrictEqual({ startAt: 999, endAt: 999 })
    expect(compared({ startAt: 0, endAt: 9 }, { to: 'prev' })).toStrictEqual({ startAt: -10, endAt: -1 })
    expect(texts(compared(between('2025-03-01T00:00:00Z', '2025-03-31T23:59:59.999Z'), { to: 'prev' }))).toStrictEqual([
      '2025-01-29T00:00:00.000Z',
      '2025-02-28T23:59:59.999Z',
    ])
  })

  it('is as long as the range, however early the range starts', () => {
    expect(texts(compared({ startAt: 0, endAt: 9_999_999_999_999 }, { to: 'prev' }))).toStrictEqual([
      '1653-02-10T06:13:20.000Z',
      '1969-12-31T23:59:59.999Z',
    ])
  })

  it.each([
    ['2025-10-15T16:26:28.123Z', '2024-10-15T16:26:28.123Z'],
    ['2024-02-29T12:00:00.000Z', '2023-02-28T12:00:00.000Z'],
    ['2024-02-29T23:59:59.999Z', '2023-02-28T23:59:59.999Z'],
    ['2025-02-28T12:00:00.000Z', '2024-02-28T12:00:00.000Z'],
    ['2025-03-01T00:00:00.000Z', '2024-03-01T00:00:00.000Z'],
    ['2000-02-29T00:00:00.000Z', '1999-02-28T00:00:00.000Z'],
    ['1970-01-01T00:00:00.000Z', '1969-01-01T00:00:00.000Z'],
  ])('a year before %s is %s', (moment, before) => {
    expect(texts(compared(between(moment, moment), { to: 'yoy', zone: 'UTC' }))).toStrictEqual([before, before])
  })
})

describe('the same period a year before, in local time', () => {
  const yearBefore = (start: string, end: string, zone: string): string[] =>
    texts(compared(between(start, end), { to: 'yoy', zone }))

  it('is the same time of day, whether or not daylight saving applies', () => {
    // 3 November has 24 hours in New York in 2025, and 25 in 2024.
    expect(yearBefore('2025-11-03T05:00:00Z', '2025-11-04T04:59:59.999Z', 'America/New_York')).toStrictEqual([
      '2024-11-03T04:00:00.000Z',
      '2024-11-04T04:59:59.999Z',
    ])
    expect(yearBefore('2025-10-31T23:00:00Z', '2025-11-01T22:59:59.999Z', 'Europe/Berlin')).toStrictEqual([
      '2024-10-31T23:00:00.000Z',
      '2024-11-01T22:59:59.999Z',
    ])
  })

  it('is 28 February if the day in the zone is 29 February', () => {
    expect(yearBefore('2024-02-28T15:00:00Z', '2024-02-29T14:59:59.999Z', 'Asia/Tokyo')).toStrictEqual([
      '2023-02-27T15:00:00.000Z',
      '2023-02-28T14:59:59.999Z',
    ])
  })

  it('is the first moment after a gap, and includes both moments with the same local time', () => {
    expect(yearBefore('2026-03-09T06:30:00Z', '2026-03-09T06:45:00Z', 'America/New_York')).toStrictEqual([
      '2025-03-09T07:00:00.000Z',
      '2025-03-09T07:00:00.000Z',
    ])
    expect(yearBefore('2026-11-02T06:30:00Z', '2026-11-02T06:30:00Z', 'America/New_York')).toStrictEqual([
      '2025-11-02T05:30:00.000Z',
      '2025-11-02T06:30:00.000Z',
    ])
  })

  it('uses the request’s time zone, unlike other comparisons', () => {
    const { schema } = query(range, comparison)
    const raw = { startAt: '0', endAt: '100000000000', timezone: 'Asia/Tokyo' }
    expect(schema.parse({ ...raw, compare: 'yoy' }).compare).toStrictEqual({ to: 'yoy', zone: 'Asia/Tokyo' })
    expect(schema.parse({ startAt: '0', endAt: '100000000000', compare: 'yoy' }).compare).toStrictEqual({
      to: 'yoy',
      zone: 'UTC',
    })
    expect(schema.parse({ ...raw, compare: 'prev' }).compare).toStrictEqual({ to: 'prev' })
    expect(schema.parse(raw).compare).toStrictEqual({ to: 'prev' })
  })
})
