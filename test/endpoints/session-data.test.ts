import { describe, expect, it } from 'vitest'
import { array, boolean, date, event, id, number, string, view } from '../oracle/fixtures.ts'
import { newShare, operator } from '../support/callers.ts'
import { call, identify } from '../support/session-data.ts'
import { day, websiteWith } from '../support/website.ts'
import { pathOf, read, running, send } from '../support/weir.ts'

const [ann, bob, cat, dan, eve] = [id(901), id(902), id(903), id(904), id(905)]
const [first, second] = [id(801), id(802)]

/**
 * Three sessions have actions on that day. Ann has two views and a purchase in two visits, Bob a view, and Cat a
 * purchase. Dan was there the day before, and Eve sent only a web vital.
 */
const events = [
  view('10:00:00', { event_id: id(1), session_id: ann, visit_id: first, url_path: '/a', browser: 'chrome' }),
  event({
    event_id: id(2),
    ...{ session_id: ann, visit_id: first, created_at: '2025-10-15 10:01:00.000', event_name: 'buy' },
    browser: 'chrome',
  }),
  view('12:00:00', { event_id: id(3), session_id: ann, visit_id: second, url_path: '/b', browser: 'chrome' }),
  view('12:00:00', { event_id: id(4), session_id: bob, visit_id: id(803), url_path: '/a', browser: 'firefox' }),
  event({ event_id: id(5), session_id: cat, visit_id: id(804), event_name: 'buy', browser: 'firefox' }),
  view('10:00:00', { event_id: id(6), session_id: dan, visit_id: id(805), created_at: '2025-10-14 10:00:00.000' }),
  event({ event_id: id(7), session_id: eve, visit_id: id(806), event_type: 5 }),
]

/**
 * The final values: Ann has `pro` and 30; Bob has `pro`, 40.5 and others from the day before; Cat has `free` and 7,
 * each of which won a tie.
 */
const calls = [
  call(ann, '09:00:00', [string('plan', 'free'), number('age', '30')], 'ann'),
  call(ann, '11:00:00', [string('plan', 'pro')]),
  call(
    bob,
    '2025-10-14 08:00:00.000',
    [
      string('plan', 'pro'),
      number('age', '40.5'),
      array('tags', ['b', 'a', 'b']),
      boolean('vip', true),
      date('born', '2025-10-14T22:30:00.000Z'),
      date('was', '1955-11-05T06:15:00.999Z'),
    ],
    'bob',
  ),
  call(cat, '10:30:00', [string('plan', 'basic'), number('age', '7')], 'cat'),
  call(cat, '10:30:00', [string('plan', 'free'), string('age', '90')], 'dog'),
  call(dan, '10:00:00', [string('plan', 'pro')]),
  call(eve, '10:00:00', [string('plan', 'pro')]),
]

const websiteId = await websiteWith(...events)
await identify(websiteId, ...calls)

const range = { startAt: day.startAt, endAt: day.endAt }
const ask = async (report: string, query: object = {}): Promise<unknown> =>
  (await read(websiteId, report, { ...range, ...query })).body

const total = (propertyName: string, dataType: number, total: number) => ({ propertyName, dataType, total })
const count = (value: string, total: number) => ({ value, total })

describe('session properties', () => {
  const all = [
    total('age', 2, 3),
    total('plan', 1, 3),
    total('born', 4, 1),
    total('tags', 5, 1),
    total('vip', 3, 1),
    total('was', 4, 1),
  ]

  it('are counted over sessions with an action in the range', async () => {
    expect(await ask('session-data/properties')).toEqual(all)
    expect(await ask('session-data/properties', { limit: 2, offset: 1 })).toEqual(all.slice(1, 3))
    expect(await ask('session-data/properties', { search: 'A' })).toEqual([all[0], all[1], all[3], all[5]])
    expect(await ask('session-data/properties', { endAt: day.startAt })).toEqual([])
  })
})

describe('a property’s values', () => {
  it('are the latest ones; of simultaneous values, the greatest type counts, then the greatest text', async () => {
    expect(await ask('session-data/values', { propertyName: 'plan' })).toEqual([count('pro', 2), count('free', 1)])
    expect(await ask('session-data/values', { propertyName: 'age' })).toEqual([
      count('30', 1),
      count('40.5', 1),
      count('7', 1),
    ])
    expect(await ask('session-data/values', { propertyName: 'age', dataType: 1 })).toEqual([])
    expect(await ask('session-data/values', { propertyName: 'born' })).toEqual([count('2025-10-14T22:30:00Z', 1)])
  })

  it('can be array elements, which count once per session', async () => {
    const tags = { propertyName: 'tags' }
    expect(await ask('session-data/values', tags)).toEqual([count('["b","a","b"]', 1)])
    expect(await ask('session-data/values', { ...tags, dataType: 5 })).toEqual([count('a', 1), count('b', 1)])
  })
})

