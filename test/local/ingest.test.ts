import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { root } from '../../src/local/paths.ts'
import { newId } from '../support/website.ts'
import { clickhouse, running } from '../support/weir.ts'

/** Inserts rows as any writer would. Returns ClickHouse's error, or an empty text. */
async function write(...rows: readonly object[]): Promise<string> {
  const query = encodeURIComponent('INSERT INTO ingest FORMAT JSONEachRow')
  const body = rows.map((row) => JSON.stringify(row)).join('\n')
  const response = await fetch(`${running.clickhouse}&query=${query}`, { method: 'POST', body })
  const text = await response.text()
  expect(response.ok).toBe(text === '')
  return text
}

const eventsOf = (websiteId: string) =>
  clickhouse<Record<string, unknown>>(`
    SELECT event_type, event_name, event_id, session_id, visit_id, abs(now64(3) - created_at) < 60 AS is_now, url_path
    FROM events WHERE website_id = '${websiteId}' ORDER BY event_type, created_at`)

describe('ingest, the entry table for writers', () => {
  it('fills in the time, new ids, and the type that goes with the name', async () => {
    const website_id = newId()
    expect(await write({ website_id, event_name: 'signup' }, { website_id, url_path: '/join' })).toBe('')
    const rows = await eventsOf(website_id)
    expect(rows).toMatchObject([
      { event_type: 1, event_name: '', url_path: '/join', is_now: 1 },
      { event_type: 2, event_name: 'signup', url_path: '', is_now: 1 },
    ])
    const ids = rows.flatMap(({ event_id, session_id, visit_id }) => [event_id, session_id, visit_id])
    expect(new Set(ids).size).toBe(6)
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
    ['a time that is none', { created_at: 'yesterday' }, 'created_at'],
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
  ])('refuses %s, together with the whole insert', async (_, row, names) => {
    const website_id = newId()
    const refused = await write({ website_id, event_name: 'fine' }, { website_id, event_name: 'wrong', ...row })
    expect(refused).toContain(names)
    if (names !== 'properties') expect(refused).toMatch(/row 2/)
    expect(await eventsOf(website_id)).toStrictEqual([])
  })

  it('accepts data that visitors may cause: a repeated or empty key, an array that is null or cut off', async () => {
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

  it('accepts the insert in the README unchanged, and counts it once', async () => {
    const website_id = newId()
    const readme = readFileSync(`${root}/README.md`, 'utf8')
    const [, address, body] = /curl "\$CLICKHOUSE(&query=INSERT[^"]*)" -d '(.*?)'\n```/s.exec(readme)!
    // The text after the shell's quoting.
    const sent = body!.replace(`'"$WEBSITE"'`, website_id)
    for (let time = 0; time < 2; time++) {
      const response = await fetch(running.clickhouse + address, { method: 'POST', body: sent })
      expect([response.status, await response.text()]).toEqual([200, ''])
    }
    expect(await eventsOf(website_id)).toMatchObject([{ event_type: 2, event_name: 'signup', url_path: '/join' }])
  })
})
