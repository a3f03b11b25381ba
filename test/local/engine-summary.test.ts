import { beforeAll, describe, expect, it } from 'vitest'
import { summaryOf, useTestEngine } from './engine.ts'

const engine = useTestEngine()
const rows = 1_000_000
const full = 'SELECT sum(length(b)) FROM scanned'
const range = `${full} WHERE a BETWEEN 500000 AND 500010`

beforeAll(async () => {
  await engine.run('CREATE TABLE scanned (a UInt64, b String) ENGINE = MergeTree ORDER BY a')
  await engine.run(`INSERT INTO scanned SELECT number, toString(number) FROM numbers(${rows})`)
  await engine.run('OPTIMIZE TABLE scanned FINAL')
})

async function scan(sql: string, fields: Record<string, string> = {}) {
  const response = await engine.send(fields, { body: sql })
  await response.arrayBuffer()
  return summaryOf(response)
}

describe('X-ClickHouse-Summary', () => {
  it.each(['TSV', 'JSONEachRow', 'JSON', 'JSONCompact', 'CSVWithNames', 'Parquet', 'RowBinary', 'Null'])(
    'distinguishes a full scan from a small read: %s',
    async (format) => {
      const all = await scan(`${full} FORMAT ${format}`)
      expect([all.read_rows, all.result_rows]).toEqual([rows, format === 'Null' ? all.result_rows : 1])
      expect(all.read_bytes).toBeGreaterThan(rows)
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
      expect([format, summary.read_rows, summary.result_rows]).toEqual([format, rows, 1])
    }
  })

  it('counts subqueries and joins', async () => {
    const summary = await scan('SELECT count() FROM scanned WHERE b IN (SELECT b FROM scanned WHERE a % 2 = 0)')
    expect(summary.read_rows).toBe(2 * rows)
  })

  it('describes its own query, even while others are running', async () => {
    const queries = Array.from({ length: 24 }, (_, index) => (index % 2 === 0 ? full : range))
    const summaries = await Promise.all(
      queries.map((sql, index) => scan(`${sql} FORMAT ${index % 3 === 0 ? 'JSON' : 'TSV'}`)),
    )
    for (const [index, summary] of summaries.entries()) {
      if (index % 2 === 0) expect(summary.read_rows).toBe(rows)
      else expect(summary.read_rows).toBeLessThanOrEqual(3 * 8192)
    }
  })

  it('is final with wait_end_of_query; otherwise it reports what has been read up to then', async () => {
    const long = 'SELECT * FROM scanned FORMAT TSV'
    expect((await scan(long, { wait_end_of_query: '1' })).read_rows).toBe(rows)
    const early = (await scan(long)).read_rows
    expect(early).toBeGreaterThan(0)
    expect(early).toBeLessThanOrEqual(rows)
  })

  it('counts what was written', async () => {
    await engine.run('CREATE TABLE written (a UInt64) ENGINE = MergeTree ORDER BY a')
    expect(await scan('INSERT INTO written VALUES (1), (2), (3)')).toMatchObject({ written_rows: 3, written_bytes: 24 })
    const copied = await scan('INSERT INTO written SELECT a FROM scanned')
    expect(copied).toMatchObject({ read_rows: rows, written_rows: rows, written_bytes: 8 * rows })
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
