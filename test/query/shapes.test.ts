import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../src/clickhouse/run.ts'

import type { Statement } from '../../src/query/language/statement.ts'
import { array, boolean, date, event, number, string } from '../oracle/fixtures.ts'
import { runs } from '../support/long.ts'
import { planOf } from '../support/questions.ts'
import { reportOf } from '../support/reports.ts'
import { clickhouse, ingest, sharedRoute } from '../support/weir.ts'

const { signal } = new AbortController()

const startAt = Date.UTC(2025, 2, 3)
const endAt = Date.UTC(2025, 2, 4)

const eventOf = (website_id: string, [event_name, ...keys]: EventShape) =>
  event(
    { website_id, event_id: randomUUID(), created_at: '2025-03-03 12:00:00.000', event_type: 2, event_name },
    keys.map((key, place) => kinds[place % 5]!(key)),
  )

/** A property of each type. */
const kinds = [
  (key: string) => string(key, '1'),
  (key: string) => number(key, '1'),
  (key: string) => boolean(key, true),
  (key: string) => date(key, '2025-01-01T00:00:00.000Z'),
  (key: string) => array(key, [1]),
]

/** An event's name, and the names of its properties. */
type EventShape = readonly [name: string, ...keys: string[]]

const many = (length: number): EventShape[] => Array.from({ length }, (_, index) => ['name', `key ${index}`])

/** Each website's events, and whether the Worker can parse their shapes. */
const websites: Readonly<Record<string, { shapes: readonly EventShape[]; isShort: boolean }>> = {
  'no events': { shapes: [], isShort: true },
  'a few shapes': {
    shapes: [
      ['buy', 'price', 'plan'],
      ['buy', 'price', 'plan'],
      ['buy', 'plan'],
      ['buy', 'plan', 'plan'],
      ['Buy', 'price', ''],
      ['', 'price'],
      ['a "quoted" \\ name\n\u0000', 'é', 'z', 'Z', 'ä', '日本', '\ud7ff'],
    ],
    isShort: true,
  },
  'as many shapes as the Worker parses': { shapes: many(500), isShort: true },
  'one shape more than that': { shapes: many(501), isShort: false },
  'a name that UTF-16 orders differently from its bytes': {
    shapes: [
      ['😀', 'a'],
      ['\uffee', 'a'],
      ['b', '\ue000', '😀'],
    ],
    isShort: false,
  },
  'a long shape': {
    shapes: [
      ['name', 'k'.repeat(3000)],
      ['name', 'k'],
    ],
    isShort: false,
  },
  'names that are no UTF-8': { shapes: [['broken', 'x']], isShort: false },
}

const idOf = Object.fromEntries(Object.keys(websites).map((name) => [name, randomUUID()]))

beforeAll(async () => {
  await ingest(
    Object.entries(websites).flatMap(([name, { shapes }]) => shapes.map((shape) => eventOf(idOf[name]!, shape))),
  )
  // JSON cannot contain invalid UTF-8. These two names differ only in invalid bytes.
  await clickhouse(`INSERT INTO ingest (website_id, session_id, visit_id, event_id, created_at, event_type, event_name, properties.key,
      properties.data_type, properties.string_value, properties.number_value, properties.date_value)
    SELECT '${idOf['names that are no UTF-8']}', generateUUIDv4(1), generateUUIDv4(2), generateUUIDv4(3), '2025-03-03 12:00:00', 2,
      'broken', [unhex(byte)], [1], ['1'], [NULL], [NULL] FROM (SELECT arrayJoin(['FE', 'FF']) AS byte)`)
})

const reports = ['event-data/events', 'event-data/properties', 'event-data/stats'] as const

function planned(
  endpoint: (typeof reports)[number],
  website: string,
  part: Record<string, number>,
): Statement<unknown> {
  const query = Object.entries({ startAt, endAt, ...(endpoint !== 'event-data/stats' && part) })
  const question = {
    report: reportOf({ endpoint }),
    websiteId: idOf[website]!,
    query: query.map(([name, value]) => [name, String(value)] as const),
  }
  return Object.values(planOf(question))[0]!
}

describe.each(reports)('shapes parsed by the Worker for %s', (endpoint) => {
  it.each(Object.entries(websites))('give the same answer as the whole statement: %s', async (website, { isShort }) => {
    const parts = fc.record({
      limit: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constant(1000)),
      offset: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9 })),
    })
    await fc.assert(
      fc.asyncProperty(parts, async (part) => {
        const statement = planned(endpoint, website, part)
        const { cheaper, ...whole } = statement
        const [{ statements, result }] = cheaper as [NonNullable<typeof cheaper>[number]]
        const short = result([(await run(sharedRoute, statements[0]!, signal)) as never])
        expect(short !== undefined).toBe(isShort)
        const answer = await run(sharedRoute, whole, signal)
        if (short) expect(short).toEqual(answer)
        expect(await run(sharedRoute, statement, signal)).toEqual(answer)
      }),
      { numRuns: runs(1, 8), endOnFailure: true },
    )
  })
})
