import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { parseServer } from '../../src/clickhouse/server.ts'
import { bundled } from '../../src/local/start/workerd.ts'
import { type Beside, startBeside } from '../support/beside.ts'
import { type Headers, newShare } from '../support/callers.ts'
import { keyOf, newPerson, websiteOf } from '../support/people.ts'
import { isPing } from '../support/trials.ts'
import { day } from '../support/website.ts'
import { pathOf, running } from '../support/weir.ts'

/** A statement as ClickHouse receives it. */
interface Sent {
  readonly user: string
  readonly settings: URLSearchParams
}

/** A proxy in front of ClickHouse, with two users. It can hold or refuse one user's statements. */
const proxy = {
  sent: [] as Sent[],
  held: [] as (() => void)[],
  isHeld: (_: Sent) => false,
  isRefused: (_: Sent) => false,
}

let double: HttpServer
/**
 * Two Workers have a user for visitors, but one has none. After a hang, a Worker sends ClickHouse nothing for a while.
 */
let worker: Beside
let fresh: Beside
let plain: Beside
let logged: string[]

let websiteId: string
let own: Headers
let share: Headers
const everyone: Headers = {}

const concurrency = { isolate: 12, website: 8, caller: 12, openings: 2, waiting: 20, patience: 20 }
const visitor = { CLICKHOUSE_VISITOR_PASSWORD: 'the password of visitors' }

beforeAll(async () => {
  const engine = parseServer({ CLICKHOUSE_URL: running.clickhouse })
  double = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url!, engine.url)
    const [, basic = ''] = /^Basic (.*)$/.exec(request.headers.authorization ?? '') ?? []
    const [user = '', password] = Buffer.from(basic, 'base64').toString().split(':')
    const sent = { user, settings: url.searchParams }
    if (user === 'weir_visitor') expect(password).toBe(visitor.CLICKHOUSE_VISITOR_PASSWORD)
    if (!isPing(request)) proxy.sent.push(sent)
    if (proxy.isRefused(sent)) {
      return void response
        .writeHead(500, { 'X-ClickHouse-Exception-Code': '201' })
        .end('Code: 201. DB::Exception: Quota')
    }
    if (proxy.isHeld(sent)) await new Promise<void>((resolve) => proxy.held.push(resolve))
    const authorization = `Basic ${Buffer.from(`${engine.username}:${engine.password}`).toString('base64')}`
    const { host: _, 'content-length': __, ...headers } = request.headers as Record<string, string>
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, authorization },
      body: Buffer.concat(chunks),
    })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => double.once('listening', listening))
  const url = `http://127.0.0.1:${(double.address() as AddressInfo).port}`
  const { bindings, ...options } = bundled(running.dataDir, 0, { ...engine, url, username: 'weir_reader' })
  const { CLICKHOUSE_VISITOR_USER: _, CLICKHOUSE_VISITOR_PASSWORD: __, ...others } = bindings
  const limited = { ...others, CONCURRENCY: concurrency }
  logged = []
  const withVisitor = { ...options, bindings: { ...limited, ...visitor } }
  worker = await startBeside(withVisitor)
  fresh = await startBeside(withVisitor)
  plain = await startBeside(
    { ...options, bindings: limited },
    {
      handleRuntimeStdio(output: Readable, errors: Readable) {
        for (const stream of [output, errors]) stream.on('data', (data: Buffer) => logged.push(String(data)))
      },
    },
  )
  const owner = await newPerson()
  websiteId = await websiteOf(
    { userId: owner.id },
    { public: JSON.stringify({ events: true, sessions: true, allowExport: true }) },
  )
  share = (await newShare(websiteId, { events: true, sessions: true })).headers
  own = await keyOf(owner)
})

afterEach(() => {
  Object.assign(proxy, { isHeld: () => false, isRefused: () => false, sent: [] })
  for (const go of proxy.held.splice(0)) go()
})

afterAll(async () => {
  await worker.close()
  await fresh.close()
  await plain.close()
  double.closeAllConnections()
  double.close()
})

/** Whether the statement is neither a watermark read nor a trial request. */
const isStatement = ({ settings }: Sent): boolean => !settings.get('query_id')?.startsWith('weir-')

const isVisitors = (sent: Sent): boolean => sent.user === 'weir_visitor' && isStatement(sent)

async function ask(headers: Headers, query: object = {}, to = worker): Promise<{ status: number; text: string }> {
  const path = pathOf(`/api/websites/${websiteId}/events`, { ...day, ...query } as never)
  const response = await fetch(to.url + path, { headers })
  return { status: response.status, text: await response.text() }
}

