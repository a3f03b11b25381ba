import { describe, expect, it } from 'vitest'
import { DAY, event, id, OTHER_WEBSITE, statisticOf, string, view, WEBSITE } from './fixtures.ts'
import { columnInstant } from './instants.ts'
import type { IngestRow } from './model.ts'
import { readQuery } from './reading.ts'
import { requestedRange } from './selection.ts'
import { selectSets } from './sets.ts'
import { statistic } from './statistics.ts'

type Changes = Partial<IngestRow>

/** Visit 1 of session 1: / then /pricing, with a purchase between; visit 2 of session 1: one page; visit 3: a link. */
const one: Changes = { session_id: id(101), visit_id: id(201) }
const two: Changes = { session_id: id(101), visit_id: id(202) }
const three: Changes = { session_id: id(103), visit_id: id(203) }
const rows = [
  view('10:00:00', { ...one, event_id: id(1), url_path: '/', browser: 'chrome' }),
  event({ ...one, event_id: id(2), event_name: 'purchase', browser: 'chrome', created_at: '2025-10-15 10:00:30.000' }, [
    string('plan', 'pro'),
  ]),
  view('10:01:30', { ...one, event_id: id(3), url_path: '/pricing', browser: 'firefox' }),
  view('11:00:00', { ...two, event_id: id(4), url_path: '/pricing', browser: 'firefox' }),
  event({ ...two, event_id: id(5), event_name: 'signup', created_at: '2025-10-15 11:30:00.000' }),
  view('12:00:00', { ...three, event_id: id(6), event_type: 3, url_path: '/go', browser: 'chrome' }),
  event({ ...three, event_id: id(7), event_type: 5, created_at: '2025-10-15 12:30:00.000' }),
]

const stats = (query: string, of = rows) => {
  const { comparison, ...own } = Object(statisticOf(of, 'stats', `${DAY}&${query}`))
  return Object.values(own)
}

describe('stats', () => {
  const zeros = { pageviews: 0, visitors: 0, visits: 0, bounces: 0, totaltime: 0 }

  it('counts views of pages, links and pixels; a custom event ends a bounce, and none lengthens a visit; web vitals do neither', () => {
    expect(statisticOf(rows, 'stats', DAY)).toEqual({
      pageviews: 4,
      visitors: 2,
      visits: 3,
      bounces: 1,
      totaltime: 90,
      comparison: zeros,
    })
    expect(statisticOf([], 'stats', DAY)).toEqual({ ...zeros, comparison: zeros })
  })

  it('compares with the window before', () => {
    const later = 'startDate=2025-10-16&endDate=2025-10-16'
    expect(statisticOf(rows, 'stats', later)).toMatchObject({ pageviews: 0, comparison: { pageviews: 4, bounces: 1 } })
  })

  it('compares with nothing where it is asked to', () => {
    expect(statisticOf([], 'stats', `${DAY}&compare=none`)).toEqual(zeros)
  })

  it('takes of a visit what lies in the range', () => {
    const cut = `startAt=${columnInstant('2025-10-15 10:00:01.000')}&endAt=1760572799999`
    expect(statisticOf(rows, 'stats', cut)).toMatchObject({ pageviews: 3, visits: 3, bounces: 1, totaltime: 0 })
  })

  it('judges a bounce by the custom events in the range: before the view, after it, in its millisecond', () => {
    const act = (created_at: string) => event({ ...two, event_id: id(9), created_at: `2025-10-15 ${created_at}` })
    const bounces = (startAt: string, custom: string) => {
      const ends = [startAt, '11:30:00.000'].map((time) => columnInstant(`2025-10-15 ${time}`))
      const some = [view('11:00:00', { ...two, event_id: id(8) }), act(custom)]
      return Object(statisticOf(some, 'stats', `startAt=${ends[0]}&endAt=${ends[1]}`)).bounces
    }
    expect(bounces('10:00:00.000', '10:00:00.000')).toBe(0)
    expect(bounces('10:00:00.001', '10:00:00.000')).toBe(1)
    expect(bounces('10:00:00.000', '11:00:00.000')).toBe(0)
    expect(bounces('10:00:00.000', '11:30:00.000')).toBe(0)
    expect(bounces('10:00:00.000', '11:30:00.001')).toBe(1)
  })

  it('judges a visit by all its views, whichever of them pass the filters', () => {
    // pageviews, visitors, visits, bounces, totaltime
    expect(stats('path=/pricing')).toEqual([2, 1, 2, 0, 90])
    expect(stats('path=/')).toEqual([1, 1, 1, 0, 90])
  })

  it('has no bounce under excludeBounce, with whatever it is on', () => {
    expect(stats('excludeBounce=')).toEqual([3, 1, 2, 0, 90])
    expect(stats('excludeBounce=0')).toEqual([4, 2, 3, 1, 90])
  })

  it('rounds the sum of the lengths down, not each of them', () => {
    const halves = [1, 2].flatMap((visit) =>
      ['.000', '.600'].map((ms, index) =>
        view('10:00:00', {
          event_id: id(10 * visit + index),
          visit_id: id(visit),
          created_at: `2025-10-15 10:00:00${ms}`,
        }),
      ),
    )
    expect(stats('', halves)).toEqual([4, 1, 2, 0, 1])
  })
})

