import { createClient } from '@clickhouse/client-web'
import { describe, expect, it } from 'vitest'
import { parseServer } from '../../src/clickhouse/server.ts'
import { seal } from '../../src/local/storage/seal.ts'
import type { Statement } from '../../src/query/language/statement.ts'
import { event, id, number, string } from '../oracle/fixtures.ts'
import type { IngestRow, OracleRequest, Report } from '../oracle/model.ts'
import { agrees, agreesByPost } from '../support/against-oracle.ts'
import { chainedResults, plannedKnowing } from '../support/chained.ts'
import { forEach } from '../support/concurrently.ts'
import { landings } from '../support/landings.ts'
import { inTurn } from '../support/long.ts'
import { planOf, questionOf } from '../support/questions.ts'
import { seed } from '../support/seed.ts'
import { columnTime, newId } from '../support/website.ts'
import { ingest, newWebsite, running, sharedRoute } from '../support/weir.ts'

/**
 * Every landing from the lists, classified by the older and by the current lists, in every report with channels, from
 * each table that can answer it. `npm test` uses a different eighth of the landings in each run:
 * `test/local/channels.test.ts` stores all of them.
 */

const [hour, day] = [3_600_000, 86_400_000]
const days = 40
const from = Date.UTC(2025, 0, 5)

/** Sessions with two visits, each with a second view and a sale. Half of them have the older list version. */
const rowsOf = (website_id: string): IngestRow[] =>
  [0, 1].flatMap((isNow) =>
    inTurn(landings, seed, 8).flatMap((landing, place) => {
      const moment = from + (place % days) * day + (place % 5) * hour
      const visit = id(10_000 + 2 * place + isNow)
      const session = id(20_000 + 2 * Math.floor(place / 2) + isNow)
      const of = { website_id, session_id: session, visit_id: visit, browser: place % 3 === 0 ? 'chrome' : 'firefox' }
      const at = (late: number) => ({ event_id: newId(), created_at: columnTime(moment + late) })
      const judged: Partial<IngestRow> = isNow ? {} : { channel_lists: 0 }
      const sale = [string('currency', 'EUR'), number('revenue', String(place % 7))]
      return [
        event({ ...of, ...at(0), event_type: 1, url_path: '/', ...landing, ...judged }),
        event({ ...of, ...at(1), event_type: 1, url_path: '/a', utm_medium: 'sms', ...judged }),
        event({ ...of, ...at(2), event_name: 'buy' }, sale),
      ]
    }),
  )

type Query = Readonly<Record<string, string>>

/** The questions for each range, which are answered from events, from hours, or from both. */
const questions: readonly (readonly [Report, Query])[] = [
  ['metrics', { type: 'channel' }],
  ['metrics', { type: 'channel', search: 'Social' }],
  ['metrics', { type: 'channel', browser: 'chrome' }],
  ['metrics', { type: 'channel', path: '/a' }],
  ['metrics/expanded', { type: 'channel' }],
  ['metrics/expanded', { type: 'channel', browser: 'neq.chrome' }],
  ['revenue/metrics', { type: 'channel', currency: 'EUR' }],
  ['revenue/metrics', { type: 'channel', currency: 'EUR', event: 'buy' }],
  ...['first-click', 'last-click'].flatMap((model): [Report, Query][] => [
    ['attribution', { model, type: 'event', step: 'buy' }],
    ['attribution', { model, type: 'path', step: '/a', browser: 'chrome' }],
  ]),
]

const ranges = {
  events: { startAt: from + day, endAt: from + day + 11 * hour - 1 },
  hourly_visits: { startAt: from, endAt: from + (days - 2) * day - 1 },
  'hourly_visits, events': { startAt: from + 1, endAt: from + (days - 1) * day + 12_345_678 },
} as const

const websiteId = await newWebsite()
const rows = rowsOf(websiteId)
await ingest(rows)

const requestOf = (endpoint: Report, { startAt, endAt }: { startAt: number; endAt: number }, more: Query) => {
  const query = Object.entries({ startAt: String(startAt), endAt: String(endAt), ...more })
  return { endpoint, websiteId, query } as OracleRequest<Report>
}

describe('a visit’s channel', () => {
  it.each(Object.entries(ranges))(
    'depends on the version of the channel lists when it landed: %s',
    async (tables, range) => {
      const [first, ...others] = questions.map(([endpoint, more]) => requestOf(endpoint, range, more))
      expect((await agrees(rows, first!)).headers.get('x-source')).toBe(tables)
      await forEach(others, async (request) => {
        await agrees(rows, request)
      })
      const bought = { model: 'first-click', type: 'event', step: 'buy' }
      await agreesByPost(rows, 'attribution', requestOf('attribution', range, bought) as never)
      await agreesByPost(rows, 'revenue', requestOf('revenue/metrics', range, { currency: 'EUR' }) as never)
    },
  )

  it('is the same if chains answer', async () => {
    const { timeout: _, ...connection } = parseServer({ CLICKHOUSE_URL: running.clickhouse })
    const client = createClient({ ...connection, request_timeout: 600_000 })
    expect(await seal(client, { websiteIds: [websiteId], patience: 0 })).toEqual({ sealed: days, differing: [] })
    await client.close()
    for (const range of [ranges.hourly_visits, ranges['hourly_visits, events']]) {
      const request = requestOf('metrics', range, { type: 'channel' })
      const question = questionOf(request)
      const { list } = await plannedKnowing(sharedRoute, (known) => planOf(question, known))
      const results = await chainedResults(sharedRoute, list as Statement<{ f_x: string; f_visitors: number }>)
      const { body } = await agrees(rows, request)
      expect(results.map((found) => found?.rows.map(({ f_x, f_visitors }) => ({ x: f_x, y: f_visitors })))).toEqual([
        body,
        body,
      ])
    }
  })
})
