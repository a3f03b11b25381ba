import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import { factsOf } from '../facts/index.ts'
import { namesFor, oracleName } from '../facts/oracle-of.ts'
import { eventOracle, type Oracle, statisticOracle } from '../facts/oracles.ts'
import { analysisRequests, askedOfSessions } from '../oracle/generate-analyses.ts'
import { judged, marked } from '../oracle/generate-marks.ts'
import { peopled } from '../oracle/generate-people.ts'
import type { World } from '../oracle/generate-world.ts'
import { columnText, worlds } from '../oracle/generate-world.ts'
import type { OracleRequest, Report } from '../oracle/model.ts'
import { exactSum } from '../oracle/revenue.ts'
import { salesOf } from '../oracle/sales.ts'
import { agrees, agreesByPost } from '../support/against-oracle.ts'
import { operator } from '../support/callers.ts'
import { forEach } from '../support/concurrently.ts'
import { inTurn, runs } from '../support/long.ts'
import { reports } from '../support/reports.ts'
import { seed } from '../support/seed.ts'
import { ingest, insert, newWebsite, pathOf, running } from '../support/weir.ts'
import { agreesInWorlds, hidesInWorlds, relocated } from '../support/worlds.ts'

/** Tests that every report answers random questions like its oracle, from the same events and records. */

/** The number of worlds and questions for each report. A failure can be repeated with the seed in its message. */
const numRuns = Number(process.env.WORLDS ?? runs(1, 12))
const asked = Number(process.env.QUESTIONS ?? runs(1, 40))
const among = judged(peopled(marked(worlds)))

const drawn = reports.flatMap((report) => {
  const { oracle } = factsOf(report)
  return oracle?.draw ? [[report.name, report, oracle] as const] : []
})

const requestsTo = (report: Pick<AnyReport, 'path'>, { draw }: Oracle, world: World) => draw!(world, oracleName(report))

describe('every answer equals a simple computation over the same events', () => {
  it.each(drawn)('%s', async (_, report, oracle) => {
    const { type } = oracle
    const ask = (rows: Parameters<typeof agrees>[0], request: OracleRequest<Report>) =>
      type ? agreesByPost(rows, type, request as never) : agrees(rows, request)
    await agreesInWorlds((world) => requestsTo(report, oracle, world), { numRuns, asked }, { among, ask })
  })
})

describe('a report shows no hidden data', () => {
  const some = drawn.filter(([, , { type }]) => !type)
  // `npm test` uses a different seventh of the reports each time, since `reset` and `narrows` hide events from all.
  it.each(inTurn(some, seed, 7))('%s', async (_, report, oracle) => {
    const asking = { numRuns: 1, asked: runs(1, 20) }
    await hidesInWorlds((world) => requestsTo(report, oracle, world), asking, among)
  })
})

describe('filters on session properties match the oracle', () => {
  const known = { 'list and count of events': eventOracle, statistic: statisticOracle }

  it.each(Object.entries(known))('in every %s', async (_, oracle) => {
    const names = namesFor(oracle).filter((name) => name !== 'event-data/:eventId' && name !== 'daterange')
    const anyOf = (world: World) => fc.constantFrom(...names).chain((name) => oracle.draw!(world, name))
    await agreesInWorlds((world) => askedOfSessions(world, anyOf(world)), { numRuns, asked: 2 * asked }, { among })
  })
})
describe('money', () => {
  it('is summed exactly, to the last digit', async () => {
    const drawn = among.filter(({ rows }) => salesOf(rows).length > 10)
    for (const world of fc.sample(drawn, { seed, numRuns: 1 })) {
      const { rows } = relocated(world)
      const websiteId = await newWebsite(rows[0]!.website_id)
      const own = rows.filter((row) => row.website_id === websiteId)
      await ingest(own)
      for (const currency of ['USD', 'EUR', 'GBP']) {
        const query = { startAt: 0, endAt: 9_999_999_999_999, currency }
        const path = pathOf(`/api/websites/${websiteId}/revenue/stats`, query)
        const text = await (await fetch(running.url + path, { headers: operator })).text()
        const sales = salesOf(own).filter((sale) => sale.currency === currency)
        expect(/"sum":([^,]+),/.exec(text)?.[1]).toBe(exactSum(sales))
      }
    }
  })
})

describe('realtime', () => {
  it('equals a simple computation over the events of the last half hour', async () => {
    const drawn = among.filter(({ rows }) => rows.length > 20)
    for (const world of fc.sample(drawn, { seed, numRuns })) {
      const { rows, records, idOf } = relocated(world)
      const now = Date.now()
      const recent = rows.map((row, index) => ({
        ...row,
        created_at: columnText(now - ((index * 37_000 + (index % 3) * 500) % 2_400_000)),
      }))
      await Promise.all([ingest(recent), insert('ingest_session_data', records)])
      const ids = new Map<string, string>()
      for (const given of world.websiteIds) ids.set(given, await newWebsite(idOf(given)))
      const recently = {
        ...world,
        rows: world.rows.map((row, index) => ({ ...row, created_at: recent[index]!.created_at })),
      }
      const requests = fc.sample(analysisRequests(recently, 'realtime'), { seed, numRuns: asked })
      await forEach(requests, async (request) => {
        const websiteId = ids.get(request.websiteId.toLowerCase())!
        const ofRange = ['startAt', 'endAt', 'startDate', 'endDate', 'unit']
        const query = request.query.filter(([name]) => !ofRange.includes(name))
        await agrees(recent, { ...request, websiteId, records, query })
      })
    }
  })
})
