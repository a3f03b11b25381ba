import { describe, expect, it } from 'vitest'
import { analysisOf, DAY, event, id, record, statisticOf, string, view, WEBSITE } from './fixtures.ts'
import { columnInstant } from './instants.ts'
import type { IngestRow, OracleRequest, SessionReport } from './model.ts'
import { statistic } from './statistics.ts'

const ANN = id(101)
const BOB = id(102)

/** Ann looks in chrome, buys, and comes back in firefox; Bob follows a link. A web vital is nobody's action. */
const rows = [
  view('10:00:00', { session_id: ANN, visit_id: id(201), event_id: id(1), browser: 'chrome', country: 'DE' }),
  event({
    ...{ session_id: ANN, visit_id: id(201), event_id: id(2), event_name: 'buy', distinct_id: 'ann', city: 'Ulm' },
    created_at: '2025-10-15 10:01:00.000',
  }),
  view('12:00:00', { session_id: ANN, visit_id: id(202), event_id: id(3), browser: 'firefox', country: 'US' }),
  view('12:00:00', { session_id: BOB, visit_id: id(203), event_id: id(4), event_type: 3 }),
  event({ session_id: BOB, visit_id: id(204), event_id: id(5), event_type: 5, created_at: '2025-10-15 13:00:00.000' }),
]

type Page = { data: Record<string, unknown>[]; count: number }

const of = (endpoint: SessionReport, query = '', beside: Partial<OracleRequest<SessionReport>> = {}, some = rows) =>
  analysisOf(some, endpoint, `${DAY}&${query}`, beside)

const pageOf = (query = '', beside: Partial<OracleRequest<SessionReport>> = {}, some: IngestRow[] = rows) =>
  of('sessions', query, beside, some) as Page

const idsOf = (...asked: Parameters<typeof pageOf>) => pageOf(...asked).data.map((row) => row.id)

describe('sessions', () => {
  it('are one row each, with what the last action says and the figures of all', () => {
    const { data, count } = pageOf()
    expect(count).toBe(2)
    expect(data.map((row) => row.id)).toEqual([BOB, ANN])
    expect(data[1]).toEqual({
      ...{ id: ANN, websiteId: WEBSITE, hostname: '', browser: 'firefox', os: '', device: '', screen: '' },
      ...{ language: '', country: 'US', region: '', city: '', distinctId: 'ann' },
      ...{ firstAt: '2025-10-15T10:00:00Z', lastAt: '2025-10-15T12:00:00Z', createdAt: '2025-10-15T12:00:00Z' },
      ...{ visits: 2, views: 2, events: 1 },
    })
    expect(data[0]).toMatchObject({ visits: 1, views: 1, events: 0, distinctId: null })
  })

  it('stand by the milliseconds of their last action, then by the engine’s order of ids', () => {
    const of = (session_id: string, event_id: string, ms: string) =>
      view('10:00:00', { session_id, event_id, created_at: `2025-10-15 10:00:00.${ms}` })
    const low = 'ffffffff-ffff-4fff-0000-000000000000'
    const high = '00000000-0000-4000-8000-000000000000'
    expect(idsOf('', {}, [of(low, id(1), '000'), of(high, id(2), '000'), of(ANN, id(3), '001')])).toEqual([
      ANN,
      high,
      low,
    ])
  })

  it('take the last of two actions of one millisecond by its id', () => {
    const twins = [
      view('10:00:00', { event_id: '00000000-0000-4000-9000-000000000000', browser: 'last' }),
      view('10:00:00', { event_id: 'ffffffff-ffff-4fff-8000-000000000000', browser: 'first' }),
    ]
    expect(pageOf('', {}, twins).data[0]).toMatchObject({ browser: 'last' })
  })

  it('are found by any action, which changes no figure', () => {
    const found = (search: string) => idsOf(`search=${search}`)
    expect(['CHROME', 'ulm', 'AN', 'z'].map(found)).toEqual([[ANN], [ANN], [ANN], []])
    expect(pageOf('search=chrome').data[0]).toMatchObject({ browser: 'firefox', views: 2 })
  })

  it('have no distinct id through a share, and are not found by it', () => {
    expect(pageOf('', { isShare: true }).data.map((row) => row.distinctId)).toEqual([null, null])
    expect(idsOf('search=ann', { isShare: true })).toEqual([])
  })

  it('of a filter are made of what passes it, views by their visit', () => {
    expect(pageOf('event=buy').data).toMatchObject([{ id: ANN, views: 1, events: 1, visits: 1, browser: '' }])
    expect(idsOf('event=neq.buy')).toEqual([BOB, ANN])
    expect(pageOf('eventType=2').data).toMatchObject([{ id: ANN, views: 0, events: 1 }])
  })

  it('hide what was before a reset, and what a lock does not let through', () => {
    const resetAt = columnInstant('2025-10-15 10:00:00.001')
    expect(pageOf('', { resetAt }).data[1]).toMatchObject({ views: 1, events: 1, firstAt: '2025-10-15T10:01:00Z' })
    const locks: [string, string][] = [['event', 'buy']]
    expect(pageOf('', { locks }).data).toMatchObject([{ id: ANN, views: 0, events: 1 }])
    expect(pageOf('event=buy', { locks: [['browser', 'firefox']] }).data).toEqual([])
    const bounces: [string, string][] = [['excludeBounce', 'true']]
    expect(pageOf('', { locks: bounces }).data).toEqual([])
    const again = view('10:02:00', { session_id: ANN, visit_id: id(201), event_id: id(9), browser: 'firefox' })
    expect(pageOf('', { locks: bounces }, [...rows, again]).data).toMatchObject([{ id: ANN, views: 2, visits: 1 }])
    const chrome: [string, string][] = [...bounces, ['browser', 'chrome']]
    expect(pageOf('', { locks: chrome }, [...rows, again]).data).toMatchObject([{ id: ANN, views: 1, events: 0 }])
  })
})

