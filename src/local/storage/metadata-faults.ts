import type { D1Database } from '@cloudflare/workers-types'
import { messageOf } from '../told/troubles.ts'
import { weirCommand } from '../told/weir-command.ts'
import { damaged } from './metadata-file.ts'

/**
 * The faults of the D1 in a folder, one line each. Faults are damage that SQLite finds, a file that is not writable,
 * and events that ClickHouse refused.
 */
export async function metadataFaults(database: D1Database, folder: string): Promise<string[]> {
  const works = [() => readWhole(database, folder), () => writeNothing(database), () => refuseSetAside(database)]
  const found: (string | undefined)[] = []
  for (const work of works) found.push(await messageOf(work))
  return [...new Set(found.filter((message) => message !== undefined))]
}

/** Throws if SQLite finds that the D1 in this folder is damaged. */
export async function readWhole(database: D1Database, folder: string): Promise<void> {
  const found = await database.prepare('PRAGMA quick_check(1)').first('quick_check')
  if (found !== 'ok') throw new Error(damaged(folder, String(found)))
}

async function refuseSetAside(database: D1Database): Promise<void> {
  // A folder that was never migrated lacks this table.
  const table = "SELECT 1 FROM sqlite_master WHERE name = 'set_aside_rows'"
  if (!(await database.prepare(table).first())) return
  const count = await database.prepare('SELECT count(*) AS count FROM set_aside_rows').first<number>('count')
  if (count) throw new Error(`ClickHouse refused ${count} collected rows. ${weirCommand} set-aside prints them.`)
}

/** Creates and drops a table in one transaction, which must write a page. */
const writeNothing = (database: D1Database): Promise<unknown> =>
  database.batch(['CREATE TABLE weir_probe (a)', 'DROP TABLE weir_probe'].map((one) => database.prepare(one)))
