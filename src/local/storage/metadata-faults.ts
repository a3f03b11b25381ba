import type { D1Database } from '@cloudflare/workers-types'

/** The faults of a D1 file, one line each: damage that SQLite finds, and whether the file is writable. */
export async function metadataFaults(database: D1Database): Promise<string[]> {
  const found = [await messageOf(() => readWhole(database)), await messageOf(() => writeNothing(database))]
  return [...new Set(found.filter((message) => message !== undefined))]
}

/** The first line of the error's message; undefined if the work succeeds. */
export async function messageOf(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, ' ')
  }
}

async function readWhole(database: D1Database): Promise<void> {
  const found = await database.prepare('PRAGMA quick_check(1)').first('quick_check')
  if (found !== 'ok') throw new Error(`The D1 file is damaged: ${found}`)
}

/** Creates and drops a table in one transaction, which needs to write a page. */
const writeNothing = (database: D1Database): Promise<unknown> =>
  database.batch(['CREATE TABLE weir_probe (a)', 'DROP TABLE weir_probe'].map((one) => database.prepare(one)))
