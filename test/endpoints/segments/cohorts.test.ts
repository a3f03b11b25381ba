import { createClient } from '@clickhouse/client-web'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseServer } from '../../../src/clickhouse/server.ts'
import { bundled } from '../../../src/local/start/workerd.ts'
import { compile } from '../../../src/query/language/sql.ts'
import { event, id, number, string } from '../../oracle/fixtures.ts'
import type { IngestRow } from '../../oracle/model.ts'
import type { SavedFilter, SavedParameters } from '../../oracle/saved.ts'
import { asked, computed, keeps, visible, type World, worldOf } from '../../support/agreement.ts'
import { newShare, operator, post } from '../../support/callers.ts'
import { websiteOf } from '../../support/people.ts'
import { planOf } from '../../support/questions.ts'
import { refused } from '../../support/refusals.ts'
import { events, reportOf } from '../../support/reports.ts'
import { parametersOf, pathTo, told } from '../../support/requests.ts'
import { isRead, type Observed, observed } from '../../support/round-trips.ts'
import { saved, segmentsOf } from '../../support/saved.ts'
import { add, columnTime, day } from '../../support/website.ts'
import { get, running } from '../../support/weir.ts'

const dayLength = 86_400_000
const rangeOf = (startAt: number, endAt: number): string => `range:${startAt}:${endAt}`
const thatDay = rangeOf(day.startAt, day.endAt)

/** A cohort of the visitors who did this on the test day. */
const did = (type: 'path' | 'event', value: string, more: SavedParameters = {}): SavedParameters => ({
  dateRange: thatDay,
  action: { type, value },
  ...more,
})

const is = (name: string, value: string, operator: SavedFilter['operator'] = 'eq'): SavedFilter => ({
  ...{ name, operator, value },
})

const [ann, bob, cat, dan] = [id(901), id(902), id(903), id(904)]

/** Events of four sessions, all on the day itself except for the last two. */
const rows = visible(
  { session_id: ann, url_path: '/pricing', browser: 'chrome', country: 'DE', event_type: 1, visit_id: id(801) },
  { session_id: ann, url_path: '/join', browser: 'chrome', country: 'US', event_type: 1, visit_id: id(801) },
  { session_id: bob, url_path: '/pricing', browser: 'firefox', country: 'US', has: [string('tier', 'gold')] },
  { session_id: bob, url_path: '/PRICING', browser: 'chrome', country: 'DE', has: [number('price', '10')] },
  { session_id: cat, url_path: '/a,b', browser: "O'Hara", event_type: 4 },
  { session_id: dan, url_path: '/late', event_type: 3 },
  { session_id: dan, url_path: '/early', created_at: columnTime(day.startAt - 1), event_type: 4 },
  { session_id: cat, url_path: '/later', created_at: columnTime(day.endAt + 1), event_type: 2 },
)

/** Further actions of the members, outside the range of the reports. They affect reports only through the cohort. */
const joins: IngestRow[] = [
  event({
    ...{ event_id: id(700), session_id: bob, event_name: 'join' },
    created_at: columnTime(day.startAt - 5 * dayLength),
  }),
  event({
    ...{ event_id: id(701), session_id: dan, event_name: 'join' },
    ...{ created_at: columnTime(day.startAt - 5 * dayLength), tag: 'x' },
  }),
  event({
    event_id: id(703),
    ...{ session_id: dan, event_type: 5, url_path: '/vital' },
    created_at: columnTime(day.startAt - 1),
  }),
]

