import { describe, expect, it, vi } from 'vitest'
import { clockAt, dayOf, hasWholeHours, momentsOf, startOfDay, startOfNextDay } from '../../src/request/time-zone.ts'

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString()

const hours = (day: string, zone: string): number => (startOfNextDay(day, zone) - startOfDay(day, zone)) / 3_600_000

describe('a day in a time zone', () => {
  it.each([
    ['2025-10-15', 'UTC', '2025-10-15T00:00:00.000Z'],
    ['2025-10-15', 'America/Los_Angeles', '2025-10-15T07:00:00.000Z'],
    ['2025-10-15', 'Asia/Kolkata', '2025-10-14T18:30:00.000Z'],
    ['2025-10-15', 'Asia/Kathmandu', '2025-10-14T18:15:00.000Z'],
    ['2025-10-15', 'Pacific/Kiritimati', '2025-10-14T10:00:00.000Z'],
    ['2025-10-15', 'Etc/GMT+12', '2025-10-15T12:00:00.000Z'],
    ['2024-02-29', 'Europe/Berlin', '2024-02-28T23:00:00.000Z'],
    ['1970-01-01', 'UTC', '1970-01-01T00:00:00.000Z'],
    ['1970-01-01', 'Asia/Tokyo', '1969-12-31T15:00:00.000Z'],
    ['2286-11-20', 'UTC', '2286-11-20T00:00:00.000Z'],
  ])('%s in %s starts at %s', (day, zone, start) => {
    expect(iso(startOfDay(day, zone))).toBe(start)
  })

  it.each([
    ['2025-03-09', 'America/Los_Angeles', 23],
    ['2025-11-02', 'America/Los_Angeles', 25],
    ['2025-10-05', 'Australia/Lord_Howe', 23.5],
    ['2025-04-06', 'Australia/Lord_Howe', 24.5],
    ['2025-10-15', 'UTC', 24],
  ])('%s in %s has %d hours', (day, zone, length) => {
    expect(hours(day, zone)).toBe(length)
  })

  it.each([
    // Clocks jump from 0:00 to 1:00, so the day starts at 1:00.
    ['2025-03-09', 'America/Havana', '2025-03-09T05:00:00.000Z', 23],
    ['2025-09-07', 'America/Santiago', '2025-09-07T04:00:00.000Z', 23],
    // Clocks go back from 1:00 to 0:00, so the day starts at the first midnight.
    ['2025-11-02', 'America/Havana', '2025-11-02T04:00:00.000Z', 25],
    // Clocks go back from 24:00 to 23:00, so the previous day is longer.
    ['2025-04-05', 'America/Santiago', '2025-04-05T03:00:00.000Z', 25],
    ['2025-04-06', 'America/Santiago', '2025-04-06T04:00:00.000Z', 24],
  ])('%s in %s starts at %s and has %d hours', (day, zone, start, length) => {
    expect([iso(startOfDay(day, zone)), hours(day, zone)]).toStrictEqual([start, length])
  })

  it('has a length of zero if the calendar skipped it', () => {
    expect(iso(startOfDay('2011-12-29', 'Pacific/Apia'))).toBe('2011-12-29T10:00:00.000Z')
    expect(iso(startOfDay('2011-12-30', 'Pacific/Apia'))).toBe('2011-12-30T10:00:00.000Z')
    expect(iso(startOfDay('2011-12-31', 'Pacific/Apia'))).toBe('2011-12-30T10:00:00.000Z')
    expect(['2011-12-29', '2011-12-30', '2011-12-31'].map((day) => hours(day, 'Pacific/Apia'))).toStrictEqual([
      24, 0, 24,
    ])
  })

  it('ends when the next one starts, even at the end of months and years', () => {
    expect(iso(startOfNextDay('2024-02-28', 'UTC'))).toBe('2024-02-29T00:00:00.000Z')
    expect(iso(startOfNextDay('2025-02-28', 'UTC'))).toBe('2025-03-01T00:00:00.000Z')
    expect(iso(startOfNextDay('2025-12-31', 'Asia/Tokyo'))).toBe('2025-12-31T15:00:00.000Z')
  })

  it('contains every moment from its start until the next day’s start', () => {
    for (const zone of ['UTC', 'America/Havana', 'America/Santiago', 'Pacific/Apia', 'Asia/Kathmandu']) {
      for (const day of ['2025-03-09', '2025-09-07', '2025-11-02', '2025-04-06', '2024-02-29']) {
        const [start, end] = [startOfDay(day, zone), startOfNextDay(day, zone)]
        expect([dayOf(start - 1, zone) < day, dayOf(start, zone), dayOf(end - 1, zone)]).toStrictEqual([true, day, day])
        expect(dayOf(end, zone) > day).toBe(true)
      }
    }
  })
})

