import { describe, expect, it } from 'vitest'
import { array, boolean, date, event, id, number, string } from '../oracle/fixtures.ts'
import { day, websiteWith } from '../support/website.ts'
import { get, read } from '../support/weir.ts'

const list = async (websiteId: string, report: string, query: Record<string, string> = {}): Promise<unknown> => {
  const { body, headers } = await read(websiteId, report, { ...day, ...query })
  expect(headers.get('x-total-count')).toBe(String(body.length))
  return body
}

/** Names with commas and operators, one key with two types, all five types, and an event without properties. */
const rows = [
  event({ event_id: id(1), event_name: 'buy' }, [string('plan', 'pro'), number('price', '10.0000')]),
  event({ event_id: id(2), event_name: 'buy' }, [string('plan', 'free'), number('price', '10.5000')]),
  event({ event_id: id(3), event_name: 'buy' }, [string('plan', 'pro'), date('due', '2025-12-31T23:59:59.999Z')]),
  event({ event_id: id(4), event_name: 'sign,up' }, [boolean('plan', true), string('c.x', 'a,b')]),
  event({ event_id: id(5), event_name: 'neq.buy', event_type: 1 }, [array('items', ['red', 'red', 7])]),
  event({ event_id: id(6), event_name: 'Buy', event_type: 5 }, [string('plan', 'pro')]),
  event({ event_id: id(7), event_name: 'none' }),
]

const filled = await websiteWith(...rows)

describe.concurrent('event-data/events', () => {
  it('counts properties by event name, property name and data type, in that order', async () => {
    expect(await list(filled, 'event-data/events')).toStrictEqual([
      { eventName: 'Buy', propertyName: 'plan', dataType: 1, total: 1 },
      { eventName: 'buy', propertyName: 'due', dataType: 4, total: 1 },
      { eventName: 'buy', propertyName: 'plan', dataType: 1, total: 3 },
      { eventName: 'buy', propertyName: 'price', dataType: 2, total: 2 },
      { eventName: 'neq.buy', propertyName: 'items', dataType: 5, total: 1 },
      { eventName: 'sign,up', propertyName: 'c.x', dataType: 1, total: 1 },
      { eventName: 'sign,up', propertyName: 'plan', dataType: 3, total: 1 },
    ])
  })
})

describe.concurrent('event-data/properties', () => {
  it('counts properties by event name and property name, sorted by name, then by frequency', async () => {
    expect(await list(filled, 'event-data/properties')).toStrictEqual([
      { eventName: 'Buy', propertyName: 'plan', total: 1, dataType: 1 },
      { eventName: 'buy', propertyName: 'plan', total: 3, dataType: 1 },
      { eventName: 'buy', propertyName: 'price', total: 2, dataType: 2 },
      { eventName: 'buy', propertyName: 'due', total: 1, dataType: 4 },
      { eventName: 'neq.buy', propertyName: 'items', total: 1, dataType: 5 },
      { eventName: 'sign,up', propertyName: 'c.x', total: 1, dataType: 1 },
      { eventName: 'sign,up', propertyName: 'plan', total: 1, dataType: 3 },
    ])
  })

  it('has one row per name with its most frequent type or, in a tie, the smaller type', async () => {
    const websiteId = await websiteWith(
      event({ event_id: id(1) }, [number('a', '1'), string('a', 'x'), number('b', '1'), string('b', 'x')]),
      event({ event_id: id(2) }, [number('b', '2'), number('A', '2')]),
    )
    const expected = [
      { eventName: '', propertyName: 'b', total: 3, dataType: 2 },
      { eventName: '', propertyName: 'a', total: 2, dataType: 1 },
      { eventName: '', propertyName: 'A', total: 1, dataType: 2 },
    ]
    expect(await list(websiteId, 'event-data/properties')).toStrictEqual(expected)
    // With a search, a different statement counts the types.
    const found = [expected[1], expected[2]]
    expect(await list(websiteId, 'event-data/properties', { search: 'a' })).toStrictEqual(found)
  })
})

