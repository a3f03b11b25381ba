import { operations } from '@umami/api-client'
import { describe, expect, it } from 'vitest'
import { endpoints } from '../../src/endpoints/index.ts'
import { event, id, number, string } from '../oracle/fixtures.ts'
import { asked, computed, worldOf } from '../support/agreement.ts'
import { newShare, operator, post } from '../support/callers.ts'
import { isLong } from '../support/long.ts'
import { bearer } from '../support/people.ts'
import { refused } from '../support/refusals.ts'
import { eventReports, reportOf, takes } from '../support/reports.ts'
import { pathTo } from '../support/requests.ts'
import { day } from '../support/website.ts'
import { get, pathOf, send } from '../support/weir.ts'

/** A hundred days, so that tables of counts answer most of each report. */
const long = { startAt: Date.UTC(2025, 6, 7), endAt: Date.UTC(2025, 9, 16) - 1 }

const row = (index: number, event_name: string, value: string, change: object = {}) =>
  event(
    {
      ...{ event_id: id(index), session_id: id(100 + index), visit_id: id(200 + index) },
      created_at: `2025-${['10-15', '09-10', '08-11', '07-12'][index % 4]} 12:00:00.000`,
      event_name,
      url_path: `/path/${index}`,
      ...change,
    },
    [string('plan', value), string(`Größe_${index}`, 'x'), number('price', `${index}.5000`)],
  )

const world = await worldOf(
  row(1, 'buy', 'pro'),
  row(2, 'buy', '100%'),
  row(3, 'BUY', '100x'),
  row(4, 'buy', 'a_b'),
  row(5, 'buy now', 'axb'),
  row(6, 'kauf ÄÖ\u212A', 'Ünïcödé'),
  row(7, 'x', 'buy'),
  row(8, '', 'view', { event_type: 1, url_path: '/Buy' }),
  row(9, 'buy', 'old', { created_at: '2024-10-15 12:00:00.000' }),
)

const sent = (query: object): [string, string][] => Object.entries(query).map(([name, value]) => [name, String(value)])

const searches = ['buy', 'BUY', '%', '_', '100%', 'a_b', 'größe_', 'äök', 'ÜNÏ', 'plan', '.', '(', '\\', 'nothing', '']

describe('an operation in the official client', () => {
  it('also exists in Weir (166 of 166)', () => {
    // Operations that send events are not endpoints of Weir.
    const served = new Set([...endpoints.map(({ name }) => name), 'send', 'batch', 'record'])
    const names = Object.keys(operations)
    expect([names.length, names.filter((name) => !served.has(name))]).toEqual([166, []])
  })

  it('reports a mistyped id by name', async () => {
    for (const wrong of ['chart', 'charts-', 'Charts', 'x', `${world.websiteId}0`]) {
      refused(await get(`/api/websites/${wrong}`), 'websiteId')
    }
  })
})

describe('a search', () => {
  it.each(eventReports)('finds rows of $name with the text, taken literally and ignoring case', async (report) => {
    const ranges = takes(report, 'startAt') ? [day, long] : [{}]
    const turn = eventReports.indexOf(report)
    for (const [index, range] of ranges.entries()) {
      // In `npm test`, each range of a report is searched for some of the texts, which differ between reports.
      for (const text of searches.filter((_, place) => isLong || (place + index + turn) % 5 === 0)) {
        const query = sent({ ...range, search: text })
        const body = await asked(world.websiteId, report, query)
        expect({ text, range, body }).toStrictEqual({ text, range, body: computed(world.rows, report, query) })
      }
    }
  })

  it('finds an account’s keys whose name contains the text', async () => {
    const made = await post('/api/users', { username: `searcher-${id(1)}`, password: 'a good password', role: 'user' })
    const { token } = (await post('/api/auth/login', { username: made.body.username, password: 'a good password' }, {}))
      .body
    for (const name of ['Été 100%', 'other_one']) await post('/api/me/api-keys', { name }, bearer(token))
    const names = async (search: string) => {
      const { body } = await send(pathOf('/api/me/api-keys', { search }), { headers: bearer(token) })
      return body.map(({ name }: { name: string }) => name).sort()
    }
    expect(await names('')).toStrictEqual(['other_one', 'Été 100%'])
    for (const [text, ...found] of [['ÉTÉ', 'Été 100%'], ['%', 'Été 100%'], ['_', 'other_one'], ['nothing']]) {
      expect(await names(text!)).toStrictEqual(found)
    }
  })
})

/**
 * Parameters that the dashboard sends with each request: the range in both spellings, and the filters in its URL.
 */
