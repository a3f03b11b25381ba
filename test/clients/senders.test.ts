import { UmamiClient } from '@umami/api-client'
import { Umami } from '@umami/node'
import { describe, expect, it } from 'vitest'
import { eventsOf, firefox, storedOf } from '../support/collecting.ts'
import { newWebsite, running } from '../support/weir.ts'
import { type TrackerScript, trackerScripts } from './tracker-requests.ts'

describe('@umami/node, unmodified', () => {
  it.concurrent.each([undefined, firefox])(
    'sends a visitor’s events, views and properties, as %s',
    async (userAgent) => {
      const websiteId = await newWebsite()
      const umami = new Umami({ hostUrl: running.url, websiteId, ...(userAgent && { userAgent }) })
      const answers = [
        await umami.track('signup', { plan: 'pro', at: new Date(Date.UTC(2026, 0, 2)) }),
        await umami.track({ url: '/home', title: 'Home', hostname: 'shop.example', referrer: 'https://news.example/' }),
        await umami.identify({ age: 5 }),
        await umami.identify({ plan: 'pro' }),
      ]
      for (const answer of answers)
        expect([answer.status, Object.keys((await answer.json()) as object)]).toEqual([
          200,
          ['cache', 'sessionId', 'visitId'],
        ])
      const { events, calls } = await storedOf([websiteId], 2, 2)
      const signup = events.find(({ event_type }) => event_type === 2)
      expect(signup).toMatchObject({
        event_name: 'signup',
        properties: [
          ['at', 4, '2026-01-02T00:00:00.000Z', null, '2026-01-02 00:00:00.000'],
          ['plan', 1, 'pro', null, null],
        ],
      })
      const view = { url_path: '/home', page_title: 'Home', hostname: 'shop.example', referrer_domain: 'news.example' }
      expect(events.find(({ event_type }) => event_type === 1)).toMatchObject(view)
      expect(calls.map(({ properties }) => properties.map(([key]) => key).join()).sort()).toEqual(['age', 'age,plan'])
      expect(new Set([...events, ...calls].map((row) => row.session_id)).size).toBe(1)
    },
  )
})

describe('the official client', () => {
  const client = new UmamiClient({ baseUrl: `${running.url}/api`, apiKey: running.adminKey })

  it.concurrent('sends events for its visitors', async () => {
    const website = await newWebsite()
    const payload = { website, url: '/home', userAgent: firefox, ip: '192.0.2.5' }
    const one = await client.send({ type: 'event', payload })
    expect(Object.keys(one)).toEqual(['cache', 'sessionId', 'visitId'])
    expect((await eventsOf(website, 1))[0]).toMatchObject({ url_path: '/home', browser: 'firefox' })
  })

  it.concurrent('is itself considered a bot', async () => {
    expect(await client.send({ type: 'event', payload: { website: await newWebsite() } })).toEqual({
      beep: 'boop',
      reason: 'bot',
    })
  })

  it.concurrent('cannot send batches, because it turns the array into an object', async () => {
    const all: Record<string, unknown>[] = [{ type: 'event', payload: { website: await newWebsite() } }]
    await expect(client.batch(all as never)).rejects.toMatchObject({ status: 400 })
  })
})

describe("Umami's own script", () => {
  const origin = 'https://shop.example'

  /** Sends the script's requests like a browser. Returns the ids in each answer. */
  async function visit(website: string, { asked, kept, requests }: TrackerScript) {
    const ids: { readonly sessionId: string; readonly visitId: string }[] = []
    let cache: unknown
    for (const { what, headers, body } of requests) {
      const filled = (text: string) => text.replaceAll('$website', website).replaceAll('$cache', () => String(cache))
      const preflight = await fetch(`${running.url}/api/send`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': asked },
      })
      expect(preflight.ok, what).toBe(true)
      const allowed = preflight.headers.get('access-control-allow-headers')!
      expect(allowed === '*' || asked.split(',').every((name) => allowed.includes(name))).toBe(true)
      const answer = await fetch(`${running.url}/api/send`, {
        method: 'POST',
        headers: {
          ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)])),
          ...{ origin, 'user-agent': firefox, 'cf-connecting-ip': '192.0.2.6' },
        },
        body: filled(JSON.stringify(body)),
      })
      expect([answer.status, answer.headers.get('access-control-allow-origin')], what).toEqual([200, '*'])
      const text = await answer.text()
      cache = kept(text)
      expect(cache, what).toEqual(expect.any(String))
      const told = JSON.parse(text)
      // The scripts stop permanently if an answer contains `disabled`.
      expect(told).not.toHaveProperty('disabled')
      ids.push({ sessionId: told.sessionId, visitId: told.visitId })
    }
    return ids
  }

  it.concurrent.each(trackerScripts.map((script) => [script.version, script] as const))(
    'is supported in version %s',
    async (_, script) => {
      const website = await newWebsite()
      const ids = await visit(website, script)
      expect(new Set(ids.map(({ sessionId, visitId }) => `${sessionId} ${visitId}`)).size).toBe(1)
      const { events, calls } = await storedOf([website], script.requests.length - 1, 1)
      const shown = events.map((row) => [
        row.event_type,
        row.url_path,
        row.url_query,
        row.page_title,
        row.referrer_domain,
        row.hostname,
      ])
      expect(shown.slice(0, 3)).toEqual([
        [1, '/café', 'q=1', 'Café', 'news.example', 'shop.example'],
        [1, '/two', '', 'Two', '', 'shop.example'],
        [2, '/two', '', 'Two', '', 'shop.example'],
      ])
      expect(events[2]).toMatchObject({
        ...{ event_name: 'buy', properties: [['plan', 1, 'pro', null, null]], device: 'laptop' },
      })
      expect(calls[0]!.properties).toEqual([['age', 2, '5.0000', '5', null]])
      if (events[3]) expect(events[3]).toMatchObject({ event_type: 5, lcp: 812.5, cls: 0.01, ttfb: 80, inp: null })
    },
  )
})
