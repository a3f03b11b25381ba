import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { sections } from '../../src/access/opening.ts'
import { type World, worlds } from '../oracle/generate.ts'
import { columnInstant } from '../oracle/instants.ts'
import type { IngestRow, OracleRequest, Report } from '../oracle/model.ts'
import type { SessionRecord } from '../oracle/session-records.ts'
import { agrees } from './against-oracle.ts'
import { newShare } from './callers.ts'
import { forEach } from './concurrently.ts'
import { websiteOf } from './people.ts'
import { ingest, insert, newWebsite } from './weir.ts'

/**
 * Random worlds share their ids; each world gets new ones in these columns here, so that no test sees another's
 * events. `idOf` also gives an id to a website without events.
 */
export function relocated(
  { rows, records = [] }: World,
  columns: readonly ('website_id' | 'session_id')[] = ['website_id'],
): { rows: IngestRow[]; records: SessionRecord[]; idOf: (given: string) => string } {
  const ids = new Map<string, string>()
  const idOf = (given: string): string => {
    const id = ids.get(given.toLowerCase()) ?? randomUUID()
    ids.set(given.toLowerCase(), id)
    return id
  }
  const moved = (row: IngestRow | SessionRecord) =>
    Object.fromEntries(columns.map((column) => [column, idOf(row[column])]))
  const allMoved = <Row extends IngestRow | SessionRecord>(some: Row[]) =>
    some.map((row) => ({ ...row, ...moved(row) }))
  return { rows: allMoved(rows), records: allMoved(records), idOf }
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
  {
    among = worlds,
    ask = agrees,
  }: {
    among?: fc.Arbitrary<World>
    ask?: (rows: IngestRow[], request: OracleRequest<Asked>) => Promise<unknown>
  } = {},
): Promise<void> {
  const questions = among.chain((world) =>
    fc.record({
      world: fc.constant(world),
      requests: fc.array(requestsIn(world), { minLength: asked, maxLength: asked, size: 'max' }),
    }),
  )
  await fc.assert(
    fc.asyncProperty(questions, async ({ world, requests }) => {
      const { rows, records, idOf } = relocated(world)
      if (rows.length > 0) await ingest(rows)
      if (records.length > 0) await insert('ingest_session_data', records)
      await forEach(requests, async (request) => {
        const websiteId = await websiteOnce(idOf(request.websiteId))
        await ask(rows, { ...request, websiteId, records })
      })
    }),
    { numRuns, endOnFailure: true, asyncReporter: seedOnly },
  )
}

export const everySection = Object.fromEntries(sections.map((section) => [section, true]))

/** On the browser, the path or the event's name of this event, or on bounces. */
function lockOn({ browser, url_path, event_name }: IngestRow): [string, string][] {
  const literal = (text: string) => `eq.${text.replaceAll(',', '\\,')}`
  const [lock] = fc.sample(
    fc.constantFrom<[string, string]>(
      ['browser', literal(browser)],
      ['path', literal(url_path)],
      ['event', literal(event_name)],
      ['excludeBounce', 'true'],
    ),
    1,
  )
  return [lock!]
}

/** Random worlds of which a reset hides a part, and a lock of a share more: both are as if it were not there. */
export async function hidesInWorlds<Asked extends Report>(
  requestsIn: (world: World) => fc.Arbitrary<OracleRequest<Asked>>,
  { numRuns, asked }: { readonly numRuns: number; readonly asked: number },
  among: fc.Arbitrary<World> = worlds,
): Promise<void> {
  const enough = among.filter(({ rows }) => rows.length > 20)
  for (const world of fc.sample(enough, numRuns)) {
    const { rows, records, idOf } = relocated(world)
    const first = rows[0]!.website_id
    const own = rows.filter(({ website_id }) => website_id === first)
    const moments = own.map(({ created_at }) => columnInstant(created_at)).sort((one, other) => one - other)
    const resetAt = moments[Math.floor(moments.length / 2)]!
    await Promise.all([ingest(rows), insert('ingest_session_data', records)])
    await websiteOf({}, { id: first, reset_at: resetAt })
    const locks = lockOn(own[0]!)
    const share = await newShare(first, { ...everySection, filters: Object.fromEntries(locks) })
    const requests = fc
      .sample(requestsIn(world), 3 * asked)
      .filter(({ websiteId, saved = [] }) => idOf(websiteId) === first && saved.length === 0)
      .slice(0, asked)
    await forEach(requests, async (request) => {
      const seen = { ...request, websiteId: first, records, resetAt }
      await agrees(rows, seen)
      // Through a share nobody filters by distinct ids, or lists them.
      if (!JSON.stringify(request.query).includes('distinctId'))
        await agrees(rows, { ...seen, locks, isShare: true }, share.headers)
    })
  }
}