describe('event conditions', () => {
  it('are asked of the visit of a view', () => {
    expect(stats('event=purchase')).toEqual([2, 1, 1, 0, 90])
    expect(stats('event=signup')).toEqual([1, 1, 1, 0, 0])
    expect(stats('event=neq.purchase')).toEqual([2, 2, 2, 1, 0])
    expect(stats('event=c.P')).toEqual([3, 1, 2, 0, 90])
    expect(stats('event=dnc.p')).toEqual([1, 1, 1, 1, 0])
  })

  it('want one event that passes all of them', () => {
    expect(stats('event=purchase&event1=signup')).toEqual([0, 0, 0, 0, 0])
    expect(stats('event=purchase&epf0=1.eq.plan.pro')).toEqual([2, 1, 1, 0, 90])
    expect(stats('event=signup&epf0=1.eq.plan.pro')).toEqual([0, 0, 0, 0, 0])
  })

  it('take a property of a view too, but a name of custom events only', () => {
    const seen = [
      view('10:00:00', { event_name: 'buy' }),
      event({ event_type: 1, event_id: id(2) }, [string('a', 'b')]),
    ]
    expect(stats('epf0=1.eq.a.b', seen)).toEqual([2, 1, 1, 0, 7200])
    expect(stats('event=buy', seen)).toEqual([0, 0, 0, 0, 0])
    expect(stats('event=neq.buy', seen)).toEqual([2, 1, 1, 0, 7200])
  })

  it('leave the other conditions to the view itself', () => {
    expect(stats('event=purchase&path=/pricing')).toEqual([1, 1, 1, 0, 90])
    expect(stats('event=neq.purchase&path=/pricing')).toEqual([1, 1, 1, 0, 0])
  })

  it('are joined with the others by match=any, but for the properties', () => {
    expect(stats('event=purchase&path=/go&match=any')).toEqual([3, 2, 2, 1, 90])
    expect(stats('event=neq.purchase&path=/&match=any')).toEqual([3, 2, 3, 1, 90])
    expect(stats('event=purchase&path=/go&match=any&epf0=1.eq.plan.pro')).toEqual([2, 1, 1, 0, 90])
    expect(stats('match=any&epf0=1.eq.plan.pro')).toEqual([2, 1, 1, 0, 90])
  })

  it('look at the shown events of the visit alone', () => {
    const later = `startAt=${columnInstant('2025-10-15 10:01:00.000')}&endAt=1760572799999`
    expect(statisticOf(rows, 'stats', `${later}&event=purchase`)).toMatchObject({ pageviews: 0 })
  })

  it('are asked of the visit of a web vital too', () => {
    const vitals = (query: string) => {
      const asked = readQuery({ endpoint: 'stats', websiteId: WEBSITE, query: [...new URLSearchParams(query)] })
      const bought = rows.map((row) => ({ ...row, visit_id: id(201) }))
      return selectSets(bought, WEBSITE, requestedRange(asked), asked).vitals.length
    }
    const queries = ['', 'event=purchase', 'event=purchase&path=', 'event=neq.purchase', 'event=purchase&path=/']
    expect(queries.map((query) => vitals(`${DAY}&${query}`))).toEqual([1, 1, 1, 0, 0])
  })

  it('eventType is asked of the view itself', () => {
    expect(stats('eventType=2')).toEqual([0, 0, 0, 0, 0])
    expect(stats('eventType=3')).toEqual([1, 1, 1, 1, 0])
  })
})

