import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { api } from '../../src/app.ts'
import { places } from '../../src/local/paths.ts'
import { throughShortcut } from '../../src/serve/shortcut.ts'
import { event } from '../oracle/fixtures.ts'
import { forLong } from '../support/cache-times.ts'
import { metadata } from '../support/metadata.ts'
import { keyOf, websiteOf } from '../support/people.ts'
import { events, share } from '../support/ways.ts'
import { add } from '../support/website.ts'
import { running } from '../support/weir.ts'

type Headers = Readonly<Record<string, string>>

/** A text that logs must not contain, and that every error message here contains. */
let slug: string

/** A failing ClickHouse, which answers every statement with an error that contains the slug. It records requests. */
let double: HttpServer
let reason = ''
const asked: URLSearchParams[] = []
beforeAll(async () => {
  double = createServer(({ url }, response) => {
    asked.push(new URL(url!, 'http://double').searchParams)
    const text = `Code: 241. DB::Exception: of ${slug}${reason}`
    response.writeHead(500, { 'X-ClickHouse-Exception-Code': '241' }).end(text)
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => double.once('listening', listening))
})
afterAll(() => {
  double.closeAllConnections()
  double.close()
})

let written: MockInstance<(text: string) => void>
/** The log lines of requests that did not fail. */
let told: MockInstance<(text: string) => void>[]
/** The number of tests up to now. The log summarises failures over seconds, so each test uses a different time. */
let tests = 0
const begin = Date.now()
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: begin + ++tests * 60_000 })
  slug = randomUUID()
  written = vi.spyOn(console, 'error').mockImplementation(() => {})
  told = (['warn', 'log'] as const).map((name) => vi.spyOn(console, name).mockImplementation(() => {}))
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const failing = () => {
  throw new Error(`D1_ERROR: no column "${slug}" in shares where slug = ${slug}: SQLITE_ERROR`)
}

/** D1 that fails for statements that read or store a slug. */
const failingD1: object = {
  ...{ withSession: () => failingD1, getBookmark: () => null },
  prepare: (query: string) => ({
    bind: (...values: unknown[]) =>
      values.includes(slug)
        ? { first: failing, all: failing, run: failing, isFailing: true }
        : metadata.prepare(query).bind(...values),
  }),
  batch: (statements: never[]) =>
    statements.some((one) => 'isFailing' in (one as object)) ? failing() : metadata.batch(statements),
}

const worker = api()

/** Sends a request to the Worker in this process. Returns the status and the log lines. */
async function ask(
  path: string,
  { headers = {}, body, env = {} }: { headers?: Headers; body?: object; env?: object } = {},
): Promise<{ status: number; text: string; headers: globalThis.Headers; lines: string[] }> {
  const bindings = {
    METADATA: metadata,
    CLICKHOUSE_URL: `http://127.0.0.1:${(double.address() as AddressInfo).port}`,
    // Without this, readers of shares cause a separate warning.
    CLICKHOUSE_VISITOR_USER: 'default',
    AUTH_SECRET: readFileSync(places(running.dataDir).authSecret, 'utf8'),
    ...env,
  }
  const work: Promise<unknown>[] = []
  const context = { waitUntil: (one: Promise<unknown>) => work.push(one), passThroughOnException() {}, props: {} }
  const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }
  const init = body ? { ...sent, body: JSON.stringify(body) } : { headers }
  const answer = await worker.request(`http://weir${path}`, init, bindings, context as never)
  const text = await answer.text()
  await Promise.allSettled(work)
  return { status: answer.status, text, headers: answer.headers, lines: written.mock.calls.map(([line]) => line) }
}

/** Expects a log line that contains the cause but not the slug. */
function withoutSlug(lines: readonly string[]): void {
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(line).toContain('…')
  expect(lines.filter((line) => line.includes(slug))).toEqual([])
}

