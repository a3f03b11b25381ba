import { randomUUID } from 'node:crypto'
import type { CallToolResult, Client } from '@modelcontextprotocol/client'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tools } from '../../src/mcp/tools/index.ts'
import { event, id, number, string } from '../oracle/fixtures.ts'
import { worlds } from '../oracle/generate-world.ts'
import { type Headers, operator, post } from '../support/callers.ts'
import { inTurn, isLong, runs } from '../support/long.ts'
import { keyOf, member, newPerson, newTeam, websiteOf } from '../support/people.ts'
import { saved } from '../support/saved.ts'
import { seed } from '../support/seed.ts'
import { add } from '../support/website.ts'
import { insert } from '../support/weir.ts'
import { connected, revisions } from './client.ts'
import { type Asked, expected, Refused, reportsOf } from './expected.ts'

type Arguments = Readonly<Record<string, unknown>>
type Tool = (typeof tools)[number]

/** A website with locked filters, which hide some of its events from readers. */
const locked = { overview: true, events: true, sessions: true, funnels: true, filters: { browser: 'chrome' } }

interface World {
  readonly websiteId: string
  readonly published: string
  readonly day: string
  readonly funnelId: string
  readonly goalId: string
  readonly segmentId: string
  readonly callers: Readonly<Record<string, Headers>>
  readonly clients: Readonly<Record<string, Client>>
}

let world: World

beforeAll(async () => {
  const owner = await newPerson()
  const team = await newTeam(owner)
  const [reader, stranger] = await Promise.all([member(team, 'team-view-only'), newPerson()])
  const [websiteId, published, other] = await Promise.all([
    websiteOf({ teamId: team.id }),
    websiteOf({ userId: owner.id }, { public: JSON.stringify(locked) }),
    websiteOf({ userId: owner.id }),
  ])
  const random = fc.sample(worlds, { seed, numRuns: 12 })
  const { rows } = random.reduce((best, one) => (one.rows.length > best.rows.length ? one : best))
  const day = rows[0]!.created_at.slice(0, 10)
  // This is not a whole second, and answers in seconds must still include it.
  const at = `${day} 12:00:00.250`
  const own = [
    event({
      event_id: id(9001),
      ...{ created_at: at, event_type: 1, url_path: '/pricing', referrer_domain: 'b.example', browser: 'chrome' },
      country: 'DE',
    }),
    event({
      event_id: id(9002),
      ...{ created_at: at, event_name: 'signup', browser: 'chrome', referrer_domain: 'a.example' },
    }),
    event({ event_id: id(9003), created_at: at, event_name: 'purchase', country: 'DE' }, [
      ...[number('revenue', '10.5'), string('currency', 'EUR'), string('plan', 'pro, "plus"')],
    ]),
    event({ event_id: id(9004), created_at: at, event_type: 5, url_path: '/pricing', lcp: 1200, cls: 0.1 }),
  ]
  await Promise.all([add(websiteId, ...rows, ...own), add(published, ...rows, ...own)])
  const call = { website_id: websiteId, session_id: id(100), created_at: at, distinct_id: 'anna' }
  await insert('ingest_session_data', [
    {
      ...{ ...call, 'properties.key': ['plan', 'seats'], 'properties.data_type': [1, 2] },
      ...{ 'properties.string_value': ['pro', '5'], 'properties.number_value': [null, '5'] },
      'properties.date_value': [null, null],
    },
  ])
  const made = async (what: string, body: object) => (await post(`/api/websites/${websiteId}/${what}`, body)).body.id
  const steps = [
    { type: 'path', value: '/pricing' },
    { type: 'event', value: 'signup' },
  ]
  const [funnelId, goalId, segmentId] = await Promise.all([
    made('funnels', { name: 'Sales', parameters: { window: 90, steps } }),
    made('goals', { name: 'Sign up', parameters: { type: 'event', value: 'signup' } }),
    saved(websiteId, 'segment', { filters: [{ name: 'browser', operator: 'eq', value: 'chrome' }] }),
    made('annotations', { date: at.slice(0, 10), note: 'A release' }),
  ])
  const callers: Record<string, Headers> = {
    operator,
    reader: await keyOf(reader, { access: 'read' }),
    stranger: await keyOf(stranger, { access: 'read' }),
    'key of another website': await keyOf(undefined, { access: 'read', websiteIds: [other] }),
  }
  const clients: Record<string, Client> = {}
  for (const [index, name] of Object.keys(callers).entries()) {
    const revision = Object.keys(revisions)[index % 2] as keyof typeof revisions
    clients[name] = await connected(callers[name]!, revision)
  }
  world = { websiteId, published, day, funnelId, goalId, segmentId, callers, clients }
})

