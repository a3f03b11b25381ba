import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ask } from '../../src/clickhouse/ask.ts'
import { type Replica, type ReplicaRoute, replicas } from '../../src/clickhouse/replicas.ts'
import type { Target } from '../../src/clickhouse/server.ts'

/** A replica's reaction to a statement: a response after this many milliseconds, a failure, or no response. */
type Behaviour = number | Error | 'nothing'

/** The replicas' reactions by name, and the replicas that were queried, aborted, pinged and probed. */
let does: Record<string, Behaviour> = {}
let pings: Record<string, Behaviour | (() => Behaviour)> = {}
let pinged: string[] = []
let asked: string[] = []
let aborted: string[] = []
let probed: string[] = []
let opened: string[] = []
let answered: [replica: string, tries: number][] = []

/** Reacts as a replica does, until the signal aborts. */
const behave = (behaviour: Behaviour, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('Aborted.')))
    if (behaviour instanceof Error) reject(behaviour)
    else if (behaviour !== 'nothing') setTimeout(resolve, behaviour)
  })

// This is loaded in advance, because loading it during a statement would not advance the fake clock.
beforeAll(() => import('@clickhouse/client-web'))

beforeEach(() => {
  vi.useFakeTimers({ now: 1_760_000_000_000 })
  does = {}
  pings = {}
  ;[asked, aborted, probed, opened, pinged] = [[], [], [], [], []]
  answered = []
  // Handles trial requests and pings.
  vi.stubGlobal('fetch', async (input: string | URL, { signal }: { signal: AbortSignal }) => {
    const { hostname: name, pathname } = new URL(input)
    if (pathname === '/ping') {
      pinged.push(name)
      const does = pings[name] ?? 1
      await behave(typeof does === 'function' ? does() : does, signal)
    } else {
      probed.push(name)
      await behave(does[name] ?? 10, signal)
    }
    return new Response('{"data":[],"rows":0}')
  })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const named = (name: string) => ({
  name,
  place: {},
  server: { url: `http://${name}`, username: 'default', password: '', database: 'weir' },
})

function routeOver(...names: string[]): ReplicaRoute {
  const { all, pace } = replicas(names.map(named))
  return {
    replicas: all,
    pace,
    from: {},
    connections: { waiting: 0 },
    limits: { timeout: 30 },
    // The request arrives at the time when the query is sent.
    since: Number.POSITIVE_INFINITY,
    until: Number.POSITIVE_INFINITY,
    takeTurn: async () => () => {},
    time: Date.now,
    keep: (work) => void work.catch(() => {}),
    nameTry: () => ({}),
    ran() {},
    answered: (replica, tries) => void answered.push([replica, tries]),
    opened: (replica) => void opened.push(replica),
  }
}

const attempt = async ({ connection: { url } }: Target, signal: AbortSignal): Promise<string> => {
  const name = new URL(url).hostname
  asked.push(name)
  signal.addEventListener('abort', () => void aborted.push(name))
  await behave(does[name] ?? 10, signal)
  return name
}

type Outcome = { readonly from?: string; readonly failed?: string; readonly cause?: string }

/** Queries, and advances the clock until a response arrives. `took` is in milliseconds. */
async function outcomeOf(route: ReplicaRoute): Promise<Outcome & { took: number }> {
  const began = Date.now()
  const { signal } = new AbortController()
  let outcome: Outcome | undefined
  void ask(route, attempt, signal).then(
    (from) => {
      outcome = { from }
    },
    ({ message, cause }: Error) => {
      outcome = { failed: message, ...(cause instanceof Error && { cause: cause.message }) }
    },
  )
  while (!outcome) await vi.advanceTimersToNextTimerAsync()
  return { ...outcome, took: Date.now() - began }
}

const times = async (count: number, work: () => Promise<unknown>): Promise<void> => {
  for (let time = 0; time < count; time++) await work()
}

/** Counts three failed requests, so that the replica's breaker opens. */
const open = ({ breaker }: Replica): void => {
  for (let failure = 0; failure < 3; failure++) breaker.failed(Date.now())
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

const refused = new Error('Connection refused.')
const overloaded = new Error('Code: 202. DB::Exception: Too many simultaneous queries. (TOO_MANY_SIMULTANEOUS_QUERIES)')
const badPattern = new Error('Code: 427. DB::Exception: OptimizedRegularExpression: cannot compile re2')

describe('a replica that responds', () => {
  it('is the only one queried', async () => {
    expect(await outcomeOf(routeOver('a', 'b'))).toEqual({ from: 'a', took: 10 })
    expect([asked, answered]).toEqual([['a'], [['a', 1]]])
  })

  it.each([
    badPattern,
    new Error('Code: 62. DB::Exception: Syntax error'),
    new Error('Code: 158. DB::Exception: rows'),
  ])('is the only one queried, and counts as responding, even if the statement itself is wrong: %s', async (error) => {
    does = { a: error }
    const route = routeOver('a', 'b')
    await times(5, async () => expect(await outcomeOf(route)).toEqual({ failed: error.message, took: 0 }))
    expect([asked, opened]).toEqual([Array(5).fill('a'), []])
  })
})

describe('a replica that fails', () => {
  it.each([
    refused,
    overloaded,
    new Error('Code: 203. DB::Exception: No free connection (NO_FREE_CONNECTION)'),
    new Error('Code: 241. DB::Exception: (total) memory limit exceeded'),
    new Error('Code: 60. DB::Exception: Table weir.events does not exist'),
    new SyntaxError('Unexpected token < in JSON at position 0'),
  ])('is followed immediately by the next replica: %s', async (error) => {
    does = { a: error }
    expect(await outcomeOf(routeOver('a', 'b', 'c'))).toEqual({ from: 'b', took: 10 })
    expect([asked, answered]).toEqual([['a', 'b'], [['b', 2]]])
  })

  it('is queried last for some time', async () => {
    does = { a: refused }
    const route = routeOver('a', 'b')
    await outcomeOf(route)
    does = {}
    await outcomeOf(route)
    await pass(60_000)
    await outcomeOf(route)
    expect(asked).toEqual(['a', 'b', 'b', 'a'])
  })

  it('is skipped after three failures, and returns after one successful trial request', async () => {
    does = { a: refused, b: refused }
    const route = routeOver('a')
    await times(3, async () => expect(await outcomeOf(route)).toEqual({ failed: refused.message, took: 0 }))
    // The first trial request is sent immediately and fails. The next one waits.
    expect([asked.length, opened, probed]).toEqual([3, ['a'], ['a']])
    await times(5, async () =>
      expect(await outcomeOf(route)).toEqual({ failed: `No replica can answer. a: ${refused}`, took: 0 }),
    )
    expect([asked.length, probed.length]).toEqual([3, 1])
    does = {}
    await pass(400)
    expect(await outcomeOf(route)).toEqual({ from: 'a', took: 20 })
    expect([asked.length, probed.length]).toEqual([4, 2])
  })

  it('makes new requests wait, but shortens the wait of those that already waited for a turn', async () => {
    const route = routeOver('a')
    const [a] = route.replicas as [Replica]
    does = { a: 'nothing' }
    const askAt = async (since: number) => {
      open(a)
      const { took } = await outcomeOf({ ...route, since })
      await pass(5000)
      return took
    }
    expect(await askAt(Date.now())).toBe(700)
    expect(await askAt(Date.now() - 1500)).toBe(400)
    expect(await askAt(Date.now() - 1890)).toBe(10)
  })

  it('is named with its error, beside the others with theirs, if no other replica responds', async () => {
    const long = new Error(`Unknown value 'it${'!'.repeat(5000)}`)
    does = { a: long, b: overloaded }
    const { failed } = await outcomeOf(routeOver('a', 'b'))
    expect(failed).toBe(`No replica can answer. a: Error: Unknown value '…'; b: ${overloaded}`)
  })

  it('counts no earlier trial as an answer: a request waits for another replica’s trial', async () => {
    const route = routeOver('a', 'b')
    const [a, b] = route.replicas as [Replica, Replica]
    open(a)
    await outcomeOf(route)
    expect(probed).toEqual(['a'])
    for (const one of [a, b]) open(one)
    // A ping takes the place of the next trial.
    a.breaker.beginTrial(Date.now())
    does = { b: 300 }
    expect(await outcomeOf(route)).toEqual({ from: 'b', took: 600 })
  })

  it('gets trial requests while other requests wait, and answers them once it has recovered', async () => {
    const route = routeOver('a', 'b')
    const [, b] = route.replicas as [Replica, Replica]
    open(b)
    does = { a: 'nothing', b: refused }
    setTimeout(() => {
      does = { a: 'nothing' }
    }, 1000)
    const { from, took } = await outcomeOf({ ...route, since: Date.now() })
    expect(from).toBe('b')
    expect(took).toBeLessThan(2000)
  })

  it('gets one trial request at a time, while other replicas answer', async () => {
    does = { a: refused }
    const route = routeOver('a', 'b')
    const [a] = route.replicas as [Replica]
    open(a)
    does = { a: 'nothing' }
    await Promise.all([outcomeOf(route), outcomeOf(route), outcomeOf(route)])
    expect([asked, probed]).toEqual([['b', 'b', 'b'], ['a']])
  })
})

describe('a replica that does not respond', () => {
  it('is joined by the next replica after a while, and aborted when that one responds', async () => {
    does = { a: 'nothing' }
    expect(await outcomeOf(routeOver('a', 'b'))).toEqual({ from: 'b', took: 510 })
    expect([asked, aborted, answered]).toEqual([['a', 'b'], ['a'], [['b', 2]]])
  })

  it('may still respond before the next replica', async () => {
    does = { a: 600, b: 'nothing' }
    expect(await outcomeOf(routeOver('a', 'b'))).toEqual({ from: 'a', took: 600 })
    expect(aborted).toEqual(['b'])
  })

  it('does not delay the query to the third replica if the second one fails', async () => {
    does = { a: 'nothing', b: refused }
    expect(await outcomeOf(routeOver('a', 'b', 'c'))).toEqual({ from: 'c', took: 510 })
  })

  it('is considered silent sooner if responses are usually quick', async () => {
    const route = routeOver('a', 'b')
    await times(20, () => outcomeOf(route))
    does = { a: 'nothing' }
    expect(await outcomeOf(route)).toEqual({ from: 'b', took: 60 })
  })

  it('is skipped after another replica has answered three requests, and waiting requests move on', async () => {
    const route = routeOver('a', 'b')
    await times(20, () => outcomeOf(route))
    does = { a: 'nothing' }
    const waiting = await Promise.all(Array.from({ length: 30 }, () => outcomeOf(route)))
    // Ten hedged requests may start together. The others move on once three of these have shown that `a` is silent.
    expect(Math.max(...waiting.map(({ took }) => took))).toBeLessThanOrEqual(2 * 50 + 10)
    expect(opened).toEqual(['a'])
    expect(await outcomeOf(route)).toEqual({ from: 'b', took: 10 })
  })

  it('gets few hedged requests if all replicas are slow: a burst of ten, then one per twenty responses', async () => {
    const route = routeOver('a', 'b')
    await times(20, () => outcomeOf(route))
    asked = []
    // Now both are equally slow.
    does = { a: 1000, b: 1000 }
    await times(100, () => outcomeOf(route))
    expect(asked.length).toBeLessThanOrEqual(100 + 10 + 100 / 20)
  })
})

const tooLate = expect.stringContaining('No answer came before the deadline.')

describe('a single server that hangs', () => {
  /** Begins a statement. Its server then fails others until its breaker opens. Returns how to wait for the outcome. */
  const beginLong = async (failure: Error) => {
    const route = routeOver('a')
    const long = outcomeOf(route)
    await pass(1000)
    does = { a: failure }
    await times(3, () => outcomeOf(route))
    expect(opened).toEqual(['a'])
    return () => long
  }

  it('is detected within two seconds, because it is silent, and later requests fail within one second', async () => {
    does = { a: 'nothing' }
    pings = { a: 'nothing' }
    const route = routeOver('a')
    const first = await outcomeOf(route)
    expect(first.failed).toMatch('No replica can answer. a: ')
    expect(first.took).toBeLessThanOrEqual(2000)
    for (let second = 0; second < 10; second++) {
      const next = await outcomeOf(route)
      expect(next.failed).toMatch('No replica can answer. a: ')
      expect(next.took).toBeLessThan(1000)
      await pass(300)
    }
    expect(asked).toEqual(['a'])
    does = { a: 5 }
    const recovered = Date.now()
    while ((await outcomeOf(route)).failed !== undefined) await pass(100)
    expect(Date.now() - recovered).toBeLessThan(2000)
  })

  it('is not confused with a long statement on a healthy server', async () => {
    does = { a: 25_000, b: 25_000, c: 25_000 }
    expect(await outcomeOf(routeOver('a', 'b', 'c'))).toMatchObject({ took: 25_000 })
    expect(opened).toEqual([])
    // Each ping uses one of the platform’s limited subrequests.
    expect(pinged.length).toBeLessThanOrEqual(3 * 10)
  })

  it('is not confused with a server that responds to every second ping', async () => {
    does = { a: 5000 }
    let sent = 0
    pings = { a: () => (sent++ % 2 === 0 ? 'nothing' : 1000) }
    expect(await outcomeOf(routeOver('a'))).toEqual({ from: 'a', took: 5000 })
    expect([opened, sent]).toEqual([[], 4])
  })

  it('is not confused with an overloaded server that refuses other statements', async () => {
    does = { a: 25_000 }
    const long = await beginLong(overloaded)
    expect(await long()).toMatchObject({ from: 'a' })
  })

  it('is detected even if it first answered pings, and refused other statements', async () => {
    does = { a: 'nothing' }
    const long = await beginLong(refused)
    pings = { a: 'nothing' }
    const { failed, took } = await long()
    expect(failed).toMatch('No replica can answer. a: ')
    expect(took).toBeLessThan(6000)
  })

  it('is not detected by requests with many statements, because the platform would queue their pings', async () => {
    does = { a: 'nothing' }
    pings = { a: 'nothing' }
    const route = routeOver('a')
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => outcomeOf(route)))
    expect(outcomes.map(({ failed }) => failed)).toEqual(Array(6).fill(tooLate))
    expect([opened, route.connections.waiting]).toEqual([['a'], 0])
  })

  it('fails at the deadline if it responds to pings but not to the statement', async () => {
    does = { a: 'nothing' }
    expect(await outcomeOf(routeOver('a'))).toEqual({
      failed: tooLate,
      cause: 'No answer came within 31000 ms.',
      took: 31_000,
    })
    expect(aborted).toEqual(['a'])
  })
})

describe('a server that responds to other statements', () => {
  it('is not considered hanging even if it does not respond to pings', async () => {
    does = { a: 400 }
    pings = { a: 'nothing' }
    const route = routeOver('a')
    const outcomes: ReturnType<typeof outcomeOf>[] = []
    for (let begun = 0; begun < 10; begun++) {
      outcomes.push(outcomeOf(route))
      await pass(300)
    }
    await Promise.all(outcomes)
    expect(opened).toEqual([])
  })
})

describe('all replicas down', () => {
  it.each([1, 2, 3])('make a request fail within two seconds, even if all of them suddenly hang: %s', async (count) => {
    const names = ['a', 'b', 'c'].slice(0, count)
    does = Object.fromEntries(names.map((name) => [name, 'nothing']))
    pings = does
    const { failed, took } = await outcomeOf(routeOver(...names))
    expect(failed).toMatch('No replica can answer.')
    expect(took).toBeLessThanOrEqual(2000)
    expect(opened.toSorted()).toEqual(names)
  })

  it('make requests fail in under a second, until the first of them responds again', async () => {
    does = { a: refused, b: 'nothing', c: overloaded }
    pings = { b: 'nothing' }
    const route = routeOver('a', 'b', 'c')
    while (opened.length < 3) await outcomeOf(route)
    for (let request = 0; request < 10; request++) {
      expect(await outcomeOf(route)).toMatchObject({
        failed: expect.stringMatching(`^No replica can answer. a: ${refused}; b: .*; c: .*Too many`),
      })
      await pass(200)
    }
    asked = []
    does = { a: refused, b: 'nothing', c: 5 }
    const recovered = Date.now()
    let outcome = await outcomeOf(route)
    while (outcome.failed !== undefined) {
      expect(outcome.took).toBeLessThan(1000)
      await pass(100)
      outcome = await outcomeOf(route)
    }
    expect([outcome.from, asked]).toEqual(['c', ['c']])
    expect(Date.now() - recovered).toBeLessThan(2000)
  })
})

describe('a watermark', () => {
  const moments: Record<string, number | undefined> = {}
  let asOf: (number | undefined)[]

  beforeEach(() => {
    Object.assign(moments, { a: 1000, b: 2000 })
    asOf = []
  })

  const routeWith = (more: Partial<ReplicaRoute>): ReplicaRoute => ({
    ...routeOver('a', 'b'),
    watermark: async ({ name }) => moments[name],
    answered: (_replica, _tries, moment) => void asOf.push(moment),
    ...more,
  })

  it('is the value that was read before the statement, and later statements use newer values', async () => {
    const route = routeWith({ replicas: routeOver('a').replicas })
    await outcomeOf(route)
    moments.a = 5000
    await outcomeOf(route)
    await pass(1000)
    await times(2, () => outcomeOf(route))
    expect(asOf).toEqual([1000, 1000, 1000, 5000])
  })

  it('only delays the first statement, and only slightly, if it cannot be read', async () => {
    let readings = 0
    const route = routeWith({
      watermark() {
        readings++
        return new Promise((_, reject) => setTimeout(() => reject(new Error('Late.')), 1000))
      },
    })
    expect(await outcomeOf(route)).toEqual({ from: 'a', took: 260 })
    await pass(1000)
    expect(await outcomeOf(route)).toEqual({ from: 'a', took: 10 })
    expect([asOf, readings]).toEqual([[undefined, undefined], 1])
  })

  it('excludes its replica if it is too old for the request, which does not count as a failure', async () => {
    const route = routeWith({ need: { minAsOf: 1500 } })
    expect(await outcomeOf(route)).toMatchObject({ from: 'b' })
    expect(await outcomeOf({ ...route, need: { minAsOf: 2500 } })).toMatchObject({
      failed: expect.stringContaining('minAsOf'),
    })
    expect(await outcomeOf({ ...route, need: { minAsOf: 500 } })).toMatchObject({ from: 'a' })
    expect([asked, asOf, opened]).toEqual([['b', 'a'], [2000, 1000], []])
    does = { a: refused, b: refused }
    expect(await outcomeOf({ ...route, need: { minAsOf: 500 } })).toMatchObject({
      failed: `No replica can answer. a: ${refused}; b: ${refused}`,
    })
  })

  it('lets a request wait for more trials until a replica has recovered that is fresh enough', async () => {
    const { all, pace } = replicas(['a', 'b', 'c'].map(named))
    const route = routeWith({ replicas: all, pace, need: { minAsOf: 1500 } })
    Object.assign(moments, { b: 1000, c: 2000 })
    for (const one of all) open(one)
    does = { c: 300 }
    expect(await outcomeOf(route)).toMatchObject({ from: 'c' })
    expect(probed).toEqual(['a', 'b', 'c'])
  })

  it('puts its replica last while it is far behind the newest watermark', async () => {
    const all = { ...routeOver('a', 'b', 'c'), watermark: async ({ name }: Replica) => moments[name] }
    const beat = (lags: Record<string, number>) => {
      for (const [name, lag] of Object.entries(lags)) moments[name] = Date.now() - lag
    }
    const askAfter = async (lags: Record<string, number>) => {
      await pass(6000)
      beat(lags)
      // Watermarks read during a statement are used by the following statements.
      await outcomeOf(all)
      await pass(1100)
      beat(lags)
      await outcomeOf(all)
      return (await outcomeOf(all)).from
    }
    // Initially no watermarks are known, but even the first answer is fresh.
    beat({ a: 60_000, b: 2000, c: 0 })
    expect(await outcomeOf(all)).toMatchObject({ from: 'b' })
    expect(asked).toEqual(['b'])
    expect(await askAfter({ a: 60_000, b: 2000, c: 0 })).toBe('b')
    // `a` is almost as fresh now, but that may be a coincidence.
    expect(await askAfter({ a: 8000, b: 0, c: 0 })).toBe('b')
    expect(await askAfter({ a: 5000, b: 0, c: 0 })).toBe('a')
    expect(await askAfter({ a: 11_000, b: 0, c: 0 })).toBe('a')
    expect(await askAfter({ a: 15_000, b: 0, c: 0 })).toBe('b')
    // Heartbeats have stopped on all replicas.
    expect(await askAfter({ a: 90_000, b: 90_000, c: 90_000 })).toBe('a')
    // Outdated replicas get no hedged requests, but if the others fail, an outdated answer is better than none.
    expect(await askAfter({ a: 0, b: 60_000, c: 60_000 })).toBe('a')
    does = { a: 3000 }
    asked = []
    expect(await outcomeOf(all)).toMatchObject({ from: 'a', took: 3000 })
    expect(asked).toEqual(['a'])
    does = { a: refused }
    expect(await outcomeOf(all)).toMatchObject({ from: 'b' })
  })

  it('does not count as lagging merely because it was read before the other watermarks', async () => {
    Object.assign(moments, { a: Date.now() - 3000, b: Date.now() })
    const route = routeWith({})
    // No replica is known to be so fresh, so all watermarks are read.
    await outcomeOf({ ...route, need: { minAsOf: Date.now() + 1000 } })
    // From here on, only the nearest replica’s watermark is read. It becomes older in the meantime.
    for (const milliseconds of [8000, 1100, 1100]) {
      await pass(milliseconds)
      expect(await outcomeOf(route)).toMatchObject({ from: 'a' })
      await pass(10)
    }
  })

  it('decides which replica may continue a list: the same one, or one that is at least as fresh', async () => {
    const route = routeWith({})
    expect(await outcomeOf({ ...route, need: { origin: { replica: 'b' } } })).toMatchObject({ from: 'b' })
    does = { a: refused, b: refused }
    expect(await outcomeOf({ ...route, need: { origin: { replica: 'b', asOf: 2000 } } })).toMatchObject({
      failed: expect.stringContaining('begin at the first page'),
      cause: `No replica can answer. a: not fresh enough; b: ${refused}`,
    })
    expect(asked).toEqual(['b', 'b'])
    does = { a: refused }
    expect(await outcomeOf({ ...route, need: { origin: { replica: 'a', asOf: 1000 } } })).toMatchObject({ from: 'b' })
    expect(await outcomeOf({ ...route, need: { origin: { replica: 'gone', asOf: 2001 } } })).toMatchObject({
      failed: expect.stringContaining('cursor'),
    })
  })
})

describe('a request’s deadline', () => {
  const timesLeft: number[] = []
  const noting = async (target: Target, signal: AbortSignal): Promise<string> => {
    timesLeft.push(target.limits.timeout)
    return attempt(target, signal)
  }
  const askUntil = (route: ReplicaRoute, until: number) =>
    ask({ ...route, until }, noting, new AbortController().signal).catch((error: Error) => error.message)

  it('limits each attempt to the remaining time, in tenths of a second, but at least one tenth', async () => {
    does = { a: 'nothing', b: 'nothing', c: 1000 }
    const answer = askUntil(routeOver('a', 'b', 'c'), Date.now() + 4000)
    await pass(3000)
    expect([await answer, timesLeft]).toEqual(['c', [4, 3.5, 3]])
    timesLeft.length = 0
    does = { a: 5 }
    const late = askUntil(routeOver('a'), Date.now() + 20)
    await pass(20)
    expect([await late, timesLeft]).toEqual(['a', [0.1]])
  })

  it('does not count as a replica’s failure if it is short: three such failures open no breaker', async () => {
    does = { a: 'nothing' }
    const route = routeOver('a')
    for (let request = 0; request < 4; request++) {
      const answer = askUntil(route, Date.now() + 500)
      await pass(1500)
      expect(await answer).toEqual(tooLate)
    }
    expect([opened, route.connections.waiting]).toEqual([[], 0])
  })
})
