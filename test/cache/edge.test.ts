import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { event, id, string } from '../oracle/fixtures.ts'
import { type CachedWorker, cachedWorker } from '../support/cached.ts'
import { withinAMinute } from '../support/minute.ts'
import { once } from '../support/once.ts'
import { keyOf } from '../support/people.ts'
import { eventId, eventReports } from '../support/reports.ts'
import { pathTo } from '../support/requests.ts'
import { saved } from '../support/saved.ts'
import { add, day, websiteWith } from '../support/website.ts'
import { pathOf, running } from '../support/weir.ts'

const one = (number: number) =>
  event({ event_id: id(number), session_id: id(100 + number), event_name: 'buy' }, [string('plan', `plan ${number}`)])

const events = (websiteId: string, query: object = {}): string =>
  pathOf(`/api/websites/${websiteId}/events`, { ...day, ...query } as never)

/** Websites with that event, created in parallel because each insert takes a tenth of a second. */
let websites: string[]
let worker: CachedWorker
beforeAll(async () => {
  websites = await Promise.all(Array.from({ length: 17 }, () => websiteWith(one(1))))
  worker = await cachedWorker()
})
afterAll(() => worker.close())
const website = (): string => websites.pop()!

describe('an answer', () => {
  const ofEveryReport = once(() => websiteWith(one(1)))

  it.each(eventReports.map((report) => [report.name, report] as const))(
    'is served again without D1 and without ClickHouse: %s',
    async (_, report) => {
      const path = pathTo(report, { websiteId: await ofEveryReport(), eventId })
      const first = await worker.ask(path)
      expect([first.status, first.cache]).toEqual([200, 'MISS'])
      worker.look()
      for (const _ of [1, 2, 3]) {
        const again = await worker.ask(path)
        expect([again.status, again.cache, again.text]).toEqual([200, 'HIT', first.text])
        const of = ({ headers }: typeof again) =>
          ['content-type', 'etag', 'link', 'x-total-count', 'cache-control', 'access-control-allow-origin'].map(
            (name) => headers.get(name),
          )
        expect(of(again)).toEqual(of(first))
      }
      expect(worker.look()).toEqual({ d1: 0, clickhouse: 0 })
    },
  )

  it('is served to everybody who may see the same data, for every spelling of the request', async () => {
    const websiteId = website()
    const first = await worker.ask(events(websiteId, { browser: 'chrome', os: 'mac', match: 'all', page: 1 }))
    expect(first.cache).toBe('MISS')
    for (const query of [
      { os: 'mac', browser: 'chrome' },
      { 'filters[os]': 'eq.mac', browser: 'chrome', pageSize: 20 },
      { filters: '{"browser":"chrome","os":["mac"]}', timezone: 'Asia/Kolkata', unit: 'day' },
    ]) {
      expect((await worker.ask(events(websiteId, query))).cache).toBe('HIT')
    }
    const dates = { startDate: '2025-10-15', endDate: '2025-10-15', os: 'mac', browser: 'chrome' }
    const path = pathOf(`/api/websites/${websiteId.toUpperCase()}/events`, dates)
    expect((await worker.ask(path)).cache).toBe('HIT')
    expect((await worker.ask(path, { 'x-umami-api-key': running.adminKey })).cache).toBe('HIT')
    for (const query of [
      { os: 'mac' },
      { os: 'mac', browser: 'neq.chrome' },
      { os: 'mac', browser: 'chrome', page: 2 },
    ]) {
      expect((await worker.ask(events(websiteId, query))).cache).toBe('MISS')
    }
    expect((await worker.ask(events(website(), { browser: 'chrome', os: 'mac' }))).cache).toBe('MISS')
  })

  it('is a 304 if If-None-Match contains its ETag, whether cached or not', async () => {
    const websiteId = website()
    const etag = (await worker.ask(events(websiteId))).headers.get('etag')!
    expect(etag).toMatch(/^"[0-9a-f]{32}"$/)
    const admin = { authorization: `Bearer ${running.adminKey}` }
    for (const named of [etag, `W/${etag}`, `"other", ${etag}`, '*', `"a,b" , W/${etag}`]) {
      const again = await worker.ask(events(websiteId), { ...admin, 'if-none-match': named })
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
      expect(again.headers.get('content-type')).toBe(null)
      expect(again.headers.get('x-cache')).toBe('HIT')
    }
    for (const other of ['"other"', etag.slice(1, -1), '', 'W/"*"']) {
      expect((await worker.ask(events(websiteId), { ...admin, 'if-none-match': other })).status).toBe(200)
    }
    // This is the same answer, although it was never stored under this spelling.
    const miss = await worker.ask(events(websiteId, { maxResults: 1000 }), { ...admin, 'if-none-match': etag })
    expect([miss.status, miss.cache]).toEqual([304, 'MISS'])
  })

  it('has a different ETag if its body or headers differ', async () => {
    const websiteId = website()
    const path = (query: object) =>
      pathOf(`/api/websites/${websiteId}/event-data/events`, { ...day, ...query } as never)
    const before = await worker.ask(path({ limit: 1 }))
    await add(websiteId, event({ event_id: id(2), event_name: 'zzz' }, [string('plan', 'x')]))
    const after = await worker.ask(path({ limit: 1, browser: 'neq.no such' }))
    expect([after.text, after.headers.get('x-total-count')]).toEqual([before.text, '2'])
    expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
  })

  it('can be requested with HEAD, and then has the same headers', async () => {
    const websiteId = website()
    const got = await worker.ask(events(websiteId))
    const head = await worker.ask(events(websiteId), undefined, { method: 'HEAD' })
    expect([head.status, head.text, head.cache]).toEqual([200, '', 'HIT'])
    expect(head.headers.get('etag')).toBe(got.headers.get('etag'))
  })

  it('has its age and timings in headers that pages from other origins may read', async () => {
    const websiteId = website()
    const [miss, hit, passed] = [
      await worker.ask(events(websiteId)),
      await worker.ask(events(websiteId)),
      await worker.ask(events(websiteId), { authorization: `Bearer ${running.adminKey}`, 'x-request-id': 'of-a-test' }),
    ]
    const timings = [miss, hit, passed].map(({ headers }) => headers.get('server-timing')!.replace(/=\d+/g, '='))
    expect(timings).toEqual([
      'cache;desc=MISS;dur=, d1;dur=, clickhouse;dur=, total;dur=',
      'cache;desc=HIT;dur=, total;dur=',
      'cache;desc=HIT',
    ])
    expect(miss.headers.get('age')).toBe(null)
    for (const { headers } of [hit, passed]) {
      expect(headers.get('age')).toMatch(/^\d+$/)
      expect(headers.get('ratelimit-policy')).toBe(null)
      expect(headers.get('cache-control')).toBe('private, no-cache')
      const exposed = headers.get('access-control-expose-headers')!.split(',')
      expect(exposed).toEqual(expect.arrayContaining(['ETag', 'Age', 'Server-Timing', 'X-Cache', 'X-Range']))
    }
    expect(passed.headers.get('x-request-id')).toBe('of-a-test')
    expect(hit.headers.get('x-request-id')).not.toBe(miss.headers.get('x-request-id'))
  })

  it('is served without D1 even if the request has a segment', async () => {
    const websiteId = website()
    const segment = await saved(websiteId, 'segment', { filters: [] })
    const path = events(websiteId, { segment })
    await worker.ask(path)
    worker.look()
    expect([(await worker.ask(path)).cache, (await worker.ask(path)).cache]).toEqual(['HIT', 'HIT'])
    expect(worker.look()).toEqual({ d1: 0, clickhouse: 0 })
  })

  it('is not served if the request is refused', async () => {
    const websiteId = website()
    const path = events(websiteId)
    for (const _ of [1, 2, 3]) expect((await worker.ask(path)).status).toBe(200)
    expect((await worker.ask(path, {})).status).toBe(401)
    expect((await worker.ask(path, { authorization: 'Bearer nonsense' })).status).toBe(401)
    const twice = { authorization: `Bearer ${running.adminKey}`, 'x-weir-api-key': 'another' }
    expect((await worker.ask(path, twice)).status).toBe(401)
    expect((await worker.ask(`${path}&page=0`)).status).toBe(400)
    expect((await worker.ask(path, undefined, { method: 'DELETE' })).status).toBe(405)
    for (const _ of [1, 2]) expect((await worker.ask(events(websiteId, { path: 're.(' }))).status).toBe(400)
  })
})

