import { describe, expect, it } from 'vitest'
import { analysisOf, array, DAY, event, id, number, postedOf, string, view } from './fixtures.ts'
import { columnInstant } from './instants.ts'
import { matchesWildcard } from './matches.ts'
import type { Analysis, IngestRow, Property } from './model.ts'
import { analysis } from './reports.ts'

type Changes = Partial<IngestRow>

const ms = (time: string) => ({ created_at: `2025-10-15 ${time}` })

const of = (rows: IngestRow[], endpoint: Analysis, query = '') => analysisOf(rows, endpoint, `${DAY}&${query}`)

describe('wildcards', () => {
  it.each([
    ['/a*', ['/a', '/ab', '/a/b'], ['/A', 'x/a', '']],
    ['*a', ['a', '/a'], ['ab', 'A']],
    ['*a*', ['a', 'bab'], ['A', '']],
    ['*', ['', 'x'], []],
    ['**', ['', 'x'], []],
    ['***', ['*', 'a*b'], ['', 'x']],
    ['a*b', ['a*b'], ['ab', 'axb']],
    ['%_', ['%_'], ['ab', '%x']],
    ['a_*', ['a_', 'a_b'], ['ab']],
    ['', [''], ['x']],
  ] as [string, string[], string[]][])('%s', (value, matching, others) => {
    expect(matching.filter((text) => !matchesWildcard(text, value))).toEqual([])
    expect(others.filter((text) => matchesWildcard(text, value))).toEqual([])
  })
})

describe('goals/stats', () => {
  const rows = [
    view('10:00:00', { session_id: id(101), url_path: '/pay', event_id: id(1) }),
    event({ session_id: id(102), visit_id: id(202), url_path: '/pay', event_name: 'buy', event_id: id(2) }),
    event({ session_id: id(103), visit_id: id(203), event_type: 5, url_path: '/pay', event_id: id(3) }),
  ]

  it('takes views by path and custom events by name, of all sessions with an action', () => {
    expect(of(rows, 'goals/stats', 'type=path&value=/p*')).toEqual({ num: 1, total: 2 })
    expect(of(rows, 'goals/stats', 'type=event&value=buy')).toEqual({ num: 1, total: 2 })
    expect(of(rows, 'goals/stats', 'type=event&value=Buy')).toEqual({ num: 0, total: 2 })
    expect(of(rows, 'goals/stats', 'type=path&value=*&event=buy')).toEqual({ num: 0, total: 1 })
    expect(postedOf(rows, 'goal', `${DAY}&type=event&value=buy`)).toEqual({ num: 1, total: 2 })
  })
})

