import { cpSync } from 'node:fs'
import { keptFolder } from '../../src/local/machine/kept-folder.ts'
import { places } from '../../src/local/paths.ts'
import { startClickHouse } from '../../src/local/storage/clickhouse.ts'
import { migrateEvents } from '../../src/local/storage/migrations.ts'

/** The files that determine the tables. */
const sources = ['sql/events', 'src/local/storage/migrations.ts', 'package-lock.json']

/**
 * Copies empty tables from a cache into a data folder whose engine has not started. This saves the migration, which
 * takes a second of processor time. Without a cache folder, the migration creates them.
 */
export async function putTables(dataDir: string): Promise<void> {
  const kept = await keptFolder('weir-migrated', sources, makeTables)
  if (kept !== undefined) cpSync(tablesIn(kept), tablesIn(dataDir), { recursive: true, verbatimSymlinks: true })
}

/** The folder with the engine's tables in a data folder. */
const tablesIn = (dataDir: string): string => `${places(dataDir).clickhouse}/clickhouse`

async function makeTables(folder: string): Promise<void> {
  const { client, server, close } = await startClickHouse(folder, 0)
  await migrateEvents(client, server)
  await close()
}