afterAll(async () => {
  await Promise.all(Object.values(world.clients).map((client) => client.close()))
})

/** Further arguments, for tools with several kinds of answers. */
const variants: Readonly<Record<string, () => readonly Arguments[]>> = {
  list_websites: () => [{ search: world.websiteId }],
  get_website_traffic: () => [{ unit: 'hour' }, { unit: 'day', compare: 'yoy' }],
  get_website_metrics: () => [
    ...(['event', 'channel', 'city'] as const).map((type) => ({ type, limit: 2, offset: 1 })),
  ],
  get_events: () => [{ pageSize: 3, page: 2 }, { event: 'signup' }, { search: 'pric' }],
  get_event_properties: () => [{ limit: 3 }, { eventName: 'purchase' }, { propertyName: 'plan', dataType: 'string' }],
  get_sessions: () => [{ pageSize: 2 }],
  get_session: () => [
    { sessionId: id(100) },
    { sessionId: id(100), includeActivity: false },
    { sessionId: randomUUID() },
  ],
  get_annotations: () => [{ search: 'release' }],
  list_segments: () => [{}],
  run_funnel: () => [{ funnelId: world.funnelId }],
  get_goals: () => [{ goalId: world.goalId }, { pageSize: 1 }],
  get_revenue: () => [{ currency: 'EUR', unit: 'day' }],
  get_performance: () => [{ metric: 'cls', unit: 'hour' }, { breakdown: 'device' }],
}

/** Ranges within the day, and filters. Each is given in two forms: for the tool, and for its reports. */
function scopes(): readonly { args: Arguments; query: Asked['query'] }[] {
  const { day, segmentId } = world
  const utc = { startDate: `${day}T00:00:00Z`, endDate: `${day}T23:59:59.999Z` }
  const filters = { browser: 'chrome,firefox', path: 'neq./nowhere' }
  return [
    { args: { startAt: day, endAt: day }, query: { ...utc, timezone: 'UTC' } },
    {
      args: { startAt: day, endAt: day, timezone: 'Asia/Kathmandu', filters },
      query: { startDate: day, endDate: day, timezone: 'Asia/Kathmandu', ...filters },
    },
    {
      args: { ...{ startAt: `${day}T05:30`, endAt: `${day}T20:00:00+02:00` }, filters: { segment: segmentId } },
      query: { startDate: `${day}T05:30:00Z`, endDate: `${day}T18:00:00Z`, timezone: 'UTC', segment: segmentId },
    },
  ]
}

/** The whole day. */
const range = () => ({ startAt: world.day, endAt: world.day })

type Scoped = ReturnType<typeof scopes>[number]

/** A tool's argument sets, without a range: its example and its variants. */
function waysOf({ name, example }: Tool): readonly Arguments[] {
  const { startAt: _, timezone: __, filters: ___, sessionId: ____, ...plain } = example as Record<string, unknown>
  return [...(name === 'get_session' ? [] : [plain]), ...(variants[name]?.() ?? [])]
}

function inScope({ isFiltered, isOfWebsite = true }: Tool, more: Arguments, { args, query }: Scoped): Asked {
  const { filters, ...ranged } = args as Record<string, unknown>
  const { startDate, endDate, timezone } = query as Record<string, string>
  return {
    websiteId: isOfWebsite ? world.websiteId : '',
    args: { ...ranged, ...(isFiltered && filters !== undefined && { filters }), ...more },
    query: (isFiltered ? query : { startDate, endDate, timezone }) as Asked['query'],
  }
}

const scopesOf = ({ time }: Tool): readonly Scoped[] => (time === 'never' ? [{ args: {}, query: {} }] : scopes())

/**
 * A tool's cases: each argument set in one scope, which is a different one in each run. In long runs, the first set is
 * used in all scopes.
 */
