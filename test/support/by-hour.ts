import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../src/clickhouse/run.ts'
import type { Knowledge } from '../../src/query/language/known.ts'
import { compile } from '../../src/query/language/sql.ts'
import type { Result, Statement } from '../../src/query/language/statement.ts'
import { hourlyVisits } from '../../src/query/tables/tables.ts'
import { mostBuckets } from '../../src/request/series.ts'
import { factsOf } from '../facts/index.ts'
import type { LongRanges } from '../facts/long-ranges.ts'
import { oracleName } from '../facts/oracle-of.ts'
import { boolean, event, id, number, record, string } from '../oracle/fixtures.ts'
import { calendarMonths, nearly, type Span } from '../oracle/generate-spans.ts'
import { columnInstant } from '../oracle/instants.ts'
import type { Analysis, IngestRow, OracleRequest, Property, Statistic } from '../oracle/model.ts'
import type { SessionRecord } from '../oracle/session-records.ts'
import { agrees } from './against-oracle.ts'
import { type Headers, newShare, operator } from './callers.ts'
import { knownTo } from './chained.ts'
import { forEach } from './concurrently.ts'
import { websiteOf } from './people.ts'
import { inputOf } from './questions.ts'
import { reportOf, reports } from './reports.ts'
import { wholeWebsite } from './scope.ts'
import { seed } from './seed.ts'
import { visitors } from './visitors.ts'
import { columnTime } from './website.ts'
import { ingest, insert, sharedRoute } from './weir.ts'
import { everySection } from './worlds.ts'

/** Questions about visits and sessions over ranges for which a small change leads to a different table. */

const day = 86_400_000
const [from, to] = [Date.UTC(2024, 10, 20), Date.UTC(2025, 3, 10)]

/** This is within a day, so the reset hides only a part of that day. */
const resetAt = Date.UTC(2025, 0, 12, 9, 30, 0, 1)

const [hour, host] = [3_600_000, 'shop.example']

/** Foreign and own referrers, mediums and click ids. They and the list version determine a landing's channel. */
const origins: readonly Partial<IngestRow>[] = [
  { hostname: host, referrer_domain: 'www.google.com' },
  { hostname: host, referrer_domain: 'Facebook.com', utm_medium: 'Paid' },
  { hostname: host, referrer_domain: host },
  { hostname: `www.${host}`, referrer_domain: host, url_query: 'a=1&GCLID=x' },
  { hostname: '', referrer_domain: 'bing.com', fbclid: 'x' },
  { hostname: '', referrer_domain: 'bing.com', fbclid: 'x', channel_lists: 0 },
  { hostname: host, referrer_domain: 'com.google.android.gm' },
  { hostname: host, utm_source: 'openai', channel_lists: 0 },
  { hostname: host, url_query: 'gad_source=1&epik=2' },
  { hostname: host, utm_source: 'news.ycombinator.com' },
  {},
]

const midnights = [Date.UTC(2025, 0, 1), Date.UTC(2025, 1, 1), Date.UTC(2025, 0, 12), Date.UTC(2025, 2, 1)]

/** Times at which visits cross midnight, months, the new year and the reset. Two are often in the same millisecond. */
const moments = fc.oneof(
  fc.integer({ min: from, max: to }),
  fc
    .tuple(fc.constantFrom(...midnights, resetAt), fc.constantFrom(-1, 0, 1, -60_000, 60_000))
    .map(([edge, away]) => edge + away),
)

const sold: readonly Property[][] = [
  [],
  [string('currency', 'usd'), number('revenue', '19.9900')],
  [string('currency', 'USD'), string('revenue', '-3.5')],
]

/** Few sessions and visits with many events. Many visits last for days, and their browser changes. */
const rowsOf = (websiteId: string): fc.Arbitrary<IngestRow[]> =>
  fc.array(
    fc
      .record({
        moment: moments,
        visit: fc.integer({ min: 0, max: 60 }),
        ...{ client: fc.nat(visitors.length - 1), isUsual: fc.boolean() },
        kind: fc.constantFrom(1, 1, 1, 2, 2, 3, 4, 5),
        ...{ path: fc.constantFrom('/', '/a', '/b', '', '/\0', '\0/'), origin: fc.constantFrom(...origins) },
        ...{ name: fc.constantFrom('buy', 'buy', 'look'), sold: fc.nat(sold.length - 1) },
        event: fc.uuid({ version: 4 }),
      })
      .map(({ moment, visit, client, isUsual, kind, path, origin, name, sold: place, event: event_id }) =>
        event(
          {
            ...{ website_id: websiteId, event_id, created_at: columnTime(moment), visit_id: id(1000 + visit) },
            ...{ session_id: id(2000 + Math.floor(visit / 2)), event_type: kind },
            event_name: kind === 2 ? name : '',
            url_path: path,
            ...origin,
            ...visitors[isUsual ? visit % visitors.length : client]!,
          },
          kind === 2 ? sold[place] : [],
        ),
      ),
    { minLength: 500, maxLength: 500 },
  )

