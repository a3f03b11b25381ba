import { type ClickHouseClient, createClient } from '@clickhouse/client-web'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../src/clickhouse/run.ts'
import { parseServer } from '../../src/clickhouse/server.ts'
import { seal } from '../../src/local/storage/seal.ts'
import type { Result, Statement } from '../../src/query/language/statement.ts'
import { type ChainedField, chainedFields, dailyFields } from '../../src/query/tables/chained-fields.ts'
import { event, id } from '../oracle/fixtures.ts'
import { columnInstant } from '../oracle/instants.ts'
import type { Analysis, IngestRow, OracleRequest, Statistic } from '../oracle/model.ts'
import { agrees } from './against-oracle.ts'
import { type Headers, newShare, operator } from './callers.ts'
import { chainedResults, plannedKnowing } from './chained.ts'
import { forEach, pairs } from './concurrently.ts'
import { type LateKind, lateViews, lateViewsOf } from './late-views.ts'
import { inTurn, isLong, runs } from './long.ts'
import { otherPathFilters, pathFilters, unansweredPaths } from './path-filters.ts'
import { websiteOf } from './people.ts'
import { inputOf, questionOf } from './questions.ts'
import { wholeWebsite } from './scope.ts'
import { seed } from './seed.ts'
import { visitors } from './visitors.ts'
import { columnTime } from './website.ts'
import { ingest, running, sharedRoute } from './weir.ts'
import { everySection } from './worlds.ts'

/** Compares chains' answers with those of the endpoint and the oracle, over sealed, half-sealed and late days. */

const [hour, day] = [3_600_000, 86_400_000]
const [from, to] = [Date.UTC(2024, 10, 20), Date.UTC(2025, 3, 10)]

/** This is within a day but at a whole hour, from which chains can answer. */
const resetAt = Date.UTC(2025, 0, 12, 9)

/** Moves a world to the present by whole days. Its last hours are in the current day, some of them in the future. */
export const openFrom = Math.floor(Date.now() / day) * day
const toPresent = openFrom + 10 * hour - to

const { timeout: _, ...connection } = parseServer({ CLICKHOUSE_URL: running.clickhouse })

const client = createClient({ ...connection, request_timeout: 600_000 })

const origins: readonly Partial<IngestRow>[] = [
  { hostname: 'shop.example', referrer_domain: 'www.google.com' },
  { hostname: 'shop.example', referrer_domain: 'facebook.com', utm_medium: 'paid', url_query: 'q=1' },
  { hostname: 'a', referrer_domain: 'google.de', url_query: '?' },
  { hostname: 'shop.example', referrer_domain: 'shop.example' },
  { hostname: 'shop.example', referrer_domain: 'youtu.be' },
  { hostname: 'shop.example', referrer_domain: 'youtu.be', channel_lists: 0 },
  {},
]

/** How visitors change: not before the unsealed hours, only the city and rarely, or anything at any time. */
type Change = 'nothing' | 'cities' | 'everything'

/** The worlds that last until now have unsealed hours. The other world has ended. */
export const movedBy: Readonly<Record<Change, number>> = { nothing: toPresent, cities: toPresent, everything: 0 }

/** Sessions that never end, and visits of minutes, days or weeks, often several in the same hour or millisecond. */
export const rowsOf = (change: Change): fc.Arbitrary<IngestRow[]> => {
  const visits = fc.array(
    fc.record({
      session: fc.nat(80),
      // Many start shortly before the unsealed hours.
      start: fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: from, max: to }) },
        fc.integer({ min: to - day, max: to }),
      ),
      steps: fc.array(
        fc.record({
          pause: fc.oneof(fc.nat(60_000), fc.nat(hour), fc.nat(3 * hour), fc.nat(4 * day), fc.constant(0)),
          kind: fc.constantFrom(1, 1, 1, 2, 2, 3, 4, 5),
          path: fc.constantFrom('/', '/a', '/b', '/c?', '', '/\0', '\0/'),
          ...{ title: fc.constantFrom('', 'Start', 'A', 'B'), origin: fc.constantFrom(...origins) },
          ...{ client: fc.nat(visitors.length - 1), moves: fc.nat(40) },
          event: fc.uuid({ version: 4 }),
        }),
        { minLength: 1, maxLength: 6 },
      ),
    }),
    { minLength: 350, maxLength: 350 },
  )
  return visits.map((all) =>
    all.flatMap(({ session, start, steps }, place) => {
      let moment = start + movedBy[change] - (place % 3 === 0 ? start % hour : 0)
      return steps.map(({ pause, kind, path, title, origin, client: other, moves, event: event_id }, step) => {
        if (step > 0) moment += pause
        const own = visitors[session % visitors.length]!
        const moved = moves === 0 ? { ...own, city: 'Moved' } : own
        const atEnd = moment >= openFrom ? visitors[other]! : own
        const visitor = { nothing: atEnd, cities: moved, everything: visitors[other]! }[change]
        const name = kind === 2 ? 'buy' : ''
        return event({
          ...{ event_id, created_at: columnTime(moment), session_id: id(2000 + session), visit_id: id(5000 + place) },
          ...{ event_type: kind, event_name: name, url_path: path, page_title: title },
          ...origin,
          ...visitor,
        })
      })
    }),
  )
}

