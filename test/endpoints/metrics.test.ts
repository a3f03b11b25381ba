import { describe, expect, it } from 'vitest'
import { id, view } from '../oracle/fixtures.ts'
import { threeVisits } from '../support/three-visits.ts'
import { day, websiteWith } from '../support/website.ts'
import { read } from '../support/weir.ts'

const websiteId = await websiteWith(...threeVisits)

const ask = async (report: string, query: string, website = websiteId) =>
  read(website, report, { ...day, ...Object.fromEntries(new URLSearchParams(query)) })

/** Returns text such as `/ 1, /go 1`. */
const metrics = async (query: string, website = websiteId): Promise<string> =>
  (await ask('metrics', query, website)).body.map(({ x, y }: { x: string; y: number }) => `${x} ${y}`).join(', ')

describe.concurrent('metrics', () => {
  it.each([
    ['sessions with a view of the path', 'type=path', '/ 1, /go 1, /pricing 1'],
    ['values in descending order', 'type=browser', 'chrome 2, firefox 1'],
    ['events, for type=event', 'type=event', 'purchase 1, signup 1'],
    ['entry pages of the visits with this page', 'type=entry&path=/pricing', '/ 1, /pricing 1'],
    ['exit pages of the visits', 'type=exit', '/go 1, /pricing 1'],
    ['values that contain a text, ignoring case', 'type=path&search=PRI', '/pricing 1'],
  ])('counts %s: %s', async (_, query, expected) => {
    expect(await metrics(query)).toBe(expected)
  })

  it('uses ClickHouse’s order of ids to decide which of two simultaneous views is first', async () => {
    const twins = await websiteWith(
      view('10:00:00', { event_id: '00000000-0000-0001-8000-000000000000', url_path: '/second' }),
      view('10:00:00', { event_id: 'ffffffff-ffff-ffff-0000-000000000001', url_path: '/first' }),
    )
    expect([await metrics('type=entry', twins), await metrics('type=exit', twins)]).toEqual(['/first 1', '/second 1'])
  })

  it.each([
    ['fullPath', '/p?a=1 1, /q 1'],
    ['language', 'fil 1'],
    ['referrer', 'www.Google.de 1'],
    ['domain', 'google.com 1'],
    ['channel', 'organicSearch 1'],
  ])('returns the values that the contract defines: %s', async (type, expected) => {
    const hostname = 'www.a.com'
    const landing = { referrer_domain: 'www.Google.de', url_path: '/p', url_query: 'a=1', language: 'FIL_ph' }
    const own = view('11:00:00', { event_id: id(2), hostname, referrer_domain: 'a.com', url_path: '/q' })
    const website = await websiteWith(view('10:00:00', { hostname, ...landing }), own)
    expect(await metrics(`type=${type}`, website)).toBe(expected)
  })

  it('returns a row per city and country', async () => {
    const portlands = ['US', 'US', 'AU'].map((country, index) =>
      view('10:00:00', {
        ...{ country, region: `${country}-${index}`, city: 'Portland' },
        ...{ session_id: id(index), event_id: id(index) },
      }),
    )
    expect((await ask('metrics', 'type=city', await websiteWith(...portlands))).body).toEqual([
      { x: 'Portland', y: 2, country: 'US' },
      { x: 'Portland', y: 1, country: 'AU' },
    ])
  })

  it('returns, if expanded, the figures of stats for each value, sorted by visitors, visits and name', async () => {
    const row = (name: string, ...[pageviews, visitors, visits, bounces, totaltime]: number[]) => {
      return { name, pageviews, visitors, visits, bounces, totaltime }
    }
    expect((await ask('metrics/expanded', 'type=path')).body).toEqual([
      row('/pricing', 2, 1, 2, 0, 90),
      row('/', 1, 1, 1, 0, 90),
      row('/go', 1, 1, 1, 1, 0),
    ])
    expect((await ask('metrics/expanded', 'type=event')).body).toEqual([
      row('purchase', 1, 1, 1, 0, 90),
      row('signup', 1, 1, 1, 0, 0),
    ])
  })
})

describe.concurrent('values', () => {
  const values = async (query: string, website = websiteId): Promise<string> =>
    (await ask('values', query, website)).body
      .map(({ value, count }: { value: string; count: number }) => `${value} ${count}`)
      .join(', ')

  it.each([
    ['single actions', 'type=browser', 'chrome 3, firefox 2'],
    ['an event with this name', 'type=browser&event=purchase', 'chrome 1'],
    ['values that contain any text of a list', 'type=path&search=RIC,go', '/pricing 2, /go 1'],
    ['a text with an escaped comma', 'type=path&search=ric%5C,go', ''],
  ])('counts %s: %s', async (_, query, expected) => {
    expect(await values(query)).toBe(expected)
  })

  it('includes foreign referrers only', async () => {
    const from = (referrer_domain: string, place: number) =>
      view('10:00:00', { event_id: id(place), hostname: 'www.a.com', referrer_domain })
    expect(await values('type=referrer', await websiteWith(...['a.com', 'b.com', ''].map(from)))).toBe('b.com 1')
  })
})