describe('sessions/stats', () => {
  it('counts views, sessions, visits, countries and events', () => {
    const values = (query = '') =>
      Object.values(of('sessions/stats', query) as Record<string, { value: number }>).map(({ value }) => value)
    expect(values()).toEqual([3, 2, 3, 2, 1])
    expect(values('event=buy')).toEqual([1, 1, 1, 1, 1])
    expect(values('eventType=5')).toEqual([0, 0, 0, 0, 0])
  })
})

describe('sessions/weekly', () => {
  const table = (some: IngestRow[], query: string) => analysisOf(some, 'sessions/weekly', query) as number[][]
  const year = 'startDate=2025-01-01&endDate=2025-12-31'

  it('has sessions by weekday and local hour, Sunday first', () => {
    const utc = table(rows, DAY)
    expect([utc.length, ...utc.map((day) => day.length)]).toEqual([7, 24, 24, 24, 24, 24, 24, 24])
    expect([utc[3]![10], utc[3]![12], utc.flat().reduce((all, one) => all + one)]).toEqual([1, 2, 3])
    expect(table(rows, `${DAY}&timezone=Asia/Kathmandu`)[3]!.slice(15, 18)).toEqual([1, 0, 2])
  })

  it('joins the two hours that clocks show twice, and the same hour of other weeks', () => {
    const at = (created_at: string, session: number) => view('10:00:00', { created_at, session_id: id(session) })
    const night = ['2025-11-02 05:30:00.000', '2025-11-02 06:30:00.000', '2025-11-09 06:30:00.000']
    const newYork = `${year}&timezone=America/New_York`
    expect(
      table(
        night.map((moment) => at(moment, 1)),
        newYork,
      )[0]![1],
    ).toBe(1)
    expect(table(night.map(at), newYork)[0]![1]).toBe(3)
  })
})

