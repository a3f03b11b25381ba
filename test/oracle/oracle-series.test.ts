import { describe, expect, it } from 'vitest'
import { bucketOf, bucketsOf, type Unit } from './buckets.ts'
import { array, boolean, DAY, date, event, id, number, statisticOf, string, view } from './fixtures.ts'
import { isoSecond } from './instants.ts'
import type { IngestRow, Property, Statistic } from './model.ts'

const moment = (iso: string): number => Date.parse(iso)

describe('the bucket of a moment', () => {
  it.each([
    ['the night when New York has 01:00 twice: first', 'hour', 'America/New_York', '2025-11-02T05:30:00Z', '05:00'],
    ['the night when New York has 01:00 twice: then', 'hour', 'America/New_York', '2025-11-02T06:30:00Z', '06:00'],
    ['an hour of Kathmandu', 'hour', 'Asia/Kathmandu', '2025-10-15T07:14:59.999Z', '06:15'],
    ['an hour of Chatham', 'hour', 'Pacific/Chatham', '2025-10-15T07:14:59.999Z', '06:15'],
    ['an hour of St. John’s', 'hour', 'America/St_Johns', '2025-10-15T07:29:00Z', '06:30'],
    ['Lord Howe, 01:59 of summer time', 'hour', 'Australia/Lord_Howe', '2025-04-05T14:59:00Z', '14:00'],
    ['Lord Howe, then 01:30 of winter time', 'hour', 'Australia/Lord_Howe', '2025-04-05T15:00:00Z', '14:30'],
    ['Lord Howe, then 02:00', 'hour', 'Australia/Lord_Howe', '2025-04-05T15:30:00Z', '15:30'],
    ['a minute', 'minute', 'Asia/Kathmandu', '2025-10-15T07:14:59.999Z', '07:14'],
    ['a day of Kathmandu', 'day', 'Asia/Kathmandu', '2025-10-15T07:14:00Z', '2025-10-14T18:15'],
    ['a day whose midnight Cairo skips', 'day', 'Africa/Cairo', '2025-04-25T12:00:00Z', '2025-04-24T22:00'],
    ['a day whose midnight Santiago skips', 'day', 'America/Santiago', '2025-09-07T12:00:00Z', '2025-09-07T04:00'],
    ['the day of 25 hours before', 'day', 'America/Santiago', '2025-04-06T03:59:59Z', '2025-04-05T03:00'],
    ['and the day after it', 'day', 'America/Santiago', '2025-04-06T04:00:00Z', '2025-04-06T04:00'],
    ['a week from Monday, on a Sunday', 'week', 'UTC', '2025-10-19T23:59:59.999Z', '2025-10-13T00:00'],
    ['a week on a Monday', 'week', 'UTC', '2025-10-20T00:00:00Z', '2025-10-20T00:00'],
    ['a month', 'month', 'America/New_York', '2025-12-01T04:59:59Z', '2025-11-01T04:00'],
    ['a year', 'year', 'America/New_York', '2025-06-15T00:00:00Z', '2025-01-01T05:00'],
  ] as [string, Unit, string, string, string][])('%s', (_name, unit, timezone, iso, label) => {
    const expected = label.includes('T') ? label : `${iso.slice(0, 11)}${label}`
    expect(isoSecond(bucketOf(moment(iso), unit, timezone))).toBe(`${expected}:00Z`)
  })

  it('gives the day of a clock change 25 hours', () => {
    const range = { start: moment('2025-11-02T04:00:00Z'), end: moment('2025-11-03T04:59:59.999Z') }
    expect(bucketsOf(range, 'hour', 'America/New_York')).toHaveLength(25)
    expect(bucketsOf(range, 'day', 'America/New_York')).toEqual([range.start])
  })

  it('has both short hours of the night when Lord Howe turns back half an hour', () => {
    const range = { start: moment('2025-04-05T14:00:00Z'), end: moment('2025-04-05T16:29:59Z') }
    expect(bucketsOf(range, 'hour', 'Australia/Lord_Howe').map(isoSecond)).toEqual([
      '2025-04-05T14:00:00Z',
      '2025-04-05T14:30:00Z',
      '2025-04-05T15:30:00Z',
    ])
  })
})

