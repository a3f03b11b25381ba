import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { hostname } from 'node:os'
import { text as wholeText } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { createClient } from '@clickhouse/client-web'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startEngine } from '../../src/local/engine/index.ts'
import { bodyOf, hostileBytes, sendBytes, statusOf } from '../support/bytes.ts'
import { runs } from '../support/long.ts'
import { emptyDirectory, useTestEngine } from './engine.ts'

const engine = useTestEngine()

describe('paths', () => {
  it('answers /ping, /replicas_status and the root', async () => {
    for (const path of ['/ping', '/replicas_status', '/']) {
      const response = await fetch(engine.url() + path)
      expect([path, response.status, await response.text()]).toEqual([path, 200, 'Ok.\n'])
    }
  })

  it.each(['/?query=SELECT+1', '/ping'])('refuses pages from other origins: %s', async (path) => {
    const asked = async (headers: Record<string, string>) => (await raw(path, '', headers)).status
    const { host, port } = new URL(engine.url())
    for (const site of ['cross-site', 'same-site', 'anything', ''])
      expect([site, await asked({ 'sec-fetch-site': site })]).toEqual([site, 403])
    const otherPort = Number(port) - 1
    for (const origin of ['https://evil.example', 'null', '', `http://127.0.0.1:${otherPort}`, `https://${host}`])
      expect([origin, await asked({ origin })]).toEqual([origin, 403])
    expect(await asked({ origin: `http://${host}` })).toBe(200)
    for (const site of ['same-origin', 'none']) expect(await asked({ 'sec-fetch-site': site })).toBe(200)
  })

  it('refuses requests without a Host header', async () => {
    const { hostname, port } = new URL(engine.url())
    const socket = connect(Number(port), hostname)
    socket.end('GET /?query=SELECT+1 HTTP/1.0\r\n\r\n')
    expect(await wholeText(socket)).toMatch(/^HTTP\/1\.1 403 /)
  })

  it('refuses requests for a foreign hostname', async () => {
    const asked = (host: string) =>
      new Promise<number>((resolve, reject) => {
        const { hostname, port } = new URL(engine.url())
        const request = httpRequest({ hostname, port, path: '/?query=SELECT+1', headers: { host } }, (response) =>
          resolve(response.resume().statusCode!),
        )
        request.on('error', reject).end()
      })
    expect(await Promise.all(['evil.example:8123', 'localhost', '127.0.0.1:1', '[::1]:1'].map(asked))).toEqual([
      403, 200, 200, 200,
    ])
  })

  it('returns 404 for any other path', async () => {
    const response = await fetch(`${engine.url()}/nope`)
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('There is no handle /nope')
  })
})

describe('queries', () => {
  it('accepts the statement from the URL, the body, or both joined', async () => {
    const get = await fetch(`${engine.url()}/?query=SELECT+1%2B1`)
    expect(await get.text()).toBe('2\n')
    expect(await engine.run('SELECT 3')).toBe('3')
    expect(await engine.run('+ 4', { query: 'SELECT 3' })).toBe('7')
  })

  it('answers HEAD with the headers only', async () => {
    const response = await fetch(`${engine.url()}/?query=SELECT+1`, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-clickhouse-format')).toBe('TabSeparated')
    expect(await response.text()).toBe('')
  })

  it('returns format, query id, server, time zone and content type in headers', async () => {
    const response = await engine.send({ query_id: 'my query' }, { body: 'SELECT 1 AS a FORMAT CSVWithNames' })
    expect(await response.text()).toBe('"a"\n1\n')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/csv; charset=UTF-8; header=present',
      'x-clickhouse-format': 'CSVWithNames',
      'x-clickhouse-query-id': 'my query',
      'x-clickhouse-server-display-name': hostname(),
      'x-clickhouse-timezone': await engine.run('SELECT timezone()'),
    })
  })

  it('prefers FORMAT in the statement to default_format and the header', async () => {
    expect(await engine.run("SELECT 'a b' FORMAT CSV", { default_format: 'JSON' })).toBe('"a b"')
    expect(await engine.run("SELECT 'a b'", { default_format: 'CSV' })).toBe('"a b"')
    const response = await engine.send({}, { body: "SELECT 'a b'", headers: { 'X-ClickHouse-Format': 'CSV' } })
    expect(await response.text()).toBe('"a b"\n')
  })

  it('labels a bare JSON array as JSON', async () => {
    const settings = { output_format_json_array_of_rows: '1' }
    const response = await engine.send(settings, { body: 'SELECT number FROM numbers(2) FORMAT JSONEachRow' })
    expect(response.headers.get('content-type')).toBe('application/json; charset=UTF-8')
    expect(await response.json()).toEqual([{ number: 0 }, { number: 1 }])
  })

  it('selects the request’s database', async () => {
    await engine.run('CREATE DATABASE IF NOT EXISTS `odd ``name`')
    expect(await engine.run('SELECT currentDatabase()')).toBe('default')
    expect(await engine.run('SELECT currentDatabase()', { database: 'odd `name' })).toBe('odd `name')
    const headers = { 'X-ClickHouse-Database': 'system' }
    expect(await (await engine.send({}, { body: 'SELECT currentDatabase()', headers })).text()).toBe('system\n')
  })

  it('returns an empty body for statements without a result', async () => {
    const response = await engine.send({}, { body: 'CREATE DATABASE IF NOT EXISTS made' })
    expect(response.headers.get('content-type')).toBe('text/plain; charset=UTF-8')
    expect(response.headers.get('x-clickhouse-format')).toBeNull()
    expect(await response.text()).toBe('')
  })

  it('accepts bytes that are not UTF-8', async () => {
    const response = await fetch(`${engine.url()}/?query=SELECT+hex({p:String}),hex('%FF')&param_p=%FE`)
    expect(await response.text()).toBe('FE\tFF\n')
  })

  it('reads form fields', async () => {
    const form = new FormData()
    form.set('query', 'SELECT {x:String}, {n:UInt8}')
    form.set('param_x', 'a\\tb')
    form.set('param_n', '7')
    const response = await fetch(`${engine.url()}/?default_format=JSONCompactEachRow`, { method: 'POST', body: form })
    expect(await response.json()).toEqual(['a\tb', 7])
  })

  it.each(['0', '1', '2'])('accepts long parameters in a form, with readonly=%s', async (readonly) => {
    const form = new FormData()
    const long = "it's \\\\ ".repeat(100_000)
    form.set('query', "SELECT length({x:String}), getSetting('max_query_size'), getSetting('readonly')")
    form.set('param_x', long)
    const response = await fetch(`${engine.url()}/?readonly=${readonly}`, { method: 'POST', body: form })
    expect(await response.text()).toBe(`${long.length - 100_000}\t262144\t${readonly}\n`)
  })
})

