import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startEngine } from '../../src/local/engine/index.ts'
import { runs } from '../support/long.ts'
import { emptyDirectory, summaryOf, useTestEngine } from './engine.ts'

const engine = useTestEngine()
let tables = 0

/** Creates a table with a number and a text column. */
async function table(): Promise<string> {
  const name = `t${++tables}`
  await engine.run(`CREATE TABLE ${name} (a UInt64, b String DEFAULT 'none') ENGINE = MergeTree ORDER BY a`)
  return name
}

describe('inserts', () => {
  it('accept rows after the statement, with blank lines, semicolons and NUL', async () => {
    const name = await table()
    await engine.run(
      `INSERT INTO ${name} FORMAT JSONEachRow\n{"a":1,"b":";\\n"}\n\n\n{"a":2,"b":"\\u0000 -- "}\n;`.slice(0, -1),
    )
    await engine.run(`INSERT INTO ${name} FORMAT TSV\n3\ta;b\0c\n4\t\n`)
    await engine.run(`INSERT INTO ${name} (b, a) VALUES (';''); DROP', 5), ('x', 2 + 4);`)
    await engine.run(`insert into ${name} (a) format Values (7)`)
    expect(await engine.run(`SELECT a, hex(b) FROM ${name} ORDER BY a`)).toBe(
      ['1\t3B0A', '2\t00202D2D20', '3\t613B620063', '4\t', '5\t3B27293B2044524F50', '6\t78', '7\t6E6F6E65'].join('\n'),
    )
  })

  it('accept the statement in the URL and rows in the body', async () => {
    const name = await table()
    const body = gzipSync('a,b\n1,"x\ny"\n')
    const response = await engine.send(
      { query: `INSERT INTO ${name} FORMAT CSVWithNames` },
      { body, headers: { 'Content-Encoding': 'gzip' } },
    )
    expect(response.status).toBe(200)
    expect(summaryOf(response)).toMatchObject({ written_rows: 1, written_bytes: 19, result_rows: 1 })
    expect(await engine.run(`SELECT * FROM ${name}`)).toBe('1\tx\\ny')
  })

  it('accept parameters and settings', async () => {
    const name = await table()
    await engine.run(
      `INSERT INTO {t:Identifier} SETTINGS input_format_skip_unknown_fields = 1 FORMAT JSONEachRow {"a":1,"z":2}`,
      { param_t: name },
    )
    await engine.run(`INSERT INTO ${name} SELECT 2, {b:String}`, { param_b: 'p' })
    await engine.run(`INSERT INTO ${name} VALUES (3, {b:String})`, { param_b: 'q;' })
    expect(await engine.run(`SELECT * FROM ${name} ORDER BY a`)).toBe('1\tnone\n2\tp\n3\tq;')
  })

  it('may be asynchronous', async () => {
    const name = await table()
    await engine.run(`INSERT INTO ${name} FORMAT JSONEachRow {"a":1}`, {
      async_insert: '1',
      wait_for_async_insert: '1',
    })
    expect(await engine.run(`SELECT count() FROM ${name}`)).toBe('1')
  })

  it('may have no rows', async () => {
    const name = await table()
    const response = await engine.send({}, { body: `INSERT INTO ${name} FORMAT JSONEachRow` })
    expect([response.status, summaryOf(response).written_rows]).toEqual([200, 0])
  })

  it('insert nothing if any row is invalid', async () => {
    const name = await table()
    const rows = Array.from({ length: 10_000 }, (_, a) => `{"a":${a}}`)
    const failure = await engine.failure(`INSERT INTO ${name} FORMAT JSONEachRow ${rows.join('\n')}\n{"a":"x"}`)
    expect(failure).toMatchObject({ status: 400, code: 27 })
    expect(failure.text).toContain('(at row 10001)')
    expect((await engine.failure(`INSERT INTO ${name} VALUES (1, 'a'), (2`)).status).toBe(400)
    expect(await engine.failure(`INSERT INTO ${name} FORMAT Nope x`)).toMatchObject({ code: 73 })
    expect(await engine.failure(`INSERT INTO no_table FORMAT TSV\n1`)).toMatchObject({ status: 404, code: 60 })
    expect(await engine.run(`SELECT count() FROM ${name}`)).toBe('0')
  })

  it('respond with an error while the client is still sending', async () => {
    const name = await table()
    for (const [target, code] of [
      [name, '27'],
      ['no_table', '60'],
    ] as const) {
      let sent = 0
      const body = new ReadableStream<Uint8Array>({
        pull(controller: ReadableStreamDefaultController<Uint8Array>) {
          controller.enqueue(Buffer.from('{"a":"x"}\n'.repeat(5000)))
          if (++sent === 1000) controller.close()
        },
      })
      const query = `INSERT INTO ${target} FORMAT JSONEachRow`
      const response = await engine.send({ query }, { body, duplex: 'half' })
      expect([response.headers.get('x-clickhouse-exception-code'), sent < 1000]).toEqual([code, true])
      await response.text()
    }
  })

  it('refuse the same statements with rows as a server does', async () => {
    const name = await table()
    expect(await engine.failure(`INSERT INTO ${name} FORMAT TSV; 1`)).toMatchObject({ status: 400, code: 62 })
    expect(await engine.failure(`INSERT INTO ${name} FROM INFILE '/etc/passwd' FORMAT TSV`)).toMatchObject({ code: 48 })
    const input = `INSERT INTO ${name} SELECT a, 'x' FROM input('a UInt64') FORMAT TSV\n1\n`
    expect(await engine.failure(input)).toMatchObject({ status: 501, code: 48 })
  })

  it.each([
    ...['Parquet', 'Native', 'RowBinary', 'ArrowStream', 'Avro', 'MsgPack', 'CSV', 'TSVWithNamesAndTypes'],
    ...['JSONCompactEachRow', 'JSON'],
  ])('accept %s in the form that queries return', async (format) => {
    const [from, to] = [await table(), await table()]
    await engine.run(
      `INSERT INTO ${from} SELECT number, concat(toString(number), '\\t\\n''"\\\\', char(0), char(13), 'é') FROM numbers(100000)`,
    )
    const rows = await engine.send({}, { body: `SELECT * FROM ${from} ORDER BY a FORMAT ${format}` })
    const response = await engine.send(
      { query: `INSERT INTO ${to} FORMAT ${format}` },
      { body: await rows.arrayBuffer() },
    )
    expect([response.status, await response.text()]).toEqual([200, ''])
    const sum = (name: string) => engine.run(`SELECT count(), sum(cityHash64(a, b)) FROM ${name}`)
    expect(await sum(to)).toBe(await sum(from))
  })

  it('preserve every byte of a text', async () => {
    const name = await table()
    const property = fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      await engine.run(`TRUNCATE TABLE ${name}`)
      const length = Buffer.from([
        (bytes.length & 127) | (bytes.length > 127 ? 128 : 0),
        ...(bytes.length > 127 ? [1] : []),
      ])
      const body = Buffer.concat([Buffer.alloc(8), length, bytes])
      const response = await engine.send({ query: `INSERT INTO ${name} FORMAT RowBinary` }, { body })
      expect(await response.text()).toBe('')
      expect(await engine.run(`SELECT hex(b) FROM ${name}`)).toBe(Buffer.from(bytes).toString('hex').toUpperCase())
    })
    await fc.assert(property, { numRuns: runs(8, 40) })
  })

  it('accept bodies of any size without buffering them', async () => {
    const name = await table()
    const line = `{"a":1,"b":"${'x'.repeat(1000)}"}\n`
    const chunk = Buffer.from(line.repeat(1000))
    const chunks = runs(15, 120)
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller: ReadableStreamDefaultController<Uint8Array>) {
        controller.enqueue(chunk)
        if (++sent === chunks) controller.close()
      },
    })
    const query = `INSERT INTO ${name} FORMAT JSONEachRow`
    const response = await engine.send({ query, max_insert_block_size: '15000' }, { body, duplex: 'half' })
    expect(summaryOf(response).written_rows).toBe(1000 * chunks)
    expect(await engine.run(`SELECT count(), sum(length(b)) FROM ${name}`)).toBe(
      `${1000 * chunks}\t${1_000_000 * chunks}`,
    )
  })

  it('store nothing if the client disconnects', async () => {
    const name = await table()
    const gone = new AbortController()
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from('{"a":1}\n'.repeat(1000))),
    })
    const sent = engine.send(
      { query: `INSERT INTO ${name} FORMAT JSONEachRow` },
      { body, duplex: 'half', signal: gone.signal },
    )
    const running = `SELECT count() FROM system.processes WHERE query LIKE 'INSERT INTO ${name} %'`
    while ((await engine.run(running)) === '0');
    gone.abort()
    await expect(sent).rejects.toThrow()
    while ((await engine.run(running)) !== '0');
    expect(await engine.run(`SELECT count() FROM ${name}`)).toBe('0')
  })
})

