import { describe, expect, it } from 'vitest'
import { array, boolean, date, event, id, number, string } from '../oracle/fixtures.ts'
import { day, websiteWith } from '../support/website.ts'
import { read } from '../support/weir.ts'

const idsOf = async (websiteId: string, query: Record<string, string>): Promise<string[]> => {
  const { body } = await read(websiteId, 'event-data-pivot', { ...day, ...query })
  return (body.data as { eventId: string }[]).map((row) => row.eventId)
}

it.concurrent('the pivot has a row per event of this name, with its properties as parallel arrays by key', async () => {
  const created_at = '2025-10-15 16:26:28.999'
  const websiteId = await websiteWith(
    event({ event_id: id(1), session_id: id(101), event_name: 'buy', url_path: '/checkout', created_at }, [
      ...[string('plan', 'pro'), number('price', '10.5000'), number('count', '10.0000'), boolean('trial', true)],
      ...[date('due', '2025-12-31T23:59:59.999Z'), array('items', ['red', 7]), string('empty', '')],
    ]),
    event({ event_id: id(2), session_id: id(102), event_name: 'buy' }, [string('plan', 'free')]),
    event({ event_id: id(3), event_name: 'buy' }),
    event({ event_id: id(4), event_name: 'Buy' }, [string('plan', 'free')]),
    event({ event_id: id(5), event_name: 'other' }, [string('plan', 'free')]),
  )
  const { body } = await read(websiteId, 'event-data-pivot', { ...day, eventName: 'buy' })
  expect(body).toStrictEqual({
    data: [
      {
        ...{ eventId: id(1), sessionId: id(101), eventName: 'buy', urlPath: '/checkout' },
        createdAt: '2025-10-15T16:26:28Z',
        propertyKeys: ['count', 'due', 'empty', 'items', 'plan', 'price', 'trial'],
        propertyValues: ['10', '2025-12-31T23:59:59Z', '', '["red",7]', 'pro', '10.5', 'true'],
      },
      {
        ...{ eventId: id(2), sessionId: id(102), eventName: 'buy', urlPath: '', createdAt: '2025-10-15T12:00:00Z' },
        ...{ propertyKeys: ['plan'], propertyValues: ['free'] },
      },
    ],
    ...{ count: 2, page: 1, pageSize: 20 },
  })
})

describe.concurrent('the event name', () => {
  const names = ['a,b', 'a', 'neq.a', 'c.a', '', '%', "'; DROP TABLE events; --", 'a\0']

  it.each(names)('is taken literally: %j', async (eventName) => {
    const rows = names.map((event_name, index) => event({ event_id: id(index), event_name }, [string('k', 'v')]))
    expect(await idsOf(await websiteWith(...rows), { eventName })).toStrictEqual([id(names.indexOf(eventName))])
  })
})
