import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { liveStream } from '../../src/serve/live.ts'
import { event, id } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'
import { type CachedWorker, cachedWorker } from '../support/cached.ts'
import { newShare, operator, remove } from '../support/callers.ts'
import { websiteOf } from '../support/people.ts'
import { add, columnTime, websiteWith } from '../support/website.ts'
import { get, pathOf, running } from '../support/weir.ts'

const minute = 60_000
const second = 1000

/** An action that happened this many milliseconds ago. */
const seen = (ago: number, event_id: number, session: number, more: Partial<IngestRow> = {}): IngestRow =>
  event({
    ...{ event_id: id(event_id), session_id: id(session), visit_id: id(session) },
    ...{ created_at: columnTime(Date.now() - ago), event_type: 1, hostname: 'a.com' },
    ...more,
  })

const realtime = async (websiteId: string, query: Record<string, string> = {}) => {
  const { status, body } = await get(`/api/realtime/${websiteId}`, query)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

const nothing = {
  countries: {},
  urls: {},
  referrers: {},
  events: [],
  series: { views: [], visitors: [] },
  totals: { views: 0, visitors: 0, events: 0, countries: 0 },
  timestamp: expect.any(Number),
}

function busyWebsite(): Promise<string> {
  const buy = { event_type: 2, event_name: 'buy' }
  return websiteWith(
    seen(3 * minute, 1, 1, { country: 'DE', url_path: '/', referrer_domain: 'b.com', browser: 'firefox' }),
    seen(2 * minute, 2, 1, { country: 'FR', url_path: '/x', referrer_domain: 'www.a.com', hostname: 'www.a.com' }),
    seen(2 * minute, 3, 2, { country: 'FR', url_path: '/x', referrer_domain: 'a.com' }),
    seen(minute, 4, 2, { ...buy, country: 'FR', url_path: '/x' }),
    seen(minute, 5, 3, { ...buy, url_path: '' }),
    seen(minute, 6, 4, { event_type: 5, country: 'IT', url_path: '/vitals' }),
    seen(32 * minute, 7, 5, { country: 'IT', url_path: '/old' }),
    seen(-minute, 8, 6, { country: 'IT', url_path: '/coming' }),
  )
}

describe('realtime', () => {
  it('counts actions in the last half hour, but not web vitals or older or future events', async () => {
    const body = await realtime(await busyWebsite())
    expect(body).toMatchObject({
      countries: { FR: 2 },
      urls: { '/x': 3, '/': 1 },
      referrers: { 'b.com': 1 },
      totals: { views: 3, visitors: 3, events: 2, countries: 1 },
    })
    const counts = (points: readonly { y: number }[]) => points.map(({ y }) => y)
    expect(counts(body.series.views)).toEqual([1, 2])
    expect(counts(body.series.visitors)).toEqual([1, 2])
    const start = Date.parse(body.series.views[0].x)
    expect([start % minute, Date.parse(body.series.views[1].x) - start]).toEqual([0, minute])
  })

  it('lists sessions and actions, with filters', async () => {
    const websiteId = await busyWebsite()
    const body = await realtime(websiteId)
    expect(body.events.map((one: Record<string, string>) => [one.__type, one.sessionId, one.urlPath])).toEqual([
      ['event', id(3), ''],
      ['session', id(3), ''],
      ['event', id(2), '/x'],
      ['pageview', id(2), '/x'],
      ['session', id(2), '/x'],
      ['pageview', id(1), '/x'],
      ['pageview', id(1), '/'],
      ['session', id(1), '/'],
    ])
    expect(body.events[7]).toStrictEqual({
      ...{ __type: 'session', sessionId: id(1), eventName: '' },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      ...{ browser: 'firefox', os: '', device: '', country: 'DE', urlPath: '/', referrerDomain: 'b.com' },
      hostname: 'a.com',
    })

    const filtered = await realtime(websiteId, { event: 'buy', country: 'FR' })
    expect(filtered.totals).toEqual({ views: 1, visitors: 1, events: 1, countries: 1 })
    expect(await realtime(websiteId, { path: "/it's" })).toStrictEqual(nothing)
  })

  it('lists the top 500 values and the 100 newest actions, but counts all', async () => {
    const names = ['__proto__', '7', "o'clock"]
    const nameOf = (index: number) => names[index] ?? `/${String(index).padStart(3, '0')}`
    const rows = Array.from({ length: 510 }, (_, index) =>
      seen(minute, index + 1, index + 1, { url_path: nameOf(index) }),
    )
    const often = ['/509', ...names].map((url_path, index) => seen(minute, 900 + index, 510, { url_path }))
    const { urls, events, totals } = await realtime(await websiteWith(...rows, ...often))
    expect(Object.keys(urls)).toHaveLength(500)
    expect([urls['/509'], urls['/498'], urls['/499']]).toEqual([2, 1, undefined])
    expect(names.map((name) => Object.getOwnPropertyDescriptor(urls, name)?.value)).toEqual([2, 2, 2])
    expect(events.filter(({ __type }: { __type: string }) => __type !== 'session')).toHaveLength(100)
    expect(totals).toEqual({ views: 514, visitors: 510, events: 0, countries: 0 })
  })
})

/** Reads server-sent events. */
async function listen(url: string, headers: Readonly<Record<string, string>>) {
  const controller = new AbortController()
  const init = { headers: { ...headers, accept: 'text/event-stream' }, signal: controller.signal }
  const response = await fetch(url, init)
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    response,
    /** The next object, or undefined if the stream has ended. */
    async next() {
      while (true) {
        const end = text.indexOf('\n\n')
        const message = text.slice(0, end)
        if (end >= 0) text = text.slice(end + 2)
        const data = end < 0 ? undefined : /^data: (.*)$/m.exec(message)?.[1]
        if (data !== undefined) return JSON.parse(data)
        if (end >= 0) continue
        const { value, done } = await reader.read()
        if (done) return undefined
        text += value
      }
    },
    close: () => controller.abort(),
  }
}

