import { beforeAll, describe, expect, it } from 'vitest'
import { event, id, view } from '../oracle/fixtures.ts'
import { day, websiteWith } from '../support/website.ts'
import { read } from '../support/weir.ts'

const moment = (iso: string): number => Date.parse(iso)
const at = (iso: string, place: number) =>
  event({ event_id: id(place), event_type: 1, created_at: iso.replace('T', ' ').replace('Z', '') })

describe('a moment’s bucket', () => {
  const cases: readonly (readonly [name: string, unit: string, timezone: string, at: string, label: string])[] = [
    ['the night when New York has 01:00 twice: first', 'hour', 'America/New_York', '2025-11-02T05:30:00Z', '05:00'],
    ['the night when New York has 01:00 twice: second', 'hour', 'America/New_York', '2025-11-02T06:30:00Z', '06:00'],
    ['an hour in Kathmandu', 'hour', 'Asia/Kathmandu', '2025-10-15T07:14:59.999Z', '06:15'],
    ['an hour in Chatham', 'hour', 'Pacific/Chatham', '2025-10-15T07:14:59.999Z', '06:15'],
    ['an hour in St. John’s', 'hour', 'America/St_Johns', '2025-10-15T07:29:00Z', '06:30'],
    ['Lord Howe, 01:59 in summer time', 'hour', 'Australia/Lord_Howe', '2025-04-05T14:59:00Z', '14:00'],
    ['Lord Howe, then 01:30 in winter time', 'hour', 'Australia/Lord_Howe', '2025-04-05T15:00:00Z', '14:30'],
    ['Lord Howe, then 02:00', 'hour', 'Australia/Lord_Howe', '2025-04-05T15:30:00Z', '15:30'],
    ['a minute', 'minute', 'Asia/Kathmandu', '2025-10-15T07:14:59.999Z', '07:14'],
    ['a day in Kathmandu', 'day', 'Asia/Kathmandu', '2025-10-15T07:14:00Z', '2025-10-14T18:15'],
    ['a day in Cairo without midnight', 'day', 'Africa/Cairo', '2025-04-25T12:00:00Z', '2025-04-24T22:00'],
    ['a day in Santiago without midnight', 'day', 'America/Santiago', '2025-09-07T12:00:00Z', '2025-09-07T04:00'],
    ['a day of 25 hours', 'day', 'America/Santiago', '2025-04-06T03:59:59Z', '2025-04-05T03:00'],
    ['the day after that', 'day', 'America/Santiago', '2025-04-06T04:00:00Z', '2025-04-06T04:00'],
    ['a month', 'month', 'America/New_York', '2025-12-01T04:59:59Z', '2025-11-01T04:00'],
    ['a year', 'year', 'America/New_York', '2025-06-15T00:00:00Z', '2025-01-01T05:00'],
  ]

  let websiteId: string
  beforeAll(async () => {
    const moments = [...new Set(cases.map(([, , , iso]) => iso))]
    websiteId = await websiteWith(...moments.map(at))
  })

  const buckets = async (startAt: number, endAt: number, query: object) =>
    (await read(websiteId, 'pageviews', { startAt, endAt, ...query })).body.pageviews

  it.each(cases)('%s', async (_, unit, timezone, iso, label) => {
    const expected = label.includes('T') ? label : `${iso.slice(0, 11)}${label}`
    const range = [moment(iso), moment(iso)] as const
    expect(await buckets(...range, { unit, timezone })).toEqual([{ x: `${expected}:00Z`, y: 1 }])
  })

  it('exists for every hour of a night in which clocks go back', async () => {
    const hours = (from: string, to: string, timezone: string) =>
      buckets(moment(from), moment(to), { unit: 'hour', timezone, fill: 'true' })
    expect(await hours('2025-11-02T04:00:00Z', '2025-11-03T04:59:59Z', 'America/New_York')).toHaveLength(25)
    expect(await hours('2025-04-05T14:00:00Z', '2025-04-05T16:29:59Z', 'Australia/Lord_Howe')).toEqual([
      { x: '2025-04-05T14:00:00Z', y: 1 },
      { x: '2025-04-05T14:30:00Z', y: 1 },
      { x: '2025-04-05T15:30:00Z', y: 1 },
    ])
  })
})

