import { type ClickHouseClient, createClient } from '@clickhouse/client-web'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../src/clickhouse/run.ts'
import { parseServer } from '../../src/clickhouse/server.ts'
import { seal } from '../../src/local/storage/seal.ts'
import type { Statement } from '../../src/query/language/sql.ts'
import { event, id } from '../oracle/fixtures.ts'
import type { IngestRow, OracleRequest, Statistic } from '../oracle/model.ts'
import { agrees } from './against-oracle.ts'
import { type Headers, newShare, operator } from './callers.ts'
import { chainedResult } from './chained.ts'
import { inTurn, isLong } from './long.ts'
import { websiteOf } from './people.ts'
import { inputOf, questionOf } from './questions.ts'
import { wholeWebsite } from './scope.ts'
import { seed } from './seed.ts'
import { columnTime } from './website.ts'
import { ingest, running, sharedRoute } from './weir.ts'
import { everySection } from './worlds.ts'

/** Questions that chains answer, over sealed, half sealed and late days, by the endpoint and by the oracle. */

const [hour, day] = [3_600_000, 86_400_000]
const [from, to] = [Date.UTC(2024, 10, 20), Date.UTC(2025, 3, 10)]

/** Within a day, at a whole hour: chains answer from there on. */
const resetAt = Date.UTC(2025, 0, 12, 9)

/** Moves a world to the present, by whole days: its last hours are those of the current day, and some to come. */
const toPresent = Math.floor(Date.now() / day) * day + 10 * hour - to

const { timeout: _, ...connection } = parseServer({ CLICKHOUSE_URL: running.clickhouse })

const client = createClient({ ...connection, request_timeout: 600_000 })

const clients = [
  {
    browser: 'chrome',
    os: 'iOS',
    device: 'mobile',
    country: 'US',
    region: 'US-ME',
    city: 'Portland',
    language: 'en-US',
  },
  { browser: 'firefox', os: 'iOS', device: 'laptop', country: 'US', region: 'US-OR', city: 'Portland', language: 'EN' },
  { browser: 'chrome', os: '', device: '', country: 'DE', region: '', city: 'Berlin', language: 'de' },
]

const origins = [
  { hostname: 'shop.example', referrer_domain: 'www.google.com' },
  { hostname: 'shop.example', referrer_domain: 'facebook.com', utm_medium: 'paid' },
  { hostname: 'shop.example', referrer_domain: 'shop.example' },
  {},
]

/** How visitors of a website change: never; their city only, and rarely; or anything, within an hour, too. */
type Change = 'nothing' | 'cities' | 'everything'

/** Worlds that last until now have open hours; the other one is over. */
const movedBy: Readonly<Record<Change, number>> = { nothing: toPresent, cities: toPresent, everything: 0 }

