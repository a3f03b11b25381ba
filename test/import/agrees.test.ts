import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
import { inTurn, runs } from '../support/long.ts'
import { startPostgres } from '../support/postgres.ts'
import { reports } from '../support/reports.ts'
import { seed } from '../support/seed.ts'
import { newId } from '../support/website.ts'
import { clickhouse, newWebsite } from '../support/weir.ts'
import { relocated } from '../support/worlds.ts'
import { heldByClickHouse, makeClickHouse, writeClickHouse } from './clickhouse-origin.ts'
import { imported, newState } from './moving.ts'
import { heldBy, websiteRows, writeOrigin } from './origin.ts'
import { insertInto, makeTables, versions } from './tables.ts'
import { zipped } from './zipped.ts'

const postgres = await startPostgres()
const among = peopled(marked(worlds)).filter(({ rows }) => rows.length > 60)
const drawn = reports.flatMap((report) => {
  const { oracle } = factsOf(report)
  return oracle?.draw ? [{ report, oracle }] : []
})

/** Queries the reports in turn, and compares their answers with the oracle's. */
async function expectAgreement(moved: World, turn: number): Promise<void> {
  const asked = drawn.filter((_, at) => (at + seed) % runs(5, 1) === turn % runs(5, 1))
  await forEach(asked, async ({ report, oracle }) => {
    const requests = oracle.draw!(moved, oracleName(report)) as fc.Arbitrary<OracleRequest<Report>>
    for (const request of fc.sample(requests, { seed, numRuns: runs(1, 5) })) {
      const whole = { ...request, records: moved.records ?? [] }
      await (oracle.type ? agreesByPost(moved.rows, oracle.type, whole as never) : agrees(moved.rows, whole))
    }
  })
}

/** Random worlds with their own ids. */
const drawnWorlds = (turn: number) =>
  fc.sample(among, { seed: seed + turn, numRuns: runs(1, 3) }).map((world) => {
    const { rows, records, idOf } = relocated(world)
    return { world: { ...world, websiteIds: world.websiteIds.map(idOf) }, rows, records }
  })

describe('reports on imported data match the oracle', () => {
  // Each `npm test` run uses a few different versions.
  it.each(inTurn(versions, seed, 5))('from tables of %s', async (version) => {
    const turn = versions.indexOf(version)
    for (const { world, rows, records } of drawnWorlds(turn)) {
      const { client, url } = await postgres.database()
      const held = heldBy(version, rows, records)
      await makeTables(client, version)
      await insertInto(client, 'website', websiteRows(world.websiteIds))
      await writeOrigin(client, held)
      await Promise.all(world.websiteIds.map((id) => newWebsite(id)))
      const told = await imported(url, '--state', newState())
      expect(told).toContain(`events: ${held.rows.length} imported`)
      await expectAgreement({ ...world, ...held }, turn)
    }
  })

  it.each(inTurn(['2.15', '3.1'], seed, 2))("from ClickHouse's tables of %s", async (version) => {
    const [isOld, turn] = version === '2.15' ? [true, 5] : [false, 6]
    for (const { world, rows, records } of drawnWorlds(turn)) {
      const name = `umami_${newId().replaceAll('-', '')}`
      const url = await makeClickHouse(name, isOld)
      const held = heldByClickHouse(rows, records, isOld)
      await writeClickHouse(name, held)
      await Promise.all(world.websiteIds.map((id) => newWebsite(id)))
      const told = await imported(url, '--state', newState(), '--rows', '40')
      expect(told).toContain(`events: ${held.rows.length} imported`)
      await expectAgreement({ ...world, ...held }, turn)
      await clickhouse(`DROP DATABASE ${name}`)
    }
  })

  it('from an export of the hosted service', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'weir-zips-'))
    for (const { world, rows, records } of drawnWorlds(7)) {
      const plain = rows.map((row) => ({ ...row, lcp: null, inp: null, cls: null, fcp: null, ttfb: null }))
      const held = heldByClickHouse(plain, records, false)
      const file = join(folder, `${newId()}.zip`)
      writeFileSync(file, zipped(held.stored, held.records))
      const ids = [...new Set(rows.map(({ website_id }) => website_id))]
      await Promise.all(world.websiteIds.map((id) => newWebsite(id)))
      const words = ids.flatMap((id) => ['--website', id])
      const told = await imported(file, '--state', newState(), ...words)
      expect(told).toContain(`events: ${held.rows.length} imported`)
      const known = held.records.filter(({ website_id }) => ids.includes(website_id))
      await expectAgreement({ ...world, ...held, records: known }, 7)
    }
    rmSync(folder, { recursive: true })
  })
})