describe('no log contains a share’s slug', () => {
  const d1 = { env: { METADATA: failingD1 } }

  it('from the path', async () => {
    for (const path of [slug, `%${slug.charCodeAt(0).toString(16)}${slug.slice(1)}`]) {
      const { status, lines } = await ask(`/api/share/${path}`, d1)
      expect(status).toBe(503)
      withoutSlug(lines)
      expect(JSON.parse(lines[0]!)).toMatchObject({ endpoint: 'getShareBySlug', code: 'service-unavailable' })
    }
  })

  it('from a badge’s path', async () => {
    for (const path of [slug, `%${slug.charCodeAt(0).toString(16)}${slug.slice(1)}`]) {
      const { status, lines } = await ask(`/badge/${path}.svg`, d1)
      expect(status).toBe(503)
      withoutSlug(lines)
      expect(JSON.parse(lines[0]!)).toMatchObject({ endpoint: 'badge', code: 'service-unavailable' })
    }
  })

  it('from the query string', async () => {
    const websiteId = await websiteOf()
    const path = events({ websiteId })
    for (const query of [`share=${slug}`, `share=%${slug.charCodeAt(0).toString(16)}${slug.slice(1)}`]) {
      const { status, lines } = await ask(`${path}&${query}`, d1)
      expect(status).toBe(503)
      withoutSlug(lines)
      expect(JSON.parse(lines[0]!).endpoint).toBe('getWebsiteEvents')
    }
  })

  it('from a body', async () => {
    const [headers, other] = [await keyOf(undefined), await share()]
    const shared = { name: 'x', slug, parameters: {} }
    for (const [endpoint, path, body] of [
      ['createShare', '/api/share', { entityId: other.websiteId, shareType: 1, ...shared }],
      ['updateShare', `/api/share/id/${other.id}`, shared],
      ['createWebsite', '/api/websites', { name: 'x', domain: 'example.com', shareId: slug }],
      ['updateWebsite', `/api/websites/${other.websiteId}`, { shareId: slug }],
    ] as const) {
      const { status, lines } = await ask(path, { headers, body, ...d1 })
      expect([path, status]).toEqual([path, 503])
      withoutSlug(lines)
      expect(JSON.parse(lines.at(-1)!).endpoint).toBe(endpoint)
    }
  })

  it('from a batch’s paths, or from its own URL', async () => {
    const path = events({ websiteId: await websiteOf() })
    for (const [query, paths] of [
      ['', [`${path}&share=${slug}`, `/api/share/${slug}`]],
      [`?share=${slug}`, [path]],
    ] as const) {
      const { status, lines } = await ask(`/api/read${query}`, { body: { paths }, ...d1 })
      expect(status).toBe(200)
      withoutSlug(lines)
    }
  })

  it('with a token or about a website, in errors from ClickHouse, a limiter or the cache', async () => {
    const shared = await share({ allowExport: true })
    slug = shared.slug
    vi.stubGlobal('caches', { default: { match: failing, put: failing } })
    const limiter = { limit: failing }
    const env = { LIMIT_SHARE: limiter, LIMIT_KEY: limiter, LIMIT_REFUSALS: limiter, CACHE: forLong }
    for (const headers of [shared.headers, await keyOf(undefined)]) {
      for (const accept of ['application/json', 'text/csv']) {
        const { status, lines } = await ask(events(shared), { headers: { ...headers, accept }, env })
        expect(status).toBe(422)
        withoutSlug(lines)
      }
    }
    const { status, lines } = await ask(`${events(shared)}&surprise=x&share=${slug}`, { env })
    expect(status).toBe(400)
    withoutSlug(lines)
  })

  it('even if the slug is short, and no other text is masked', async () => {
    slug = 'e'
    const { lines } = await ask(`/api/share/${slug}`, d1)
    expect(JSON.parse(lines[0]!)).toMatchObject({
      endpoint: 'getShareBySlug',
      cause: 'D1_ERROR: no column "…" in shares where slug = …: SQLITE_ERROR',
    })
  })
})

describe('a repeated failure', () => {
  const d1 = { env: { METADATA: failingD1 } }
  const linesOf = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Record<string, unknown>)

  it('is logged once in full, and then as a count with its request ids', async () => {
    const path = `/api/share/${slug}`
    const named = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `r${from + index}`)
    for (const id of named(1, 9)) await ask(path, { ...d1, headers: { 'x-request-id': id } })
    const lines = linesOf((await ask(path, { ...d1, headers: { 'x-request-id': 'r10' } })).lines)
    const failure = { endpoint: 'getShareBySlug', code: 'service-unavailable', cause: expect.any(String) }
    expect(lines).toMatchObject([
      { requestId: 'r1', ...failure, stack: expect.any(String) },
      { requestId: 'r2', ...failure, times: 2, requestIds: named(2, 2) },
      { requestId: 'r4', ...failure, times: 4, requestIds: named(3, 4) },
      { requestId: 'r8', ...failure, times: 8, requestIds: named(5, 8) },
    ])
    expect(lines.map((line) => 'stack' in line)).toEqual([true, false, false, false])
    vi.setSystemTime(Date.now() + 10_000)
    written.mockClear()
    expect(linesOf((await ask(path, d1)).lines)).toEqual([expect.objectContaining({ stack: expect.any(String) })])
  })

  it('is a different one if anything except numbers and ids differs', async () => {
    const [website, other] = [await websiteOf(), await websiteOf()]
    for (const id of [website, other]) await ask(`${events({ websiteId: id })}&share=${slug}`, d1)
    const { lines } = await ask(`/api/share/${slug}`, d1)
    expect(linesOf(lines).map(({ times }) => times)).toEqual([undefined, 2, undefined])
  })
})

