import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AnyReport, Endpoint } from '../../src/endpoints/endpoint.ts'
import { pageView, purchase } from '../../src/endpoints/examples.ts'
import { isWrite } from '../../src/endpoints/facts.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { compile } from '../../src/query/language/sql.ts'
import { tables } from '../../src/query/tables/tables.ts'
import { connected } from '../mcp/client.ts'
import { batch } from '../support/batch.ts'
import { newShare, operator, post, remove } from '../support/callers.ts'
import { rowsOf } from '../support/exports.ts'
import { goodRequestOfNobody } from '../support/good-requests.ts'
import { inTurn } from '../support/long.ts'
import { markedCalls, markedClick, markedEvents, markedRecording } from '../support/marked.ts'
import { inputOf } from '../support/questions.ts'
import { reports } from '../support/reports.ts'
import { neededBy, pathTo } from '../support/requests.ts'
import { plansOf, wholeWebsite } from '../support/scope.ts'
import { seed } from '../support/seed.ts'
import { askExample, comparable } from '../support/sides.ts'
import { sentByAll } from '../support/statements.ts'
import { columnTime, day } from '../support/website.ts'
import { ingest, insert, newWebsite, pathOf, type Reply, send } from '../support/weir.ts'

/** Tests that after the deletion of a session, no answer shows data that only this session had. */

/** The reports that change only with the purge. All other reports must hide a deleted session immediately. */
const withThePurge = [
  ...['getWebsiteStats', 'getWebsitePageviews', 'getWebsiteMetrics', 'getWebsiteExpandedMetrics', 'getWebsiteActive'],
  ...['getWebsiteDateRange', 'exportWebsite', 'getWebsiteChart'],
  ...['getWebsiteEventSeries', 'getWebsiteEventStats'],
  ...['getEventDataPropertySeries', 'getEventDataArraySeries', 'getEventDataDateSeries'],
  ...['getEventDataNumericSeries', 'getEventDataNumericStats'],
  ...['getWebsiteSessionStats', 'getWebsiteSessionsWeekly'],
  ...['getWebsiteRevenueStats', 'getWebsiteRevenueChart', 'getWebsiteRevenueMetrics', 'getRevenueReport'],
  'getWebsiteRevenueCurrencies',
  ...['getWebsiteGoalStats', 'getGoalReport', 'getGoalsReport', 'getWebsiteSavedGoalStats'],
  ...['getWebsiteFunnelStats', 'getFunnelReport', 'getWebsiteSavedFunnelStats'],
  ...['getWebsiteJourneys', 'getJourneyReport', 'getWebsiteRetention', 'getRetentionReport'],
  ...['getWebsiteAttribution', 'getAttributionReport'],
  ...['getWebsiteBreakdown', 'getBreakdownReport', 'getInsightsReport', 'getWebsiteUtmMetrics', 'getUTMReport'],
  ...['getWebsitePerformanceStats', 'getWebsitePerformanceChart', 'getWebsitePerformanceMetrics'],
  'getPerformanceReport',
]

const isOf = ({ name }: Endpoint): boolean => withThePurge.includes(name)
const named = <Some extends Endpoint>(some: readonly Some[]) => some.map((one) => [one.name, one] as const)

/** In this report, the list of events hides deleted sessions, but the figures do not. */
const realtime = 'getRealtime'
const hiding = reports.filter((report) => !isOf(report) && report.name !== realtime)
const exported = hiding.filter((report) => report.export)

/** Endpoints that read recordings directly. */
const recorded = endpoints.filter(
  (endpoint) => endpoint.kind === 'action' && !isWrite(endpoint) && /\/(replays?|heatmaps?)\b/.test(endpoint.path),
)

const others = endpoints.filter(
  (endpoint) => endpoint.kind === 'action' && endpoint.method === 'get' && !recorded.includes(endpoint),
)

const marker = `marker${randomUUID().replaceAll('-', '')}`
const gone = { session_id: pageView.session_id, event_id: purchase.event_id }
const kept = { session_id: randomUUID(), event_id: randomUUID() }

/** Every row of every example, assigned to this session. */
function examples(of: 'events' | 'calls', session_id: string) {
  const rows = reports
    .flatMap(({ example }) => [...(example[of] ?? [])])
    .map((row) => [JSON.stringify(row), row] as const)
  return [...new Map(rows).values()].map((row) => ({ created_at: columnTime(Date.now()), ...row, session_id }))
}

const before = columnTime(day.startAt - 1000)

const ofGone = {
  events: [
    ...markedEvents(marker, gone),
    ...markedEvents(marker, { ...gone, event_id: randomUUID() }).map((row) => ({ ...row, created_at: before })),
    ...examples('events', gone.session_id).map((row) => ({ ...row, event_id: randomUUID() })),
  ],
  // The marked calls are the latest ones.
  calls: [
    ...markedCalls(marker, gone),
    ...examples('calls', gone.session_id).map((row) => ({ ...row, created_at: before })),
  ],
  chunks: markedRecording(marker, gone),
  clicks: markedClick(marker, gone),
}

