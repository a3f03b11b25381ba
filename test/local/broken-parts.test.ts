import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engineFile } from '../../src/local/engine/process.ts'
import { places, root } from '../../src/local/paths.ts'
import type { ClickHouse } from '../../src/local/storage/clickhouse.ts'
import { urlOf } from '../../src/local/storage/clickhouse.ts'
import { purge } from '../../src/local/storage/purge.ts'
import { event, string } from '../oracle/fixtures.ts'
import { weir } from '../support/commands.ts'
import { inTurn } from '../support/long.ts'
import { startMigrated, startOwn } from '../support/own-engine.ts'
import { seed } from '../support/seed.ts'
import { newId } from '../support/website.ts'

/** Follows "Broken parts" in docs/operations.md in a separate data folder, because it kills the engine. */

const dataDir = mkdtempSync(`${tmpdir()}/weir-broken-`)
const websiteId = newId()
let clickhouse: ClickHouse

const events = [1, 2, 3].flatMap((number) =>
  ['2025-01-31', '2025-02-01'].map((day) =>
    event({ website_id: websiteId, event_id: newId(), created_at: `${day} 10:00:00.00${number}`, event_name: 'buy' }, [
      string('plan', 'pro'),
    ]),
  ),
)

beforeAll(async () => {
  clickhouse = await startMigrated(dataDir)
  await clickhouse.client.insert({ table: 'ingest', values: events, format: 'JSONEachRow' })
})
afterAll(async () => {
  await clickhouse.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function rows<Row>(query: string): Promise<Row[]> {
  return (await clickhouse.client.query({ query, format: 'JSONEachRow' })).json<Row>()
}

const run = (...words: string[]) => weir(words, { dataDir })

/** The content of each table. `rebuild` removes seals, so days are sealed again first. */
const content = async () => {
  const tables = await rows<{ name: string }>(
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree' AND name NOT IN ('migrations', 'heartbeats', 'seals') ORDER BY name",
  )
  return Promise.all(tables.map(async ({ name }) => [name, await rows(`SELECT * FROM ${name} ORDER BY ALL`)] as const))
}

/** Stops the engine, truncates one part of each of these tables, and restarts it. */
async function breakParts(...tables: string[]): Promise<void> {
  const folders = await rows<{ path: string }>(
    `SELECT min(path) AS path FROM system.parts WHERE database = currentDatabase() AND active
       AND table IN (${tables.map((table) => `'${table}'`).join(', ')}) GROUP BY table`,
  )
  const { pid } = JSON.parse(readFileSync(engineFile(places(dataDir).clickhouse), 'utf8')) as { pid: number }
  process.kill(pid, 'SIGKILL')
  await clickhouse.ended
  await clickhouse.close().catch(() => {})
  for (const { path } of folders) {
    for (const file of readdirSync(path))
      if (/^(data|columns|primary|checksums)/.test(file)) truncateSync(`${path}/${file}`, 3)
  }
  clickhouse = await startOwn(dataDir)
}

/** The guide's statement for dropping a part. */
const [, settings, statement] = /curl "\$CLICKHOUSE([^"]*)" -d "(ALTER TABLE [^"]*)"/.exec(
  readFileSync(`${root}/docs/operations.md`, 'utf8'),
)!

async function drop(table: string, part: string): Promise<void> {
  const body = statement!.replace('TABLE_NAME', table).replace('PART_NAME', part)
  const answer = await fetch(`${urlOf(clickhouse.server)}${settings}`, { method: 'POST', body })
  expect([body, answer.status, await answer.text()]).toEqual([body, 200, ''])
}

/** The broken parts that `check` reports. */
const named = (stdout: string): [table: string, part: string][] =>
  [...stdout.matchAll(/^(\w+): part (\S+) is set aside/gm)].map(([, table, part]) => [table!, part!])

describe('broken parts', () => {
  /** Each `npm test` run uses a different selection of cases. */
  const cases: Readonly<Record<string, () => Promise<void>>> = {
    async 'of derived tables are dropped, and rebuild restores their rows'() {
      const before = await content()
      const tables = ['daily_events', 'event_data', 'hourly_visits', 'session_events']
      await breakParts(...tables)
      const checked = await run('check', ...tables)
      expect(checked.code).toBe(1)
      const parts = named(checked.stdout)
      expect(parts.map(([table]) => table)).toEqual(tables)
      const refused = await run('rebuild', ...tables)
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('Nothing was changed')])
      await expect(purge(clickhouse.client, [{ websiteId, before: 1 }])).rejects.toThrow('Nothing was changed')
      for (const [table, part] of parts) await drop(table, part)
      const rebuilt = await run('rebuild', ...tables)
      expect(rebuilt).toMatchObject({ code: 0, stdout: expect.stringContaining('daily_events 2025-') })
      expect(await run('check', ...tables)).toMatchObject({ code: 0, stderr: '' })
      expect(await content()).toEqual(before)
    },

    async 'of events, without a backup: the remaining rows are kept, and all tables agree again'() {
      await breakParts('events')
      const [part] = named((await run('check')).stdout)
      await drop(...part!)
      const halves = await run('rebuild')
      expect([halves.code, halves.stdout]).toEqual([1, expect.stringContaining('--orphans adopt')])
      expect((await run('rebuild', '--orphans', 'adopt')).code).toBe(0)
      expect(await run('check')).toMatchObject({ code: 0 })
      expect(await rows('SELECT toUInt32(count()) AS events FROM events')).toEqual([{ events: events.length }])
    },
  }

  it.each(inTurn(Object.entries(cases), seed, 2))('%s', (_, isRight) => isRight())
})