describe('the rate limit', () => {
  let limited: CachedWorker
  beforeAll(async () => {
    limited = await cachedWorker(undefined, { quotas: { LIMIT_KEY: { limit: 2, period: 60 } } })
  })
  afterAll(() => limited.close())

  it('does not count answers from the cache', () =>
    withinAMinute(async () => {
      const [websiteId, key] = [website(), await keyOf(undefined)]
      const answers: [number, string | null][] = []
      for (const query of [{}, {}, {}, {}, { page: 2 }, { page: 3 }, {}]) {
        const { status, cache } = await limited.ask(events(websiteId, query), key)
        answers.push([status, cache])
      }
      const hit = [200, 'HIT']
      expect(answers).toEqual([[200, 'MISS'], hit, hit, hit, [200, 'MISS'], [429, null], hit])
    }))

  it('does not count a request while an identical one is running', async () => {
    const [path, key] = [events(website()), await keyOf(undefined)]
    const { waiting, release } = limited.clickhouse.hold()
    const first = limited.ask(path, key)
    await waiting(1)
    const others = Array.from({ length: 5 }, () => limited.ask(path, key))
    await Promise.race([...others, pause(300)])
    release()
    expect((await Promise.all([first, ...others])).map(({ status }) => status)).toEqual(Array(6).fill(200))
  })
})

