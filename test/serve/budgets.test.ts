import { randomUUID } from 'node:crypto'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient } from '@clickhouse/client-web'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { parseServer } from '../../src/clickhouse/server.ts'
import { callsStep, datasetSteps, demoPlan } from '../../src/local/dataset/index.ts'
import { bundled } from '../../src/local/start/workerd.ts'
import { type Beside, startBeside } from '../support/beside.ts'
import { newShare, operator } from '../support/callers.ts'
import { inTurn } from '../support/long.ts'
import { describedIn } from '../support/openapi.ts'
import { keyOf, websiteOf } from '../support/people.ts'
import { storeUnmasked } from '../support/played.ts'
import { failed } from '../support/refusals.ts'
import { reports } from '../support/reports.ts'
import { askOf, pathTo, savedFor } from '../support/requests.ts'
import { seed } from '../support/seed.ts'
import { clickhouse, newWebsite, pathOf, type Reply, running } from '../support/weir.ts'

/** A proxy in front of ClickHouse that holds statements about one website and records their limits. */
const proxy = {
  heavy: randomUUID() as string,
  held: [] as (() => void)[],
  ...{ limits: [] as string[], rowsRead: 0, status: 0 },
}

let double: HttpServer
let worker: Beside
const light = randomUUID()

const concurrency = { isolate: 4, website: 2, caller: 3, waiting: 20, patience: 25 }

beforeAll(async () => {
  const engine = parseServer({ CLICKHOUSE_URL: running.clickhouse })
  double = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url!, engine.url)
    if (proxy.status > 0) return void response.writeHead(proxy.status).end()
    if (Buffer.concat(chunks).includes(proxy.heavy) || url.search.includes(proxy.heavy)) {
      proxy.limits.push(url.searchParams.get('max_execution_time')!)
      await new Promise<void>((resolve) => proxy.held.push(resolve))
    }
    // A condition cached by one statement would save the next statement some reads.
    url.searchParams.set('use_query_condition_cache', '0')
    const { host: _, 'content-length': __, ...headers } = request.headers as Record<string, string>
    const answer = await fetch(url, { method: 'POST', headers, body: Buffer.concat(chunks) })
    const text = await answer.text()
    proxy.rowsRead += Number(/"rows_read": (\d+)/.exec(text)?.[1] ?? 0)
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => double.once('listening', listening))
  const url = `http://127.0.0.1:${(double.address() as AddressInfo).port}`
  const { bindings, ...options } = bundled(running.dataDir, 0, { ...engine, url })
  worker = await startBeside({ ...options, bindings: { ...bindings, CONCURRENCY: concurrency } })
  await newWebsite(proxy.heavy)
  await newWebsite(light)
})

afterEach(() => release())
afterAll(async () => {
  await worker.close()
  double.closeAllConnections()
  double.close()
})

function release(): void {
  for (const go of proxy.held.splice(0)) go()
}

const wide = { startAt: 1, endAt: 1_760_572_799_999 }

async function ask(path: string, query: object = {}, init: RequestInit = {}) {
  const whole = pathOf(path, query as Record<string, string>)
  const response = await fetch(worker.url + whole, { ...init, headers: { ...operator, ...init.headers } })
  const text = await response.text()
  const body = text === '' ? undefined : JSON.parse(text)
  await describedIn(init.method ?? 'GET', whole, response.status, body)
  return { status: response.status, headers: response.headers, body }
}

const weekly = (websiteId: string, query: object = {}, init: RequestInit = {}) =>
  ask(`/api/websites/${websiteId}/sessions/weekly`, { ...wide, ...query }, init)

