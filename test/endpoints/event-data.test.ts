import { describe, expect, it } from 'vitest'
import { array, boolean, date, event, id, number, string } from '../oracle/fixtures.ts'
import { newShare } from '../support/callers.ts'
import { day, newId, websiteOfRefused, websiteWith } from '../support/website.ts'
import { get, pathOf, type Reply, read, send } from '../support/weir.ts'

/** One event with a property of each type, not sorted by key. */
const purchase = event(
  {
    event_id: id(1),
    session_id: id(101),
    ...{ created_at: '2025-10-15 16:26:28.999', event_name: 'buy', url_path: '/checkout' },
  },
  [
    string('plan', 'pro, “€”'),
    number('price', '10.5000'),
    boolean('trial', false),
    date('due', '2025-12-31T23:59:59.999Z'),
    array('items', ['red', 'blue, green', 7, null, { a: 1 }]),
    number('count', '10.0000'),
    string('empty', ''),
  ],
)

const createdAt = '2025-10-15T16:26:28Z'

const purchaseProperties = [
  { dataKey: 'count', stringValue: '10.0000', numberValue: 10, dateValue: null, dataType: 2, createdAt },
  {
    ...{ dataKey: 'due', stringValue: '2025-12-31T23:59:59.999Z', numberValue: null },
    ...{ dateValue: '2025-12-31T23:59:59Z', dataType: 4 },
    createdAt,
  },
  { dataKey: 'empty', stringValue: '', numberValue: null, dateValue: null, dataType: 1, createdAt },
  {
    dataKey: 'items',
    stringValue: '["red","blue, green",7,null,{"a":1}]',
    ...{ numberValue: null, dateValue: null, dataType: 5 },
    createdAt,
  },
  { dataKey: 'plan', stringValue: 'pro, “€”', numberValue: null, dateValue: null, dataType: 1, createdAt },
  { dataKey: 'price', stringValue: '10.5000', numberValue: 10.5, dateValue: null, dataType: 2, createdAt },
  { dataKey: 'trial', stringValue: 'false', numberValue: null, dateValue: null, dataType: 3, createdAt },
]

describe.concurrent('events with their properties', () => {
  it('include properties of all types, grouped by event and sorted by key', async () => {
    const websiteId = await websiteWith(
      purchase,
      event({ event_id: id(2), event_name: 'without properties' }),
      event({ event_id: id(3), event_type: 1, created_at: '2025-10-15 00:00:00.000' }, [string('', '')]),
    )
    const { body } = await read(websiteId, 'event-data', day)
    expect(body).toStrictEqual({
      data: [
        { websiteId, eventId: id(1), eventName: 'buy', eventProperties: purchaseProperties },
        {
          ...{ websiteId, eventId: id(3), eventName: '' },
          eventProperties: [
            {
              ...{ dataKey: '', stringValue: '', numberValue: null, dateValue: null, dataType: 1 },
              createdAt: '2025-10-15T00:00:00Z',
            },
          ],
        },
      ],
      ...{ count: 2, page: 1, pageSize: 20 },
    })
  })

  it('return numbers as exactly as JSON allows, and null if there is no number or date', async () => {
    const websiteId = await websiteOfRefused(
      event({}, [
        number('a', '-3.2500'),
        number('b', '123456789012345678.1234'),
        number('c', '0.0001'),
        number('d', '0.0000'),
        { key: 'e', dataType: 2, stringValue: 'NaN', numberValue: null, dateValue: null },
        { key: 'f', dataType: 4, stringValue: 'soon', numberValue: null, dateValue: null },
        date('g', '1969-12-31T23:59:59.999Z'),
      ]),
    )
    const { body } = await read(websiteId, 'event-data', day)
    const [{ eventProperties }] = body.data as [{ eventProperties: { numberValue: unknown; dateValue: unknown }[] }]
    expect(eventProperties.map(({ numberValue, dateValue }) => [numberValue, dateValue])).toStrictEqual([
      [-3.25, null],
      [123456789012345680, null],
      [0.0001, null],
      [0, null],
      [null, null],
      [null, null],
      [null, '1969-12-31T23:59:59Z'],
    ])
  })
})

describe.concurrent('the properties of one event', () => {
  const asked = (websiteId: string, eventId: string) => get(`/api/websites/${websiteId}/event-data/${eventId}`)

  it('are returned one per row', async () => {
    const websiteId = await websiteWith(purchase)
    const { body, status } = await asked(websiteId, id(1))
    const common = { websiteId, sessionId: id(101), eventId: id(1), urlPath: '/checkout', eventName: 'buy' }
    expect(status).toBe(200)
    expect(body).toStrictEqual(purchaseProperties.map((property) => ({ ...common, ...property })))
  })

  it('do not depend on the case of the id, which the answer returns in lower case', async () => {
    const eventId = 'abcdefab-cdef-4abc-8def-abcdefabcdef'
    const websiteId = await websiteWith(event({ event_id: eventId.toUpperCase() }, [string('plan', 'pro')]))
    const { body } = await asked(websiteId.toUpperCase(), eventId.toUpperCase())
    expect(body).toMatchObject([{ websiteId, eventId, stringValue: 'pro' }])
    expect((await asked(websiteId, eventId)).body).toStrictEqual(body)
  })

  it('are an empty list if the event is unknown, has no properties, or belongs to another website', async () => {
    const theirs = newId()
    await websiteWith(event({ event_id: theirs }, [string('plan', 'pro')]))
    const websiteId = await websiteWith(event({ event_id: id(2) }), event({ event_id: id(3), event_type: 1 }))
    for (const eventId of [newId(), id(2), id(3), theirs, '00000000-0000-0000-0000-000000000000']) {
      expect(await asked(websiteId, eventId)).toMatchObject({ status: 200, body: [] })
    }
  })
})

it('pages that would not fit into memory are refused, with the way out; shares get half of the size', async () => {
  // Each quotation mark is two characters of JSON.
  const pages = async (count: number, text: string) => {
    const rows = Array.from({ length: count }, (_, index) => event({ event_id: id(index + 1) }, [string('text', text)]))
    return websiteWith(...rows)
  }
  const tooLarge = { status: 422, code: 'too-much-data', message: expect.stringContaining('pageSize') }
  const refusalOf = ({ status, body }: Reply) => ({ status, ...body.error })
  const [half, whole, quoted] = await Promise.all([
    pages(180, 'x'.repeat(50_000)),
    pages(360, 'x'.repeat(50_000)),
    pages(220, '"'.repeat(50_000)),
  ])
  const all = { ...day, pageSize: 1000 }
  expect((await read(half, 'event-data', all)).body.data).toHaveLength(180)
  for (const websiteId of [whole, quoted]) {
    expect(refusalOf(await get(`/api/websites/${websiteId}/event-data`, all))).toMatchObject(tooLarge)
  }
  const { headers } = await newShare(half, { events: true })
  const shared = (query: object) => send(pathOf(`/api/websites/${half}/event-data`, { ...day, ...query }), { headers })
  expect(refusalOf(await shared({ pageSize: 1000 }))).toMatchObject(tooLarge)
  expect((await shared({ pageSize: 100 })).body.data).toHaveLength(100)
})
