import { describe, expect, it } from 'vitest'
import { event, id, string, view } from '../oracle/fixtures.ts'
import { columnInstant } from '../oracle/instants.ts'
import type { IngestRow } from '../oracle/model.ts'
import { threeVisits } from '../support/three-visits.ts'
import { day, websiteWith } from '../support/website.ts'
import { read } from '../support/weir.ts'

const websiteId = await websiteWith(...threeVisits)

const zeros = { pageviews: 0, visitors: 0, visits: 0, bounces: 0, totaltime: 0 }

const stats = async (query: object, website = websiteId) => (await read(website, 'stats', { ...day, ...query })).body

/** Returns page views, visitors, visits, bounces and total time. */
const figures = async (query: string, website = websiteId): Promise<unknown[]> => {
  const { comparison, ...own } = await stats(Object.fromEntries(new URLSearchParams(query)), website)
  return Object.values(own)
}

describe.concurrent('stats', () => {
  it('with excludeBounce, counts a visit with two views of the same id, which is no bounce', async () => {
    const twice = event({ event_type: 1, event_id: id(1), visit_id: id(201), session_id: id(101) })
    const website = await websiteWith(twice, twice)
    for (const query of [{}, { excludeBounce: 'true' }]) {
      expect(await stats(query, website)).toMatchObject({ pageviews: 2, visits: 1, bounces: 0 })
    }
  })

  it('counts views; custom events prevent a bounce but do not lengthen visits; web vitals do neither', async () => {
    const own = { pageviews: 4, visitors: 2, visits: 3, bounces: 1, totaltime: 90 }
    expect(await stats({})).toStrictEqual({ ...own, comparison: zeros })
    expect(await stats({ compare: 'none' })).toStrictEqual(own)
    expect(await stats({}, await websiteWith())).toStrictEqual({ ...zeros, comparison: zeros })
  })

  it('compares with the preceding period', async () => {
    const later = { startAt: day.endAt + 1, endAt: 2 * day.endAt - day.startAt + 1 }
    expect(await stats(later)).toMatchObject({ pageviews: 0, comparison: { pageviews: 4, bounces: 1 } })
  })

  it('counts only the part of a visit within the range', async () => {
    const cut = { startAt: columnInstant('2025-10-15 10:00:01.000') }
    expect(await stats(cut)).toMatchObject({ pageviews: 3, visits: 3, bounces: 1, totaltime: 0 })
  })

  it.each([
    ['at its start', '10:00:00.000', '10:00:00.000', 0],
    ['before its start', '10:00:00.001', '10:00:00.000', 1],
    ['in the millisecond of the view', '10:00:00.000', '11:00:00.000', 0],
    ['at its end', '10:00:00.000', '11:30:00.000', 0],
    ['after its end', '10:00:00.000', '11:30:00.001', 1],
  ])('determines bounces from the custom events in the range: %s', async (_, from, custom, bounces) => {
    const act = event({ event_id: id(9), created_at: `2025-10-15 ${custom}` })
    const [startAt, endAt] = [from, '11:30:00.000'].map((time) => columnInstant(`2025-10-15 ${time}`))
    const website = await websiteWith(view('11:00:00', { event_id: id(8) }), act)
    expect(await stats({ startAt, endAt }, website)).toMatchObject({ bounces })
  })

  it('rounds down the sum of visit times, rather than each visit time', async () => {
    const at = (visit: number, index: number): Partial<IngestRow> => ({
      ...{ event_id: id(10 * visit + index), visit_id: id(visit) },
      created_at: `2025-10-15 10:00:00.${index}00`,
    })
    const halves = [1, 2].flatMap((visit) => [0, 6].map((index) => view('10:00:00', at(visit, index))))
    expect(await figures('', await websiteWith(...halves))).toEqual([4, 1, 2, 0, 1])
  })

  it.each([
    // All views of a visit determine its bounce and length, whether or not they match the filters.
    ['path=/pricing', [2, 1, 2, 0, 90]],
    ['path=/', [1, 1, 1, 0, 90]],
    ['excludeBounce=', [3, 1, 2, 0, 90]],
    ['excludeBounce=0', [4, 2, 3, 1, 90]],
    // The event type applies to the view itself, and a condition on events to its visit.
    ['eventType=2', [0, 0, 0, 0, 0]],
    ['eventType=3', [1, 1, 1, 1, 0]],
    ['event=purchase', [2, 1, 1, 0, 90]],
    ['event=signup', [1, 1, 1, 0, 0]],
    ['event=neq.purchase', [2, 2, 2, 1, 0]],
    ['event=c.P', [3, 1, 2, 0, 90]],
    ['event=dnc.p', [1, 1, 1, 1, 0]],
    // One event must meet all conditions on events. Other conditions apply to the view.
    ['event=purchase&event1=signup', [0, 0, 0, 0, 0]],
    ['event=purchase&epf0=1.eq.plan.pro', [2, 1, 1, 0, 90]],
    ['event=signup&epf0=1.eq.plan.pro', [0, 0, 0, 0, 0]],
    ['event=purchase&path=/pricing', [1, 1, 1, 0, 90]],
    ['event=neq.purchase&path=/pricing', [1, 1, 1, 0, 0]],
    // match=any combines them, except for conditions on properties.
    ['event=purchase&path=/go&match=any', [3, 2, 2, 1, 90]],
    ['event=neq.purchase&path=/&match=any', [3, 2, 3, 1, 90]],
    ['event=purchase&path=/go&match=any&epf0=1.eq.plan.pro', [2, 1, 1, 0, 90]],
    ['match=any&epf0=1.eq.plan.pro', [2, 1, 1, 0, 90]],
  ])('with the filter %s', async (query, expected) => {
    expect(await figures(query)).toEqual(expected)
  })

  it('filters visits only by their events in the range', async () => {
    const later = { startAt: columnInstant('2025-10-15 10:01:00.000'), event: 'purchase' }
    expect(await stats(later)).toMatchObject({ pageviews: 0 })
  })

  it('applies conditions on properties also to views, but a condition on the name only to custom events', async () => {
    const plain = event({ event_type: 1, event_id: id(2) }, [string('a', 'b')])
    const seen = await websiteWith(view('10:00:00', { event_name: 'buy' }), plain)
    expect(await figures('epf0=1.eq.a.b', seen)).toEqual([2, 1, 1, 0, 7200])
    expect(await figures('event=buy', seen)).toEqual([0, 0, 0, 0, 0])
    expect(await figures('event=neq.buy', seen)).toEqual([2, 1, 1, 0, 7200])
  })
})
