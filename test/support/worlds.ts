import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { type World, worlds } from '../oracle/generate.ts'
import type { IngestRow, OracleRequest, Report } from '../oracle/model.ts'
import { agrees } from './against-oracle.ts'
import { forEach } from './concurrently.ts'
import { ingest, newWebsite } from './weir.ts'

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

/** Reports the seed, which repeats a failure (`fc.assert(…, { seed })`); the world itself would fill pages. */
export async function seedOnly<Value>(details: fc.RunDetails<Value>): Promise<void> {
  if (details.failed) throw new Error(`Failed with seed ${details.seed}.`, { cause: details.errorInstance })
}

const created = new Map<string, Promise<string>>()

/** Makes a website the first time that it is needed. */
function websiteOnce(id: string): Promise<string> {
  const made = created.get(id) ?? newWebsite(id)
  created.set(id, made)
  return made
}

/** Random worlds, each with so many requests: the Worker answers every one like the oracle. */
export async function agreesInWorlds<Asked extends Report>(
  requestsIn: (world: World) => fc.Arbitrary<OracleRequest<Asked>>,
  { numRuns, asked }: { readonly numRuns: number; readonly asked: number },
): Promise<void> {
  const questions = worlds.chain((world) =>
    fc.record({
      world: fc.constant(world),
      requests: fc.array(requestsIn(world), { minLength: asked, maxLength: asked, size: 'max' }),
    }),
  )
  await fc.assert(
    fc.asyncProperty(questions, async ({ world, requests }) => {
      const { rows, idOf } = relocated(world)
      if (rows.length > 0) await ingest(rows)
      await forEach(requests, async (request) => {
        const websiteId = await websiteOnce(idOf(request.websiteId))
        await agrees(rows, { ...request, websiteId })
      })
    }),
    { numRuns, endOnFailure: true, asyncReporter: seedOnly },
  )
}
