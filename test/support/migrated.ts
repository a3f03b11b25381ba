import { cpSync } from 'node:fs'
import { keptFolder } from '../../src/local/machine/kept-folder.ts'
import { places } from '../../src/local/paths.ts'
import { startClickHouse } from '../../src/local/storage/clickhouse.ts'
import { migrateEvents } from '../../src/local/storage/migrations.ts'

/** What the tables come from. */
const sources = ['sql/events', 'src/local/storage/migrations.ts', 'package-lock.json']

/**
 * Puts empty tables into a data folder whose engine has not started: copies of tables that are kept. A migration takes
 * a second of the processor, and then has nothing to do. Without a place to keep them, it does all.
 */
export async function putTables(dataDir: string): Promise<void> {
  const kept = await keptFolder('weir-migrated', sources, makeTables)
  if (kept !== undefined) cpSync(tablesIn(kept), tablesIn(dataDir), { recursive: true, verbatimSymlinks: true })
}

/** Where the engine of a data folder has its tables. */
const tablesIn = (dataDir: string): string => `${places(dataDir).clickhouse}/clickhouse`

async function makeTables(folder: string): Promise<void> {
  const { client, server, close } = await startClickHouse(folder, 0)
  await migrateEvents(client, server)
  await close()
}