describe('a local time', () => {
  const shown = (clock: string, zone: string) => {
    const { first, last } = momentsOf(Date.parse(`${clock}Z`), zone)
    return [iso(first), iso(last)]
  }

  it.each([
    ['2025-10-15T12:34:56.789', 'UTC', '2025-10-15T12:34:56.789Z'],
    ['2025-10-15T12:34:56.789', 'Asia/Kathmandu', '2025-10-15T06:49:56.789Z'],
    ['2025-10-15T00:00:00.000', 'Pacific/Kiritimati', '2025-10-14T10:00:00.000Z'],
    ['1969-12-31T16:00:00.001', 'America/Los_Angeles', '1970-01-01T00:00:00.001Z'],
    ['1969-06-01T00:00:00.000', 'Africa/Monrovia', '1969-06-01T00:44:30.000Z'],
    // These are the hour after a change, and the one before it.
    ['2025-03-09T03:00:00.000', 'America/New_York', '2025-03-09T07:00:00.000Z'],
    ['2025-03-09T01:59:59.999', 'America/New_York', '2025-03-09T06:59:59.999Z'],
  ])('%s in %s occurs once', (clock, zone, moment) => {
    expect(shown(clock, zone)).toStrictEqual([moment, moment])
    expect(iso(clockAt(Date.parse(moment), zone))).toBe(`${clock}Z`)
  })

  it.each([
    ['2025-11-02T01:30:00.000', 'America/New_York', '2025-11-02T05:30:00.000Z', '2025-11-02T06:30:00.000Z'],
    ['2025-11-02T01:00:00.000', 'America/New_York', '2025-11-02T05:00:00.000Z', '2025-11-02T06:00:00.000Z'],
    ['2025-11-02T01:59:59.999', 'America/New_York', '2025-11-02T05:59:59.999Z', '2025-11-02T06:59:59.999Z'],
    ['2025-04-06T01:45:00.000', 'Australia/Lord_Howe', '2025-04-05T14:45:00.000Z', '2025-04-05T15:15:00.000Z'],
  ])('%s in %s occurs twice', (clock, zone, first, last) => {
    expect(shown(clock, zone)).toStrictEqual([first, last])
  })

  it.each([
    ['2025-03-09T02:00:00.000', 'America/New_York', '2025-03-09T07:00:00.000Z'],
    ['2025-03-09T02:59:59.999', 'America/New_York', '2025-03-09T07:00:00.000Z'],
    ['2025-10-05T02:15:00.000', 'Australia/Lord_Howe', '2025-10-04T15:30:00.000Z'],
    ['2011-12-30T00:00:00.000', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
    ['2011-12-30T23:59:59.999', 'Pacific/Apia', '2011-12-30T10:00:00.000Z'],
  ])('%s in %s is skipped, and the first moment after it is %s', (clock, zone, next) => {
    expect(shown(clock, zone)).toStrictEqual([next, next])
  })
})

describe('UTC hours', () => {
  const year = (from: number) => ({ startAt: Date.UTC(from, 0), endAt: Date.UTC(from + 1, 0) - 1 })

  it.each([
    ['UTC', 2025, true],
    ['Europe/Berlin', 2025, true],
    ['America/New_York', 2025, true],
    ['Asia/Kathmandu', 2025, false],
    ['Asia/Kolkata', 2025, false],
    // In summer, clocks change by half an hour.
    ['Australia/Lord_Howe', 2025, false],
    // Until 2011, clocks changed a minute after midnight.
    ['America/Goose_Bay', 2010, false],
    ['America/Goose_Bay', 2015, true],
    // From 2007 to 2016, there was an additional half hour.
    ['America/Caracas', 2006, true],
    ['America/Caracas', 2007, false],
    ['America/Caracas', 2012, false],
    ['America/Caracas', 2017, true],
  ])('are whole hours in %s in %i: %s', (zone, from, expected) => {
    expect(hasWholeHours(zone, year(from))).toBe(expected)
  })

  const changes = (from: number, to: number) => ({ startAt: Date.UTC(from, 5), endAt: Date.UTC(to, 5) })

  it.each([
    // After 2040, the rules of that year apply. In Lord Howe, half of that year has whole hours.
    ['Australia/Lord_Howe', changes(2050, 2060), false],
    ['Australia/Lord_Howe', changes(2000, 2286), false],
    ['Europe/Berlin', changes(2050, 2060), true],
    ['Europe/Berlin', { startAt: 0, endAt: 9_999_999_999_999 }, true],
    // Clocks change by a whole hour, at one minute after midnight.
    ['America/Goose_Bay', { startAt: Date.UTC(2010, 2, 14, 4, 0), endAt: Date.UTC(2010, 2, 14, 4, 1) - 1 }, true],
    ['America/Goose_Bay', { startAt: Date.UTC(2010, 2, 14, 4, 0), endAt: Date.UTC(2010, 2, 14, 4, 1) }, false],
    ['America/Goose_Bay', { startAt: Date.UTC(2010, 2, 14, 4, 1), endAt: Date.UTC(2010, 9, 1) }, false],
    ['America/Goose_Bay', { startAt: Date.UTC(2010, 2, 14, 5), endAt: Date.UTC(2010, 9, 1) }, true],
  ])('are whole hours in %s in %j: %s', (zone, period, expected) => {
    expect(hasWholeHours(zone, period)).toBe(expected)
  })

  it('are checked with few local-time look-ups, however long the range is', () => {
    const looks = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts')
    expect(hasWholeHours('Europe/Berlin', { startAt: 0, endAt: 9_999_999_999_999 })).toBe(true)
    expect(looks.mock.calls.length).toBeLessThan(4000)
    looks.mockClear()
    expect(hasWholeHours('Europe/Berlin', { startAt: 1, endAt: 9_999_999_999_999 })).toBe(true)
    expect(looks.mock.calls.length).toBeLessThan(200)
    looks.mockRestore()
  })

  it('are checked only within the range', () => {
    const [change] = [Date.UTC(2007, 11, 9, 7)]
    expect(hasWholeHours('America/Caracas', { startAt: change - 400 * 86_400_000, endAt: change - 1 })).toBe(true)
    expect(hasWholeHours('America/Caracas', { startAt: change - 400 * 86_400_000, endAt: change })).toBe(false)
  })
})