const ofKept = {
  ...{ events: markedEvents('ours', kept), calls: markedCalls('ours', kept), chunks: markedRecording('ours', kept) },
  clicks: markedClick('ours', kept),
}

/** Three websites: one with both sessions, one where one of the two is deleted, and one with only the other session. */
const websites = { whole: '', deleted: '', without: '' }

async function fill(website: keyof typeof websites, ...sides: readonly (typeof ofKept | typeof ofGone)[]) {
  const website_id = await newWebsite()
  websites[website] = website_id
  const all = (of: keyof typeof ofKept) => sides.flatMap((side) => side[of].map((row) => ({ ...row, website_id })))
  await Promise.all([
    ingest(all('events')),
    insert('ingest_session_data', all('calls')),
    insert('ingest_replay_chunks', all('chunks')),
    insert('ingest_heatmap_events', all('clicks')),
  ])
}

const savedAt = (websiteId: string, { session_id }: typeof gone) =>
  `/api/websites/${websiteId}/replays/saved/${session_id}`

beforeAll(async () => {
  await Promise.all([fill('whole', ofKept, ofGone), fill('deleted', ofKept, ofGone), fill('without', ofKept)])
  for (const websiteId of [websites.whole, websites.deleted]) {
    expect((await post(savedAt(websiteId, gone), { isSaved: true, name: marker })).status).toBe(200)
  }
  expect((await remove(`/api/websites/${websites.deleted}/sessions/${gone.session_id}`)).status).toBe(200)
})

const textOf = ({ status, headers, body }: Reply): string =>
  `${status} ${JSON.stringify([...headers])} ${JSON.stringify(body)}`

/** Each website's answers to a request. */
async function answersTo(ask: (websiteId: string) => Promise<Reply>) {
  const ofEach = async (website: keyof typeof websites) => {
    const reply = await ask(websites[website])
    return { text: textOf(reply), said: comparable(reply, websites[website]) }
  }
  return { whole: await ofEach('whole'), deleted: await ofEach('deleted'), without: await ofEach('without') }
}

const rangeOf = { startAt: String(day.startAt), endAt: String(day.endAt) }

function askAction(endpoint: Endpoint, websiteId: string): Promise<Reply> {
  const ids = { websiteId, sessionId: gone.session_id, replayId: gone.session_id }
  const { query, body } = goodRequestOfNobody(endpoint, { websiteId })
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name as keyof typeof ids] ?? randomUUID())
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const headers = { ...operator, ...(body !== undefined && { 'content-type': 'application/json' }) }
  return send(pathOf(path, query), { method: endpoint.method.toUpperCase(), headers, ...init })
}

