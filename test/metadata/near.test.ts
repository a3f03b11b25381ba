import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetAll } from '../../src/metadata/look-ups.ts'
import { metadata } from '../../src/metadata/metadata.ts'
import { newHeartbeat } from '../../src/metadata/near.ts'
import { type LaggingD1, laggingD1 } from '../support/doubles/lagging-d1.ts'
import { isolate } from '../support/isolate.ts'
import { keyOf, newPerson, websiteOf } from '../support/people.ts'
import { revocations, runElsewhere } from '../support/revocations.ts'
import { events, publicWebsite, share } from '../support/ways.ts'
import { newWebsite, running } from '../support/weir.ts'

type Headers = Readonly<Record<string, string>>

let d1: LaggingD1
let ask: ReturnType<typeof isolate>

/** A different time for each test, so that cached look-ups of earlier tests have expired. */
let now = Date.now()
beforeEach(() => {
  now += 3_600_000
  vi.useFakeTimers({ toFake: ['Date'], now })
  d1 = laggingD1()
  ask = isolate(undefined, { METADATA: d1.database })
})
afterAll(() => void vi.useRealTimers())

const beat = () => runElsewhere(...newHeartbeat(now))

/** Sends a request to an isolate with empty caches. Returns the status, and where each look-up went. */
async function askAnew(path: string, headers: Headers): Promise<[number, ...LaggingD1['trips']]> {
  forgetAll()
  d1.trips.length = 0
  const { status } = await ask(path, headers)
  return [status, ...d1.trips]
}

describe('a copy of D1, however far it lags behind', () => {
  it.each(revocations)('gives access for at most ten seconds after %s', async (_, revocation) => {
    const { websiteId, headers, query, end, status } = await revocation()
    const path = events({ websiteId, query })
    await beat()
    expect(await askAnew(path, headers)).toEqual([200, 'copy'])
    await end()
    vi.setSystemTime(now + 9999)
    expect((await askAnew(path, headers)).slice(0, 2)).toEqual([200, 'copy'])
    vi.setSystemTime(now + 10_000)
    expect((await ask(path, headers)).status).toBe(status)
    expect(await askAnew(path, headers)).toEqual([status, 'copy', 'primary'])
  })

  it('does not hide new websites or shares', async () => {
    const [id, slug, headers] = [randomUUID(), randomUUID(), await keyOf(undefined)]
    await beat()
    const shared = await share()
    const bySlug = (name: string) => events({ websiteId: shared.websiteId, query: { share: name } })
    expect(await askAnew(events({ websiteId: id }), headers)).toEqual([403, 'copy', 'primary'])
    expect(await askAnew(bySlug(slug), {})).toEqual([401, 'copy', 'primary'])
    await newWebsite(id)
    await runElsewhere('UPDATE shares SET slug = ?2 WHERE id = ?1', shared.id, slug)
    expect(await askAnew(events({ websiteId: id }), headers)).toEqual([200, 'copy', 'primary'])
    expect(await askAnew(bySlug(slug), {})).toEqual([200, 'copy', 'primary'])
  })

  it('and the isolate’s memory do not answer requests for metadata, which read the primary', async () => {
    const [id, headers] = [await websiteOf(), await keyOf(undefined)]
    await beat()
    expect(await askAnew(events({ websiteId: id }), headers)).toEqual([200, 'copy'])
    await runElsewhere(`UPDATE websites SET name = 'renamed' WHERE id = ?1`, id)
    expect(JSON.parse((await ask(`/api/websites/${id}`, headers)).text)).toMatchObject({ name: 'renamed' })
  })

  it('returns a link’s old target for at most ten seconds', async () => {
    const slug = randomUUID()
    await websiteOf({}, { kind: 'link', slug, url: 'https://a.example/' })
    const target = async (moment: number) => (await metadata(d1.database, moment).links.lookUp('link', slug))?.url
    await beat()
    expect(await target(now)).toBe('https://a.example/')
    await runElsewhere(`UPDATE websites SET url = 'https://b.example/' WHERE slug = ?1`, slug)
    forgetAll()
    expect([await target(now + 9999), await target(now + 10_000)]).toEqual(['https://a.example/', 'https://b.example/'])
  })
})