describe('cohort= on every report', () => {
  let world: World
  beforeAll(async () => {
    world = await worldOf(...rows)
    await add(world.websiteId, ...joins)
    const other = await websiteOf()
    await add(other, event({ event_id: id(702), session_id: cat, url_path: '/pricing', event_name: 'join' }))
  })

  it.each<[string, SavedParameters, string, number[]]>([
    ['a view of a path', did('path', '/pricing'), '', [0, 1, 2, 3]],
    ['a path is case-sensitive', did('path', '/PRICING'), '', [2, 3]],
    ['an event by name', did('event', 'join', { dateRange: 'all' }), '', [2, 3, 5]],
    ['an event without matches', did('event', 'join'), '', []],
    ['a comma is literal', did('path', '/a,b'), '', [4]],
    ['a comma does not make a list', did('path', '/pricing,/a,b'), '', []],
    ['an operator in the value is literal', did('path', 'c.pricing'), '', []],
    ['a pattern is literal', did('path', '/pri%'), '', []],
    ['every event type counts', did('path', '/late'), '', [5]],
    ['except web vitals, which are not actions', did('path', '/vital', { dateRange: 'all' }), '', []],
    // Only events within the cohort's own range count, including both its ends.
    ['a range before the day', did('path', '/early', { dateRange: rangeOf(0, day.startAt - 1) }), '', [5]],
    ['a range from the event on', did('path', '/early', { dateRange: rangeOf(day.startAt - 1, day.startAt) }), '', [5]],
    ['a range that ends before it', did('path', '/early', { dateRange: rangeOf(0, day.startAt - 2) }), '', []],
    ['another day', did('path', '/early'), '', []],
    ['a range after the day', did('path', '/later', { dateRange: rangeOf(day.endAt + 1, 9_999_999_999_999) }), '', [4]],
    ['all dates', did('path', '/later', { dateRange: 'all' }), '', [4]],
    ['a range of years', did('path', '/later', { dateRange: '900year' }), '', [4]],
    ['a range without matching events', did('path', '/pricing', { dateRange: '0day' }), '', []],
    // Filters apply to the action's event.
    ['one filter', did('path', '/pricing', { filters: [is('browser', 'firefox')] }), '', [2, 3]],
    ['a filter for another event only', did('path', '/pricing', { filters: [is('path', '/PRICING')] }), '', []],
    ['several filters', did('path', '/pricing', { filters: [is('browser', 'chrome'), is('country', 'US')] }), '', []],
    [
      'filters with match=any, still for the same action',
      did('path', '/pricing', { filters: [is('browser', 'chrome'), is('country', 'XX')], match: 'any' }),
      '',
      [0, 1],
    ],
    ['a filter with a regular expression', did('event', 'buy', { filters: [is('browser', "^o'h", 're')] }), '', [4]],
    ['an empty list of filters', did('path', '/pricing', { filters: [], match: 'any' }), '', [0, 1, 2, 3]],
    // In combination with filters of the request.
    ['with a filter of the request', did('path', '/pricing'), 'browser=chrome', [0, 1, 3]],
    ['with filters and match=any', did('path', '/pricing'), 'browser=firefox&path=/late&match=any', [2]],
    ['with an event type', did('path', '/pricing'), 'eventType=2', [2, 3]],
    ['with a property filter', did('path', '/pricing'), 'epf0=1.eq.tier.gold', [2]],
    ['with excludeBounce', did('path', '/pricing'), 'excludeBounce=true', [0, 1, 2, 3]],
    ['with excludeBounce, when all are bounces', did('path', '/late'), 'excludeBounce=true', []],
    [
      'with everything at once',
      did('path', '/pricing'),
      'match=any&country=DE&browser=firefox&eventType=neq.1&epf0=2.gt.price.9',
      [3],
    ],
  ])('%s', async (_, parameters, query, places) => {
    const cohort = await saved(world.websiteId, 'cohort', parameters)
    await keeps(world, `cohort=${cohort}${query && `&${query}`}`, places)
  })

  it.each<[string, SavedParameters]>([
    ['any parameters', {}],
    ['an action', { dateRange: 'all', filters: [is('browser', 'chrome')] }],
    ['a date range', { action: { type: 'path', value: '/pricing' } }],
  ])('may be saved without %s, but is refused when used', async (_, parameters) => {
    const cohort = await saved(world.websiteId, 'cohort', parameters)
    const reply = await get(pathTo(events, { websiteId: world.websiteId }, { cohort }))
    refused(reply, 'cohort')
    expect(reply.body.error.message).toContain('not complete')
  })

  it('is an error that identifies the parameter if RE2 rejects a pattern', async () => {
    const bad = [is('title', 'fine', 're'), is('tag', '(', 'nre')]
    const cohort = await saved(world.websiteId, 'cohort', did('path', '/nothing', { filters: bad }))
    const ask = (query: Record<string, string>) => get(pathTo(events, { websiteId: world.websiteId }, query))
    refused(await ask({ cohort, os: 're.^a' }), 'cohort')
    refused(await ask({ filters: JSON.stringify({ cohort }) }), 'filters.cohort')
  })
})

