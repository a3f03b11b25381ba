import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { sections } from '../../src/access/opening.ts'
import type { Endpoint } from '../../src/endpoints/endpoint.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { PERIOD_NAMES, periodCalled } from '../oracle/periods.ts'
import { batch } from '../support/batch.ts'
import { type Headers, newShare, operator } from '../support/callers.ts'
import { csv } from '../support/exports.ts'
import { type Asked, goodRequestOfNobody } from '../support/good-requests.ts'
import { inTurn } from '../support/long.ts'
import { websiteOf } from '../support/people.ts'
import { eventId, reports } from '../support/reports.ts'
import { savedFor } from '../support/requests.ts'
import { seed } from '../support/seed.ts'
import { store } from '../support/sides.ts'
import { columnTime } from '../support/website.ts'
import { pathOf, type Reply, running, send } from '../support/weir.ts'

/**
 * Every endpoint with a range accepts `period`, and answers as it does for the start and end in the header X-Range.
 */

const ofRange = endpoints.filter(({ query }) => 'startAt' in query.parameters && !query.ignored.has('startAt'))
/** The endpoints that answer with rows. */
const counting = ofRange.filter((endpoint) => reports.some((one) => one === endpoint))
const ignoring = endpoints.filter(({ query }) => query.ignored.has('startAt'))

const named = (some: readonly Endpoint[]) => some.map((endpoint) => [keyed(endpoint), endpoint] as const)
const keyed = ({ method, path }: Endpoint): string => `${method} ${path}`

/** In each run, `npm test` requests rows from different endpoints, with different period names for each. */
const some = <Kind extends Endpoint>(all: readonly Kind[]) => inTurn(all, seed, 7)

/** Some of the period names for each endpoint. */
const namesFor = (endpoint: Endpoint): readonly string[] =>
  inTurn(
    PERIOD_NAMES.filter((name) => name !== 'all_time'),
    seed + Math.floor(ofRange.indexOf(endpoint) / 7),
    14,
  )

type Range = Readonly<Record<string, string>>
const ends = ({ startAt, endAt }: { startAt: number; endAt: number }): Range => ({
  startAt: `${startAt}`,
  endAt: `${endAt}`,
})

const withRange = (asked: Readonly<Record<string, unknown>>, range: Range): Record<string, string> => {
  const { startAt: _, endAt: __, startDate: ___, endDate: ____, ...rest } = asked
  return { ...(rest as Record<string, string>), ...range }
}

interface World {
  readonly websiteId: string
  readonly ids: Readonly<Record<string, string>>
  /** The time of its first event, in milliseconds. */
  readonly first: number
  readonly share: Headers
}

const worlds = new Map<Endpoint, World>()

/** Creates a website with the events of the endpoint’s example, moved to the last few minutes. */
async function worldOf(endpoint: Endpoint): Promise<World> {
  const websiteId = await websiteOf()
  const report = reports.find((one) => one === endpoint)
  const [events, calls] = [report?.example.events ?? [], report?.example.calls ?? []]
  const first = Date.now() - 120_000
  const at = (row: object, index: number) => ({ ...row, created_at: columnTime(first + 10 * index) })
  await store(websiteId, { events: events.map(at), calls: calls.map(at) })
  const ids = { websiteId, eventId, ...report?.example.ids, ...(report && (await savedFor(report, websiteId))) }
  const share = (await newShare(websiteId, Object.fromEntries(sections.map((one) => [one, true])))).headers
  return { websiteId, ids, first, share }
}

/** The endpoints that are asked through shares, in batches or for exports. */
const open = ofRange.filter((one) => one.kind === 'report' && one.method === 'get')
const list = reports.find(({ name }) => name === 'getWebsiteEvents')!
const [shared, inBatch] = [inTurn(open, seed, 7), inTurn(open, seed, 6).slice(0, 20)]

beforeAll(async () => {
  const filled = new Set([...some(ofRange), ...some(counting), ...shared, ...inBatch, list])
  await Promise.all([...filled].map(async (endpoint) => worlds.set(endpoint, await worldOf(endpoint))))
})

const someId = '7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a0ff'

