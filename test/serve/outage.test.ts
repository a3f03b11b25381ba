import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { neverFresh, onlyOnError } from '../support/cache-times.ts'
import { failingD1 } from '../support/doubles/failing-d1.ts'
import { isolate } from '../support/isolate.ts'
import { keyOf, websiteOf } from '../support/people.ts'
import { events, publicWebsite, share } from '../support/ways.ts'

const d1 = failingD1()
let now = Date.now()
let written: MockInstance<(text: string) => void>
beforeEach(() => {
  d1.failure = undefined
  d1.isHanging = false
  // This is long after other tests cached their look-ups.
  now += 10 * 3_600_000
  vi.useFakeTimers({ toFake: ['Date'], now })
  written = vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)
const ask = isolate(onlyOnError, { METADATA: d1.database })
const pathOf = (websiteId: string, endAt = 2) =>
  `/api/websites/${websiteId}/events/stats?startAt=1&endAt=${1e11 + endAt}`
const lines = () => written.mock.calls.map(([line]) => JSON.parse(line) as Record<string, unknown>)

const broken = 'internal error; reference = g77fi4c3g7eb3mkkm5ls1avb'
const full = 'D1_ERROR: database or disk is full: SQLITE_FULL'

const unreadable = 'Websites, users and keys cannot be read or changed right now. Try again.'
const noRoom = 'The database for websites, users and keys is full, so nothing can be stored. Tell the operator.'

describe('while D1 fails', () => {
  it.each([
    [broken, unreadable],
    ['D1_ERROR: disk I/O error: SQLITE_IOERR', unreadable],
    [full, noRoom],
  ])('everything that needs D1 is a 503 with Retry-After, including sign-ins: %s', async (message, told) => {
    const websiteId = await websiteOf()
    const headers = await keyOf(undefined)
    d1.failure = message
    const json = { 'content-type': 'application/json' }
    for (const [path, more, method, body] of [
      [pathOf(websiteId), headers],
      ['/api/websites', headers],
      ['/api/auth/login', json, 'POST', { username: 'admin', password: 'none of these' }],
      ['/api/websites', { ...headers, ...json }, 'POST', { name: 'a', domain: 'a.example' }],
    ] as const) {
      const answer = await ask(path, more, method, body && JSON.stringify(body))
      expect([path, answer.status, answer.headers.get('retry-after')]).toEqual([path, 503, '5'])
      expect(JSON.parse(answer.text).error).toMatchObject({ code: 'service-unavailable', message: told })
    }
  })

  it('a D1 that never responds counts as failing, so that no request hangs', async () => {
    const [websiteId, headers] = [await websiteOf(), await keyOf(undefined)]
    expect(await ask(pathOf(websiteId), headers)).toMatchObject({ status: 200, cache: 'MISS' })
    later(30_000)
    d1.isHanging = true
    const json = { ...headers, 'content-type': 'application/json' }
    const [kept, cold, change, signIn] = await Promise.all([
      ask(pathOf(websiteId), headers),
      ask(pathOf(websiteId, 3), headers),
      ask('/api/websites', json, 'POST', '{"name":"a","domain":"a.example"}'),
      ask('/api/auth/login', json, 'POST', '{"username":"admin","password":"none of these"}'),
    ])
    expect(kept).toMatchObject({ status: 200, cache: 'STALE' })
    for (const { status, headers } of [cold, change, signIn])
      expect([status, headers.get('retry-after')]).toEqual([503, '5'])
    d1.isHanging = false
    expect(await ask(pathOf(websiteId, 3), headers)).toMatchObject({ status: 200, cache: 'MISS' })
  })

  it('a log line contains the kind of caller', async () => {
    const shared = await share()
    d1.failure = broken
    for (const headers of [await keyOf(undefined), shared.headers, {}]) await ask(events(shared), headers)
    expect(lines().map(({ caller, status, cause }) => ({ caller, status, cause }))).toEqual(
      ['key', 'share', 'none'].map((caller) => ({ caller, status: 503, cause: broken })),
    )
  })

  it('only cached answers are returned, to callers who were known immediately before', async () => {
    const [websiteId, other] = [await websiteOf(), await publicWebsite({})]
    const [headers, stranger] = [await keyOf(undefined), await keyOf(undefined)]
    const shared = await share()
    const kept = [
      [pathOf(websiteId), headers],
      [pathOf(other), {}],
      [events(shared), shared.headers],
    ] as const
    for (const [path, from] of kept) expect(await ask(path, from)).toMatchObject({ status: 200, cache: 'MISS' })
    // All cached look-ups have expired.
    later(30_000)
    d1.failure = broken
    for (const [path, from] of kept) {
      expect(await ask(path, from)).toMatchObject({ status: 200, cache: 'STALE' })
      // A failed change does not clear cached callers.
      const change = { ...headers, 'content-type': 'application/json' }
      expect(await ask('/api/websites', change, 'POST', '{"name":"a","domain":"a.example"}')).toMatchObject({
        status: 503,
      })
    }
    expect(lines()).toContainEqual(expect.objectContaining({ endpoint: 'getWebsiteEventStats', failing: 'D1' }))
    for (const [path, from] of [
      [pathOf(websiteId, 3), headers],
      [`${pathOf(websiteId)}&dryRun=true`, headers],
      [pathOf(websiteId), stranger],
      [`/api/websites/${websiteId}/events?startAt=100000000000&endAt=100000000001`, { ...headers, accept: 'text/csv' }],
      [`/api/websites/${websiteId}`, headers],
      ['/api/me', headers],
    ] as const) {
      expect([path, (await ask(path, from)).status]).toEqual([path, 503])
    }
    d1.failure = undefined
    expect(await ask(pathOf(websiteId), headers)).toMatchObject({ status: 200, cache: 'MISS' })
  })

  it('a fresh answer is a HIT, and an answer that is due for a refresh stays STALE', async () => {
    const fresh = isolate({ ...neverFresh, open: 600, closed: 600 }, { METADATA: d1.database })
    const due = isolate(neverFresh, { METADATA: d1.database })
    const [websiteId, headers] = [await websiteOf(), await keyOf(undefined)]
    await fresh(pathOf(websiteId, 7), headers)
    await due(pathOf(websiteId, 8), headers)
    later(30_000)
    d1.failure = broken
    expect(await fresh(pathOf(websiteId, 7), headers)).toMatchObject({ status: 200, cache: 'HIT' })
    expect(await due(pathOf(websiteId, 8), headers)).toMatchObject({ status: 200, cache: 'STALE' })
  })

  it('callers are not known if the look-up was old, if the key has expired, or after an hour', async () => {
    const websiteId = await websiteOf()
    const [idle, expiring, busy] = [
      await keyOf(undefined),
      await keyOf(undefined, { expiresAt: Date.now() + 100_000 }),
      await keyOf(undefined),
    ]
    await ask(pathOf(websiteId), idle)
    later(60_000 + 10_000 + 1)
    for (const headers of [expiring, busy]) expect(await ask(pathOf(websiteId), headers)).toMatchObject({ status: 200 })
    d1.failure = broken
    const statuses = async () => {
      const found: number[] = []
      for (const headers of [idle, expiring, busy]) found.push((await ask(pathOf(websiteId), headers)).status)
      return found
    }
    later(11_000)
    expect(await statuses()).toEqual([503, 200, 200])
    later(60_000)
    expect(await statuses()).toEqual([503, 503, 200])
    later(3_600_000)
    expect(await statuses()).toEqual([503, 503, 503])
  })
})
