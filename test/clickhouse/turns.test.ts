import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type TurnLimits, turnLimits, turns } from '../../src/clickhouse/turns.ts'

beforeEach(() => void vi.useFakeTimers({ now: 1_760_000_000_000 }))
afterEach(() => void vi.useRealTimers())

/** A queue that records the outcome of each statement under its name. */
function lineOf(limits: Partial<TurnLimits>) {
  const take = turns({ ...turnLimits(), ...limits })
  const events: string[] = []
  const ends = new Map<string, () => void>()
  /** Statements that continue after their callers have left. */
  const staying = new Set<string>()
  return {
    ...{ events, ends, staying },
    /** Requests a turn. `a2` is a statement of the caller `a`, unless another caller is given. */
    async ask(
      website: string,
      name: string,
      { caller = name[0]!, within = 1e9, leave = new AbortController(), isOpening = false, mayRunOn = false } = {},
    ) {
      const wait = { time: Date.now, until: Date.now() + within, signal: leave.signal, stay: () => staying.add(name) }
      const taken = take({ website, caller, isOpening, mayRunOn }, wait).then(
        (end) => {
          events.push(name)
          ends.set(name, end)
        },
        (error: { code?: string; message: string }) => void events.push(`${name}: ${error.code ?? error.message}`),
      )
      await Promise.race([taken, vi.advanceTimersByTimeAsync(0)])
    },
    async end(name: string) {
      ends.get(name)!()
      await vi.advanceTimersByTimeAsync(50)
    },
  }
}

