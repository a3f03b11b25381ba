import { createServer, type Server as HttpServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import { maxAnswerBytes } from '../../src/clickhouse/query.ts'
import { run, runAll } from '../../src/clickhouse/run.ts'
import { parseServer, type Server } from '../../src/clickhouse/server.ts'
import { type Fragment, type Result, type Statement, sql, text } from '../../src/query/language/sql.ts'
import { routeTo } from '../support/route.ts'
import { isPing } from '../support/trials.ts'

/** A ClickHouse that records requests, and by default answers one row. */
let double: HttpServer
let behave: RequestListener | undefined
let server: Server
let received: { fields: URLSearchParams; body: string }[] = []

beforeAll(async () => {
  double = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const fields = new URL(request.url!, 'http://double').searchParams
    received.push({ fields, body: Buffer.concat(chunks).toString() })
    if (isPing(request)) response.end('Ok.\n')
    else if (behave) behave(request, response)
    else response.end('{"data":[{"one":1}],"rows":1}')
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => double.once('listening', listening))
  server = parseServer({ CLICKHOUSE_URL: `http://127.0.0.1:${(double.address() as AddressInfo).port}/?database=weir` })
})

beforeEach(() => {
  received = []
  behave = undefined
})

afterAll(() => {
  double.closeAllConnections()
  double.close()
})

const statement = (body: Fragment): Statement<{ one: number }> => ({ body, row: () => z.object({ one: z.number() }) })
const ask = (body: Fragment) => run(routeTo(server), statement(body), new AbortController().signal)

describe('a statement', () => {
  it('is sent read-only, with the settings that the profile of weir_reader lets pass', async () => {
    expect(await ask(sql`select 1 as one`)).toEqual({ rows: [{ one: 1 }], total: 1 })
    expect(received).toHaveLength(1)
    const { query_id: _, ...fields } = Object.fromEntries(received[0]!.fields)
    expect(fields).toEqual({
      database: 'weir',
      readonly: '2',
      max_execution_time: '30',
      wait_end_of_query: '1',
      cancel_http_readonly_queries_on_client_close: '1',
      output_format_json_quote_64bit_integers: '0',
      optimize_use_projections: '0',
      compile_expressions: '0',
      compile_aggregate_expressions: '0',
      max_result_bytes: '67108864',
    })
  })

  it('may have a limit of memory of its own', async () => {
    const bounded = { ...server, mostMemory: 2_000_000 }
    await run(routeTo(bounded), statement(sql`select 1 as one`), new AbortController().signal)
    expect(received[0]!.fields.get('max_memory_usage')).toBe('2000000')
  })

  it.each<[string, string]>([
    ['Code: 241. DB::Exception: Query memory limit exceeded: would use 2.00 GiB. (MEMORY_LIMIT_EXCEEDED)', 'Narrow'],
    ['Code: 158. DB::Exception: Limit for rows to read exceeded. (TOO_MANY_ROWS)', 'Narrow'],
    ['Code: 241. DB::Exception: (total) memory limit exceeded. (MEMORY_LIMIT_EXCEEDED)', 'Try again'],
    ['Code: 307. DB::Exception: Limit for bytes to read exceeded. (TOO_MANY_BYTES)', 'Narrow'],
    ['Code: 396. DB::Exception: Limit for result exceeded. (TOO_MANY_ROWS_OR_BYTES)', 'limit, pageSize'],
    ['Code: 159. DB::Exception: Timeout exceeded. (TIMEOUT_EXCEEDED)', 'deadline'],
    ['Code: 160. DB::Exception: Estimated query execution time is too long. (TOO_SLOW)', 'deadline'],
  ])('says whether to narrow it or to try again: %s', async (text, advice) => {
    behave = (_, response) => response.writeHead(500).end(`${text}\n`)
    await expect(ask(sql`select 1 as one`)).rejects.toMatchObject({
      code: 'service-unavailable',
      message: expect.stringContaining(advice),
    })
  })

  it.each<[string, Fragment]>([
    ['an insert', sql`insert into ingest (event_name) values (${text('x')})`],
    ['an insert that begins as a query might', sql`with 1 as one insert into events select one`],
    ['a table dropped', sql`drop table events`],
    ['a table changed', sql`alter table events delete where true`],
    ['a plan', sql`explain select 1`],
    ['the estimate of an insert', sql`explain estimate insert into events select 1`],
    ['a setting', sql`set readonly = 0`],
    ['nothing', sql``],
    ['a word that only begins like it', sql`selected`],
  ])('that is no select is our own bug, and is never sent: %s', async (_, body) => {
    await expect(ask(body)).rejects.toMatchObject({
      code: 'server-error',
      message: 'Something went wrong on our side.',
      cause: { message: expect.stringContaining('Only a select may be sent') },
    })
    expect(received).toEqual([])
  })
})

