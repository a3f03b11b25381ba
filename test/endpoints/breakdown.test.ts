import { describe, expect, it } from 'vitest'
import { event, id, view } from '../oracle/fixtures.ts'
import { forbidden, newShare, post } from '../support/callers.ts'
import { failed, refused } from '../support/refusals.ts'
import { day, websiteWith } from '../support/website.ts'
import { get, read } from '../support/weir.ts'

const by = (session: number, visit: number) => ({ session_id: id(100 + session), visit_id: id(200 + visit) })
const [hostname, de] = ['shop.example', 'DE']

/**
 * Visit 1 has three views in 60 seconds, the last with another browser. Visits 2 and 3 have one each, in session
 * 2. Visit 2 bounces, and visit 3 has a custom event. The second view of visit 1 has its own site as its referrer.
 */
const rows = [
  view('10:00:00', {
    ...by(1, 1),
    event_id: id(1),
    ...{ url_path: '/', browser: 'chrome', country: de, referrer_domain: 'a.example' },
  }),
  view('10:00:10', {
    ...by(1, 1),
    ...{ event_id: id(2), url_path: '/', browser: 'chrome', hostname, referrer_domain: hostname },
  }),
  view('10:01:00', { ...by(1, 1), event_id: id(3), url_path: '/x', browser: 'safari' }),
  view('11:00:00', { ...by(2, 2), event_id: id(4), url_path: '/', browser: 'chrome', country: de }),
  view('12:00:00', { ...by(2, 3), event_id: id(5), url_path: '/', browser: 'chrome', event_type: 4 }),
  event({ ...by(2, 3), event_id: id(6), event_name: 'buy', url_path: '/', browser: 'chrome' }),
  event({ ...by(3, 4), event_id: id(7), event_type: 5, event_name: '', url_path: '/', browser: 'chrome' }),
]

const row = (fields: object, views: number, visitors: number, visits: number, bounces: number, totaltime: number) => ({
  ...fields,
  ...{ views, visitors, visits, bounces, totaltime },
})

const websiteId = await websiteWith(...rows)

const asked = async (fields: string, more: object = {}): Promise<unknown> =>
  (await read(websiteId, 'breakdown', { ...day, fields, ...more })).body

const byPathAndBrowser = [
  row({ path: '/', browser: 'chrome' }, 4, 2, 3, 1, 60),
  row({ path: '/x', browser: 'safari' }, 1, 1, 1, 0, 60),
]

describe('a breakdown', () => {
  it('counts views, visitors, visits, bounces and time for each combination of fields', async () => {
    for (const fields of ['path,browser', '["path","browser"]'])
      expect(await asked(fields)).toStrictEqual(byPathAndBrowser)
    expect(await asked('country')).toStrictEqual([
      row({ country: '' }, 3, 2, 2, 0, 60),
      row({ country: 'DE' }, 2, 2, 2, 1, 60),
    ])
  })

  it('sorts by visitors, then views, then the fields in the given order', async () => {
    const of = [
      row({ referrer: '', country: '' }, 3, 2, 2, 0, 60),
      row({ referrer: '', country: 'DE' }, 1, 1, 1, 1, 0),
      row({ referrer: 'a.example', country: 'DE' }, 1, 1, 1, 0, 60),
    ]
    expect(await asked('referrer,country')).toStrictEqual(of)
    expect((await asked('country,referrer')) as object[]).toEqual(of)
    expect(await asked('browser,path,country', { limit: 1, offset: 2 })).toStrictEqual([
      row({ browser: 'safari', path: '/x', country: '' }, 1, 1, 1, 0, 60),
    ])
  })

  it('accepts up to ten fields, whatever they contain', async () => {
    const fields = 'title,query,os,device,region,city,language,hostname,tag,utmTerm'
    const { body, headers } = await read(websiteId, 'breakdown', { ...day, fields })
    const none = Object.fromEntries(fields.split(',').map((name) => [name, '']))
    expect(body).toStrictEqual([row(none, 4, 2, 3, 1, 60), row({ ...none, hostname }, 1, 1, 1, 0, 60)])
    expect(headers.get('x-total-count')).toBe('2')
  })

  it('is the same by POST, whether under its name or its alias', async () => {
    const parameters = { startAt: day.startAt, endAt: day.endAt, fields: ['path', 'browser'] }
    for (const [path, type] of [
      ['breakdown', 'breakdown'],
      ['insights', 'insights'],
      ['insights', 'breakdown'],
    ] as const) {
      const { body } = await post(`/api/reports/${path}`, { websiteId, type, filters: {}, parameters })
      expect(body).toStrictEqual(byPathAndBrowser)
    }
    const first = { websiteId, type: 'breakdown', filters: {}, parameters: { ...parameters, limit: 1 } }
    expect((await post('/api/reports/breakdown', first)).body).toStrictEqual(byPathAndBrowser.slice(0, 1))
  })

  it.each([
    ...['', 'screen', 'path,path', '[]', '[1]', '["path"', '[["path"]]', 'path, browser'],
    'title,query,os,device,region,city,language,hostname,tag,utmTerm,path',
  ])('refuses unknown, repeated or too many fields: %j', async (fields) => {
    refused(await get(`/api/websites/${websiteId}/breakdown`, { ...day, fields }), 'fields')
  })

  it('requires fields, which a POST contains in its parameters', async () => {
    const asking = (fields: unknown) =>
      post('/api/reports/breakdown', { websiteId, type: 'breakdown', filters: {}, parameters: { ...day, fields } })
    for (const fields of [[], {}, null, ['path', 1], 'x']) refused(await asking(fields), 'parameters.fields')
  })

  it('never shows distinct ids through a share', async () => {
    const { headers } = await newShare(websiteId, { breakdown: true })
    const asking = (fields: string) =>
      post(
        '/api/reports/breakdown',
        { websiteId, type: 'breakdown', filters: {}, parameters: { ...day, fields } },
        headers,
      )
    expect((await asking('path,browser')).body).toStrictEqual(byPathAndBrowser)
    failed(await asking('path,distinctId'), forbidden)
  })
})
