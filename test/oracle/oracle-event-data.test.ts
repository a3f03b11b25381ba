import { describe, expect, it } from 'vitest'
import { answer } from './answer.ts'
import { array, ask, boolean, DAY, date, event, id, number, OTHER_WEBSITE, string, WEBSITE } from './fixtures.ts'
import type { Endpoint, IngestRow } from './model.ts'

const createdAt = '2025-10-15T12:00:00Z'
const plan = {
  dataKey: 'plan',
  stringValue: 'pro',
  numberValue: null,
  dateValue: null,
  dataType: 1,
  createdAt,
}
const price = {
  dataKey: 'price',
  stringValue: '10.0000',
  numberValue: 10,
  dateValue: null,
  dataType: 2,
  createdAt,
}
const bought = event({ event_name: 'buy', url_path: '/cart' }, [number('price', '10.0000'), string('plan', 'pro')])

function body(rows: IngestRow[], endpoint: Endpoint, query = ''): unknown {
  return ask(rows, endpoint, `${DAY}&${query}`).body
}

describe('event-data', () => {
  it('groups the properties of an event, by key; its text is the text as stored', () => {
    expect(body([bought], 'event-data')).toEqual({
      data: [{ websiteId: WEBSITE, eventId: id(1), eventName: 'buy', eventProperties: [plan, price] }],
      count: 1,
      page: 1,
      pageSize: 20,
    })
  })

  it('has only events with at least one property, of whatever kind', () => {
    const rows = [event(), event({ event_type: 5, event_id: id(2) }, [string('plan', 'pro')])]
    expect(body(rows, 'event-data')).toMatchObject({ count: 1, data: [{ eventId: id(2) }] })
  })

  it('orders keys by their UTF-8 bytes', () => {
    const row = event({ event_name: 'x' }, [string('😀', ''), string('\uffee', ''), string('b', ''), string('B', '')])
    expect(body([row], 'event-data-pivot', 'eventName=x')).toMatchObject({
      data: [{ propertyKeys: ['B', 'b', '\uffee', '😀'] }],
    })
  })

  it('orders a repeated key by data type, then text', () => {
    const row = event({ event_name: 'x' }, [number('a', '1'), string('a', 'z'), string('a', 'b')])
    expect(body([row], 'event-data-pivot', 'eventName=x')).toMatchObject({
      data: [{ propertyValues: ['b', 'z', '1'] }],
    })
  })

  it('shows dates to the second, before 1970 too', () => {
    const row = event({}, [date('at', '1969-12-31T23:59:59.500Z')])
    expect(body([row], 'event-data')).toMatchObject({
      data: [{ eventProperties: [{ stringValue: '1969-12-31T23:59:59.500Z', dateValue: '1969-12-31T23:59:59Z' }] }],
    })
  })
})

describe('event-data/:eventId', () => {
  const one = (eventId: string, websiteId = WEBSITE) =>
    answer([bought, event({ event_id: id(2) })], { endpoint: 'event-data/:eventId', websiteId, eventId, query: [] })

  it('has one row per property, by key', () => {
    const base = { websiteId: WEBSITE, sessionId: id(100), eventId: id(1), urlPath: '/cart', eventName: 'buy' }
    expect(one(id(1))).toEqual({
      body: [
        { ...base, ...plan },
        { ...base, ...price },
      ],
      headers: {},
    })
  })

  it('is [] for an event that is unknown, has no property or is of another website', () => {
    expect([one(id(9)).body, one(id(2)).body, one(id(1), OTHER_WEBSITE).body]).toEqual([[], [], []])
  })
})

