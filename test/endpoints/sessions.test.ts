import { describe, expect, it } from 'vitest'
import { event, id, view } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'
import { newShare, operator } from '../support/callers.ts'
import { refused } from '../support/refusals.ts'
import { add, day, websiteWith } from '../support/website.ts'
import { get, pathOf, type Reply, read, running, send } from '../support/weir.ts'

const ada = { session_id: id(101), visit_id: id(201) }
const bob = { session_id: id(102), visit_id: id(202) }
const cy = { session_id: id(103), visit_id: id(203) }

const inBerlin = { country: 'DE', region: 'DE-BE', city: 'Berlin', language: 'de', screen: '800x600' }

const rows: IngestRow[] = [
  // Ada has a view, an event and a view in one visit, then another visit from another place and browser.
  view('10:00:00', { ...ada, event_id: id(1), ...inBerlin, browser: 'chrome', hostname: 'a.example' }),
  event({ ...ada, event_id: id(2), created_at: '2025-10-15 10:00:05.000', event_name: 'buy', distinct_id: 'ada' }),
  view('10:01:00', { ...ada, event_id: id(3), ...inBerlin, browser: 'chrome', url_path: '/b' }),
  view('12:00:00', { ...ada, event_id: id(4), visit_id: id(211), country: 'FR', city: 'Paris', browser: 'safari' }),
  // Bob has two events in one millisecond. The one with the greater id is the last.
  view('12:00:00', { ...bob, event_id: id(6), country: 'DE', browser: 'edge', os: 'Windows' }),
  event({ ...bob, event_id: id(5), created_at: '2025-10-15 12:00:00.000', event_name: 'x', browser: 'opera' }),
  // Cy has only a hit on a link. His web vitals are not actions.
  view('09:30:00', { ...cy, event_id: id(7), event_type: 3, device: 'mobile' }),
  event({ ...cy, event_id: id(8), created_at: '2025-10-15 13:00:00.000', event_type: 5, browser: 'vitals' }),
]

const websiteId = await websiteWith(...rows)

const ask = (query: Record<string, string | number> = {}, headers = operator): Promise<Reply> =>
  send(pathOf(`/api/websites/${websiteId}/sessions`, { ...day, ...query }), { headers })

const shown = ({ body }: Reply): string[] => body.data.map((one: { id: string }) => one.id)

describe.concurrent('sessions', () => {
  it('are listed with the attributes of their last action, the most recently seen first', async () => {
    const { body } = await ask()
    const nothing = { hostname: '', browser: '', os: '', device: '', screen: '', language: '' }
    const nowhere = { country: '', region: '', city: '', distinctId: null }
    const seen = (firstAt: string, lastAt: string) => ({
      ...{ firstAt: `2025-10-15T${firstAt}Z`, lastAt: `2025-10-15T${lastAt}Z`, createdAt: `2025-10-15T${lastAt}Z` },
    })
    expect(body).toStrictEqual({
      data: [
        {
          ...{ id: bob.session_id, websiteId, ...nothing, ...nowhere, browser: 'edge', os: 'Windows', country: 'DE' },
          ...seen('12:00:00', '12:00:00'),
          ...{ visits: 1, views: 1, events: 1 },
        },
        {
          ...{ id: ada.session_id, websiteId, ...nothing, ...nowhere, browser: 'safari', country: 'FR', city: 'Paris' },
          ...{ distinctId: 'ada', ...seen('10:00:00', '12:00:00'), visits: 2, views: 3, events: 1 },
        },
        {
          ...{ id: cy.session_id, websiteId, ...nothing, ...nowhere, device: 'mobile' },
          ...seen('09:30:00', '09:30:00'),
          ...{ visits: 1, views: 1, events: 0 },
        },
      ],
      ...{ count: 3, page: 1, pageSize: 20 },
    })
  })

  it('do not show distinct ids through a share, and cannot be found by them', async () => {
    const { headers } = await newShare(websiteId, { sessions: true })
    const { body } = await ask({}, headers)
    expect(body.data.map(({ distinctId }: { distinctId: unknown }) => distinctId)).toStrictEqual([null, null, null])
    expect((await ask({ search: 'ada' }, headers)).body.count).toBe(0)
    expect((await ask({ search: 'berlin' }, headers)).body.count).toBe(1)
    const locked = await newShare(websiteId, { sessions: true, filters: { browser: 'chrome' } })
    expect((await ask({}, locked.headers)).body.data).toMatchObject([
      { views: 2, events: 0, lastAt: '2025-10-15T10:01:00Z' },
    ])
  })

  it('keep their order from page to page, and the range keeps its end', async () => {
    const now = Date.now()
    const at = (before: number) => new Date(now - before).toISOString().replace('T', ' ').replace('Z', '')
    const of = (place: number, before: number): IngestRow =>
      event({ session_id: id(300 + place), event_id: id(300 + place), created_at: at(before) })
    const live = await websiteWith(...[0, 1, 2, 3, 4].map((place) => of(place, 60_000 + place * 1000)))
    const range = { startAt: now - day.endAt + day.startAt, endAt: now + 3_600_000 }
    const first = await read(live, 'sessions', { ...range, pageSize: 2 })
    expect(shown(first)).toStrictEqual([id(300), id(301)])
    // After the first page, the third session has a new event, and a new session begins.
    const later = now - Date.now() - 1000
    await add(live, { ...of(2, later), event_id: id(400) }, of(9, later))
    const pages = [first]
    for (let link = first.headers.get('link'); link !== null; link = pages.at(-1)!.headers.get('link')) {
      const [, url = ''] = /^<([^>]+)>; rel="next"$/.exec(link) ?? []
      pages.push(await send(url.slice(running.url.length), { headers: operator }))
    }
    expect(pages.flatMap(shown)).toStrictEqual([0, 1, 2, 3, 4].map((place) => id(300 + place)))
    expect(pages.map(({ body }) => [body.count, body.page])).toStrictEqual([1, 2, 3].map((page) => [5, page]))
    expect((await read(live, 'sessions', range)).body.count).toBe(6)
  })
})