describe('the statement queue', () => {
  it.each(['deadline', 'disconnect'])(
    'keeps the turn of a statement with a regular expression after a %s, because ClickHouse still runs it',
    async (end) => {
      const line = lineOf({ openings: 1, patience: 60 })
      const leave = new AbortController()
      const opening = { isOpening: true, mayRunOn: true }
      await line.ask('public', 'a1', { ...opening, within: end === 'deadline' ? 5000 : 1e9, leave })
      await line.ask('public', 'b1', { isOpening: true })
      await line.ask('own', 'c1')
      if (end === 'deadline') await vi.advanceTimersByTimeAsync(5000)
      else leave.abort()
      await line.end('a1')
      await vi.advanceTimersByTimeAsync(29_000)
      expect(line.events).toEqual(['a1', 'c1'])
      await vi.advanceTimersByTimeAsync(2000)
      expect(line.events).toEqual(['a1', 'c1', 'b1'])
    },
  )

  it('reserves one of the openings’ turns for statements without regular expressions', async () => {
    const line = lineOf({ openings: 2 })
    for (const name of ['a1', 'b1']) await line.ask('public', name, { isOpening: true, mayRunOn: true })
    await line.ask('public', 'c1', { isOpening: true })
    expect(line.events).toEqual(['a1', 'c1'])
    await line.end('a1')
    expect(line.events).toEqual(['a1', 'c1', 'b1'])
  })

  it('frees the turn of a statement with a regular expression that is answered in time', async () => {
    const line = lineOf({ openings: 1 })
    await line.ask('public', 'a1', { isOpening: true, mayRunOn: true, within: 5000 })
    await line.ask('public', 'b1', { isOpening: true })
    await line.end('a1')
    expect(line.events).toEqual(['a1', 'b1'])
  })

  it('limits a website to its share of turns, while other websites still get theirs', async () => {
    const { ask, end, events } = lineOf({ isolate: 3, website: 2 })
    for (const name of ['a1', 'b1', 'c1', 'd1']) await ask('heavy', name)
    await ask('light', 'e1')
    expect(events).toEqual(['a1', 'b1', 'e1'])
    await end('e1')
    expect(events).toEqual(['a1', 'b1', 'e1'])
    await end('a1')
    expect(events).toEqual(['a1', 'b1', 'e1', 'c1'])
  })

  it('gives the next turn to the website with the fewest, then the caller with the fewest, then in order', async () => {
    const { ask, end, events } = lineOf({ isolate: 3, website: 3 })
    for (const name of ['a1', 'a2', 'b1']) await ask('heavy', name)
    for (const name of ['a3', 'c1', 'c2']) await ask('heavy', name)
    await ask('light', 'd1')
    for (const name of ['a1', 'd1', 'c1', 'b1']) await end(name)
    expect(events.slice(3)).toEqual(['d1', 'c1', 'c2', 'a3'])
  })

  it('limits a caller’s turns across several websites, with a 429', async () => {
    const { ask, events } = lineOf({ caller: 2, patience: 1 })
    for (const website of ['one', 'two', 'three']) await ask(website, `a${website}`)
    await ask('three', 'b1')
    await vi.advanceTimersByTimeAsync(1000)
    expect(events).toEqual(['aone', 'atwo', 'b1', 'athree: too-many-requests'])
  })

  it('limits a caller to a quarter of a website’s turns, even on an idle website, with a 429', async () => {
    const { ask, end, events } = lineOf({ patience: 5 })
    for (let number = 1; number <= 60; number++) await ask('heavy', `a${number}`)
    await ask('light', 'a0')
    for (let number = 1; number <= 12; number++) await ask('heavy', `b${number}`, { caller: `b${number}` })
    const others = Array.from({ length: 12 }, (_, index) => `b${index + 1}`)
    expect(events).toEqual(['a1', 'a2', 'a3', 'a4', 'a0', ...others])
    await end('b1')
    expect(events.slice(17)).toEqual([])
    await end('a1')
    expect(events.slice(17)).toEqual(['a5'])
    await vi.advanceTimersByTimeAsync(5000)
    const refused = Array.from({ length: 55 }, (_, index) => `a${index + 6}: too-many-requests`)
    expect(new Set(events.slice(18))).toEqual(new Set(refused))
  })

  it('keeps a caller’s next few statements alive, and drops later ones whose callers have disconnected', async () => {
    const { ask, end, events, staying } = lineOf({ patience: 100 })
    for (let number = 1; number <= 20; number++) await ask('heavy', `a${number}`)
    await ask('heavy', 'b1')
    expect([...staying]).toEqual([...Array.from({ length: 8 }, (_, index) => `a${index + 1}`), 'b1'])
    await end('a1')
    expect(events.at(-1)).toBe('a5')
    await vi.advanceTimersByTimeAsync(200)
    expect([...staying].at(-1)).toBe('a9')
    expect(staying.size).toBe(10)
  })

  it('limits its length per website, and ends waits after a maximum time or at the request’s deadline', async () => {
    const { ask, events } = lineOf({ website: 1, waiting: 2, patience: 5 })
    await ask('heavy', 'a1')
    await ask('heavy', 'b1')
    await ask('heavy', 'c1', { within: 500 })
    await ask('heavy', 'd1')
    await ask('light', 'e1')
    await vi.advanceTimersByTimeAsync(500)
    await ask('heavy', 'f1')
    await vi.advanceTimersByTimeAsync(4500)
    const unavailable = (name: string) => `${name}: service-unavailable`
    expect(events).toEqual(['a1', unavailable('d1'), 'e1', unavailable('c1'), unavailable('b1')])
    await vi.advanceTimersByTimeAsync(500)
    expect(events.slice(5)).toEqual([unavailable('f1')])
  })

  it('limits openings to some of the turns, and lets all other readers go first', async () => {
    const { ask, end, events } = lineOf({ isolate: 4, website: 4, openings: 2 })
    const isOpening = true
    for (const name of ['a1', 'b1', 'c1', 'd1']) await ask('heavy', name, { isOpening })
    expect(events).toEqual(['a1', 'b1'])
    for (const name of ['x1', 'x2', 'x3']) await ask('heavy', name)
    expect(events.slice(2)).toEqual(['x1', 'x2'])
    // A turn is free for openings, but a reader with their own right goes first, although openings have waited longer.
    await end('a1')
    await end('x1')
    expect(events.slice(4)).toEqual(['x3', 'c1'])
    await end('x2')
    expect(events.slice(6)).toEqual([])
    await end('b1')
    expect(events.slice(6)).toEqual(['d1'])
  })

  it('has separate limits for openings and for readers with a right of their own', async () => {
    const { ask, events } = lineOf({ website: 1, waiting: 1, openings: 1, patience: 5 })
    const isOpening = true
    for (const name of ['a1', 'b1', 'c1']) await ask('heavy', name, { isOpening })
    await ask('heavy', 'x1')
    expect(events).toEqual(['a1', 'c1: service-unavailable'])
    await ask('heavy', 'y1')
    expect(events.slice(2)).toEqual(['y1: service-unavailable'])
  })

  it('can be left by a request that is aborted or fails, which then uses no turn', async () => {
    const { ask, end, events } = lineOf({ website: 1 })
    const leave = new AbortController()
    await ask('heavy', 'a1')
    await ask('heavy', 'b1', { leave })
    await ask('heavy', 'c1')
    leave.abort(new Error('gone'))
    await end('a1')
    expect(events).toEqual(['a1', 'b1: gone', 'c1'])
  })

  it('frees the turn of a request that the platform has dropped, whether running or waiting', async () => {
    const { ask, events } = lineOf({ website: 1 })
    await ask('heavy', 'a1')
    await ask('heavy', 'b1')
    // The platform drops all timers of both requests.
    vi.clearAllTimers()
    await vi.advanceTimersByTimeAsync(500)
    await ask('heavy', 'c1')
    await vi.advanceTimersByTimeAsync(2400)
    expect(events).toEqual(['a1'])
    await vi.advanceTimersByTimeAsync(400)
    expect(events).toEqual(['a1', 'c1'])
  })

  it('keeps a request in the queue although its timers fire late', async () => {
    const { ask, end, events } = lineOf({ website: 1, patience: 100 })
    await ask('heavy', 'a1')
    await ask('heavy', 'b1')
    vi.setSystemTime(Date.now() + 5000)
    await ask('heavy', 'c1')
    await vi.advanceTimersByTimeAsync(1000)
    expect(events).toEqual(['a1', 'c1'])
    await end('a1')
    await end('c1')
    expect(events).toEqual(['a1', 'c1', 'b1'])
  })

  it('runs statements of equal priority in order, even if their website has more in the queue', async () => {
    const { ask, end, events } = lineOf({ isolate: 1 })
    await ask('one', 'a1')
    await ask('heavy', 'b1')
    await ask('light', 'c1')
    await ask('heavy', 'd1')
    for (const name of ['a1', 'b1', 'c1']) await end(name)
    expect(events).toEqual(['a1', 'b1', 'c1', 'd1'])
  })

  it('starts the next turn quickly, however many websites are waiting', async () => {
    const { ask, ends, events } = lineOf({ isolate: 1 })
    for (let number = 0; number < 400; number++) await ask(`website ${number}`, `${number}`)
    for (let number = 0; number < 3; number++) {
      ends.get(`${number}`)!()
      await vi.advanceTimersByTimeAsync(5)
    }
    expect(events).toEqual(['0', '1', '2', '3'])
  })

  it('passes on a turn that comes so late that its request has reached its deadline', async () => {
    const { ask, ends, events } = lineOf({ website: 1 })
    await ask('heavy', 'a1')
    await ask('heavy', 'b1', { within: 501 })
    await ask('heavy', 'c1')
    await vi.advanceTimersByTimeAsync(500)
    ends.get('a1')!()
    await vi.advanceTimersByTimeAsync(50)
    expect(events).toEqual(['a1', 'b1: service-unavailable', 'c1'])
  })

  it('starts the next statement from a timer of its own request, not from the request that ends', async () => {
    const { ask, ends, events } = lineOf({ website: 1 })
    await ask('heavy', 'a1')
    await ask('heavy', 'b1')
    ends.get('a1')!()
    await vi.advanceTimersByTimeAsync(0)
    expect(events).toEqual(['a1'])
    await vi.advanceTimersByTimeAsync(5)
    expect(events).toEqual(['a1', 'b1'])
  })

  it('lets a long statement keep its turn', async () => {
    const { ask, end, events } = lineOf({ website: 1, patience: 100 })
    await ask('heavy', 'a1')
    await ask('heavy', 'b1')
    await vi.advanceTimersByTimeAsync(30_000)
    expect(events).toEqual(['a1'])
    await end('a1')
    expect(events).toEqual(['a1', 'b1'])
  })
})

it('reads its limits from the configuration, with defaults for invalid ones', () => {
  const usual = { isolate: 64, website: 16, caller: 32, callerOfWebsite: 4, openings: 2, waiting: 500, patience: 10 }
  expect(turnLimits()).toEqual(usual)
  for (const [cores, isolate] of [
    [1, 8],
    ['2', 8],
    [4, 16],
    [32, 128],
    [0, 64],
    ['x', 64],
  ] as const) {
    expect(turnLimits({ cores })).toEqual({ ...usual, isolate })
  }
  expect(turnLimits({ cores: 2, isolate: 40 })).toEqual({ ...usual, isolate: 40 })
  expect(turnLimits({ website: '4', caller: 0, patience: 'x', isolate: -1 })).toEqual({ ...usual, website: 4 })
})
