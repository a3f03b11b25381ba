import { type OperationId, type OperationOutput, UmamiApiError, UmamiClient } from '@umami/api-client'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { id } from '../oracle/fixtures.ts'
import { ingest, newWebsite, running } from '../support/weir.ts'
import { events, plan, properties, rows } from './official-world.ts'

/** Expected answers must match the client's own types, except where those are wrong: see the types file. */
const fitting = <Id extends OperationId, const Value extends OperationOutput<Id>>(_operation: Id, value: Value) => value

/** Sends the key in two headers, `x-umami-api-key` and `Authorization: Bearer`. */
const client = new UmamiClient({ baseUrl: `${running.url}/api`, apiKey: running.adminKey })

const day = { startAt: Date.UTC(2025, 9, 15), endAt: Date.UTC(2025, 9, 16) - 1 }

const websiteId = await newWebsite()
await ingest(rows(websiteId))

describe('the official client’s ten operations', () => {
  it('getWebsiteEvents', async () => {
    const { signUp, secondBuy, firstBuy, pageView } = events(websiteId)
    expect(await client.getWebsiteEvents({ websiteId, ...day })).toEqual(
      fitting('getWebsiteEvents', { data: [signUp, secondBuy, firstBuy, pageView], count: 4, page: 1, pageSize: 20 }),
    )
  })

  it('getWebsiteEventStats', async () => {
    const none = { events: 0, visitors: 0, visits: 0, uniqueEvents: 0 }
    expect(await client.getWebsiteEventStats({ websiteId, ...day, compare: 'yoy', unit: 'hour' })).toEqual({
      data: { events: 3, visitors: 2, visits: 2, uniqueEvents: 2, comparison: none },
    })
  })

  it('getEventData', async () => {
    expect(await client.getEventData({ websiteId, ...day })).toEqual({
      data: [
        { websiteId, eventId: id(3), eventName: 'buy', eventProperties: [plan] },
        { websiteId, eventId: id(2), eventName: 'buy', eventProperties: properties },
      ],
      ...{ count: 2, page: 1, pageSize: 20 },
    })
  })

  it('getEventDataById', async () => {
    const own = { websiteId, sessionId: id(100), eventId: id(2), urlPath: '/buy', eventName: 'buy' }
    expect(await client.getEventDataById({ websiteId, eventId: id(2) })).toEqual(
      properties.map((property) => ({ ...own, ...property })),
    )
  })

  it('getEventDataEvents', async () => {
    expect(await client.getEventDataEvents({ websiteId, ...day })).toEqual(
      fitting('getEventDataEvents', [
        { eventName: 'buy', propertyName: 'at', dataType: 4, total: 1 },
        { eventName: 'buy', propertyName: 'gift', dataType: 3, total: 1 },
        { eventName: 'buy', propertyName: 'plan', dataType: 1, total: 2 },
        { eventName: 'buy', propertyName: 'price', dataType: 2, total: 1 },
        { eventName: 'buy', propertyName: 'tags', dataType: 5, total: 1 },
      ]),
    )
  })

  it('getEventDataFields', async () => {
    expect(await client.getEventDataFields({ websiteId, ...day, eventName: 'buy' })).toEqual([
      { propertyName: 'at', dataType: 4, value: '2025-10-14T22:00:00Z', total: 1 },
      { propertyName: 'gift', dataType: 3, value: 'true', total: 1 },
      { propertyName: 'plan', dataType: 1, value: 'free', total: 1 },
      { propertyName: 'plan', dataType: 1, value: 'pro', total: 1 },
      { propertyName: 'price', dataType: 2, value: '10.5', total: 1 },
      { propertyName: 'tags', dataType: 5, value: '["a","b"]', total: 1 },
    ])
  })

  it('getEventDataProperties', async () => {
    const expected = fitting('getEventDataProperties', [
      { eventName: 'buy', propertyName: 'plan', total: 2, dataType: 1 },
      { eventName: 'buy', propertyName: 'at', total: 1, dataType: 4 },
      { eventName: 'buy', propertyName: 'gift', total: 1, dataType: 3 },
      { eventName: 'buy', propertyName: 'price', total: 1, dataType: 2 },
      { eventName: 'buy', propertyName: 'tags', total: 1, dataType: 5 },
    ])
    expect(await client.getEventDataProperties({ websiteId, ...day })).toEqual(expected)
    expect(await client.getEventDataProperties({ websiteId, ...day, propertyName: 'tags' })).toEqual([expected[4]])
  })

  it('getEventDataValues', async () => {
    const ask = { websiteId, ...day, propertyName: 'plan' }
    const expected = fitting('getEventDataValues', [
      { value: 'free', total: 1 },
      { value: 'pro', total: 1 },
    ])
    expect(await client.getEventDataValues({ ...ask, eventName: 'buy', dataType: 1 })).toEqual(expected)
    expect(await client.getEventDataValues({ ...ask, event: 'buy' })).toEqual(expected)
    expect(await client.getEventDataValues({ ...ask, eventName: 'buy', propertyName: 'tags', dataType: 5 })).toEqual([
      { value: 'a', total: 1 },
      { value: 'b', total: 1 },
    ])
  })

  it('getEventDataStats', async () => {
    expect(await client.getEventDataStats({ websiteId, ...day })).toEqual([{ events: 2, properties: 5, records: 6 }])
  })

  it('getEventDataPivot', async () => {
    expect(
      await client.getEventDataPivot({ websiteId, ...day, eventName: 'buy', timezone: 'Europe/Berlin', unit: 'day' }),
    ).toEqual(
      fitting('getEventDataPivot', {
        data: [
          {
            eventId: id(3),
            sessionId: id(101),
            ...{ eventName: 'buy', urlPath: '', createdAt: '2025-10-15T12:00:03Z' },
            propertyKeys: ['plan'],
            propertyValues: ['free'],
          },
          {
            eventId: id(2),
            sessionId: id(100),
            ...{ eventName: 'buy', urlPath: '/buy', createdAt: '2025-10-15T12:00:02Z' },
            propertyKeys: ['at', 'gift', 'plan', 'price', 'tags'],
            propertyValues: ['2025-10-14T22:00:00Z', 'true', 'pro', '10.5', '["a","b"]'],
          },
        ],
        ...{ count: 2, page: 1, pageSize: 20 },
      }),
    )
  })
})

