import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { openClickHouse } from '../../src/local/import/clickhouse.ts'
import { eventPages } from '../../src/local/import/clickhouse-events.ts'
import { eventColumns } from '../../src/local/import/event-rows.ts'
import type { Cursor, Section } from '../../src/local/import/source.ts'
import { clickhouse } from '../support/weir.ts'
import { makeClickHouse } from './clickhouse-origin.ts'

const name = `answers_${randomUUID().slice(0, 8)}`
const url = await makeClickHouse(name, false)
const reader = await openClickHouse(url)
afterAll(async () => {
  await reader.close()
  await clickhouse(`DROP DATABASE ${name}`)
})

const websiteId = randomUUID()
const from = Date.UTC(2025, 9, 1)
const section: Section = {
  ...{ name: 'events 2025-10', kind: 'events', websiteIds: [websiteId], count: 60 },
  rows: { in: { from, until: from + 31 * 86_400_000 } },
}

/** The ids and numbers of properties in all pages. `stopAfter` is the number of pages after which the caller stops. */
async function read(usual: number, most: number, after?: Cursor, stopAfter = Number.POSITIVE_INFINITY) {
  const found: [id: string, properties: number][] = []
  let last = after
  let pages = 0
  const reading = { reader, columns: [...eventColumns], mostRows: 3, answers: { usual, most } }
  for await (const page of eventPages(reading, section, after)) {
    expect(page.events.length).toBeLessThanOrEqual(3)
    found.push(
      ...page.events.map(({ values, properties }) => [String(values[3]), properties.length] as [string, number]),
    )
    last = page.after
    if (++pages === stopAfter) break
  }
  return { found, last }
}

it('events of Umami’s ClickHouse are read once and in order, by any statements, from any page', async () => {
  const event = `'${websiteId}', toUUID(concat('00000000-0000-4000-8000-0000000000', leftPad(toString(number % 7), 2, '0')))`
  await clickhouse(`INSERT INTO ${name}.website_event (website_id, session_id, visit_id, event_id, created_at, event_type)
    SELECT ${event}, generateUUIDv4(number), generateUUIDv4(number + 1000),
      toDateTime('2025-10-01 00:00:00', 'UTC') + intDiv(number, 25) * 3600 + number % 3, 1 FROM numbers(60)`)
  await clickhouse(`INSERT INTO ${name}.event_data (website_id, event_id, data_key, data_type, created_at)
    SELECT website_id, event_id, arrayJoin(['a', 'b']), 1, created_at FROM ${name}.website_event
    WHERE toSecond(created_at) = 1`)
  const { found } = await read(1000, 1000)
  expect(new Set(found.map(([id]) => id)).size).toBe(60)
  expect(found.reduce((sum, [, properties]) => sum + properties, 0)).toBe(40)
  // Statements for an hour or more, and ones that return less than an hour.
  for (const [usual, most] of [
    [10, 1000],
    [10, 4],
    [1000, 7],
    [1000, 60],
  ] as const) {
    expect((await read(usual, most)).found, `${usual}, ${most}`).toEqual(found)
  }
  const { found: first, last } = await read(10, 4, undefined, 5)
  expect([...first, ...(await read(10, 4, last)).found]).toEqual(found)
  // The reader is free again, although a statement was running when the caller stopped.
  expect(await reader.rows('SELECT 1 AS one')).toEqual([{ one: '1' }])
})