/** The time from a visit's view to its custom event, in the same or a different hour, or undefined without an event. */
const away = fc.constantFrom(undefined, 0, 1, -1, 600_000, -600_000, hour, -hour, 5 * hour, -day, day, 40 * day)

/** Visits with one view and possibly a custom event. Some are bounces only in ranges that exclude the custom event. */
const loneVisits = (websiteId: string): fc.Arbitrary<IngestRow[]> =>
  fc
    .array(
      fc.record({
        ...{ moment: moments, away, client: fc.nat(visitors.length - 1), other: fc.nat(visitors.length - 1) },
        path: fc.constantFrom('/', '/a'),
        events: fc.tuple(fc.uuid({ version: 4 }), fc.uuid({ version: 4 })),
      }),
      { minLength: 120, maxLength: 120 },
    )
    .map((all) =>
      all.flatMap(({ moment, away, client, other, path, events: [one, two] }, place) => {
        const own = { website_id: websiteId, visit_id: id(3000 + place), session_id: id(4000 + place), url_path: path }
        const seen = event({
          ...{ ...own, ...visitors[client]!, event_id: one, created_at: columnTime(moment) },
          ...{ event_type: 1, event_name: '' },
        })
        if (away === undefined) return [seen]
        const acted = { ...own, ...visitors[place % 3 === 0 ? other : client]!, event_id: two, event_name: 'buy' }
        return [seen, event({ ...acted, created_at: columnTime(Math.min(moment + away, to)) })]
      }),
    )

const said: fc.Arbitrary<Property[]> = fc
  .tuple(fc.constantFrom('pro', 'free', 'team'), fc.constantFrom('5', '50'), fc.boolean())
  .map(([plan, seats, isTrial]) => [string('plan', plan), number('seats', seats), boolean('trial', isTrial)])

/** Identify calls: none for some sessions, many for others, some of them before the reset. */
const recordsOf = (website_id: string): fc.Arbitrary<SessionRecord[]> =>
  fc.array(
    fc
      .record({ moment: moments, session: fc.nat(24), said })
      .map(({ moment, session, said }) =>
        record('00:00:00', said, { website_id, session_id: id(2000 + session), created_at: columnTime(moment) }),
      ),
    { minLength: 60, maxLength: 60 },
  )

const wholeDays: fc.Arbitrary<Span> = fc
  .tuple(
    fc.integer({ min: 5, max: 130 }),
    fc.nat(140),
    fc.constantFrom(0, 0, 1, -1, 12_345_678),
    fc.constantFrom(-1, -1, 0, 34_567_890),
  )
  .map(([days, start, early, late]) => {
    const startAt = from + (start % (141 - days)) * day
    return [startAt + early, startAt + days * day + late]
  })

const months = fc
  .tuple(moments, fc.constantFrom(1, 1, 2, 3, 12), fc.boolean())
  .chain(([around, count, isNear]) => (isNear ? nearly(calendarMonths(count)) : calendarMonths(count))(around))

/** Several whole hours, often with both ends exact. */
const hours: fc.Arbitrary<Span> = fc
  .tuple(
    moments,
    fc.constantFrom(1, 2, 11, 12, 24, 25, 47, 48, 167),
    fc.nat(30),
    fc.constantFrom(0, 0, 1),
    fc.constantFrom(0, 0, -1),
  )
  .map(([around, count, back, early, late]) => {
    const startAt = (Math.floor(around / hour) - (back % count)) * hour
    return [startAt + early, startAt + count * hour - 1 + late]
  })

/** Open ranges from or to a moment, which start before all events or end in the future. */
const open: fc.Arbitrary<Span> = moments.chain((moment) =>
  fc.constantFrom<Span>([0, moment], [moment, 4_102_444_799_999], [resetAt, to], [resetAt - 1, moment]),
)

/** Ranges of 5 to 130 days, whole or cut anywhere; ranges of hours; calendar months, quarters, years; open ranges. */
const ranges = fc
  .oneof(
    { weight: 5, arbitrary: wholeDays },
    { weight: 3, arbitrary: hours },
    { weight: 3, arbitrary: months },
    { weight: 1, arbitrary: open },
  )
  .filter(([startAt, endAt]) => startAt <= endAt)