describe('the official client’s statistics', () => {
  it('include current visitors, the date range, a ZIP export and a small chart', async () => {
    expect(await client.getWebsiteActive({ websiteId })).toEqual({ visitors: 0 })
    expect((await client.getRealtime({ websiteId })) as unknown).toMatchObject({ totals: { visitors: 0 }, events: [] })
    expect((await client.getWebsiteDateRange({ websiteId })) as unknown).toEqual({
      startDate: expect.stringContaining('2025-10-15T12:00:01'),
      endDate: expect.stringContaining('2025-10-15T12:00:'),
    })
    const { zip } = await client.exportWebsite({ websiteId, ...day })
    const files = unzipSync(Buffer.from(zip, 'base64'))
    expect(Object.keys(files)).toEqual([
      ...['events.csv', 'pages.csv', 'referrers.csv', 'browsers.csv', 'os.csv', 'devices.csv', 'countries.csv'],
    ])
    expect(Buffer.from(files['pages.csv']!).toString()).toBe('x,y\r\n/pricing,1')
    expect(await client.getWebsitesCharts({ ids: websiteId, ...day })).toEqual({
      data: { [websiteId]: { values: [0, 1], total: 1 } },
    })
  })
})

describe('through the official client', () => {
  const found = async (more: object): Promise<string[]> =>
    (await client.getWebsiteEvents({ websiteId, ...day, ...more })).data.map((one) => one.id)

  it.each([
    { what: 'equality', filters: { browser: 'chrome' }, ids: [2] },
    { what: 'a list', filters: { browser: 'eq.chrome,firefox' }, ids: [4, 3, 2, 1] },
    { what: 'an operator', filters: { browser: 'neq.chrome', city: 'c.ZÜRICH' }, ids: [1] },
    { what: 'a regular expression', filters: { event: 're.^(buy|sign)' }, ids: [4, 3, 2] },
    { what: 'any of several', filters: { match: 'any', browser: 'chrome', country: 'DE' }, ids: [2, 1] },
    { what: 'the event type', filters: { eventType: 1 }, ids: [1] },
    { what: 'a field given twice, as an array', filters: { browser: ['neq.chrome', 'c.fire'] }, ids: [4, 3, 1] },
    { what: 'a field given twice, numbered', filters: { browser: 'neq.chrome', browser1: 'c.fire' }, ids: [4, 3, 1] },
    { what: 'a search', filters: { search: 'SIGN' }, ids: [4] },
    { what: 'visits that are not bounces', filters: { excludeBounce: 'true' }, ids: [4, 3, 2, 1] },
  ])('filters can be client parameters: $what', async ({ filters, ids }) => {
    expect(await found(filters)).toEqual(ids.map(id))
  })

  it('property filters, which its types lack, are sent unchanged', async () => {
    expect(await found({ epf0: '1.eq.plan.pro', epf1: '2.gt.price.10' })).toEqual([id(2)])
    const pivot = await client.getEventDataPivot({ websiteId, ...day, eventName: 'buy', pf_plan: 'neq.pro' })
    expect(pivot.data.map(({ eventId }) => eventId)).toEqual([id(3)])
  })

  it('filters as an object must be JSON, because the client would send [object Object]', async () => {
    const filters = { browser: 'chrome' }
    expect(await found({ filters: JSON.stringify(filters) })).toEqual([id(2)])
    await expect(found({ filters })).rejects.toMatchObject({ status: 400, code: 'bad-request' })
  })
})

