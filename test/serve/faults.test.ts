import { once } from 'node:events'
import { createServer, type Server as HttpServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseServer } from '../../src/clickhouse/server.ts'
import { bundled } from '../../src/local/start/workerd.ts'
import { type Beside, startBeside } from '../support/beside.ts'
import { onlyOnError } from '../support/cache-times.ts'
import { operator } from '../support/callers.ts'
import { isolate } from '../support/isolate.ts'
import { once as onlyOnce } from '../support/once.ts'
import { passOn } from '../support/proxy.ts'
import { passingTrials } from '../support/trials.ts'
import { clickhouse, newWebsite, pathOf, running, send } from '../support/weir.ts'

/** A ClickHouse that fails in a given way. */
let behave: RequestListener
let double: HttpServer
let port: number
let worker: Beside
let websiteId: string

const { url: engine, ...connection } = parseServer({ CLICKHOUSE_URL: running.clickhouse })

beforeAll(async () => {
  double = createServer(passingTrials((request, response) => behave(request, response))).listen(0, '127.0.0.1')
  await once(double, 'listening')
  port = (double.address() as AddressInfo).port
  websiteId = await newWebsite()
  const server = { ...connection, url: `http://127.0.0.1:${port}`, timeout: 1 }
  worker = await startBeside(bundled(running.dataDir, 0, server))
})

afterAll(async () => {
  await worker.close()
  stop()
})

/** From now on, nothing listens on the port. */
function stop(): void {
  double.close()
  double.closeAllConnections()
}

async function ask(): Promise<{ status: number; retryAfter: string | null; text: string }> {
  const path = pathOf(`/api/websites/${websiteId}/events/stats`, { startAt: 1e11, endAt: 1e11 + 1 })
  const response = await fetch(worker.url + path, { headers: { authorization: `Bearer ${running.adminKey}` } })
  return { status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() }
}

const exception =
  (status: number, code: number, text: string): RequestListener =>
  (_, response) =>
    response
      .writeHead(status, { 'X-ClickHouse-Exception-Code': String(code) })
      .end(`Code: ${code}. DB::Exception: ${text}`)

const secret = 'secret-host-17 SELECT session_id'

describe('when ClickHouse fails', () => {
  it.each<[string, RequestListener]>([
    ['has too many queries', exception(500, 202, `${secret} (TOO_MANY_SIMULTANEOUS_QUERIES)`)],
    ['gives up on a query', exception(500, 159, `${secret} (TIMEOUT_EXCEEDED)`)],
    ['has no memory', exception(500, 241, `(total) ${secret} (MEMORY_LIMIT_EXCEEDED)`)],
    ['has spent its quota', exception(500, 201, `${secret} (QUOTA_EXCEEDED)`)],
    ['does not allow the time limit', exception(500, 452, `${secret} (SETTING_CONSTRAINT_VIOLATION)`)],
    ['has no space left', exception(500, 243, `${secret} (NOT_ENOUGH_SPACE)`)],
    [
      'cannot write',
      exception(500, 75, `${secret}: errno: 28, No space left on device (CANNOT_WRITE_TO_FILE_DESCRIPTOR)`),
    ],
    ['refuses the password', exception(403, 516, `${secret} (AUTHENTICATION_FAILED)`)],
    ['is not migrated', exception(404, 60, `${secret} (UNKNOWN_TABLE)`)],
    ['is behind a failing proxy', (_, response) => response.writeHead(502).end('<html>Bad gateway</html>')],
    ['answers something else', (_, response) => response.end('<html>Welcome</html>')],
    ['answers with half of the JSON', (_, response) => response.end('{"meta":[],"data":[{"events":1')],
    ['hangs up', (request) => request.socket.destroy()],
    [
      'hangs up in the middle',
      (_, response) => {
        response.writeHead(200, { 'content-length': '1000' })
        response.write('{"da')
        setImmediate(() => response.socket?.destroy())
      },
    ],
    ['never answers', () => {}],
    ['stops in the middle of an answer', (_, response) => void response.writeHead(200).write('{"meta":[],"da')],
  ])('a 503 with Retry-After is returned, without ClickHouse’s text, if it %s', async (_, behaviour) => {
    behave = behaviour
    const { status, retryAfter, text } = await ask()
    expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: '5' })
    expect(JSON.parse(text).error).toMatchObject({ code: 'service-unavailable', status: 503 })
    expect(text).not.toMatch(/secret|SELECT|select|Exception|127\.0\.0\.1/)
  })

  it('a session is not deleted: the refusal is that of its look-up', async () => {
    behave = exception(500, 202, `${secret} (TOO_MANY_SIMULTANEOUS_QUERIES)`)
    const path = `/api/websites/${websiteId}/sessions/${crypto.randomUUID()}`
    const headers = { authorization: `Bearer ${running.adminKey}` }
    const refused = await fetch(worker.url + path, { method: 'DELETE', headers })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
    expect(await refused.json()).toMatchObject({ error: { code: 'service-unavailable' } })
  })

  it('a row that does not match its schema, or an invalid statement, is a 500', async () => {
    behave = (_, response) => response.end('{"meta":[],"data":[{"events":"many"}],"rows":1}')
    expect(await ask()).toMatchObject({ status: 500, retryAfter: null })
    behave = exception(400, 62, `Syntax error: ${secret} (SYNTAX_ERROR)`)
    const { status, text } = await ask()
    expect(status).toBe(500)
    expect(text).not.toContain('secret')
  })
})