describe('funnels/stats', () => {
  type Row = { visitors: number; previous: number; dropped: number; dropoff: number; remaining: number }
  const asked = (rows: IngestRow[], window: number, steps: object[]) =>
    of(rows, 'funnels/stats', `window=${window}&steps=${encodeURIComponent(JSON.stringify(steps))}`) as Row[]
  const visitors = (...question: Parameters<typeof asked>) => asked(...question).map((row) => row.visitors)
  const path = (value: string) => ({ type: 'path', value })
  const named = (value: string, ...filters: object[]) => ({ type: 'event', value, filters })
  const at = (time: string, url_path: string, changes: Changes = {}) =>
    view('10:00:00', { ...ms(time), url_path, ...changes })

  it('answers the steps as given, with shares of the step before and of the first', () => {
    const sessions = [1, 2, 3, 4].map((session) => ({ session_id: id(session), visit_id: id(session) }))
    const rows = [
      ...sessions.map((one, index) => at('10:00:00.000', '/a', { ...one, event_id: id(index) })),
      ...sessions.slice(0, 2).map((one, index) => at('10:01:00.000', '/b', { ...one, event_id: id(10 + index) })),
    ]
    expect(asked(rows, 1, [path('/a'), path('/b'), path('/c')])).toEqual([
      { type: 'path', value: '/a', visitors: 4, previous: 0, dropped: 0, dropoff: 0, remaining: 1 },
      { type: 'path', value: '/b', visitors: 2, previous: 4, dropped: 2, dropoff: 0.5, remaining: 0.5 },
      { type: 'path', value: '/c', visitors: 0, previous: 2, dropped: 2, dropoff: 1, remaining: 0 },
    ])
    expect(asked([], 1, [path('/a'), path('/b')])).toMatchObject([
      { visitors: 0, dropoff: 0, remaining: 0 },
      { previous: 0, dropped: 0, dropoff: 0, remaining: 0 },
    ])
  })

  it('includes both ends of the window, to the millisecond, and parts of a minute', () => {
    const rows = [at('10:00:00.000', '/a', { event_id: id(1) }), at('10:00:30.000', '/b', { event_id: id(2) })]
    const steps = [path('/a'), path('/b')]
    expect(visitors(rows, 0.5, steps)).toEqual([1, 1])
    expect(visitors(rows, 0.4999, steps)).toEqual([1, 0])
    expect(visitors(rows, 525_600, steps)).toEqual([1, 1])
    expect(visitors(rows, 10, [path('/b'), path('/a')])).toEqual([1, 0])
  })

  it('takes events of one millisecond in either order', () => {
    const rows = [at('10:00:00.000', '/a', { event_id: id(2) }), at('10:00:00.000', '/b', { event_id: id(1) })]
    expect(visitors(rows, 1, [path('/a'), path('/b')])).toEqual([1, 1])
    expect(visitors(rows, 1, [path('/b'), path('/a')])).toEqual([1, 1])
    expect(visitors(rows, 1, [path('/a'), path('/b'), path('/a')])).toEqual([1, 1, 1])
  })

  it('wants another event for an equal step', () => {
    const one = at('10:00:00.000', '/a', { event_id: id(1) })
    expect(visitors([one], 1, [path('/a'), path('/a')])).toEqual([1, 0])
    expect(visitors([one, { ...one, event_id: id(2) }], 1, [path('/a'), path('/*'), path('/a')])).toEqual([1, 1, 1])
  })

  it('takes any chain, not the first one only', () => {
    const rows = [
      at('10:00:00.000', '/a', { event_id: id(1) }),
      at('10:01:00.000', '/b', { event_id: id(2) }),
      at('10:05:00.000', '/a', { event_id: id(3) }),
      at('10:06:00.000', '/b', { event_id: id(4) }),
      at('10:07:00.000', '/c', { event_id: id(5) }),
    ]
    expect(visitors(rows, 1, [path('/a'), path('/b'), path('/c')])).toEqual([1, 1, 1])
  })

  it('stays within the session', () => {
    const rows = [at('10:00:00.000', '/a', { event_id: id(1) }), at('10:00:01.000', '/b', { session_id: id(9) })]
    expect(visitors(rows, 1, [path('/a'), path('/b')])).toEqual([1, 0])
  })

  it('filters steps of events by their properties', () => {
    const properties: Property[] = [string('plan', 'Pro'), number('price', '10.0000'), array('tags', ['x'])]
    const rows = [at('10:00:00.000', '/a', { event_id: id(1) }), event({ event_name: 'buy' }, properties)]
    const passes = (property: string, operator: string, value: string) =>
      visitors(rows, 600, [path('/a'), named('buy', { property, operator, value })])[1]
    expect([passes('plan', 'eq', 'Pro'), passes('plan', 'eq', 'pro'), passes('plan', 'c', 'PR')]).toEqual([1, 0, 1])
    expect([passes('plan', 'neq', 'pro'), passes('plan', 'neq', 'Pro'), passes('none', 'neq', 'x')]).toEqual([1, 0, 0])
    expect([passes('plan', 'dnc', 'x'), passes('plan', 'dnc', 'R'), passes('none', 'dnc', 'x')]).toEqual([1, 0, 0])
    expect([passes('price', 'eq', '10'), passes('tags', 'eq', '["x"]')]).toEqual([1, 1])
    const both = named(
      'buy',
      { property: 'plan', operator: 'eq', value: 'Pro' },
      { property: 'price', operator: 'neq', value: '10' },
    )
    expect(visitors(rows, 600, [path('/a'), both])).toEqual([1, 0])
  })
})

