import type { D1Database } from '@cloudflare/workers-types'

/** What is wrong with a D1 file, a line for each: what SQLite finds damaged in it, and whether it can be written. */
export async function metadataFaults(database: D1Database): Promise<string[]> {
  const found = [await messageOf(() => readWhole(database)), await messageOf(() => writeNothing(database))]
  return [...new Set(found.filter((message) => message !== undefined))]
}

/** The message, in one line, where the work fails. */
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

/** Takes a page for a table and gives it back, in one transaction. */
const writeNothing = (database: D1Database): Promise<unknown> =>
  database.batch(['CREATE TABLE weir_probe (a)', 'DROP TABLE weir_probe'].map((one) => database.prepare(one)))
