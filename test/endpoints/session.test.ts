import { describe, expect, it } from 'vitest'
import { compile } from '../../src/query/language/sql.ts'
import { array, boolean, date, event, id, number, string, view } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'
import { forbidden, newShare, notFound, operator } from '../support/callers.ts'
import { keyOf } from '../support/people.ts'
import { planOf } from '../support/questions.ts'
import { failed, refused } from '../support/refusals.ts'
import { reports } from '../support/reports.ts'
import { call, identify } from '../support/session-data.ts'
import { sentFirst } from '../support/statements.ts'
import { day, websiteWith } from '../support/website.ts'
import { clickhouse, newWebsite, pathOf, type Reply, running, send } from '../support/weir.ts'

const [ada, vitals, called, both] = [id(101), id(102), id(103), id(104)]

const at = (time: string) => ({ created_at: `2025-10-15 ${time}.000` })

const rows: IngestRow[] = [
  view('10:00:00', { session_id: ada, visit_id: id(201), event_id: id(1), browser: 'chrome', url_path: '/a' }),
  event({
    ...{ session_id: ada, visit_id: id(201), event_id: id(2), ...at('10:00:05'), event_name: 'buy' },
    ...{ distinct_id: 'ada', url_path: '/a', url_query: 'x=1', referrer_domain: 't.co', hostname: 'a.example' },
  }),
  view('10:01:00', { session_id: ada, visit_id: id(201), event_id: id(3), browser: 'chrome', city: 'Berlin' }),
  view('12:00:00', {
    ...{ session_id: ada, visit_id: id(202), event_id: id(4) },
    ...{ browser: 'safari', os: 'iOS', page_title: 'B' },
  }),
  event({ session_id: ada, visit_id: id(202), event_id: id(5), ...at('12:30:00'), event_type: 5, distinct_id: 'ada' }),
  event({
    ...{ session_id: vitals, visit_id: id(203), event_id: id(6) },
    ...at('09:00:00'),
    event_type: 5,
    distinct_id: 'ada',
  }),
  view('09:00:00', { session_id: vitals, visit_id: id(203), event_id: id(7) }),
  view('11:00:00', { session_id: both, visit_id: id(204), event_id: id(8), distinct_id: 'zoe' }),
  view('11:00:00', { session_id: both, visit_id: id(204), event_id: id(9), distinct_id: 'Ada' }),
  view('11:00:01', { session_id: both, visit_id: id(204), event_id: id(10), distinct_id: 'ada' }),
]

const websiteId = await websiteWith(...rows)
await identify(
  websiteId,
  call(called, '08:00:00', [string('plan', 'free')], 'ada'),
  call(ada, '09:00:00', [number('age', '41.0000'), string('plan', 'free'), string('old', 'yes')]),
  call(ada, '09:00:01', [string('plan', 'pro'), number('age', '42.5000')]),
  // At equal times, the value with the greatest type wins, then the greatest value.
  call(ada, '09:00:01', [string('age', '99'), array('tags', ['b', 'a']), date('since', '2025-10-01T02:03:04.567Z')]),
  call(ada, '09:00:01', [string('plan', 'free'), boolean('vip', true)]),
)
// Dates may differ only in milliseconds. Whichever is inserted first, the later one wins.
await identify(websiteId, call(ada, '09:00:01', [date('since', '2025-10-01T02:03:04.566Z')]))
await identify(websiteId, call(both, '09:00:01', [date('since', '2025-10-01T02:03:04.566Z')]))
await identify(websiteId, call(both, '09:00:01', [date('since', '2025-10-01T02:03:04.567Z')]))

const ask = (sessionId: string, query: object = {}, headers = operator, of = websiteId): Promise<Reply> =>
  send(pathOf(`/api/websites/${of}/sessions/${sessionId}`, { ...query }), { headers })

const activity = (sessionId: string, query: object = {}, headers = operator): Promise<Reply> =>
  ask(`${sessionId}/activity`, { ...day, ...query }, headers)

const events = ({ body }: Reply): string[] => body.map(({ eventId }: { eventId: string }) => eventId)

const nothing = { browser: '', os: '', device: '', screen: '', language: '', country: '', region: '', city: '' }