type Span = readonly [startAt: number, endAt: number]

/** Spans of 1 to 130 days, mostly of whole hours; calendar months, quarters and years; often up to the end. */
const spans: fc.Arbitrary<Span> = fc.oneof(
  fc
    .tuple(
      fc.oneof(fc.integer({ min: 1, max: 130 }), fc.integer({ min: 58, max: 90 })),
      fc.nat(24 * 140),
      fc.constantFrom(0, 0, 0, 0, 1, -1, 1_234_567),
      fc.constantFrom(-1, -1, -1, 0, 1_234_567),
    )
    .map(([days, start, early, late]): Span => {
      const startAt = from + (start % (24 * (141 - days))) * hour
      return [startAt + early, startAt + days * day + late]
    }),
  fc.tuple(fc.nat(4), fc.constantFrom(1, 2, 3, 12)).map(([month, count]): Span => {
    return [Date.UTC(2024, 10 + month), Date.UTC(2024, 10 + month + count) - 1]
  }),
  fc
    .tuple(fc.integer({ min: 58, max: 141 }), fc.nat(24), fc.constantFrom(-1, 0, 1_234_567, 20 * hour - 1))
    .map(([days, hours, late]): Span => [to - days * day - hours * hour, to + late]),
  fc.constantFrom<Span>([resetAt, to], [resetAt - day, to - 1], [Date.UTC(2024, 0, 1), Date.UTC(2025, 11, 31) - 1]),
)

/** Every operator on a column in the chains, and filters that chains cannot answer. */
const filters = fc.constantFrom<Record<string, string>>(
  ...[{}, {}, {}, {}],
  { browser: 'chrome' },
  { browser: 'neq.chrome' },
  { country: 'DE,US', os: '' },
  { city: 'c.port' },
  { city: 'neq.Portland' },
  { language: 'en', device: 'dnc.lap' },
  { region: 're.^US' },
  { browser: 'nre.^c', country: 'DE', match: 'any' },
  { city: 'Moved', browser: 'chrome', match: 'any' },
  { browser: 'edge' },
  { excludeBounce: 'true' },
)

const ofPaths = fc.constantFrom(...pathFilters, ...otherPathFilters)

/** The columns about visitors. Chains answer where these do not change within sessions. */
const ofClients = ['browser', 'os', 'device', 'country', 'region', 'city', 'language'] as const

const types = [...(Object.keys(chainedFields) as ChainedField[]), 'entry', 'exit', 'channel', ...ofClients] as const

const expanded = ofClients.map((type) => `expanded ${type}` as const)
/** Statistics, session figures, the list of sessions with its count, the series, sales, or a type of metrics. */
const others = ['stats', 'sessions/stats', 'sessions/weekly', 'sessions', 'pageviews', 'revenue/stats'] as const
const asked = [...others, ...types, ...expanded] as const

type Asked = (typeof asked)[number]

const metricOf = (type: Asked): Asked => type.replace('expanded ', '') as Asked

const isOfClients = (type: Asked): boolean => isOneOf(ofClients, metricOf(type))
/** Whether this column changes within sessions in a long range. */
const isChanged = (type: Asked, change: Change): boolean =>
  isOfClients(type) && { nothing: false, cities: metricOf(type) === 'city', everything: true }[change]

/** Questions that daily rows answer. */
const ofDays = ['sessions/stats', 'sessions', 'pageviews', 'revenue/stats', ...dailyFields] as const

