import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { dailyVisits } from '../src/query/tables.ts'
import { event, id } from './oracle/fixtures.ts'
import type { IngestRow, OracleRequest, Statistic } from './oracle/model.ts'
import { agrees } from './support/against-oracle.ts'
import { newShare, operator } from './support/callers.ts'
import { forEach } from './support/concurrently.ts'
import { runs } from './support/long.ts'
import { websiteOf } from './support/people.ts'
import { columnTime } from './support/website.ts'
import { ingest } from './support/weir.ts'

const day = 86_400_000
const [from, to] = [Date.UTC(2024, 10, 20), Date.UTC(2025, 3, 10)]

const clients = [
  { browser: 'chrome', country: 'US', region: 'US-ME', city: 'Portland', language: 'en-US', screen: '1x1' },
  { browser: 'firefox', country: 'US', region: 'US-OR', city: 'Portland', language: 'EN_gb', screen: '' },
  { browser: 'chrome', country: 'DE', region: '', city: 'Berlin', language: 'de', screen: '2x2' },
]

/** Moments that put visits across midnight, months and the new year, often two events in the same millisecond. */
const moments = fc.oneof(
  fc.integer({ min: from, max: to }),
  fc
    .tuple(
      fc.constantFrom(Date.UTC(2025, 0, 1), Date.UTC(2025, 1, 1), Date.UTC(2025, 1, 12), Date.UTC(2025, 2, 1)),
      fc.constantFrom(-1, 0, 1, -60_000, 60_000),
    )
    .map(([midnight, away]) => midnight + away),
)

const kinds = fc.constantFrom(1, 1, 1, 2, 3, 4, 5)

/** Few sessions and visits with many events: many visits last for days, and change their browser. */
const rowsOf = (websiteId: string): fc.Arbitrary<IngestRow[]> =>
  fc.array(
    fc
      .record({
        moment: moments,
        visit: fc.integer({ min: 0, max: 60 }),
        client: fc.nat(clients.length - 1),
        isUsual: fc.boolean(),
        kind: kinds,
        path: fc.constantFrom('/', '/a', '/b', ''),
        event: fc.uuid({ version: 4 }),
      })
      .map(({ moment, visit, client, isUsual, kind, path, event: event_id }) =>
        event({
          website_id: websiteId,
          event_id,
          created_at: columnTime(moment),
          visit_id: id(1000 + visit),
          session_id: id(2000 + Math.floor(visit / 2)),
          event_type: kind,
          event_name: kind === 2 ? 'buy' : '',
          url_path: path,
          ...clients[isUsual ? visit % clients.length : client]!,
        }),
      ),
    { minLength: 500, maxLength: 500 },
  )

/** Ranges of 5 to 130 days, of whole days or cut anywhere. */
const ranges = fc
  .tuple(
    fc.integer({ min: 5, max: 130 }),
    fc.nat(140),
    fc.constantFrom(0, 0, 1, -1, 12_345_678),
    fc.constantFrom(-1, -1, 0, 34_567_890),
  )
  .map(([days, start, early, late]) => {
    const startAt = from + (start % (141 - days)) * day
    return { startAt: startAt + early, endAt: startAt + days * day + late }
  })

const filters = fc.constantFrom<Record<string, string>>(
  {},
  {},
  { browser: 'chrome' },
  { browser: 'chrome', country: 'US' },
  { browser: 'neq.chrome', city: 'c.port', match: 'any' },
  { language: 'en' },
  { path: '/a' },
  { excludeBounce: 'true' },
)

const types = ['browser', 'country', 'region', 'city', 'language', 'screen', 'os', 'entry', 'exit', 'channel', 'path']

const questions: Readonly<Partial<Record<Statistic, fc.Arbitrary<Record<string, string>>>>> = {
  stats: fc.constantFrom({}, { compare: 'yoy' }),
  pageviews: fc.record({
    unit: fc.constantFrom('day', 'week', 'month', 'year', 'hour'),
    timezone: fc.constantFrom('UTC', 'UTC', 'Europe/Berlin', 'Asia/Kathmandu'),
  }),
  metrics: fc.record({ type: fc.constantFrom(...types) }),
  'metrics/expanded': fc.record({ type: fc.constantFrom(...types) }),
}

const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 30))

describe(`visits of long ranges, with seed ${seed}`, () => {
  let websiteId: string
  let rows: IngestRow[]
  let share: Record<string, string>

  beforeAll(async () => {
    websiteId = await websiteOf({})
    rows = fc.sample(rowsOf(websiteId), { numRuns: 1, seed })[0]!
    // Two inserts: what is in both parts is put together by statements, or by a merge.
    await ingest(rows.filter((_, index) => index % 2 === 0))
    await ingest(rows.filter((_, index) => index % 2 === 1))
    share = (await newShare(websiteId, { overview: true, compare: true, filters: { browser: 'eq.chrome' } }))
      .headers as Record<string, string>
  })

  it.each(Object.keys(questions) as Statistic[])('%s', async (statistic) => {
    const asked = fc.record({ range: ranges, filter: filters, more: questions[statistic]! })
    const sources = new Set<string>()
    await forEach(fc.sample(asked, { numRuns: runs(60, 400), seed }), async ({ range, filter, more }) => {
      const query = { startAt: `${range.startAt}`, endAt: `${range.endAt}`, ...more, ...filter }
      const request: OracleRequest<Statistic> = { endpoint: statistic, websiteId, query: Object.entries(query) }
      const { headers } = await agrees(rows, request, operator)
      sources.add(headers.get('x-source') ?? '')
      const seen = rows.filter(({ browser }) => browser === 'chrome')
      if (Object.keys(filter).length === 0) await agrees(seen, request, share)
    })
    expect([...sources].some((source) => source.split(', ').includes(dailyVisits.name))).toBe(true)
  })
})