describe('one session', () => {
  it('has the attributes of its last action, its figures, and its distinct id', async () => {
    const { body, headers } = await ask(ada.toUpperCase())
    expect(body).toStrictEqual({
      ...{ id: ada, websiteId, distinctId: 'ada', distinctIds: ['ada'], ...nothing, browser: 'safari', os: 'iOS' },
      ...{ firstAt: '2025-10-15T10:00:00Z', lastAt: '2025-10-15T12:00:00Z' },
      // Four sessions are identified as Ada, one of them only by its web vitals and one only by a call.
      ...{ visits: 2, views: 3, events: 1, totaltime: 60, canDelete: true, stitchedSessionCount: 4 },
    })
    expect([headers.get('x-capped'), headers.get('x-source')]).toStrictEqual([null, 'session_events'])
  })

  it('is not linked to other sessions if it has several distinct ids', async () => {
    expect((await ask(both)).body).toMatchObject({
      ...{ distinctId: null, distinctIds: ['Ada', 'ada', 'zoe'], stitchedSessionCount: 1 },
      ...{ visits: 1, views: 3, events: 0, totaltime: 1 },
    })
    expect((await ask(vitals)).body).toMatchObject({ distinctId: 'ada', views: 1, stitchedSessionCount: 4 })
  })

  it('says whether the reader may delete it', async () => {
    const reader = await keyOf(undefined, { access: 'read', websiteIds: [websiteId] })
    expect((await ask(ada, {}, reader)).body).toMatchObject({ canDelete: false, distinctId: 'ada' })
  })

  it('hides distinct ids from a share, and data outside the locked filters', async () => {
    const { headers } = await newShare(websiteId, { revenue: true })
    const unnamed = { distinctId: null, distinctIds: [], canDelete: false, stitchedSessionCount: 1 }
    expect((await ask(ada, {}, headers)).body).toMatchObject({ ...unnamed, visits: 2, views: 3 })
    const chrome = await newShare(websiteId, { sessions: true, filters: { browser: 'chrome' } })
    expect((await ask(ada, {}, chrome.headers)).body).toMatchObject({ ...unnamed, city: 'Berlin', views: 2, events: 0 })
    // The table sorted by session has no titles.
    const titled = await newShare(websiteId, { sessions: true, filters: { title: 'B' } })
    expect((await ask(ada, {}, titled.headers)).body).toMatchObject({ ...unnamed, browser: 'safari', views: 1 })
    expect(events(await activity(ada, {}, titled.headers))).toStrictEqual([id(4)])
    failed(await ask(both, {}, titled.headers), notFound)
    expect((await activity(both, {}, titled.headers)).body).toStrictEqual([])
    failed(await ask(ada, {}, (await newShare(websiteId, { overview: true })).headers), forbidden)
  })

  it('is a 404 if it has no action, and a 400 if the id is invalid', async () => {
    failed(await ask(called), notFound)
    failed(await ask(id(999)), notFound)
    failed(await ask(ada, {}, operator, await newWebsite()), notFound)
    refused(await ask('x'), 'sessionId')
    refused(await ask(ada, { browser: 'chrome' }), 'browser')
  })
})

describe('the activity of a session', () => {
  it('contains its actions within the range, newest first', async () => {
    const reply = await activity(ada)
    expect(events(reply)).toStrictEqual([id(4), id(3), id(2), id(1)])
    expect(reply.headers.get('x-total-count')).toBe('4')
    expect(reply.body[2]).toStrictEqual({
      ...{ createdAt: '2025-10-15T10:00:05Z', urlPath: '/a', urlQuery: 'x=1', referrerDomain: 't.co', eventId: id(2) },
      ...{ eventType: 2, eventName: 'buy', visitId: id(201), hostname: 'a.example', hasData: 0 },
    })
    const noon = { startAt: day.startAt + 10 * 3_600_000 + 1, endAt: day.startAt + 12 * 3_600_000 - 1 }
    expect(events(await activity(ada, noon))).toStrictEqual([id(3), id(2)])
    const cut = await activity(ada, { limit: 2, offset: 1 })
    expect([events(cut), cut.headers.get('x-total-count')]).toStrictEqual([[id(3), id(2)], '4'])
    expect((await activity(id(999))).body).toStrictEqual([])
  })

  it('is narrowed by a search: custom events by name, views by path', async () => {
    const found = await activity(ada, { search: 'BU' })
    expect([events(found), found.headers.get('x-total-count')]).toStrictEqual([[id(2)], '1'])
    expect(events(await activity(ada, { search: '/a', distinctId: 'ada' }))).toStrictEqual([id(1)])
    expect(events(await activity(ada, { search: "'%" }))).toStrictEqual([])
  })

  it('includes the activity of linked sessions if the distinct id is given', async () => {
    const all = [id(4), id(10), id(9), id(8), id(3), id(2), id(1), id(7)]
    const stitched = await activity(ada, { distinctId: 'ada' })
    expect([events(stitched), stitched.headers.get('x-total-count')]).toStrictEqual([all, '8'])
    expect(events(await activity(called, { distinctId: 'ada' }))).toStrictEqual(all)
    expect(events(await activity(vitals, { distinctId: 'zoe' }))).toStrictEqual([id(10), id(9), id(8), id(7)])
    expect(events(await activity(vitals, { distinctId: '' }))).toStrictEqual([id(7)])
    expect(events(await activity(vitals, { distinctId: "'%" }))).toStrictEqual([id(7)])
    const { headers } = await newShare(websiteId, { sessions: true })
    failed(await activity(ada, { distinctId: 'ada' }, headers), forbidden)
    expect(events(await activity(ada, {}, headers))).toHaveLength(4)
  })
})