describe.concurrent('event-data/fields', () => {
  it('counts values as texts, sorted by frequency, then by property and value', async () => {
    expect(await list(filled, 'event-data/fields')).toStrictEqual([
      { propertyName: 'plan', dataType: 1, value: 'pro', total: 3 },
      { propertyName: 'c.x', dataType: 1, value: 'a,b', total: 1 },
      { propertyName: 'due', dataType: 4, value: '2025-12-31T23:59:59Z', total: 1 },
      { propertyName: 'items', dataType: 5, value: '["red","red",7]', total: 1 },
      { propertyName: 'plan', dataType: 1, value: 'free', total: 1 },
      { propertyName: 'plan', dataType: 3, value: 'true', total: 1 },
      { propertyName: 'price', dataType: 2, value: '10', total: 1 },
      { propertyName: 'price', dataType: 2, value: '10.5', total: 1 },
    ])
  })

  it('returns numbers as exact decimals without trailing zeros', async () => {
    const numbers = ['10.0000', '0.0000', '-0.5000', '123456789012345678.1234', '0.0001', '1000000.0000', '-7.0000']
    const websiteId = await websiteWith(
      event(
        {},
        numbers.map((text, index) => number(String(index), text)),
      ),
    )
    const body = (await list(websiteId, 'event-data/fields')) as { value: string }[]
    expect(body.map(({ value }) => value)).toStrictEqual([
      ...['10', '0', '-0.5', '123456789012345678.1234', '0.0001', '1000000', '-7'],
    ])
  })

  it('counts different spellings of a number as one', async () => {
    const websiteId = await websiteWith(
      event({ event_id: id(1) }, [{ ...number('n', '1.5'), stringValue: '1.5000' }]),
      event({ event_id: id(2) }, [{ ...number('n', '1.5'), stringValue: '1.5' }]),
    )
    expect(await list(websiteId, 'event-data/fields')).toStrictEqual([
      { propertyName: 'n', dataType: 2, value: '1.5', total: 2 },
    ])
  })
})

describe.concurrent('event-data/values', () => {
  it('counts the values of one property of one event, sorted by frequency, then by value', async () => {
    expect(await list(filled, 'event-data/values', { event: 'buy', propertyName: 'plan' })).toStrictEqual([
      { value: 'pro', total: 2 },
      { value: 'free', total: 1 },
    ])
    expect(await list(filled, 'event-data/values', { event: 'buy', propertyName: 'price' })).toStrictEqual([
      { value: '10', total: 1 },
      { value: '10.5', total: 1 },
    ])
    expect(await list(filled, 'event-data/values', { event: 'buy', propertyName: 'due' })).toStrictEqual([
      { value: '2025-12-31T23:59:59Z', total: 1 },
    ])
  })

  it('accepts both event and eventName for the same parameter', async () => {
    const query = { propertyName: 'plan' }
    const byEvent = await list(filled, 'event-data/values', { ...query, event: 'buy' })
    expect(await list(filled, 'event-data/values', { ...query, eventName: 'buy' })).toStrictEqual(byEvent)
    expect(await list(filled, 'event-data/values', { ...query, event: 'buy', eventName: 'buy' })).toStrictEqual(byEvent)
    const different = await get(`/api/websites/${filled}/event-data/values`, {
      ...day,
      ...query,
      event: 'buy',
      eventName: 'Buy',
    })
    expect([different.status, different.body.error.issues[0].path]).toStrictEqual([400, 'eventName'])
  })

  it('counts the elements of arrays with data type 5', async () => {
    const websiteId = await websiteWith(
      event({ event_id: id(1) }, [array('items', ['red', 'red', 7, true, null, { a: [1, 'é'] }, ['x'], ''])]),
      event({ event_id: id(2) }, [array('items', ['red', '7'])]),
      event({ event_id: id(3) }, [array('items', [])]),
      event({ event_id: id(4) }, [string('items', 'red')]),
    )
    expect(await list(websiteId, 'event-data/values', { propertyName: 'items', dataType: '5' })).toStrictEqual([
      { value: 'red', total: 3 },
      { value: '7', total: 2 },
      { value: '', total: 1 },
      { value: '["x"]', total: 1 },
      { value: 'null', total: 1 },
      { value: 'true', total: 1 },
      { value: '{"a":[1,"é"]}', total: 1 },
    ])
    expect(await list(websiteId, 'event-data/values', { propertyName: 'items' })).toStrictEqual([
      { value: '["red","7"]', total: 1 },
      { value: '["red","red",7,true,null,{"a":[1,"é"]},["x"],""]', total: 1 },
      { value: '[]', total: 1 },
      { value: 'red', total: 1 },
    ])
  })
})

describe.concurrent('event-data/stats', () => {
  it('returns an array with one object: events with properties, distinct names, records', async () => {
    const { body } = await read(filled, 'event-data/stats', day)
    expect(body).toStrictEqual([{ events: 6, properties: 5, records: 10 }])
  })
})