describe('a saved cohort', () => {
  it.each<[string, object, string]>([
    ['another action', { action: { type: 'title', value: 'x' } }, 'parameters.action.type'],
    ['an action without a value', { action: { type: 'path' } }, 'parameters.action.value'],
    ['an empty value', { action: { type: 'path', value: '' } }, 'parameters.action.value'],
    ['a list', { action: { type: 'path', value: ['/a'] } }, 'parameters.action.value'],
    ['a long value', { action: { type: 'path', value: 'x'.repeat(4001) } }, 'parameters.action.value'],
    ['an extra action field', { action: { type: 'path', value: '/', surprise: 1 } }, 'parameters.action.surprise'],
    ['an action that is a text', { action: '/pricing' }, 'parameters.action'],
    ['a list of actions', { action: [{ type: 'path', value: '/' }] }, 'parameters.action'],
    ['an unknown range', { dateRange: 'yesterday' }, 'parameters.dateRange'],
    ['a reversed range', { dateRange: 'range:2:1' }, 'parameters.dateRange'],
    ['a range before 1970', { dateRange: 'range:-1:1' }, 'parameters.dateRange'],
    ['a range after 2286', { dateRange: 'range:1:10000000000000' }, 'parameters.dateRange'],
    ['a number', { dateRange: 30 }, 'parameters.dateRange'],
    ['an unknown filter', { filters: [is('screen', 'x')] }, 'parameters.filters.0.name'],
    ['an unknown field', { surprise: 1 }, 'parameters.surprise'],
  ])('is refused with %s', async (_, parameters, path) => {
    const body = { type: 'cohort', name: 'Buyers', parameters }
    refused(await post(segmentsOf(await websiteOf()), body), path)
  })
})

describe.concurrent('a cohort’s members', () => {
  it('do not include sessions whose matching events were before a reset', async () => {
    const websiteId = await websiteOf({}, { reset_at: day.startAt })
    const kept = rows.slice(0, 6).map((row) => ({ ...row, website_id: websiteId }))
    await add(websiteId, ...rows, ...joins)
    const early = await saved(websiteId, 'cohort', did('path', '/early', { dateRange: 'all' }))
    const late = await saved(websiteId, 'cohort', did('path', '/late', { dateRange: 'all' }))
    expect(await asked(websiteId, events, `cohort=${early}`)).toStrictEqual(computed([], events, []))
    expect(await asked(websiteId, events, `cohort=${late}`)).toStrictEqual(computed([kept[5]!], events, []))
  })

  it('do not include sessions whose matching events are hidden by the share', async () => {
    const { websiteId, rows: all } = await worldOf(...rows)
    const cohort = await saved(websiteId, 'cohort', did('path', '/pricing'))
    const cases: [object, number[]][] = [
      [{ browser: 'chrome' }, [0, 1]],
      [{ browser: 'firefox' }, [2]],
      [{ path: 'neq./pricing' }, []],
      [{ epf0: '1.eq.tier.gold' }, [2]],
      [{ eventType: 2 }, [2, 3]],
    ]
    for (const [filters, places] of cases) {
      const { headers } = await newShare(websiteId, { events: true, filters })
      const kept = places.map((place) => all[place]!)
      const { body } = await told(websiteId, events, headers, { cohort })
      expect({ filters, body }).toStrictEqual({ filters, body: computed(kept, events, []) })
    }
  })

  it('are determined by days of the time zone, up to now, if the cohort covers the last few days', async () => {
    const now = Date.now()
    const at = (ago: number, session_id: string, place: number) =>
      event({ event_id: id(place), session_id, event_name: 'now', created_at: columnTime(now - ago * dayLength) })
    const websiteId = await websiteOf()
    await add(websiteId, at(0, ann, 1), at(2, bob, 2), at(40, cat, 3))
    const action = { type: 'event', value: 'now' } as const
    const cohorts = new Map<string, string>()
    for (const dateRange of ['0day', '1day', '2day', '30day', '41day', '49hour'])
      cohorts.set(dateRange, await saved(websiteId, 'cohort', { dateRange, action }))
    const range = { startAt: now - 50 * dayLength, endAt: now + dayLength }
    const sessions = async (dateRange: string, timezone: string) => {
      const query = { ...range, cohort: cohorts.get(dateRange)!, timezone }
      const { body } = await get(`/api/websites/${websiteId}/events`, query)
      return body.data.map((one: { sessionId: string }) => one.sessionId)
    }
    for (const timezone of ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      expect(await sessions('1day', timezone)).toStrictEqual([ann])
      expect(await sessions('30day', timezone)).toStrictEqual([ann, bob])
      expect(await sessions('41day', timezone)).toStrictEqual([ann, bob, cat])
      expect(await sessions('49hour', timezone)).toStrictEqual([ann, bob])
    }
    const yesterday = columnTime(todayInPagoPago() - 1)
    await add(websiteId, event({ event_id: id(4), session_id: dan, event_name: 'now', created_at: yesterday }))
    expect(await sessions('0day', 'Pacific/Pago_Pago')).not.toContain(dan)
    expect(await sessions('2day', 'Pacific/Pago_Pago')).toContain(dan)
  })
})