/** The log lines of requests that did not fail, since the last call. */
function toldLines(): Record<string, unknown>[] {
  const lines = told.flatMap(({ mock }) => mock.calls.map(([line]) => JSON.parse(line)))
  for (const one of told) one.mockClear()
  return lines
}

const readable = { CLICKHOUSE_URL: running.clickhouse, CACHE: forLong, LOG: { successes: 1 } }

describe('a request’s log line', () => {
  const milliseconds = expect.any(Number)

  it('contains the endpoint, the kind of caller, and the cost', async () => {
    const [shared, key] = [await share(), await keyOf(undefined)]
    await add(shared.websiteId, event({}), event({ event_id: randomUUID() }))
    const path = events({ ...shared, query: { browser: 'Zaphod' } })
    const headers = { ...key, 'x-request-id': 'mine', 'cf-connecting-ip': '192.0.2.7' }
    const line = {
      ...{ time: new Date().toISOString(), requestId: 'mine', endpoint: 'getWebsiteEvents', via: 'http', status: 200 },
      ...{ website: shared.websiteId, caller: 'key', totalMs: milliseconds, cacheMs: milliseconds },
    }
    const asksClickHouse = { replica: 'clickhouse', statements: milliseconds, tries: 1, clickhouseMs: milliseconds }
    const { headers: first } = await ask(path, { headers, env: readable })
    const [miss] = toldLines()
    expect(miss).toEqual({
      ...{ ...line, cache: 'MISS', d1Ms: milliseconds, ...asksClickHouse },
      ...{ rows: expect.toSatisfy((rows) => rows > 0), bytes: expect.toSatisfy((bytes) => bytes > 0) },
    })
    expect(first.get('server-timing')).toBe(
      `cache;desc=MISS;dur=${miss!.cacheMs}, d1;dur=${miss!.d1Ms}, clickhouse;dur=${miss!.clickhouseMs}, total;dur=${miss!.totalMs}`,
    )
    await ask(path, { headers: { ...headers, 'if-none-match': first.get('etag')! }, env: readable })
    throughShortcut(
      new Request(`http://weir${path}`, { headers: { ...headers, 'if-none-match': '*' } }),
      Date.now(),
      {},
    )
    expect(toldLines()).toEqual([{ ...line, status: 304, cache: 'HIT' }])

    await ask(path, { headers: { ...shared.headers, 'x-request-id': 'its' }, env: readable })
    await ask(`${path}&share=${shared.slug}&surprise=Zaphod`, { env: readable })
    await ask(path, { headers: { authorization: 'Bearer Zaphod' }, env: readable })
    await ask('/q/zaphod', { env: readable })
    const lines = toldLines()
    expect(lines).toMatchObject([
      { endpoint: 'getWebsiteEvents', caller: 'share', status: 400, code: 'bad-request' },
      { endpoint: 'getWebsiteEvents', caller: 'none', status: 401, code: 'unauthorized' },
      { endpoint: 'link', caller: 'none', status: 404, code: 'not-found' },
      { requestId: 'its', endpoint: 'getWebsiteEvents', caller: 'share', status: 200, cache: 'HIT' },
    ])
    const personal = new RegExp(`zaphod|${shared.slug}|192\\.0\\.2|startAt`, 'i')
    expect(JSON.stringify([miss, lines])).not.toMatch(personal)
    expect(written).not.toHaveBeenCalled()
  })

  it('is written for each path in a batch, with the same id', async () => {
    const headers = { ...(await keyOf(undefined)), 'x-request-id': 'of-all' }
    const body = { paths: [events({ websiteId: await websiteOf() }), '/api/me', '/api/nowhere'] }
    await ask('/api/read', { headers, body, env: readable })
    expect(toldLines().sort((one, other) => String(one.endpoint).localeCompare(String(other.endpoint)))).toMatchObject([
      { requestId: 'of-all', endpoint: 'getMe', via: 'inside', status: 200 },
      { requestId: 'of-all', endpoint: 'getWebsiteEvents', via: 'inside', status: 200, caller: 'key', tries: 1 },
      { requestId: 'of-all', endpoint: 'read', via: 'http', status: 200 },
      { requestId: 'of-all', endpoint: 'unknown', via: 'inside', status: 404 },
    ])
  })

  it('is written for a fraction of successes, chosen by id, or by default only for failures', async () => {
    const ids = Array.from({ length: 200 }, (_, index) => `request-${index}`)
    const asking = async (env: object) => {
      for (const id of ids) await ask('/health', { headers: { 'x-request-id': id }, env })
      return toldLines().map(({ requestId }) => requestId)
    }
    const sampled = await asking({ LOG: { successes: 0.25 } })
    expect(sampled.length).toBeGreaterThan(30)
    expect(sampled.length).toBeLessThan(70)
    expect(await asking({ LOG: { successes: 0.25 } })).toEqual(sampled)
    expect([await asking({ LOG: { successes: 0 } }), await asking({})]).toEqual([[], []])
    expect(await asking({ LOG: { successes: 1 } })).toEqual(ids)
  })

  it('is written after the refresh if the request got an older answer', async () => {
    const [websiteId, headers] = [await websiteOf(), await keyOf(undefined)]
    const times = { open: 1, shared: 0, closed: 1, settled: 0, stale: 60, onError: 0 }
    await ask(events({ websiteId }), { headers, env: { ...readable, CACHE: times } })
    vi.setSystemTime(Date.now() + 2000)
    const { headers: old } = await ask(events({ websiteId }), { headers, env: { ...readable, CACHE: times } })
    expect(old.get('server-timing')).toMatch(/^cache;desc=UPDATING;dur=\d+, total;dur=\d+$/)
    expect(toldLines()).toMatchObject([
      { cache: 'MISS', replica: 'clickhouse' },
      { cache: 'UPDATING', replica: 'clickhouse', tries: 1, statements: expect.any(Number) },
    ])
  })

  it('masks what ClickHouse quotes from a statement', async () => {
    reason = " doesn't fit: while executing (browser = 'Zaphod \\'B\\' x', 'y' in scope 'Zap"
    const { status, lines } = await ask(events({ websiteId: await websiteOf() }), { headers: await keyOf(undefined) })
    reason = ''
    expect(status).toBe(422)
    expect(lines[0]).toContain("doesn't fit: while executing (browser = '…', '…' in scope '…'")
    expect(lines[0]).not.toMatch(/zap/i)
  })
})

