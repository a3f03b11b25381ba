import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { root } from '../../src/local/paths.ts'
import { newId } from '../support/website.ts'
import { clickhouse, running } from '../support/weir.ts'

const lines = (rows: readonly object[]): string => rows.map((row) => JSON.stringify(row)).join('\n')

/** Sends a statement as any writer would. Returns ClickHouse's error, or an empty string. */
async function post(statement: string, body: string | ArrayBuffer, token = ''): Promise<string> {
  const query = new URLSearchParams({ query: statement, insert_deduplication_token: token })
  const response = await fetch(`${running.clickhouse}&${query}`, { method: 'POST', body })
  const text = await response.text()
  expect(response.ok).toBe(text === '')
  return text
}

const write = (...rows: readonly object[]): Promise<string> =>
  post('INSERT INTO ingest FORMAT JSONEachRow', lines(rows))

const eventsOf = (websiteId: string) =>
  clickhouse<Record<string, unknown>>(`
    SELECT event_type, event_name, event_id, session_id, visit_id, abs(now64(3) - created_at) < 60 AS is_now, url_path
    FROM events WHERE website_id = '${websiteId}' ORDER BY event_type, created_at`)

describe('ingest, the entry table for writers', () => {
  it('fills in the time, the ids and the type that matches the name; each event is its own visit', async () => {
    const website_id = newId()
    expect(await write({ website_id, event_name: 'signup' }, { website_id, url_path: '/join' })).toBe('')
    const rows = await eventsOf(website_id)
    expect(rows).toMatchObject([
      { event_type: 1, event_name: '', url_path: '/join', is_now: 1 },
      { event_type: 2, event_name: 'signup', url_path: '', is_now: 1 },
    ])
    const ids = rows.flatMap(({ event_id, session_id, visit_id }) => [event_id, session_id, visit_id])
    expect(ids.map((id) => ids.indexOf(id))).toEqual([0, 0, 0, 3, 3, 3])
  })

  it('stores every given column', async () => {
    const website_id = newId()
    const given = { event_id: newId(), session_id: newId(), visit_id: newId(), event_type: 3, event_name: 'named' }
    expect(await write({ ...given, website_id, created_at: '2001-02-03T04:05:06.789Z' })).toBe('')
    expect(await eventsOf(website_id)).toMatchObject([{ ...given, is_now: 0 }])
  })

  const property = { 'properties.key': ['a'], 'properties.string_value': ['x'] }
  const withNulls = { ...property, 'properties.number_value': [null], 'properties.date_value': [null] }
  const tomorrow = new Date(Date.now() + 25 * 3_600_000).toISOString()

  it.each<[what: string, row: object, names: string]>([
    ['a time before 2000', { created_at: '1999-12-31T23:59:59.999Z' }, 'created_at'],
    ['a time in 1970', { created_at: 0 }, 'created_at'],
    ['a time more than a day ahead', { created_at: tomorrow }, 'created_at'],
    ['a text that is not a time', { created_at: 'yesterday' }, 'created_at'],
    ['a misspelt column', { createdAt: '2025-10-15T16:26:28Z' }, 'createdAt'],
    ['type 0', { event_type: 0 }, 'event_type'],
    ['type 9', { event_type: 9 }, 'event_type'],
    ['data type 77', { ...withNulls, 'properties.data_type': [77] }, 'data_type'],
    ['data type 0', { ...withNulls, 'properties.data_type': [0] }, 'data_type'],
    ['a number without its value', { ...withNulls, 'properties.data_type': [2] }, 'number_value'],
    ['a date without its value', { ...withNulls, 'properties.data_type': [4] }, 'date_value'],
    ['properties of unequal length', { ...withNulls, 'properties.data_type': [1, 1] }, 'properties'],
    ['no website', { website_id: undefined }, 'website_id'],
    ['the nil website', { website_id: '00000000-0000-0000-0000-000000000000' }, 'website_id'],
  ])('refuses %s, along with the whole insert', async (_, row, names) => {
    const website_id = newId()
    const refused = await write({ website_id, event_name: 'fine' }, { website_id, event_name: 'wrong', ...row })
    expect(refused).toContain(names)
    if (names !== 'properties') expect(refused).toMatch(/row 2/)
    expect(await eventsOf(website_id)).toStrictEqual([])
  })

  it('accepts odd data that visitors can produce: a repeated or empty key, a null or truncated array', async () => {
    const website_id = newId()
    const properties = {
      'properties.key': ['a', 'a', '', 'b', 'c'],
      'properties.data_type': [1, 1, 1, 5, 5],
      'properties.string_value': ['x', 'y', 'z', 'null', '["cut o'],
      'properties.number_value': [null, null, null, null, null],
      'properties.date_value': [null, null, null, null, null],
    }
    expect(await write({ website_id, event_name: 'odd', ...properties })).toBe('')
    expect(await eventsOf(website_id)).toHaveLength(1)
  })

  const once = { event_id: newId(), created_at: '2025-10-15 16:26:28.000' }
  const sentence =
    'With insert_deduplication_token, give each row its event_id and created_at: a repeat would get others'

  it.each<[what: string, columns: readonly ('event_id' | 'created_at')[]]>([
    ['neither id nor time', []],
    ['no time', ['event_id']],
    ['no id', ['created_at']],
  ])('refuses rows with a token and %s, in every format, and stores nothing', async (_, columns) => {
    const website_id = newId()
    const given = columns.map((column) => [column, once[column]] as const)
    const row: Record<string, string> = { website_id, ...Object.fromEntries(given) }
    const names = Object.keys(row).join(', ')
    const values = Object.values(row).map((value) => `'${value}'`)
    const native = await fetch(running.clickhouse, {
      method: 'POST',
      body: `SELECT ${values.map((value, at) => `${value} AS ${Object.keys(row)[at]}`).join(', ')} FORMAT Native`,
    })
    for (const refused of [
      await post('INSERT INTO ingest FORMAT JSONEachRow', lines([row]), newId()),
      await post('INSERT INTO ingest FORMAT JSONEachRow', lines([{ website_id, ...once }, row]), newId()),
      await post('INSERT INTO ingest FORMAT JSONEachRow', lines([{ ...row, event_id: row.event_id ?? null }]), newId()),
      await post(`INSERT INTO ingest (${names}) FORMAT CSV`, Object.values(row).join(), newId()),
      await post('INSERT INTO ingest FORMAT Native', await native.arrayBuffer(), newId()),
      await post(`INSERT INTO ingest (${names}) VALUES (${values.join()})`, '', newId()),
      await post(`INSERT INTO ingest (${names}) SELECT ${values.join()}`, '', newId()),
      await post(`INSERT INTO ingest (${names}) SETTINGS insert_deduplication_token = 'a' SELECT ${values.join()}`, ''),
      await post('INSERT INTO ingest SETTINGS async_insert = 1 FORMAT JSONEachRow', lines([row]), newId()),
    ]) {
      expect(refused).toMatch(`DB::Exception: ${sentence}`)
    }
    expect(await eventsOf(website_id)).toStrictEqual([])
  })

  it('refuses identify calls with a token but no time', async () => {
    const call = { website_id: newId(), session_id: newId(), distinct_id: 'ann' }
    const insert = (row: object) => post('INSERT INTO ingest_session_data FORMAT JSONEachRow', lines([row]), newId())
    expect(await insert(call)).toMatch('With insert_deduplication_token, give each row its created_at: a repeat would')
    expect(await insert({ ...call, created_at: once.created_at })).toBe('')
    const stored = `SELECT count() AS calls FROM session_data WHERE website_id = '${call.website_id}'`
    expect(await clickhouse(stored)).toEqual([{ calls: 1 }])
  })

  it('accepts rows with a token, an id and a time, and fills in the same ids in each attempt', async () => {
    const website_id = newId()
    const [first, second] = [
      { website_id, ...once, url_path: '/a' },
      { website_id, ...once, event_id: newId() },
    ]
    const token = newId()
    for (let time = 0; time < 3; time++) {
      expect(await post('INSERT INTO ingest FORMAT JSONEachRow', lines([first, second]), token)).toBe('')
    }
    const rows = await eventsOf(website_id)
    expect(new Set(rows.map(({ event_id }) => event_id))).toEqual(new Set([first.event_id, second.event_id]))
    expect(rows.every(({ event_id, session_id, visit_id }) => event_id === session_id && event_id === visit_id)).toBe(
      true,
    )
  })

  it('accepts the README’s insert unchanged, and counts it once', async () => {
    const website_id = newId()
    const readme = readFileSync(`${root}/README.md`, 'utf8')
    const [, script] = /```sh run\n(TOKEN=.*?)```/s.exec(readme)!
    const env = { PATH: process.env.PATH!, CLICKHOUSE: running.clickhouse, WEBSITE: website_id }
    // Repeats the last command, as a writer does after a failed insert.
    const repeated = `${script}\n${script!.slice(script!.indexOf('curl'))}`
    expect(execFileSync('sh', ['-ec', repeated], { env, encoding: 'utf8', stdio: 'pipe' })).toBe('')
    expect(await eventsOf(website_id)).toMatchObject([{ event_type: 2, event_name: 'signup', url_path: '/join' }])
  })
})