describe('a key in the official client', () => {
  const baseUrl = `${running.url}/api`
  const asks = (options: object) => new UmamiClient({ baseUrl, ...options }).getEventDataStats({ websiteId, ...day })

  it.each([
    { as: 'an API key, sent in two headers', options: { apiKey: running.adminKey } },
    { as: 'a token', options: { token: running.adminKey } },
    { as: 'both, the same', options: { apiKey: running.adminKey, token: running.adminKey } },
    { as: 'a header of Weir', options: { headers: { 'x-weir-api-key': running.adminKey } } },
  ])('may be given as $as', async ({ options }) => {
    expect(await asks(options)).toEqual([{ events: 2, properties: 5, records: 6 }])
  })

  it.each([
    { as: 'none', options: {} },
    { as: 'an unknown key', options: { apiKey: `api_${'x'.repeat(43)}` } },
    { as: 'two different ones', options: { apiKey: running.adminKey, token: `api_${'x'.repeat(43)}` } },
  ])('is refused with an error from the client: $as', async ({ options }) => {
    const error = await asks(options).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UmamiApiError)
    expect(error).toMatchObject({ isUnauthorized: true, status: 401, code: 'unauthorized', method: 'GET' })
  })
})

describe('one of Weir’s errors becomes an error in the official client', () => {
  const failure = (asked: Promise<unknown>): Promise<unknown> => asked.catch((thrown: unknown) => thrown)

  it('with the wrong parameters', async () => {
    const error = await failure(client.getWebsiteEvents({ websiteId, ...day, page: 0, colour: 'red' }))
    expect(error).toBeInstanceOf(UmamiApiError)
    expect(error).toMatchObject({
      status: 400,
      code: 'bad-request',
      message: 'page: Must be a whole number from 1 to 1000000000, in plain decimal digits.',
      body: { error: { issues: [{ path: 'page' }, { path: 'colour' }] } },
    })
  })

  it('for an unknown website', async () => {
    const error = await failure(client.getEventData({ websiteId: crypto.randomUUID(), ...day }))
    expect(error).toBeInstanceOf(UmamiApiError)
    expect(error).toMatchObject({
      isForbidden: true,
      code: 'forbidden',
      message: 'This credential gives no access to this website, or the website does not exist.',
      url: expect.stringContaining(`${running.url}/api/websites/`),
    })
  })
})