function casesOf(tool: Tool): Asked[] {
  const all = scopesOf(tool)
  const turn = tools.indexOf(tool) + seed
  return waysOf(tool).flatMap((more, index) =>
    (isLong && index === 0 ? all : [all[(index + turn) % all.length]!]).map((scope) => inScope(tool, more, scope)),
  )
}

/** A moment near the day in two forms: for the tool, and for its reports. */
const moments = (end: 'start' | 'end') => {
  const days = fc.integer(end === 'end' ? { min: 0, max: 1 } : { min: -40, max: -2 }).map(dayBeside)
  return fc.oneof(
    days.map((day) => ({ given: day, date: day })),
    fc
      .tuple(days, fc.integer({ min: 0, max: 23 }), fc.constantFrom('Z', '+05:45', '-03:00'))
      .map(([day, hour, zone]) => {
        const given = `${day}T${String(hour).padStart(2, '0')}:${end === 'end' ? 59 : 15}:00${zone}`
        return { given, date: new Date(given).toISOString() }
      }),
  )
}

const dayBeside = (days: number): string =>
  new Date(Date.parse(`${world.day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)

const someFilters = fc.record(
  {
    browser: fc.constantFrom('chrome', 'firefox,safari', 'neq.chrome', 'c.ro', 're.^c'),
    country: fc.constantFrom('DE', 'neq.DE,US', 'dnc.E'),
    path: fc.constantFrom('/pricing', 'c./p', 'neq./pricing', 'nre.i$'),
    event: fc.constantFrom('signup', 'neq.purchase'),
    match: fc.constantFrom('all', 'any'),
    excludeBounce: fc.constant(true),
  },
  { requiredKeys: [] },
)

/** A random range, time zone and set of filters. */
const randomScope = (): fc.Arbitrary<Scoped> =>
  fc
    .record({
      start: moments('start'),
      end: moments('end'),
      timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Auckland'),
      filters: fc.option(someFilters, { nil: undefined }),
    })
    .map(({ start, end, timezone, filters }) => ({
      args: { startAt: start.given, endAt: end.given, timezone, ...(filters && { filters }) },
      query: {
        ...{ startDate: start.date, endDate: end.date, timezone },
        // They are numbered, because a report may have a parameter with the same name.
        ...Object.fromEntries(
          Object.entries(filters ?? {}).map(([name, value]) => [
            name === 'match' || name === 'excludeBounce' ? name : `${name}7`,
            String(value),
          ]),
        ),
      },
    }))

/** Calls a tool with the SDK's client, which validates the answer against the tool's schema. */
async function answered(client: Client, name: string, { websiteId, args }: Asked): Promise<CallToolResult> {
  const result = (await client.callTool({
    name,
    arguments: { ...(websiteId && { websiteId }), ...args },
  })) as CallToolResult
  const { text } = result.content[0] as { text: string }
  expect(JSON.parse(text)).toEqual(result.structuredContent)
  expect(text.length).toBeLessThanOrEqual(25_000)
  return result
}

const codes: Readonly<Record<number, string>> = {
  400: 'invalid_input',
  401: 'auth_expired',
  403: 'access_denied',
  404: 'not_found',
}

/**
 * Expects that the tool gives the same answer as its reports do for the same caller, or the refusal of the first
 * report.
 */
async function equalsReports(caller: string, name: string, asked: Asked): Promise<'answered' | 'refused'> {
  const { structuredContent, isError } = await answered(world.clients[caller]!, name, asked)
  const { range, units, cost, hint: _, ...answer } = structuredContent as Record<string, unknown>
  try {
    const wanted = await expected[name]!(asked, reportsOf(asked, world.callers[caller]!))
    expect(answer, `${name} ${JSON.stringify(asked.args)}`).toEqual(wanted)
    expect(units).toBeTypeOf('string')
    expect(cost).toMatchObject({ reports: expect.any(Number), milliseconds: expect.any(Number) })
    expect(range !== undefined).toBe(asked.args.startAt !== undefined)
    return 'answered'
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    expect({ isError, answer }).toMatchObject({
      isError: true,
      answer: { error: { code: codes[error.status], status: error.status, message: error.message } },
    })
    return 'refused'
  }
}

describe('every tool', () => {
  it.each(tools.map(({ name }) => name))('gives the same answer as its reports: %s', async (name) => {
    const cases = casesOf(tools.find((one) => one.name === name)!)
    const ways = new Set<string>()
    for (const [index, asked] of cases.entries()) {
      ways.add(await equalsReports(index % 2 === 0 ? 'operator' : 'reader', name, asked))
    }
    expect(ways).toContain('answered')
  })

  it(`gives the same answer as its reports for random ranges, time zones and filters, with seed ${seed}`, async () => {
    const ranged = tools.filter(({ time }) => time !== 'never')
    const questions = fc.tuple(fc.constantFrom(...ranged), fc.nat(), randomScope())
    const ways: string[] = []
    for (const [index, [tool, way, scope]] of fc.sample(questions, { seed, numRuns: runs(6, 600) }).entries()) {
      const all = waysOf(tool)
      const caller = index % 3 === 0 ? 'reader' : 'operator'
      ways.push(await equalsReports(caller, tool.name, inScope(tool, all[way % all.length]!, scope)))
    }
    expect(ways).toContain('answered')
  })

  it('answers anybody about a public website without its locked data, and others as the API does', async () => {
    const ways: string[] = []
    for (const tool of tools.filter(({ isOfWebsite }) => isOfWebsite !== false)) {
      const asked = inScope(tool, waysOf(tool)[0]!, scopesOf(tool)[0]!)
      const callers = [
        ['stranger', world.published],
        ['stranger', world.websiteId],
        ['key of another website', world.websiteId],
      ] as const
      for (const [caller, websiteId] of inTurn(callers, seed + tools.indexOf(tool), 3)) {
        ways.push(await equalsReports(caller, tool.name, { ...asked, websiteId }))
      }
    }
    expect(new Set(ways)).toEqual(new Set(['answered', 'refused']))
  })

  it('does not reveal to readers of a locked website how many rows it read', async () => {
    const costs = async (caller: string, websiteId: string) =>
      (
        (await answered(world.clients[caller]!, 'get_website_stats', { websiteId, args: range(), query: {} }))
          .structuredContent as { cost: object }
      ).cost
    expect(await costs('stranger', world.published)).not.toHaveProperty('rowsRead')
    expect(await costs('operator', world.published)).toHaveProperty('rowsRead', expect.any(Number))
  })

  it('suggests the next question if an answer is empty or its lists continue', async () => {
    const hintOf = async (name: string, more: Arguments) => {
      const asked = { websiteId: world.websiteId, args: { ...range(), ...more }, query: {} }
      return ((await answered(world.clients.operator!, name, asked)).structuredContent as { hint?: string }).hint
    }
    const country = { filters: { country: 'Germany' } }
    const conversion = { conversionType: 'path', conversion: '/pricing' }
    expect(await hintOf('get_website_stats', country)).toContain('get_website_metrics')
    expect(await hintOf('get_events', country)).toContain('get_website_daterange')
    expect(await hintOf('get_website_stats', {})).toBe(undefined)
    expect(await hintOf('get_event_properties', { limit: 1 })).toContain('first 1 rows')
    expect(await hintOf('get_event_series', { limit: 1 })).toContain('first 1 rows')
    expect(await hintOf('run_attribution', { ...conversion, limit: 1 })).toContain('first 1 rows')
    expect(await hintOf('run_attribution', { ...conversion, limit: 500 })).toBe(undefined)
    expect(await hintOf('get_event_properties', { propertyName: 'colour' })).toContain('propertyName')
    expect(await hintOf('get_revenue', { currency: 'XXX' })).toContain('currency')
    expect(await hintOf('get_revenue', { currency: 'EUR' })).toBe(undefined)
  })

  it.each([
    ['get_event_properties', { dataType: 'number' }, 'dataType'],
    ['run_funnel', { funnelId: randomUUID(), windowMinutes: 5 }, 'windowMinutes'],
    ['get_goals', { startAt: undefined, endAt: undefined, filters: { country: 'DE' } }, 'filters'],
  ])('%s refuses %j, which would have no effect', async (name, more, field) => {
    const args = { ...range(), ...more }
    const { structuredContent } = await answered(world.clients.operator!, name, {
      ...{ websiteId: world.websiteId, args, query: {} },
    })
    expect(structuredContent).toMatchObject({ error: { code: 'invalid_input', details: [{ path: field }] } })
  })

  it('has data for its answers', async () => {
    const [stats, revenue, vitals] = await Promise.all(
      ['get_website_stats', 'get_revenue', 'get_performance'].map(async (name) => {
        const args = { startAt: world.day, endAt: world.day, ...(name === 'get_revenue' && { currency: 'EUR' }) }
        const asked = { websiteId: world.websiteId, args, query: {} }
        return (await answered(world.clients.operator!, name, asked)).structuredContent as Record<
          string,
          Record<string, never>
        >
      }),
    )
    expect(stats).toMatchObject({ current: { visitors: expect.any(Number) } })
    expect(stats!.current).not.toMatchObject({ visitors: 0 })
    expect(revenue).toMatchObject({ total: { sum: 10.5 } })
    expect(vitals).toMatchObject({ vitals: { lcp: { p75: 1200 } } })
  })

  it('has an expected answer in this file', () => {
    expect(Object.keys(expected).sort()).toEqual(tools.map(({ name }) => name).sort())
  })
})

describe('an event name', () => {
  it('narrows the answer, even if any one of the filters is enough', async () => {
    const websiteId = await websiteOf({})
    const created_at = `${world.day} 12:00:00.000`
    await add(
      websiteId,
      event({ event_id: id(1), created_at, event_type: 1, country: 'DE' }),
      event({ event_id: id(2), created_at, event_name: 'signup', country: 'DE' }, [string('plan', 'pro')]),
      event({ event_id: id(3), created_at, event_name: 'signup', country: 'AT' }, [string('price', 'low')]),
      event({ event_id: id(4), created_at, event_name: 'purchase', country: 'DE' }, [string('coupon', 'x')]),
    )
    const ask = async (name: string, more: Arguments) => {
      const args = { ...range(), filters: { match: 'any', country: 'DE', browser: 'none' }, ...more }
      return (await answered(world.clients.operator!, name, { websiteId, args, query: {} })).structuredContent
    }
    expect(await ask('get_events', { event: 'signup' })).toMatchObject({ events: [{ id: id(2) }], count: 1 })
    expect(await ask('get_event_properties', { eventName: 'signup' })).toMatchObject({
      totals: { events: 1, properties: 1, records: 1 },
      properties: [{ eventName: 'signup', propertyName: 'plan', count: 1 }],
    })
  })
})

describe('get_website_stats', () => {
  it('rounds half a hundredth up: 201 views in 200 visits are 1.01 per visit', async () => {
    const websiteId = await websiteOf({})
    const created_at = `${world.day} 12:00:00.000`
    const views = Array.from({ length: 201 }, (_, place) =>
      event({
        ...{ event_id: id(place), session_id: id(100), visit_id: id(1000 + (place % 200)), created_at },
        event_type: 1,
      }),
    )
    await add(websiteId, ...views)
    const range = { startAt: world.day, endAt: world.day } as const
    const found = await answered(world.clients.operator!, 'get_website_stats', { websiteId, args: range, query: {} })
    expect(found.structuredContent).toMatchObject({ current: { visits: 200, viewsPerVisit: 1.01 } })
  })
})

describe('tools/list', () => {
  it('describes every tool for a model in less than 60 kB', async () => {
    for (const client of [world.clients.operator!, world.clients.reader!]) {
      const { tools: listed } = await client.listTools()
      expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
      expect(new TextEncoder().encode(JSON.stringify(listed)).length).toBeLessThan(60_000)
      for (const tool of listed) {
        expect(tool.annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false })
        const steps = tool.inputSchema.properties?.steps as { description?: string } | undefined
        if (tool.name === 'run_funnel') expect(steps?.description).toMatch(/^2 to 8 steps, first to last/)
        expect(tool.description).toMatch(/^[A-Z].*\. Example: \{.*\}$/)
        expect(tool.inputSchema).toMatchObject({ type: 'object', additionalProperties: false })
        expect(tool.outputSchema).toMatchObject({ type: 'object', properties: { error: expect.anything() } })
      }
    }
  })
})
