import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gathering } from '../src/clickhouse/gathering.ts'
import { parseServer } from '../src/clickhouse/server.ts'
import { metricRows } from '../src/endpoints/statistics/metrics.ts'
import { metricTypes } from '../src/query/breakdowns.ts'
import { compile, type Grouping } from '../src/query/sql.ts'
import { joinGroupings, joinKey } from '../src/query/together.ts'
import { noFilters } from '../src/request/filters.ts'
import { METRIC_TYPES } from './oracle/breakdowns.ts'
import { event, id } from './oracle/fixtures.ts'
import { type World, worlds } from './oracle/generate.ts'
import type { IngestRow } from './oracle/model.ts'
import { alone, batch, comparable } from './support/batch.ts'
import { type CachedWorker, cachedWorker } from './support/cached.ts'
import { newShare } from './support/callers.ts'
import { forEach } from './support/concurrently.ts'
import { isLong } from './support/long.ts'
import { routeTo } from './support/route.ts'
import { wholeWebsite } from './support/scope.ts'
import { readsOf } from './support/statements.ts'
import { columnTime, websiteWith } from './support/website.ts'
import { newWebsite, pathOf } from './support/weir.ts'

let worker: CachedWorker
beforeAll(async () => {
  worker = await cachedWorker()
})
afterAll(() => worker.close())

/** New ranges, so that no answer is in the cache. */
let asked = 0
const newRange = () => ({ startAt: 946_684_800_000 + asked++, endAt: 4_000_000_000_000 })

/** Events of one random website. */
function someRows(): IngestRow[] {
  const big = worlds.filter(({ rows }) => rows.length > 60)
  const [{ rows }] = fc.sample(big, { numRuns: 1, seed: 14 }) as [World]
  return rows
}

const dayLength = 86_400_000
const lastMoment = Date.UTC(2025, 10, 20, 11)

/** Views of 110 days: three or fewer to a visit, some of these over midnight, and some sessions of several visits. */
const steadyRows = (): IngestRow[] =>
  Array.from({ length: 90 }, (_, index) =>
    event({
      event_id: id(index),
      session_id: id(1000 + Math.floor(index / 7)),
      visit_id: id(2000 + Math.floor(index / 3)),
      created_at: columnTime(
        lastMoment - Math.floor((index % 3) / 2 + index / 3) * 3.7 * dayLength - index * 7_000_000,
      ),
      event_type: index % 11 === 4 ? 2 : 1,
      event_name: index % 11 === 4 ? 'open' : '',
      url_path: `/${index % 5}`,
      browser: ['chrome', 'firefox', ''][index % 3]!,
      country: ['DE', 'NP'][index % 2]!,
    }),
  )

/** Every second type, from the first or from the second one on: each half has types of all kinds. */
const halfOfTypes = (half: number): string[] => METRIC_TYPES.filter((_, index) => index % 2 === half)

const withoutRequestId = (body: { error?: object }): object =>
  body.error ? { ...body, error: { ...body.error, requestId: '' } } : body

