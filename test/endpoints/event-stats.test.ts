import { describe, expect, it } from 'vitest'
import { hourlyVisits } from '../../src/query/tables/tables.ts'
import { event, id, string } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'
import { columnTime, day, websiteWith } from '../support/website.ts'
import { read } from '../support/weir.ts'

const none = { events: 0, visitors: 0, visits: 0, uniqueEvents: 0 }

/** The number of events in the range and in the compared range. */
const counts = async (websiteId: string, query: Record<string, string | number>): Promise<[number, number]> => {
  const { body } = await read(websiteId, 'events/stats', query)
  return [body.data.events, body.data.comparison.events]
}

const at = (...moments: string[]): IngestRow[] =>
  moments.map((created_at, index) => event({ event_id: id(index), created_at }))

it.concurrent('event stats count custom events, their sessions, visits and names, also on the day before', async () => {
  const websiteId = await websiteWith(
    event({ event_id: id(1), session_id: id(101), visit_id: id(201), event_name: 'buy' }, [string('plan', 'pro')]),
    event({ event_id: id(2), session_id: id(101), visit_id: id(202), event_name: 'buy' }),
    event({ event_id: id(3), session_id: id(101), visit_id: id(203), event_name: 'Buy' }),
    event({ event_id: id(4), session_id: id(102), visit_id: id(204), event_name: '' }),
    event({ event_id: id(5), session_id: id(103), visit_id: id(205), event_type: 1 }),
    event({ event_id: id(6), session_id: id(104), event_type: 3, event_name: 'link' }, [string('plan', 'pro')]),
    event({ event_id: id(7), session_id: id(105), event_type: 5, event_name: 'slow' }),
    event({ event_id: id(8), session_id: id(101), visit_id: id(206), created_at: '2025-10-14 12:00:00.000' }),
    event({ event_id: id(9), session_id: id(101), event_type: 4, created_at: '2025-10-14 12:00:00.000' }),
  )
  const { body } = await read(websiteId, 'events/stats', day)
  expect(body).toStrictEqual({
    data: {
      ...{ events: 4, visitors: 2, visits: 4, uniqueEvents: 3 },
      comparison: { events: 1, visitors: 1, visits: 1, uniqueEvents: 1 },
    },
  })
})

it.concurrent('event stats are exact for a thousand sessions', async () => {
  const rows = Array.from({ length: 1000 }, (_, index) =>
    event({ event_id: id(index), session_id: id(index), visit_id: id(index), event_name: `name ${index}` }),
  )
  const { body } = await read(await websiteWith(...rows), 'events/stats', day)
  expect(body).toStrictEqual({
    data: { events: 1000, visitors: 1000, visits: 1000, uniqueEvents: 1000, comparison: none },
  })
})

describe.concurrent('the preceding period', () => {
  const start = 1_760_529_600_000

  it('has the same length and ends one millisecond before the range', async () => {
    const end = start + 999
    const moments = [start - 1001, start - 1000, start - 1, start, end, end + 1]
    const websiteId = await websiteWith(
      ...moments.map((moment, index) => event({ event_id: id(index), created_at: columnTime(moment) })),
    )
    expect(await counts(websiteId, { startAt: start, endAt: end })).toStrictEqual([2, 2])
    expect(await counts(websiteId, { startAt: start, endAt: end, compare: 'prev' })).toStrictEqual([2, 2])
    expect(await counts(websiteId, { startAt: start - 1000, endAt: start - 1 })).toStrictEqual([2, 1])
  })
})

/** `hourly_visits` is used for ranges of at least forty whole days. */
describe.concurrent('two consecutive periods', () => {
  it.each<[string, string, string, boolean]>([
    ['a calendar month', '2025-08-01', '2025-09-01', false],
    ['39 days', '2025-07-24', '2025-09-01', false],
    ['40 days', '2025-07-23', '2025-09-01', true],
    ['two months minus a day', '2025-07-02', '2025-09-01', true],
    ['60 days; the 60 days before contain two whole months', '2025-03-02', '2025-05-01', true],
    ['two whole months; the 59 days before contain one', '2025-02-01', '2025-04-01', true],
    ['a quarter', '2025-07-01', '2025-10-01', true],
  ])('are counted separately: %s', async (_, from, to, isByVisit) => {
    const [startAt, end] = [Date.parse(from), Date.parse(to)]
    const before = startAt - (end - startAt)
    const moments = [before - 1, before, startAt - 1, startAt, startAt + 1, end - 1, end]
    const visits = [1, 2, 3, 3, 4, 5, 6]
    const rows = moments.map((moment, index) =>
      event({
        ...{ event_id: id(index), session_id: id(100), visit_id: id(200 + visits[index]!) },
        event_name: `name ${visits[index]}`,
        created_at: columnTime(moment),
      }),
    )
    const { body, headers } = await read(await websiteWith(...rows), 'events/stats', { startAt, endAt: end - 1 })
    expect(body.data).toStrictEqual({
      ...{ events: 3, visitors: 1, visits: 3, uniqueEvents: 3 },
      comparison: { events: 2, visitors: 1, visits: 2, uniqueEvents: 2 },
    })
    expect(headers.get('x-source')?.split(', ').includes(hourlyVisits.name)).toBe(isByVisit)
  })
})

describe.concurrent('the preceding year', () => {
  it('is the range with both ends moved back by a calendar year', async () => {
    const websiteId = await websiteWith(
      ...at(
        '2024-10-14 23:59:59.999',
        '2024-10-15 00:00:00.000',
        '2024-10-15 23:59:59.999',
        '2024-10-16 00:00:00.000',
        '2025-10-15 12:00:00.000',
        '2025-10-14 12:00:00.000',
      ),
    )
    expect(await counts(websiteId, { ...day, compare: 'yoy' })).toStrictEqual([1, 2])
  })
})
