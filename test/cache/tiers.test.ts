import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type CacheQuestion, type CacheServices, findAnswer, makeAnswer } from '../../src/cache/answers.ts'
import { flights } from '../../src/cache/flights.ts'
import { isolateTier } from '../../src/cache/isolate.ts'
import { fetchStored, type PlatformCache, storeThere } from '../../src/cache/platform.ts'
import { matchesEtag, type StoredAnswer, storedAnswer } from '../../src/cache/stored.ts'

const kept = (bytes: number): StoredAnswer => ({
  body: new Uint8Array(bytes),
  headers: {},
  etag: `"${bytes}"`,
  madeAt: 0,
})

describe('the isolate’s cache', () => {
  it('stores answers up to a total size, and evicts the least recently used ones', () => {
    const tier = isolateTier(3 * 1600, 10_000)
    for (const key of ['a', 'b', 'c']) tier.set(key, kept(1000))
    expect(tier.get('a')?.etag).toBe('"1000"')
    tier.set('d', kept(1000))
    expect(['a', 'b', 'c', 'd'].map((key) => tier.get(key) !== undefined)).toEqual([true, false, true, true])
  })

  it('counts the size of a replaced answer once, including its key and a fixed overhead', () => {
    const tier = isolateTier(3 * 1600, 10_000)
    for (let round = 0; round < 100; round++) for (const key of ['a', 'b', 'c']) tier.set(key, kept(1000))
    expect(['a', 'b', 'c'].every((key) => tier.get(key))).toBe(true)
    tier.set('k'.repeat(2000), kept(0))
    expect(['a', 'b', 'c'].filter((key) => tier.get(key))).toEqual([])
    expect(tier.get('k'.repeat(2000))).toBeDefined()
  })

  it('does not store an oversized answer, and drops the answer that it would replace', () => {
    const tier = isolateTier(100_000, 10_000)
    tier.set('a', kept(1000))
    tier.set('a', kept(9999))
    expect(tier.get('a')).toBeUndefined()
  })
})

describe('the platform’s cache', () => {
  it('returns stored answers only to the same version of Weir', async () => {
    const stored = new Map<string, Response>()
    const platform: PlatformCache = {
      match: async (url) => stored.get(url)?.clone(),
      put: async (url, response) => void stored.set(url, response),
    }
    const one = await storedAnswer({ text: 'Ünïcödé 😀' }, { next: 'abc', total: 3 }, 17)
    await storeThere(platform, 'v1', 'key', one, 99)
    expect(await fetchStored(platform, 'v1', 'key')).toEqual(one)
    expect(await fetchStored(platform, 'v2', 'key')).toBeUndefined()
    expect(await fetchStored(platform, 'v1', 'other')).toBeUndefined()
    const [[url, response]] = [...stored] as [[string, Response]]
    expect(url).toMatch(/^https:\/\/cache\.invalid\/[0-9a-f]{64}$/)
    expect(response.headers.get('cache-control')).toBe('max-age=99')
  })
})

describe('both tiers', () => {
  const stored = new Map<string, Response>()
  const looked: string[] = []
  beforeAll(() => {
    const platform: PlatformCache = {
      match: async (url) => {
        looked.push(url)
        return stored.get(url)?.clone()
      },
      put: async (url, response) => void stored.set(url, response),
    }
    vi.stubGlobal('caches', { default: platform })
  })
  afterAll(() => void vi.unstubAllGlobals())

  const failures: unknown[] = []
  const behind: Promise<unknown>[] = []
  const around: CacheServices = {
    times: { open: 5, shared: 60, closed: 3600, settled: 300, stale: 60, onError: 60 },
    version: 'v1',
    waitUntil: (work) => void behind.push(work),
    failed: (error) => void failures.push(error),
  }
  const asked = (key: string, recurs: boolean): CacheQuestion => ({
    ...{ key, flight: key, recurs },
    ...{ endsAt: Infinity, isOpening: false, now: 0 },
  })

  it('store answers that are likely to be requested again', async () => {
    await makeAnswer(asked('a', true), 1000, around, async () => kept(10))
    await Promise.all(behind)
    expect(stored.size).toBe(1)
    expect((await findAnswer(asked('a', true), around))?.stored.etag).toBe('"10"')
    expect(looked).toEqual([])
    // Behaves like another isolate, because the answer is too large for this isolate's memory.
    await makeAnswer(asked('b', true), 1000, around, async () => kept(2_000_000))
    await Promise.all(behind)
    expect((await findAnswer(asked('b', true), around))?.stored.body.byteLength).toBe(2_000_000)
    expect(looked.length).toBe(1)
  })

  it('bypass the platform’s cache for ranges that change with every millisecond', async () => {
    const before = [stored.size, looked.length]
    await makeAnswer(asked('c', false), 1000, around, async () => kept(10))
    await Promise.all(behind)
    expect(await findAnswer(asked('d', false), around)).toBeUndefined()
    expect((await findAnswer(asked('c', false), around))?.stored.etag).toBe('"10"')
    expect([stored.size, looked.length]).toEqual(before)
  })

  it('compute an answer only once, even if an equal request finishes during another one’s look-up', async () => {
    let made = 0
    const make = () => makeAnswer(asked('f', true), 1000, around, async () => kept(++made))
    expect(await findAnswer(asked('f', true), around)).toBeUndefined()
    await make()
    await make()
    expect(made).toBe(1)
    await Promise.all(behind)
  })

  it('still work if the platform’s cache fails, and report the failure', async () => {
    vi.stubGlobal('caches', { default: { match: () => Promise.reject('match'), put: () => Promise.reject('put') } })
    expect(await findAnswer(asked('e', true), around)).toBeUndefined()
    expect((await makeAnswer(asked('e', true), 1000, around, async () => kept(10))).etag).toBe('"10"')
    await Promise.all(behind)
    expect(failures).toEqual(['match', 'put'])
  })
})

