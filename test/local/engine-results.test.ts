import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { inTurn, runs } from '../support/long.ts'
import { seed } from '../support/seed.ts'
import { summaryOf, useTestEngine } from './engine.ts'

const engine = useTestEngine()

const text = (format: string, sql: string) => engine.run(`${sql} FORMAT ${format}`)
const rows = "SELECT number AS n, concat('a\"', toString(number)) AS s FROM numbers(250000)"

describe('formats with an envelope', () => {
  it('have only one header at any size', async () => {
    const lines = (await text('CSVWithNames', rows)).split('\n')
    expect([lines.length, lines[0], lines[1], lines[250_000]]).toEqual([
      250_001,
      ...['"n","s"', '0,"a""0"', '249999,"a""249999"'],
    ])
    expect(lines.filter((line) => line === '"n","s"')).toHaveLength(1)
    const odd = 'SELECT number AS `a"\n,b` FROM numbers(250000)'
    expect((await text('CSVWithNames', odd)).slice(0, 13)).toBe('"a""\n,b"\n0\n1\n')
    expect((await text('CSVWithNames', odd)).split('"a""')).toHaveLength(2)
    expect(await text('CSVWithNames', 'SELECT 1 AS a WHERE 0')).toBe('"a"')
    expect((await text('TSVWithNamesAndTypes', rows)).split('\n')).toHaveLength(250_002)
  })

  it('are a single JSON document at any size', async () => {
    const json = JSON.parse(await text('JSON', rows))
    expect([json.rows, json.data.length, json.data[249_999]]).toEqual([250_000, 250_000, { n: 249_999, s: 'a"249999' }])
    expect(JSON.parse(await text('JSONCompactColumns', rows))[0]).toHaveLength(250_000)
    const array = await engine.run(`${rows} FORMAT JSONEachRow`, { output_format_json_array_of_rows: '1' })
    expect(JSON.parse(array)).toHaveLength(250_000)
  })

  it('are a single Parquet file at any size', async () => {
    const file = Buffer.from(await (await engine.send({}, { body: `${rows} FORMAT Parquet` })).arrayBuffer())
    expect([file.subarray(0, 4).toString(), file.subarray(-4).toString()]).toEqual(['PAR1', 'PAR1'])
    await engine.run('CREATE TABLE parquet (n UInt64, s String) ENGINE = MergeTree ORDER BY n')
    await engine.send({ query: 'INSERT INTO parquet FORMAT Parquet' }, { body: file })
    expect(await engine.run('SELECT count(), sum(n), sum(length(s)) FROM parquet')).toBe(
      await engine.run(`SELECT count(), sum(n), sum(length(s)) FROM (${rows})`),
    )
  })

  it('return totals and extremes at the end of row formats', async () => {
    const totals = 'SELECT number % 2 AS k, count() FROM numbers(10) GROUP BY k WITH TOTALS ORDER BY k'
    expect(await engine.run(totals)).toBe('0\t5\n1\t5\n\n0\t10')
    expect(await engine.run('SELECT number FROM numbers(3)', { extremes: '1' })).toBe('0\n1\n2\n\n0\n2')
    const inStatement = 'SELECT number FROM numbers(300000) SETTINGS extremes = 1'
    expect((await engine.run(inStatement)).split('\n').slice(-4)).toEqual(['299999', '', '0', '299999'])
  })

  it('are also complete if a setting in the statement requests them', async () => {
    const sql = 'SELECT number FROM numbers(300000) SETTINGS output_format_json_array_of_rows = 1 FORMAT JSONEachRow'
    expect(JSON.parse(await engine.run(sql))).toHaveLength(300_000)
  })
})

