import { describe, expect, it } from 'vitest'
import { analysisOf, ask, DAY, date, event, id, string, view } from './fixtures.ts'
import type { IngestRow } from './model.ts'

/**
 * Examples that no test of the product has. All others are in test/endpoints: the Worker answers them, and
 * test/rules/agrees.test.ts finds an oracle that would not.
 */

const NONE = { events: 0, visitors: 0, visits: 0, uniqueEvents: 0 }
const ONE = { events: 1, visitors: 1, visits: 1, uniqueEvents: 1 }

const body = (rows: IngestRow[], endpoint: Parameters<typeof ask>[1], query = ''): unknown =>
  ask(rows, endpoint, `${DAY}&${query}`).body

describe('event-data', () => {
  it('orders keys by their UTF-8 bytes', () => {
    const row = event({ event_name: 'x' }, [string('😀', ''), string('\uffee', ''), string('b', ''), string('B', '')])
    expect(body([row], 'event-data-pivot', 'eventName=x')).toMatchObject({
      data: [{ propertyKeys: ['B', 'b', '\uffee', '😀'] }],
    })
  })

  it('counts dates of one second together', () => {
    const dates = ['.001', '.999'].map((ms) => event({}, [date('at', `2025-10-15T16:26:28${ms}Z`)]))
    expect(body(dates, 'event-data/values', 'propertyName=at')).toEqual([{ value: '2025-10-15T16:26:28Z', total: 2 }])
  })
})

describe('events/stats', () => {
  it('is zero for another event type', () => {
    expect(body([event({ event_type: 1 })], 'events/stats', 'eventType=1')).toEqual({
      data: { ...NONE, comparison: NONE },
    })
  })

  it('has all custom events under excludeBounce: no visit with one is a bounce', () => {
    const pageView = (created_at: string) => event({ created_at, event_type: 1 })
    const rows = [
      pageView('2025-10-14 12:00:00.000'),
      event({ created_at: '2025-10-14 12:00:01.000' }),
      pageView('2025-10-15 12:00:00.000'),
      pageView('2025-10-15 12:00:01.000'),
      event({ created_at: '2025-10-15 12:00:02.000' }),
    ]
    expect(body(rows, 'events/stats', 'excludeBounce=true')).toEqual({ data: { ...ONE, comparison: ONE } })
  })
})

describe('journeys', () => {
  it('orders events of one millisecond by their ids', () => {
    const twins = ['/second', '/first'].map((url_path, index) =>
      view('10:00:00', {
        url_path,
        event_id: `${index === 0 ? 'f' : '0'}0000000-0000-4000-8000-00000000000${2 - index}`,
      }),
    )
    expect(analysisOf(twins, 'journeys', `${DAY}&steps=2`)).toEqual([{ items: ['/first', '/second'], count: 1 }])
  })

  it('has events without a name', () => {
    expect(analysisOf([event()], 'journeys', `${DAY}&steps=2`)).toEqual([{ items: [''], count: 1 }])
  })
})

describe('attribution', () => {
  it('credits a direct visit where there is no other', () => {
    const rows = [
      view('08:00:00', { visit_id: id(1), event_id: id(1), utm_content: 'c' }),
      event({ event_name: 'buy', event_id: id(50), visit_id: id(3), created_at: '2025-10-15 11:00:00.000' }),
    ]
    const query = `${DAY}&model=first-click&type=event&step=buy`
    expect(analysisOf(rows, 'attribution', query)).toMatchObject({ utm_content: [{ name: 'c', value: 1 }] })
  })
})