function pathIn(endpoint: Endpoint, range: Range): string {
  const { ids, websiteId } = worlds.get(endpoint) ?? { ids: {}, websiteId: someId }
  const { query = {} }: Asked = goodRequestOfNobody(endpoint, { websiteId })
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => (ids as Range)[name] ?? someId)
  return pathOf(path, withRange(query, range))
}

function ask(endpoint: Endpoint, range: Range, headers: Headers = operator): Promise<Reply> {
  const websiteId = worlds.get(endpoint)?.websiteId ?? someId
  const { body } = goodRequestOfNobody(endpoint, { websiteId }) as { body?: { parameters: object } }
  if (endpoint.method === 'get') return send(pathIn(endpoint, range), { headers })
  const asked = { ...body, parameters: withRange(body!.parameters as Range, range) }
  const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }
  return send(endpoint.path, { ...init, body: JSON.stringify(asked) })
}

const rangeOf = ({ headers }: Reply): { startAt: number; endAt: number } => {
  const [startAt, endAt] = (headers.get('x-range') ?? '').split('-').map(Number)
  return { startAt: startAt!, endAt: endAt! }
}

/** The parts of an answer that are the same for two equivalent questions. */
const told = ({ status, headers, body }: Reply): unknown => {
  const { timestamp: _, ...rest } = { timestamp: 0, ...(Array.isArray(body) ? { list: body } : body) }
  return { status, total: headers.get('x-total-count'), link: headers.get('link'), body: rest }
}

const issuesOf = ({ status, body }: Reply): unknown => ({
  status,
  paths: (body.error?.issues ?? []).map(({ path }: { path: string }) => path.replace(/^parameters\./, '')),
})