describe('pageviews', () => {
  const rows = [
    view('00:10:00', { event_id: id(1) }),
    view('00:20:00', { event_id: id(2), visit_id: id(201) }),
    view('02:00:00', { event_id: id(3), session_id: id(101), visit_id: id(202) }),
    event({ created_at: '2025-10-15 01:00:00.000' }),
  ]
  const of = (query: string) => statisticOf(rows, 'pageviews', query)

  it('counts views, and sessions rather than visits, without empty buckets', () => {
    expect(of(`${DAY}&unit=hour`)).toEqual({
      pageviews: [
        { x: '2025-10-15T00:00:00Z', y: 2 },
        { x: '2025-10-15T02:00:00Z', y: 1 },
      ],
      sessions: [
        { x: '2025-10-15T00:00:00Z', y: 1 },
        { x: '2025-10-15T02:00:00Z', y: 1 },
      ],
    })
  })

  it('answers the empty buckets of the range with fill', () => {
    expect(of('startAt=1760487000000&endAt=1760493600000&unit=hour&fill=true')).toMatchObject({
      pageviews: [
        { x: '2025-10-15T00:00:00Z', y: 2 },
        { x: '2025-10-15T01:00:00Z', y: 0 },
        { x: '2025-10-15T02:00:00Z', y: 1 },
      ],
    })
  })

  it('compares only when asked, labelled by its own times, in the unit of the main range', () => {
    expect(of('startDate=2025-10-16&endDate=2025-10-16&compare=prev')).toEqual({
      pageviews: [],
      sessions: [],
      startDate: '2025-10-16T00:00:00.000Z',
      endDate: '2025-10-16T23:59:59.999Z',
      compare: {
        ...Object(of(`${DAY}&unit=hour`)),
        startDate: '2025-10-15T00:00:00.000Z',
        endDate: '2025-10-15T23:59:59.999Z',
      },
    })
  })

  it('keeps the unit for a compared window that is a day shorter', () => {
    const lastYear = [event({ event_type: 1, created_at: '2023-02-10 12:00:00.000' })]
    const query = 'startDate=2024-02-01&endDate=2024-03-03&compare=yoy'
    expect(statisticOf(lastYear, 'pageviews', query)).toMatchObject({
      compare: { pageviews: [{ x: '2023-02-10T00:00:00Z', y: 1 }], endDate: '2023-03-03T23:59:59.999Z' },
    })
  })

  it.each([
    ['an hour and less than a minute', 3_659_999, '2025-10-15T12:34:00Z'],
    ['an hour and a minute', 3_660_000, '2025-10-15T12:00:00Z'],
    ['30 days and less than one more', 31 * 86_400_000 - 1, '2025-10-15T12:00:00Z'],
    ['31 days', 31 * 86_400_000, '2025-10-15T00:00:00Z'],
    ['up to May', moment('2026-05-31T23:59:59Z') - moment('2025-10-15T12:34:56Z'), '2025-10-15T00:00:00Z'],
    ['up to June', moment('2026-06-01T00:00:00Z') - moment('2025-10-15T12:34:56Z'), '2025-10-01T00:00:00Z'],
    [
      'up to October, two years on',
      moment('2027-10-31T00:00:00Z') - moment('2025-10-15T12:34:56Z'),
      '2025-10-01T00:00:00Z',
    ],
    ['up to November then', moment('2027-11-01T00:00:00Z') - moment('2025-10-15T12:34:56Z'), '2025-01-01T00:00:00Z'],
  ])('chooses a unit: %s', (_name, span, x) => {
    const start = moment('2025-10-15T12:34:56Z')
    const answer = statisticOf([view('12:34:56')], 'pageviews', `startAt=${start}&endAt=${start + span}`)
    expect(answer).toMatchObject({ pageviews: [{ x, y: 1 }] })
  })

  it('refuses more than 50,000 buckets', () => {
    expect(() => of('startDate=2025-01-01&endDate=2025-10-15&unit=minute')).toThrow('too many buckets')
  })
})

describe('events/series', () => {
  const named = (event_name: string, hour: number) => event({ event_name, created_at: `2025-10-15 0${hour}:30:00.000` })
  const rows = [named('b', 1), named('a', 1), named('a', 2), named('c', 2), named('b', 3), view('01:00:00')]
  const of = (query: string) => statisticOf(rows, 'events/series', `${DAY}&unit=hour&${query}`)
  const row = (x: string, hour: number, y = 1) => ({ x, t: `2025-10-15T0${hour}:00:00Z`, y })

  it('counts custom events by time, then by name', () => {
    expect(of('')).toEqual([row('a', 1), row('b', 1), row('a', 2), row('c', 2), row('b', 3)])
  })

  it('keeps the names with the most events among the filtered ones, ties by name', () => {
    expect(of('limit=1')).toEqual([row('a', 1), row('a', 2)])
    expect(of('limit=1&event=neq.a')).toEqual([row('b', 1), row('b', 3)])
  })

  it('fills each name that is in it', () => {
    const hours = 'startAt=1760490000000&endAt=1760497200000&unit=hour&fill=true&limit=1'
    expect(statisticOf(rows, 'events/series', hours)).toEqual([row('a', 1), row('a', 2), row('a', 3, 0)])
  })
})