describe('an ETag', () => {
  it('depends on body and headers', async () => {
    const etags = await Promise.all(
      [
        storedAnswer([1], {}, 1),
        storedAnswer([1], {}, 2),
        storedAnswer([2], {}, 1),
        storedAnswer([1], { total: 1 }, 1),
        storedAnswer([1], { next: '1' }, 1),
        storedAnswer([1], { next: undefined }, 1),
      ].map(async (one) => (await one).etag),
    )
    expect([etags[0], etags[0]]).toEqual([etags[1], etags[5]])
    expect(new Set(etags).size).toBe(4)
  })

  it('matches a list that contains it, its weak form, and *', () => {
    for (const named of ['"a"', 'W/"a"', '"b", "a"', '"b,c",W/"a"', '*', ' * '])
      expect(matchesEtag('"a"', named)).toBe(true)
    for (const named of [undefined, null, '', 'a', '"b"', '"*"', '"ab"']) expect(matchesEtag('"a"', named)).toBe(false)
  })
})

describe('work in progress', () => {
  afterEach(() => void vi.useRealTimers())

  const late = () => new Promise<never>(() => {})

  const joining = () => {
    const { join } = flights<number>(() => new Error('late'))
    return (key: string, now: number, within: number, work: () => Promise<number>) =>
      join(key, now, within, work, () => {})
  }

  it('can be joined under its key until it succeeds or fails', async () => {
    const join = joining()
    let made = 0
    const work = async () => ++made
    expect(await Promise.all([join('a', 0, 10, work), join('a', 1, 10, work), join('b', 1, 10, work)])).toEqual([
      1, 1, 2,
    ])
    expect(await join('a', 2, 10, work)).toBe(3)
    const failed = join('a', 3, 10, () => Promise.reject(new Error('no')))
    await expect(failed).rejects.toThrow('no')
    expect(await join('a', 4, 10, work)).toBe(4)
  })

  it('is kept alive with waitUntil from the first request for it until it ends', async () => {
    const { join } = flights<number>(() => new Error('late'))
    const kept: Promise<unknown>[] = []
    const made = await join(
      'a',
      0,
      10,
      async (stay) => {
        expect(kept).toEqual([])
        stay()
        stay()
        return kept.length
      },
      (work) => void kept.push(work),
    )
    expect(made).toBe(1)
    await kept[0]
  })

  it('is restarted by one of the waiting requests if the platform has dropped it', async () => {
    vi.useFakeTimers()
    const join = joining()
    void join('a', 0, 30_000, late)
    // The platform drops all timers of the request that started the work.
    vi.clearAllTimers()
    let made = 0
    const again = async () => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      return ++made
    }
    const outcomes: number[] = []
    for (let waiting = 0; waiting < 3; waiting++) {
      void join('a', 1, 30_000, again).then((outcome) => outcomes.push(outcome))
    }
    await vi.advanceTimersByTimeAsync(2900)
    expect([made, outcomes]).toEqual([0, []])
    await vi.advanceTimersByTimeAsync(1000)
    expect([made, outcomes]).toEqual([1, [1, 1, 1]])
  })

  it('can be joined as long as the request that started it is alive', async () => {
    vi.useFakeTimers()
    const join = joining()
    const work = () => new Promise<number>((resolve) => setTimeout(() => resolve(7), 20_000))
    const outcomes: number[] = []
    for (const now of [0, 1]) void join('a', now, 30_000, work).then((outcome) => outcomes.push(outcome))
    await vi.advanceTimersByTimeAsync(20_100)
    expect(outcomes).toEqual([7, 7])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('delivers its result or error to each joined request by that request’s own timer', async () => {
    vi.useFakeTimers()
    const join = joining()
    for (const fails of [false, true]) {
      let settle = () => {}
      const work = () =>
        new Promise<number>((resolve, reject) => {
          settle = () => (fails ? reject(new Error('no')) : resolve(7))
        })
      const outcomes: unknown[] = []
      const noted = (promise: Promise<number>) => void promise.catch(String).then((outcome) => outcomes.push(outcome))
      noted(join('a', 0, 1000, work))
      noted(join('a', 1, 1000, work))
      settle()
      await vi.advanceTimersByTimeAsync(0)
      const outcome = fails ? 'Error: no' : 7
      expect(outcomes).toEqual([outcome])
      await vi.advanceTimersByTimeAsync(5)
      expect(outcomes).toEqual([outcome, outcome])
    }
  })

  it('is known to have ended, even if the platform has dropped thousands of joined requests', async () => {
    vi.useFakeTimers()
    const join = joining()
    let done = (_: number) => {}
    const work = () =>
      new Promise<number>((resolve) => {
        done = resolve
      })
    for (let number = 0; number < 5000; number++) void join('a', 0, 2000, work)
    vi.clearAllTimers()
    let seen: number | undefined
    void join('a', 0, 2000, work).then((value) => {
      seen = value
    })
    done(7)
    await vi.advanceTimersByTimeAsync(200)
    expect(seen).toBe(7)
  })

  it('can be joined only for a limited time if it never ends', async () => {
    const join = joining()
    void join('a', 0, 10, late)
    await expect(join('a', 9, 10, async () => 1)).rejects.toThrow('late')
    expect(await join('a', 10, 10, async () => 2)).toBe(2)
  })
})