/** Sessions that live for ever, and visits that last for minutes, days or weeks; often in one hour or millisecond. */
const rowsOf = (change: Change): fc.Arbitrary<IngestRow[]> => {
  const visits = fc.array(
    fc.record({
      session: fc.nat(80),
      start: fc.integer({ min: from, max: to }),
      steps: fc.array(
        fc.record({
          pause: fc.oneof(fc.nat(60_000), fc.nat(hour), fc.nat(3 * hour), fc.nat(4 * day), fc.constant(0)),
          kind: fc.constantFrom(1, 1, 1, 1, 2, 3, 4, 5),
          path: fc.constantFrom('/', '/a', '/b', '/c?', '', '/\0', '\0/'),
          title: fc.constantFrom('', 'Start', 'A', 'B'),
          origin: fc.constantFrom(...origins),
          client: fc.nat(clients.length - 1),
          moves: fc.nat(40),
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
        const own = clients[session % clients.length]!
        const moved = moves === 0 ? { ...own, city: 'Moved' } : own
        const visitor = { nothing: own, cities: moved, everything: clients[other]! }[change]
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

/** From 1 to 130 days, of whole hours mostly; months, quarters and years of the calendar; often up to the end. */
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

/** Every operator on a column that chains have; and filters that they cannot answer. */
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
  { path: '/a' },
  { excludeBounce: 'true' },
)

const types = ['path', 'title', 'entry', 'channel'] as const

const questions = fc
  .record({
    span: spans,
    filters,
    type: fc.constantFrom('stats', 'stats', 'stats', ...types),
    more: fc.constantFrom<Record<string, string>>({}, {}, { compare: 'prev' }, { compare: 'yoy' }),
    page: fc.constantFrom<Record<string, string>>({}, {}, { limit: '2' }, { limit: '2', offset: '1' }, { search: 'a' }),
  })
  .map(({ span: [startAt, endAt], filters, type, more, page }) => (move: number) => {
    const range = { startAt: String(startAt + move), endAt: String(endAt + move) }
    const own = type === 'stats' ? more : { type, ...page }
    return { endpoint: type === 'stats' ? 'stats' : 'metrics', query: { ...range, ...own, ...filters } }
  })

/** A fifth of the views: of any session, anywhere between its others. */
const isLate = ({ event_id }: IngestRow): boolean => /[0-2]$/.test(event_id)

/** A website as one reader sees it. */
interface View {
  readonly rows: readonly IngestRow[]
  readonly headers: Headers
  readonly request: Pick<OracleRequest<Statistic>, 'websiteId' | 'resetAt' | 'locks' | 'isShare'>
}

/**
 * How many statements of a question chains answer for the whole website; as the whole statements do. The Worker leaves
 * chains of small websites out, once it knows them.
 */
async function answeredByChains(request: OracleRequest<Statistic>): Promise<number> {
  const { signal } = new AbortController()
  let answered = 0
  const { report, ...question } = questionOf(request)
  const scope = { ...wholeWebsite(request.websiteId), closedBefore: Math.floor(Date.now() / day) * day, chainsFrom: 1 }
  const plan = report.plan(inputOf({ report, ...question }) as never, scope)
  for (const { cheaper, ...whole } of Object.values(plan as Readonly<Record<string, Statement<unknown>>>)) {
    const result = await chainedResult(sharedRoute, { cheaper })
    if (!result) continue
    answered += 1
    expect({ request, result }).toEqual({ request, result: await run(sharedRoute, whole, signal) })
  }
  return answered
}

/** A client whose call of this number fails, before or after the server did what it was asked. */
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

/** Three websites: one whole, one behind a reset, and one through a share with a lock. */
async function viewsOf(change: Change, place: number): Promise<View[]> {
  const [drawn] = fc.sample(rowsOf(change), { numRuns: 1, seed: seed + place })
  const moved = resetAt + movedBy[change]
  const [whole, reset] = [await websiteOf({}), await websiteOf({}, { reset_at: moved })]
  // ClickHouse refuses events of the day after the next one.
  const last = columnTime(to + movedBy[change] + 12 * hour)
  const taken = change === 'everything' ? drawn! : drawn!.filter(({ created_at }) => created_at! < last)
  const of = (website_id: string) => taken.map((row) => ({ ...row, website_id }))
  const share = await newShare(whole, { ...everySection, filters: { country: 'eq.US' } })
  const locks: [string, string][] = [['country', 'eq.US']]
  return [
    { rows: of(whole), headers: operator, request: { websiteId: whole } },
    { rows: of(reset), headers: operator, request: { websiteId: reset, resetAt: moved } },
    { rows: of(whole), headers: share.headers, request: { websiteId: whole, locks, isShare: true } },
  ]
}

/** Asks each view this many questions in each state of its seals. `SEED=…` repeats a run. */
export function sweepChains(numRuns: number): void {
  const changes: readonly Change[] = ['nothing', 'cities', 'everything']
  const swept = inTurn(changes, seed, changes.length)
  describe.each(swept)(`answers by chains where %s changes, with seed ${seed}`, (change) => {
    let views: View[]
    let present: (view: View) => IngestRow[]
    const websiteIds = () => [...new Set(views.map(({ request }) => request.websiteId))]
    const stored = () => views.slice(0, 2)

    beforeAll(async () => {
      views = await viewsOf(change, changes.indexOf(change))
      present = ({ rows }) => rows.filter((row) => !isLate(row))
      // Two inserts make two parts.
      for (const odd of [0, 1])
        await ingest(
          stored()
            .flatMap(present)
            .filter((_, index) => index % 2 === odd),
        )
    })

    /** Returns how many statements chains answered. */
    async function ask(state: string, count = numRuns): Promise<number> {
      let chained = 0
      for (const [place, view] of views.entries()) {
        const own = { numRuns: count, seed: seed + 10 * place + state.length }
        for (const drawn of fc.sample(questions, own)) {
          const { endpoint, query } = drawn(movedBy[change])
          const request = { endpoint, query: Object.entries(query), ...view.request } as OracleRequest<Statistic>
          await agrees(present(view), request, view.headers)
          chained += await answeredByChains(request)
        }
      }
      return chained
    }

    /** Seals, with a failure at one call after the other, until all days are sealed. */
    async function sealWithFailures(): Promise<void> {
      for (let call = 1; call < 400; call += isLong ? 1 : 15) {
        const { client: failing, hasFailed } = failingAt(call)
        await seal(failing, { websiteIds: websiteIds(), patience: 0 }).catch((error: unknown) => {
          if (!hasFailed()) throw error
        })
        if (call % 2 === 0) await ask(`failed at ${call}`, 1)
        if (!hasFailed()) break
      }
      expect(await seal(client, { websiteIds: websiteIds(), patience: 0 })).toEqual({ sealed: 0, differing: [] })
    }

    it('agree with the oracle before days are sealed', async () => {
      await ask('open')
    })

    it('agree while and after they are sealed, whatever fails', async () => {
      await sealWithFailures()
      await ask('sealed')
      const [{ request }] = views as [View]
      const asked = async ([startAt, endAt]: Span, type?: (typeof types)[number]) => {
        const moved = { startAt: String(startAt + movedBy[change]), endAt: String(endAt + movedBy[change]) }
        const query = Object.entries({ ...moved, ...(type ? { type } : { compare: 'prev' }) })
        return answeredByChains({ ...request, endpoint: type ? 'metrics' : 'stats', query } as OracleRequest<Statistic>)
      }
      const whole: Span = [from + 5 * hour, from + 66 * day - 1]
      const withEnds: Span = [from + 1, from + 66 * day + 1_234_567]
      expect(await asked(whole)).toBeGreaterThan(0)
      expect(await asked(withEnds)).toBeGreaterThan(0)
      expect(await asked([from + day, to + 20 * hour])).toBeGreaterThan(0)
      for (const type of types) expect(await asked(whole, type), type).toBe(1)
      for (const type of types) expect(await asked(withEnds, type), type).toBe(type === 'path' ? 1 : 0)
    })

    it('agree after late views, and after their days are sealed again', async () => {
      present = ({ rows }) => [...rows]
      await ingest(stored().flatMap(({ rows }) => rows.filter(isLate)))
      await ask('late')
      await sealWithFailures()
      await ask('sealed again')
    })
  })
}