describe('row formats', () => {
  const streamed: readonly [format: string, end: string, rows: number][] = [
    ['TSV', '', runs(2_000_000, 5_000_000)],
    ['JSONEachRow', '}', runs(1_000_000, 5_000_000)],
    ['CSVWithNames', '"', runs(1_000_000, 5_000_000)],
    ['CSV', '"', runs(1_000_000, 5_000_000)],
  ]

  it.each(inTurn(streamed, seed, 4))(
    'stream millions of rows of %s completely, with little memory',
    async (format, end, rows) => {
      const before = peakMemory()
      const body = `SELECT number, toString(number * 7) AS s FROM numbers(${rows}) FORMAT ${format}`
      const response = await engine.send({}, { body })
      expect(response.headers.get('content-length')).toBeNull()
      const seen = await countLines(response)
      const names = format === 'CSVWithNames' ? 1 : 0
      const last = `${7 * (rows - 1)}${end === '}' ? '"' : ''}${end}`
      expect([seen.lines, seen.last.endsWith(last)]).toEqual([rows + names, true])
      expect(peakMemory() - before).toBeLessThan(seen.bytes)
    },
  )

  it('skip blocks that a filter has emptied', async () => {
    await engine.run('CREATE TABLE sparse (n UInt64) ENGINE = MergeTree ORDER BY n')
    await engine.run('INSERT INTO sparse SELECT number FROM numbers(2000000)')
    const filtered = 'SELECT n FROM sparse WHERE n % 300000 = 7 ORDER BY n'
    expect(await engine.run(filtered, { max_block_size: '10000' })).toBe(
      '7\n300007\n600007\n900007\n1200007\n1500007\n1800007',
    )
  })

  it('are the same whether buffered or streamed', async () => {
    const sql = "SELECT number, number % 3 = 0 ? NULL : [toString(number), '\\t\\n\"\\''] AS a FROM numbers(140000)"
    for (const format of [
      ...['TSV', 'CSV', 'TSKV', 'JSONEachRow', 'JSONStringsEachRow', 'JSONCompactEachRow'],
      ...['JSONCompactStringsEachRow', 'RowBinary', 'MsgPack', 'TSVRaw', 'LineAsString', 'CSVWithNames'],
      'TSVWithNames',
    ]) {
      const columns =
        format === 'LineAsString'
          ? sql.replace('number, ', '').replace(/number % 3.* AS a/, 'toString(number) AS a')
          : sql
      const bytes = async (fields: Record<string, string>) =>
        Buffer.from(
          await (
            await engine.send(fields, { body: `${columns.replace('NULL', '[]')} FORMAT ${format}` })
          ).arrayBuffer(),
        )
      expect([format, (await bytes({})).equals(await bytes({ wait_end_of_query: '1' }))]).toEqual([format, true])
    }
  })

  it('end early if an error occurs after the first rows', async () => {
    const response = await engine.send({}, { body: 'SELECT throwIf(number = 400000), number FROM numbers(500000)' })
    expect(response.status).toBe(200)
    const tag = response.headers.get('x-clickhouse-exception-tag')
    let seen = ''
    const read = async () => {
      for await (const chunk of response.body!) seen = (seen + Buffer.from(chunk).toString()).slice(-2000)
    }
    await expect(read()).rejects.toThrow()
    expect(seen).toMatch(
      new RegExp(`\\r\\n__exception__\\r\\n${tag}\\r\\nCode: 395\\. [^]*\\n\\d+ ${tag}\\r\\n__exception__\\r\\n$`),
    )
  })

  it('respond with the error’s status if it comes early, or with wait_end_of_query', async () => {
    expect(await engine.failure('SELECT throwIf(number = 100), number FROM numbers(5000000)')).toMatchObject({
      status: 500,
      code: 395,
    })
    const late = 'SELECT throwIf(number = 400000), number FROM numbers(500000)'
    expect(await engine.failure(late, { wait_end_of_query: '1' })).toMatchObject({ status: 500, code: 395 })
  })
})

