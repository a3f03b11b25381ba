import { describe, expect, it } from 'vitest'
import { event, id } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'
import { forbidden, type Headers, newShare, operator, post, unauthorized } from '../support/callers.ts'
import { websiteOf } from '../support/people.ts'
import { failed, refused } from '../support/refusals.ts'
import { day, websiteWith } from '../support/website.ts'
import { pathOf, read, running } from '../support/weir.ts'

const types = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const

const view = (number: number, change: Partial<IngestRow>): IngestRow =>
  event({ event_id: id(number), event_type: 1, event_name: '', ...change })

const rows = [
  view(1, { utm_source: 'news', utm_medium: 'email', browser: 'chrome' }),
  view(2, { utm_source: 'news', utm_term: 'é', browser: 'safari' }),
  view(3, { utm_source: 'News', utm_campaign: 'spring', browser: 'chrome', event_type: 3 }),
  view(4, { utm_source: 'b', utm_content: 'x,y', browser: 'chrome', event_type: 4 }),
  view(5, { browser: 'chrome' }),
  event({ event_id: id(6), event_name: 'buy', utm_source: 'news' }),
  event({ event_id: id(7), event_type: 5, event_name: '', utm_source: 'vitals' }),
]

/** Views counted by a column, highest counts first, then in text order. */
function counted(some: readonly IngestRow[], type: (typeof types)[number]): object[] {
  const views = some.filter(({ event_type }) => [1, 3, 4].includes(event_type))
  const values = [...new Set(views.map((row) => row[type]))].filter((value) => value !== '')
  return values
    .map((utm) => ({ utm, views: views.filter((row) => row[type] === utm).length }))
    .sort((one, other) => other.views - one.views || (one.utm < other.utm ? -1 : 1))
}

const report = (some: readonly IngestRow[]) => Object.fromEntries(types.map((type) => [type, counted(some, type)]))

const path = '/api/reports/utm'
const dates = { startDate: '2025-10-15T00:00:00.000Z', endDate: '2025-10-15T23:59:59.999Z' }

const websiteId = await websiteWith(...rows)

const body = (change: object = {}) => ({ websiteId, type: 'utm', filters: {}, parameters: dates, ...change })

describe('views by UTM parameter', () => {
  it('are returned for one parameter with GET, and for all with POST', async () => {
    for (const type of types) {
      const { body, headers } = await read(websiteId, 'utm/metrics', { ...day, type })
      expect(body).toStrictEqual(counted(rows, type))
      expect(headers.get('x-total-count')).toBe(String(counted(rows, type).length))
    }
    const { status, body: all } = await post(path, body())
    expect([status, all]).toStrictEqual([200, report(rows)])
    const asked = body({ filters: { ...day }, parameters: { timezone: 'UTC', unit: 'day', limit: 1 } })
    expect((await post(path, asked)).body.utm_source).toStrictEqual(counted(rows, 'utm_source').slice(0, 1))
  })

  it('can be searched', async () => {
    const { body } = await read(websiteId, 'utm/metrics', { ...day, type: 'utm_source', search: 'EWS' })
    expect(body).toStrictEqual([
      { utm: 'news', views: 2 },
      { utm: 'News', views: 1 },
    ])
  })
})

describe('a POST report', () => {
  it.each<[string[], object]>([
    [['websiteId'], { websiteId: 'x' }],
    [['websiteId'], { websiteId: undefined }],
    [['type'], { type: 'goal' }],
    [['type'], { type: undefined }],
    [['filters'], { filters: undefined }],
    [['filters'], { filters: [] }],
    [['parameters'], { parameters: null }],
    [['parameters.startAt', 'parameters.endAt'], { parameters: {} }],
    [['parameters.endAt'], { parameters: { startAt: 1e11 + 1, endAt: 1e11 } }],
    [['parameters.endDate'], { parameters: { ...dates, endDate: 'x' } }],
    [['parameters.surprise'], { parameters: { ...dates, surprise: 1 } }],
    [['parameters.browser'], { parameters: { ...dates, browser: 'chrome' } }],
    ...['constructor', 'toString', 'hasOwnProperty'].map((name): [string[], object] => [
      [`parameters.${name}`, `parameters.${name}`],
      { parameters: { ...dates, [name]: {} } },
    ]),
    [['parameters.limit'], { parameters: { ...dates, limit: 0 } }],
    [['parameters.timezone'], { parameters: { ...dates, timezone: "'" } }],
    [['filters.surprise'], { filters: { surprise: "'" } }],
    [['filters.browser'], { filters: { browser: {} } }],
    [['filters.path'], { filters: { path: `re.${'('.repeat(5000)}` } }],
    [['filters.startAt'], { filters: { startAt: { toString: 1 } }, parameters: { startAt: 0, endAt: 1e11 } }],
    [['filters.endAt'], { filters: { endAt: [2] }, parameters: { startAt: 0, endAt: 1e11 } }],
    [['filters.startAt'], { filters: { startAt: 1, endAt: 1e11 }, parameters: { startAt: 0, endAt: 1e11 } }],
    [['parameters.startDate'], { filters: { startAt: 1, endAt: day.endAt } }],
    [['surprise'], { surprise: 1 }],
  ])('identifies the invalid parameters: %j in %j', async (parameters, change) => {
    refused(await post(path, body(change)), ...parameters)
  })

  it('accepts no query string, and only a JSON body', async () => {
    refused(await post(`${path}?surprise=1`, body()), 'surprise')
    refused(await post(pathOf(path, day), body()), 'startAt', 'endAt')
    const send = (text: string, type = 'application/json') =>
      fetch(running.url + path, { method: 'POST', headers: { ...operator, 'content-type': type }, body: text })
    const statuses = [
      (await send(JSON.stringify(body()), 'text/plain')).status,
      (await send('{')).status,
      (await send('')).status,
      (await send(`${'['.repeat(40_000)}${']'.repeat(40_000)}`)).status,
      (await send(JSON.stringify(body({ filters: { path: 'x'.repeat(100_000) } })))).status,
    ]
    expect(statuses).toStrictEqual([400, 400, 400, 400, 413])
  })

  it('is open to callers who may see the website, subject to their filters and locks', async () => {
    const asAnyone = (headers: Headers, change: object = {}) => post(path, body(change), headers)
    const locked = await newShare(websiteId, { utm: true, filters: { browser: 'safari' } })
    const safari = rows.filter(({ browser }) => browser === 'safari')
    expect((await asAnyone(locked.headers)).body).toStrictEqual(report(safari))
    expect((await asAnyone(locked.headers)).headers.get('x-source')).toBe(null)
    failed(await asAnyone(locked.headers, { filters: { distinctId: 'x' } }), forbidden)
    const other = await websiteOf({}, { public: JSON.stringify({ utm: true, allowFilter: false }) })
    failed(await asAnyone(locked.headers, { websiteId: id(9) }), forbidden)
    failed(await asAnyone((await newShare(websiteId, { events: true })).headers), forbidden)
    failed(
      await asAnyone((await newShare(websiteId, { utm: true, allowFilter: false })).headers, {
        filters: { browser: 'chrome' },
      }),
      forbidden,
    )
    failed(await asAnyone({}), unauthorized)
    failed(await asAnyone({}, { websiteId: undefined }), unauthorized)
    expect((await asAnyone({}, { websiteId: other })).body).toStrictEqual(report([]))
  })

  it('ignores If-None-Match', async () => {
    const { headers } = await post(path, body())
    const again = await post(path, body(), { ...operator, 'if-none-match': headers.get('etag')! })
    expect(again.status).toBe(200)
  })
})