describe('a session’s properties', () => {
  it('contain the current value of each key, sorted by key', async () => {
    const none = { numberValue: null, dateValue: null, createdAt: '2025-10-15T09:00:01Z' }
    const of = (dataKey: string, dataType: number, stringValue: string, more: object = {}) => ({
      ...{ websiteId, sessionId: ada, dataKey, dataType, stringValue },
      ...none,
      ...more,
    })
    const { body } = await ask(`${ada}/properties`)
    expect(body).toStrictEqual([
      of('age', 2, '42.5', { numberValue: 42.5 }),
      of('old', 1, 'yes', { createdAt: '2025-10-15T09:00:00Z' }),
      of('plan', 1, 'pro'),
      of('since', 4, '2025-10-01T02:03:04.567Z', { dateValue: '2025-10-01T02:03:04Z' }),
      of('tags', 5, '["b","a"]'),
      of('vip', 3, 'true'),
    ])
    const later = of('since', 4, '2025-10-01T02:03:04.567Z', { sessionId: both, dateValue: '2025-10-01T02:03:04Z' })
    expect((await ask(`${both}/properties`)).body).toStrictEqual([later])
    const found = async (search: string) =>
      (await ask(`${ada}/properties`, { search })).body.map(({ dataKey }: { dataKey: string }) => dataKey)
    expect(await found('PL')).toStrictEqual(['plan'])
    expect(await found('42.5')).toStrictEqual(['age'])
    expect(await found('t')).toStrictEqual(['since', 'tags', 'vip'])
    expect(await found("'%")).toStrictEqual([])
    // One of them has no action, only an identify call.
    for (const unknown of [called, vitals, id(999)]) expect((await ask(`${unknown}/properties`)).body).toStrictEqual([])
    refused(await ask('x/properties'), 'sessionId')
  })

  it('are shown with locked filters only if they match an action of the session', async () => {
    const behind = async (filters: object) => {
      const { headers } = await newShare(websiteId, { sessions: true, allowSessionProperties: true, filters })
      return (await ask(`${ada}/properties`, {}, headers)).body.length
    }
    expect([await behind({ browser: 'chrome' }), await behind({ browser: 'opera' })]).toStrictEqual([6, 0])
    expect([await behind({ title: 'B' }), await behind({ title: 'C' })]).toStrictEqual([6, 0])
    failed(await ask(`${ada}/properties`, {}, (await newShare(websiteId, { events: true })).headers), forbidden)
  })
})

/** The number of rows that ClickHouse reads for each statement of a session look-up. */
async function rowsRead(name: string, of: string, sessionId: string, query: [string, string][]): Promise<number[]> {
  const report = reports.find((one) => one.name === name)!
  const plan = planOf({ report, websiteId: of, sessionId, query })
  return Promise.all(
    Object.values(plan).map(async (statement) => {
      const body = sentFirst(statement)
      const { query, query_params } = compile(body)
      const url = new URL(running.clickhouse)
      url.searchParams.set('default_format', 'JSON')
      for (const [parameter, value] of Object.entries(query_params)) {
        url.searchParams.set(`param_${parameter}`, String(value))
      }
      const answer = await fetch(url, { method: 'POST', body: query })
      const { statistics } = (await answer.json()) as { statistics: { rows_read: number } }
      return statistics.rows_read
    }),
  )
}

describe('a session look-up', () => {
  it('reads few rows on a large website, and counts at most 1,000 sessions with a distinct id', async () => {
    const large = await newWebsite()
    // Over 100 days, session 0 has an event every day. The same person has 2,000 other sessions of two events each.
    await clickhouse(`INSERT INTO ingest (website_id, created_at, event_id, session_id, visit_id, event_type, distinct_id)
      SELECT '${large}', toDateTime64('2025-01-01 00:00:00', 3, 'UTC') + INTERVAL number * 72 SECOND,
        toUUID(concat('00000000-0000-4000-8000-', leftPad(toString(number), 12, '0'))),
        toUUID(concat('00000000-0000-4000-9000-', leftPad(toString(if(number % 1000 = 0, 0, intDiv(number, 2))), 12, '0'))) AS one,
        one, 1, if(number % 1000 = 0 or number % 60 < 2, 'same person', '')
      FROM numbers(120000)`)
    const session = '00000000-0000-4000-9000-000000000000'
    const reply = await ask(session, {}, operator, large)
    expect(reply.body).toMatchObject({ views: 121, distinctId: 'same person', stitchedSessionCount: 1000 })
    expect(reply.headers.get('x-capped')).toBe('stitchedSessionCount')
    const empty = await newWebsite()
    // Parts of other tests' inserts that are not merged yet cost a few rows each, even on a website without events.
    const read = async (name: string, query: [string, string][]) => {
      const [own, none] = [await rowsRead(name, large, session, query), await rowsRead(name, empty, session, query)]
      return own.map((rows, place) => rows - none[place]!)
    }
    for (const rows of await read('getWebsiteSession', [])) expect(rows).toBeLessThan(33_000)
    const range: [string, string][] = [
      ['startAt', String(Date.UTC(2025, 0, 1))],
      ['endAt', String(Date.UTC(2025, 3, 11))],
    ]
    for (const rows of await read('getWebsiteSessionActivity', range)) expect(rows).toBeLessThan(33_000)
    // The first page of all sessions is within the last 32nd of the range.
    const [page] = await read('getWebsiteSessions', range)
    expect(page).toBeLessThan(12_000)
  })
})
