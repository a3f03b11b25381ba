import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http'
import { pipeline } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseServer } from '../../src/clickhouse/server.ts'
import { type Breaking, breaking, line, parted, readFrom } from '../support/breaking.ts'
import { forEach } from '../support/concurrently.ts'
import { admin, ask, csv, linesOf, ndjson, parquet } from '../support/exports.ts'
import { day } from '../support/website.ts'
import { clickhouse, newWebsite, pathOf, running } from '../support/weir.ts'

let impatient: Breaking
let patient: Breaking
let path: string

beforeAll(async () => {
  path = pathOf(`/api/websites/${await newWebsite()}/events`, { ...day, path: 're.^/a' })
  impatient = await breaking(2)
  patient = await breaking(600)
})

afterAll(async () => {
  await impatient.close()
  await patient.close()
})

const secret = 'secret-host-17 SELECT session_id'
const tag = 'PU1FNUFH98ABCDEF'
const message = `Code: 210. DB::Exception: ${secret} (NETWORK_ERROR) (version 26.7.2.1 (official build))\n`

/** An error in the middle of a response, in the form that ClickHouse has used since 25.11. */
const block = `\r\n__exception__\r\n${tag}\r\n${message}${message.length} ${tag}\r\n__exception__\r\n`

const exception =
  (status: number, code: number, text: string): RequestListener =>
  (_, response) =>
    response
      .writeHead(status, { 'X-ClickHouse-Exception-Code': String(code) })
      .end(`Code: ${code}. DB::Exception: ${text}`)

const hangUp = (response: ServerResponse, words = '') => response.write(words, () => response.socket?.destroySoon())

type Lines = keyof typeof line

/** Sends this many rows, then ends the response in the given way. */
const sending = (rows: number, end: (response: ServerResponse) => void, accept: Lines = ndjson): RequestListener =>
  sendingLines(line[accept], rows, end)

const sendingLines =
  (row: string, rows: number, end: (response: ServerResponse) => void): RequestListener =>
  (received, response) => {
    // Closing a socket with an unread request would reset it and lose the data already sent.
    received.resume().once('end', () => {
      response.writeHead(200, { 'X-ClickHouse-Exception-Tag': tag })
      response.write(row.repeat(rows))
      end(response)
    })
  }

const endings: [string, (response: ServerResponse) => void][] = [
  ['writes an error and breaks off', (response) => hangUp(response, block)],
  ['writes an error, and a proxy ends the answer as if it were complete', (response) => response.end(block)],
  ['writes an error as servers before 25.11 do', (response) => response.end(message)],
  ['writes an error in the middle of a row', (response) => response.end(`{"id":"x${message}`)],
  ['writes a long error', (response) => response.end(block.replace(secret, secret.repeat(400)))],
  ['breaks off', (response) => hangUp(response)],
  ['breaks off in the middle of a row', (response) => hangUp(response, '{"id":"x')],
  ['is cut off in the middle of a row by a proxy that ends the answer', (response) => response.end('{"id":"x')],
  ['stops sending', () => {}],
]

/** On a busy machine, the time limit may only end a statement that sends nothing more. */
const workerFor = (behaviour: string): Breaking =>
  /^(does not answer|stops sending)/.test(behaviour) ? impatient : patient

describe('a failure before the first byte', () => {
  it.each<[string, RequestListener]>([
    ['has too many queries', exception(500, 202, `${secret} (TOO_MANY_SIMULTANEOUS_QUERIES)`)],
    ['has no memory left', exception(500, 241, `(total) ${secret} (MEMORY_LIMIT_EXCEEDED)`)],
    ['does not allow the time limit', exception(500, 452, `${secret} (SETTING_CONSTRAINT_VIOLATION)`)],
    ['is behind a proxy that fails', (_, response) => response.writeHead(502).end('<html>Bad gateway</html>')],
    ['sends another page', (_, response) => response.end('<html>Welcome</html>')],
    ['hangs up', (received) => received.socket.destroy()],
    ['does not answer', () => {}],
    ...endings.map(([name, end]): [string, RequestListener] => [`${name} after a few rows`, sending(5, end)]),
  ])('is a 503 as JSON, without ClickHouse’s message: ClickHouse %s', async (name, behaviour) => {
    const { listen, url } = workerFor(name)
    listen(behaviour)
    await forEach([ndjson, csv, parquet], async (accept) => {
      const answer = await ask(path, accept, admin, url)
      const text = await answer.text()
      expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('content-type')]).toEqual([
        503,
        '5',
        'application/json',
      ])
      expect(answer.headers.get('content-disposition')).toBeNull()
      expect(JSON.parse(text).error).toMatchObject({ code: 'service-unavailable', status: 503 })
      expect(text).not.toMatch(/secret|SELECT|Exception|127\.0\.0\.1/)
    })
  })

  it('is a 400 that identifies the parameter if a regular expression is invalid', async () => {
    const refused =
      'DB::Exception: OptimizedRegularExpression: cannot compile re2: (?i)^/a, error: missing ). Look at https://…'
    patient.listen(exception(400, 427, refused))
    const answer = await ask(path, ndjson, admin, patient.url)
    const { error } = (await answer.json()) as { error: { issues: unknown } }
    expect(answer.status).toBe(400)
    expect(error.issues).toEqual([{ path: 'path', message: 'Not a regular expression that RE2 accepts: missing ).' }])
    const real = await ask(path.replace('re.%5E%2Fa', 're.%28'), ndjson)
    expect(real.status).toBe(400)
  })

  it.each([
    ['the result exceeds ClickHouse’s own limit', 396, 'TOO_MANY_ROWS_OR_BYTES', 'The answer is too large.'],
    ['the statement exceeds its memory', 241, 'MEMORY_LIMIT_EXCEEDED', 'This needs more rows or memory'],
    ['the statement would read too many rows', 158, 'TOO_MANY_ROWS', 'This needs more rows or memory'],
  ])('is a 422 that says what to narrow if %s', async (_, code, name, told) => {
    patient.listen(exception(500, code, `${secret} (${name})`))
    await forEach([ndjson, csv], async (accept) => {
      const answer = await ask(path, accept, admin, patient.url)
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([422, null])
      const { error } = (await answer.json()) as { error: object }
      expect(error).toMatchObject({ code: 'too-much-data', message: expect.stringContaining(told) })
      expect(JSON.stringify(error)).not.toContain('secret')
    })
  })

  it('is a 500 if a statement is invalid', async () => {
    patient.listen(exception(400, 62, `Syntax error: ${secret} (SYNTAX_ERROR)`))
    const answer = await ask(path, ndjson, admin, patient.url)
    expect([answer.status, await answer.text()]).toEqual([500, expect.not.stringContaining('secret')])
  })
})

