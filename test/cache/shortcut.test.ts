import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { throughShortcut } from '../../src/serve/shortcut.ts'
import { event, id } from '../oracle/fixtures.ts'
import { isolate } from '../support/isolate.ts'
import { metadata } from '../support/metadata.ts'
import { insert, keyOf, websiteOf } from '../support/people.ts'
import { events, publicWebsite, share } from '../support/ways.ts'
import { add } from '../support/website.ts'

const ask = isolate()

/** A different time for each test, so that the cached look-ups of earlier tests have expired. */
let now = Date.now()
beforeEach(() => {
  now += 3_600_000
  vi.useFakeTimers({ toFake: ['Date'], now })
})
afterAll(() => void vi.useRealTimers())

const run = (query: string, ...values: unknown[]) =>
  metadata
    .prepare(query)
    .bind(...values)
    .run()

describe('the shortcut', () => {
  it('serves a request that the cache has already served, while the decision to serve it is still valid', async () => {
    const [websiteId, headers] = [await websiteOf(), await keyOf(undefined)]
    const isOpen = (init: RequestInit = {}, moment = now) =>
      throughShortcut(new Request(`http://weir${events({ websiteId })}`, { headers, ...init }), moment, {})?.status
    await ask(events({ websiteId }), headers)
    expect(isOpen()).toBe(undefined)
    await ask(events({ websiteId }), headers)
    expect([isOpen(), isOpen({}, now + 9999), isOpen({}, now + 10_000)]).toEqual([200, 200, undefined])
    expect(isOpen({ headers: { ...headers, 'if-none-match': '*' } })).toBe(304)
    const others = [
      { method: 'HEAD' },
      { method: 'POST' },
      { headers: {} },
      { headers: { ...headers, accept: 'text/csv' } },
    ]
    expect(others.map((init) => isOpen(init))).toEqual([undefined, undefined, undefined, undefined])
    // Any change in this isolate may affect that decision.
    await ask(`/api/websites/${await websiteOf()}/reset`, headers, 'POST')
    expect(isOpen()).toBe(undefined)
  })

  it('does not serve requests with a saved filter, because the filter may have changed', async () => {
    const [websiteId, headers, segment] = [await websiteOf(), await keyOf(undefined), randomUUID()]
    const row = { id: segment, website_id: websiteId, type: 'segment', name: 'x', search: 'x', parameters: '{}' }
    await insert('segments', { ...row, created_at: now, updated_at: now })
    const path = events({ websiteId, query: { segment } })
    const caches: unknown[] = []
    for (const _ of [1, 2, 3]) caches.push((await ask(path, headers)).cache)
    expect(caches).toEqual(['MISS', 'HIT', 'HIT'])
    expect(throughShortcut(new Request(`http://weir${path}`, { headers }), now, {})).toBe(undefined)
    await run(
      'UPDATE segments SET parameters = ?2 WHERE id = ?1',
      segment,
      '{"filters":[{"name":"os","operator":"eq","value":"x"}]}',
    )
    vi.setSystemTime(now + 10_000)
    expect((await ask(path, headers)).cache).toBe('MISS')
  })
})

const count = async (websiteId: string, headers: Readonly<Record<string, string>>): Promise<number> =>
  JSON.parse((await ask(events({ websiteId }), headers)).text).count

describe('requests that look alike', () => {
  it('are distinguished by credential and origin', async () => {
    const websiteId = await publicWebsite({ origins: ['https://a.example'] })
    const from = (origin: string) => ask(events({ websiteId }), { origin })
    for (const _ of [1, 2, 3]) {
      const { status, headers } = await from('https://a.example')
      expect([status, headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([
        200,
        'https://a.example',
        expect.stringMatching(/\bOrigin\b/),
      ])
    }
    expect((await from('https://b.example')).status).toBe(403)
    expect((await ask(events({ websiteId }), {})).status).toBe(403)
    const key = await keyOf(undefined)
    const { status, headers } = await ask(events({ websiteId }), key)
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    const both = { ...key, 'x-weir-share-token': (await share()).headers['x-weir-share-token']! }
    expect((await ask(events({ websiteId }), both)).status).toBe(401)
    expect((await ask(events({ websiteId }), { 'x-umami-share-token': 'x' })).status).toBe(401)
  })

  it('are distinguished by whether they come from a share page', async () => {
    const { websiteId, headers } = await share({ filters: { browser: 'chrome' } })
    await add(websiteId, ...['chrome', 'firefox'].map((browser, index) => event({ event_id: id(index), browser })))
    const viewer = await keyOf(undefined)
    const both = { ...viewer, 'x-umami-share-token': headers['x-weir-share-token']! }
    for (const _ of [1, 2, 3]) {
      expect(await count(websiteId, { ...both, 'x-umami-share-context': '1' })).toBe(1)
      expect((await ask(events({ websiteId }), both)).status).toBe(401)
      expect(await count(websiteId, { ...viewer, 'x-umami-share-context': '1' })).toBe(2)
      expect(await count(websiteId, viewer)).toBe(2)
    }
  })

  it('share cached answers, but each caller only gets what they may see', async () => {
    const websiteId = await publicWebsite({ filters: { browser: 'chrome' } })
    await add(
      websiteId,
      ...['chrome', 'chrome', 'firefox'].map((browser, index) => event({ event_id: id(index), browser })),
    )
    const key = await keyOf(undefined)
    for (const _ of [1, 2, 3]) {
      expect(await count(websiteId, key)).toBe(3)
      expect(await count(websiteId, {})).toBe(2)
    }
  })
})
