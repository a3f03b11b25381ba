import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { run } from '../../src/clickhouse/run.ts'
import { parseServer, type Server } from '../../src/clickhouse/server.ts'
import { type Fragment, type Statement, sql, text } from '../../src/query/sql.ts'

/** A ClickHouse that notes what it is sent, and always answers one row. */
let double: HttpServer
let server: Server
let received: { fields: URLSearchParams; body: string }[] = []

beforeAll(async () => {
  double = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const fields = new URL(request.url!, 'http://double').searchParams
    received.push({ fields, body: Buffer.concat(chunks).toString() })
    response.end('{"data":[{"one":1}],"rows":1}')
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => double.once('listening', listening))
  server = parseServer({ CLICKHOUSE_URL: `http://127.0.0.1:${(double.address() as AddressInfo).port}/?database=weir` })
})

beforeEach(() => {
  received = []
})

afterAll(() => {
  double.closeAllConnections()
  double.close()
})

const statement = (body: Fragment): Statement<{ one: number }> => ({ body, row: z.object({ one: z.number() }) })
const ask = (body: Fragment) => run(server, statement(body), new AbortController().signal)

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
    })
  })

  it.each<[string, Fragment]>([
    ['an insert', sql`insert into ingest (event_name) values (${text('x')})`],
    ['an insert that begins as a query might', sql`with 1 as one insert into events select one`],
    ['a table dropped', sql`drop table events`],
    ['a table changed', sql`alter table events delete where true`],
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