describe('event-data-pivot', () => {
  it('has parallel arrays by key, of events of that very name with at least one property', () => {
    const rows = [bought, event({ event_name: 'buy' }), event({ event_name: 'Buy' }, [string('plan', 'pro')])]
    expect(body(rows, 'event-data-pivot', 'eventName=buy')).toEqual({
      data: [
        {
          eventId: id(1),
          sessionId: id(100),
          eventName: 'buy',
          urlPath: '/cart',
          createdAt,
          propertyKeys: ['plan', 'price'],
          propertyValues: ['pro', '10'],
        },
      ],
      count: 1,
      page: 1,
      pageSize: 20,
    })
  })

  it('takes the name as it stands, and event for the usual filter', () => {
    const row = event({ event_name: 'eq.a,b' }, [string('plan', 'pro')])
    expect(body([row], 'event-data-pivot', 'eventName=eq.a,b&event=c.a')).toMatchObject({ count: 1 })
    expect(body([row], 'event-data-pivot', 'eventName=eq.a,b&event=c.x&match=any')).toMatchObject({ count: 0 })
  })

  it('shows numbers as shortest decimals, dates to the second, arrays as their JSON', () => {
    const row = event({ event_name: 'x' }, [
      number('a', '10.5000'),
      number('b', '-0.0001'),
      number('c', '123456789012345678.1000'),
      number('d', '0.0000'),
      date('e', '2025-10-15T16:26:28.999Z'),
      boolean('f', true),
      array('g', ['a', 1]),
    ])
    expect(body([row], 'event-data-pivot', 'eventName=x')).toMatchObject({
      data: [
        { propertyValues: ['10.5', '-0.0001', '123456789012345678.1', '0', '2025-10-15T16:26:28Z', 'true', '["a",1]'] },
      ],
    })
  })
})

describe('counts', () => {
  const signedUp = event({ event_name: 'signup' }, [string('plan', 'pro'), number('price', '10.5')])
  const rows = [bought, bought, signedUp, event({ event_name: 'signup' }, [number('plan', '10')]), event()]

  it('event-data/events: by event name, property name, data type', () => {
    expect(body(rows, 'event-data/events')).toEqual([
      { eventName: 'buy', propertyName: 'plan', dataType: 1, total: 2 },
      { eventName: 'buy', propertyName: 'price', dataType: 2, total: 2 },
      { eventName: 'signup', propertyName: 'plan', dataType: 1, total: 1 },
      { eventName: 'signup', propertyName: 'plan', dataType: 2, total: 1 },
      { eventName: 'signup', propertyName: 'price', dataType: 2, total: 1 },
    ])
  })

  it('event-data/events with event: the same rows for the events that pass it as a filter', () => {
    expect(body(rows, 'event-data/events', 'event=c.BU')).toEqual([
      { eventName: 'buy', propertyName: 'plan', dataType: 1, total: 2 },
      { eventName: 'buy', propertyName: 'price', dataType: 2, total: 2 },
    ])
  })

  it('event-data/properties: by event name, total descending, property name', () => {
    expect(body(rows, 'event-data/properties')).toEqual([
      { eventName: 'buy', propertyName: 'plan', total: 2, dataType: 1 },
      { eventName: 'buy', propertyName: 'price', total: 2, dataType: 2 },
      { eventName: 'signup', propertyName: 'plan', total: 2, dataType: 1 },
      { eventName: 'signup', propertyName: 'price', total: 1, dataType: 2 },
    ])
    expect(body(rows, 'event-data/properties', 'propertyName=price')).toEqual([
      { eventName: 'buy', propertyName: 'price', total: 2, dataType: 2 },
      { eventName: 'signup', propertyName: 'price', total: 1, dataType: 2 },
    ])
  })

  it('event-data/properties: the type of most values, the smaller of ties', () => {
    const mixed = event({}, [number('b', '1'), string('a', 'x'), number('a', '1'), number('b', '2'), string('b', 'x')])
    expect(body([mixed], 'event-data/properties')).toEqual([
      { eventName: '', propertyName: 'b', total: 3, dataType: 2 },
      { eventName: '', propertyName: 'a', total: 2, dataType: 1 },
    ])
  })

  it('event-data/fields: by total descending, property name, value, data type', () => {
    expect(body([...rows, event({}, [string('plan', '10')])], 'event-data/fields')).toEqual([
      { propertyName: 'plan', dataType: 1, value: 'pro', total: 3 },
      { propertyName: 'price', dataType: 2, value: '10', total: 2 },
      { propertyName: 'plan', dataType: 1, value: '10', total: 1 },
      { propertyName: 'plan', dataType: 2, value: '10', total: 1 },
      { propertyName: 'price', dataType: 2, value: '10.5', total: 1 },
    ])
  })

  it('event-data/fields with eventName: of events of that very name', () => {
    expect(body(rows, 'event-data/fields', 'eventName=c.buy')).toEqual([])
    expect(body(rows, 'event-data/fields', 'eventName=buy')).toEqual([
      { propertyName: 'plan', dataType: 1, value: 'pro', total: 2 },
      { propertyName: 'price', dataType: 2, value: '10', total: 2 },
    ])
  })

  it('event-data/stats: an array of one object', () => {
    expect(body(rows, 'event-data/stats')).toEqual([{ events: 4, properties: 2, records: 7 }])
    expect(body([], 'event-data/stats')).toEqual([{ events: 0, properties: 0, records: 0 }])
  })

  it('cuts bare lists by limit and offset, and tells the full number of rows', () => {
    const named = Array.from({ length: 501 }, (_, n) => event({ event_name: String(n).padStart(3, '0') }, [plainTag]))
    const row = (eventName: string) => ({ eventName, propertyName: 'tag', total: 1, dataType: 1 })
    expect(ask(named, 'event-data/properties', `${DAY}&limit=2&offset=499`)).toEqual({
      body: [row('499'), row('500')],
      headers: { 'x-total-count': '501' },
    })
    expect(body(named, 'event-data/properties')).toHaveLength(500)
  })
  const plainTag = string('tag', 'a')
})

