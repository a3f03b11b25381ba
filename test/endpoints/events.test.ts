import { beforeAll, describe, expect, it } from 'vitest'
import { event, id, string } from '../oracle/fixtures.ts'
import { type Headers, newShare, operator } from '../support/callers.ts'
import { add, day, newId, websiteOfRefused, websiteWith } from '../support/website.ts'
import { newWebsite, pathOf, read, running, send } from '../support/weir.ts'

const idsOf = async (websiteId: string, query: Record<string, string | number>): Promise<string[]> => {
  const { body } = await read(websiteId, 'events', query)
  return (body.data as { id: string }[]).map((one) => one.id)
}

/** An empty event's text fields. */
const empty = {
  ...{ hostname: '', urlPath: '', urlQuery: '', referrerPath: '', referrerQuery: '', referrerDomain: '' },
  ...{ country: '', city: '', device: '', os: '', browser: '', pageTitle: '' },
}

describe.concurrent('an event record', () => {
  it('has all fields of a page view, of a custom event with properties and of an empty event', async () => {
    const websiteId = await websiteWith(
      event({
        ...{ event_id: id(1), session_id: id(101), visit_id: id(201), created_at: '2025-10-15 16:26:28.999' },
        ...{ event_type: 1, hostname: 'example.com', browser: 'chrome', os: 'Mac OS', device: 'laptop' },
        ...{ screen: '1920x1080', language: 'en-US', country: 'DE', region: 'DE-BE', city: 'Berlin' },
        ...{ url_path: '/pricing', url_query: 'q=1&r=a b', utm_source: 'news', utm_medium: 'email', tag: 'a' },
        ...{ utm_campaign: 'spring', utm_content: 'top', utm_term: 'weir', distinct_id: 'user-1' },
        ...{ referrer_path: '/r', referrer_query: 's=2', referrer_domain: 'google.com' },
        page_title: 'Pricing – “Weir” 😀',
      }),
      event({ event_id: id(2), session_id: id(102), created_at: '2025-10-15 16:26:28.000', event_name: 'buy' }, [
        string('plan', 'pro'),
      ]),
      event({ event_id: id(3), session_id: id(103), created_at: '2025-10-15 00:00:00.000', event_type: 3 }),
    )
    const ids = (place: number) => ({ id: id(place), websiteId, sessionId: id(100 + place) })
    const [{ data, ...page }, at] = [(await read(websiteId, 'events', day)).body, '2025-10-15T16:26:28Z']
    expect(page).toStrictEqual({ count: 3, page: 1, pageSize: 20 })
    expect(data).toStrictEqual([
      {
        ...{ ...ids(1), visitId: id(201), createdAt: at, eventType: 1, eventName: '', hasData: 0 },
        ...{ hostname: 'example.com', urlPath: '/pricing', urlQuery: 'q=1&r=a b', pageTitle: 'Pricing – “Weir” 😀' },
        ...{ referrerPath: '/r', referrerQuery: 's=2', referrerDomain: 'google.com' },
        ...{ country: 'DE', city: 'Berlin', device: 'laptop', os: 'Mac OS', browser: 'chrome' },
      },
      { ...empty, ...ids(2), visitId: id(200), createdAt: at, eventType: 2, eventName: 'buy', hasData: 1 },
      {
        ...{ ...empty, ...ids(3), visitId: id(200), createdAt: '2025-10-15T00:00:00Z' },
        ...{ eventType: 3, eventName: '', hasData: 0 },
      },
    ])
  })

  it('includes the distinct id on request, but never through a share', async () => {
    const websiteId = await websiteWith(
      event({ event_id: id(1), distinct_id: 'ada' }),
      event({ event_id: id(2), distinct_id: '' }),
    )
    const { headers } = await newShare(websiteId, { events: true, allowExport: true })
    const path = pathOf(`/api/websites/${websiteId}/events`, { ...day, include: 'distinctId' })
    const named = async (caller: Headers) =>
      ((await send(path, { headers: caller })).body.data as { id: string; distinctId: string | null }[])
        .map((one) => [one.id, one.distinctId])
        .sort()
    expect(await named(operator)).toStrictEqual([
      [id(1), 'ada'],
      [id(2), null],
    ])
    expect(await named(headers)).toStrictEqual([
      [id(1), null],
      [id(2), null],
    ])
    const exported = async (caller: Headers) => {
      const accepting = { headers: { ...caller, accept: 'application/x-ndjson' } }
      const text = await (await fetch(new URL(path, running.url), accepting)).text()
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).distinctId)
        .sort()
    }
    expect(await exported(operator)).toStrictEqual(['ada', null])
    expect(await exported(headers)).toStrictEqual([null, null])
    const other = await send(path.replace('distinctId', 'tag'), { headers: operator })
    expect(other.body.error.issues).toMatchObject([{ path: 'include' }])
  })

  it('returns its ids in lower case, however they were stored and requested', async () => {
    const websiteId = await newWebsite(newId().toUpperCase())
    const rows = [
      event({ event_id: 'ABCDEFAB-CDEF-4ABC-8DEF-ABCDEFABCDEF', session_id: 'FEDCBAFE-DCBA-4EDC-8FED-CBAFEDCBAFED' }),
    ]
    await add(websiteId, ...rows)
    const { body } = await read(websiteId, 'events', day)
    expect(body.data).toMatchObject([
      {
        id: 'abcdefab-cdef-4abc-8def-abcdefabcdef',
        sessionId: 'fedcbafe-dcba-4edc-8fed-cbafedcbafed',
        websiteId: websiteId.toLowerCase(),
      },
    ])
  })
})