describe('a failure after some rows were sent', () => {
  const many = 2000

  it.each(endings)('is reported in the last line, without ClickHouse’s message: ClickHouse %s', async (name, end) => {
    const { listen, url } = workerFor(name)
    for (const accept of [ndjson, csv] as const) {
      listen(sending(many, end, accept))
      const answer = await ask(path, accept, admin, url)
      expect(answer.status).toBe(200)
      const text = await readFrom(answer)
      expect(text).not.toMatch(/secret|xception/)
      const { rows, error } = parted(text, accept)
      expect(error).toEqual({
        code: 'service-unavailable',
        status: 503,
        message: 'The export broke off here. Continue after the last row.',
        requestId: answer.headers.get('x-request-id'),
      })
      expect(rows).toBe(line[accept].repeat(rows.length / line[accept].length))
      expect(rows.length / line[accept].length).toBeGreaterThan(0)
    }
  })

  it.each(['10', '10.5', '-3', '-0.25'])('leaves only complete rows of CSV if they end with %s', async (sum) => {
    const row = `"${'x'.repeat(990)}",${sum}\n`
    patient.listen(sendingLines(row, many, (response) => hangUp(response, '"EUR",1')))
    const sums = path.replace(/events.*/, pathOf('revenue/metrics', { ...day, currency: 'EUR', type: 'country' }))
    const { rows, error } = parted(await readFrom(await ask(sums, csv, admin, patient.url)), csv)
    expect(error).toMatchObject({ code: 'service-unavailable' })
    // The byte order mark comes first.
    expect(rows.replace('\ufeff', '') === row.repeat(rows.length / row.length)).toBe(true)
  })

  it.each(endings)('leaves a Parquet file incomplete: ClickHouse %s', async (name, end) => {
    const { listen, url } = workerFor(name)
    listen(sending(many, end))
    const text = await readFrom(await ask(path, parquet, admin, url))
    expect(text.endsWith('PAR1')).toBe(false)
    expect(text).not.toMatch(/secret|xception/)
  })

  it.each([1, 65, 66, 67, 262, 263, 264, 524, 525, 1000, 2000])(
    'is not reported if there was none: %i rows',
    async (rows) => {
      for (const accept of [ndjson, csv] as const) {
        patient.listen(sending(rows, (response) => response.end(), accept))
        const text = await readFrom(await ask(path, accept, admin, patient.url))
        expect(text === line[accept].repeat(rows)).toBe(true)
      }
    },
  )
})

describe('a failure while exporting a person’s data', () => {
  const found = { meta: [], data: [{ id: randomUUID(), ids: ['ada'] }], rows: 1 }
  const lookUp: RequestListener = (_, response) => response.end(JSON.stringify(found))

  it.each<[string, RequestListener[]]>([
    ['in a table', [sending(2000, (response) => hangUp(response, block))]],
    ['between two tables', [sending(3, (response) => response.end()), exception(500, 241, secret)]],
  ])('is reported in the last line: %s', async (_, answers) => {
    const next = [lookUp, ...answers]
    patient.listen((...given) => (next.length > 1 ? next.shift()! : next[0]!)(...given))
    const answer = await fetch(patient.url + path.replace(/events.*/, 'people/export'), {
      method: 'POST',
      headers: { ...admin, accept: ndjson, 'content-type': 'application/json' },
      body: JSON.stringify({ distinctId: 'ada' }),
    })
    expect(answer.status).toBe(200)
    const text = await readFrom(answer)
    expect(text).not.toMatch(/secret|xception/)
    const { rows, error } = parted(text, ndjson)
    expect(error).toMatchObject({ code: 'service-unavailable', requestId: answer.headers.get('x-request-id') })
    expect(JSON.parse(rows.split('\n')[0]!)).toMatchObject({ sessions: [found.data[0]!.id] })
    expect(rows.split('\n').length).toBeGreaterThan(3)
  })
})

