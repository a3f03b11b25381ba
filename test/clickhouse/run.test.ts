import { createServer, type Server as HttpServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { maxAnswerBytes } from '../../src/clickhouse/query.ts'
import type { ReplicaRoute } from '../../src/clickhouse/replicas.ts'
import { newShared, run, runAll } from '../../src/clickhouse/run.ts'
import { parseServer, type Server } from '../../src/clickhouse/server.ts'
import { type Fragment, sql, text, uint8 } from '../../src/query/language/sql.ts'
import type { Result, Statement } from '../../src/query/language/statement.ts'
import { routeTo } from '../support/route.ts'
import { isPing } from '../support/trials.ts'

/** A ClickHouse double that records requests, and by default returns one row. */
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
  it('is sent read-only, with only settings that the profile of weir_reader allows', async () => {
    expect(await ask(sql`select 1 as one`)).toEqual({ rows: [{ one: 1 }], total: 1 })
    expect(received).toHaveLength(1)
    const { query_id: _, ...fields } = Object.fromEntries(received[0]!.fields)
    expect(fields).toEqual({
      ...{ database: 'weir', readonly: '2', max_execution_time: '30', wait_end_of_query: '1' },
      ...{ cancel_http_readonly_queries_on_client_close: '1', output_format_json_quote_64bit_integers: '0' },
      ...{ load_balancing: 'in_order', optimize_use_projections: '0' },
      ...{ compile_expressions: '0', compile_aggregate_expressions: '0' },
      ...{ max_bytes_before_external_group_by: '2147483648', max_temporary_data_on_disk_size_for_query: '17179869184' },
      max_result_bytes: '16777216',
    })
  })

  it('may have its own memory limit', async () => {
    const bounded = { ...server, mostMemory: 2_000_000 }
    await run(routeTo(bounded), statement(sql`select 1 as one`), new AbortController().signal)
    expect(received[0]!.fields.get('max_memory_usage')).toBe('2000000')
    expect(received[0]!.fields.get('max_bytes_before_external_group_by')).toBe('1000000')
  })

  it.each<[text: string, advice: string, code?: string]>([
    [
      'Code: 241. DB::Exception: Query memory limit exceeded: would use 2.00 GiB. (MEMORY_LIMIT_EXCEEDED)',
      'Narrow',
      'too-much-data',
    ],
    ['Code: 158. DB::Exception: Limit for rows to read exceeded. (TOO_MANY_ROWS)', 'Narrow', 'too-much-data'],
    ['Code: 241. DB::Exception: (total) memory limit exceeded. (MEMORY_LIMIT_EXCEEDED)', 'Try again'],
    ['Code: 241. DB::Exception: User memory limit exceeded: would use 9 GiB. (MEMORY_LIMIT_EXCEEDED)', 'Try again'],
    ['Code: 307. DB::Exception: Limit for bytes to read exceeded. (TOO_MANY_BYTES)', 'Narrow', 'too-much-data'],
    [
      'Code: 396. DB::Exception: Limit for result exceeded. (TOO_MANY_ROWS_OR_BYTES)',
      'limit, pageSize',
      'too-much-data',
    ],
    ['Code: 159. DB::Exception: Timeout exceeded. (TIMEOUT_EXCEEDED)', 'deadline'],
    ['Code: 160. DB::Exception: Estimated query execution time is too long. (TOO_SLOW)', 'deadline'],
  ])(
    'gets an error that advises narrowing it or trying again: %s',
    async (text, advice, code = 'service-unavailable') => {
      behave = (_, response) => response.writeHead(500).end(`${text}\n`)
      await expect(ask(sql`select 1 as one`)).rejects.toMatchObject({
        code,
        message: expect.stringContaining(advice),
      })
    },
  )

  it.each<[string, Fragment]>([
    ['an insert', sql`insert into ingest (event_name) values (${text('x')})`],
    ['an insert that begins like a query', sql`with 1 as one insert into events select one`],
    ['dropping a table', sql`drop table events`],
    ['changing a table', sql`alter table events delete where true`],
    ['a plan', sql`explain select 1`],
    ['the estimate of an insert', sql`explain estimate insert into events select 1`],
    ['a setting', sql`set readonly = 0`],
    ['nothing', sql``],
    ['a word that begins with select', sql`selected`],
  ])('other than a select is a bug in Weir, and is never sent: %s', async (_, body) => {
    await expect(ask(body)).rejects.toMatchObject({
      code: 'server-error',
      message: 'Something went wrong on our side.',
      cause: { message: expect.stringContaining('Only a select may be sent') },
    })
    expect(received).toEqual([])
  })
})

