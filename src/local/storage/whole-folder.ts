import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import type { ClickHouseClient } from '@clickhouse/client-web'
import type { D1Database } from '@cloudflare/workers-types'
import { places } from '../paths.ts'
import { explained } from '../told/explained.ts'
import { shellWord } from '../told/shell-word.ts'
import { weirCommand } from '../told/weir-command.ts'
import { brokenParts } from './broken-parts.ts'
import { lostWebsites } from './lost-websites.ts'
import { readWhole } from './metadata-faults.ts'
import { damaged, hasMetadata } from './metadata-file.ts'
import { texts } from './selected.ts'

/** The name and arguments of the command that is filling a data folder; undefined if the folder is complete. */
export function halfFilled(dataDir: string): string | undefined {
  const { beingFilled } = places(dataDir)
  return existsSync(beingFilled) ? readFileSync(beingFilled, 'utf8') : undefined
}

/** A message for a folder that a command is still filling. */
export const notWhole = (dataDir: string, command: string): string =>
  `${dataDir} is not whole yet. Run this to its end: ${weirCommand} ${command} --data-dir ${shellWord(dataDir)}`

/** Throws while a command is filling this folder, because anything else written there would be lost. */
export function refuseHalfFilled(dataDir: string): void {
  const command = halfFilled(dataDir)
  if (command !== undefined) throw new Error(notWhole(dataDir, command))
}

/** Throws unless the data folder has all its files. Opening a folder without them would create empty ones. */
export function refuseIncomplete(dataDir: string, hasOwnServer: boolean): void {
  const { metadata, clickhouse } = places(dataDir)
  refuseHalfFilled(dataDir)
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new Error(`${explained(error)} Copy it to a writable folder: ClickHouse and D1 open their files there.`)
  }
  if (!hasMetadata(metadata)) {
    throw new Error(`${metadata} has no D1 file, or an empty one. Restore it from a copy of the data folder.`)
  }
  if (!hasOwnServer && !existsSync(`${clickhouse}/clickhouse/metadata/weir.sql`)) {
    throw new Error(
      `${clickhouse} has no Weir database. Restore it from a copy of the data folder, or name your own server ` +
        'in CLICKHOUSE_URL, for an upgrade in FROM_CLICKHOUSE_URL.',
    )
  }
}

/**
 * Throws if the D1 or ClickHouse of this folder cannot be read completely. Returns one sentence for each permanent
 * loss.
 */
export async function lossesOf(client: ClickHouseClient, database: D1Database, folder: string): Promise<string[]> {
  await readWhole(database, folder)
  const made = await database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'd1_migrations'").first()
  if (!made) throw new Error(damaged(folder, 'it has no tables'))
  await refuseWithoutTables(client)
  const broken = (await brokenParts(client)).map((part) => `${part}. docs/operations.md says how to bring it back.`)
  const lost = await lostWebsites(client, database)
  return lost ? [...broken, lost] : broken
}

/** The tables that every version has, and from which all others can be filled. */
const sources = ['events', 'custom_events', 'session_data', 'replay_chunks', 'heatmap_events'] as const

async function refuseWithoutTables(client: ClickHouseClient): Promise<void> {
  const all = await texts(client, 'SELECT name AS text FROM system.tables WHERE database = currentDatabase()')
  const found = new Set(all)
  const missing = sources.filter((table) => !found.has(table))
  if (missing.length === 0) return
  throw new Error(
    `ClickHouse lacks ${missing.join(', ')}: the file that defines a table is missing. Restore the folder from a copy.`,
  )
}