const isOneOf = <Some extends Asked>(some: readonly Some[], type: Asked): type is Some =>
  (some as readonly Asked[]).includes(type)

const endpointOf = (type: Asked) =>
  isOneOf(expanded, type) ? 'metrics/expanded' : isOneOf(types, type) ? 'metrics' : type

/** Series. In some of these time zones, clocks change at midnight. In the last one, a UTC hour is split between two. */
const series: readonly Record<string, string>[] = [
  ...['hour', 'day', 'week', 'month', 'year'].map((unit) => ({ unit })),
  ...['America/Havana', 'Asia/Beirut', 'America/New_York', 'Pacific/Apia'].flatMap((timezone) =>
    ['day', 'week', 'month', 'year'].map((unit) => ({ unit, timezone })),
  ),
  { unit: 'hour', timezone: 'America/Havana' },
  { unit: 'day', timezone: 'Asia/Kolkata' },
]

export const questions = fc
  .record({
    span: spans,
    filters: fc.oneof(filters, filters, ofPaths),
    type: fc.constantFrom('stats', 'stats', 'sessions/stats', 'pageviews', 'pageviews', ...asked),
    series: fc.constantFrom({}, ...series),
    more: fc.constantFrom<Record<string, string>>({}, {}, { compare: 'prev' }, { compare: 'yoy' }),
    page: fc.constantFrom<Record<string, string>>({}, {}, { limit: '2' }, { limit: '2', offset: '1' }, { search: 'a' }),
  })
  .map(({ span: [startAt, endAt], filters, type, series, more, page }) => (move: number) => {
    const range = { startAt: String(startAt + move), endAt: String(endAt + move) }
    const own = {
      ...{ stats: more, pageviews: { ...more, ...series }, 'sessions/stats': {} },
      'sessions/weekly': 'timezone' in series ? { timezone: series.timezone } : {},
      sessions: page.limit ? { maxResults: page.limit } : {},
      'revenue/stats': { currency: 'EUR' },
      ...{ metrics: { type, ...page }, 'metrics/expanded': { type: metricOf(type), ...page } },
    }[endpointOf(type)]
    return { endpoint: endpointOf(type), query: { ...range, ...own, ...filters } }
  })

/** Whether an event arrives late, which applies to a fifth of the events, in any session and at any position. */
export const isLate = ({ event_id }: IngestRow): boolean => /[0-2]$/.test(event_id)

type Question = Statistic | Analysis

/** A website as seen by one reader. */
interface View {
  readonly rows: readonly IngestRow[]
  readonly headers: Headers
  readonly request: Pick<OracleRequest<Question>, 'websiteId' | 'resetAt' | 'locks' | 'isShare'>
}

/** The plan for a question about a whole website, made with its current rows of `seals`. */
function planned(question: object, changed?: object): Promise<Readonly<Record<string, Statement<unknown>>>> {
  const { report, ...asked } = questionOf(question as OracleRequest<Question>)
  const closedBefore = Math.floor(Date.now() / day) * day
  const scope = { ...wholeWebsite(asked.websiteId), closedBefore, chainsFrom: 1 }
  const input = inputOf({ report, ...asked }) as never
  return plannedKnowing(sharedRoute, (known) => report.plan(input, { ...scope, ...(known && { known }) }), changed)
}

let countOfAsked = 0

/**
 * Checks that chains in each form answer like the plain statements, for the whole website. Returns the number of
 * statements that chains answer. Every fourth statement is also planned for replicated tables.
 */
async function answeredByChains(request: OracleRequest<Question>): Promise<number> {
  let answered = 0
  countOfAsked += 1
  const replicated = countOfAsked % 4 === 0 ? await planned(request, { isReplicated: 1 }) : {}
  for (const [name, statement] of Object.entries(await planned(request))) {
    const { cheaper: _, ...whole } = statement
    const results = await chainedResults(sharedRoute, statement)
    if (replicated[name]) {
      expect(replicated[name].cheaper?.some(({ checks }) => checks) ?? false).toBe(false)
      results.push(...(await chainedResults(sharedRoute, replicated[name])))
    }
    if (results.length === 0) continue
    const expected = await run(sharedRoute, whole, new AbortController().signal)
    // Without any row, nothing shows that the combined form answers.
    if (expected.rows.length === 0 || results[0]) answered += 1
    for (const result of results) {
      if (result) expect({ request, ...shown(result) }).toEqual({ request, ...shown(expected) })
    }
  }
  return answered
}