describe('metrics', () => {
  const metrics = (query: string, of = rows) =>
    (statisticOf(of, 'metrics', `${DAY}&${query}`) as { x: string; y: number }[]).map(({ x, y }) => [x, y])

  it('counts sessions with such a view, of event the events', () => {
    expect(metrics('type=path')).toEqual([
      ['/', 1],
      ['/go', 1],
      ['/pricing', 1],
    ])
    expect(metrics('type=browser')[0]).toEqual(['chrome', 2])
    expect(metrics('type=event')).toEqual([
      ['purchase', 1],
      ['signup', 1],
    ])
  })

  it('takes entry and exit from the visit of each view: a session counts for each of its pages', () => {
    expect(metrics('type=entry&path=/pricing')).toEqual([
      ['/', 1],
      ['/pricing', 1],
    ])
    expect(metrics('type=exit')).toEqual([
      ['/go', 1],
      ['/pricing', 1],
    ])
  })

  it('decides which view is first by the engine’s order of ids, where times are equal', () => {
    const twins = [
      view('10:00:00', { event_id: '00000000-0000-0001-8000-000000000000', url_path: '/second' }),
      view('10:00:00', { event_id: 'ffffffff-ffff-ffff-0000-000000000001', url_path: '/first' }),
    ]
    expect(metrics('type=entry', twins)).toEqual([['/first', 1]])
    expect(metrics('type=exit', twins)).toEqual([['/second', 1]])
  })

  it('has the values that the text defines', () => {
    const other = view('10:00:00', {
      hostname: 'www.a.com',
      referrer_domain: 'www.Google.de',
      url_path: '/p',
      url_query: 'a=1',
      language: 'FIL_ph',
    })
    const later = view('11:00:00', { event_id: id(2), hostname: 'www.a.com', referrer_domain: 'a.com', url_path: '/q' })
    const of = (type: string) => metrics(`type=${type}`, [other, later])
    expect(of('fullPath')).toEqual([
      ['/p?a=1', 1],
      ['/q', 1],
    ])
    expect(of('language')).toEqual([['fil', 1]])
    expect(of('referrer')).toEqual([['www.Google.de', 1]])
    expect(of('domain')).toEqual([['google.com', 1]])
    expect(of('channel')).toEqual([['organicSearch', 1]])
  })

  it('has a row per city and country', () => {
    const portlands = ['US', 'US', 'AU'].map((country, index) =>
      view('10:00:00', { country, region: `${country}-${index}`, city: 'Portland', session_id: id(index) }),
    )
    expect(statisticOf(portlands, 'metrics', `${DAY}&type=city`)).toEqual([
      { x: 'Portland', y: 2, country: 'US' },
      { x: 'Portland', y: 1, country: 'AU' },
    ])
  })

  it('searches the values in any letter case, then cuts, and tells the full number', () => {
    const query = [...new URLSearchParams(`${DAY}&type=path&search=G&limit=1&match=any`)]
    expect(metrics('type=path&search=PRI')).toEqual([['/pricing', 1]])
    expect(statistic(rows, { endpoint: 'metrics', websiteId: WEBSITE, query })).toEqual({
      body: [{ x: '/go', y: 1 }],
      headers: { 'x-total-count': '2' },
    })
  })

  it('expanded has the figures of stats for each value, by visitors, visits and name', () => {
    const row = (name: string, ...[pageviews, visitors, visits, bounces, totaltime]: number[]) => {
      return { name, pageviews, visitors, visits, bounces, totaltime }
    }
    expect(statisticOf(rows, 'metrics/expanded', `${DAY}&type=path`)).toEqual([
      row('/pricing', 2, 1, 2, 0, 90),
      row('/', 1, 1, 1, 0, 90),
      row('/go', 1, 1, 1, 1, 0),
    ])
    expect(statisticOf(rows, 'metrics/expanded', `${DAY}&type=event`)).toEqual([
      row('purchase', 1, 1, 1, 0, 90),
      row('signup', 1, 1, 1, 0, 0),
    ])
  })
})

describe('values', () => {
  const values = (query: string) => statisticOf(rows, 'values', `${DAY}&${query}`)

  it('counts actions that pass one by one', () => {
    expect(values('type=browser')).toEqual([
      { value: 'chrome', count: 3 },
      { value: 'firefox', count: 2 },
    ])
    expect(values('type=browser&event=purchase')).toEqual([{ value: 'chrome', count: 1 }])
  })

  it('finds what has any text of a list', () => {
    expect(values('type=path&search=RIC,go')).toEqual([
      { value: '/pricing', count: 2 },
      { value: '/go', count: 1 },
    ])
    expect(values('type=path&search=ric%5C,go')).toEqual([])
  })

  it('has foreign referrers only', () => {
    const from = (referrer_domain: string) => view('10:00:00', { hostname: 'www.a.com', referrer_domain })
    const some = [from('a.com'), from('b.com'), from('')]
    expect(statisticOf(some, 'values', `${DAY}&type=referrer`)).toEqual([{ value: 'b.com', count: 1 }])
  })
})

describe('active', () => {
  it('counts sessions with an event of any kind in the last five minutes, both ends included', () => {
    const at = (time: string, session: number) =>
      event({ event_type: 5, session_id: id(session), created_at: `2025-10-15 ${time}` })
    const some = [
      at('11:54:59.999', 1),
      at('11:55:00.000', 2),
      at('12:00:00.000', 3),
      at('12:00:00.000', 3),
      at('12:00:00.001', 4),
      { ...at('12:00:00.000', 5), website_id: OTHER_WEBSITE },
    ]
    const now = columnInstant('2025-10-15 12:00:00.000')
    expect(statistic(some, { endpoint: 'active', websiteId: WEBSITE, query: [], now }).body).toEqual({ visitors: 2 })
  })
})