describe('concurrent identical requests', () => {
  it('share a single query', async () => {
    const websiteId = website()
    const path = pathOf(`/api/websites/${websiteId}/event-data/stats`, day)
    worker.look()
    const { waiting, release } = worker.clickhouse.hold()
    const asking = Array.from({ length: 20 }, () => worker.ask(path))
    await waiting(1)
    release()
    const answers = await Promise.all(asking)
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]!.status).toBe(200)
    expect(worker.look().clickhouse).toBe(1)
  })

  it('also share a single query within a batch', async () => {
    const websiteId = website()
    const path = pathOf(`/api/websites/${websiteId}/event-data/stats`, day)
    worker.look()
    const headers = { authorization: `Bearer ${running.adminKey}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ paths: [path, path, path] })
    const read = async () => {
      const { text } = await worker.ask('/api/read', headers, { method: 'POST', body })
      return JSON.parse(text).answers.map((answer: { status: number; headers: object }) => [
        answer.status,
        (answer.headers as Record<string, string>)['x-cache'],
      ])
    }
    expect(await read()).toEqual(Array(3).fill([200, 'MISS']))
    expect(worker.look().clickhouse).toBe(1)
    expect(await read()).toEqual(Array(3).fill([200, 'HIT']))
    expect((await worker.ask(path)).cache).toBe('HIT')
    expect(worker.look().clickhouse).toBe(0)
  })

  it('get the answer even if the first caller has disconnected', async () => {
    const websiteId = website()
    const path = pathOf(`/api/websites/${websiteId}/event-data/stats`, day)
    worker.look()
    const { waiting, release } = worker.clickhouse.hold()
    const gone = new AbortController()
    const first = worker.ask(path, undefined, { signal: gone.signal }).catch((error: Error) => error.name)
    await waiting(1)
    const others = [worker.ask(path), worker.ask(path)]
    gone.abort()
    expect(await first).toBe('AbortError')
    // Later requests wait for the same query.
    others.push(worker.ask(path))
    release()
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(worker.look().clickhouse).toBe(1)
  })

  it('share a failure, after which the next request queries again', async () => {
    const websiteId = website()
    const path = pathOf(`/api/websites/${websiteId}/event-data/stats`, day)
    const { waiting, release } = worker.clickhouse.hold()
    const asking = [worker.ask(path), worker.ask(path)]
    await waiting(1)
    worker.clickhouse.down()
    release()
    expect((await Promise.all(asking)).map(({ status }) => status)).toEqual([503, 503])
    worker.clickhouse.up()
    expect((await worker.ask(path)).status).toBe(200)
  })

  it('wait no longer than the query timeout', async () => {
    const impatient = await cachedWorker(undefined, { timeout: 1 })
    const websiteId = website()
    const { release } = impatient.clickhouse.hold()
    const asking = [impatient.ask(events(websiteId)), impatient.ask(events(websiteId))]
    expect((await Promise.all(asking)).map(({ status }) => status)).toEqual([503, 503])
    release()
    await expect.poll(async () => (await impatient.ask(events(websiteId))).status).toBe(200)
    await impatient.close()
  })
})