/** Totals have one row. If they count up to a limit, ClickHouse reports the number of rows before it. */
export const shown = ({ rows, total }: Result<unknown>): object =>
  rows.some((row) => Object.hasOwn(row as object, 'f_x')) ? { rows, total } : { rows }

/** A client whose n-th call fails, either before or after the server has executed it. */
function failingAt(call: number): { client: ClickHouseClient; hasFailed: () => boolean } {
  let calls = 0
  const methods = ['query', 'command', 'insert']
  const failing = new Proxy(client, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (!methods.includes(String(name))) return value
      return async (...given: unknown[]) => {
        calls += 1
        if (calls === call && call % 2 === 0) throw new Error('The server was not reached.')
        const result = await Reflect.apply(value, target, given)
        if (calls === call) throw new Error('The answer was lost.')
        return result
      }
    },
  })
  return { client: failing, hasFailed: () => calls >= call }
}

/** A share's locked filters. */
const locksOf: Readonly<Record<Change, [name: string, value: string][]>> = {
  ...{ nothing: [['country', 'eq.US']], cities: [['path', 'dnc.b']], everything: [['path', 'neq./a']] },
}

/** Three websites: a whole one, one after a reset, and one through a share with a lock. */
async function viewsOf(change: Change, place: number): Promise<View[]> {
  const [drawn] = fc.sample(rowsOf(change), { numRuns: 1, seed: seed + place })
  const moved = resetAt + movedBy[change]
  const [whole, reset] = [await websiteOf({}), await websiteOf({}, { reset_at: moved })]
  const taken = change === 'everything' ? drawn! : drawn!.filter((row) => columnInstant(row.created_at!) < latest)
  const of = (website_id: string) => taken.map((row) => ({ ...row, website_id }))
  const locks = locksOf[change]
  const share = await newShare(whole, { ...everySection, filters: Object.fromEntries(locks) })
  return [
    { rows: of(whole), headers: operator, request: { websiteId: whole } },
    { rows: of(reset), headers: operator, request: { websiteId: reset, resetAt: moved } },
    { rows: of(whole), headers: share.headers, request: { websiteId: whole, locks, isShare: true } },
  ]
}

/** ClickHouse refuses events from the day after tomorrow on. */
export const latest = to + toPresent + 12 * hour

/** A website's views, some of which are stored. */
class Sweep {
  present: (view: View) => IngestRow[] = ({ rows }) => [...rows]
  readonly websiteIds: readonly string[]

  private constructor(
    readonly change: Change,
    readonly views: readonly View[],
  ) {
    this.websiteIds = [...new Set(views.map(({ request }) => request.websiteId))]
  }

  static async of(change: Change, place: number): Promise<Sweep> {
    return new Sweep(change, await viewsOf(change, place))
  }

  /** Stores rows of both websites in two inserts, which produce two parts. */
  async store(rowsOf: (view: View) => readonly IngestRow[]): Promise<void> {
    const rows = this.views.slice(0, 2).flatMap(rowsOf)
    for (const odd of [0, 1]) await ingest(rows.filter((_, index) => index % 2 === odd))
  }

  /** Asks `count` questions for each view. Returns how many statements chains answered. */
  async ask(state: string, count: number): Promise<number> {
    let chained = 0
    const asked = this.views.flatMap((view, place) => {
      const own = { numRuns: count, seed: seed + 10 * place + state.length }
      return fc.sample(questions, own).map((drawn) => ({ view, ...drawn(movedBy[this.change]) }))
    })
    await forEach(asked, async ({ view, endpoint, query }) => {
      const request = { endpoint, query: Object.entries(query), ...view.request } as OracleRequest<Question>
      await agrees(this.present(view), request, view.headers)
      chained += await answeredByChains(request)
    })
    return chained
  }

  /** Queries the share with only its locked filters. */
  async askLocked(): Promise<void> {
    const { request, headers, ...view } = this.views[2]!
    await forEach(
      inTurn(['stats', 'pageviews', 'path', 'entry', 'exit', 'browser'] as const, seed, 3),
      async (type) => {
        const { endpoint, query } = this.#question(withEnds, type)
        const asked = { endpoint, query: Object.entries(query), ...request } as OracleRequest<Question>
        await agrees(this.present({ ...view, request, headers }), asked, headers)
      },
    )
  }