const filters = fc.constantFrom<Record<string, string>>(
  ...[{}, {}, {}],
  { browser: 'chrome' },
  { browser: 'chrome', country: 'US' },
  { browser: 'neq.chrome', city: 'c.port', match: 'any' },
  { language: 'en' },
  { os: '', region: 'neq.US-ME' },
  { path: '/a' },
  { excludeBounce: 'true' },
  { eventType: '2' },
  { event: 'buy' },
  { browser: 'neq.chrome', country: 'US', match: 'any' },
  { city: 'neq.Portland', region: 're.^US', match: 'any' },
  { language: 'en,de', browser: 'dnc.fire' },
  { spf0: '1.eq.plan.pro', browser: 'chrome' },
)

type Asked = Statistic | Analysis

const asked = reports.filter((report) => factsOf(report).longRanges)

/** A website as seen by one reader. */
interface View {
  readonly rows: readonly IngestRow[]
  readonly headers: Headers
  readonly request: Pick<OracleRequest<Asked>, 'websiteId' | 'records' | 'resetAt' | 'locks' | 'isShare'>
}

/** A whole website, twice as often as the same one after a reset, or through a share with a lock. */
async function viewsOf(): Promise<View[]> {
  const [whole, reset] = [await websiteOf({}), await websiteOf({}, { reset_at: resetAt })]
  const [many, lone] = fc.sample(fc.tuple(rowsOf(whole), loneVisits(whole)), { numRuns: 1, seed })[0]!
  const rows = [...many, ...lone]
  const records = fc.sample(recordsOf(whole), { numRuns: 1, seed })[0]!
  const moved = <Row extends object>(some: readonly Row[]) => some.map((row) => ({ ...row, website_id: reset }))
  // Two inserts produce two parts, which statements or a merge must combine.
  for (const odd of [0, 1]) {
    const half = rows.filter((_, index) => index % 2 === odd)
    await ingest([...half, ...moved(half)])
  }
  await insert('ingest_session_data', [...records, ...moved(records)])
  const share = await newShare(whole, { ...everySection, filters: { browser: 'eq.chrome' } })
  const ofAll: View = { rows, headers: operator, request: { websiteId: whole, records } }
  const locked = { ...ofAll.request, locks: [['browser', 'eq.chrome']] as [string, string][], isShare: true }
  return [
    ofAll,
    ofAll,
    { rows: moved(rows), headers: operator, request: { websiteId: reset, records: moved(records), resetAt } },
    { ...ofAll, headers: share.headers, request: locked },
  ]
}