describe('journeys', () => {
  const visit = (number: number, ...labels: string[]) =>
    labels.map((label, index) => {
      const common = { visit_id: id(number), session_id: id(number), event_id: id(100 * number + index) }
      const change = { ...common, ...ms(`10:00:0${index}.000`) }
      return label.startsWith('/')
        ? view('10:00:00', { ...change, url_path: label })
        : event({ ...change, event_name: label })
    })
  const rows = [
    ...visit(1, '/a', '/a', 'buy', '/b'),
    ...visit(2, '/a', 'buy', 'buy', '/c'),
    ...visit(3, '/a'),
    ...visit(4, '/b', '/a', '/b'),
    event({ event_type: 5, visit_id: id(3), event_name: 'vital', event_id: id(9) }),
  ]
  const journeys = (query: string) =>
    (of(rows, 'journeys', query) as { items: string[]; count: number }[]).map(({ items, count }) => [
      items.join(' '),
      count,
    ])

  it('makes equal neighbours one, then cuts, then counts', () => {
    expect(journeys('steps=2')).toEqual([
      ['/a buy', 2],
      ['/a', 1],
      ['/b /a', 1],
    ])
    expect(journeys('steps=7').map(([items]) => items)).toEqual(['/a', '/a buy /b', '/a buy /c', '/b /a /b'])
  })

  it('begins and ends where it is asked to', () => {
    expect(journeys('steps=3&startStep=/b')).toEqual([['/b /a /b', 1]])
    expect(journeys('steps=2&endStep=/a')).toEqual([
      ['/a', 1],
      ['/b /a', 1],
    ])
    expect(journeys('steps=3&endStep=&startStep=&limit=1&offset=1')).toEqual([['/a buy /b', 1]])
    expect(journeys('steps=3&eventType=2')).toEqual([['buy', 2]])
  })

  it('orders events of one millisecond by their ids', () => {
    const twins = ['/second', '/first'].map((url_path, index) =>
      view('10:00:00', {
        url_path,
        event_id: `${index === 0 ? 'f' : '0'}0000000-0000-4000-8000-00000000000${2 - index}`,
      }),
    )
    expect(of(twins, 'journeys', 'steps=2')).toEqual([{ items: ['/first', '/second'], count: 1 }])
  })

  it('has events without a name', () => {
    expect(of([event()], 'journeys', 'steps=2')).toEqual([{ items: [''], count: 1 }])
  })
})

describe('retention', () => {
  const at = (created_at: string, session: number, number: number) =>
    view('10:00:00', { created_at, session_id: id(session), visit_id: id(number), event_id: id(number) })
  const rows = [
    at('2025-11-01 12:00:00.000', 1, 1),
    at('2025-11-02 04:30:00.000', 2, 2),
    at('2025-11-03 04:30:00.000', 1, 3),
    at('2025-11-03 05:30:00.000', 2, 4),
    at('2025-12-03 12:00:00.000', 2, 5),
    at('2025-12-04 12:00:00.000', 2, 6),
  ]
  const asked = (query: string) => analysisOf(rows, 'retention', `startDate=2025-11-01&endDate=2025-12-31&${query}`)

  it('counts by the calendar of the time zone, over a day of 25 hours too', () => {
    const row = (date: string, day: number, visitors: number, returnVisitors: number) => {
      return { date, day, visitors, returnVisitors, percentage: (returnVisitors / visitors) * 100 }
    }
    expect(asked('timezone=America/New_York')).toEqual([
      row('2025-11-01T04:00:00Z', 0, 1, 1),
      row('2025-11-01T04:00:00Z', 1, 1, 1),
      row('2025-11-02T04:00:00Z', 0, 1, 1),
      row('2025-11-02T04:00:00Z', 1, 1, 1),
      row('2025-11-02T04:00:00Z', 31, 1, 1),
    ])
    expect(asked('')).toEqual([
      row('2025-11-01T00:00:00Z', 0, 1, 1),
      row('2025-11-01T00:00:00Z', 2, 1, 1),
      row('2025-11-02T00:00:00Z', 0, 1, 1),
      row('2025-11-02T00:00:00Z', 1, 1, 1),
      row('2025-11-02T00:00:00Z', 31, 1, 1),
    ])
  })

  it('looks at nothing but what passes the filters', () => {
    const some = [event({ event_name: 'buy' }), view('13:00:00', { event_id: id(2), visit_id: id(9) })]
    expect(of(some, 'retention', 'event=buy')).toEqual([
      { date: '2025-10-15T00:00:00Z', day: 0, visitors: 1, returnVisitors: 1, percentage: 100 },
    ])
    expect(of(some, 'retention', 'event=none')).toEqual([])
  })
})

