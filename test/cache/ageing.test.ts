import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { urlOf } from '../../src/local/storage/clickhouse.ts'
import { event, id, string } from '../oracle/fixtures.ts'
import { neverFresh, neverServed, onlyOnError } from '../support/cache-times.ts'
import { type CachedWorker, cachedWorker, gate } from '../support/cached.ts'
import { operator } from '../support/callers.ts'
import { isolate } from '../support/isolate.ts'
import { withinAMinute } from '../support/minute.ts'
import { add, day, websiteWith } from '../support/website.ts'
import { pathOf, running } from '../support/weir.ts'

const one = (number: number) =>
  event({ event_id: id(number), session_id: id(100 + number), event_name: 'buy' }, [string('plan', `plan ${number}`)])

const events = (websiteId: string, query: object = {}): string =>
  pathOf(`/api/websites/${websiteId}/events`, { ...day, ...query } as never)

const count = ({ text }: { text: string }): number => JSON.parse(text).count

/** Websites with that event, created in parallel because each insert takes a tenth of a second. */
const websites = await Promise.all(Array.from({ length: 6 }, () => websiteWith(one(1))))
const website = (): string => websites.pop()!

describe('an answer about a past range', () => {
  afterEach(() => void vi.useRealTimers())

  it('is fresh for the lifetime of past ranges, unless its filters use session properties', async () => {
    const ask = isolate({ open: 5, shared: 5, closed: 3600, settled: 300, stale: 0, onError: 0 })
    const headers = { authorization: `Bearer ${running.adminKey}` }
    const websiteId = website()
    const now = Date.now()
    const seen: Record<string, (string | null)[]> = { daterange: [], events: [], spf: [] }
    for (const later of [0, 4, 6]) {
      vi.useFakeTimers({ toFake: ['Date'], now: now + later * 1000 })
      seen.daterange!.push((await ask(`/api/websites/${websiteId}/daterange`, headers)).cache)
      seen.events!.push((await ask(events(websiteId), headers)).cache)
      seen.spf!.push((await ask(events(websiteId, { spf0: '1.eq.plan.pro' }), headers)).cache)
    }
    const open = ['MISS', 'HIT', 'MISS']
    expect(seen).toEqual({ daterange: open, events: ['MISS', 'HIT', 'HIT'], spf: open })
  })
})

describe('an answer that is no longer fresh', () => {
  it('is still served while a new one is computed', async () => {
    const worker = await cachedWorker(neverFresh)
    const websiteId = website()
    expect([(await worker.ask(events(websiteId))).cache]).toEqual(['MISS'])
    await add(websiteId, one(2))
    worker.look()
    const { waiting, release } = worker.clickhouse.hold()
    const old = [await worker.ask(events(websiteId)), await worker.ask(events(websiteId))]
    expect(old.map((reply) => [reply.status, reply.cache, count(reply)])).toEqual([
      [200, 'UPDATING', 1],
      [200, 'UPDATING', 1],
    ])
    // A single statement returns both the page and its count.
    await waiting(1)
    expect(worker.look()).toEqual({ d1: 0, clickhouse: 1 })
    release()
    let last = await worker.ask(events(websiteId))
    for (; count(last) === 1; await pause(20)) last = await worker.ask(events(websiteId))
    expect([last.cache, count(last)]).toEqual(['UPDATING', 2])
    await worker.close()
  })

  it('is served without a refresh if the caller is over the limit', () =>
    withinAMinute(async () => {
      const limit = { limit: 3, period: 60 } as const
      const worker = await cachedWorker(neverFresh, { quotas: { LIMIT_KEY: limit } })
      const websiteId = website()
      const replies = []
      for (let asked = 0; asked < 6; asked++) replies.push(await worker.ask(events(websiteId)))
      expect(replies.map(({ status, cache }) => [status, cache])).toEqual([
        [200, 'MISS'],
        ...Array(5).fill([200, 'UPDATING']),
      ])
      // The first answer and at most two refreshes need two statements each: a count and a page.
      expect(worker.look().clickhouse).toBeLessThanOrEqual(6)
      expect((await worker.ask(events(websiteId, { page: 2 }))).status).toBe(429)
      await worker.close()
    }))

  /** A Worker whose answers are only served while ClickHouse is unavailable. Its query timeout is far longer. */
  let worker: CachedWorker
  beforeAll(async () => {
    worker = await cachedWorker(onlyOnError, { timeout: 500 })
  })
  afterAll(() => worker.close())

  it('is served as STALE while ClickHouse is unavailable', async () => {
    const websiteId = website()
    const first = await worker.ask(events(websiteId))
    worker.clickhouse.down()
    for (const _ of [1, 2]) {
      const old = await worker.ask(events(websiteId))
      expect([old.status, old.cache, old.text]).toEqual([200, 'STALE', first.text])
      expect(old.headers.get('age')).toMatch(/^\d+$/)
      expect(old.headers.get('server-timing')).toMatch(
        /^cache;desc=STALE;dur=\d+, (d1;dur=\d+, )?clickhouse;dur=\d+, total;dur=\d+$/,
      )
    }
    expect((await worker.ask(events(websiteId, { page: 2 }))).status).toBe(503)
    worker.clickhouse.up()
    await add(websiteId, one(2))
    // Weir sends queries again once a trial request has shown that ClickHouse is back.
    let next = await worker.ask(events(websiteId))
    for (; next.cache === 'STALE'; await pause(50)) next = await worker.ask(events(websiteId))
    expect([next.cache, count(next)]).toEqual(['MISS', 2])
  })

  it('is served if ClickHouse does not respond, long before the query timeout', async () => {
    const websiteId = website()
    await worker.ask(events(websiteId))
    const { release } = worker.clickhouse.hold()
    const old = await Promise.all([worker.ask(events(websiteId)), worker.ask(events(websiteId))])
    expect(old.map(({ status, cache }) => [status, cache])).toEqual(Array(2).fill([200, 'STALE']))
    release()
  })

  it('is no longer served after its stale period, and not stored at all if its lifetime is 0', async () => {
    const clickhouse = await gate()
    const ask = isolate(neverServed, { CLICKHOUSE_URL: urlOf(clickhouse.server) })
    const path = events(website())
    for (const _ of [1, 2]) expect((await ask(path, operator)).cache).toBe('MISS')
    clickhouse.down()
    expect((await ask(path, operator)).status).toBe(503)
    clickhouse.close()
  })
})

describe('the platform’s cache', () => {
  it('stores answers that are too large for an isolate', async () => {
    const worker = await cachedWorker()
    const rows = Array.from({ length: 1000 }, (_, index) =>
      event({ event_id: id(index), url_path: `/${'x'.repeat(1500)}` }),
    )
    const websiteId = await websiteWith(...rows)
    const path = events(websiteId, { pageSize: 1000 })
    const first = await worker.ask(path)
    expect([first.cache, first.text.length > 1_000_000]).toEqual(['MISS', true])
    // The answer is stored after it was sent.
    await expect.poll(async () => (await worker.ask(path)).cache).toBe('HIT')
    worker.look()
    const again = await worker.ask(path)
    expect([again.cache, again.text === first.text, again.headers.get('etag')]).toEqual([
      'HIT',
      true,
      first.headers.get('etag'),
    ])
    expect(worker.look()).toEqual({ d1: 0, clickhouse: 0 })
    await worker.close()
  })
})
