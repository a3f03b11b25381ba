import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newKey } from '../../src/access/api-key.ts'
import { bundled, usualCache } from '../../src/local/start/workerd.ts'
import { batch, statuses } from '../support/batch.ts'
import { type Beside, startBeside } from '../support/beside.ts'
import { type Headers, newShare } from '../support/callers.ts'
import { withinAMinute } from '../support/minute.ts'
import { bearer, keyOf, newPerson, websiteOf } from '../support/people.ts'
import { eventReports } from '../support/reports.ts'
import { pathTo } from '../support/requests.ts'
import { type Observed, observed } from '../support/round-trips.ts'
import { rowlessServer } from '../support/rowless.ts'
import { day } from '../support/website.ts'
import { pathOf, running } from '../support/weir.ts'

/** This many different paths for the website. */
const paths = (websiteId: string, count: number, query: Readonly<Record<string, string>> = {}): string[] =>
  [...Array(count).keys()].map((index) =>
    pathOf(`/api/websites/${websiteId}/event-data/stats`, { ...day, startAt: String(day.startAt + index), ...query }),
  )

describe('a batch’s round trips to D1', () => {
  let worker: Observed
  beforeAll(async () => {
    worker = await observed(bundled(running.dataDir, 0, rowlessServer))
  })
  afterAll(() => worker.close())

  const seen = (): string[][] => worker.look().map((statements) => statements.map((one) => one.replace(/\s.*/s, '')))

  /** Requests the paths. Returns each round trip's statements. */
  async function asked(all: readonly string[], headers: Headers, status = 200): Promise<string[][]> {
    worker.look()
    const answered = await batch(all, headers, { url: worker.url })
    expect([...new Set(statuses(answered))]).toEqual([status])
    return seen()
  }

  /** Sends a request with a new key. The key's use is stored after the answer. */
  async function askedFirst(all: readonly string[], key: Headers, status = 200): Promise<string[][]> {
    const trips = await asked(all, key, status)
    await expect.poll(() => trips.push(...seen()) && trips).toContainEqual(['UPDATE'])
    return trips.sort()
  }

  /** The look-up for one website, which covers the credential and the website together. */
  const both = ['SELECT', 'SELECT']

  it('are one if cold and none if warm, for any paths of a single website', async () => {
    const [websiteId, key] = [await websiteOf(), (await newPerson({ role: 'admin' })).headers]
    const reports = eventReports.map((report) => pathTo(report, { websiteId }))
    const all = [...reports, ...paths(websiteId, 10)].slice(0, 20)
    expect(all).toHaveLength(20)
    expect([await asked(all, key), await asked(all, key)]).toEqual([[both], []])
  })

  it('are one per website, and store the key’s use only once', async () => {
    const [one, two, key] = [await websiteOf(), await websiteOf(), await keyOf(undefined)]
    const all = [...paths(one, 5), ...paths(one, 5)]
    expect(await askedFirst(all, key)).toEqual([both, ['UPDATE']])
    expect(await asked([...paths(two, 5), ...all, ...paths(two, 5)], key)).toEqual([['SELECT']])
    const [person, three, four] = [await newPerson({ role: 'admin' }), await websiteOf(), await websiteOf()]
    const mixed = paths(three, 10).flatMap((path, index) => [path, paths(four, 10)[index]!])
    expect(await asked(mixed, person.headers)).toEqual([both, both])
  })

  it('are one even if every path is refused', async () => {
    const [websiteId, key] = [await websiteOf(), await keyOf(undefined)]
    expect(await asked(paths(websiteId, 20), bearer(newKey()), 401)).toEqual([both])
    expect(await asked(paths(await websiteOf(), 20), {}, 401)).toEqual([['SELECT']])
    expect(await askedFirst(paths(randomUUID(), 20), key, 403)).toEqual([both, ['UPDATE']])
  })

  it('are none if every path is refused earlier', async () => {
    expect(await asked(['/api/x', '/api/y'], {}, 404)).toEqual([])
  })

  it('are one if there is a credential and every path is refused, as a credential may lift limits', async () => {
    expect(await asked(['/api/x', '/api/y'], await keyOf(undefined), 404)).toEqual([['SELECT']])
  })
})