describe('attribution', () => {
  const visit = (number: number, time: string, changes: Changes) =>
    view(time, { visit_id: id(number), event_id: id(number), ...changes })
  const buy = (time: string, changes: Changes = {}) =>
    event({ event_name: 'buy', event_id: id(50), visit_id: id(3), ...ms(time), ...changes })
  const touched = [
    visit(1, '08:00:00', { referrer_domain: 'google.com' }),
    visit(2, '09:00:00', { utm_source: 'news', utm_medium: 'email', gclid: '', fbclid: 'f', twclid: 't' }),
    visit(3, '10:00:00', { utm_term: 'not of a landing', event_id: id(31), url_path: '/' }),
    visit(3, '10:00:00', { utm_term: '' }),
  ]
  const empty = { referrer: [], paidAds: [], utm_source: [], utm_medium: [], utm_campaign: [], utm_content: [] }
  const asked = (rows: IngestRow[], model: string, query = 'type=event&step=buy') =>
    Object(of(rows, 'attribution', `model=${model}&${query}`))

  it('credits the first or the last visit that is not direct', () => {
    const rows = [...touched, buy('11:00:00.000')]
    expect(asked(rows, 'first-click')).toEqual({
      ...{ ...empty, utm_term: [], referrer: [{ name: 'google.com', value: 1 }] },
      total: { pageviews: 1, visitors: 1, visits: 1 },
    })
    expect(asked(rows, 'last-click')).toMatchObject({
      referrer: [],
      paidAds: [{ name: 'Facebook / Meta', value: 1 }],
      utm_source: [{ name: 'news', value: 1 }],
      utm_medium: [{ name: 'email', value: 1 }],
    })
  })

  it('has no touch after the last conversion, or before the range', () => {
    expect(asked([...touched, buy('08:59:59.999')], 'last-click').referrer).toHaveLength(1)
    expect(asked([...touched, buy('09:00:00.000')], 'last-click').referrer).toHaveLength(0)
    expect(asked([...touched, buy('07:00:00.000')], 'last-click')).toMatchObject({ ...empty, total: { visitors: 1 } })
    expect(asked([...touched, buy('07:00:00.000'), buy('09:00:00.000')], 'last-click').paidAds).toHaveLength(1)
  })

  it('takes the touch whatever the filters, and the conversions by them', () => {
    const rows = [...touched, buy('11:00:00.000', { browser: 'chrome' }), buy('11:00:01.000', { visit_id: id(4) })]
    expect(asked(rows, 'first-click')).toMatchObject({ total: { pageviews: 2, visitors: 1, visits: 2 } })
    expect(asked(rows, 'first-click', 'type=event&step=b*&browser=chrome')).toMatchObject({
      referrer: [{ name: 'google.com', value: 1 }],
      total: { pageviews: 1, visitors: 1, visits: 1 },
    })
  })

  it('credits a direct visit where there is no other', () => {
    const rows = [visit(1, '08:00:00', { utm_content: 'c' }), buy('11:00:00.000')]
    expect(asked(rows, 'first-click')).toMatchObject({ utm_content: [{ name: 'c', value: 1 }] })
  })
})

describe('breakdown', () => {
  const rows = [
    view('10:00:00', { browser: 'chrome', country: 'DE', event_id: id(1) }),
    view('10:01:00', { browser: 'chrome', country: '', event_id: id(2) }),
    view('10:00:00', { browser: 'opera', country: 'DE', session_id: id(9), visit_id: id(9), event_id: id(3) }),
  ]

  it('has a row for each combination, empty values too', () => {
    const expected = [
      { views: 1, visitors: 1, visits: 1, bounces: 0, totaltime: 60, browser: 'chrome', country: '' },
      { views: 1, visitors: 1, visits: 1, bounces: 0, totaltime: 60, browser: 'chrome', country: 'DE' },
      { views: 1, visitors: 1, visits: 1, bounces: 1, totaltime: 0, browser: 'opera', country: 'DE' },
    ]
    expect(of(rows, 'breakdown', 'fields=browser,country')).toEqual(expected)
    expect(of(rows, 'breakdown', 'fields=["browser","country"]')).toEqual(expected)
    expect(of(rows, 'breakdown', 'fields=country')).toMatchObject([{ country: 'DE', visitors: 2 }, { country: '' }])
    expect(() => of(rows, 'breakdown', 'fields=browser,browser')).toThrow('different')
  })

  it('has foreign referrers only', () => {
    const own = view('10:00:00', { hostname: 'a.com', referrer_domain: 'a.com' })
    expect(of([own], 'breakdown', 'fields=referrer')).toMatchObject([{ referrer: '', views: 1 }])
  })
})

describe('utm', () => {
  it('counts views by a parameter, by POST by each of them', () => {
    const rows = ['b', 'a', 'b', ''].map((utm_source, index) => view('10:00:00', { utm_source, event_id: id(index) }))
    const counted = [
      { utm: 'b', views: 2 },
      { utm: 'a', views: 1 },
    ]
    expect(of(rows, 'utm/metrics', 'type=utm_source')).toEqual(counted)
    expect(postedOf(rows, 'utm', DAY)).toEqual({
      ...{ utm_source: counted, utm_medium: [], utm_campaign: [], utm_term: [], utm_content: [] },
    })
  })
})

