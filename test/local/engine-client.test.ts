import { createClient } from '@clickhouse/client-web'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../support/long.ts'
import { useTestEngine } from './engine.ts'

const engine = useTestEngine()
const client = (options: Parameters<typeof createClient>[0] = {}) => createClient({ url: engine.url(), ...options })

describe('client-web', () => {
  it('creates, inserts and selects', async () => {
    const clickhouse = client()
    await clickhouse.command({ query: 'CREATE TABLE c (a UInt64, b Nullable(String)) ENGINE = MergeTree ORDER BY a' })
    const values = [
      { a: '1', b: "it's; \n\n ok" },
      { a: '18446744073709551615', b: null },
    ]
    await clickhouse.insert({ table: 'c', values, format: 'JSONEachRow' })
    const rows = await clickhouse.query({
      query: 'SELECT * FROM c ORDER BY a',
      format: 'JSONEachRow',
      clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
    })
    expect(await rows.json()).toEqual(values)
    expect((await clickhouse.ping()).success).toBe(true)
  })

  it('returns the error’s code and type', async () => {
    const query = client().query({ query: 'SELECT * FROM nope' })
    await expect(query).rejects.toMatchObject({ code: '60', type: 'UNKNOWN_TABLE' })
  })

  it('accepts its settings, progress headers and compressed responses', async () => {
    const clickhouse = client({
      compression: { response: true },
      clickhouse_settings: {
        ...{ wait_end_of_query: 1, send_progress_in_http_headers: 1, http_headers_progress_interval_ms: '100' },
      },
    })
    const result = await clickhouse.query({ query: 'SELECT 1 AS a', format: 'JSON' })
    expect(await result.json()).toMatchObject({ data: [{ a: 1 }], rows: 1 })
  })

  it('notices an error in the middle of a result', async () => {
    const query = 'SELECT throwIf(number = 300000) AS a, number FROM numbers(500000) SETTINGS max_block_size = 65536'
    const result = await client().query({ query, format: 'JSONEachRow' })
    await expect(result.json()).rejects.toThrow()
  })

  it('accepts parameters of every kind', async () => {
    const query_params = {
      ...{ a: [1, null], d: new Date('2026-01-02T03:04:05.678Z'), m: new Map([['k', "v'"]]), t: true, n: null },
    }
    const query =
      'SELECT {a:Array(Nullable(Int8))} AS a, {d:DateTime64(3)} AS d, {m:Map(String, String)} AS m, {t:Bool} AS t, {n:Nullable(String)} AS n'
    const result = await client().query({ query, query_params, format: 'JSONEachRow' })
    expect(await result.json()).toEqual([
      { a: [1, null], d: '2026-01-02 03:04:05.678', m: { k: "v'" }, t: true, n: null },
    ])
  })
})

describe('parameters', () => {
  const nasty = fc.constantFrom(
    "'",
    '\\',
    '\t',
    '\n',
    '\r',
    '\0',
    '\b',
    ...['`', '"', ';', '--', '/*', '$$', '😀', 'é'],
    '\\N',
    '{x:String}',
    "'); DROP",
    ...['%', '+', '&'],
  )
  const text = fc
    .array(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 6 })
    .map((parts) => parts.join(''))

  for (const use_multipart_params of [false, true])
    it(`are returned as they were sent${use_multipart_params ? ', in a form' : ''}`, async () => {
      const clickhouse = client({ use_multipart_params } as never)
      const property = fc.asyncProperty(text, fc.array(text, { maxLength: 4 }), async (one, many) => {
        const query = 'SELECT hex({one:String}) AS one, arrayMap(x -> hex(x), {many:Array(String)}) AS many'
        const result = await clickhouse.query({ query, query_params: { one, many }, format: 'JSONEachRow' })
        expect(await result.json()).toEqual([{ one: hex(one), many: many.map(hex) }])
      })
      await fc.assert(property, { numRuns: runs(50, 300) })
    })

  it('may contain TSV escapes, as on a server', async () => {
    const property = fc.asyncProperty(fc.uint8Array({ maxLength: 12 }), async (bytes) => {
      const escaped = [...bytes].map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
      const fields = { query: 'SELECT hex({p:String})', param_p: escaped }
      expect(await engine.run('', fields)).toBe(Buffer.from(bytes).toString('hex').toUpperCase())
    })
    await fc.assert(property, { numRuns: 100 })
    expect(
      await engine.run('SELECT {p:String} IS NULL, {n:Nullable(String)} IS NULL', { param_p: '', param_n: '\\N' }),
    ).toBe('0\t1')
  })

  it('refuse values of a different type, and unescaped tabs', async () => {
    expect((await engine.failure('SELECT {p:UInt8}', { param_p: '1; SELECT 2' })).code).toBe(457)
    expect((await engine.failure('SELECT {p:String}', { param_p: 'a\tb' })).code).toBe(457)
  })

  it('may be identifiers', async () => {
    expect(
      await engine.run('SELECT count() > 0 FROM {d:Identifier}.{t:Identifier}', {
        param_d: 'system',
        param_t: 'tables',
      }),
    ).toBe('1')
  })
})

function hex(text: string): string {
  return Buffer.from(text).toString('hex').toUpperCase()
}