describe.concurrent('the figures for all sessions', () => {
  it('count views, visitors, visits, countries and custom events', async () => {
    const figures = async (query: object) => {
      const { body } = await read(websiteId, 'sessions/stats', { ...day, ...query })
      return Object.entries(body).map(([name, figure]) => [name, Object(figure).value])
    }
    const of = (pageviews: number, visitors: number, visits: number, countries: number, events: number) =>
      Object.entries({ pageviews, visitors, visits, countries, events })
    expect(await figures({})).toStrictEqual(of(5, 3, 4, 2, 2))
    expect(await figures({ browser: 'chrome' })).toStrictEqual(of(2, 1, 1, 1, 0))
    expect(await figures({ event: 'buy' })).toStrictEqual(of(2, 1, 1, 1, 1))
    expect(await figures({ country: 'XX' })).toStrictEqual(of(0, 0, 0, 0, 0))
    const long = { startAt: Date.UTC(2025, 8, 1, 5), endAt: Date.UTC(2025, 10, 30, 7) }
    expect(await figures(long)).toStrictEqual(of(5, 3, 4, 2, 2))
    expect(await figures({ ...long, country: 'DE' })).toStrictEqual(of(3, 2, 2, 1, 0))
    expect(await figures({ ...long, eventType: 2 })).toStrictEqual(of(0, 2, 2, 0, 2))
  })
})

describe.concurrent('sessions by hour of the week', () => {
  it('count sessions with a view, by local hour, starting on Sunday', async () => {
    const week = async (query: object) => {
      const { body } = await read(websiteId, 'sessions/weekly', { ...day, ...query })
      expect([body.length, ...body.map((hours: number[]) => hours.length)]).toStrictEqual([7, ...Array(7).fill(24)])
      return body.flatMap((hours: number[], weekday: number) =>
        hours.flatMap((sessions, hour) => (sessions === 0 ? [] : [[weekday, hour, sessions]])),
      )
    }
    // 15 October 2025 is a Wednesday.
    const [nine, ten, twelve] = [
      [3, 9, 1],
      [3, 10, 1],
      [3, 12, 2],
    ]
    expect(await week({})).toStrictEqual([nine, ten, twelve])
    expect(await week({ timezone: 'Asia/Kathmandu' })).toStrictEqual([
      [3, 15, 2],
      [3, 17, 2],
    ])
    expect(await week({ timezone: 'Pacific/Auckland', browser: 'neq.edge' })).toStrictEqual([
      [3, 22, 1],
      [3, 23, 1],
      [4, 1, 1],
    ])
    // These two zones skipped a day, one in 1994 and one in 2011.
    expect(await week({ timezone: 'Pacific/Kiritimati' })).toStrictEqual([
      [3, 23, 1],
      [4, 0, 1],
      [4, 2, 2],
    ])
    expect(await week({ timezone: 'Pacific/Apia' })).toStrictEqual([
      [3, 22, 1],
      [3, 23, 1],
      [4, 1, 2],
    ])
    refused(await get(`/api/websites/${websiteId}/sessions/weekly`, { ...day, timezone: 'Mars/Base' }), 'timezone')
  })

  it('are summed over weeks, and over hours that occur twice', async () => {
    const at = (created_at: string, session: number) =>
      view('00:00:00', { created_at, session_id: id(session), event_id: id(session) })
    // In Berlin, 02:30 occurs twice on Sunday 26 October 2025. The third view is a week later, again at 02:30.
    const other = await websiteWith(
      at('2025-10-26 00:30:00.000', 1),
      at('2025-10-26 01:30:00.000', 2),
      at('2025-11-02 01:30:00.000', 3),
    )
    const range = { startAt: Date.UTC(2025, 9, 20), endAt: Date.UTC(2025, 10, 9), timezone: 'Europe/Berlin' }
    const { body } = await read(other, 'sessions/weekly', range)
    expect(body[0][2]).toBe(3)
    expect(body.flat().reduce((sum: number, one: number) => sum + one)).toBe(3)
  })
})