describe('the actions of sessions by a property', () => {
  it('are counted as activity, visits, views and custom events', async () => {
    const pro = { label: 'pro', activity: 4, sessions: 2, visits: 3, views: 3, events: 1 }
    const free = { label: 'free', activity: 1, sessions: 1, visits: 1, views: 0, events: 1 }
    expect(await ask('session-data/stats', { propertyName: 'plan' })).toEqual([pro, free])
    expect(await ask('session-data/stats', { propertyName: 'plan', limit: 1, offset: 1 })).toEqual([free])
    // Filters and a search restrict the counts.
    expect(await ask('session-data/stats', { propertyName: 'plan', path: '/a' })).toEqual([
      { label: 'pro', activity: 2, sessions: 2, visits: 2, views: 2, events: 0 },
    ])
    expect(await ask('session-data/stats', { propertyName: 'plan', search: 'BUY' })).toEqual([
      { label: 'free', activity: 1, sessions: 1, visits: 1, views: 0, events: 1 },
      { label: 'pro', activity: 1, sessions: 1, visits: 1, views: 0, events: 1 },
    ])
    // A condition on events applies to a view's whole visit.
    expect(await ask('session-data/stats', { propertyName: 'plan', event: 'buy' })).toEqual([
      { label: 'pro', activity: 2, sessions: 1, visits: 1, views: 1, events: 1 },
      { label: 'free', activity: 1, sessions: 1, visits: 1, views: 0, events: 1 },
    ])
  })
})

describe('the pivot', () => {
  const row = (sessionId: string, distinctId: string, createdAt: string, values: Record<string, string>) => ({
    ...{ sessionId, distinctId, createdAt, propertyKeys: Object.keys(values), propertyValues: Object.values(values) },
  })
  const rows = [
    row(ann, '', '2025-10-15T11:00:00Z', { age: '30', plan: 'pro' }),
    row(cat, 'dog', '2025-10-15T10:30:00Z', { age: '7', plan: 'free' }),
    row(bob, 'bob', '2025-10-14T08:00:00Z', {
      ...{ age: '40.5', born: '2025-10-14T22:30:00Z', plan: 'pro' },
      ...{ tags: '["b","a","b"]', vip: 'true', was: '1955-11-05T06:15:00Z' },
    }),
  ]
  const pivot = 'session-data-pivot'

  it('has a row for each session with all its current values, most recently set first', async () => {
    expect(await ask(pivot, { propertyName: 'plan' })).toEqual({ data: rows, count: 3, page: 1, pageSize: 20 })
    expect(await ask(pivot, { propertyName: 'vip' })).toMatchObject({ data: [rows[2]], count: 1 })
    expect(await ask(pivot, { propertyName: 'plan', search: '/B' })).toMatchObject({ data: [rows[0]], count: 1 })
    expect(await ask(pivot, { propertyName: 'plan', maxResults: 2 })).toEqual({
      data: rows.slice(0, 2),
      ...{ count: 2, page: 1, pageSize: 20, isCapped: true },
    })
  })

  it('shows no distinct id through a share or a public website', async () => {
    const { headers } = await newShare(websiteId, { sessions: true, allowSessionProperties: true })
    const reply = await send(pathOf(`/api/websites/${websiteId}/${pivot}`, { ...range, propertyName: 'plan' }), {
      headers,
    })
    expect(reply.body.data).toEqual(rows.map((one) => ({ ...one, distinctId: '' })))
  })
})

describe('a property series', () => {
  const series = (name: string, propertyName: string, more: object = {}) =>
    ask(`session-data/${name}-series`, { propertyName, unit: 'day', ...more })

  it('contains current values at the times when they were set, even outside the range', async () => {
    expect(await series('property', 'plan')).toEqual([
      { x: 'pro', t: '2025-10-14T00:00:00Z', y: 1 },
      { x: 'free', t: '2025-10-15T00:00:00Z', y: 1 },
      { x: 'pro', t: '2025-10-15T00:00:00Z', y: 1 },
    ])
    expect(await series('property', 'vip')).toEqual([{ x: 'true', t: '2025-10-14T00:00:00Z', y: 1 }])
    expect(await series('property', 'age')).toEqual([])
    expect(await series('array', 'tags', { unit: 'hour', timezone: 'Asia/Kathmandu' })).toEqual([
      { x: 'a', t: '2025-10-14T07:15:00Z', y: 1 },
      { x: 'b', t: '2025-10-14T07:15:00Z', y: 1 },
    ])
    expect(await series('date', 'born')).toEqual([{ t: '2025-10-14T22:30:00Z', y: 1 }])
  })
})