describe.concurrent('the order of events', () => {
  it('is by descending event id within a millisecond, in ClickHouse’s order of UUIDs', async () => {
    const descending = [
      ...['00000000-0000-0000-ffff-ffffffffffff', 'ffffffff-ffff-ffff-8000-000000000000'],
      ...['7fffffff-ffff-ffff-8000-000000000000', '00000000-0000-0001-8000-000000000000'],
      ...['00000000-0000-0000-8000-000000000000', 'ffffffff-ffff-ffff-7fff-ffffffffffff'],
      ...['80000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000001'],
      'ffffffff-ffff-ffff-0000-000000000000',
    ]
    const shuffled = [4, 0, 8, 2, 6, 1, 7, 3, 5].map((place) => event({ event_id: descending[place]! }))
    expect(await idsOf(await websiteWith(...shuffled), day)).toStrictEqual(descending)
  })
})

describe.concurrent('the range', () => {
  it('extends from 1970 to the last time that a request may contain', async () => {
    const websiteId = await websiteOfRefused(
      event({ event_id: id(1), created_at: '1970-01-01 00:00:00.000' }),
      event({ event_id: id(2), created_at: '2286-11-20 17:46:39.999' }),
    )
    const { body } = await read(websiteId, 'events', { startAt: 0, endAt: 9_999_999_999_999 })
    expect(body.data.map((one: { createdAt: string }) => one.createdAt)).toStrictEqual([
      '2286-11-20T17:46:39Z',
      '1970-01-01T00:00:00Z',
    ])
  })

  it('never includes events from before 1970', async () => {
    const websiteId = await websiteOfRefused(event({ created_at: '1969-12-31 23:59:59.999' }))
    expect(await idsOf(websiteId, { startAt: 0, endAt: 9_999_999_999_999 })).toStrictEqual([])
  })
})

describe.concurrent('search', () => {
  const rows = [
    event({ event_id: id(1), event_type: 1, url_path: '/Sign-Up', event_name: 'viewed' }),
    event({ event_id: id(2), event_type: 2, url_path: '/other', event_name: 'SIGN-UP' }),
    event({ event_id: id(3), event_type: 2, url_path: '/sign-up', event_name: 'buy' }),
    event({ event_id: id(4), event_type: 3, url_path: '/sign-up', event_name: 'sign-up' }),
    event({ event_id: id(5), event_type: 4, url_path: '/sign-up', event_name: 'sign-up' }),
    event({ event_id: id(6), event_type: 1, url_path: '/100%_off', event_name: '' }),
    event({ event_id: id(7), event_type: 1, url_path: '/100 off', event_name: '' }),
    event({ event_id: id(8), event_type: 2, event_name: 'ÉTÉ Ж 𐐀' }),
    event({ event_id: id(9), event_name: 'a\0b\\d.(*)[x]^$|' }),
  ]
  let websiteId: string
  beforeAll(async () => {
    websiteId = await websiteWith(...rows)
  })

  it('finds custom events by name and page views by path, ignoring case', async () => {
    expect(await idsOf(websiteId, { ...day, search: 'sign-up' })).toStrictEqual([id(2), id(1)])
    expect(await idsOf(websiteId, { ...day, search: 'GN-u' })).toStrictEqual([id(2), id(1)])
    expect(await idsOf(websiteId, { ...day, search: 'viewed' })).toStrictEqual([])
    expect(await idsOf(websiteId, { ...day, search: 'other' })).toStrictEqual([])
  })

  it('finds a NUL character before a digit', async () => {
    const other = await websiteWith(event({ event_name: 'a\u00001' }))
    expect(await idsOf(other, { ...day, search: '\u00001' })).toStrictEqual([id(1)])
    expect(await idsOf(other, { ...day, search: '\u00002' })).toStrictEqual([])
  })
})