describe('X-ClickHouse-Summary', () => {
  const many = 500_000
  const full = 'SELECT sum(length(b)) FROM scanned'
  const range = `${full} WHERE a BETWEEN 250000 AND 250010`

  beforeAll(async () => {
    await engine.run('CREATE TABLE scanned (a UInt64, b String) ENGINE = MergeTree ORDER BY a')
    await engine.run(`INSERT INTO scanned SELECT number, toString(number) FROM numbers(${many})`)
    await engine.run('OPTIMIZE TABLE scanned FINAL')
  })

  async function scan(sql: string, fields: Record<string, string> = {}) {
    const response = await engine.send(fields, { body: sql })
    await response.arrayBuffer()
    return summaryOf(response)
  }

  it.each(['TSV', 'JSONEachRow', 'JSON', 'JSONCompact', 'CSVWithNames', 'Parquet', 'RowBinary', 'Null'])(
    'distinguishes a full scan from a small read: %s',
    async (format) => {
      const all = await scan(`${full} FORMAT ${format}`)
      expect([all.read_rows, all.result_rows]).toEqual([many, format === 'Null' ? all.result_rows : 1])
      expect(all.read_bytes).toBeGreaterThan(many)
      const some = await scan(`${range} FORMAT ${format}`)
      expect(some.read_rows).toBeGreaterThanOrEqual(11)
      expect(some.read_rows).toBeLessThanOrEqual(3 * 8192)
      expect(some.read_bytes).toBeLessThan(all.read_bytes / 20)
    },
  )

  it('is also right in FORMAT JSON’s own statistics', async () => {
    const response = await engine.send({}, { body: `${full} FORMAT JSON` })
    const { statistics } = (await response.json()) as { statistics: { rows_read: number; bytes_read: number } }
    const summary = summaryOf(response)
    expect([statistics.rows_read, statistics.bytes_read]).toEqual([summary.read_rows, summary.read_bytes])
  })

  it('counts what a filter scans, not its result', async () => {
    for (const format of ['TSV', 'JSONEachRow', 'CSVWithNames']) {
      const summary = await scan(`SELECT a FROM scanned WHERE b = '77' FORMAT ${format}`, {
        use_query_condition_cache: '0',
      })
      expect([format, summary.read_rows, summary.result_rows]).toEqual([format, many, 1])
    }
  })

  it('counts subqueries and joins', async () => {
    const summary = await scan('SELECT count() FROM scanned WHERE b IN (SELECT b FROM scanned WHERE a % 2 = 0)')
    expect(summary.read_rows).toBe(2 * many)
  })

  it('describes its own query, even while others are running', async () => {
    const queries = Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? full : range))
    const summaries = await Promise.all(
      queries.map((sql, index) => scan(`${sql} FORMAT ${index % 3 === 0 ? 'JSON' : 'TSV'}`)),
    )
    for (const [index, summary] of summaries.entries()) {
      if (index % 2 === 0) expect(summary.read_rows).toBe(many)
      else expect(summary.read_rows).toBeLessThanOrEqual(3 * 8192)
    }
  })

  it('is final with wait_end_of_query; otherwise it reports what has been read up to then', async () => {
    const long = 'SELECT * FROM scanned FORMAT TSV'
    expect((await scan(long, { wait_end_of_query: '1' })).read_rows).toBe(many)
    const early = (await scan(long)).read_rows
    expect(early).toBeGreaterThan(0)
    expect(early).toBeLessThanOrEqual(many)
  })

  it('counts what was written', async () => {
    await engine.run('CREATE TABLE written (a UInt64) ENGINE = MergeTree ORDER BY a')
    expect(await scan('INSERT INTO written VALUES (1), (2), (3)')).toMatchObject({ written_rows: 3, written_bytes: 24 })
    const copied = await scan('INSERT INTO written SELECT a FROM scanned')
    expect(copied).toMatchObject({ read_rows: many, written_rows: many, written_bytes: 8 * many })
  })

  it('consists of decimal strings', async () => {
    const response = await engine.send({}, { body: 'SELECT 1' })
    const summary = JSON.parse(response.headers.get('x-clickhouse-summary')!) as Record<string, string>
    expect(Object.keys(summary)).toEqual([
      ...['read_rows', 'read_bytes', 'written_rows', 'written_bytes', 'total_rows_to_read', 'result_rows'],
      ...['result_bytes', 'elapsed_ns'],
    ])
    for (const value of Object.values(summary)) expect(value).toMatch(/^\d+$/)
  })
})

/** The peak memory use of the engine's process up to now, in bytes. */
function peakMemory(): number {
  const { pid } = JSON.parse(readFileSync(`${engine.dataDir}/engine.json`, 'utf8'))
  return 1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1])
}

async function countLines(response: Response) {
  let [lines, bytes, last] = [0, 0, Buffer.alloc(0)]
  for await (const part of response.body!) {
    const chunk = Buffer.from(part)
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++
    bytes += chunk.length
    last = Buffer.concat([last.subarray(-200), chunk.subarray(-200)])
  }
  return { lines, bytes, last: last.toString().trimEnd() }
}
