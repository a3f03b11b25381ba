import { createServer, type Server as HttpServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { D1Database } from '@cloudflare/workers-types'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { api } from '../../src/app.ts'
import { tables } from '../../src/query/tables/tables.ts'
import { metadata } from '../support/metadata.ts'
import { failed } from '../support/refusals.ts'
import { isPing, isTrial } from '../support/trials.ts'
import { newId } from '../support/website.ts'
import { clickhouse, running, send } from '../support/weir.ts'

/** A ClickHouse that does not respond, fails or hangs. */
let double: HttpServer
let behave: RequestListener
let asked = 0
/** The work that continues after the responses. */
const work: Promise<unknown>[] = []
const context = { waitUntil: (one: Promise<unknown>) => work.push(one), passThroughOnException() {}, props: {} }

beforeAll(async () => {
  double = createServer((request, response) => {
    if (!isTrial(request)) asked++
    behave(request, response)
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => double.once('listening', listening))
})
afterAll(() => {
  double.closeAllConnections()
  double.close()
})

const answers: RequestListener = (_, response) => response.end('{"data":[],"rows":0}')
const hangs: RequestListener = () => {}
const fails: RequestListener = (_, response) => response.writeHead(500).end('Code: 241. DB::Exception: secret')

let moment = Date.now()

beforeEach(() => {
  // This is long after other tests cached their results.
  moment += 100_000
  vi.useFakeTimers({ toFake: ['Date'], now: moment })
  vi.spyOn(console, 'error').mockImplementation(() => {})
  asked = 0
  work.length = 0
  behave = answers
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Sends a request to the Worker in this process, in which the test can set the clock. */
async function ready(database: D1Database = metadata, key = running.adminKey) {
  const url = `http://127.0.0.1:${(double.address() as AddressInfo).port}`
  const env = { METADATA: database, CLICKHOUSE_URL: url }
  const headers = { authorization: `Bearer ${key}` }
  const response = await api().request('http://weir/ready', { headers }, env, context as never)
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
}

const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

const unavailable = { status: 503, code: 'service-unavailable' }

describe('GET /health', () => {
  it('queries neither D1 nor ClickHouse', async () => {
    const unreadable = new Proxy(
      {},
      {
        get: () => {
          throw new Error('D1 was asked.')
        },
      },
    )
    const env = { METADATA: unreadable, CLICKHOUSE_URL: 'http://127.0.0.1:1' }
    const answer = await api().request('http://weir/health', {}, env)
    expect([answer.status, await answer.json()]).toEqual([200, { ok: true }])
  })
})

describe('GET /ready', () => {
  it('queries the real D1 and ClickHouse', async () => {
    await expect.poll(() => send('/ready')).toMatchObject({ status: 200, body: { ok: true } })
    const url = new URL(running.clickhouse)
    url.searchParams.set('database', 'default')
    const unmigrated = { METADATA: metadata, CLICKHOUSE_URL: url.href }
    expect((await api().request('http://weir/ready', {}, unmigrated, context as never)).status).toBe(503)
  })

  it('lists every table that is missing or cannot be read, and the fix', async () => {
    const database = `ready_${newId().slice(0, 8)}`
    const url = new URL(running.clickhouse)
    url.searchParams.set('database', database)
    const env = { METADATA: metadata, CLICKHOUSE_URL: url.href }
    const headers = { authorization: `Bearer ${running.adminKey}` }
    const asked = async () => {
      later(2000)
      const answer = await api().request('http://weir/ready', { headers }, env, context as never)
      return [answer.status, ((await answer.json()) as { error?: { message: string } }).error?.message]
    }
    const says = (what: string) => [503, `These cannot be read right now: clickhouse (${what}). Try again.`]
    await clickhouse(`CREATE DATABASE ${database}`)
    const names = [...tables.map(({ name }) => name), 'seals', 'heartbeats']
    expect(await asked()).toEqual(says(names.map((name) => `${name} is missing: run migrate`).join(', ')))
    for (const name of names) await clickhouse(`CREATE TABLE ${database}.${name} (a UInt8) ENGINE = Memory`)
    expect(await asked()).toEqual([200, undefined])
    for (const name of ['events', 'monthly_values']) await clickhouse(`DROP TABLE ${database}.${name} SYNC`)
    expect(await asked()).toEqual(says('events is missing: run migrate, monthly_values is missing: run migrate'))
    await clickhouse(`DROP DATABASE ${database}`)
    behave = (request, response) => {
      if (isTrial(request)) answers(request, response)
      else if (asks++ === 0)
        response.writeHead(403).end('Code: 497. DB::Exception: Not enough privileges. (ACCESS_DENIED)')
      else response.end(JSON.stringify({ data: names.slice(1).map((name) => ({ name })), rows: names.length - 1 }))
    }
    let asks = 0
    expect((await ready()).body.error.message).toBe(says('events may not be read: run access')[1])
  })

  it('is a 503 with Retry-After, but without ClickHouse’s text, if ClickHouse fails', async () => {
    behave = fails
    const found = await ready()
    failed(found, unavailable)
    expect(found.headers.get('retry-after')).toBe('5')
    expect(JSON.stringify(found.body)).not.toContain('secret')
    expect(found.body.error.message).toBe('These cannot be read right now: clickhouse. Try again.')
  })

  it('is a 503 with Retry-After if D1 fails', async () => {
    const prepare = () => {
      throw new Error('D1_ERROR: secret: SQLITE_CORRUPT')
    }
    const found = await ready({ prepare } as unknown as D1Database)
    failed(found, unavailable)
    expect(found.headers.get('retry-after')).toBe('5')
    expect(JSON.stringify(found.body)).not.toContain('secret')
    // Without D1, no caller is known to be an operator.
    expect(found.body.error.message).toMatch(
      /^(These cannot be read right now: D1|D1, ClickHouse or collection is failing .*)\. Try/,
    )
  })

  it('is a 503 within a second, each time, if ClickHouse or D1 never responds', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: moment })
    behave = hangs
    const silence = new Promise<never>(() => {})
    const silent = { prepare: () => ({ bind: () => ({ first: () => silence }) }), batch: () => silence }
    for (const database of [metadata, silent as unknown as D1Database, metadata]) {
      later(10_000)
      const before = asked
      const finding = ready(database)
      await vi.waitFor(() => expect(asked).toBe(before + 1))
      await vi.advanceTimersByTimeAsync(1000)
      failed(await finding, unavailable)
    }
    // The replica responds to pings, but a statement may have to wait.
    let pings = 0
    behave = (request, response) => void (isPing(request) && response.end('Ok.\n', () => pings++))
    later(10_000)
    let isOver = false
    const waiting = ready().finally(() => {
      isOver = true
    })
    await vi.waitFor(() => expect(asked).toBe(4))
    await vi.advanceTimersByTimeAsync(200)
    await vi.waitFor(() => expect(pings).toBeGreaterThan(0))
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    await vi.advanceTimersByTimeAsync(2000)
    expect(isOver).toBe(false)
    await vi.advanceTimersByTimeAsync(5000)
    failed(await waiting, unavailable)
  })

  it('completes for other callers if its own caller disconnects', async () => {
    const held: (() => void)[] = []
    behave = (request, response) => void held.push(() => answers(request, response))
    const asking = ready()
    await vi.waitFor(() => expect(asked).toBe(1))
    let isOver = false
    const kept = Promise.all(work).then(() => {
      isOver = true
    })
    await new Promise((passed) => setTimeout(passed, 20))
    expect(isOver).toBe(false)
    for (const answer of held) answer()
    expect((await asking).status).toBe(200)
    await kept
  })

  it('queries once per second, whether it succeeds or fails, for any number of requests', async () => {
    for (const [behaviour, status] of [
      [answers, 200],
      [fails, 503],
    ] as const) {
      behave = behaviour
      asked = 0
      later(10_000)
      const together = await Promise.all([ready(), ready(), ready()])
      later(999)
      expect([...together, await ready()].map((one) => one.status)).toEqual([status, status, status, status])
      expect(asked).toBe(1)
      later(1)
      await ready()
      expect(asked).toBe(2)
    }
  })
})