/** The start of today in Pago Pago, which is always UTC-11. */
function todayInPagoPago(): number {
  const shown = Date.now() - 11 * 3_600_000
  return shown - (shown % dayLength) + 11 * 3_600_000
}

describe('the cost of segments and cohorts', () => {
  let worker: Observed
  let filled: string
  beforeAll(async () => {
    filled = (await worldOf(...rows)).websiteId
    worker = await observed(bundled(running.dataDir, 0, parseServer({ CLICKHOUSE_URL: running.clickhouse })))
  })
  afterAll(() => worker.close())

  it('is one D1 round trip for both, and none while they are cached', async () => {
    const websiteId = await websiteOf()
    const named = {
      segment: await saved(websiteId, 'segment', {}),
      cohort: await saved(websiteId, 'cohort', did('path', '/')),
    }
    const trips = async (query: Readonly<Record<string, string>>) => {
      const response = await fetch(worker.url + pathTo(events, { websiteId }, query), { headers: operator })
      expect(response.status).toBe(200)
      await response.text()
      // A key's last use is written at any time.
      return worker.look().filter(isRead).length
    }
    await trips({})
    expect([await trips({}), await trips(named), await trips({ cohort: named.cohort })]).toStrictEqual([0, 1, 0])
  })

  it.each(['events', 'events/stats', 'event-data/values', 'event-data-pivot'] as const)(
    'is limited to the granules of its range: %s',
    async (endpoint) => {
      const report = reportOf({ endpoint })
      const question = {
        ...{ report, websiteId: filled, query: parametersOf(report, { cohort: id(1) }) },
        saved: [{ id: id(1), type: 'cohort' as const, parameters: did('path', '/pricing') }],
      }
      const server = parseServer({ CLICKHOUSE_URL: running.clickhouse })
      const client = createClient({
        ...{ url: server.url, username: server.username, password: server.password, database: server.database },
      })
      for (const { body } of Object.values(planOf(question))) {
        const { query, query_params } = compile(body)
        const result = await client.query({
          query: `EXPLAIN indexes = 1 ${query}`,
          query_params,
          format: 'TabSeparatedRaw',
        })
        const plan = (await result.text()).split('ReadFromMergeTree (').slice(1)
        expect(plan).toHaveLength(2)
        for (const read of plan) expect(read).toMatch(/PrimaryKey[\s│]+Keys:[\s│]+website_id[\s│]+created_at\s/)
      }
      await client.close()
    },
  )
})
