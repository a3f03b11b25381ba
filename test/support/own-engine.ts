import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll } from 'vitest'
import { places } from '../../src/local/paths.ts'
import type { ClickHouse } from '../../src/local/storage/clickhouse.ts'
import { startClickHouse } from '../../src/local/storage/clickhouse.ts'
import { migrateEvents } from '../../src/local/storage/migrations.ts'
import { isLong } from './long.ts'
import { putTables } from './migrated.ts'
import { planPlainly } from './plain-engine.ts'

/** Starts a separate engine for a test, on this data folder. */
export function startOwn(dataDir: string): Promise<ClickHouse> {
  if (!isLong) planPlainly(places(dataDir).clickhouse)
  return startClickHouse(dataDir, 0)
}

/** Starts a separate engine for a test, on a data folder without tables, and creates all tables. */
export async function startMigrated(dataDir: string): Promise<ClickHouse> {
  await putTables(dataDir)
  const clickhouse = await startOwn(dataDir)
  await migrateEvents(clickhouse.client, clickhouse.server)
  return clickhouse
}

/** Starts an engine with all tables for a test file, on a data folder that `prepare` changes before. */
export async function ownEngine(prepare: (dataDir: string) => void = () => {}) {
  const dataDir = mkdtempSync(`${tmpdir()}/weir-own-`)
  afterAll(() => rmSync(dataDir, { recursive: true, force: true }))
  prepare(dataDir)
  const clickhouse = await startMigrated(dataDir)
  afterAll(() => clickhouse.close())
  return { dataDir, clickhouse }
}
