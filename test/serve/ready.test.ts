import { createServer, type Server as HttpServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { D1Database } from '@cloudflare/workers-types'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { api } from '../../src/app.ts'
import { metadata } from '../support/metadata.ts'
import { failed } from '../support/refusals.ts'
import { running, send } from '../support/weir.ts'

/** A ClickHouse that answers nothing, or fails. */
let double: HttpServer
let behave: RequestListener
let asked = 0
beforeAll(async () => {
  double = createServer((request, response) => {
    asked++
    behave(request, response)
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => double.once('listening', listening))
})
afterAll(() => {
  double.closeAllConnections()
  double.close()
})

const answers: RequestListener = (_, response) => response.end('{"data":[],"rows":0}')
const fails: RequestListener = (_, response) => response.writeHead(500).end('Code: 241. DB::Exception: secret')

let moment = Date.now()

beforeEach(() => {
  // Long after what other tests have found.
  moment += 100_000
  vi.useFakeTimers({ toFake: ['Date'], now: moment })
  vi.spyOn(console, 'error').mockImplementation(() => {})
  asked = 0
  behave = answers
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** Asks the Worker in this process: here the clock can be set. */
async function ready(database: D1Database = metadata, key = running.adminKey) {
  const url = `http://127.0.0.1:${(double.address() as AddressInfo).port}`
  const env = { METADATA: database, CLICKHOUSE_URL: url }
  const response = await api().request('http://weir/ready', { headers: { authorization: `Bearer ${key}` } }, env)
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
}

const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

const unavailable = { status: 503, code: 'service-unavailable' }

describe('GET /health', () => {
  it('asks neither D1 nor ClickHouse', async () => {
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
  it('asks the real D1 and ClickHouse', async () => {
    expect(await send('/ready')).toMatchObject({ status: 200, body: { ok: true } })
    const url = new URL(running.clickhouse)
    url.searchParams.set('database', 'default')
    const unmigrated = { METADATA: metadata, CLICKHOUSE_URL: url.href }
    expect((await api().request('http://weir/ready', {}, unmigrated)).status).toBe(503)
  })

  it('is a 503 with Retry-After if ClickHouse fails, without its text', async () => {
    behave = fails
    const found = await ready()
    failed(found, unavailable)
    expect(found.headers.get('retry-after')).toBe('5')
    expect(JSON.stringify(found.body)).not.toContain('secret')
    expect(found.body.error.message).toBe('These cannot be read just now: clickhouse. Try again.')
  })

  it('is a 503 with Retry-After if D1 fails', async () => {
    const prepare = () => {
      throw new Error('D1_ERROR: secret: SQLITE_CORRUPT')
    }
    const found = await ready({ prepare } as unknown as D1Database)
    failed(found, unavailable)
    expect(found.headers.get('retry-after')).toBe('5')
    expect(JSON.stringify(found.body)).not.toContain('secret')
    // Without D1, nobody is known to be an operator.
    expect(found.body.error.message).toMatch(/^(These cannot be read just now: D1|D1 or ClickHouse cannot .*)\. Try/)
  })

  it('asks once a second, for any number of requests, in success and failure', async () => {
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