describe('event-data-pivot', () => {
  const bought = (hour: number, properties: Property[], changes: Partial<IngestRow> = {}) =>
    event({ event_name: 'buy', created_at: `2025-10-15 0${hour}:30:00.000`, ...changes }, properties)
  const of = (rows: IngestRow[], statistic: string, query = '') => {
    const asked = `${DAY}&unit=hour&eventName=buy&propertyName=p&${query}`
    return statisticOf(rows, `event-data-pivot/${statistic}` as Statistic, asked)
  }
  const t = (hour: number) => `2025-10-15T0${hour}:00:00Z`

  it('property-series counts events for each text and each truth', () => {
    const rows = [
      bought(1, [string('p', 'true'), boolean('p', true)]),
      bought(1, [string('p', 'pro')]),
      bought(2, [boolean('p', true)]),
      bought(2, [string('p', 'of a view')], { event_type: 1 }),
      bought(2, [string('p', 'of a web vital')], { event_type: 5 }),
      bought(2, [number('p', '1'), string('q', 'other')]),
      bought(2, [string('p', 'other')], { event_name: 'Buy' }),
    ]
    expect(of(rows, 'property-series')).toEqual([
      { x: 'pro', t: t(1), y: 1 },
      { x: 'true', t: t(1), y: 1 },
      { x: 'of a view', t: t(2), y: 1 },
      { x: 'true', t: t(2), y: 1 },
    ])
    expect(of(rows, 'property-series', 'event=nothing')).toEqual([])
    expect(of(rows, 'property-series', 'pf_p=eq.pro')).toEqual([{ x: 'pro', t: t(1), y: 1 }])
  })

  it('array-series counts elements', () => {
    const rows = [bought(1, [array('p', ['x', 'x', 1, [2]])]), bought(2, [array('p', ['x'])])]
    expect(of(rows, 'array-series')).toEqual([
      { x: '1', t: t(1), y: 1 },
      { x: '[2]', t: t(1), y: 1 },
      { x: 'x', t: t(1), y: 2 },
      { x: 'x', t: t(2), y: 1 },
    ])
  })

  it('date-series counts events by the second that the property names', () => {
    const at = (iso: string) => bought(1, [date('p', iso)])
    const rows = [at('2026-01-01T00:00:01.900Z'), at('1999-01-01T00:00:00.000Z'), at('2026-01-01T00:00:01.000Z')]
    expect(of(rows, 'date-series')).toEqual([
      { t: '1999-01-01T00:00:00Z', y: 1 },
      { t: '2026-01-01T00:00:01Z', y: 2 },
    ])
  })

  const priced = [1, 1, 3].map((hour, index) => bought(hour, [number('p', ['0.1', '0.2', '-5.5'][index]!)]))

  it('numeric-series adds exactly, averages and counts', () => {
    const hours = 'fill=true&startAt=1760490000000&endAt=1760500799999'
    expect(of(priced, 'numeric-series')).toEqual([
      { t: t(1), y: 0.3 },
      { t: t(3), y: -5.5 },
    ])
    expect(of(priced, 'numeric-series', `metric=count&${hours}`)).toEqual([
      { t: t(1), y: 2 },
      { t: t(2), y: 0 },
      { t: t(3), y: 1 },
    ])
    expect(of(priced, 'numeric-series', `metric=avg&${hours}`)).toEqual([
      { t: t(1), y: 0.15 },
      { t: t(3), y: -5.5 },
    ])
  })

  it('numeric-stats has the middle value, or the mean of the two', () => {
    expect(of(priced, 'numeric-stats')).toMatchObject({ total: -5.2, median: 0.1, max: 0.2, min: -5.5 })
    expect(of(priced.slice(0, 2), 'numeric-stats')).toEqual({
      total: 0.3,
      average: 0.15,
      median: 0.15,
      max: 0.2,
      min: 0.1,
    })
    expect(of([], 'numeric-stats')).toEqual({ total: 0, average: 0, median: 0, max: 0, min: 0 })
  })
})