describe('a cheaper statement', () => {
  const cheaper = (result: () => Result<{ one: number }> | undefined, triedAs: string) => ({
    ...{ statement: statement(sql`select 2 as one`), result, triedAs },
  })
  const whole = statement(sql`select 1 as one`)
  const sent = () => received.map(({ fields, body }) => fields.get('query') ?? body)
  const { signal } = new AbortController()

  it('that several statements of a plan share is sent once', async () => {
    const both = { ...whole, cheaper: cheaper(() => ({ rows: [{ one: 7 }], total: 1 }), 'shared') }
    expect(await runAll(routeTo(server), { a: both, b: both })).toEqual({
      a: { rows: [{ one: 7 }], total: 1 },
      b: { rows: [{ one: 7 }], total: 1 },
    })
    expect(sent()).toHaveLength(1)
  })

  it('that did not suffice is left out by questions with its key', async () => {
    const one = { ...whole, cheaper: cheaper(() => undefined, 'left out') }
    for (const statements of [2, 3]) {
      expect(await run(routeTo(server), one, signal)).toEqual({ rows: [{ one: 1 }], total: 1 })
      expect(received).toHaveLength(statements)
    }
    expect(sent().map((text) => /select \d/.exec(text)?.[0])).toEqual(['select 2', 'select 1', 'select 1'])
    await run(routeTo(server), { ...whole, cheaper: cheaper(() => undefined, 'of others') }, signal)
    expect(received).toHaveLength(5)
  })
})

describe('an answer', () => {
  const piece = Buffer.alloc(1024 * 1024, ' ')

  /** Sends as much as the reader takes, up to many times the limit. Resolves with the number of bytes. */
  const endless =
    (status: number, ended: (bytes: number) => void): RequestListener =>
    (_, response) => {
      let sent = 0
      response.on('close', () => ended(sent))
      response.writeHead(status)
      const more = (): void => {
        if (sent >= 8 * maxAnswerBytes) return void response.end()
        sent += piece.length
        response.write(piece, (error) => error ?? more())
      }
      more()
    }

  it.each([200, 500])(
    'that does not end is read up to a point and no further, and is a 503: status %i',
    async (status) => {
      const taken = new Promise<number>((ended) => {
        behave = endless(status, ended)
      })
      await expect(ask(sql`select 1 as one`)).rejects.toMatchObject({
        code: 'service-unavailable',
        headers: { 'Retry-After': '5' },
      })
      expect(await taken).toBeLessThan(2 * maxAnswerBytes)
    },
  )

  it('of as much as may be read is read', async () => {
    const answer = '{"data":[{"one":1}],"rows":1}'
    behave = (_, response) => {
      response.write(answer)
      response.end(Buffer.alloc(maxAnswerBytes - answer.length, ' '))
    }
    expect(await ask(sql`select 1 as one`)).toEqual({ rows: [{ one: 1 }], total: 1 })
  })
})

