import { describe, expect, it } from 'vitest'
import { analysisOf, array, boolean, DAY, date, event, id, number, record, string, view } from './fixtures.ts'
import { columnInstant } from './instants.ts'
import type { SessionReport } from './model.ts'
import type { SessionRecord } from './session-records.ts'

const [ANN, BOB, CAY] = [id(101), id(102), id(103)] as const

const rows = [
  view('10:00:00', { session_id: ANN, visit_id: id(201), event_id: id(1) }),
  view('11:00:00', { session_id: ANN, visit_id: id(202), event_id: id(2) }),
  event({ session_id: BOB, visit_id: id(203), event_id: id(3), event_name: 'buy' }),
  event({ session_id: CAY, visit_id: id(204), event_id: id(4), event_type: 5 }),
]

const said = (session_id: string, time: string, ...properties: ReturnType<typeof string>[]) =>
  record(time, properties, { session_id })

const of = (records: SessionRecord[], endpoint: SessionReport, query = '', beside = {}) =>
  analysisOf(rows, endpoint, `${DAY}&${query}`, { records, ...beside })

const property = (records: SessionRecord[], beside = {}) =>
  (
    of(records, 'sessions/:sessionId/properties', '', { sessionId: ANN, ...beside }) as {
      stringValue: string
      dataType: number
    }[]
  ).map(({ stringValue, dataType }) => [stringValue, dataType])

describe('the current value of a key', () => {
  it('is the latest, whatever its type', () => {
    const records = [said(ANN, '12:00:00', number('age', '9')), said(ANN, '11:00:00', string('age', 'old'))]
    expect(property(records)).toEqual([['9', 2]])
  })

  it('is of the greatest type, then the greatest text at one time', () => {
    const records = [
      said(ANN, '12:00:00', number('age', '9'), number('age', '10')),
      said(ANN, '12:00:00', string('age', 'z')),
    ]
    expect(property(records)).toEqual([['9', 2]])
  })

  it('is one of those since the reset', () => {
    const records = [said(ANN, '12:00:00', string('a', 'late')), said(ANN, '09:00:00', string('b', 'early'))]
    expect(property(records, { resetAt: columnInstant('2025-10-15 10:00:00.000') })).toEqual([['late', 1]])
  })
})

describe('sessions/:sessionId/properties', () => {
  it('lists them by key', () => {
    const records = [
      said(ANN, '12:00:00', number('n', '10.5000'), date('d', '2025-01-01T00:00:01.500Z')),
      said(ANN, '13:00:00', string('a', 'x'), array('Z', [1])),
      said(BOB, '13:00:00', string('b', 'x')),
    ]
    expect(of(records, 'sessions/:sessionId/properties', '', { sessionId: ANN })).toMatchObject([
      { dataKey: 'Z', stringValue: '[1]', numberValue: null, dateValue: null, createdAt: '2025-10-15T13:00:00Z' },
      { dataKey: 'a', sessionId: ANN },
      { dataKey: 'd', dataType: 4, dateValue: '2025-01-01T00:00:01Z' },
      { dataKey: 'n', stringValue: '10.5', numberValue: 10.5, createdAt: '2025-10-15T12:00:00Z' },
    ])
    expect(of(records, 'sessions/:sessionId/properties', '', { sessionId: CAY })).toEqual([])
  })
})

