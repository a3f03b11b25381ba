import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { run, runAll } from '../../src/clickhouse/run.ts'
import type { Statement } from '../../src/query/language/statement.ts'
import { event, id } from '../oracle/fixtures.ts'
import { inputOf } from '../support/questions.ts'
import { reports } from '../support/reports.ts'
import { wholeWebsite } from '../support/scope.ts'
import { columnTime } from '../support/website.ts'
import { clickhouse, insert, sharedRoute } from '../support/weir.ts'

const { signal } = new AbortController()
const now = Date.UTC(2025, 2, 3, 12, 0, 30)
const minute = 60_000

const pick = <Value>(values: readonly Value[], index: number): Value => values[index % values.length]!

/** Web vitals of an event: all, some or none, and values that are not numbers. */
const vitals = [{ lcp: 4.25, cls: 0.1, fcp: 0.3 }, { lcp: 7, inp: 8 }, {}, { lcp: 'nan', ttfb: 'inf' }, { lcp: 1e-7 }]

/** Events of all kinds in the last half hour, of visitors whose country changes. `change` replaces some columns. */
const events = (count: number, change: object = {}): object[] =>
  Array.from({ length: count }, (_, index) => ({
    ...event({
      ...{ event_id: randomUUID(), created_at: columnTime(now - ((index * 7919) % 1700) * 1000) },
      ...{ event_type: pick([1, 5, 2, 1, 5, 3, 4], index), event_name: pick(['', '', 'buy', '', '', '', ''], index) },
      ...{ session_id: id(1 + (index % 11)), visit_id: id(1 + (index % 13)) },
      country: pick(['DE', 'FR', '', 'US', 'FR'], index),
      url_path: pick(['/', '/b', '/a', '', '/ä', '/Z', '/日本'], index),
      ...{ page_title: pick(['One', 'Two', ''], index), browser: pick(['chrome', 'safari'], index) },
      hostname: pick(['www.a.com', 'a.com', ''], index),
      referrer_domain: pick(['a.com', 'b.com', '', 'www.a.com', 'c.com'], index),
    }),
    ...pick(vitals, Math.floor(index / 3)),
    ...change,
  }))

const views = { event_type: 1, event_name: '' }
const measurements = { event_type: 5, event_name: '' }
const [once] = events(1, { ...views, event_id: id(1) })

/** Each website's rows, and whether the Worker itself counts its actions and its vitals. */
const websites: Readonly<Record<string, { rows: readonly object[]; actions: boolean; vitals: boolean }>> = {
  'no events': { rows: [], actions: true, vitals: true },
  'events of every kind': { rows: events(400), actions: true, vitals: true },
  'a path with uneven loading times': {
    rows: [5, 5, 5, 1, 9, 1, 9, 1].map((lcp, index) => ({
      ...events(1, measurements)[0],
      ...{ lcp, url_path: index < 3 ? '/steady' : '/uneven' },
    })),
    actions: true,
    vitals: true,
  },
  'an event that is stored twice': { rows: [once!, once!, ...events(9)], actions: true, vitals: true },
  'as many events as the Worker counts': {
    ...{ rows: [...events(500, views), ...events(1000, measurements)], actions: true, vitals: true },
  },
  'one event more': { rows: [...events(501, views), ...events(1001, measurements)], actions: false, vitals: false },
  'texts that UTF-16 orders differently': {
    rows: ['😀', '\uffee', 'b', 'b😀'].flatMap((url_path) => events(9, { url_path })),
    actions: true,
    vitals: true,
  },
  'long texts': { rows: events(9, { url_path: 'x'.repeat(5000) }), actions: false, vitals: false },
  'long referrers': { rows: events(9, { referrer_domain: 'x'.repeat(5000) }), actions: false, vitals: true },
  'paths that are not UTF-8': { rows: [], actions: false, vitals: false },
}

const idOf = Object.fromEntries(Object.keys(websites).map((name) => [name, randomUUID()]))

beforeAll(async () => {
  const all = Object.entries(websites).flatMap(([name, { rows }]) =>
    rows.map((row) => ({ ...row, website_id: idOf[name] })),
  )
  await insert('ingest', all)
  // JSON cannot contain invalid UTF-8.
  await clickhouse(`INSERT INTO ingest (website_id, session_id, visit_id, event_id, created_at, event_type, url_path, lcp)
    SELECT '${idOf['paths that are not UTF-8']}', generateUUIDv4(1), generateUUIDv4(2), generateUUIDv4(3),
      '${columnTime(now - minute)}', kind, unhex(byte), 1
    FROM (SELECT arrayJoin(['FE', 'FF']) AS byte, arrayJoin([1, 5]) AS kind)`)
})

const range = { startAt: String(now - 86_400_000), endAt: String(now), unit: 'hour', timezone: 'Asia/Kolkata' }

const asked = {
  getRealtime: { query: {}, input: { now }, counts: 'actions' },
  getPerformanceReport: { query: range, input: {}, counts: 'vitals' },
} as const

describe.each(Object.entries(asked))('rows that the Worker counts for %s', (reportName, { query, input, counts }) => {
  it.each(Object.entries(websites))('give the same answer as the whole statements: %s', async (website, expected) => {
    const report = reports.find(({ name }) => name === reportName)!
    const given = { ...inputOf({ report, websiteId: idOf[website]!, query: Object.entries(query) }), ...input }
    const scope = wholeWebsite(idOf[website]!)
    const plan: Record<string, Statement<unknown>> = report.plan(given as never, scope)
    const whole = Object.entries(plan).map(([name, { cheaper: _, ...statement }]) => [name, statement])
    const answer = async (some: typeof plan) => {
      const { body } = await report.shape((await runAll(sharedRoute, some)) as never, given as never)
      // The order of names also matters.
      return JSON.stringify(body)
    }

    const [statement] = plan[Object.keys(plan)[0]!]!.cheaper![0]!.statements
    const few = await run(sharedRoute, statement!, signal)
    for (const row of few.rows) expect(JSON.stringify(row).length).toBeLessThan(5000)
    for (const { cheaper } of Object.values(plan)) {
      expect(cheaper!.map(({ statements }) => statements)).toEqual([[statement]])
      expect(cheaper![0]!.statements[0]).toBe(statement)
      expect(cheaper![0]!.result([few as never]) !== undefined).toBe(expected[counts])
    }
    const right = await answer(Object.fromEntries(whole))
    expect(await answer(plan)).toBe(right)
    // A cheaper statement that was not sufficient is skipped for a while.
    const failed = new Set([plan[Object.keys(plan)[0]!]!.cheaper![0]!.name!])
    const later: typeof plan = report.plan(given as never, { ...scope, known: { found: new Map(), failed } })
    expect(Object.values(later).flatMap(({ cheaper }) => cheaper ?? [])).toEqual([])
    expect(await answer(later)).toBe(right)
  })
})
