import { describe, expect, it } from 'vitest'
import { ask, DAY, event, eventsWith, found, id, OTHER_WEBSITE, string, WEBSITE } from './fixtures.ts'

describe('events', () => {
  it('answers with the fields of the seed and nothing else', () => {
    const row = event(
      {
        event_name: 'buy',
        created_at: '2025-10-15 16:26:28.999',
        hostname: 'example.com',
        url_path: '/cart',
        url_query: 'a=1',
        referrer_path: '/r',
        referrer_query: 'b=2',
        referrer_domain: 'other.com',
        country: 'DE',
        region: 'DE-BE',
        city: 'Berlin',
        device: 'desktop',
        os: 'Linux',
        browser: 'firefox',
        page_title: 'Cart',
      },
      [string('plan', 'pro')],
    )
    expect(ask([row], 'events', DAY)).toEqual({
      body: {
        data: [
          {
            id: id(1),
            websiteId: WEBSITE,
            sessionId: id(100),
            createdAt: '2025-10-15T16:26:28Z',
            hostname: 'example.com',
            urlPath: '/cart',
            urlQuery: 'a=1',
            referrerPath: '/r',
            referrerQuery: 'b=2',
            referrerDomain: 'other.com',
            country: 'DE',
            city: 'Berlin',
            device: 'desktop',
            os: 'Linux',
            browser: 'firefox',
            pageTitle: 'Cart',
            eventType: 2,
            eventName: 'buy',
            hasData: 1,
          },
        ],
        count: 1,
        page: 1,
        pageSize: 20,
      },
      headers: {},
    })
  })

  it('answers for one website, whose id may be in either case', () => {
    const lower = 'abcdefab-cdef-4bcd-8fab-cdefabcdefab'
    const rows = [event({ website_id: lower, page_title: 'here' }), event({ website_id: OTHER_WEBSITE })]
    expect(ask(rows, 'events', DAY, lower.toUpperCase())).toEqual(ask([rows[0]!], 'events', DAY, lower))
  })

  it('has every kind but performance rows', () => {
    const rows = [1, 2, 3, 4, 5].map((type) => event({ event_type: type, event_id: id(type), page_title: `${type}` }))
    expect(found(rows, 'pageTitle', '')).toEqual(['4', '3', '2', '1'])
  })

  it('searches the name of custom events and the path of page views, ignoring case', () => {
    const rows = [
      event({ event_type: 1, url_path: '/ÉTÉ', page_title: 'page view by path' }),
      event({ event_type: 1, event_name: 'été', page_title: 'page view by name' }),
      event({ event_type: 2, event_name: 'Été!', event_id: id(0), page_title: 'custom event by name' }),
      event({ event_type: 2, url_path: '/été', page_title: 'custom event by path' }),
      event({ event_type: 3, event_name: 'été', url_path: '/été', page_title: 'link' }),
    ]
    expect(found(rows, 'pageTitle', 'search=%C3%A9t%C3%89')).toEqual(['page view by path', 'custom event by name'])
  })

  it('searches for % and _ as they stand', () => {
    expect(found(eventsWith('event_name', 'a_b', 'axb', '100%'), 'eventName', 'search=a_b')).toEqual(['a_b'])
  })

  it('takes an empty search for none', () => {
    expect(found([event({ event_type: 3, page_title: 'link' })], 'pageTitle', 'search=')).toEqual(['link'])
  })
})

describe('range', () => {
  const at = (...times: string[]) =>
    times.map((time, index) => event({ created_at: `2025-10-15 ${time}`, event_id: id(index), page_title: time }))

  it('includes both ends, to the millisecond', () => {
    const rows = at('11:59:59.999', '12:00:00.000', '12:00:00.001', '12:00:00.002')
    const { body } = ask(rows, 'events', 'startAt=1760529600000&endAt=1760529600001')
    expect(body).toMatchObject({ count: 2, data: [{ pageTitle: '12:00:00.001' }, { pageTitle: '12:00:00.000' }] })
  })

  it('takes a bare end date as the last millisecond of that day in the time zone', () => {
    const rows = at('03:59:59.999', '04:00:00.000', '23:59:59.999')
    const query = 'startDate=2025-10-14&endDate=2025-10-14&timezone=America/New_York'
    expect(ask(rows, 'events', query).body).toMatchObject({ count: 1, data: [{ pageTitle: '03:59:59.999' }] })
  })

  it('gives the day of a clock change its 23 hours', () => {
    const rows = ['2025-03-09 05:00:00.000', '2025-03-10 03:59:59.999', '2025-03-10 04:00:00.000'].map(
      (created_at, index) => event({ created_at, event_id: id(index) }),
    )
    const query = 'startDate=2025-03-09&endDate=2025-03-09&timezone=America/New_York'
    expect(ask(rows, 'events', query).body).toMatchObject({ count: 2 })
  })

  it('takes a full instant as it stands, in any offset', () => {
    const rows = at('12:00:00.000', '12:00:00.001')
    const query = 'startDate=2025-10-15T17:30:00%2B05:30&endDate=2025-10-15T12:00:00.000Z'
    expect(ask(rows, 'events', query).body).toMatchObject({ count: 1, data: [{ pageTitle: '12:00:00.000' }] })
  })
})

describe('order', () => {
  it('is newest first to the millisecond, though only seconds are shown', () => {
    const rows = [3, 1, 2].map((ms) => event({ created_at: `2025-10-15 12:00:00.00${ms}`, page_title: `${ms}` }))
    expect(found(rows, 'pageTitle', '')).toEqual(['3', '2', '1'])
  })

  it('then is by event id descending: the second 8 bytes first, unsigned', () => {
    const ids = [
      'ffffffff-ffff-ffff-0000-000000000001',
      '00000000-0000-0001-8000-000000000000',
      '00000000-0000-0000-7fff-ffffffffffff',
      '00000000-0000-0002-8000-000000000000',
    ]
    expect(
      found(
        ids.map((event_id) => event({ event_id })),
        'id',
        '',
      ),
    ).toEqual([ids[3], ids[1], ids[2], ids[0]])
  })
})

describe('paging', () => {
  const five = eventsWith('event_name', 'a', 'b', 'c', 'd', 'e')
  const asked = (query: string) => ask(five, 'events', `${DAY}&${query}`).body

  it('counts exactly, whatever the page', () => {
    expect(asked('page=2&pageSize=2')).toMatchObject({
      data: [{ eventName: 'c' }, { eventName: 'd' }],
      count: 5,
      page: 2,
      pageSize: 2,
    })
  })

  it('answers a page past the end with nothing and the true count', () => {
    expect(asked('page=9&pageSize=2')).toEqual({ data: [], count: 5, page: 9, pageSize: 2 })
  })

  it('does not go past maxResults, and then says so', () => {
    expect(asked('page=2&pageSize=2&maxResults=3')).toMatchObject({
      data: [{ eventName: 'c' }],
      count: 3,
      page: 2,
      pageSize: 2,
      isCapped: true,
    })
  })

  it('says nothing of a cap that cut nothing', () => {
    expect(asked('page=9&maxResults=5')).toEqual({ data: [], count: 5, page: 9, pageSize: 20 })
  })
})