/** Tests each report with this many questions. `SEED=…` repeats a run. */
export function sweepByHour(numRuns: number): void {
  describe(`visits and sessions in long ranges, with seed ${seed}`, () => {
    let views: View[]

    beforeAll(async () => {
      views = await viewsOf()
    })

    async function ask(
      endpoint: Asked,
      { rows, headers, request }: View,
      [startAt, endAt]: Span,
      more: LongRanges['sure'],
    ) {
      const query = Object.entries({ startAt: `${startAt}`, endAt: `${endAt}`, ...more })
      return (await agrees(rows, { ...request, endpoint, query }, headers)).headers.get('x-source')
    }

    it.each(asked.map((report) => [report.name, report] as const))('%s', async (_, report) => {
      const { longRanges, longTable = hourlyVisits } = factsOf(report)
      const { sure, drawn } = longRanges!
      const endpoint = oracleName(report) as Asked
      const questions = fc.record({ range: ranges, filter: filters, more: drawn, place: fc.nat(3) })
      const own = seed + asked.indexOf(report)
      await forEach(fc.sample(questions, { numRuns, seed: own }), async ({ range, filter, more, place }) => {
        const isTooFine = more.unit === 'hour' && range[1] - range[0] > mostBuckets * hour
        await ask(endpoint, views[place]!, range, { ...more, ...filter, ...(isTooFine && { unit: 'day' }) })
      })
      const source = await ask(endpoint, views[0]!, [from + 1, to - 1], sure)
      expect(source?.split(', ')).toContain(longTable.name)
    })

    it('gives the totals for short ranges and their previous ranges', async () => {
      const questions = fc.record({ range: hours, filter: filters, place: fc.nat(3) })
      const sources = new Set<string | null>()
      await forEach(fc.sample(questions, { numRuns: 20 * numRuns, seed }), async ({ range, filter, place }) => {
        sources.add(await ask('stats', views[place]!, range, filter))
      })
      // All random questions may need events.
      sources.add(await ask('stats', views[0]!, [from + day, from + day + 12 * hour - 1], { browser: 'chrome' }))
      expect([...sources]).toEqual(expect.arrayContaining(['events', 'hourly_visits']))
    })

    const ofVisits = fc.constantFrom<Record<string, string>>(
      ...[{}, { type: 'entry' }, { type: 'exit' }, { type: 'channel' }],
    )

    it('searches the few matching visits first if the website is large', async () => {
      const weeks = fc
        .tuple(fc.nat(110), fc.constantFrom(0, hour, 12_345_678))
        .map(([start, early]): Span => [from + start * day - early, from + (start + 30) * day - 1])
      const values = fc.constantFrom({ browser: 'chrome' }, { browser: 'chrome', country: 'US' }, { city: 'Portland' })
      const questions = fc.record({ range: weeks, filter: values, more: ofVisits })
      const { websiteId } = views[0]!.request
      await forEach(fc.sample(questions, { numRuns: 8 * numRuns, seed }), async ({ range, filter, more }) => {
        const planned = visitsStatement(websiteId, range, { ...filter, ...more }, to)
        const whole = planned()
        const large = planned({ found: new Map([[whole.wants!.key, manyViews]]), failed: new Set() })
        expect(compile(whole.body).query).not.toMatch(searching)
        expect(compile(large.body).query).toMatch(searching)
        expect(await result(large)).toEqual(await result(whole))
      })
    })

    it('groups all visits over months if rows of seals show that the website is small', async () => {
      const websiteId = await websiteOf({})
      const openFrom = Math.floor(Date.now() / day) * day
      const rows = views[0]!.rows.map((row) => {
        const created_at = columnTime(columnInstant(row.created_at!) + openFrom - to)
        return { ...row, website_id: websiteId, created_at }
      })
      await ingest(rows)
      // All columns change within sessions, so no chain answers.
      await insert('seals', [note(websiteId, openFrom / day - 2), note(websiteId, openFrom / day - 1)])
      const spans = fc
        .tuple(fc.integer({ min: 91, max: 141 }), fc.constantFrom(0, hour, 12_345_678), fc.constantFrom(1, hour + 1))
        .map(([days, early, late]): Span => [openFrom - days * day - early, openFrom - late])
      const values = filters.filter((filter) => Object.keys(filter).some((name) => name in visitors[0]!))
      const questions = fc.record({ range: spans, filter: values, more: ofVisits })
      let grouped = 0
      await forEach(fc.sample(questions, { numRuns: 10 * numRuns, seed }), async ({ range, filter, more }) => {
        const view = { rows, headers: operator, request: { websiteId } }
        await ask(more.type ? 'metrics' : 'stats', view, range, { ...filter, ...more })
        const planned = visitsStatement(websiteId, range, { ...filter, ...more }, openFrom)
        const whole = planned()
        if (!whole.wants) return
        const small = planned(await knownTo(sharedRoute, { whole }))
        grouped += 1
        expect(compile(whole.body).query).toMatch(searching)
        expect(compile(small.body).query).not.toMatch(searching)
        expect(await result(small)).toEqual(await result(whole))
      })
      expect(grouped).toBeGreaterThan(0)
    })
  })
}

const searching = /global in .select reinterpretAsUInt32/

/** The statement for `stats`, or for `metrics` if the query has a type. */
function visitsStatement(websiteId: string, range: Span, more: Record<string, string>, closedBefore: number) {
  const report = reportOf({ endpoint: more.type ? 'metrics' : 'stats' })
  const query = Object.entries({ startAt: `${range[0]}`, endAt: `${range[1]}`, ...more })
  const scope = { ...wholeWebsite(websiteId), closedBefore }
  const input = inputOf({ report, websiteId, query }) as never
  return (known?: Knowledge): Statement<unknown> => {
    const [statement] = Object.values(report.plan(input, { ...scope, ...(known && { known }) }))
    expect((statement as Statement<unknown>).cheaper).toBeUndefined()
    return statement as Statement<unknown>
  }
}

/** Rows of `seals` for all days, with 300,000 views per month. All columns change in sessions, so no chain answers. */
const noted = Array.from({ length: (to - from) / day }, (_, place) => from / day + place)
const ofEach = <Value>(value: Value): Value[] => noted.map(() => value)
const manyViews: Result<unknown> = {
  rows: [
    {
      ...{ shards: ofEach(0), dayMarks: ofEach('3'), sealMarks: ofEach('5') },
      ...{ days: noted, seals: ofEach(1), began: ofEach(1), done: ofEach(1), changed: ofEach(127) },
      ...{ views: ofEach(10_000), customs: ofEach(0), viewsByHour: ofEach('0').join(';') },
      ...{ isHere: 1, isReplicated: 0, hasOtherHours: 0, hasOtherValues: 0 },
    },
  ],
  total: 1,
}

const result = (statement: Statement<unknown>) => run(sharedRoute, statement, new AbortController().signal)

/** The row of `seals` for a day with a view, on which all columns change. */
const note = (website_id: string, day: number) => ({
  ...{ website_id, day, shard: `${sharedRoute.replicas[0]!.server.database}/`, seal: 1, began: 1, done: 1 },
  ...{ views: [1, ...Array<number>(23).fill(0)], customs: Array<number>(24).fill(0), changed: 127 },
})