describe('event-data/values', () => {
  const rows = [
    event({ event_name: 'a,b' }, [string('tags', 'true'), array('list', ['x', 'x', 1, [2], '1'])]),
    event({ event_name: 'a' }, [boolean('tags', true), array('list', ['x'])]),
    event({ event_name: 'b' }, [number('tags', '10.0000'), string('list', '["x"]')]),
  ]

  it('counts values over all events when no event is named; equal texts are one value', () => {
    expect(body(rows, 'event-data/values', 'propertyName=tags')).toEqual([
      { value: 'true', total: 2 },
      { value: '10', total: 1 },
    ])
  })

  it.each([['event=a,b'], ['eventName=a,b'], ['event=a,b&eventName=a,b']])('takes %s as it stands', (query) => {
    expect(body(rows, 'event-data/values', `propertyName=tags&${query}&tag=x&tag1=&match=any`)).toEqual([
      { value: 'true', total: 1 },
    ])
  })

  it('takes filters[event] for the usual filter', () => {
    expect(body(rows, 'event-data/values', 'propertyName=tags&filters[event]=a,b')).toEqual([
      { value: '10', total: 1 },
      { value: 'true', total: 1 },
    ])
  })

  it('counts rows of one data type', () => {
    expect(body(rows, 'event-data/values', 'propertyName=tags&dataType=3')).toEqual([{ value: 'true', total: 1 }])
    expect(body(rows, 'event-data/values', 'propertyName=list&dataType=1')).toEqual([{ value: '["x"]', total: 1 }])
  })

  it('counts array elements for data type 5: the text of strings, the JSON of others', () => {
    expect(body(rows, 'event-data/values', 'propertyName=list&dataType=5')).toEqual([
      { value: 'x', total: 3 },
      { value: '1', total: 2 },
      { value: '[2]', total: 1 },
    ])
  })

  it('counts dates of one second together', () => {
    const dates = ['.001', '.999'].map((ms) => event({}, [date('at', `2025-10-15T16:26:28${ms}Z`)]))
    expect(body(dates, 'event-data/values', 'propertyName=at')).toEqual([{ value: '2025-10-15T16:26:28Z', total: 2 }])
  })
})