describe('reports of one batch', () => {
  let [websiteId, steadyId] = ['', '']
  beforeAll(async () => {
    websiteId = await websiteWith(...someRows())
    steadyId = await websiteWith(...steadyRows())
  })

  const filtered: [string, Record<string, string | number>][] = [
    ['no filter', {}],
    ['a filter of a view', { browser: 'dnc.zzz' }],
    ['a condition on an event', { event: 'neq.nothing' }],
    ['excludeBounce', { excludeBounce: 'true' }],
    ['any of two', { match: 'any', country: 'neq.XX', path: 'c./' }],
  ]

  it.each(filtered)('are each byte for byte what they are alone, with %s', async (title, filters) => {
    // In `npm test` one half of the types or the other.
    const turn = filtered.findIndex(([one]) => one === title) % 2
    for (const half of isLong ? [0, 1] : [turn]) {
      const range = newRange()
      const queries = halfOfTypes(half).map((type, index) => ({
        ...range,
        ...filters,
        type,
        ...(index % 4 === 1 && { limit: 1 + index, offset: index % 3 }),
      }))
      const paths = queries.map((query) => pathOf(`/api/websites/${websiteId}/metrics`, query))
      worker.look()
      const { answers, text } = await batch(paths, undefined, { url: worker.url })
      expect(worker.look().clickhouse).toBeLessThan(paths.length - 3)
      await forEach(answers, async (answer) => {
        const single = await alone(answer.path)
        expect(single.status).toBe(200)
        expect(comparable(answer)).toStrictEqual(comparable(single))
        expect(text).toContain(`"body":${single.text}}`)
      })
    }
  })

  const dashboard = (types: readonly string[]): [string, object][] => [
    ['stats', {}],
    ['pageviews', { unit: 'day', compare: 'prev' }],
    ...types.map((type): [string, object] => ['metrics', { type }]),
  ]

  const totals = ['prev', 'yoy'].map((compare): [string, object] => ['stats', { compare }])

  /** Members of a batch, and the most statements that ClickHouse gets over a day. */
  const pages: [string, [string, object][], number][] = [
    ['of a dashboard', dashboard(['path', 'browser', 'entry']), 4],
    [
      'of series',
      [
        ...['hour', 'day', 'week', 'month'].map((unit): [string, object] => ['pageviews', { unit }]),
        ['pageviews', { unit: 'day', timezone: 'Asia/Kathmandu' }],
        ['metrics', { type: 'country' }],
      ],
      1,
    ],
    ['of totals', totals, 4],
    ['of totals beside a list that leaves no place', [...totals, ['metrics', { type: 'entry', limit: 5000 }]], 5],
  ]

  it.each(pages)('are byte for byte what they are alone over ranges of all lengths: %s', async (_, members, most) => {
    const pathsOver = (days: number, filters: object = {}): string[] => {
      const endAt = lastMoment + asked++
      const range = { startAt: endAt - days * dayLength, endAt, ...filters }
      return members.map(([report, query]) => pathOf(`/api/websites/${steadyId}/${report}`, { ...range, ...query }))
    }
    // In `npm test` one of the middle lengths, in turn.
    const middle = most % 2 === 0 ? 45 : 10
    const lengths = isLong ? [...Array(130).keys()].map((days) => days + 1) : [100, 2, middle]
    const some = [{}, { path: 'c.1' }, { browser: 'dnc.zzz' }, { event: 'neq.nothing' }]
    for (const [place, days] of lengths.entries()) {
      const paths = pathsOver(days, some[place % some.length])
      const { answers, text } = await batch(paths, undefined, { url: worker.url })
      await forEach(answers, async (answer) => {
        const single = await alone(answer.path)
        expect([answer.path, single.status]).toEqual([answer.path, 200])
        expect(comparable(answer)).toStrictEqual(comparable(single))
        expect(text).toContain(`"body":${single.text}}`)
      })
    }
    worker.look()
    await batch(pathsOver(1), undefined, { url: worker.url })
    expect(worker.look().clickhouse).toBeLessThanOrEqual(most)
  })

  it('are totals of nothing where no event is', async () => {
    const [emptyId, range] = [await newWebsite(), newRange()]
    const paths = [
      pathOf(`/api/websites/${emptyId}/stats`, range),
      pathOf(`/api/websites/${emptyId}/metrics`, { ...range, type: 'entry' }),
    ]
    worker.look()
    const { answers } = await batch(paths, undefined, { url: worker.url })
    expect(worker.look().clickhouse).toBe(2)
    const nothing = { pageviews: 0, visitors: 0, visits: 0, bounces: 0, totaltime: 0 }
    expect(answers.map(({ body }) => body)).toEqual([{ ...nothing, comparison: nothing }, []])
  })

  it('show through a share what it shows, and are refused alike', async () => {
    const { headers } = await newShare(websiteId, { overview: true, compare: true, filters: { browser: 'c.o' } })
    const paths = (query: object) => {
      const range = newRange()
      return ['path', 'browser', 'os', 'entry', 'title'].map((type) =>
        pathOf(`/api/websites/${websiteId}/metrics`, { ...range, ...query, type }),
      )
    }
    // A batch through a share has at most three patterns.
    const withPattern = paths({ path: 're.(' }).slice(0, 3)
    for (const asked of [paths({}), withPattern, paths({ browser: 'x', distinctId: 'y' })]) {
      const { answers } = await batch(asked, headers, { url: worker.url })
      await forEach(answers, async (answer) => {
        const { status, body } = await alone(answer.path, headers)
        expect([answer.status, withoutRequestId(answer.body)]).toStrictEqual([status, withoutRequestId(body)])
      })
    }
  })

  it('are unavailable one by one while ClickHouse is down', async () => {
    const range = newRange()
    const paths = ['path', 'os', 'browser'].map((type) =>
      pathOf(`/api/websites/${websiteId}/metrics`, { ...range, type }),
    )
    worker.clickhouse.down()
    const { answers } = await batch(paths, undefined, { url: worker.url })
    worker.clickhouse.up()
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503])
  })
})

describe('a joined statement', () => {
  const lists = metricTypes.map((type) => {
    const filters = { ...noFilters, excludeBounce: true }
    const slice = { limit: 100, offset: 0 }
    return metricRows(
      { period: { startAt: 1, endAt: 2 }, filters, type, search: undefined, slice },
      wholeWebsite(id(1)),
    )
  })
  const groups = lists.flatMap(({ group }) => (group ? [group as Grouping<never>] : []))

  it('reads the rows of its groups once', () => {
    const [first, ...others] = groups.filter((group) => joinKey(group) === joinKey(groups[0]!))
    expect(others.length).toBeGreaterThan(10)
    const { query } = compile(joinGroupings([first!, ...others]).statement.body)
    const outline = (text: string) => JSON.stringify(readsOf(text)).replace(/\{p\d+:/g, '{')
    expect(outline(query)).toBe(outline(compile(first!.from).query))
  })

  it('runs again as its parts if it passes a limit of ClickHouse', async () => {
    const sent: string[] = []
    const server = createServer(async (request, response) => {
      const body = (await text(request)) + request.url
      sent.push(body.includes('grouping+sets') || body.includes('grouping sets') ? 'joined' : 'alone')
      if (sent.at(-1) === 'joined') {
        return void response
          .writeHead(500)
          .end('Code: 241. DB::Exception: Memory limit exceeded. (MEMORY_LIMIT_EXCEEDED)')
      }
      response.end(JSON.stringify({ data: [{ f_x: '/', f_y: 1 }], rows: 1 }))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const members = gathering()
    const [one, other] = [members.member(() => {}), members.member(() => {})]
    const at = routeTo(parseServer({ CLICKHOUSE_URL: `http://127.0.0.1:${port}/db` }))
    const { signal } = new AbortController()
    const results = [one.run(at, lists[0]!, signal), other.run(at, lists[1]!, signal)]
    one.decided()
    expect(sent).toEqual([])
    other.decided()
    expect(await Promise.all(results)).toEqual(Array(2).fill({ rows: [{ f_x: '/', f_y: 1 }], total: 1 }))
    expect(sent).toEqual(['joined', 'alone', 'alone'])
    server.close()
  })
})