describe('compression', () => {
  it('accepts a gzip body', async () => {
    const response = await engine.send({}, { body: gzipSync('SELECT 5'), headers: { 'Content-Encoding': 'gzip' } })
    expect(await response.text()).toBe('5\n')
  })

  it('refuses a body that is not gzip', async () => {
    const init = { headers: { 'Content-Encoding': 'gzip' } }
    expect(await engine.failure('SELECT 5', {}, init)).toMatchObject({ status: 500, code: 354 })
  })

  it('responds with gzip if both the setting and the client ask for it', async () => {
    const sql = 'SELECT number FROM numbers(300000)'
    const plain = await raw('/', sql, { 'Accept-Encoding': 'gzip' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    const zipped = await raw('/?enable_http_compression=1', sql, { 'Accept-Encoding': 'gzip' })
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true)
  })
})

describe('refusals', () => {
  it.each([
    ['SELEC 1', 400, 62],
    ['', 400, 62],
    ['SELECT * FROM no_table', 404, 60],
    ['SELECT * FROM no_database.t', 404, 81],
    ['SELECT no_column', 404, 47],
    ['SELECT noFunction(1)', 404, 46],
    ["SELECT toUInt8('x')", 400, 6],
    ['SELECT 1 FORMAT Nope', 404, 73],
    ['SELECT 1 SETTINGS nope = 1', 404, 115],
    ['SELECT {p:String}', 400, 456],
    ['SELECT throwIf(1)', 500, 395],
    ['SELECT sleep(3) SETTINGS max_execution_time = 0.1', 408, 159],
  ])('%s: status %i, code %i', async (sql, status, code) => {
    const failure = await engine.failure(sql)
    if (code === 456) expect(failure.code).toBe(456)
    else expect(failure).toMatchObject({ status, code })
    expect(failure.text).toMatch(
      new RegExp(`^Code: ${failure.code}\\. DB::Exception: [^]*\\([A-Z_]+\\) \\(version [\\d.]+\\)\\n$`),
    )
  })

  it('refuses unknown settings, databases and roles in the request', async () => {
    expect(await engine.failure('SELECT 1', { nope: '1' })).toMatchObject({ status: 404, code: 115 })
    expect(await engine.failure('SELECT 1', { 'a = 1, b': '1' })).toMatchObject({ status: 404, code: 115 })
    expect(await engine.failure('SELECT 1', { database: 'nope' })).toMatchObject({ status: 404, code: 81 })
    expect(await engine.failure('SELECT 1', { role: 'nope' })).toMatchObject({ status: 404, code: 511 })
    expect(await engine.failure('SELECT 1', { 'param_a b': '1' })).toMatchObject({ status: 400, code: 36 })
  })

  it('returns errors that contain bytes that are not text', async () => {
    const query = (text: string) => engine.send({}, { body: Buffer.from(text, 'latin1') })
    const codes = ["SELECT throwIf(1, unhex('ff41'))", 'SELECT \xff\xfe', "SELECT '\xff' AS `\xfe`, nope"].map(
      async (text) => (await query(text)).headers.get('x-clickhouse-exception-code'),
    )
    expect(await Promise.all(codes)).toEqual(['395', '62', '47'])
  })

  it('refuses too deeply nested statements', async () => {
    const nested = `SELECT ${'('.repeat(5000)}1${')'.repeat(5000)}`
    expect((await engine.failure(nested)).code).toBe(306)
    expect((await engine.failure(`SELECT ${Array(3000).fill('1').join('+')}`)).code).toBe(167)
  })

  it('refuses statements longer than max_query_size', async () => {
    const long = `SELECT '${'x'.repeat(300_000)}'`
    expect(await engine.failure(long)).toMatchObject({ status: 400, code: 62 })
    expect(await engine.run(long, { max_query_size: '400000' })).toHaveLength(300_000)
  })

  it('refuses sessions and ClickHouse’s own compression explicitly', async () => {
    expect(await engine.failure('SELECT 1', { session_id: 's' })).toMatchObject({ status: 501, code: 48 })
    expect(await engine.failure('SELECT 1', { compress: '1' })).toMatchObject({ status: 501, code: 48 })
  })

  it('survives a malformed body in a request that is refused anyway', async () => {
    const headers = { 'content-encoding': 'gzip' }
    const refused = await engine.failure('no gzip at all', { session_id: 's' }, { headers })
    expect(refused).toMatchObject({ status: 501, code: 48 })
    expect(await engine.run('SELECT 1')).toBe('1')
  })

  it('refuses several statements, but not trailing semicolons', async () => {
    expect(await engine.failure('SELECT 1; SELECT 2')).toMatchObject({ status: 400, code: 62 })
    expect(await engine.failure('SET max_threads = 1; DROP DATABASE made')).toMatchObject({ status: 400, code: 62 })
    expect(await engine.run('SELECT 1 ; ; -- end; of it\n')).toBe('1')
    expect(await engine.run("SELECT ';', $$;$$ /* ; /* ; */ ; */ -- ;")).toBe(';\t;')
  })

  it('refuses access to the server’s files', async () => {
    const insert = "INSERT INTO FUNCTION file('/tmp/weir-no', 'CSV', 'a Int8') SELECT 1"
    expect(await engine.failure("SELECT 1 INTO OUTFILE '/tmp/weir-no'")).toMatchObject({ code: 358 })
    expect(await engine.failure(insert)).toMatchObject({ status: 403, code: 497 })
    expect(await engine.failure("SELECT * FROM file('/etc/passwd', 'LineAsString')")).toMatchObject({ code: 497 })
    expect(await engine.failure('SELECT * FROM `/etc/passwd`')).toMatchObject({ code: 497 })
    expect((await engine.failure("BACKUP DATABASE default TO File('/tmp/weir-no')")).code).toBeGreaterThan(0)
  })

  it('does not allow writes with GET', async () => {
    await engine.run('CREATE TABLE IF NOT EXISTS kept (a Int8) ENGINE = MergeTree ORDER BY a')
    for (const sql of [
      ...['INSERT INTO kept VALUES (1)', 'INSERT INTO kept SELECT 1', 'DROP TABLE kept'],
      'CREATE TABLE t2 (a Int8) ENGINE = Memory',
    ]) {
      const response = await fetch(`${engine.url()}/?${new URLSearchParams({ query: sql })}`)
      expect([sql, response.status, response.headers.get('x-clickhouse-exception-code')]).toEqual([sql, 500, '164'])
    }
    const set = await fetch(`${engine.url()}/?query=SELECT+getSetting('max_threads')&max_threads=3&readonly=0`)
    expect(await set.text()).toBe('3\n')
    expect(await engine.run('SELECT count() FROM kept')).toBe('0')
  })
})

describe('a request that is invalid or barely valid HTTP', () => {
  it.each(hostileBytes)('receives an error text from the engine: %s', async (name, bytes) => {
    const answer = await sendBytes(Number(new URL(engine.url()).port), bytes, 3000)
    // Node closes the connection after a CONNECT.
    if (name === 'CONNECT') expect(answer).toBe('')
    else {
      expect(statusOf(answer)).toBeGreaterThanOrEqual(400)
      expect(bodyOf(answer)).toMatch(/\S/)
    }
    expect(await engine.run('SELECT 1')).toBe('1')
  })

  it('receives an error that explains what is wrong', async () => {
    const port = Number(new URL(engine.url()).port)
    expect(await sendBytes(port, 'GARBAGE\r\n\r\n')).toMatch(/^HTTP\/1.1 400 .*This is not an HTTP request\.\n$/s)
    const long = `GET /?${'a'.repeat(3_000_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`
    expect(await sendBytes(port, long)).toMatch(/^HTTP\/1.1 431 .*longer than 2 MiB\.\n$/s)
  })
})

describe('settings', () => {
  it('match a server’s, except for dates, unknown fields, the Arrow writer and expressions in rows', async () => {
    expect(await engine.run("SELECT getSetting('date_time_input_format')")).toBe('best_effort')
    const changed = await engine.run(
      "SELECT name, value FROM system.settings WHERE changed AND value != default AND name != 'stream_like_engine_insert_queue' ORDER BY name",
    )
    expect(changed.split('\n')).toEqual([
      'input_format_skip_unknown_fields\t0',
      'input_format_values_deduce_templates_of_expressions\t0',
      'input_format_values_interpret_expressions\t0',
      'output_format_arrow_use_native_writer\t0',
    ])
  })

  it('take precedence if they are in a request', async () => {
    await engine.run('CREATE TABLE times (t DateTime) ENGINE = MergeTree ORDER BY t')
    const row = '{"t":"2026-01-02T03:04:05+02:00"}'
    await engine.run(`INSERT INTO times FORMAT JSONEachRow ${row}`)
    expect(await engine.run('SELECT t FROM times', { session_timezone: 'UTC' })).toBe('2026-01-02 01:04:05')
    const failure = await engine.failure(`INSERT INTO times FORMAT JSONEachRow ${row}`, {
      date_time_input_format: 'basic',
    })
    expect(failure.status).toBe(400)
  })

  it.each(['1', '2'])('readonly=%s applies only to its own request', async (readonly) => {
    await engine.run('CREATE TABLE IF NOT EXISTS guarded (a Int8) ENGINE = MergeTree ORDER BY a')
    for (const sql of [
      'INSERT INTO guarded VALUES (1)',
      'DROP TABLE guarded',
      'INSERT INTO guarded SETTINGS readonly = 0 VALUES (1)',
    ])
      expect(await engine.failure(sql, { readonly })).toMatchObject({ status: 500, code: 164 })
    expect(await engine.run('SELECT count() FROM guarded')).toBe('0')
  })
})

describe('authentication', () => {
  it('admits only `default` without a password if no user is configured', async () => {
    expect(await engine.run('SELECT 1', { user: 'default' })).toBe('1')
    expect(await engine.failure('SELECT 1', { user: 'somebody' })).toMatchObject({ status: 403, code: 516 })
    expect(await engine.failure('SELECT 1', { password: 'x' })).toMatchObject({ status: 403, code: 516 })
  })

  it('accepts the configured user in any of three ways, and nobody else', async () => {
    const guarded = await startEngine({ dataDir: emptyDirectory(), user: 'wéir', password: 'pa:ss wörd' })
    const status = async (headers: Record<string, string>, fields: Record<string, string> = {}) => {
      const response = await fetch(`${guarded.url}/?${new URLSearchParams({ query: 'SELECT 1', ...fields })}`, {
        headers,
      })
      return [
        response.status,
        response.headers.get('x-clickhouse-exception-code'),
        (await response.text()).slice(0, 31),
      ]
    }
    const basic = (text: string) => ({ Authorization: `Basic ${Buffer.from(text).toString('base64')}` })
    const header = (text: string) => Buffer.from(text).toString('latin1')
    const right = [200, null, '1\n']
    const wrong = [403, '516', 'Code: 516. DB::Exception: wéir:']
    try {
      expect(await status(basic('wéir:pa:ss wörd'))).toEqual(right)
      expect(await status({ 'X-ClickHouse-User': header('wéir'), 'X-ClickHouse-Key': header('pa:ss wörd') })).toEqual(
        right,
      )
      expect(await status({}, { user: 'wéir', password: 'pa:ss wörd' })).toEqual(right)
      expect(await status(basic('wéir:'))).toEqual(wrong)
      expect(await status({}, { user: 'wéir', password: 'x' })).toEqual(wrong)
      for (const headers of [{}, basic('default:'), basic('other:pa:ss wörd'), { Authorization: 'Bearer x' }])
        expect((await status(headers)).slice(0, 2)).toEqual([403, '516'])
      expect((await status(basic('wéir:pa:ss wörd'), { user: 'wéir' })).slice(0, 2)).toEqual([403, '516'])
      expect((await fetch(`${guarded.url}/ping`)).status).toBe(200)
    } finally {
      await guarded.close()
    }
  })
})

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

/** Sends a raw request, without the headers that `fetch` adds and without following redirects. */
function raw(path: string, body: string, headers: Record<string, string>) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
    const sent = httpRequest(engine.url() + path, { method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function hex(text: string): string {
  return Buffer.from(text).toString('hex').toUpperCase()
}