/** The statements sent for an answer. */
async function statementsOf(headers: Headers, query: object = {}, to = worker): Promise<Sent[]> {
  proxy.sent = []
  expect((await ask(headers, query, to)).status).toBe(200)
  return proxy.sent.filter(isStatement)
}

describe('the statements for a share or a public website', () => {
  it.each(['', 'text/csv'])(
    'run as weir_visitor with one thread; all others run as weir_reader: %s',
    async (accept) => {
      for (const headers of [share, everyone]) {
        if (accept && headers === share) continue
        const sent = await statementsOf({ ...headers, ...(accept && { accept }) })
        expect(sent.length).toBeGreaterThan(0)
        for (const { user, settings } of sent) {
          expect([user, settings.get('max_threads'), settings.get('max_block_size')]).toEqual([
            ...['weir_visitor', '1', '8192'],
          ])
        }
      }
      for (const { user, settings } of await statementsOf({ ...own, ...(accept && { accept }) })) {
        expect([user, settings.get('max_threads')]).toEqual(['weir_reader', null])
      }
    },
  )

  it('also run as weir_visitor for price estimates', async () => {
    for (const { user } of await statementsOf(everyone, { dryRun: '1' })) expect(user).toBe('weir_visitor')
    for (const { user } of await statementsOf(own, { dryRun: '1' })) expect(user).toBe('weir_reader')
  })

  it('run as weir_reader if no user is configured for them, with one warning in the log', async () => {
    for (let time = 0; time < 3; time++) {
      for (const { user, settings } of await statementsOf(everyone, {}, plain)) {
        expect([user, settings.get('max_threads')]).toEqual(['weir_reader', '1'])
      }
    }
    const warnings = () => logged.join('').match(/CLICKHOUSE_VISITOR_PASSWORD is not set/g) ?? []
    await expect.poll(() => warnings().length).toBe(1)
    await ask(share, {}, plain)
    expect(warnings()).toHaveLength(1)
  })

  it('have five seconds, or less on request; for exports, only statements with patterns have this limit', async () => {
    const limits = async (headers: Headers, query: object = {}) =>
      (await statementsOf(headers, query)).map(({ settings }) => Number(settings.get('max_execution_time')))
    for (const limit of await limits(everyone)) expect(limit).toBeLessThanOrEqual(5)
    for (const limit of await limits(share, { deadline: '60000' })) expect(limit).toBeLessThanOrEqual(5)
    for (const limit of await limits(share, { deadline: '2000' })) expect(limit).toBeLessThanOrEqual(2)
    for (const limit of await limits(own)) expect(limit).toBeGreaterThan(5)
    const csv = { accept: 'text/csv' }
    for (const limit of await limits(csv)) expect(limit).toBeGreaterThan(100)
    for (const limit of await limits(csv, { path: 're.a' })) expect(limit).toBeLessThanOrEqual(5)
  })

  it('end in time if ClickHouse does not respond, even all paths of a batch together', async () => {
    proxy.isHeld = isVisitors
    const began = Date.now()
    const path = pathOf(`/api/websites/${websiteId}/events`, { startAt: 1e11, endAt: 1e11 + 1 })
    const paths = Array.from({ length: 14 }, (_, index) => `${path}&page=${index + 1}`)
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ paths }) }
    const [alone, together] = await Promise.all([
      ask(everyone),
      fetch(`${worker.url}/api/read`, init).then((response) => response.json()),
    ])
    expect([alone.status, alone.text]).toEqual([503, expect.stringContaining('deadline')])
    const { answers } = together as { answers: { status: number }[] }
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    expect(Date.now() - began).toBeLessThan(12_000)
  })
})

describe('readers with a right of their own', () => {
  it('get answers while readers of shares and public websites use up their turns', async () => {
    proxy.isHeld = isVisitors
    const ended: number[] = []
    const visits = Array.from({ length: 30 }, (_, index) =>
      ask(index % 2 ? share : everyone, { page: String(index + 1) }, fresh).then(
        ({ status }) => void ended.push(status),
      ),
    )
    // A question has two statements. For all openings together, two statements run and twenty wait in the queue.
    await expect.poll(() => proxy.held.length, { timeout: 10_000 }).toBe(2)
    for (let time = 1; time <= 5; time++) expect((await ask(own, { page: String(time) }, fresh)).status).toBe(200)
    expect(proxy.held.length).toBe(2)
    await Promise.all(visits)
    expect(ended).toEqual(Array(30).fill(503))
  })

  it('get answers while the quota for shares and public websites is used up', async () => {
    proxy.isRefused = isVisitors
    for (let time = 0; time < 5; time++) {
      expect((await ask(everyone)).status).toBe(503)
      expect((await ask(own)).status).toBe(200)
    }
  })
})
