import { createClient } from '@clickhouse/client-web'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settingsFor } from '../../src/clickhouse/query.ts'
import { run } from '../../src/clickhouse/run.ts'
import { parseServer } from '../../src/clickhouse/server.ts'
import { seal } from '../../src/local/storage/seal.ts'
import { unseal } from '../../src/local/storage/unseal.ts'
import { notedDays, notesWithin } from '../../src/query/chains/notes.ts'
import { sealedDays } from '../../src/query/chains/rows.ts'
import type { Knowledge } from '../../src/query/language/known.ts'
import { compile } from '../../src/query/language/sql.ts'
import type { Statement } from '../../src/query/language/statement.ts'
import { noFilters } from '../../src/request/filters.ts'
import { event, id } from '../oracle/fixtures.ts'
import { chainedResults, picksRows, plannedKnowing } from '../support/chained.ts'
import { inTurn } from '../support/long.ts'
import { inputOf } from '../support/questions.ts'
import { reportOf } from '../support/reports.ts'
import { wholeWebsite } from '../support/scope.ts'
import { seed } from '../support/seed.ts'
import { columnTime, newId } from '../support/website.ts'
import { ingest, running, sharedRoute } from '../support/weir.ts'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]

describe('rows of seals', () => {
  const [one, two] = [`1${' 0'.repeat(22)} 4`, `${'0 '.repeat(23)}2`]
  const most = 2n ** 64n - 1n
  /** The notes for days 10, 11 (without actions) and 12. */
  const all = {
    ...{ shards: [0, 0, 0], days: [10, 11, 12], seals: [7, 8, 9], changed: [1, 0, 4] },
    ...{ began: [100, 100, 300], done: [200, 200, 400], dayMarks: ['10', '20', String(most)] },
    ...{ sealMarks: ['1000', '2000', String(most)], views: [5, 0, 2], customs: [2, 0, 0] },
    ...{ viewsByHour: `${one};;${two}`, isHere: 1, isReplicated: 0, hasOtherHours: 0, hasOtherValues: 1 },
  }
  const [startAt, endAt] = [10 * day, 13 * day - 1]

  it('are summed over the days and hours of a range', () => {
    expect(notesWithin(all, { startAt, endAt })).toEqual({
      ...{ isReplicated: 0, hasOtherHours: 0, hasOtherValues: 1, areOfShards: false, holds: true, changed: 5 },
      // The mark of the last day is -1 modulo 2^64.
      ...{ seals: [7, 9], views: 7, actionsByDay: '68', actionsBySeal: '6998', viewsBySeal: '4998', latest: '2999' },
    })
    const cut = { startAt: startAt + hour, endAt: endAt - hour }
    expect(notesWithin(all, cut)).toMatchObject({ views: 4, actionsByDay: '68' })
    const last = { startAt: 12 * day, endAt }
    expect(notesWithin(all, last)).toMatchObject({ seals: [9], changed: 4, views: 2, actionsByDay: String(most - 1n) })
  })

  it('are valid if each shard sealed its days in order and the seals belong to this database', () => {
    const holds = (changed: Partial<typeof all>) => notesWithin({ ...all, ...changed }, { startAt, endAt }).holds
    expect(holds({ done: [200, 999, 400] })).toBe(true)
    expect(holds({ done: [301, 200, 400] })).toBe(false)
    expect(holds({ done: [301, 200, 400], shards: [1, 1, 2] })).toBe(true)
    expect(holds({ began: [300, 100, 300], done: [400, 200, 400] })).toBe(true)
    expect(holds({ isHere: 0 })).toBe(false)
  })

  it('are read together for many ranges', () => {
    const scope = { ...wholeWebsite('website'), closedBefore: 1000 * day }
    const daysFrom = (startAt: number) => (1000 * day - notedDays(startAt, scope).startAt) / day
    expect([1000, 990, 936, 935, 872, 871, 0].map((start) => daysFrom(start * day))).toEqual([
      ...[64, 64, 64, 128, 128, 256, 1000],
    ])
  })

  const [closedBefore, websiteId, report] = [20_000 * day, newId(), reportOf({ endpoint: 'stats' })]
  const yesterday = { ...all, shards: [0, 0], days: [19_998, 19_999], seals: [7, 8], began: [1, 1], done: [2, 2] }
  // Sessions change all columns, so no chain answers.
  const noted = { ...yesterday, changed: [127, 127], customs: [0, 0] }
  const [small, large] = [
    { ...noted, views: [149_998, 1] },
    { ...noted, views: [300_000, 1] },
  ]

  it.each([
    { notes: small, days: 90, browser: 'chrome', isSearched: false },
    { notes: small, days: 90, browser: 'neq.chrome', isSearched: false },
    { notes: { ...noted, views: [149_999, 1] }, days: 90, browser: 'chrome', isSearched: true },
    { notes: { ...noted, views: [149_999, 1] }, days: 90, browser: '', isSearched: false },
    { notes: large, days: 20, browser: 'chrome', isSearched: false },
    { notes: large, days: 21, browser: 'chrome', isSearched: true },
    { notes: large, days: 89, browser: 'neq.chrome', isSearched: false },
    { notes: { ...noted, views: [299_998, 1] }, days: 89, browser: 'chrome', isSearched: false },
    // The latest day is unsealed, its seal was withdrawn, or a day was sealed before earlier days.
    { notes: { ...small, days: [19_997, 19_998] }, days: 90, browser: 'chrome', isSearched: true },
    { notes: { ...small, views: [1, 0] }, days: 90, browser: 'chrome', isSearched: true },
    { notes: { ...small, shards: [1, 2] }, days: 90, browser: 'chrome', isSearched: true },
    { notes: { ...small, began: [1, 0] }, days: 90, browser: 'chrome', isSearched: true },
    { notes: { ...large, began: [1, 0] }, days: 21, browser: 'chrome', isSearched: false },
  ])(
    'determine whether matching visits are searched first: $days days, $browser, $notes.views',
    ({ notes, days, browser, isSearched }) => {
      const range = { startAt: `${closedBefore - days * day}`, endAt: `${closedBefore - 1}` }
      const input = inputOf({ report, websiteId, query: Object.entries({ ...range, ...(browser && { browser }) }) })
      const planning = (known?: Knowledge) =>
        report.plan(input as never, { ...wholeWebsite(websiteId), closedBefore, ...(known && { known }) })
      const { key } = (planning().current as Statement<unknown>).wants!
      const known = { found: new Map([[key, { rows: [notes], total: 1 }]]), failed: new Set<string>() }
      const { query } = compile((planning(known).current as Statement<unknown>).body)
      expect(query.includes('reinterpretAsUInt32(visit_id)')).toBe(isSearched)
    },
  )
})

