import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { parseServer, type Server } from '../../src/clickhouse/server.ts'
import type { Knowledge } from '../../src/query/language/known.ts'
import { sql } from '../../src/query/language/sql.ts'
import type { Inquiry, Result, Statement } from '../../src/query/language/statement.ts'
import { planKnowing, runKnowing } from '../../src/serve/known.ts'
import { routeTo } from '../support/route.ts'
import { isPing } from '../support/trials.ts'

/**
 * Tests how an isolate caches the data about a website that statements return. The ClickHouse here returns rows for
 * every statement.
 */

let double: HttpServer
let server: Server
let received: string[] = []
/** Whether the next statements for wanted data fail. */
let areRefused = false
/** How many rows the next statements for wanted data return. */
let wantedRows = 1
/** Whether the next cheaper statements give an answer. */
let answers = true

beforeAll(async () => {
  double = createServer(async (request, response) => {
    const body = await text(request)
    if (isPing(request)) return void response.end('Ok.\n')
    const name = /'(whole|cheaper|wanted)'/.exec(body)![1]!
    received.push(name)
    if (name === 'wanted' && areRefused) {
      return void response
        .writeHead(500)
        .end('Code: 241. DB::Exception: Query memory limit exceeded. (MEMORY_LIMIT_EXCEEDED)')
    }
    const data = Array.from({ length: name === 'wanted' ? wantedRows : 1 }, () => ({ one: 1 }))
    const statistics = { rows_read: 1000, bytes_read: 1 }
    response.end(JSON.stringify({ data, rows: data.length, statistics }))
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => double.once('listening', listening))
  server = parseServer({ CLICKHOUSE_URL: `http://127.0.0.1:${(double.address() as AddressInfo).port}/?database=weir` })
})

afterAll(() => {
  double.closeAllConnections()
  double.close()
})

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  answers = true
  areRefused = false
  wantedRows = 1
})

afterEach(() => void vi.useRealTimers())

const row = () => z.object({ one: z.number() })
const one: Result<{ one: number }> = { rows: [{ one: 1 }], total: 1 }

interface Asked {
  readonly websiteId?: string
  readonly key: string
  /** How long the data stays valid, in milliseconds. */
  readonly lasts?: number
  readonly once?: Inquiry['once']
  /** Identifies the statements that were tried with the data found. */
  readonly range?: string
}

/** The statements sent for a question. Known data allows a cheaper one, unless that one recently failed to answer. */
async function sent({ websiteId = 'website', key, lasts = 1000, once, range = key }: Asked): Promise<string[]> {
  received = []
  const wants: Inquiry = {
    ...{ key, statement: { body: sql`select 'wanted' as one`, row }, ...(once && { once }) },
    lasts(found) {
      if (wantedRows === 1) expect(found).toEqual(one)
      return lasts
    },
  }
  const cheaper = {
    ...{ statements: [{ body: sql`select 'cheaper' as one`, row }], name: range },
    result: ([found]: readonly Result<never>[]) => (answers ? (found as typeof one) : undefined),
  }
  const planning = (known?: Knowledge): { answer: Statement<{ one: number }> } => ({
    answer: {
      ...{ body: sql`select 'whole' as one`, row, wants },
      ...(known?.found.has(key) && !known.failed.has(range) && { cheaper: [cheaper] }),
    },
  })
  const route = routeTo(server)
  const plan = await planKnowing(websiteId, planning(), planning, route)
  expect(await runKnowing(websiteId, plan, route)).toEqual({ answer: one })
  return received
}

it('found data is cached for as long as it lasts, under its key and website', async () => {
  expect(await sent({ key: 'one' })).toEqual(['wanted', 'cheaper'])
  vi.setSystemTime(Date.now() + 999)
  expect(await sent({ key: 'one' })).toEqual(['cheaper'])
  expect(await sent({ key: 'another' })).toEqual(['wanted', 'cheaper'])
  expect(await sent({ key: 'one', websiteId: 'another' })).toEqual(['wanted', 'cheaper'])
  vi.setSystemTime(Date.now() + 1)
  expect(await sent({ key: 'one' })).toEqual(['wanted', 'cheaper'])
})