describe('performance', () => {
  const vital = (number: number, changes: Changes) => event({ event_type: 5, event_id: id(number), ...changes })
  const rows = [
    ...[100, 200, 400, 800].map((lcp, index) => vital(index, { lcp, cls: null, url_path: '/a' })),
    vital(10, { cls: 0.1, url_path: '/b', ...ms('13:00:00.000') }),
    vital(11, { lcp: 0, url_path: '', ...ms('13:00:00.000') }),
    view('10:00:00', { lcp: 5000 }),
  ]
  const nothing = { p50: 0, p75: 0, p95: 0 }

  it('takes each metric over the rows that have it', () => {
    const three = { p50: 0.1, p75: 0.1, p95: 0.1 }
    const stats = Object(of(rows, 'performance/stats'))
    expect(stats).toMatchObject({ count: 6, inp: nothing, cls: three, fcp: nothing, ttfb: nothing })
    expect(stats.lcp).toMatchObject({ p50: 200, p75: 400 })
    expect(stats.lcp.p95).toBeCloseTo(720)
    expect(of(rows.slice(0, 4), 'performance/stats')).toMatchObject({ lcp: { p50: 300, p75: 500 } })
    expect(of([], 'performance/stats')).toMatchObject({ lcp: nothing, count: 0 })
  })

  it('has buckets and names with a value only', () => {
    expect(of(rows, 'performance/chart', 'unit=hour&metric=cls')).toEqual({
      chart: [{ t: '2025-10-15T13:00:00Z', p50: 0.1, p75: 0.1, p95: 0.1 }],
    })
    expect(of(rows, 'performance/metrics', 'type=path')).toMatchObject([
      { name: '/a', p50: 300, p75: 500, count: 4 },
      { name: '', ...nothing, count: 1 },
    ])
  })

  it('by POST is all of it', () => {
    expect(postedOf(rows, 'performance', `${DAY}&metric=cls&unit=day`)).toMatchObject({
      chart: [{ p50: 0.1 }],
      summary: { lcp: { p50: 200 }, count: 6 },
      pages: [{ name: '/b', count: 1 }],
      pageTitles: [{ name: '', count: 1 }],
      devices: [{ name: '' }],
      browsers: [{ name: '' }],
    })
  })
})

describe('realtime', () => {
  const now = columnInstant('2025-10-15 12:00:59.999')
  const realtime = (rows: IngestRow[]) =>
    Object(analysis(rows, { endpoint: 'realtime', websiteId: rows[0]!.website_id, query: [], now }).body)

  it('has the half hour before the current minute', () => {
    const times = ['11:29:59.999', '11:30:00.000', '12:00:59.999', '12:01:00.000']
    const rows = times.map((time, index) => event({ ...ms(time), event_id: id(index) }))
    expect(realtime(rows).totals).toEqual({ views: 0, visitors: 1, events: 2, countries: 0 })
  })

  it('counts sessions by the country of their last action, actions by path and referrer', () => {
    const rows = [
      view('11:40:00', { country: 'DE', url_path: '/', referrer_domain: 'a.com', event_id: id(1) }),
      view('11:40:30', { country: 'US', url_path: '/', event_id: id(2) }),
      event({ country: '', url_path: '/b', session_id: id(9), visit_id: id(9), event_id: id(3), event_name: 'buy' }),
      event({ event_type: 5, session_id: id(8), visit_id: id(8), country: 'FR', event_id: id(4) }),
    ]
    const answer = realtime(rows)
    expect(answer).toMatchObject({
      countries: { US: 1 },
      urls: { '/': 2, '/b': 1 },
      referrers: { 'a.com': 1 },
      series: {
        views: [{ x: '2025-10-15T11:40:00Z', y: 2 }],
        visitors: [{ x: '2025-10-15T11:40:00Z', y: 1 }],
      },
      totals: { views: 2, visitors: 2, events: 1, countries: 1 },
      timestamp: now,
    })
    expect(answer.countries).toEqual({ US: 1 })
    const events = answer.events as { __type: string; createdAt: string }[]
    expect(events.map(({ __type, createdAt }) => `${__type} ${createdAt.slice(11, 19)}`)).toEqual([
      'event 12:00:00',
      'session 12:00:00',
      'pageview 11:40:30',
      'pageview 11:40:00',
      'session 11:40:00',
    ])
  })
})