describe('a change takes effect immediately in the isolate that made it, whatever a copy contains:', () => {
  interface Change {
    readonly websiteId: string
    readonly headers: Headers
    /** The request that makes the change. */
    readonly change: readonly [method: string, path: string, body?: object]
    readonly by: Headers
    readonly status: number
  }

  it.each<[string, (operator: Headers) => Promise<Change>]>([
    [
      'the deletion of a share',
      async (by) => {
        const made = await share()
        return { ...made, by, change: ['DELETE', `/api/share/id/${made.id}`], status: 401 }
      },
    ],
    [
      'a share that opens fewer sections',
      async (by) => {
        const made = await share()
        return {
          ...made,
          by,
          change: ['POST', `/api/share/id/${made.id}`, { name: 'x', slug: made.slug, parameters: { events: false } }],
          status: 403,
        }
      },
    ],
    [
      'a website that is no longer public',
      async (by) => {
        const websiteId = await publicWebsite({})
        const change = ['POST', `/api/websites/${websiteId}`, { public: null }] as const
        return { websiteId, headers: {}, by, change, status: 401 }
      },
    ],
    [
      'a deleted website',
      async (by) => {
        const websiteId = await websiteOf()
        return { websiteId, headers: by, by, change: ['DELETE', `/api/websites/${websiteId}`], status: 403 }
      },
    ],
    [
      'a sign-out',
      async () => {
        const { id, headers } = await newPerson()
        const websiteId = await websiteOf({ userId: id })
        return { websiteId, headers, by: headers, change: ['POST', '/api/auth/logout'], status: 401 }
      },
    ],
    [
      'a lower role',
      async (by) => {
        const { id, headers } = await newPerson({ role: 'admin' })
        const change = ['POST', `/api/users/${id}`, { role: 'user' }] as const
        return { websiteId: await websiteOf(), headers, by, change, status: 403 }
      },
    ],
  ])('%s', async (_, made) => {
    const { websiteId, headers, change, by, status } = await made(await keyOf(undefined))
    const [method, path, body] = change
    await beat()
    expect(await askAnew(events({ websiteId }), headers)).toEqual([200, 'copy'])
    const json = { ...by, 'content-type': 'application/json' }
    expect((await ask(path, json, method, body && JSON.stringify(body))).status).toBe(200)
    const [after, first] = await askAnew(events({ websiteId }), headers)
    expect([after, first]).toEqual([status, 'copy'])
  })
})

describe('the heartbeat', () => {
  it('is written by a reader that finds an old one, so that the next reader does not need the primary', async () => {
    const [path, headers] = [events({ websiteId: await websiteOf() }), await keyOf(undefined)]
    expect(await askAnew(path, headers)).toEqual([200, 'copy', 'primary'])
    // The copy still has the old heartbeat.
    expect(await askAnew(path, headers)).toEqual([200, 'copy', 'primary'])
    d1.catchUp()
    expect(await askAnew(path, headers)).toEqual([200, 'copy'])
    vi.setSystemTime(now + 3001)
    expect(await askAnew(path, headers)).toEqual([200, 'copy'])
    vi.setSystemTime(now + 10_000)
    d1.catchUp()
    expect(await askAnew(path, headers)).toEqual([200, 'copy'])
  })

  it('is not needed if the copy fails, for example because it lacks a new table', async () => {
    const [path, headers] = [events({ websiteId: await websiteOf() }), await keyOf(undefined)]
    d1.failure = 'D1_ERROR: no such table: copy_heartbeat'
    expect(await askAnew(path, headers)).toEqual([200, 'copy', 'primary'])
  })
})

describe('the round trips in docs/replicas.md', () => {
  it.each<[string, () => Promise<{ websiteId: string; headers?: Headers; query?: Record<string, string> }>]>([
    ['a key', async () => ({ websiteId: await websiteOf(), headers: await keyOf(undefined) })],
    [
      'a sign-in',
      async () => {
        const { id, headers } = await newPerson()
        return { websiteId: await websiteOf({ userId: id }), headers }
      },
    ],
    [
      'a share',
      async () => {
        const { websiteId, slug } = await share()
        return { websiteId, query: { share: slug } }
      },
    ],
  ])('are correct for a question with %s', async (_, caller) => {
    const { websiteId, headers = {}, query } = await caller()
    const path = events({ websiteId, query })
    const asked = vi.spyOn(globalThis, 'fetch')
    const { host } = new URL(running.clickhouse)
    const trips = async (isNew: boolean) => {
      asked.mockClear()
      if (isNew) forgetAll()
      d1.trips.length = 0
      expect((await ask(path, headers)).status).toBe(200)
      const toClickHouse = asked.mock.calls.map(([to]) => new URL(String(to))).filter((to) => to.host === host)
      const isWatermark = (to: URL) => to.searchParams.get('query_id')?.startsWith('weir-watermark-')
      return [...d1.trips, ...toClickHouse.map((to) => (isWatermark(to) ? 'watermark' : 'statement'))]
    }
    // The first question finds an old heartbeat, and its answer stays in the cache.
    const first = await trips(true)
    d1.catchUp()
    const again = [await trips(true), await trips(false)]
    asked.mockRestore()
    expect([first, ...again]).toEqual([['copy', 'primary', 'watermark', 'statement'], ['copy'], []])
    forgetAll()
    const withoutCopies = isolate()
    expect([(await withoutCopies(path, headers)).d1, (await withoutCopies(path, headers)).d1]).toEqual([1, 0])
  })

  it('are correct for the list of websites', async () => {
    const { headers } = await newPerson()
    expect(await askAnew('/api/websites', headers)).toEqual([200, 'primary', 'primary'])
  })
})