describe('a cheaper statement that is made with what another one found', () => {
  const whole = statement(sql`select 'whole' as one`)

  /** Which statements are sent for a question with this key; what is found lasts `lasts` milliseconds. */
  async function sent(
    key: string,
    lasts: number,
    then: 'nothing is made' | 'it answers' | 'it does not' | 'it has no rows',
    after?: { readonly key: string; readonly rows: number },
    range = key,
  ): Promise<string[]> {
    received = []
    const statistics = { rows_read: 1000, bytes_read: 1 }
    behave = (_, response) => {
      const isEmpty = then === 'it has no rows' && received.at(-1)!.body.includes("'cheaper'")
      const data = isEmpty ? [] : [{ one: 1 }]
      response.end(JSON.stringify({ data, rows: data.length, statistics }))
    }
    const result = (early: Result<never>) => (then === 'it answers' ? early : undefined)
    const made = { statement: statement(sql`select 'cheaper' as one`), result, triedAs: `cheaper ${range}` }
    const given = {
      ...{ key, statement: statement(sql`select 'given' as one`), lasts: () => lasts },
      cheaper(found: Result<never>) {
        expect(found).toEqual({ rows: [{ one: 1 }], total: 1 })
        return then === 'nothing is made' ? undefined : made
      },
      after,
    }
    const asked = { ...whole, cheaper: { ...made, given } }
    expect(await run(routeTo(server), asked, new AbortController().signal)).toEqual({ rows: [{ one: 1 }], total: 1 })
    return received.map(({ body }) => /'(whole|cheaper|given)'/.exec(body)![1]!)
  }

  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  it('keeps what was found for as long as it lasts, under its key', async () => {
    expect(await sent('one', 1000, 'it answers')).toEqual(['given', 'cheaper'])
    vi.setSystemTime(Date.now() + 999)
    expect(await sent('one', 1000, 'it answers')).toEqual(['cheaper'])
    expect(await sent('another', 1000, 'it answers')).toEqual(['given', 'cheaper'])
    vi.setSystemTime(Date.now() + 1)
    expect(await sent('one', 1000, 'it answers')).toEqual(['given', 'cheaper'])
  })

  it('is not made where what was found says so', async () => {
    expect(await sent('small', 1000, 'nothing is made')).toEqual(['given', 'whole'])
    expect(await sent('small', 1000, 'nothing is made')).toEqual(['whole'])
  })

  it('is left out for a minute where it did not answer, and what was found is forgotten', async () => {
    expect(await sent('late', 600_000, 'it does not')).toEqual(['given', 'cheaper', 'whole'])
    expect(await sent('late', 600_000, 'it answers')).toEqual(['given', 'whole'])
    expect(await sent('late', 600_000, 'it answers')).toEqual(['whole'])
    expect(await sent('late', 600_000, 'it answers', undefined, 'another range')).toEqual(['cheaper'])
    vi.setSystemTime(Date.now() + 60_000)
    expect(await sent('late', 600_000, 'it answers')).toEqual(['cheaper'])
  })

  it('is neither left out nor forgotten where it has no rows: nothing says that it does not answer', async () => {
    expect(await sent('empty', 600_000, 'it has no rows')).toEqual(['given', 'cheaper', 'whole'])
    expect(await sent('empty', 600_000, 'it answers')).toEqual(['cheaper'])
  })

  it('is looked for only after a whole statement that read as many rows, for ten minutes', async () => {
    const few = { key: 'few', rows: 1001 }
    const many = { key: 'many', rows: 1000 }
    const asked = (key: string, after: typeof few) => sent(key, 1000, 'it answers', after)
    expect(await asked('of few', few)).toEqual(['whole'])
    expect(await asked('of few', few)).toEqual(['whole'])
    expect(await asked('of many', many)).toEqual(['whole'])
    vi.setSystemTime(Date.now() + 599_999)
    expect(await asked('an hour later', many)).toEqual(['given', 'cheaper'])
    vi.setSystemTime(Date.now() + 599_999)
    expect(await asked('two hours later', many)).toEqual(['given', 'cheaper'])
    vi.setSystemTime(Date.now() + 600_000)
    expect(await asked('a day later', many)).toEqual(['whole'])
  })
})
