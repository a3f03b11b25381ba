import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { api } from '../src/app.ts'
import { places } from '../src/local/paths.ts'
import { forLong } from './support/cache-times.ts'
import { metadata } from './support/metadata.ts'
import { keyOf, websiteOf } from './support/people.ts'
import { events, share } from './support/ways.ts'
import { running } from './support/weir.ts'

type Headers = Readonly<Record<string, string>>

/** A text that no log may contain. Every failure here has it in its message. */
let slug: string

/** ClickHouse as it fails: whatever a statement is, and its text tells of the slug. */
let double: HttpServer
beforeAll(async () => {
  double = createServer((_, response) =>
    response.writeHead(500, { 'X-ClickHouse-Exception-Code': '241' }).end(`Code: 241. DB::Exception: of '${slug}'`),
  ).listen(0, '127.0.0.1')
  await new Promise((listening) => double.once('listening', listening))
})
afterAll(() => {
  double.closeAllConnections()
  double.close()
})

let written: MockInstance<(text: string) => void>
/** The lines of requests that did not fail. */
let told: MockInstance<(text: string) => void>[]
/** Failures are summed up for some seconds: each test has a time of its own. */
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

/** D1, but that it fails wherever a slug is looked for or stored. */
const failingD1 = {
  prepare: (query: string) => ({
    bind: (...values: unknown[]) =>
      values.includes(slug)
        ? { first: failing, all: failing, run: failing, isFailing: true }
        : metadata.prepare(query).bind(...values),
  }),
  batch: (statements: never[]) =>
    statements.some((one) => 'isFailing' in (one as object)) ? failing() : metadata.batch(statements),
}

/** Asks the Worker in this process; its status and the lines of its log. */
async function ask(
  path: string,
  { headers = {}, body, env = {} }: { headers?: Headers; body?: object; env?: object } = {},
): Promise<{ status: number; text: string; lines: string[] }> {
  const bindings = {
    METADATA: metadata,
    CLICKHOUSE_URL: `http://127.0.0.1:${(double.address() as AddressInfo).port}`,
    AUTH_SECRET: readFileSync(places(running.dataDir).authSecret, 'utf8'),
    ...env,
  }
  const work: Promise<unknown>[] = []
  const context = { waitUntil: (one: Promise<unknown>) => work.push(one), passThroughOnException() {}, props: {} }
  const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }
  const init = body ? { ...sent, body: JSON.stringify(body) } : { headers }
  const answer = await api().request(`http://weir${path}`, init, bindings, context as never)
  const text = await answer.text()
  await Promise.allSettled(work)
  return { status: answer.status, text, lines: written.mock.calls.map(([line]) => line) }
}

/** Something was logged, with what led to it, and not the slug. */
function withoutSlug(lines: readonly string[]): void {
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(line).toContain('…')
  expect(lines.filter((line) => line.includes(slug))).toEqual([])
}

describe('no log holds the slug of a share', () => {
  const d1 = { env: { METADATA: failingD1 } }

  it('that stands in the path', async () => {
    for (const path of [slug, `%${slug.charCodeAt(0).toString(16)}${slug.slice(1)}`]) {
      const { status, lines } = await ask(`/api/share/${path}`, d1)
      expect(status).toBe(503)
      withoutSlug(lines)
      expect(JSON.parse(lines[0]!)).toMatchObject({ endpoint: 'getShareBySlug', code: 'service-unavailable' })
    }
  })

  it('that stands in the query string', async () => {
    const websiteId = await websiteOf()
    const path = events({ websiteId })
    for (const query of [`share=${slug}`, `share=%${slug.charCodeAt(0).toString(16)}${slug.slice(1)}`]) {
      const { status, lines } = await ask(`${path}&${query}`, d1)
      expect(status).toBe(503)
      withoutSlug(lines)
      expect(JSON.parse(lines[0]!).endpoint).toBe('getWebsiteEvents')
    }
  })

  it('that stands in a body', async () => {
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

  it('that stands in the paths of a batch, or in its own URL', async () => {
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

  it('of a token or a website, in messages of ClickHouse, a limiter and the cache', async () => {
    const shared = await share({ allowExport: true })
    slug = shared.slug
    vi.stubGlobal('caches', { default: { match: failing, put: failing } })
    const limiter = { limit: failing }
    const env = { LIMIT_SHARE: limiter, LIMIT_KEY: limiter, LIMIT_REFUSALS: limiter, CACHE: forLong }
    for (const headers of [shared.headers, await keyOf(undefined)]) {
      for (const accept of ['application/json', 'text/csv']) {
        const { status, lines } = await ask(events(shared), { headers: { ...headers, accept }, env })
        expect(status).toBe(503)
        withoutSlug(lines)
      }
    }
    const { status, lines } = await ask(`${events(shared)}&surprise=x&share=${slug}`, { env })
    expect(status).toBe(400)
    withoutSlug(lines)
  })

  it('and only the slug is masked, however short it is', async () => {
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

  it('is logged in full once, then as a count with its requests', async () => {
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

  it('counts as another one if anything except numbers and ids differs', async () => {
    const [website, other] = [await websiteOf(), await websiteOf()]
    for (const id of [website, other]) await ask(`${events({ websiteId: id })}&share=${slug}`, d1)
    const { lines } = await ask(`/api/share/${slug}`, d1)
    expect(linesOf(lines).map(({ times }) => times)).toEqual([undefined, 2, undefined])
  })
})
