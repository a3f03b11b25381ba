import { describe, expect, it } from 'vitest'
import { ask, DAY, event, id } from './fixtures.ts'
import type { IngestRow } from './model.ts'

const NONE = { events: 0, visitors: 0, visits: 0, uniqueEvents: 0 }
const ONE = { events: 1, visitors: 1, visits: 1, uniqueEvents: 1 }

function at(created_at: string, changes: Partial<IngestRow> = {}): IngestRow {
  return event({ created_at, ...changes })
}

function stats(rows: IngestRow[], query: string): unknown {
  return ask(rows, 'events/stats', query).body
}

describe('events/stats', () => {
  it('counts custom events, and different sessions, visits and names among them', () => {
    const rows = [
      event({ event_name: 'a' }),
      event({ event_name: 'a', visit_id: id(201) }),
      event({ event_name: '', session_id: id(101), visit_id: id(202) }),
      event({ event_name: 'page view', event_type: 1, session_id: id(102), visit_id: id(203) }),
    ]
    expect(stats(rows, DAY)).toEqual({
      data: { events: 3, visitors: 2, visits: 3, uniqueEvents: 2, comparison: NONE },
    })
  })

  it('is zero for another event type', () => {
    expect(stats([event({ event_type: 1 })], `${DAY}&eventType=1`)).toEqual({ data: { ...NONE, comparison: NONE } })
  })

  it.each([
    ['2025-10-15 12:00:00.000', { ...ONE, comparison: NONE }],
    ['2025-10-15 11:59:59.999', { ...NONE, comparison: ONE }],
    ['2025-10-15 11:59:59.990', { ...NONE, comparison: ONE }],
    ['2025-10-15 11:59:59.989', { ...NONE, comparison: NONE }],
  ])('compares with the window of equal length that ends one millisecond before: an event at %s', (time, data) => {
    expect(stats([at(time)], 'startAt=1760529600000&endAt=1760529600009')).toEqual({ data })
  })

  it('compares with the previous period when compare is absent', () => {
    const rows = [at('2025-10-14 12:00:00.000'), at('2024-10-15 12:00:00.000', { event_name: 'a year ago' })]
    expect(stats(rows, DAY)).toEqual(stats(rows, `${DAY}&compare=prev`))
    expect(stats(rows, DAY)).toEqual({ data: { ...NONE, comparison: ONE } })
  })

  it('moves both ends one calendar year back for yoy', () => {
    const rows = ['2024-10-15 00:00:00.000', '2024-10-15 23:59:59.999', '2024-10-16 00:00:00.000'].map((created_at) =>
      at(created_at, { event_name: created_at }),
    )
    expect(stats(rows, `${DAY}&compare=yoy`)).toEqual({
      data: { ...NONE, comparison: { events: 2, visitors: 1, visits: 1, uniqueEvents: 2 } },
    })
  })

  it('turns 29 February into 28 February', () => {
    const rows = [at('2023-02-28 00:00:00.000'), at('2023-02-28 23:59:59.999'), at('2023-03-01 00:00:00.000')]
    expect(stats(rows, 'startDate=2024-02-29&endDate=2024-02-29&compare=yoy')).toEqual({
      data: { ...NONE, comparison: { ...ONE, events: 2 } },
    })
  })

  it('filters both periods', () => {
    const rows = [
      event({ tag: 'a' }),
      event({ tag: 'b' }),
      at('2025-10-14 12:00:00.000', { tag: 'a' }),
      at('2025-10-14 12:00:00.000'),
    ]
    expect(stats(rows, `${DAY}&tag=a`)).toEqual({ data: { ...ONE, comparison: ONE } })
  })

  it('judges bounces of each period by its own page views', () => {
    const pageView = (created_at: string) => at(created_at, { event_type: 1 })
    const rows = [
      pageView('2025-10-14 12:00:00.000'),
      at('2025-10-14 12:00:01.000'),
      pageView('2025-10-15 12:00:00.000'),
      pageView('2025-10-15 12:00:01.000'),
      at('2025-10-15 12:00:02.000'),
    ]
    expect(stats(rows, `${DAY}&excludeBounce=true`)).toEqual({ data: { ...ONE, comparison: NONE } })
  })
})