it('a question is answered without data that cannot be read', async () => {
  areRefused = true
  expect(await sent({ key: 'refused' })).toEqual(['wanted', 'whole'])
  areRefused = false
  expect(await sent({ key: 'refused' })).toEqual(['wanted', 'cheaper'])
})

it('a cheaper statement without an answer is skipped for a minute, and its data is dropped', async () => {
  const late = { key: 'late', lasts: 600_000 }
  answers = false
  expect(await sent(late)).toEqual(['wanted', 'cheaper', 'whole'])
  answers = true
  expect(await sent(late)).toEqual(['wanted', 'whole'])
  expect(await sent(late)).toEqual(['whole'])
  expect(await sent({ ...late, range: 'another range' })).toEqual(['cheaper'])
  vi.setSystemTime(Date.now() + 60_000)
  expect(await sent(late)).toEqual(['cheaper'])
})

it('some data is read only if a whole statement has read many rows within ten minutes', async () => {
  const few = { key: 'few', rows: 1001 }
  const many = { key: 'many', rows: 1000 }
  expect(await sent({ key: 'of few', once: few })).toEqual(['whole'])
  expect(await sent({ key: 'of few', once: few })).toEqual(['whole'])
  expect(await sent({ key: 'of many', once: many })).toEqual(['whole'])
  expect(await sent({ key: 'of many', once: many, websiteId: 'another' })).toEqual(['whole'])
  vi.setSystemTime(Date.now() + 599_999)
  for (const key of ['soon', 'later']) {
    expect(await sent({ key, once: many })).toEqual(['wanted', 'cheaper'])
    vi.setSystemTime(Date.now() + 599_999)
  }
  vi.setSystemTime(Date.now() + 1)
  expect(await sent({ key: 'late', once: many })).toEqual(['whole'])
})

it('only the latest 40 entries per website and the latest 100 websites are kept', async () => {
  const lasts = 600_000
  for (let key = 0; key <= 40; key++) await sent({ websiteId: 'bounded', key: `${key}`, lasts })
  expect(await sent({ websiteId: 'bounded', key: '1', lasts })).toEqual(['cheaper'])
  expect(await sent({ websiteId: 'bounded', key: '0', lasts })).toEqual(['wanted', 'cheaper'])
  expect(await sent({ websiteId: 'first', key: 'one', lasts })).toEqual(['wanted', 'cheaper'])
  for (let place = 1; place < 100; place++) await sent({ websiteId: `${place}`, key: 'one', lasts })
  expect(await sent({ websiteId: 'first', key: 'one', lasts })).toEqual(['cheaper'])
  for (let place = 100; place < 200; place++) await sent({ websiteId: `${place}`, key: 'one', lasts })
  expect(await sent({ websiteId: 'first', key: 'one', lasts })).toEqual(['wanted', 'cheaper'])
})

it('expired data is dropped first', async () => {
  expect(await sent({ websiteId: 'over', key: 'stays', lasts: 600_000 })).toEqual(['wanted', 'cheaper'])
  for (let key = 1; key < 40; key++) await sent({ websiteId: 'over', key: `${key}` })
  vi.setSystemTime(Date.now() + 1000)
  expect(await sent({ websiteId: 'over', key: 'one more' })).toEqual(['wanted', 'cheaper'])
  expect(await sent({ websiteId: 'over', key: 'stays' })).toEqual(['cheaper'])
})

it('at most the latest eight million characters are kept, over all websites', async () => {
  const [lasts, websites] = [600_000, ['long', 'longer', 'longest']]
  // Each answer has three million characters.
  wantedRows = 300_000
  for (const websiteId of websites) {
    expect(await sent({ websiteId, key: 'notes', lasts })).toEqual(['wanted', 'cheaper'])
  }
  expect(await sent({ websiteId: 'longest', key: 'notes', lasts })).toEqual(['cheaper'])
  expect(await sent({ websiteId: 'longer', key: 'notes', lasts })).toEqual(['cheaper'])
  expect(await sent({ websiteId: 'long', key: 'notes', lasts })).toEqual(['wanted', 'cheaper'])
})