const date = {
  ...long,
  ...{ startDate: new Date(long.startAt).toISOString(), endDate: new Date(long.endAt).toISOString(), unit: 'day' },
  timezone: 'America/New_York',
}
const filtered = { browser: 'neq.chrome', path: 'c./path', match: 'all', search: 'buy', page: '1', pageSize: '20' }

describe("Umami's own dashboard", () => {
  const requests: Record<string, object> = {
    'events/stats': { ...long, ...filtered },
    events: { ...date, ...filtered },
    'event-data/events': { ...date, ...filtered },
    'event-data/properties': { ...date, ...filtered },
    'event-data/fields': { ...date, ...filtered, search: 'pr', event: 'buy' },
    'event-data/values': { ...date, ...filtered, search: 'o', eventName: 'buy', propertyName: 'plan' },
    'event-data/stats': { ...date, ...filtered, eventName: 'buy' },
    'event-data-pivot': { ...date, ...filtered, eventName: 'buy', pf_plan: '1.neq.pro' },
    'event-data/:eventId': { ...date, search: 'buy', page: '1', pageSize: '20' },
  }

  it.each(Object.entries(requests))('shows event properties: %s', async (name, query) => {
    const report = reportOf({ endpoint: name })
    const body = await asked(world.websiteId, report, sent(query))
    expect(body).toStrictEqual(computed(world.rows, report, sent(query)))
    expect(JSON.stringify(body).length).toBeGreaterThan(2)
  })

  it('lists segments and shares, and reads websites, with the filters and range in its URL', async () => {
    const website = `/api/websites/${world.websiteId}`
    const { search, ...rest } = { ...date, ...filtered }
    for (const path of [
      `${website}/segments`,
      `${website}/shares`,
      website,
      ...['/api/me', '/api/websites', '/api/teams'],
    ]) {
      // Other tests create websites and teams in the meantime.
      const isOfAll = path === '/api/websites' || path === '/api/teams'
      const needed = path.endsWith('/segments') ? { type: 'segment' } : isOfAll ? { search: world.websiteId } : {}
      const filters = /\/(segments|shares)$/.test(path)
      const { browser, path: _, match, ...known } = rest
      const given = await get(path, { ...needed, ...(filters ? rest : known) } as never)
      expect([path, given.status, given.body]).toStrictEqual([path, 200, (await get(path, needed)).body])
      const wrong = await get(path, { ...needed, browser: 'x'.repeat(4001) })
      expect([path, wrong.status]).toStrictEqual([path, 400])
    }
  })

  it("shows share pages, with or without the viewer's token in addition to the share's", async () => {
    const { slug } = await newShare(world.websiteId, { events: true, overview: true, filters: { event: 'buy' } })
    const shared = await send(`/api/share/${slug}`)
    expect(shared.status).toBe(200)
    const { token, websiteId } = shared.body
    const report = reportOf({ endpoint: 'event-data/events' })
    const kept = world.rows.filter(({ event_name }) => event_name === 'buy')
    const query = sent({ ...date, pageSize: '20' })
    for (const authorization of ['Bearer null', operator.authorization!]) {
      const headers = { authorization, 'x-umami-share-token': token, 'x-umami-share-context': '1' }
      const { status, body } = await send(pathTo(report, { websiteId }, query), { headers })
      expect([status, body]).toStrictEqual([200, computed(kept, report, query)])
      expect((await send(`/api/websites/${websiteId}`, { headers })).status).toBe(200)
      const one = await send(pathOf(`/api/websites/${websiteId}/event-data/${id(1)}`, query), { headers })
      expect([one.status, one.body.length]).toStrictEqual([200, 3])
      const other = await send(pathOf(`/api/websites/${websiteId}/event-data/${id(7)}`, query), { headers })
      expect([other.status, other.body]).toStrictEqual([200, []])
      // Access depends on the share, not on the signed-in user. Nothing else is open.
      expect((await send('/api/websites', { headers })).status).toBe(403)
    }
    const { 'x-umami-share-context': _, ...bare } = {
      ...{ authorization: operator.authorization!, 'x-umami-share-token': token, 'x-umami-share-context': '1' },
    }
    expect((await send(pathTo(report, { websiteId }, query), { headers: bare })).status).toBe(401)
  })

  it('may send its headers to Weir on another origin', async () => {
    const reply = await send(`/api/websites/${world.websiteId}/events`, { method: 'OPTIONS' })
    expect(reply.headers.get('access-control-allow-headers')?.toLowerCase().split(',')).toEqual(
      expect.arrayContaining(['authorization', 'x-umami-share-token', 'x-umami-share-context']),
    )
  })
})
