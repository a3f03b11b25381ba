import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { event, id } from '../oracle/fixtures.ts'
import { type CachedWorker, cachedWorker } from '../support/cached.ts'
import { newShare, operator } from '../support/callers.ts'
import { keyOf, newPerson, websiteOf } from '../support/people.ts'
import { add, columnTime } from '../support/website.ts'
import { pathOf } from '../support/weir.ts'

const minute = 60_000
const dayLength = 86_400_000

/** The start of the current minute. Everything below happens within five minutes of it. */
const begun = Math.floor(Date.now() / minute) * minute

const at = (number: number, moment: number) => event({ event_id: id(number), created_at: columnTime(moment) })

const events = (websiteId: string, startAt: number, endAt: number, query: object = {}): string =>
  pathOf(`/api/websites/${websiteId}/events`, { startAt, endAt, ...query } as never)

const publicWebsite = (parameters: object = {}) =>
  websiteOf({}, { public: JSON.stringify({ events: true, ...parameters }) })

const idsIn = ({ text }: { text: string }): string[] => JSON.parse(text).data.map((one: { id: string }) => one.id)

let worker: CachedWorker
beforeAll(async () => {
  worker = await cachedWorker()
})
afterAll(() => worker.close())

describe('the last 24 hours, through a share or a public website', () => {
  it('are the same range for all requests within a minute, and the response contains this range', async () => {
    const websiteId = await publicWebsite()
    await add(
      websiteId,
      ...[begun - dayLength - 1, begun - dayLength, begun - 1, begun].map((moment, index) => at(index, moment)),
    )
    const { headers } = await newShare(websiteId, { events: true })
    const caches: unknown[] = []
    for (const [later, reader] of [
      [10_000, {}],
      [10_001, {}],
      [59_998, {}],
      [30_000, headers],
    ] as const) {
      const reply = await worker.ask(events(websiteId, begun + later - dayLength, begun + later), reader)
      caches.push(reply.cache)
      expect(idsIn(reply)).toEqual([id(2), id(1)])
      expect(reply.headers.get('x-range')).toBe(`${begun - dayLength}-${begun - 1}`)
    }
    expect(caches).toEqual(['MISS', 'HIT', 'HIT', 'HIT'])
    const next = await worker.ask(events(websiteId, begun + 60_000 - dayLength, begun + 60_000), {})
    expect([next.cache, next.headers.get('x-range')]).toEqual([
      'MISS',
      `${begun + minute - dayLength}-${begun + minute - 1}`,
    ])
  })

  it.each([
    ['sessions', {}],
    ['revenue/sessions', { currency: 'EUR' }],
  ])('are one answer within a minute, although cursors depend on the time: %s', async (list, more) => {
    const websiteId = await publicWebsite({ sessions: true, revenue: true })
    const caches: unknown[] = []
    for (const later of [10_000, 10_001, 59_998]) {
      const range = { startAt: begun + later - dayLength, endAt: begun + later }
      const reply = await worker.ask(pathOf(`/api/websites/${websiteId}/${list}`, { ...range, ...more }), {})
      expect(reply.headers.get('x-range')).toBe(`${begun - dayLength}-${begun - 1}`)
      caches.push(reply.cache)
    }
    expect(caches).toEqual(['MISS', 'HIT', 'HIT'])
  })

  it('are also whole minutes for a named period, but whole seconds for readers with their own right', async () => {
    const websiteId = await publicWebsite()
    const path = `/api/websites/${websiteId}/events?period=24h`
    const rangeFor = async (headers: Readonly<Record<string, string>>): Promise<number[]> =>
      (await worker.ask(path, headers)).headers.get('x-range')!.split('-').map(Number)
    const [start, end] = await rangeFor({})
    expect([start! % minute, (end! + 1) % minute, end! + 1 - start!]).toEqual([0, 0, dayLength])
    // If the same request is repeated a second later, its range ends later, although answers are cached.
    const ends = new Set<number>()
    for (; ends.size < 2; await pause(250)) {
      const before = Math.floor(Date.now() / 1000) * 1000
      const [from, to] = await rangeFor(operator)
      expect(to).toBeGreaterThanOrEqual(before)
      expect(to! - from!).toBe(dayLength)
      ends.add(to!)
    }
  })

  it('are the range reported to AI assistants', async () => {
    const websiteId = await websiteOf({}, { public: JSON.stringify({ overview: true }) })
    const stranger = await keyOf(await newPerson(), { access: 'read' })
    const call = { name: 'get_website_stats', arguments: { websiteId, startAt: 'last_24_hours' } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
    const rangeFor = async (headers: Readonly<Record<string, string>>) => {
      const init = { method: 'POST', body }
      const { text } = await worker.ask('/mcp', { ...headers, 'content-type': 'application/json' }, init)
      return JSON.parse(text).result.structuredContent.range as { startAt: string; endAt: string; previous: object }
    }
    const whole = /^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/
    const { startAt, endAt, previous } = await rangeFor(stranger)
    expect(startAt).toMatch(whole)
    expect([endAt, Date.parse(endAt) + 1 - Date.parse(startAt)]).toEqual([
      expect.stringContaining(':59.999Z'),
      dayLength,
    ])
    expect(previous).toMatchObject({ startAt: expect.stringMatching(whole) })
    expect(Date.parse((await rangeFor(operator)).endAt)).toBeGreaterThan(Date.parse(endAt))
  })

  it('are exact for readers with a right of their own', async () => {
    const websiteId = await publicWebsite()
    await add(websiteId, at(1, begun - dayLength), at(2, begun))
    const reply = await worker.ask(events(websiteId, begun + 1 - dayLength, begun + 1))
    expect(idsIn(reply)).toEqual([id(2)])
    expect(reply.headers.get('x-range')).toBe(null)
    expect((await worker.ask(events(websiteId, begun + 2 - dayLength, begun + 2))).cache).toBe('MISS')
  })
})

describe('any other range, through a share or a public website', () => {
  it.each([
    ['long over', begun - 2 * dayLength + 1, begun - dayLength + 1],
    ['ending far in the future', begun - dayLength + 1, begun + dayLength + 1],
    ['of whole minutes', begun - dayLength, begun + minute - 1],
    ['shorter than half an hour', begun - 29 * minute + 1, begun + 1],
  ])('is exact: %s', async (_, startAt, endAt) => {
    const websiteId = await publicWebsite()
    await add(websiteId, at(1, startAt - 1), at(2, startAt), at(3, endAt), at(4, endAt + 1))
    const reply = await worker.ask(events(websiteId, startAt, endAt), {})
    expect(idsIn(reply)).toEqual([id(3), id(2)])
    expect(reply.headers.get('x-range')).toBe(`${startAt}-${endAt}`)
  })
})

describe('shares of the same website', () => {
  it('do not share answers if they show different data', async () => {
    const websiteId = await publicWebsite({ filters: { browser: 'chrome' } })
    const browsers = ['chrome', 'chrome', 'chrome', 'firefox', 'firefox', 'safari']
    await add(
      websiteId,
      ...browsers.map((browser, index) =>
        event({ event_id: id(index), browser, created_at: columnTime(begun - 1000) }),
      ),
    )
    const [firefox, both] = [
      await newShare(websiteId, { events: true, filters: { browser: 'firefox' } }),
      await newShare(websiteId, { events: true, filters: { browser: 'neq.safari' } }),
    ]
    const path = events(websiteId, begun - dayLength, begun - 1)
    for (const _ of [1, 2, 3]) {
      for (const [headers, count] of [
        [{}, 3],
        [firefox.headers, 2],
        [both.headers, 5],
        [operator, 6],
      ] as const) {
        const reply = await worker.ask(path, headers)
        expect([reply.status, JSON.parse(reply.text).count]).toEqual([200, count])
      }
    }
    // A share's locked filter may equal the request's filter.
    const chrome = await worker.ask(`${path}&browser=chrome`, firefox.headers)
    expect(JSON.parse(chrome.text).count).toBe(0)
  })

  it('do not open the website after this Worker has made it private', async () => {
    const websiteId = await publicWebsite()
    const path = events(websiteId, begun - dayLength, begun - 1)
    for (const _ of [1, 2, 3]) expect((await worker.ask(path, {})).status).toBe(200)
    const body = JSON.stringify({ public: null })
    const headers = { ...operator, 'content-type': 'application/json' }
    expect((await worker.ask(`/api/websites/${websiteId}`, headers, { method: 'POST', body })).status).toBe(200)
    expect((await worker.ask(path, {})).status).toBe(401)
  })
})