describe('durability', () => {
  it('preserves every acknowledged insert through kill -9', async () => {
    const dataDir = emptyDirectory()
    const first = await startEngine({ dataDir, password: '' })
    const pid = JSON.parse(readFileSync(`${dataDir}/engine.json`, 'utf8')).pid as number
    const send = (url: string, body: string) => fetch(url, { method: 'POST', body })
    await send(first.url, 'CREATE TABLE kept (a UInt64) ENGINE = MergeTree ORDER BY a')
    let acknowledged = 0
    const insert = async () => {
      for (;;) {
        const response = await send(first.url, `INSERT INTO kept VALUES (${acknowledged})`)
        if (!response.ok) return
        if (++acknowledged === 60) process.kill(pid, 'SIGKILL')
      }
    }
    await Promise.allSettled([insert(), insert(), insert()])
    expect(await first.ended).toEqual({ code: null, signal: 'SIGKILL' })
    expect(spawnSync('kill', ['-0', String(pid)]).status).toBe(1)

    const second = await startEngine({ dataDir, password: '' })
    try {
      const count = Number(await (await send(second.url, 'SELECT count() FROM kept')).text())
      expect(count).toBeGreaterThanOrEqual(acknowledged)
      expect(count).toBeLessThanOrEqual(acknowledged + 3)
    } finally {
      await second.close()
    }
  })
})
