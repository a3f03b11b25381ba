import { randomUUID } from 'node:crypto'
import type * as fc from 'fast-check'
import type { World } from '../oracle/generate.ts'
import type { IngestRow } from '../oracle/model.ts'
import { newWebsite } from './weir.ts'

/**
 * Random worlds share their ids; each world gets new ones in these columns here, so that no test sees another's
 * events. `idOf` also gives an id to a website without events.
 */
export function relocated(
  { rows }: World,
  columns: readonly ('website_id' | 'session_id')[] = ['website_id'],
): { rows: IngestRow[]; idOf: (given: string) => string } {
  const ids = new Map<string, string>()
  const idOf = (given: string): string => {
    const id = ids.get(given.toLowerCase()) ?? randomUUID()
    ids.set(given.toLowerCase(), id)
    return id
  }
  const moved = (row: IngestRow) => Object.fromEntries(columns.map((column) => [column, idOf(row[column])]))
  return { rows: rows.map((row) => ({ ...row, ...moved(row) })), idOf }
}

const created = new Map<string, Promise<string>>()

/** Makes a website the first time that it is needed. */
export function websiteOnce(id: string): Promise<string> {
  const made = created.get(id) ?? newWebsite(id)
  created.set(id, made)
  return made
}

/** Reports the seed, which repeats a failure (`fc.assert(…, { seed })`); the world itself would fill pages. */
export async function seedOnly<Value>(details: fc.RunDetails<Value>): Promise<void> {
  if (details.failed) throw new Error(`Failed with seed ${details.seed}.`, { cause: details.errorInstance })
}
