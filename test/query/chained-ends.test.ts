import { createClient } from '@clickhouse/client-web'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { settingsFor } from '../../src/clickhouse/query.ts'
import { run } from '../../src/clickhouse/run.ts'
import { parseServer } from '../../src/clickhouse/server.ts'
import { seal } from '../../src/local/storage/seal.ts'
import { compile, type Statement } from '../../src/query/language/sql.ts'
import { event, id } from '../oracle/fixtures.ts'
import { chainedResult, chainedStatement } from '../support/chained.ts'
import { inputOf } from '../support/questions.ts'
import { reportOf } from '../support/reports.ts'
import { wholeWebsite } from '../support/scope.ts'
import { columnTime, newId } from '../support/website.ts'
import { ingest, running, sharedRoute } from '../support/weir.ts'

/** Visits that go on at the open end of a range, with another browser than before: no seal knows of that. */

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const from = Date.UTC(2025, 0, 1)
const openFrom = from + 39 * day
const [websiteId, withoutText] = [newId(), newId()]
const client = createClient(parseServer({ CLICKHOUSE_URL: running.clickhouse }))

interface View {
  readonly session: number
  readonly visit: number
  readonly at: number
  readonly browser: string
  readonly path: string
}

/** The last views of the sealed hours, and those of the open day. */
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

/** A view of one of nine sessions each day; three of them have firefox. */
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
  const websiteIds = [websiteId, withoutText]
  await ingest(websiteIds.flatMap((website_id) => rows.map((row) => ({ ...row, website_id }))))
  await seal(client, { websiteIds, patience: 0 })
})

afterAll(() => client.close())

const types = ['path', 'referrer', 'query', 'hostname', 'entry', 'exit', 'channel', 'browser', 'country', 'city']

const questions = [
  ...['stats', 'sessions/stats', 'sessions/weekly', 'sessions', 'pageviews'].map((endpoint) => ({ endpoint, own: {} })),
  { endpoint: 'pageviews', own: { unit: 'month', timezone: 'America/New_York' } },
  ...types.map((type) => ({ endpoint: 'metrics', own: { type } })),
]

const filters = [{}, { browser: 'chrome' }, { browser: 'neq.chrome' }, { browser: 'firefox', country: 'US' }]

function statementOf(websiteId: string, endpoint: string, own: object): Statement<unknown> {
  const report = reportOf({ endpoint } as never)
  const range = { startAt: String(from + 30 * minute), endAt: String(openFrom + 9 * hour) }
  const input = inputOf({ report, websiteId, query: Object.entries({ ...range, ...own }) } as never)
  const scope = { ...wholeWebsite(websiteId), closedBefore: openFrom, chainsFrom: 1 }
  const statements = Object.values(report.plan(input as never, scope)) as Statement<unknown>[]
  return statements.find(({ cheaper }) => cheaper?.given)!
}

it.each(questions)('are whole where chains answer $endpoint $own', async ({ endpoint, own }) => {
  for (const filter of filters) {
    const { cheaper, ...whole } = statementOf(websiteId, endpoint, { ...own, ...filter })
    const expected = await run(sharedRoute, whole, new AbortController().signal)
    expect({ filter, result: await chainedResult(sharedRoute, { cheaper }) }).toEqual({ filter, result: expected })
  }
})

it('are left to the whole statement where the text of a hash is missing', async () => {
  const asked = statementOf(withoutText, 'metrics', { type: 'path', browser: 'firefox' })
  const answer = () => chainedResult(sharedRoute, asked)
  expect(await answer()).toMatchObject({ rows: expect.arrayContaining([{ f_x: '/middle', f_y: 1 }]) })
  const query = `alter table chained_values delete where website_id = '${withoutText}' and value = '/middle'`
  await client.command({ query, clickhouse_settings: { mutations_sync: '2' } })
  expect(await answer()).toBeUndefined()
})

/** The text from a bracket to the one that closes it. */
function enclosedFrom(query: string, start: number): string {
  let depth = 0
  for (let end = start; ; end++) {
    depth += { '(': 1, ')': -1 }[query[end]!] ?? 0
    if (depth === 0) return query.slice(start + 1, end)
  }
}

/** Scalars over rows of chains that a statement compares with something. */
const comparedIn = (query: string): string[] =>
  [...query.matchAll(/\(\s*select /g)]
    .map(({ index }) => ({ scalar: enclosedFrom(query, index), index }))
    .filter(({ scalar, index }) => /^\)\s*!?=/.test(query.slice(index + scalar.length + 1)))
    .map(({ scalar }) => scalar)
    .filter((scalar) => scalar.includes('from chained_'))

it.each([
  { endpoint: 'stats', own: {}, ofChain: 1 },
  { endpoint: 'metrics', own: { type: 'path' }, ofChain: 2 },
])('are compared with notes by counts that read no rows of chains: $endpoint', async ({ endpoint, own, ofChain }) => {
  const { cheaper } = statementOf(websiteId, endpoint, own)
  const chain = await chainedStatement(sharedRoute, { cheaper })
  const asked = [cheaper!.given!.statement.body, chain.body].map((body) => compile(body))
  const scalars = asked.map(({ query }) => comparedIn(query))
  expect(scalars.map(({ length }) => length)).toEqual([2, ofChain])
  for (const [place, { query_params }] of asked.entries()) {
    for (const query of scalars[place]!) {
      const plan = await client.query({
        ...{ query: `explain ${query}`, query_params, format: 'TabSeparatedRaw' },
        clickhouse_settings: settingsFor({ timeout: 60 }),
      })
      expect((await plan.text()).match(/ReadFrom.*/g)).toEqual(['ReadFromMergeTree (counted)'])
    }
  }
})