describe('session data', () => {
  const records = [
    said(ANN, '09:00:00', string('plan', 'pro'), array('tags', ['a', 'a', 1]), boolean('ok', true)),
    said(BOB, '09:30:00', string('plan', 'pro'), number('age', '30'), string('x', 'pro')),
    said(CAY, '09:30:00', string('plan', 'of a web vital')),
  ]

  it('properties counts sessions with an action, most first', () => {
    const row = (propertyName: string, dataType: number, total: number) => ({ propertyName, dataType, total })
    expect(of(records, 'session-data/properties')).toEqual([
      row('plan', 1, 2),
      row('age', 2, 1),
      row('ok', 3, 1),
      row('tags', 5, 1),
      row('x', 1, 1),
    ])
    expect(of(records, 'session-data/properties', 'propertyName=age')).toEqual([
      row('age', 2, 1),
      row('plan', 1, 1),
      row('x', 1, 1),
    ])
    expect(of(records, 'session-data/properties', 'pf_plan=eq.free')).toEqual([])
    expect(of(records, 'session-data/properties', 'pf_age=2.gt.29&search=PL')).toEqual([row('plan', 1, 1)])
  })

  it('values counts sessions for each text, of arrays also for each element', () => {
    expect(of(records, 'session-data/values', 'propertyName=plan')).toEqual([{ value: 'pro', total: 2 }])
    expect(of(records, 'session-data/values')).toEqual([
      { value: 'pro', total: 2 },
      { value: '30', total: 1 },
      { value: '["a","a",1]', total: 1 },
      { value: 'true', total: 1 },
    ])
    expect(of(records, 'session-data/values', 'dataType=5')).toEqual([
      { value: '1', total: 1 },
      { value: 'a', total: 1 },
    ])
    expect(of(records, 'session-data/values', 'dataType=2&propertyName=plan')).toEqual([])
  })

  it('stats adds what the sessions of a text did', () => {
    const empty = said(BOB, '10:00:00', string('plan', ''))
    expect(of(records, 'session-data/stats', 'propertyName=plan')).toEqual([
      { label: 'pro', activity: 3, sessions: 2, visits: 3, views: 2, events: 1 },
    ])
    expect(of([...records, empty], 'session-data/stats', 'propertyName=plan')).toMatchObject([
      { label: 'pro', sessions: 1, activity: 2 },
    ])
    expect(of(records, 'session-data/stats', 'propertyName=plan&event=buy')).toMatchObject([{ activity: 1 }])
  })

  it('pivot shows all that a session has, by the latest record that still counts', () => {
    const later = [
      ...records,
      record('10:00:00', [string('plan', 'free')], { session_id: ANN, distinct_id: 'a' }),
      record('10:00:00', [string('new', '1')], { session_id: ANN, distinct_id: 'b' }),
      record('08:00:00', [string('plan', 'old')], { session_id: BOB, distinct_id: 'z' }),
    ]
    expect(of(later, 'session-data-pivot', 'propertyName=plan')).toEqual({
      ...{ count: 2, page: 1, pageSize: 20 },
      data: [
        {
          ...{ sessionId: ANN, distinctId: 'b', createdAt: '2025-10-15T10:00:00Z' },
          propertyKeys: ['new', 'ok', 'plan', 'tags'],
          propertyValues: ['1', 'true', 'free', '["a","a",1]'],
        },
        {
          ...{ sessionId: BOB, distinctId: '', createdAt: '2025-10-15T09:30:00Z' },
          propertyKeys: ['age', 'plan', 'x'],
          propertyValues: ['30', 'pro', 'pro'],
        },
      ],
    })
    const shared = of(later, 'session-data-pivot', 'propertyName=plan', { isShare: true })
    expect(shared).toMatchObject({ data: [{ distinctId: '' }, { distinctId: '' }] })
    expect(of(later, 'session-data-pivot', 'propertyName=tags')).toMatchObject({ count: 1, data: [{ sessionId: ANN }] })
  })

  it('series are by the time of the records, which may lie outside the range', () => {
    const before = record('09:00:00', [string('plan', 'pro'), number('age', '1')], {
      ...{ session_id: BOB, created_at: '2020-01-01 00:30:00.000' },
    })
    const some = [records[0]!, before]
    const day = `propertyName=plan&unit=day&fill=true&startAt=1760486400000&endAt=1760659200000`
    expect(analysisOf(rows, 'session-data/property-series', day, { records: some })).toEqual([
      { x: 'pro', t: '2020-01-01T00:00:00Z', y: 1 },
      { x: 'pro', t: '2025-10-15T00:00:00Z', y: 1 },
      { x: 'pro', t: '2025-10-16T00:00:00Z', y: 0 },
      { x: 'pro', t: '2025-10-17T00:00:00Z', y: 0 },
    ])
    expect(of(some, 'session-data/numeric-series', 'propertyName=age&unit=hour')).toEqual([
      { t: '2020-01-01T00:00:00Z', y: 1 },
    ])
    expect(of(some, 'session-data/array-series', 'propertyName=tags&unit=day')).toEqual([
      { x: '1', t: '2025-10-15T00:00:00Z', y: 1 },
      { x: 'a', t: '2025-10-15T00:00:00Z', y: 1 },
    ])
  })

  it('date series and numbers', () => {
    const some = [
      said(ANN, '09:00:00', date('d', '2025-01-01T00:00:01.500Z'), number('n', '1.5')),
      said(BOB, '09:00:00', date('d', '2025-01-01T00:00:01.000Z'), number('n', '-3')),
    ]
    expect(of(some, 'session-data/date-series', 'propertyName=d')).toEqual([{ t: '2025-01-01T00:00:01Z', y: 2 }])
    expect(of(some, 'session-data/numeric-stats', 'propertyName=n')).toEqual({
      ...{ total: -1.5, average: -0.75, median: -0.75, max: 1.5, min: -3 },
    })
    expect(of([], 'session-data/numeric-stats', 'propertyName=n')).toEqual({
      ...{ total: 0, average: 0, median: 0, max: 0, min: 0 },
    })
  })
})