describe('sessions/:sessionId', () => {
  const session = (sessionId: string, beside: Partial<OracleRequest<SessionReport>> = {}) =>
    of('sessions/:sessionId', '', { sessionId, ...beside }) as Record<string, unknown>

  it('is over all time, with the time of its visits', () => {
    const later = view('10:00:30', { session_id: ANN, visit_id: id(202), created_at: '2026-01-01 12:00:00.000' })
    const found = of('sessions/:sessionId', '', { sessionId: ANN.toUpperCase() }, [...rows, later])
    const length = (Date.parse('2026-01-01T12:00:00Z') - Date.parse('2025-10-15T12:00:00Z')) / 1000
    expect(found).toMatchObject({ id: ANN, visits: 2, views: 3, events: 1, totaltime: length, canDelete: true })
    expect(found).not.toHaveProperty('hostname')
  })

  it('knows the distinct ids that any event or record links', () => {
    const vital = event({ event_type: 5, session_id: BOB, distinct_id: 'ann', event_id: id(9) })
    const linked = (some: IngestRow[], sessionId: string, records = [record('09:00:00', [])]) => {
      const { distinctId, distinctIds, stitchedSessionCount } = Object(
        of('sessions/:sessionId', '', { sessionId, records }, some),
      )
      return [distinctId, distinctIds, stitchedSessionCount]
    }
    expect(linked(rows, BOB)).toEqual([null, [], 1])
    expect(linked([...rows, vital], BOB)).toEqual(['ann', ['ann'], 2])
    const said = (distinct_id: string, session_id: string) => record('09:00:00', [], { session_id, distinct_id })
    expect(linked(rows, ANN, [said('ann', id(7)), said('Ann', id(8))])).toEqual(['ann', ['ann'], 2])
    expect(linked(rows, ANN, [said('ann', BOB), said('Ann', ANN)])).toEqual([null, ['Ann', 'ann'], 1])
  })

  it('is without those for a share', () => {
    const shown = { distinctId: null, distinctIds: [], stitchedSessionCount: 1, canDelete: false }
    expect(session(ANN, { isShare: true })).toMatchObject(shown)
  })

  it('is unknown without a shown action', () => {
    expect(session(id(999))).toBeUndefined()
    expect(of('sessions/:sessionId', '', { sessionId: BOB }, rows.slice(4))).toBeUndefined()
    expect(session(BOB, { locks: [['browser', 'chrome']] })).toBeUndefined()
  })
})

describe('sessions/:sessionId/activity', () => {
  const idsOf = (query: string, beside: Partial<OracleRequest<SessionReport>> = {}, range = DAY) =>
    (
      analysisOf(rows, 'sessions/:sessionId/activity', `${range}&${query}`, { sessionId: ANN, ...beside }) as {
        eventId: string
      }[]
    ).map((row) => row.eventId)

  it('lists actions of the session, newest first', () => {
    expect(idsOf('')).toEqual([id(3), id(2), id(1)])
    expect(idsOf('limit=1&offset=1')).toEqual([id(2)])
    expect(idsOf('', { sessionId: BOB })).toEqual([id(4)])
    expect(idsOf('', {}, `startAt=${columnInstant('2025-10-15 12:00:00.000')}&endAt=1760572799999`)).toEqual([id(3)])
    expect(idsOf('', { sessionId: id(999) })).toEqual([])
  })

  it('adds the sessions that a distinct id links, whenever it did', () => {
    const records = [
      record('23:59:59', [], { session_id: BOB, distinct_id: 'b', created_at: '2020-01-01 00:00:00.000' }),
    ]
    expect(idsOf('distinctId=b', { records })).toEqual([id(4), id(3), id(2), id(1)])
    expect(idsOf('distinctId=c', { records })).toEqual([id(3), id(2), id(1)])
    expect(idsOf('distinctId=', { records })).toEqual([id(3), id(2), id(1)])
  })
})

describe('spf', () => {
  const records = [
    record('09:00:00', [string('plan', 'free')], { session_id: ANN }),
    record('09:30:00', [string('plan', 'pro')], { session_id: ANN }),
    record('09:00:00', [string('plan', 'free')], { session_id: BOB }),
  ]
  const ids = (query: string) => idsOf(query, { records })

  it('keeps events whose session has such a current value', () => {
    expect(ids('spf0=1.eq.plan.pro')).toEqual([ANN])
    expect(ids('spf0=1.eq.plan.free')).toEqual([BOB])
    expect(ids('spf0=1.neq.plan.free')).toEqual([ANN])
    expect(ids('spf0=1.neq.other.free')).toEqual([])
    expect(ids('spf0=2.eq.plan.1')).toEqual([])
    expect(ids('match=any&browser=chrome&spf0=1.eq.plan.free')).toEqual([])
  })

  it('is taken everywhere', () => {
    const query: [string, string][] = [...new URLSearchParams(`${DAY}&spf0=1.eq.plan.pro`)]
    expect(statistic(rows, { endpoint: 'stats', websiteId: WEBSITE, query, records }).body).toMatchObject({ visits: 2 })
    expect(statisticOf(rows, 'stats', `${DAY}&spf0=1.eq.plan.pro`)).toMatchObject({ visits: 0 })
  })
})