describe('a named period', () => {
  it('is accepted by every kind of endpoint', () => {
    expect(ofRange.filter(({ method }) => method === 'get').length).toBeGreaterThan(40)
    expect(ofRange.filter(({ method }) => method === 'post').length).toBeGreaterThan(8)
    expect(ofRange.filter(({ kind }) => kind === 'action').length).toBeGreaterThan(4)
    expect(endpoints.filter(({ query }) => 'startAt' in query.parameters !== 'period' in query.parameters)).toEqual([])
  })

  it.each(named(some(ofRange)))('gives the same answer as its range: %s', async (_, endpoint) => {
    for (const period of namesFor(endpoint)) {
      const before = Date.now()
      const byName = await ask(endpoint, { period, timezone: 'Asia/Kathmandu' })
      const possible = [before, Date.now()].map((now) => periodCalled(period, 'Asia/Kathmandu', now, undefined))
      expect(byName.status).toBe(200)
      expect(rangeOf(byName).startAt).toBeGreaterThanOrEqual(possible[0]!.startAt)
      expect(rangeOf(byName).startAt).toBeLessThanOrEqual(possible[1]!.startAt)
      expect(rangeOf(byName).endAt).toBeGreaterThanOrEqual(possible[0]!.endAt)
      expect(rangeOf(byName).endAt).toBeLessThanOrEqual(possible[1]!.endAt)
      const byEnds = await ask(endpoint, { ...ends(rangeOf(byName)), timezone: 'Asia/Kathmandu' })
      expect(told(byName)).toEqual(told(byEnds))
    }
  })

  it.each(named(some(counting)))('includes the newest events: %s', async (_, endpoint) => {
    const [now, past] = [await ask(endpoint, { period: '7d' }), await ask(endpoint, ends({ startAt: 0, endAt: 1e11 }))]
    expect(told(now)).not.toEqual(told(past))
  })

  it.each(named(some(ofRange)))('starts with the first event for all_time: %s', async (_, endpoint) => {
    const { first } = worlds.get(endpoint)!
    const hasEvents = reports.some((one) => one === endpoint && one.example.events.length > 0)
    const byName = await ask(endpoint, { period: 'all_time' })
    const { startAt, endAt } = rangeOf(byName)
    expect(byName.status).toBe(200)
    expect(startAt).toBe(hasEvents ? first : endAt)
    expect(told(byName)).toEqual(told(await ask(endpoint, ends({ startAt, endAt }))))
  })

  it.each(named(inTurn(ofRange, seed, 4)))(
    'is refused with a start or an end, or if misspelt: %s',
    async (_, endpoint) => {
      const turn = Math.floor((ofRange.indexOf(endpoint) + seed) / 4)
      for (const beside of inTurn([{ startAt: '1764348477000' }, { endDate: '2026-11-28' }], turn, 2)) {
        const refused = await ask(endpoint, { period: '7d', ...beside } as unknown as Range)
        expect(issuesOf(refused)).toEqual({ status: 400, paths: ['period'] })
      }
      const misspelt = await ask(endpoint, { period: '31d', timezone: 'Mars/Olympus' })
      expect(issuesOf(misspelt)).toEqual({ status: 400, paths: expect.arrayContaining(['period', 'timezone']) })
    },
  )

  it.each(named(inTurn(ofRange, seed, 4)))('is suggested if startAt is a date: %s', async (_, endpoint) => {
    const { body } = await ask(endpoint, { startAt: '2026-11-01', endAt: '2026-11-28' })
    expect(body.error.issues[0]).toEqual({
      path: expect.stringMatching(/^(parameters\.)?startAt$/),
      message: expect.stringMatching(/startDate.*period/),
    })
  })

  it.each(named(some(ignoring)))('has no effect where a range has none, but is validated: %s', async (_, endpoint) => {
    const statusOf = async (range: Range): Promise<number> => (await ask(endpoint, range)).status
    const { headers } = await ask(endpoint, { period: '7d' })
    expect(headers.get('x-range')).toBeNull()
    expect(await statusOf({ period: 'last_week' })).toBe(await statusOf({}))
    expect(issuesOf(await ask(endpoint, { period: '31d' }))).toEqual({ status: 400, paths: ['period'] })
  })

  it('also works through shares, in batches and for exports', async () => {
    for (const endpoint of shared.filter(({ access }) => access.to === 'website' && access.sections?.length)) {
      const { share } = worlds.get(endpoint)!
      const shared = await ask(endpoint, { period: 'last_7_days' }, share)
      expect([keyed(endpoint), shared.status]).toEqual([keyed(endpoint), 200])
      const { startAt, endAt } = rangeOf(shared)
      expect(told(shared)).toEqual(told(await ask(endpoint, ends({ startAt, endAt }), share)))
    }
    const { answers } = await batch(inBatch.map((endpoint) => pathIn(endpoint, { period: 'last_week' })))
    expect(answers.map(({ status }) => status)).toEqual(inBatch.map(() => 200))
    for (const endpoint of shared.filter((one) => one.kind === 'report' && one.export)) {
      const headers = { ...operator, accept: csv }
      const exported = (range: Range) =>
        fetch(new URL(pathIn(endpoint, range), running.url), { headers }).then(async (answer) => ({
          ...{ status: answer.status, range: answer.headers.get('x-range'), text: await answer.text() },
        }))
      const byName = await exported({ period: 'this_year' })
      const [startAt, endAt] = byName.range!.split('-').map(Number)
      expect(byName).toEqual({ ...(await exported(ends({ startAt: startAt!, endAt: endAt! }))), range: byName.range })
      expect(byName.status).toBe(200)
    }
  })

  it('all_time starts with the first event that a share shows', async () => {
    const [websiteId, first] = [await websiteOf(), Date.now() - 500_000]
    const row = (browser: string, created_at: number) => ({
      ...{ event_id: randomUUID(), session_id: randomUUID(), visit_id: randomUUID(), event_type: 1, browser },
      created_at: columnTime(created_at),
    })
    await store(websiteId, { events: [row('chrome', first), row('firefox', first + 1000)], calls: [] })
    const { headers } = await newShare(websiteId, { overview: true, filters: { browser: 'firefox' } })
    const startFor = async (some: Headers) =>
      rangeOf(await send(`/api/websites/${websiteId}/stats?period=all_time`, { headers: some })).startAt
    expect(await startFor(operator)).toBe(first)
    expect(await startFor(headers)).toBe(first + 1000)
  })

  it('becomes a fixed range in the next-page link', async () => {
    const reply = await ask(list, { period: '7d', pageSize: '1' })
    const link = new URL(/^<([^>]+)>/.exec(reply.headers.get('link')!)![1]!)
    expect(link.searchParams.has('period')).toBe(false)
    expect(`${link.searchParams.get('startAt')}-${link.searchParams.get('endAt')}`).toBe(reply.headers.get('x-range'))
  })
})