  /**
   * Plans questions with the current rows of `seals`, as isolates do when they cache them. The returned function asks
   * them later. By then, chains must answer correctly or not at all.
   */
  async askedLater(): Promise<() => Promise<number>> {
    const drawn = fc.sample(questions, { numRuns: runs(3, 8), seed }).map((draw) => draw(movedBy[this.change]))
    const types = ['stats', 'sessions/stats', 'sessions/weekly', 'sessions', 'pageviews', 'browser', 'path'] as const
    const sure = inTurn(pairs([wholeHours, withEnds], types), seed, 3).map(([span, type]) => this.#question(span, type))
    const plans = await Promise.all(
      [...drawn, ...sure].map(({ endpoint, query }) =>
        planned({ endpoint, query: Object.entries(query), websiteId: this.websiteIds[0]! }),
      ),
    )
    const kept = plans.flatMap((plan) => Object.values(plan))
    return async () => {
      let answered = 0
      await forEach(kept, async (statement) => {
        const { cheaper: _, ...whole } = statement
        for (const result of await chainedResults(sharedRoute, statement)) {
          if (!result) continue
          answered += 1
          expect(shown(result)).toEqual(shown(await run(sharedRoute, whole, new AbortController().signal)))
        }
      })
      return answered
    }
  }

  async seal(): Promise<void> {
    await seal(client, { websiteIds: this.websiteIds, patience: 0 })
    expect(await seal(client, { websiteIds: this.websiteIds, patience: 0 })).toEqual({ sealed: 0, differing: [] })
  }

  /** Runs seals until all days are sealed. Each run fails at a later call than the previous run. */
  async sealWithFailures(): Promise<void> {
    // In `npm test`, one seal fails, at a different call in each run.
    const [first, step] = isLong ? [seed % 3, 3] : [seed % 30, 400]
    for (let call = 1 + first; call < 400; call += step) {
      const { client: failing, hasFailed } = failingAt(call)
      await seal(failing, { websiteIds: this.websiteIds, patience: 0 }).catch((error: unknown) => {
        if (!hasFailed()) throw error
      })
      if (call % 2 === 0) await this.ask(`failed at ${call}`, 1)
      if (!hasFailed()) break
    }
    await this.seal()
  }

  /** 1 if chains answer at least one of two statements for this question about the whole website, and otherwise 0. */
  async answered(span: Span, type: Asked = 'stats', more: Record<string, string> = {}): Promise<number> {
    const { endpoint, query } = this.#question(span, type, more)
    const asked = { ...this.views[0]!.request, endpoint, query: Object.entries(query) }
    return Math.min(1, await answeredByChains(asked as OracleRequest<Question>))
  }

  #question([startAt, endAt]: Span, type: Asked, more: Record<string, string> = {}) {
    const moved = { startAt: String(startAt + movedBy[this.change]), endAt: String(endAt + movedBy[this.change]) }
    const metrics = { metrics: { type }, 'metrics/expanded': { type: metricOf(type) } }
    const own = { ...{ stats: { compare: 'prev' }, pageviews: {}, ...metrics }, ...ofSessions }
    return { endpoint: endpointOf(type), query: { ...moved, ...own[endpointOf(type)], ...more } }
  }
}

const ofSessions = { sessions: {}, 'sessions/stats': {}, 'sessions/weekly': {}, 'revenue/stats': { currency: 'EUR' } }

const wholeHours: Span = [from + 5 * hour, from + 66 * day - 1]
const wholeDays: Span = [from + day, from + 66 * day - 1]
const withEnds: Span = [from + 1, from + 66 * day + 1_234_567]
const ofWeek: Span = [from + 50 * day + 5 * hour, from + 57 * day + 5 * hour - 1]
const ofMonth: Span = [from + 40 * day + 1, from + 70 * day + 1_234_567]

