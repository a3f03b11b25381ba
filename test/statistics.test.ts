import * as fc from 'fast-check'
import { describe, it } from 'vitest'
import { sections } from '../src/access/opening.ts'
import { type World, worlds } from './oracle/generate.ts'
import { statisticRequests } from './oracle/generate-statistics.ts'
import { columnInstant } from './oracle/instants.ts'
import { STATISTICS } from './oracle/model.ts'
import { agrees } from './support/against-oracle.ts'
import { newShare } from './support/callers.ts'
import { forEach } from './support/concurrently.ts'
import { runs } from './support/long.ts'
import { websiteOf } from './support/people.ts'
import { ingest } from './support/weir.ts'
import { agreesInWorlds, relocated } from './support/worlds.ts'

const numRuns = Number(process.env.WORLDS ?? runs(2, 12))
const asked = Number(process.env.QUESTIONS ?? runs(16, 40))

describe('every statistic is what a plain computation over the same events gives', () => {
  // `active` is about the moment of the request: test/endpoints/active.test.ts.
  it.each(STATISTICS.filter((one) => one !== 'active'))('%s', async (statistic) => {
    await agreesInWorlds((world) => statisticRequests(world, statistic), { numRuns, asked })
  })
})

describe('a statistic shows nothing that is hidden', () => {
  it.each(STATISTICS.filter((one) => one !== 'active'))('%s', async (statistic) => {
    const [world] = fc.sample(
      worlds.filter(({ rows }) => rows.length > 20),
      1,
    ) as [World]
    const { rows, idOf } = relocated(world)
    const [first] = [...new Set(rows.map(({ website_id }) => website_id))] as [string]
    const own = rows.filter(({ website_id }) => website_id === first)
    const moments = own.map(({ created_at }) => columnInstant(created_at)).sort((one, other) => one - other)
    const moment = moments[Math.floor(moments.length / 2)]!
    await ingest(rows)
    await websiteOf({}, { id: first, reset_at: moment })
    const browser = own[0]!.browser
    const share = await newShare(first, { ...everySection, filters: { browser: `eq.${browser}` } })
    const since = own.filter(({ created_at }) => columnInstant(created_at) >= moment)
    const locked = since.filter((row) => row.browser === browser)
    const requests = fc
      .sample(statisticRequests(world, statistic), 60)
      .filter(({ websiteId, saved = [] }) => idOf(websiteId) === first && saved.length === 0)
    await forEach(requests, async (request) => {
      const asked = { ...request, websiteId: first }
      await agrees(since, asked)
      // Through a share nobody filters by distinct ids, or lists them.
      if (!JSON.stringify(request.query).includes('distinctId')) await agrees(locked, asked, share.headers)
    })
  })
})

const everySection = Object.fromEntries(sections.map((section) => [section, true]))