it.each([
  { from: 0, to: -1, isByDay: true },
  { from: 1, to: 1, isByDay: true },
  { from: hour + 1, to: -1, isByDay: true },
  { from: hour, to: -1, isByDay: false },
  { from: 0, to: hour - 1, isByDay: false },
])('daily rows answer ranges of whole days and ranges with partial hours: $from, $to', ({ from, to, isByDay }) => {
  const startAt = Date.UTC(2025, 0, 1)
  const period = { startAt: startAt + from, endAt: startAt + 30 * day + to }
  const chosen = sealedDays({ scope: wholeWebsite(newId()), period, filters: noFilters })
  expect(chosen !== undefined).toBe(isByDay)
})

/** Visits that continue with a different browser in the unsealed end of a range. Seals do not include this change. */

const from = Date.UTC(2025, 0, 1)
const openFrom = from + 39 * day
const [websiteId, withoutText, withoutDays, unsealed] = [newId(), newId(), newId(), newId()]
const client = createClient(parseServer({ CLICKHOUSE_URL: running.clickhouse }))

interface View {
  readonly session: number
  readonly visit: number
  readonly at: number
  readonly browser: string
  readonly path: string
}

/** The last views in the sealed hours, and the views of the unsealed day. */
const around: readonly View[] = [
  { session: 1, visit: 1, at: openFrom - 10 * minute, browser: 'chrome', path: '/start' },
  { session: 1, visit: 1, at: openFrom + 10 * minute, browser: 'firefox', path: '/end' },
  { session: 2, visit: 2, at: openFrom - 3 * hour, browser: 'firefox', path: '/start' },
  { session: 2, visit: 2, at: openFrom - hour, browser: 'firefox', path: '/middle' },
  { session: 2, visit: 2, at: openFrom + 2 * hour, browser: 'chrome', path: '/start' },
  { session: 3, visit: 3, at: openFrom - 2 * hour, browser: 'chrome', path: '/end' },
  { session: 3, visit: 4, at: openFrom + hour, browser: 'firefox', path: '/end' },
  { session: 4, visit: 5, at: openFrom - 5 * minute, browser: 'chrome', path: '/middle' },
  { session: 4, visit: 5, at: openFrom + 5 * minute, browser: 'chrome', path: '/middle' },
  { session: 5, visit: 6, at: openFrom + minute, browser: 'chrome', path: '/end' },
  { session: 5, visit: 6, at: openFrom + 2 * minute, browser: 'firefox', path: '/' },
]

