import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { api } from '../../src/app.ts'
import { parseServer } from '../../src/clickhouse/server.ts'
import { neverFresh, onlyOnError } from '../support/cache-times.ts'
import { metadata } from '../support/metadata.ts'
import { websiteOf } from '../support/people.ts'
import { passOn } from '../support/proxy.ts'
import { running } from '../support/weir.ts'

/** The ClickHouse of all tests, until it hangs: it then answers nothing, pings neither. */
let double: Server
let isHanging = false
const held: string[] = []
beforeAll(async () => {
  const { url } = parseServer({ CLICKHOUSE_URL: running.clickhouse })
  double = createServer((incoming, outgoing) => {
    // A watermark may be asked for before the statement is sent: time must not pass until then.
    if (isHanging) held.push(incoming.url!)
    else passOn(url, incoming, outgoing)
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => double.once('listening', listening))
})
afterAll(() => {
  double.closeAllConnections()
  double.close()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const worker = api()

/** That of the real clock. */
const { setTimeout: later } = globalThis

/** Lets the real clock go on, but not that of the test. */
const tick = () => new Promise((done) => later(done, 25))

/**
 * Lets time pass in steps until `work` is done, and answers how many milliseconds that took. The real clock goes on
 * beside it: a ping ends by that one.
 */
async function passUntil(work: Promise<unknown>): Promise<number> {
  let isDone = false
  const end = () => {
    isDone = true
  }
  work.then(end, end)
  let passed = 0
  for (; !isDone && passed < 20_000; passed += 25) {
    await vi.advanceTimersByTimeAsync(25)
    await tick()
  }
  return passed
}

it('a ClickHouse that hangs: one request fails within two seconds, then kept answers are STALE at once', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { port } = double.address() as AddressInfo
  const work: Promise<unknown>[] = []
  const context = { waitUntil: (one: Promise<unknown>) => work.push(one), passThroughOnException() {}, props: {} }
  const websiteId = await websiteOf()
  const ask = async (endAt: number, CACHE = onlyOnError) => {
    const url = new URL(running.clickhouse)
    url.port = String(port)
    const env = { METADATA: metadata, CLICKHOUSE_URL: url.href, CACHE }
    const headers = { authorization: `Bearer ${running.adminKey}` }
    const path = `http://weir/api/websites/${websiteId}/events/stats?startAt=1&endAt=${1e11 + endAt}`
    const answer = await worker.request(path, { headers }, env, context as never)
    return [answer.status, answer.headers.get('x-cache'), answer.headers.get('retry-after')]
  }
  expect(await ask(2)).toEqual([200, 'MISS', null])
  await Promise.allSettled(work)
  // Whoever asks is known for ten seconds: nobody waits for D1 from here on. On a busy machine the first question was
  // slow, so that a ping followed, and the next one may only come 1.6 seconds later.
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.now() + 2000 })
  isHanging = true
  const first = ask(3)
  while (!held.some((url) => !/ping|weir-(watermark|trial)/.test(url))) await tick()
  expect(await passUntil(first)).toBeLessThanOrEqual(2000)
  expect(await first).toEqual([503, null, '5'])
  // No timer runs out meanwhile.
  expect(await ask(2)).toEqual([200, 'STALE', null])
  expect(await ask(2, neverFresh)).toEqual([200, 'STALE', null])
  await passUntil(Promise.allSettled(work))
  isHanging = false
  double.closeAllConnections()
  await Promise.allSettled(work)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  expect(await ask(3)).toEqual([200, 'MISS', null])
})