describe.concurrent('pageviews', () => {
  let websiteId: string
  beforeAll(async () => {
    websiteId = await websiteWith(
      view('00:10:00', { event_id: id(1) }),
      view('00:20:00', { event_id: id(2), visit_id: id(201) }),
      view('02:00:00', { event_id: id(3), session_id: id(101), visit_id: id(202) }),
      event({ event_id: id(4), created_at: '2025-10-15 01:00:00.000' }),
    )
  })
  const ask = async (query: object) => (await read(websiteId, 'pageviews', { ...query })).body
  const x = (hour: number) => `2025-10-15T0${hour}:00:00Z`

  it('counts views and sessions, not visits, and omits empty buckets', async () => {
    expect(await ask({ ...day, unit: 'hour' })).toEqual({
      pageviews: [
        { x: x(0), y: 2 },
        { x: x(2), y: 1 },
      ],
      sessions: [
        { x: x(0), y: 1 },
        { x: x(2), y: 1 },
      ],
    })
    const [startAt, endAt] = [day.startAt + 600_000, day.startAt + 2 * 3_600_000]
    const { pageviews } = await ask({ startAt, endAt, unit: 'hour', fill: 'true' })
    expect(pageviews).toEqual([2, 0, 1].map((y, hour) => ({ x: x(hour), y })))
  })

  it('compares only on request, with the other range’s own times and the main range’s unit', async () => {
    const [main, before] = ['2025-10-16', '2025-10-15'].map((date) => ({
      startDate: `${date}T00:00:00.000Z`,
      endDate: `${date}T23:59:59.999Z`,
    }))
    expect(await ask({ startDate: '2025-10-16', endDate: '2025-10-16', compare: 'prev' })).toEqual({
      ...{ pageviews: [], sessions: [], ...main },
      compare: { ...(await ask({ ...day, unit: 'hour' })), ...before },
    })
  })

  it('uses the same unit for a compared range that is one day shorter', async () => {
    const lastYear = await websiteWith(at('2023-02-10T12:00:00.000Z', 1))
    const query = { startDate: '2024-02-01', endDate: '2024-03-03', compare: 'yoy' }
    expect((await read(lastYear, 'pageviews', query)).body).toMatchObject({
      compare: { pageviews: [{ x: '2023-02-10T00:00:00Z', y: 1 }], endDate: '2023-03-03T23:59:59.999Z' },
    })
  })

  it.each([
    ['an hour, plus less than a minute', '2025-10-15T13:35:55.999Z', '2025-10-15T12:34:00Z'],
    ['an hour and a minute', '2025-10-15T13:35:56Z', '2025-10-15T12:00:00Z'],
    ['30 days, plus less than one', '2025-11-15T12:34:55.999Z', '2025-10-15T12:00:00Z'],
    ['31 days', '2025-11-15T12:34:56Z', '2025-10-15T00:00:00Z'],
    ['up to May', '2026-05-31T23:59:59Z', '2025-10-15T00:00:00Z'],
    ['up to June', '2026-06-01T00:00:00Z', '2025-10-01T00:00:00Z'],
    ['up to October, two years on', '2027-10-31T00:00:00Z', '2025-10-01T00:00:00Z'],
    ['up to November, two years on', '2027-11-01T00:00:00Z', '2025-01-01T00:00:00Z'],
  ])('chooses a unit: %s', async (_, end, bucket) => {
    const seen = await websiteWith(view('12:34:56'))
    const range = { startAt: moment('2025-10-15T12:34:56Z'), endAt: moment(end) }
    expect((await read(seen, 'pageviews', range)).body).toMatchObject({ pageviews: [{ x: bucket, y: 1 }] })
  })
})

describe('events/series', () => {
  const names = ['b 1', 'a 1', 'a 2', 'c 2', 'b 3'].map((one) => one.split(' ') as [string, string])
  let websiteId: string
  beforeAll(async () => {
    const named = ([event_name, hour]: [string, string], place: number) =>
      event({ event_id: id(place), event_name, created_at: `2025-10-15 0${hour}:30:00.000` })
    websiteId = await websiteWith(...names.map(named), view('01:00:00', { event_id: id(9) }))
  })

  /** Lines such as `a 1 1`: name, hour and number. */
  const series = async (query: object) =>
    (await read(websiteId, 'events/series', { ...day, unit: 'hour', ...query })).body
      .map(({ x, t, y }: { x: string; t: string; y: number }) => `${x} ${moment(t) / 3_600_000 - 489_024} ${y}`)
      .join(', ')

  it.each([
    ['by time, then by name', {}, 'a 1 1, b 1 1, a 2 1, c 2 1, b 3 1'],
    ['for the names with the most events; ties are broken by name', { limit: 1 }, 'a 1 1, a 2 1'],
    ['that pass a filter', { limit: 1, event: 'neq.a' }, 'b 1 1, b 3 1'],
    [
      'with empty buckets for each name',
      { limit: 1, fill: 'true', startAt: 1760490000000, endAt: 1760497200000 },
      'a 1 1, a 2 1, a 3 0',
    ],
  ])('counts custom events %s', async (_, query, expected) => {
    expect(await series(query)).toBe(expected)
  })
})