describe('the statistics of a numeric property', () => {
  it('are computed from the current values', async () => {
    const statistics = (propertyName: string) => ask('session-data/numeric-stats', { propertyName })
    const nothing = { total: 0, average: 0, median: 0, max: 0, min: 0 }
    expect(await statistics('age')).toEqual({ total: 77.5, average: 77.5 / 3, median: 30, max: 40.5, min: 7 })
    expect([await statistics('plan'), await statistics('none')]).toEqual([nothing, nothing])
  })

  it('are exact to four decimal places', async () => {
    const rows = [view('10:00:00', { session_id: ann }), view('10:00:00', { session_id: bob, event_id: id(2) })]
    const exact = await websiteWith(...rows)
    await identify(
      exact,
      call(ann, '10:00:00', [number('sum', '100000000000000000.0001')]),
      call(bob, '10:00:00', [number('sum', '200000000000000000.0002')]),
    )
    const text = async (name: string) => {
      const path = pathOf(`/api/websites/${exact}/session-data/${name}`, { ...range, propertyName: 'sum', unit: 'day' })
      return (await fetch(running.url + path, { headers: operator })).text()
    }
    expect(await text('numeric-stats')).toContain('"total":300000000000000000.0003')
    expect(await text('numeric-stats')).toContain('"max":200000000000000000.0002,"min":100000000000000000.0001')
    expect(await text('numeric-series')).toBe('[{"t":"2025-10-15T00:00:00Z","y":300000000000000000.0003}]')
  })
})

/** The names of the sessions that match a filter. */
async function kept(filter: object): Promise<string> {
  const { data } = (await ask('events', filter)) as { data: { sessionId: string }[] }
  const found = new Set(data.map(({ sessionId }) => sessionId))
  return [
    ['ann', ann],
    ['bob', bob],
    ['cat', cat],
  ]
    .flatMap(([name, session]) => (found.has(session!) ? [name] : []))
    .join(' ')
}

describe('a filter by a session property', () => {
  it.each([
    ['1.eq.plan.pro', 'ann bob'],
    ['1.eq.plan.pro,free', 'ann bob cat'],
    ['1.neq.plan.pro', 'cat'],
    ['1.c.plan.RE', 'cat'],
    ['1.dnc.plan.RE', 'ann bob'],
    ['1.re.plan.^f', 'cat'],
    ['1.nre.plan.^f', 'ann bob'],
    ['1.eq.age.90', ''],
    ['2.eq.age.7.0', 'cat'],
    ['2.neq.age.7', 'ann bob'],
    ['2.gt.age.30', 'bob'],
    ['2.gte.age.30', 'ann bob'],
    ['2.lt.age.30', 'cat'],
    ['2.lte.age.30', 'ann cat'],
    ['3.eq.vip.true', 'bob'],
    ['3.neq.vip.true', ''],
    ['4.eq.born.2025-10-14', 'bob'],
    ['4.neq.born.2025-10-14', ''],
    ['4.bf.born.2025-10-15', 'bob'],
    ['4.af.born.2025-10-13', 'bob'],
    ['4.af.born.2025-10-14', ''],
    ['4.eq.was.1955-11-05', 'bob'],
    ['4.bf.was.1955-11-06', 'bob'],
    ['4.af.was.1955-11-05', ''],
    ['5.c.tags.a', 'bob'],
    ['5.dnc.tags.a', ''],
    ['5.dnc.tags.c', 'bob'],
    ['1.eq.none.pro', ''],
  ])('%s keeps the events of matching sessions: %s', async (filter, names) => {
    expect(await kept({ spf0: filter })).toBe(names)
  })

  it('is combined with other filters, whatever match is, and in every spelling', async () => {
    const both = { spf0: '1.eq.plan.pro', spf1: '2.gt.age.1' }
    expect(await kept(both)).toBe('ann bob')
    expect(await kept({ ...both, match: 'any' })).toBe('ann bob')
    expect(await kept({ ...both, browser: 'chrome' })).toBe('ann')
    expect(await kept({ spf: '1.eq.plan.pro', 'filters[spf7]': '2.eq.age.30' })).toBe('ann')
    expect(await kept({ filters: '{"spf0":["1.eq.plan.pro","2.eq.age.30"]}' })).toBe('ann')
    expect(await kept({ spf0: '1.eq.plan.pro', epf0: '1.eq.plan.pro' })).toBe('')
    expect(await kept({ spf0: '4.eq.born.2025-10-15', timezone: 'Europe/Berlin' })).toBe('bob')
  })

  it('cannot be answered from tables of counts over long ranges', async () => {
    const year = { startAt: day.startAt - 200 * 86_400_000, endAt: day.endAt + 100 * 86_400_000 }
    const { headers, body } = await read(websiteId, 'stats', { ...year, spf0: '2.lt.age.30' })
    expect(headers.get('x-source')?.split(', ').sort()).toEqual(['events', 'session_data'])
    expect(body).toMatchObject({ pageviews: 0, visitors: 0 })
    expect(await ask('stats', { ...year, spf0: '1.eq.plan.pro' })).toMatchObject({ pageviews: 4, visitors: 3 })
    const { headers: source, body: activity } = await read(websiteId, 'session-data/stats', {
      ...year,
      propertyName: 'plan',
    })
    expect(source.get('x-source')).toContain('hourly_visits')
    expect(activity).toEqual([
      { label: 'pro', activity: 5, sessions: 3, visits: 4, views: 4, events: 1 },
      { label: 'free', activity: 1, sessions: 1, visits: 1, views: 0, events: 1 },
    ])
    expect(await ask('session-data/values', { ...year, propertyName: 'plan' })).toEqual([
      count('pro', 3),
      count('free', 1),
    ])
  })
})
