import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { analysisRequests, marked, peopled, worlds } from './oracle/generate.ts'
import { columnText } from './oracle/generate-world.ts'
import { type Analysis, REPORTS } from './oracle/model.ts'
import { POSTED, type Posted } from './oracle/reports.ts'
import { exactSum } from './oracle/revenue.ts'
import { salesOf } from './oracle/sales.ts'
import { agrees, agreesByPost } from './support/against-oracle.ts'
import { operator } from './support/callers.ts'
import { forEach } from './support/concurrently.ts'
import { runs } from './support/long.ts'
import { ingest, insert, newWebsite, pathOf, running } from './support/weir.ts'
import { agreesInWorlds, hidesInWorlds, relocated } from './support/worlds.ts'

const numRuns = Number(process.env.WORLDS ?? runs(1, 12))
const asked = Number(process.env.QUESTIONS ?? runs(2, 40))
const among = peopled(marked(worlds))

/** All but the one about now, which has events of its own. */
const reports = REPORTS.filter((one) => one !== 'realtime')

describe('every report is what a plain computation over the same events gives', () => {
  it.each(reports)('%s', async (report) => {
    await agreesInWorlds((world) => analysisRequests(world, report), { numRuns, asked }, { among })
  })
})

describe('a report shows nothing that is hidden', () => {
  it.each(reports)('%s', async (report) => {
    await hidesInWorlds((world) => analysisRequests(world, report), { numRuns: 1, asked: runs(1, 20) }, among)
  })
})

/** The GET whose parameters a POST takes. */
const askedLike = (type: Posted): Analysis => {
  const others = { utm: 'retention', performance: 'performance/chart', revenue: 'revenue/chart' } as const
  return POSTED[type] ?? others[type as keyof typeof others]
}

describe('a report by POST is what the GETs of the same answer', () => {
  it.each(Object.keys(POSTED) as Posted[])('%s', async (type) => {
    await agreesInWorlds(
      (world) => analysisRequests(world, askedLike(type)),
      { numRuns, asked: Math.ceil(asked / 2) },
      { among, ask: (rows, request) => agreesByPost(rows, type, request) },
    )
  })
})

describe('money', () => {
  it('is added to the last digit', async () => {
    const drawn = among.filter(({ rows }) => salesOf(rows).length > 10)
    for (const world of fc.sample(drawn, 1)) {
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
  it('is what a plain computation over the events of the last half hour gives', async () => {
    const drawn = among.filter(({ rows }) => rows.length > 20)
    for (const world of fc.sample(drawn, numRuns)) {
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
      const requests = fc.sample(analysisRequests(recently, 'realtime'), asked)
      await forEach(requests, async (request) => {
        const websiteId = ids.get(request.websiteId.toLowerCase())!
        const ofRange = ['startAt', 'endAt', 'startDate', 'endDate', 'unit']
        const query = request.query.filter(([name]) => !ofRange.includes(name))
        await agrees(recent, { ...request, websiteId, records, query })
      })
    }
  })
})