/** A view of one of nine sessions on each day. Three of the sessions have firefox. */
const before: readonly View[] = Array.from({ length: 39 }, (_, place) => {
  const session = 10 + (place % 9)
  const browser = session % 3 === 0 ? 'firefox' : 'chrome'
  return { session, visit: 100 + place, at: from + place * day + hour, browser, path: '/' }
})

beforeAll(async () => {
  const rows = [...before, ...around].map(({ session, visit, at, browser, path }) => ({
    ...event({ event_id: newId(), session_id: id(2000 + session), visit_id: id(5000 + visit) }),
    ...{ created_at: columnTime(at), event_type: 1, event_name: '', browser, url_path: path },
    ...{
      hostname: path === '/end' ? 'b.example' : 'a.example',
      url_query: `page=${session % 3}`,
      referrer_domain: path === '/' ? '' : `${browser}.example`,
      country: 'US',
      city: 'Portland',
    },
  }))
  const websiteIds = [websiteId, withoutText, withoutDays, unsealed]
  await ingest(websiteIds.flatMap((website_id) => rows.map((row) => ({ ...row, website_id }))))
  await seal(client, { websiteIds, patience: 0 })
})

afterAll(() => client.close())

const types = ['path', 'referrer', 'query', 'hostname', 'entry', 'exit', 'channel', 'browser', 'country', 'city']

const questions = [
  ...['stats', 'sessions/stats', 'sessions/weekly', 'sessions', 'pageviews'].map((endpoint) => ({ endpoint, own: {} })),
  { endpoint: 'pageviews', own: { unit: 'month', timezone: 'America/New_York' } },
  ...types.map((type) => ({ endpoint: 'metrics', own: { type } })),
  ...['browser', 'city'].map((type) => ({ endpoint: 'metrics/expanded', own: { type } })),
]

const filters = [{}, { browser: 'chrome' }, { browser: 'neq.chrome' }, { browser: 'firefox', country: 'US' }]

async function statementOf(websiteId: string, endpoint: string, own: object): Promise<Statement<unknown>> {
  const report = reportOf({ endpoint } as never)
  const range = { startAt: String(from + 30 * minute), endAt: String(openFrom + 9 * hour) }
  const input = inputOf({ report, websiteId, query: Object.entries({ ...range, ...own }) } as never)
  const scope = { ...wholeWebsite(websiteId), closedBefore: openFrom, chainsFrom: 1 }
  const plan: Readonly<Record<string, Statement<unknown>>> = await plannedKnowing(sharedRoute, (known) =>
    report.plan(input as never, { ...scope, ...(known && { known }) }),
  )
  return Object.values(plan).find(({ wants }) => wants)!
}

it.each(questions)('chains give the same answer as the whole statement: $endpoint $own', async ({ endpoint, own }) => {
  const turn = seed + JSON.stringify(own).length + endpoint.length
  for (const filter of inTurn(filters, turn, 4)) {
    const statement = await statementOf(websiteId, endpoint, { ...own, ...filter })
    // If both ends are whole days, no rows of sealed hours are needed.
    if (endpoint !== 'pageviews') expect(picksRows(statement)).toBe(true)
    const { cheaper, ...whole } = statement
    const expected = await run(sharedRoute, whole, new AbortController().signal)
    const results = await chainedResults(sharedRoute, statement)
    expect({ filter, results }).toEqual({ filter, results: cheaper!.map(() => expected) })
  }
})

