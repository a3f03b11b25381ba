import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { event } from '../oracle/fixtures.ts'
import type { IngestRow } from '../oracle/model.ts'
import { startPostgres } from '../support/postgres.ts'
import { columnTime, newId } from '../support/website.ts'
import { clickhouse, newWebsite, read } from '../support/weir.ts'
import { heldByClickHouse, makeClickHouse, writeClickHouse } from './clickhouse-origin.ts'
import { imported, newState } from './moving.ts'
import { heldBy, websiteRows, writeOrigin } from './origin.ts'
import { insertInto, makeTables } from './tables.ts'
import { zipped } from './zipped.ts'

const postgres = await startPostgres()

/** Writes events to a source, and returns the arguments that name it. */
const sources: Readonly<Record<string, (websiteId: string, rows: readonly IngestRow[]) => Promise<readonly string[]>>> =
  {
    async PostgreSQL(websiteId, rows) {
      const { client, url } = await postgres.database()
      await makeTables(client, '3.1')
      await insertInto(client, 'website', websiteRows([websiteId]))
      await writeOrigin(client, heldBy('3.1', rows, []))
      return [url]
    },
    async ClickHouse(_, rows) {
      const name = `umami_${newId().replaceAll('-', '')}`
      const url = await makeClickHouse(name, false)
      onTestFinished(async () => void (await clickhouse(`DROP DATABASE ${name}`)))
      await writeClickHouse(name, heldByClickHouse(rows, [], false))
      return [url]
    },
    async 'an export'(websiteId, rows) {
      const folder = mkdtempSync(join(tmpdir(), 'weir-zips-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      const file = join(folder, `${newId()}.zip`)
      writeFileSync(file, zipped(heldByClickHouse(rows, [], false).stored, []))
      return [file, '--website', websiteId]
    },
  }

it.each(Object.keys(sources))('each session of a visit gets its own visit, also across months: %s', async (source) => {
  const websiteId = await newWebsite()
  const [visit, other] = [newId(), newId()]
  const [anonymous, identified, later] = [newId(), newId(), newId()]
  const midnight = Date.UTC(2025, 10, 1)
  const rows = [
    [-600, anonymous, visit],
    [-540, anonymous, visit],
    [-60, identified, visit],
    [60, identified, visit],
    [120, later, visit],
    [180, later, other],
  ].map(([seconds, session_id, visit_id]) => ({
    ...event({ website_id: websiteId, event_id: newId(), created_at: columnTime(midnight + Number(seconds) * 1000) }),
    ...{ event_type: 1, event_name: '', session_id: String(session_id), visit_id: String(visit_id) },
  }))
  await imported(...((await sources[source]!(websiteId, rows)) as [string]), '--state', newState())
  const stored = await clickhouse<{ visits: string[] }>(
    `SELECT arrayMap(one -> toString(one), groupArray(visit_id)) AS visits FROM
     (SELECT session_id, visit_id, created_at FROM events WHERE website_id = '${websiteId}' ORDER BY created_at)
     GROUP BY session_id ORDER BY min(created_at)`,
  )
  const [own, last] = [stored[1]!.visits[0], stored[2]!.visits[0]]
  expect(stored.map(({ visits }) => visits)).toEqual([
    [visit, visit],
    [own, own],
    [last, other],
  ])
  expect(new Set([visit, other, own, last]).size).toBe(4)
  const range = { startAt: midnight - 3_600_000, endAt: midnight + 3_600_000 }
  const { body } = await read(websiteId, 'stats', range)
  // Of the four visits, two have a single view.
  expect(body).toMatchObject({ pageviews: 6, visitors: 3, visits: 4, bounces: 2, totaltime: 60 + 120 })
})