describe('a ClickHouse restart', () => {
  it('causes a 503 while ClickHouse is down; the Worker recovers without a restart', async () => {
    behave = (incoming, outgoing) => passOn(engine, incoming, outgoing)
    // After the faults of other tests, the Worker may wait before its next request.
    await expect.poll(ask).toMatchObject({ status: 200 })
    stop()
    expect(await ask()).toMatchObject({ status: 503, retryAfter: '5' })
    await once(double.listen(port, '127.0.0.1'), 'listening')
    await expect.poll(ask).toMatchObject({ status: 200 })
  })
})

describe('a report whose statement exceeds one of ClickHouse’s limits', () => {
  /** A website with this many paths. These reports read only `events`, so no views need to run. */
  async function websiteWith(paths: number): Promise<string> {
    const website = await newWebsite()
    await clickhouse(`INSERT INTO events (website_id, created_at, event_id, session_id, visit_id, event_type, url_path)
      SELECT '${website}', now64(3, 'UTC'), generateUUIDv4() AS event, event, event, 1, concat('/', toString(number))
      FROM numbers(${paths})`)
    return website
  }

  /** The answers about a website with a limit, and without. */
  async function answersOf(website: string, report: string, own: object, limit: Readonly<Record<string, string>>) {
    const query = { startAt: Date.now() - 3_600_000, endAt: Date.now() + 3_600_000, ...own }
    const path = pathOf(`/api/websites/${website}/${report}`, query)
    return [await isolate(onlyOnError, limit)(path, operator), await send(path, { headers: operator })] as const
  }

  const many = onlyOnce(() => websiteWith(30_000))

  it.each([
    ['CLICKHOUSE_MAX_MEMORY', '3000000'],
    ['CLICKHOUSE_MAX_ROWS', '20000'],
  ])('is a 422 that says what to narrow, not when to retry, and succeeds within the limit: %s', async (name, limit) => {
    const [limited, whole] = await answersOf(await many(), 'journeys', { steps: 2 }, { [name]: limit })
    expect([limited.status, whole.status, whole.headers.get('x-total-count')]).toEqual([422, 200, '30000'])
    expect(limited.headers.has('retry-after')).toBe(false)
    expect(JSON.parse(limited.text).error).toMatchObject({
      code: 'too-much-data',
      message: expect.stringMatching(/narrow/i),
    })
  })

  it('moves groups to disk once they exceed half of its memory', async () => {
    const limit = { CLICKHOUSE_MAX_MEMORY: '130000000' }
    const [limited, whole] = await answersOf(await websiteWith(300_000), 'metrics/expanded', { type: 'path' }, limit)
    expect([limited.status, JSON.parse(limited.text)]).toEqual([200, whole.body])
  })
})