describe('cheaper statements', () => {
  const [whole, two, three] = [1, 2, 3].map((one) => statement(sql`select ${uint8(one)} as one`))
  const found: Result<{ one: number }> = { rows: [{ one: 7 }], total: 1 }
  const sent = () => received.map(({ fields }) => Number(fields.get('param_p0')))
  const { signal } = new AbortController()

  it('are sent only once if several statements of a plan use them', async () => {
    const both = { ...whole!, cheaper: [{ statements: [two!, three!], result: () => found }] }
    expect(await runAll(routeTo(server), { a: both, b: both })).toEqual({ a: found, b: found })
    expect(sent().sort()).toEqual([2, 3])
  })

  it('are sent together within one attempt, and their results form the answer', async () => {
    const waiting: ServerResponse[] = []
    behave = (_, response) => {
      waiting.push(response)
      if (waiting.length === 2) for (const one of waiting) one.end('{"data":[{"one":1}],"rows":1}')
    }
    const result = (all: readonly Result<never>[]) => ({ rows: all.flatMap(({ rows }) => rows), total: all.length })
    const asked = { ...whole!, cheaper: [{ statements: [two!, three!], result }] }
    expect(await run(routeTo(server), asked, signal)).toEqual({ rows: [{ one: 1 }, { one: 1 }], total: 2 })
  })

  it('are tried in order before the whole statement; failed attempts and read rows are recorded', async () => {
    behave = (_, response) =>
      response.end('{"data":[{"one":1}],"rows":1,"statistics":{"rows_read":1000,"bytes_read":1}}')
    const attempt = (one: Statement<{ one: number }>, name: string, result?: typeof found) => ({
      ...{ statements: [one], name, result: () => result },
    })
    const shared = newShared()
    const late = { ...whole!, cheaper: [attempt(two!, 'first'), attempt(three!, 'second', found)] }
    expect(await run(routeTo(server), late, signal, shared)).toEqual(found)
    expect({ sent: sent(), failed: [...shared.failed] }).toEqual({ sent: [2, 3], failed: ['first'] })
    const none = { ...whole!, cheaper: [attempt(two!, 'first'), attempt(three!, 'second')] }
    expect(await run(routeTo(server), none, signal, shared)).toEqual({ rows: [{ one: 1 }], total: 1 })
    // This plan has already run the cheaper ones.
    expect({ sent: sent(), failed: [...shared.failed] }).toEqual({ sent: [2, 3, 1], failed: ['first', 'second'] })
    expect(shared.read.get(none)).toBe(1000)
  })

  it('are not recorded as failed if they return no rows, because the reason is unknown', async () => {
    behave = (_, response) => response.end(JSON.stringify({ data: [], rows: 0 }))
    const shared = newShared()
    const asked = { ...whole!, cheaper: [{ statements: [two!], name: 'empty', result: () => undefined }] }
    expect(await run(routeTo(server), asked, signal, shared)).toEqual({ rows: [], total: 0 })
    expect({ sent: sent(), failed: [...shared.failed] }).toEqual({ sent: [2, 1], failed: [] })
  })

  it.each([1, 0])('are used only if all checks that are sent after them succeed: %i', async (holds) => {
    const check = { body: sql`select ${uint8(4)} as holds`, row: () => z.object({ holds: z.number() }) }
    behave = (_, response) => {
      const isCheck = sent().at(-1) === 4
      response.end(JSON.stringify({ data: [isCheck ? { holds } : { one: 1 }], rows: 1 }))
    }
    const [shared, checks] = [newShared(), [check]]
    const asked = { ...whole!, cheaper: [{ statements: [two!], checks, name: 'checked', result: () => found }] }
    const result = await run(routeTo(server), asked, signal, shared)
    expect(result).toEqual(holds ? found : { rows: [{ one: 1 }], total: 1 })
    expect({ sent: sent(), failed: [...shared.failed] }).toEqual(
      holds ? { sent: [2, 4], failed: [] } : { sent: [2, 4, 1], failed: ['checked'] },
    )
  })

  it('are tried again the next time if their checks cannot be run', async () => {
    const check = { body: sql`select ${uint8(4)} as holds`, row: () => z.object({ holds: z.number() }) }
    behave = (_, response) => {
      if (sent().at(-1) === 4)
        response.writeHead(500).end('Code: 202. DB::Exception: Too many. (TOO_MANY_SIMULTANEOUS_QUERIES)')
      else response.end('{"data":[{"one":1}],"rows":1}')
    }
    const [shared, checks] = [newShared(), [check]]
    const asked = { ...whole!, cheaper: [{ statements: [two!], checks, name: 'unchecked', result: () => found }] }
    expect(await run(routeTo(server), asked, signal, shared)).toEqual({ rows: [{ one: 1 }], total: 1 })
    expect({ sent: sent(), failed: [...shared.failed] }).toEqual({ sent: [2, 4, 1], failed: [] })
  })

  it('are checked on the replica that answered, because other replicas may have different rows', async () => {
    const other = createServer((_, response) => response.end('{"data":[{"one":1,"holds":0}],"rows":1}'))
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening))
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}/?database=weir`
    const [mine] = routeTo(server).replicas
    const [theirs] = routeTo(parseServer({ CLICKHOUSE_URL: url })).replicas
    behave = (_, response) => response.end('{"data":[{"one":1,"holds":1}],"rows":1}')
    const check = { body: sql`select ${uint8(4)} as holds`, row: () => z.object({ holds: z.number() }) }
    const asked = { ...whole!, cheaper: [{ statements: [two!], checks: [check], result: () => found }] }
    const answers = async (replicas: ReplicaRoute['replicas']) => {
      const route = { ...routeTo(server), replicas, answered: () => {} }
      return (await run(route, asked, signal)) === found
    }
    const both = [mine!, { ...theirs!, name: 'other' }]
    expect([await answers(both), await answers(both.toReversed())]).toEqual([true, false])
    other.close()
  })
})

describe('an answer', () => {
  const piece = Buffer.alloc(1024 * 1024, ' ')

  /** Sends data as fast as it is read, up to many times the limit. Resolves with the number of bytes sent. */
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

  it.each([
    [200, { code: 'too-much-data', message: expect.stringContaining('limit, pageSize') }, undefined],
    [500, { code: 'service-unavailable', message: expect.stringContaining('Try again') }, '5'],
  ])('fails if it never ends, and is read only up to a limit: status %i', async (status, error, retryAfter) => {
    const taken = new Promise<number>((ended) => {
      behave = endless(status, ended)
    })
    await expect(ask(sql`select 1 as one`)).rejects.toMatchObject({
      ...error,
      headers: retryAfter === undefined ? expect.not.objectContaining({ 'Retry-After': '5' }) : { 'Retry-After': '5' },
    })
    expect(await taken).toBeLessThan(2 * maxAnswerBytes)
  })

  it('is read if it has exactly the maximum size', async () => {
    const answer = '{"data":[{"one":1}],"rows":1}'
    behave = (_, response) => {
      response.write(answer)
      response.end(Buffer.alloc(maxAnswerBytes - answer.length, ' '))
    }
    expect(await ask(sql`select 1 as one`)).toEqual({ rows: [{ one: 1 }], total: 1 })
  })
})