describe('a website with many expensive questions', () => {
  it('runs and queues a limited number of statements; more are refused, while other websites respond', async () => {
    const ended: Reply[] = []
    const heavy = Array.from({ length: 30 }, () => weekly(proxy.heavy).then((reply) => void ended.push(reply)))
    await expect.poll(() => [proxy.held.length, ended.length], { timeout: 20_000 }).toEqual([2, 8])
    for (const refused of ended) {
      failed(refused, { status: 503, code: 'service-unavailable' })
      expect(refused.body.error.message).toMatch(/about this website.*startAt, endAt/)
      expect(refused.headers.get('retry-after')).toBe('3')
    }
    for (let question = 0; question < 5; question++) expect((await weekly(light)).status).toBe(200)
    expect([ended.length, proxy.held.length]).toEqual([8, 2])
    const releasing = setInterval(release, 5)
    await Promise.all(heavy)
    clearInterval(releasing)
    expect(ended.slice(8).map(({ status }) => status)).toEqual(Array(22).fill(200))
  })

  it('frees its turns after failures', async () => {
    proxy.status = 500
    for (let question = 0; question < 6; question++) expect((await weekly(light)).status).toBe(503)
    proxy.status = 0
    await expect.poll(async () => (await weekly(light)).status).toBe(200)
    const replies = await Promise.all(Array.from({ length: 4 }, () => weekly(light)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  })
})

describe('a replay', () => {
  it('starts to arrive before ClickHouse has returned the rest', async () => {
    const since = Date.now() - 10_000
    const parts = [0, 1, 2, 3].map((part) => ({ type: 3, timestamp: since + 1000 * part, data: 'x'.repeat(1_500_000) }))
    const visit = randomUUID()
    for (const event of parts) await storeUnmasked(proxy.heavy, [event], visit)
    const asked = fetch(`${worker.url}/api/websites/${proxy.heavy}/replays/${visit}`, { headers: operator })
    const isHeld = () => expect.poll(() => proxy.held.length).toBe(1)
    // These are the list of its chunks, and the first two chunks. Each statement requests several megabytes.
    for (let statement = 0; statement < 3; statement++) {
      await isHeld()
      release()
    }
    const reader = (await asked).body!.getReader()
    const { value } = await reader.read()
    expect(new TextDecoder().decode(value)).toContain(`"timestamp":${since}`)
    const releasing = setInterval(release, 5)
    let text = new TextDecoder().decode(value)
    for (let next = await reader.read(); !next.done; next = await reader.read())
      text += new TextDecoder().decode(next.value)
    clearInterval(releasing)
    expect(JSON.parse(text)).toMatchObject({ events: parts, eventCount: 4, chunkCount: 4 })
  })
})

describe('a deadline', () => {
  const isLate = (reply: Reply) => {
    failed(reply, { status: 503, code: 'service-unavailable' })
    expect(reply.body.error.message).toMatch(/deadline.*startAt, endAt/)
  }
  const json = { 'content-type': 'application/json' }

  it('limits the time of all statements, and causes a 503 once it has passed', async () => {
    proxy.limits.length = 0
    let reply = await weekly(proxy.heavy, { deadline: '400' })
    isLate(reply)
    // On a busy machine, the deadline may pass before a statement is sent.
    for (; proxy.limits.length === 0; isLate(reply)) reply = await weekly(proxy.heavy, { deadline: '400' })
    expect(reply.headers.get('retry-after')).toBe('5')
    const given = proxy.limits.map(Number)
    expect(given.filter((limit) => limit > 0.4)).toEqual([])
    expect(given.length).toBeGreaterThan(0)
    expect((await weekly(light, { deadline: '20000' })).status).toBe(200)
  })

  it('applies to all paths of a batch, whose own deadlines are refused', async () => {
    const path = (id: string, more = '') =>
      `/api/websites/${id}/sessions/weekly?startAt=100000000000&endAt=100000000001${more}`
    const paths = [path(proxy.heavy), path(light), path(light, '&deadline=1')]
    const body = JSON.stringify({ paths })
    const reply = await ask('/api/read', { deadline: '5000' }, { method: 'POST', headers: json, body })
    expect(reply.body.answers.map(({ status }: { status: number }) => status)).toEqual([503, 200, 400])
  })

  it('is in a POST’s query string', async () => {
    const filters = {}
    const parameters = { ...wide, type: 'path', value: '/' }
    const body = JSON.stringify({ websiteId: proxy.heavy, type: 'goal', filters, parameters })
    const init = { method: 'POST', headers: json, body }
    isLate(await ask('/api/reports/goal', { deadline: '400' }, init))
    expect((await ask('/api/reports/goal', { deadline: '0' }, init)).status).toBe(400)
  })

  it.each(['', '0', '99', '-1', '1.5', '1e3', 'soon', '3600001', '99999999999999999999'])(
    'is a 400 if it is invalid: %j',
    async (deadline) => {
      const reply = await weekly(light, { deadline })
      const message = 'Must be a whole number from 100 to 3600000, in plain decimal digits.'
      expect([reply.status, reply.body.error.issues]).toEqual([400, [{ path: 'deadline', message }]])
    },
  )
})

describe('the price estimate', () => {
  let demo: string
  let ids: Record<string, string>
  let name: string
  const last = Date.now()
  const days = (count: number) => ({ startAt: String(last - count * 86_400_000), endAt: String(last) })

  beforeAll(async () => {
    demo = await newWebsite()
    const { timeout: _, ...server } = parseServer({ CLICKHOUSE_URL: running.clickhouse })
    const client = createClient(server)
    for (const { query, query_params } of [...datasetSteps(demoPlan(demo, 10_000, last)), callsStep(demo)]) {
      await client.command({ query, query_params })
    }
    await client.close()
    const [row] = await clickhouse<{ event_name: string; event_id: string; session_id: string }>(
      `select event_name, event_id, session_id from custom_events where website_id = '${demo}' and shape != ''
        order by created_at desc limit 1`,
    )
    ids = { websiteId: demo, eventId: row!.event_id, sessionId: row!.session_id }
    name = row!.event_name
  })

  // Each `npm test` run uses a different eighth of the reports.
  it.each(inTurn(reports, seed, 8).map((report) => [report.name, report] as const))(
    'is within a factor of ten of the rows read: %s',
    async (_name, report) => {
      const isNamed = 'eventName' in report.example.query
      const path = await savedFor(report, demo)
      for (const range of report.query.ignored.has('startAt') ? [{}] : [days(200)]) {
        const more = { ...range, ...(isNamed && { eventName: name }) }
        const init = askOf(report, {}, { websiteId: demo })
        const whole = report.method === 'post' ? pathTo(report, ids) : pathTo(report, { ...ids, ...path }, more)
        const { parameters, ...rest } = typeof init.body === 'string' ? JSON.parse(init.body) : { parameters: {} }
        const asked = {
          ...init,
          ...(init.body && { body: JSON.stringify({ ...rest, parameters: { ...parameters, ...more } }) }),
        }
        const price = await ask(`${whole}${whole.includes('?') ? '&' : '?'}dryRun=1`, {}, asked)
        proxy.rowsRead = 0
        const answer = await ask(whole, {}, asked)
        expect([price.status, answer.status]).toEqual([200, 200])
        const { rows, tables } = price.body as { rows: number; tables: { rows: number }[] }
        expect(tables.reduce((sum, one) => sum + one.rows, 0)).toBe(rows)
        const [least, most] = [rows, proxy.rowsRead].sort((one, other) => one - other)
        expect(most! + 1, JSON.stringify({ range, read: proxy.rowsRead, ...price.body })).toBeLessThanOrEqual(
          10 * (least! + 1),
        )
      }
    },
  )

  const events = (websiteId: string, query: object, init: RequestInit = {}) =>
    ask(`/api/websites/${websiteId}/events`, { ...days(20), ...query }, init)

  it('reads no data, is not cached, and also works in a batch and for an export', async () => {
    proxy.rowsRead = 0
    const price = await events(demo, { dryRun: 'true' })
    expect(price.body).toEqual({
      tables: expect.arrayContaining([{ table: 'events', rows: expect.any(Number), parts: expect.any(Number) }]),
      rows: expect.any(Number),
      sources: {},
    })
    expect(price.headers.get('content-type')).toBe('application/vnd.weir.price+json')
    expect([price.headers.get('cache-control'), price.headers.get('etag')]).toEqual(['private, no-store', null])
    expect(proxy.rowsRead).toBeLessThan(100)
    const paths = [pathOf(`/api/websites/${demo}/events`, { ...days(20), dryRun: '1' })]
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ paths }) }
    expect((await ask('/api/read', {}, init)).body.answers).toMatchObject([{ status: 200, body: price.body }])
    const ofExport = await events(demo, { dryRun: '1' }, { headers: { accept: 'text/csv' } })
    expect(ofExport.body.rows).toBeGreaterThan(price.body.rows / 10)
    expect((await events(demo, { dryRun: '0' })).body).toHaveProperty('data')
  })

  it('shows the source of statistics, and why better sources cannot answer', async () => {
    const sourcesOf = async (count: number, more: object = {}) =>
      (await ask(`/api/websites/${demo}/sessions/stats`, { ...days(count), ...more, dryRun: '1' })).body.sources.totals
    const refused = { refused: expect.stringMatching(/^[A-Z].*\.$/) }
    const [sealed, hours] = [{ source: 'sealed hours', ...refused }, { source: 'hours' }]
    expect(await sourcesOf(60)).toEqual([sealed, hours])
    const fromEvents = [sealed, { ...hours, ...refused }, { source: 'events' }]
    expect([await sourcesOf(1), await sourcesOf(60, { path: '/' })]).toEqual([fromEvents, fromEvents])
  })

  it('starts at the reset, and validates filters', async () => {
    const reset = await websiteOf({}, { reset_at: last })
    expect((await events(reset, { dryRun: '1' })).body.rows).toBeLessThan(20_000)
    const wrong = await events(demo, { dryRun: '1', path: 're.(' })
    expect([wrong.status, wrong.body.error.issues]).toMatchObject([400, [{ path: 'path' }]])
  })

  it('is available to callers who may read the report, unless filters are locked', async () => {
    const other = await keyOf(undefined, { websiteIds: [light] })
    failed(await events(demo, { dryRun: '1' }, { headers: other }), { status: 403, code: 'forbidden' })
    const [open, locked] = [
      await newShare(demo, { events: true }),
      await newShare(demo, { events: true, filters: { browser: 'chrome' } }),
    ]
    const through = (headers: object) =>
      fetch(`${worker.url}${pathOf(`/api/websites/${demo}/events`, { ...days(20), dryRun: '1' })}`, {
        headers: headers as Record<string, string>,
      })
    expect((await through(open.headers)).status).toBe(200)
    expect((await through(locked.headers)).status).toBe(403)
  })

  it('is refused if its value is invalid', async () => {
    const reply = await events(demo, { dryRun: 'yes' })
    expect([reply.status, reply.body.error.issues]).toMatchObject([400, [{ path: 'dryRun' }]])
  })
})