describe('live', () => {
  let worker: CachedWorker
  beforeAll(async () => {
    worker = await cachedWorker()
  })
  afterAll(() => worker.close())

  it('sends changes to all listeners, with one statement per kind of reader, until access is revoked', async () => {
    const websiteId = await websiteWith(seen(second, 1, 1))
    const share = await newShare(websiteId, { realtime: true })
    const url = pathOf(`${worker.url}/api/realtime/${websiteId}`, { path: 'neq.none' })
    const [own, ...shared] = await Promise.all([operator, share.headers, share.headers].map((one) => listen(url, one)))
    expect(own!.response.headers.get('content-type')).toBe('text/event-stream')
    expect((await own!.next()).totals.views).toBe(1)
    for (const one of shared) expect((await one.next()).totals.views).toBe(1)

    const held = worker.clickhouse.hold()
    // Runs one statement for the owner, and one for both readers of the share, who have a shorter deadline.
    await held.waiting(2)
    worker.look()
    // All listeners keep polling in this time.
    await pause(2500)
    expect(worker.look().clickhouse).toBe(0)
    await add(websiteId, seen(0, 2, 2))
    held.release()
    for (const one of [own!, ...shared]) expect((await one.next()).totals.views).toBe(2)

    await remove(`/api/share/id/${share.id}`)
    for (const one of shared) expect(await one.next()).toBeUndefined()
    await add(websiteId, seen(0, 3, 3))
    expect((await own!.next()).totals.views).toBe(3)
    own!.close()
  })

  it('fails with the same errors as JSON, and returns JSON if the client prefers it', async () => {
    const websiteId = await websiteOf()
    const url = `${running.url}/api/realtime/${websiteId}`
    const accept = 'text/event-stream'
    const asked = async (headers: Record<string, string>, path = url, method = 'GET') => {
      const response = await fetch(path, { method, headers })
      const type = response.headers.get('content-type')
      await response.body?.cancel()
      return [response.status, type]
    }
    expect(await asked({ accept })).toEqual([401, 'application/json'])
    expect(await asked({ ...operator, accept }, `${url}?nonsense=1`)).toEqual([400, 'application/json'])
    expect(await asked({ ...operator, accept }, `${url.slice(0, -1)}g`)).toEqual([400, 'application/json'])
    expect(await asked({ ...operator, accept: `${accept};q=0.5, application/json` })).toEqual([200, 'application/json'])
    expect(await asked({ ...operator, accept: '*/*' })).toEqual([200, 'application/json'])
    expect(await asked({ ...operator, accept }, url, 'HEAD')).toEqual([200, accept])
    expect(await asked({ ...operator, accept: `${accept}, */*` })).toEqual([200, accept])
  })
})