/** Sends this many questions for each view in each state of its seals. `SEED=…` repeats a run. */
export function sweepChains(numRuns: number): void {
  const changes: readonly Change[] = ['nothing', 'cities', 'everything']
  const swept = inTurn(changes, seed, changes.length)
  describe.each(swept)(`answers from chains if %s changes, with seed ${seed}`, (change) => {
    let sweep: Sweep

    beforeAll(async () => {
      sweep = await Sweep.of(change, changes.indexOf(change))
      sweep.present = ({ rows }) => rows.filter((row) => !isLate(row))
      await sweep.store(sweep.present)
    })

    it('match the oracle before days are sealed', async () => {
      await sweep.ask('open', numRuns)
    })

    it('match it during and after sealing, whichever call fails', async () => {
      await sweep.sealWithFailures()
      await sweep.ask('sealed', numRuns)
      expect(await sweep.answered(wholeHours)).toBeGreaterThan(0)
      expect(await sweep.answered(wholeDays)).toBeGreaterThan(0)
      expect(await sweep.answered(withEnds)).toBeGreaterThan(0)
      expect(await sweep.answered([from + day, to + 20 * hour])).toBeGreaterThan(0)
    })

    const clients = inTurn(ofClients, seed, 3)

    it('come from chains for every question whose column does not change within sessions', async () => {
      const types = asked.slice(1).filter((one) => !isOfClients(one) || isOneOf(clients, metricOf(one)))
      for (const type of inTurn(types, seed, 8)) {
        const sealed = isChanged(type, change) ? 0 : 1
        const [whole, ends] = [await sweep.answered(wholeHours, type), await sweep.answered(withEnds, type)]
        expect([type, whole, ends]).toEqual([type, sealed, sealed])
        if (isOneOf(ofDays, type)) expect([type, await sweep.answered(wholeDays, type)]).toEqual([type, sealed])
        // It is possible that no session's city changes within a week.
        if (isChanged(type, change)) continue
        const [short, shortWithEnds] = [await sweep.answered(ofWeek, type), await sweep.answered(ofMonth, type)]
        expect([type, short, shortWithEnds]).toEqual([type, sealed, sealed])
      }
    })

    it('also come from chains if the request has filters, or a share adds some', async () => {
      for (const type of inTurn([...types.slice(0, 5), 'exit', 'entry', 'browser', 'stats'] as const, seed, 9)) {
        const isFiltered = async (span: Span) => sweep.answered(span, type, { device: 'neq.mobile' })
        const found = [await isFiltered(wholeHours), await isFiltered(withEnds)].map((count) => count > 0)
        expect([type, ...found]).toEqual([type, change !== 'everything', change !== 'everything'])
      }
      await sweep.askLocked()
    })

    it('come from chains for pages, except with filters that chains cannot answer', async () => {
      const [ofOne, ofSeveral] = [pathFilters.slice(0, 2), pathFilters.slice(2)]
      for (const own of [...inTurn(ofOne, seed, 2), ...inTurn(ofSeveral, seed, 9)]) {
        const types = ['stats', 'pageviews', 'path', 'entry', 'exit', 'channel', clients[0]!] as const
        for (const type of inTurn(types, seed, 7)) {
          const more = {
            ...own,
            ...(type === 'stats' && { compare: 'none' }),
            ...(type === 'pageviews' && { unit: 'month' }),
          }
          const sealed = isChanged(type, change) ? 0 : 1
          const [whole, ends] = [
            await sweep.answered(wholeHours, type, more),
            await sweep.answered(withEnds, type, more),
          ]
          expect([type, own, whole, ends]).toEqual([type, own, sealed, sealed])
        }
      }
      for (const own of unansweredPaths) {
        for (const type of inTurn(['stats', 'entry'] as const, seed, 2)) {
          expect([type, own, await sweep.answered(wholeHours, type, own)]).toEqual([type, own, 0])
        }
      }
      const withCity = { path: '/a', city: 'c.port' }
      for (const type of inTurn(['stats', 'pageviews', 'path', 'entry', 'country'] as const, seed, 2)) {
        const isAnswered = change === 'nothing' && (type === 'entry' || type === 'country')
        const found = await sweep.answered(wholeHours, type, withCity)
        expect([type, found]).toEqual([type, isAnswered ? 1 : 0])
      }
    })

    it('come from chains for series, in time zones with whole-hour offsets', async () => {
      for (const timezone of ['America/Havana', 'Asia/Kolkata']) {
        const found = await sweep.answered(withEnds, 'sessions/weekly', { timezone })
        expect([timezone, found]).toEqual([timezone, timezone === 'Asia/Kolkata' ? 0 : 1])
      }
      for (const own of inTurn(series, seed, 12)) {
        const [whole, ends] = [
          await sweep.answered(wholeHours, 'pageviews', own),
          await sweep.answered(withEnds, 'pageviews', own),
        ]
        const sealed = own.timezone === 'Asia/Kolkata' ? 0 : 1
        expect([own, whole, ends]).toEqual([own, sealed, sealed])
      }
    })

    it('match it after late views, and after their days are sealed again', async () => {
      const later = await sweep.askedLater()
      sweep.present = ({ rows }) => [...rows]
      await sweep.store(({ rows }) => rows.filter(isLate))
      await sweep.ask('late', numRuns)
      await later()
      await sweep.sealWithFailures()
      await sweep.ask('sealed again', numRuns)
      await later()
      // The rows of the previous seals still exist.
      for (const type of ['stats', 'path'] as const) expect(await sweep.answered(wholeHours, type)).toBeGreaterThan(0)
      expect(await sweep.answered(wholeDays)).toBeGreaterThan(0)
    })
  })
}

