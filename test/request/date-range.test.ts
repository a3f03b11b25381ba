import { describe, expect, it } from 'vitest'
import { periodOf } from '../../src/request/date-range.ts'
import { always } from '../../src/request/period.ts'

/** This day is a Sunday. */
const sunday = '2025-03-09T15:30:40.123Z'

const between = (dateRange: string, zone = 'UTC', now = sunday): string[] => {
  const { startAt, endAt } = periodOf(dateRange, Date.parse(now), zone)!
  return [startAt, endAt].map((moment) => new Date(moment).toISOString())
}

describe('a saved date range', () => {
  it.each([
    ['0hour', '2025-03-09T15:00:00.000Z', '2025-03-09T15:59:59.999Z'],
    ['24hour', '2025-03-08T15:00:00.000Z', '2025-03-09T15:59:59.999Z'],
    ['0day', '2025-03-09T00:00:00.000Z', '2025-03-09T23:59:59.999Z'],
    ['1day', '2025-03-08T00:00:00.000Z', '2025-03-09T23:59:59.999Z'],
    ['30day', '2025-02-07T00:00:00.000Z', '2025-03-09T23:59:59.999Z'],
    ['0week', '2025-03-03T00:00:00.000Z', '2025-03-09T23:59:59.999Z'],
    ['2week', '2025-02-17T00:00:00.000Z', '2025-03-09T23:59:59.999Z'],
    ['0month', '2025-03-01T00:00:00.000Z', '2025-03-31T23:59:59.999Z'],
    ['1month', '2025-02-01T00:00:00.000Z', '2025-03-31T23:59:59.999Z'],
    ['15month', '2023-12-01T00:00:00.000Z', '2025-03-31T23:59:59.999Z'],
    ['0year', '2025-01-01T00:00:00.000Z', '2025-12-31T23:59:59.999Z'],
    ['1year', '2024-01-01T00:00:00.000Z', '2025-12-31T23:59:59.999Z'],
    ['125year', '1900-01-01T00:00:00.000Z', '2025-12-31T23:59:59.999Z'],
    ['007day', '2025-03-02T00:00:00.000Z', '2025-03-09T23:59:59.999Z'],
  ])('%s is the current unit and that many units before it', (dateRange, start, end) => {
    expect(between(dateRange)).toStrictEqual([start, end])
  })

  it.each(['126year', '1950year', '9999year', '9999month'])(
    '%s begins at the earliest time that can be stored',
    (dateRange) => {
      expect(periodOf(dateRange, Date.parse(sunday), 'UTC')?.startAt).toBe(always.startAt)
    },
  )

  it('follows the time zone’s calendar, in which days may be longer or shorter', () => {
    expect(between('0day', 'America/New_York')).toStrictEqual(['2025-03-09T05:00:00.000Z', '2025-03-10T03:59:59.999Z'])
    expect(between('1week', 'Pacific/Auckland')).toStrictEqual(['2025-03-02T11:00:00.000Z', '2025-03-16T10:59:59.999Z'])
    expect(between('0year', 'Asia/Kolkata')).toStrictEqual(['2024-12-31T18:30:00.000Z', '2025-12-31T18:29:59.999Z'])
    expect(between('1hour', 'Asia/Kolkata')).toStrictEqual(['2025-03-09T14:30:00.000Z', '2025-03-09T16:29:59.999Z'])
    expect(between('0hour', 'Asia/Kathmandu')).toStrictEqual(['2025-03-09T15:15:00.000Z', '2025-03-09T16:14:59.999Z'])
  })

  it('is in hours of the clock, also after a change by half an hour', () => {
    const before = between('0hour', 'Australia/Lord_Howe', '2025-10-04T15:10:00.000Z')
    expect(before).toStrictEqual(['2025-10-04T14:30:00.000Z', '2025-10-04T15:29:59.999Z'])
    const after = between('0hour', 'Australia/Lord_Howe', '2025-10-04T18:10:00.000Z')
    expect(after).toStrictEqual(['2025-10-04T18:00:00.000Z', '2025-10-04T18:59:59.999Z'])
  })

  it('begins on Monday if it is in weeks', () => {
    expect(between('0week', 'UTC', '2025-03-10T00:00:00.000Z')[0]).toBe('2025-03-10T00:00:00.000Z')
    expect(between('0week', 'UTC', '2025-03-09T23:59:59.999Z')[0]).toBe('2025-03-03T00:00:00.000Z')
  })

  it('works for months of any length if it is in months', () => {
    expect(between('1month', 'UTC', '2024-03-31T12:00:00.000Z')[0]).toBe('2024-02-01T00:00:00.000Z')
    expect(between('0month', 'UTC', '2024-02-29T12:00:00.000Z')[1]).toBe('2024-02-29T23:59:59.999Z')
  })

  it('may be two moments, both inclusive, or all', () => {
    expect(periodOf('range:0:9999999999999', 0, 'UTC')).toStrictEqual({ startAt: 0, endAt: 9_999_999_999_999 })
    expect(periodOf('range:5:5', 0, 'UTC')).toStrictEqual({ startAt: 5, endAt: 5 })
    expect(periodOf('all', 0, 'UTC')).toStrictEqual(always)
  })

  it.each([
    ...['', ' ', 'day', '30', '30 day', '30days', '30d', '-1day', '+1day', '1.5day', '1e3day', '10000day', '30DAY'],
    ...['30minute', '30quarter', 'ALL', 'all ', ' 30day', '30day\n', '30day\0', '٣day', 'today', '2025-10-15'],
    ...['range', 'range:', 'range:1', 'range:1:', 'range::1', 'range:2:1', 'range:-1:1', 'range:1:1.5', 'range:1:2:3'],
    ...['range:1:10000000000000', 'range: 1:2', 'range:x:y', 'range:0x1:2'],
  ])('is refused: %j', (dateRange) => {
    expect(periodOf(dateRange, Date.parse(sunday), 'UTC')).toBeUndefined()
  })
})