describe('a request id', () => {
  it('is contained in the ids of its statements in ClickHouse, which never repeat', async () => {
    const websiteId = await websiteOf()
    const headers = { ...(await keyOf(undefined)), 'x-request-id': 'same' }
    asked.length = 0
    for (const accept of ['application/json', 'application/json', 'text/csv']) {
      await ask(events({ websiteId }), { headers: { ...headers, accept } })
    }
    expect(asked.length).toBeGreaterThan(2)
    // Watermark reads do not belong to any request.
    const statements = asked.filter((parameters) => !parameters.get('query_id')?.startsWith('weir-watermark-'))
    const ids = statements.map((parameters) => parameters.get('query_id')!)
    expect(ids.filter((id) => !/^same-[\da-f]{12}$/.test(id))).toEqual([])
    expect(new Set(ids).size).toBe(ids.length)
    const comments = new Set(statements.map((parameters) => parameters.get('log_comment')!))
    expect([...comments].map((text) => JSON.parse(text))).toEqual([
      { requestId: 'same', endpoint: 'getWebsiteEvents', website: websiteId },
    ])
  })
})

describe('a request’s data point', () => {
  it('has the same fields as its log line', async () => {
    const websiteId = await websiteOf()
    const points: unknown[] = []
    const env = { ...readable, ANALYTICS: { writeDataPoint: (point: unknown) => void points.push(point) } }
    await ask(events({ websiteId }), { headers: await keyOf(undefined), env })
    const [{ totalMs, cacheMs, d1Ms, clickhouseMs, statements, rows, bytes }] = toldLines() as [Record<string, number>]
    expect(points).toEqual([
      {
        indexes: [websiteId],
        blobs: ['getWebsiteEvents', 'key', '200', '', 'MISS', 'clickhouse', 'http'],
        doubles: [totalMs, cacheMs, d1Ms, clickhouseMs, statements, 1, rows, bytes],
      },
    ])
  })

  it('may fail without affecting the answer', async () => {
    const env = { ANALYTICS: { writeDataPoint: failing } }
    const { status, lines } = await ask('/health', { env })
    expect(status).toBe(200)
    expect(JSON.parse(lines[0]!)).toMatchObject({ endpoint: 'health', analytics: expect.any(String) })
  })
})
