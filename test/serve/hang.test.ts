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

/** The shared ClickHouse until it hangs. From then on, it responds to nothing, not even to pings. */
let double: Server
let isHanging = false
const held: string[] = []
beforeAll(async () => {
  const { url } = parseServer({ CLICKHOUSE_URL: running.clickhouse })
  double = createServer((incoming, outgoing) => {
    // A watermark request may precede the statement, so time must not advance until the statement is sent.
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

/** The real clock. */
const { setTimeout: later } = globalThis

/** Lets the real clock advance, but not the test's clock. */
const tick = () => new Promise((done) => later(done, 25))

/**
 * Advances the test's clock in steps until `work` is done, and returns how many milliseconds that took. The real
 * clock also runs, because pings depend on it.
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

it('if ClickHouse hangs, one request fails within two seconds, then cached answers come immediately', async () => {
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
  // The caller stays cached for ten seconds, so that nothing waits for D1 from here on. On a busy machine, the first
  // question may be slow and cause a ping. The next ping may follow only after 1.6 seconds.
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.now() + 2000 })
  isHanging = true
  const first = ask(3)
  while (!held.some((url) => !/ping|weir-(watermark|trial)/.test(url))) await tick()
  expect(await passUntil(first)).toBeLessThanOrEqual(2000)
  expect(await first).toEqual([503, null, '5'])
  // No timer expires in the meantime.
  expect(await ask(2)).toEqual([200, 'STALE', null])
  expect(await ask(2, neverFresh)).toEqual([200, 'STALE', null])
  await passUntil(Promise.allSettled(work))
  isHanging = false
  double.closeAllConnections()
  await Promise.allSettled(work)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  expect(await ask(3)).toEqual([200, 'MISS', null])
})