describe('a batch’s limits', () => {
  const quotas = {
    LIMIT_KEY: { limit: 3, period: 60 },
    LIMIT_SHARE: { limit: 4, period: 60 },
    LIMIT_ADDRESS: { limit: 5, period: 60 },
    LIMIT_SIGN_IN: { limit: 2, period: 60 },
    LIMIT_USERNAME: { limit: 6, period: 60 },
  }
  const newAddress = () => ({ 'cf-connecting-ip': `10.${[...crypto.getRandomValues(new Uint8Array(3))].join('.')}` })
  let strict: Beside
  let url: string
  beforeAll(async () => {
    strict = await startBeside(bundled(running.dataDir, 0, rowlessServer, quotas, usualCache))
    url = strict.url
  })
  afterAll(() => strict.close())

  const tally = async (all: readonly string[], headers: Headers): Promise<Record<number, number>> => {
    const answered = await batch(all, headers, { url })
    expect(answered.headers.get('ratelimit-policy')).toBe(null)
    const found = statuses(answered)
    for (const { status, headers: own, body } of answered.answers) {
      if (status !== 429) continue
      expect(own).toMatchObject({ 'retry-after': '60', 'ratelimit-policy': expect.stringMatching(/;w=60$/) })
      expect(body.error.code).toBe('too-many-requests')
    }
    return Object.fromEntries([...new Set(found)].map((one) => [one, found.filter((other) => other === one).length]))
  }

  it('are those of its paths, each of which counts like a single request; the batch itself does not', () =>
    withinAMinute(async () => {
      const [websiteId, key] = [await websiteOf(), await keyOf(undefined)]
      expect(await tally(['/api/x'], key)).toEqual({ 404: 1 })
      expect(await tally(paths(websiteId, 2), key)).toEqual({ 200: 2 })
      expect(await tally(paths(websiteId, 12).slice(2), key)).toEqual({ 200: 1, 429: 9 })
      const after = await fetch(url + paths(websiteId, 20).at(-1)!, { headers: key })
      expect(after.status).toBe(429)
      expect(await tally(paths(await websiteOf(), 4), await keyOf(undefined))).toEqual({ 200: 3, 429: 1 })
    }))

  it('include earlier single requests, but not refused ones', () =>
    withinAMinute(async () => {
      const [websiteId, key] = [await websiteOf(), await keyOf(undefined)]
      expect((await fetch(url + paths(websiteId, 1)[0], { headers: key })).status).toBe(200)
      const refused = [...paths(websiteId, 5, { page: '0' }), ...paths(randomUUID(), 5), '/api/x']
      expect(await tally([...refused, ...paths(websiteId, 4).slice(1)], key)).toEqual({
        400: 5,
        403: 5,
        404: 1,
        200: 2,
        429: 1,
      })
    }))

  it('do not count answers from the cache', () =>
    withinAMinute(async () => {
      const [websiteId, key] = [await websiteOf(), await keyOf(undefined)]
      expect(await tally(paths(websiteId, 3), key)).toEqual({ 200: 3 })
      expect(await tally([...paths(websiteId, 3), ...paths(websiteId, 5)], key)).toEqual({ 200: 6, 429: 2 })
    }))

  it('apply per address to the batch’s sender', () =>
    withinAMinute(async () => {
      const websiteId = await websiteOf({}, { public: JSON.stringify({ events: true }) })
      const one = newAddress()
      expect(await tally(paths(websiteId, 7), one)).toEqual({ 200: 5, 429: 2 })
      expect(await tally(paths(websiteId, 9).slice(7), one)).toEqual({ 429: 2 })
      expect(await tally(paths(websiteId, 11).slice(9), newAddress())).toEqual({ 200: 2 })
    }))

  it('count each wrong slug, in links and as credentials; once exceeded, a correct slug does not help', () =>
    withinAMinute(async () => {
      const websiteId = await websiteOf()
      const { slug } = await newShare(websiteId, { events: true })
      const guesses = (path: string) => Array.from({ length: 20 }, () => path + randomUUID())
      const named = (share: string) => paths(websiteId, 1, { share })[0]!
      const [one, other] = [newAddress(), newAddress()]
      expect(await tally(guesses('/api/share/'), one)).toEqual({ 404: 5, 429: 15 })
      // A reader uses the share. Answers cached for this reader are served to nobody else.
      const read = async (headers: Headers) => {
        const answer = await fetch(url + named(slug), { headers })
        return [answer.status, answer.headers.get('x-cache')]
      }
      const reader = newAddress()
      expect([await read(reader), await read(reader), await read(reader)]).toEqual([
        [200, 'MISS'],
        [200, 'HIT'],
        [200, 'HIT'],
      ])
      expect(await tally(guesses(named('')), other)).toEqual({ 401: 5, 429: 15 })
      expect(await tally([named(slug), `/api/share/${slug}`, named(randomUUID())], other)).toEqual({ 429: 3 })
      expect(await read(other)).toEqual([429, null])
      expect(await read(reader)).toEqual([200, 'HIT'])
    }))
})