describe('a deleted session', () => {
  // `npm test` checks the rows of different reports in each run. The last test checks the statements of all.
  it.each(named(inTurn(hiding, seed, 8)))('disappears, as if it had never existed: %s', async (_, report) => {
    const { whole, deleted, without } = await answersTo((websiteId) => askExample(report, websiteId))
    expect(deleted.text).not.toContain(marker)
    expect(deleted.said).toStrictEqual(without.said)
    expect(whole.said).not.toStrictEqual(without.said)
  })

  it.each(named(inTurn(reports.filter(isOf), seed, 8)))('still counts until the purge: %s', async (_, report) => {
    const { whole, deleted, without } = await answersTo((websiteId) => askExample(report, websiteId))
    expect(deleted.said).toStrictEqual(whole.said)
    expect(whole.said).not.toStrictEqual(without.said)
  })

  it.each(named(recorded))('has no recordings left: %s', async (_, endpoint) => {
    const { whole, deleted, without } = await answersTo((websiteId) => askAction(endpoint, websiteId))
    expect(deleted.text).not.toContain(marker)
    expect(deleted.said).toStrictEqual(without.said)
    expect(whole.said).not.toStrictEqual(without.said)
  })

  it.each(named(others))('does not appear in any answer of %s', async (_, endpoint) => {
    expect(textOf(await askAction(endpoint, websites.deleted))).not.toContain(marker)
  })

  it.each(named(inTurn(exported, seed, 4)))('does not appear in any export: %s', async (_, report) => {
    const ids = { eventId: gone.event_id, ...report.example.ids }
    const lines = async (websiteId: string) => JSON.stringify(await rowsOf(pathTo(report, { websiteId, ...ids })))
    expect(await lines(websites.whole)).toContain(marker)
    expect(await lines(websites.deleted)).not.toContain(marker)
  })

  it('does not appear in the events of realtime, but still in its figures', async () => {
    const [report] = reports.filter(({ name }) => name === realtime)
    for (const query of [{}, { match: 'any' }] as const) {
      const { whole, deleted, without } = await answersTo((websiteId) => askExample(report!, websiteId, { query }))
      const [all, left, ours] = [whole, deleted, without].map(({ said }) => (said as Reply).body)
      expect(left.events).toStrictEqual(ours.events)
      expect(all.events).not.toStrictEqual(ours.events)
      expect({ ...left, events: [] }).toStrictEqual({ ...all, events: [] })
      expect(JSON.stringify(left.events)).not.toContain(marker)
    }
  })

  it('is hidden from readers of a share', async () => {
    const sections = { events: true, sessions: true, revenue: true, realtime: true, overview: true, journeys: true }
    const parameters = { ...sections, allowSessionProperties: true, allowExport: true }
    const { headers } = await newShare(websites.deleted, parameters)
    for (const report of inTurn(hiding, seed, 4)) {
      expect(textOf(await askExample(report, websites.deleted, { headers })), report.name).not.toContain(marker)
    }
  })

  it('does not appear in any batch or in any tool’s answer', async () => {
    const pathsOf = (websiteId: string) =>
      hiding.map((report) => pathTo(report, { websiteId, ...neededBy(report), ...report.example.ids }))
    const asked = async (websiteId: string) =>
      JSON.stringify((await batch(pathsOf(websiteId).slice(0, 20), operator)).answers)
    expect(await asked(websites.whole)).toContain(marker)
    expect(await asked(websites.deleted)).not.toContain(marker)
    const client = await connected(operator, '2025-11-25')
    const call = async (name: string, websiteId: string) =>
      JSON.stringify(await client.callTool({ name, arguments: { websiteId, ...tools[name] } }))
    for (const name of inTurn(Object.keys(tools), seed, 3)) {
      expect(await call(name, websites.whole), name).toContain(marker)
      expect(await call(name, websites.deleted), name).not.toContain(marker)
    }
    await client.close()
  })

  it.each(named(hiding))('is omitted from ranges of years, because tables with sessions are read: %s', (_, report) => {
    for (const years of [1, 5]) {
      const query = { ...report.example.query, ...('startAt' in report.example.query && rangeOf) }
      const from = String(Date.UTC(2025 - years, 0))
      const long = Object.entries(query).map(([name, value]) => [name, name === 'startAt' ? from : value] as const)
      expect(statementsOf(report, long, []).length).toBeGreaterThan(0)
      for (const { text, read } of statementsOf(report, long, [gone.session_id])) {
        expect(read.filter((name) => !hasSessions.has(name))).toStrictEqual([])
        expect(text).toMatch(leftOut)
      }
      for (const { text } of statementsOf(report, long, [])) expect(text).not.toMatch(leftOut)
    }
  })
})

const hasSessions = new Set([
  ...tables.filter(({ hasSessions }) => hasSessions).map(({ name }) => name),
  'event_data_by_id',
])

/** A statement that excludes deleted sessions. */
const leftOut = /session_id not in|toUUID\(packed\[1\]\) not in/

const tools: Readonly<Record<string, object>> = {
  get_events: { startAt: '2025-10-15T00:00:00Z', endAt: '2025-10-15T23:59:59Z' },
  get_event_properties: { startAt: '2025-10-15T00:00:00Z', endAt: '2025-10-15T23:59:59Z' },
  get_sessions: { startAt: '2025-10-15T00:00:00Z', endAt: '2025-10-15T23:59:59Z' },
  get_session: { sessionId: gone.session_id },
}

function statementsOf(
  report: AnyReport,
  query: readonly (readonly [string, string])[],
  deletedSessions: readonly string[],
): { text: string; read: readonly string[] }[] {
  const input = inputOf({ report, websiteId: websites.whole, ...report.example.ids, query })
  const scope = { ...wholeWebsite(websites.whole), chainsFrom: 1, deletedSessions }
  const plans = plansOf((known) => report.plan(input as never, { ...scope, ...(known && { known }) }))
  return Object.values(sentByAll(plans)).map((statement) => {
    const { query: text, tables: read } = compile(statement)
    return { text, read }
  })
}

describe('the saved replay list', () => {
  it('is empty after a reset', async () => {
    const website_id = await newWebsite()
    await insert(
      'ingest_replay_chunks',
      ofGone.chunks.map((row) => ({ ...row, website_id })),
    )
    const saved = async () => (await send(`/api/websites/${website_id}/replays/saved`, { headers: operator })).body
    await post(savedAt(website_id, gone), { isSaved: true, name: 'one' })
    expect(await saved()).toMatchObject({ count: 1, data: [{ visitId: gone.session_id }] })
    expect((await post(`/api/websites/${website_id}/reset`, undefined)).status).toBe(200)
    expect(await saved()).toMatchObject({ count: 0, data: [] })
    expect((await send(savedAt(website_id, gone), { headers: operator })).body).toStrictEqual({ isSaved: false })
  })
})