it('chains do not answer if the text for a hash is missing', async () => {
  const asked = await statementOf(withoutText, 'metrics', { type: 'path', browser: 'firefox' })
  const found = { rows: expect.arrayContaining([{ f_x: '/middle', f_visitors: 1 }]) }
  expect(await chainedResults(sharedRoute, asked)).toMatchObject([found, found])
  const query = `alter table chained_values delete where website_id = '${withoutText}' and value = '/middle'`
  await client.command({ query, clickhouse_settings: { mutations_sync: '2' } })
  expect(await chainedResults(sharedRoute, asked)).toEqual([undefined, undefined])
})

/** Expects that chains answer these questions until the website's daily rows are removed. */
async function needDays(websiteId: string, asked: readonly [string, object][], remove: () => Promise<unknown>) {
  // An isolate may not yet know about the removal.
  const statements = await Promise.all(asked.map(([endpoint, own]) => statementOf(websiteId, endpoint, own)))
  for (const one of statements) expect((await chainedResults(sharedRoute, one)).every((result) => result)).toBe(true)
  await remove()
  for (const one of statements)
    expect(await chainedResults(sharedRoute, one)).toEqual(one.cheaper!.map(() => undefined))
}

it('chains do not answer if the daily rows are unsealed', async () => {
  await needDays(unsealed, [['pageviews', {}]], () => unseal(client, [unsealed]))
})

it('chains do not answer if the daily rows are lost', async () => {
  const query = `alter table chained_days delete where website_id = '${withoutDays}'`
  const lose = () => client.command({ query, clickhouse_settings: { mutations_sync: '2' } })
  const asked = [{ type: 'browser' }, { type: 'browser', search: 'fire' }].map((own): [string, object] => [
    'metrics',
    own,
  ])
  await needDays(withoutDays, asked, lose)
})

/** The text from a bracket to its closing bracket. */
function enclosedFrom(query: string, start: number): string {
  let depth = 0
  for (let end = start; ; end++) {
    depth += { '(': 1, ')': -1 }[query[end]!] ?? 0
    if (depth === 0) return query.slice(start + 1, end)
  }
}

/** Scalar subqueries that count chain rows through projections. A query plan does not show them. */
const scalarsIn = (query: string): string[] =>
  [...query.matchAll(/\(\s*select /g)]
    .map(({ index }) => enclosedFrom(query, index))
    .filter((scalar) => /\ssettings optimize_use_projections = 1\s*$/.test(scalar))

it.each([
  { endpoint: 'stats', own: {}, counts: [2, 0, 0, 1, 0] },
  { endpoint: 'metrics', own: { type: 'path' }, counts: [2, 0, 0, 1, 1, 0, 2] },
])('checks against seals count chain rows without reading them: $endpoint', async ({ endpoint, own, counts }) => {
  const { wants, cheaper } = await statementOf(websiteId, endpoint, own)
  const sent = [wants!.statement, ...cheaper!.flatMap(({ statements, checks = [] }) => [...statements, ...checks])]
  const found: number[] = []
  for (const { body } of sent) {
    const { query: whole, query_params } = compile(body)
    const reads = async (query: string): Promise<string[]> => {
      const plan = await client.query({
        ...{ query: `explain ${query}`, query_params, format: 'TabSeparatedRaw' },
        clickhouse_settings: settingsFor({ timeout: 60 }),
      })
      return (await plan.text()).match(/ReadFrom.*/g) ?? []
    }
    const byProjection = (await reads(whole)).filter((read) => read === 'ReadFromMergeTree (counted)')
    const scalars = await Promise.all(scalarsIn(whole).map(reads))
    expect(scalars).toEqual(scalars.map(() => ['ReadFromMergeTree (counted)']))
    found.push(byProjection.length + scalars.length)
  }
  expect(found).toEqual(counts)
})