describe('a live stream', () => {
  const times = { step: 10, silence: 60, patience: 50, life: 10_000 }
  const answered = (json: string, status = 200) => new Response(json, { status })
  const clock = () => {
    const from = performance.now()
    return () => performance.now() - from
  }
  const textOf = async (reader: ReadableStreamDefaultReader<Uint8Array>) => {
    const { value, done } = await reader.read()
    return done ? undefined : new TextDecoder().decode(value)
  }

  it('sends changes other than of the timestamp, and keep-alive comments, until access is revoked', async () => {
    const free = vi.fn()
    const looks = [answered('{"a":1,"timestamp":2}'), answered('{}', 503), answered('{}', 429)]
    const then = [
      answered('{"a":2,"timestamp":3}'),
      ...Array.from({ length: 8 }, () => answered('{"a":2,"timestamp":4}')),
    ]
    const all = [...looks, ...then]
    const look = async () => all.shift() ?? answered('', 403)
    // Each poll advances the clock by a step, however slow the machine is.
    const elapsed = () => (looks.length + then.length - all.length) * times.step
    const reader = liveStream('{"a":1,"timestamp":1}', { look, free, elapsed }, times).getReader()
    expect((await textOf(reader))!.split('\n')).toEqual([`retry${': '}10`, 'data: {"a":1,"timestamp":1}', '', ''])
    expect(await textOf(reader)).toBe('data: {"a":2,"timestamp":3}\n\n')
    let text = await textOf(reader)
    expect(text).toBe(':\n\n')
    while (text === ':\n\n') text = await textOf(reader)
    expect(text).toBeUndefined()
    expect(free).toHaveBeenCalledOnce()
  })

  it.each([
    ['fails', () => answered('{}', 503)],
    ['comes from the cache', () => new Response('{"timestamp":1}', { headers: { 'x-cache': 'STALE' } })],
  ])('says in its comments that the answer cannot be read, if it %s', async (_, answer) => {
    const [look, free] = [async () => answer(), vi.fn()]
    const reader = liveStream('{"timestamp":1}', { look, free, elapsed: clock() }, times).getReader()
    await textOf(reader)
    expect(await textOf(reader)).toBe(': cannot be read\n\n')
    await reader.cancel()
  })

  it('drops a listener that does not read, and stops polling for it', async () => {
    const free = vi.fn()
    const look = vi.fn(async () => answered('{"timestamp":1}'))
    const reader = liveStream('{"timestamp":1}', { look, free, elapsed: clock() }, times).getReader()
    await textOf(reader)
    while (free.mock.calls.length === 0) await pause(10)
    await expect(reader.read()).rejects.toThrow('does not read')
    expect(look).not.toHaveBeenCalled()
  })

  it('ends after its maximum lifetime, or when the listener disconnects', async () => {
    const free = vi.fn()
    const look = async () => answered('{"timestamp":1}')
    const reader = liveStream('{"timestamp":1}', { look, free, elapsed: clock() }, { ...times, life: 0 }).getReader()
    await textOf(reader)
    expect(await textOf(reader)).toBeUndefined()
    await liveStream('{"timestamp":1}', { look, free, elapsed: clock() }, times).cancel()
    expect(free).toHaveBeenCalledTimes(2)
  })
})