/** Sends this many questions for each view before and after late views of each kind, and once they are sealed. */
export function sweepLateViews(numRuns: number): void {
  const kinds = Object.keys(lateViews) as LateKind[]
  describe.each(kinds)(`chains with late views %s, with seed ${seed}`, (kind) => {
    let sweep: Sweep
    let answeredBefore: number
    const late = ({ rows }: View) => lateViewsOf(kind, rows, latest)

    beforeAll(async () => {
      sweep = await Sweep.of('nothing', 10 + kinds.indexOf(kind))
      await sweep.store(({ rows }) => rows)
      await sweep.seal()
    })

    it('match the oracle after late views have arrived, and after they are sealed', async () => {
      expect(await sweep.ask('before', numRuns)).toBeGreaterThan(0)
      const later = await sweep.askedLater()
      answeredBefore = await later()
      expect(answeredBefore).toBeGreaterThan(0)
      sweep.present = (view) => [...view.rows, ...late(view)]
      expect(late(sweep.views[0]!).length).toBeGreaterThan(10)
      await sweep.store(late)
      await sweep.ask('late', numRuns)
      expect(await later()).toBeLessThan(answeredBefore)
      await sweep.seal()
      expect(await sweep.ask('sealed', numRuns)).toBeGreaterThan(0)
      expect(await later()).toBeLessThan(answeredBefore)
      expect(await sweep.answered(wholeHours)).toBeGreaterThan(0)
    })
  })
}

/** Makes each call of a whole seal fail, each on a separate website, and then repeats the seal. */
export function sealFailures(): void {
  it(`a seal that fails at any call changes no answer, nor does repeating it, with seed ${seed}`, async () => {
    const [drawn] = fc.sample(rowsOf('nothing'), { numRuns: 1, seed: seed + 99 })
    const first = to + toPresent - 70 * day
    const isRecent = ({ created_at }: IngestRow) => columnInstant(created_at!) >= first
    const rows = drawn!.filter((row) => isRecent(row) && columnInstant(row.created_at!) < latest).slice(0, 150)
    const websites = await Promise.all(Array.from({ length: 40 }, () => websiteOf({})))
    await ingest(websites.flatMap((website_id) => rows.map((row) => ({ ...row, website_id }))))
    let failed = 0
    await forEach([...websites.entries()], async ([place, websiteId]) => {
      // There are two or three spans. A whole seal has fewer calls than there are websites.
      const options = { websiteIds: [websiteId], patience: 0, most: 70 }
      const range = { startAt: String(first), endAt: String(to + toPresent - 1) }
      const ask = async () => {
        const ofStats = await answeredByChains({ endpoint: 'stats', query: Object.entries(range), websiteId } as never)
        const query = Object.entries({ ...range, type: 'path' })
        return ofStats + (await answeredByChains({ endpoint: 'metrics', query, websiteId } as never))
      }
      const { client: failing, hasFailed } = failingAt(place + 1)
      await seal(failing, options).catch((error: unknown) => {
        if (!hasFailed()) throw error
        failed += 1
      })
      await ask()
      await seal(client, options)
      expect(await ask()).toBeGreaterThan(1)
    })
    expect(failed).toBeGreaterThan(15)
    expect(failed).toBeLessThan(websites.length)
  })
}
