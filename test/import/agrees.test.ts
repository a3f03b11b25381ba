import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { factsOf } from '../facts/index.ts'
import { oracleName } from '../facts/oracle-of.ts'
import { marked } from '../oracle/generate-marks.ts'
import { peopled } from '../oracle/generate-people.ts'
import { type World, worlds } from '../oracle/generate-world.ts'
import type { OracleRequest, Report } from '../oracle/model.ts'
import { agrees, agreesByPost } from '../support/against-oracle.ts'
import { forEach } from '../support/concurrently.ts'
import { runs } from '../support/long.ts'
import { startPostgres } from '../support/postgres.ts'
import { reports } from '../support/reports.ts'
import { seed } from '../support/seed.ts'
import { newWebsite } from '../support/weir.ts'
import { relocated } from '../support/worlds.ts'
import { imported, newState } from './moving.ts'
import { heldBy, websiteRows, writeOrigin } from './origin.ts'
import { insertInto, makeTables, versions } from './tables.ts'

const postgres = await startPostgres()
const among = peopled(marked(worlds)).filter(({ rows }) => rows.length > 60)
const drawn = reports.flatMap((report) => {
  const { oracle } = factsOf(report)
  return oracle?.draw ? [{ report, oracle }] : []
})

describe('what is imported answers as a plain computation over the same events does', () => {
  it.each(versions)('from tables of %s', async (version) => {
    const place = versions.indexOf(version)
    for (const world of fc.sample(among, { seed: seed + place, numRuns: runs(1, 8) })) {
      const { client, url } = await postgres.database()
      const { rows, records, idOf } = relocated(world)
      const held = heldBy(version, rows, records)
      const moved: World = { ...world, ...held, websiteIds: world.websiteIds.map(idOf) }
      await makeTables(client, version)
      await insertInto(client, 'website', websiteRows(moved.websiteIds))
      await writeOrigin(client, held)
      await Promise.all(moved.websiteIds.map((id) => newWebsite(id)))
      expect(await imported(url, '--state', newState(), '--rows', '40')).toContain(
        `events: ${moved.rows.length} imported`,
      )
      const asked = drawn.filter((_, at) => (at + seed) % runs(4, 1) === place % runs(4, 1))
      await forEach(asked, async ({ report, oracle }) => {
        const requests = oracle.draw!(moved, oracleName(report)) as fc.Arbitrary<OracleRequest<Report>>
        for (const request of fc.sample(requests, { seed, numRuns: runs(2, 10) })) {
          const whole = { ...request, records: moved.records ?? [] }
          await (oracle.type ? agreesByPost(moved.rows, oracle.type, whole as never) : agrees(moved.rows, whole))
        }
      })
    }
  })
})