describe('a real ClickHouse with a lower limit on rows', () => {
  let own: string
  beforeAll(async () => {
    const websiteId = await newWebsite()
    await clickhouse(`insert into events (website_id, event_id, created_at, event_type, url_query)
      select '${websiteId}', generateUUIDv4(), '2025-10-15 12:00:00', 1, toString(number) from numbers(60000)`)
    own = pathOf(`/api/websites/${websiteId}/events`, day)
  })

  /** Forwards statements, with 50,000 instead of the limit that the Worker sent. */
  const withLowerLimit =
    (sentLimits: (string | undefined)[] = []): RequestListener =>
    (received, response) => {
      sentLimits.push(/max_result_rows=(\d+)/.exec(received.url!)?.[1])
      const target = new URL(received.url!.replace(/max_result_rows=\d+/, 'max_result_rows=50000'), running.clickhouse)
      // The Worker has only the credentials of the double.
      const { username, password } = parseServer({ CLICKHOUSE_URL: running.clickhouse })
      const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
      const headers = { ...received.headers, host: target.host, authorization }
      const sent = request(target, { method: 'POST', headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers)
        pipeline(answer, response, () => {})
      })
      received.pipe(sent)
    }

  it('leaves only complete rows, after which the export can be resumed', async () => {
    const whole = await (await ask(own, ndjson)).text()
    patient.listen(withLowerLimit())
    const { rows, error } = parted(await readFrom(await ask(own, ndjson, admin, patient.url)), ndjson)
    expect(error).toMatchObject({ code: 'service-unavailable' })
    expect(rows).not.toMatch(/xception/)
    expect(whole.startsWith(rows)).toBe(true)
    const last = linesOf(rows).at(-1)!
    const rest = await (await ask(`${own}&cursor=${last.cursor}`, ndjson)).text()
    expect(rows + rest === whole).toBe(true)
  })

  it('causes a 400 with advice if a Parquet file would have too many rows: the limit is a million', async () => {
    const limits: (string | undefined)[] = []
    patient.listen(withLowerLimit(limits))
    const refused = await ask(own, parquet, admin, patient.url)
    const { error } = (await refused.json()) as { error: { issues: { path: string; message: string }[] } }
    expect([refused.status, error.issues.map((issue) => issue.path)]).toEqual([400, ['Accept']])
    expect(error.issues[0]!.message).toMatch(/at most 1,000,000 rows.*maxResults.*application\/x-ndjson/)
    const accepted = await ask(`${own}&maxResults=50000`, parquet, admin, patient.url)
    expect([accepted.status, (await accepted.arrayBuffer()).byteLength > 10_000]).toEqual([200, true])
    expect(new Set(limits)).toEqual(new Set(['1000000']))
  })
})

/** 128 MB of rows, written as fast as they are read. `written` is the number of bytes written up to now. */
function torrent() {
  const rows = line[ndjson].repeat(1000)
  const times = 128
  const state = { written: 0, total: rows.length * times, gone: new Promise<void>(() => {}) }
  const behave: RequestListener = async (_, response) => {
    const closed = once(response, 'close')
    state.gone = closed.then(() => {})
    for (let time = 0; time < times && !response.destroyed; time++) {
      state.written += rows.length
      if (!response.write(rows)) await Promise.race([once(response, 'drain'), closed])
    }
    response.end()
  }
  return { state, behave }
}

/** The response to an export, with its body still unread. */
const unread = (): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request(patient.url + path, { headers: { ...admin, accept: ndjson }, agent: false }, resolve)
      .on('error', reject)
      .end()
  })

/** Sends other requests to the Worker until the writer no longer makes progress. */
async function stalled(state: { readonly written: number }): Promise<number> {
  for (let before = -1; before !== state.written; ) {
    before = state.written
    for (let other = 0; other < 20; other++) await (await fetch(`${patient.url}/health`)).text()
  }
  return state.written
}

describe('a client', () => {
  it('makes ClickHouse wait if it stops reading, and gets all rows once it reads again', async () => {
    const { state, behave } = torrent()
    patient.listen(behave)
    const answer = await unread()
    // This is at most the size of the buffers of three sockets, each of up to 10 MB.
    expect(await stalled(state)).toBeLessThan(state.total / 2)
    let bytes = 0
    for await (const chunk of answer as AsyncIterable<Buffer>) bytes += chunk.length
    expect([bytes, state.written]).toEqual([state.total, state.total])
  })

  it('causes its ClickHouse statement to be cancelled if it disconnects', async () => {
    const { state, behave } = torrent()
    patient.listen(behave)
    const answer = await unread()
    await once(answer, 'readable')
    answer.destroy()
    await state.gone
    expect(state.written).toBeLessThan(state.total)
  })
})
