import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { sections } from '../../src/access/opening.ts'
import type { World } from '../oracle/generate-world.ts'
import { worlds } from '../oracle/generate-world.ts'
import { columnInstant } from '../oracle/instants.ts'
import type { IngestRow, OracleRequest, Report } from '../oracle/model.ts'
import type { SessionRecord } from '../oracle/session-records.ts'
import { agrees } from './against-oracle.ts'
import { newShare, operator } from './callers.ts'
import { forEach } from './concurrently.ts'
import { isLong } from './long.ts'
import { websiteOf } from './people.ts'
import { seed } from './seed.ts'
import { ingest, insert, newWebsite } from './weir.ts'

/**
 * Random worlds share their ids. Here, each world gets new ids in these columns, so that no test sees another test's
 * events. `idOf` also returns an id for a website without events.
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

/** Reports the seed, with which a failure can be repeated (`fc.assert(…, { seed })`). The world would fill pages. */
export async function seedOnly<Value>(details: fc.RunDetails<Value>): Promise<void> {
  if (details.failed) throw new Error(`Failed with seed ${details.seed}.`, { cause: details.errorInstance })
}

const created = new Map<string, Promise<string>>()

/** Creates a website when it is first used. */
function websiteOnce(id: string): Promise<string> {
  const made = created.get(id) ?? newWebsite(id)
  created.set(id, made)
  return made
}

/** A stored world with its own ids. */
interface Stored {
  readonly world: World
  readonly rows: IngestRow[]
  readonly records: SessionRecord[]
  readonly idOf: (given: string) => string
}

async function stored(world: World): Promise<Stored> {
  const { rows, records, idOf } = relocated(world)
  await Promise.all([
    ...(rows.length > 0 ? [ingest(rows)] : []),
    ...(records.length > 0 ? [insert('ingest_session_data', records)] : []),
  ])
  return { world, rows, records, idOf }
}

const hasMany = ({ rows }: World): boolean => rows.length > 20

/** Generates worlds. In `npm test`, all reports in a file share the same worlds, because inserts cost the most. */
function shared<Made>(make: (world: World) => Promise<Made>) {
  let known: Promise<Made>[] | undefined
  return (among: fc.Arbitrary<World>, seed: number, numRuns: number): Promise<Made>[] => {
    if (isLong) return fc.sample(among, { seed, numRuns }).map(make)
    known ??= fc.sample(among.filter(hasMany), { seed, numRuns }).map(make)
    return known
  }
}

const storedWorlds = shared(stored)

let lastSeed = seed

/** Checks random worlds, each with this many requests. The Worker must answer each request like the oracle. */
export async function agreesInWorlds<Asked extends Report>(
  requestsIn: (world: World) => fc.Arbitrary<OracleRequest<Asked>>,
  { numRuns, asked }: { readonly numRuns: number; readonly asked: number },
  {
    among = worlds,
    ask = agrees,
  }: { among?: fc.Arbitrary<World>; ask?: (rows: IngestRow[], request: OracleRequest<Asked>) => Promise<unknown> } = {},
): Promise<void> {
  const callSeed = ++lastSeed
  for (const one of storedWorlds(among, callSeed, numRuns)) {
    const { world, rows, records, idOf } = await one
    const requests = fc.sample(requestsIn(world), { seed: callSeed, numRuns: asked })
    await forEach(requests, async (request) => {
      const websiteId = await websiteOnce(idOf(request.websiteId))
      await ask(rows, { ...request, websiteId, records })
    })
  }
}

/** Opens every section, and session properties. */
export const everySection = {
  ...Object.fromEntries(sections.map((section) => [section, true])),
  allowSessionProperties: true,
}

/** Shares accept at most three patterns, one of which their locks may use. */
export const suitsShares = ({ query }: Pick<OracleRequest<Report>, 'query'>): boolean =>
  (JSON.stringify(query).match(/re\./g) ?? []).length <= 2

/** Locks on this event's browser, path or name, or on bounces. */
function lockOn({ browser, url_path, event_name }: IngestRow, seed: number): [string, string][] {
  const literal = (text: string) => `eq.${text.replaceAll(',', '\\,')}`
  const [lock] = fc.sample(
    fc.constantFrom<[string, string]>(
      ['browser', literal(browser)],
      ['path', literal(url_path)],
      ['event', literal(event_name)],
      ['excludeBounce', 'true'],
    ),
    { seed, numRuns: 1 },
  )
  return [lock!]
}

/** A stored world whose first website has a reset and a share with a locked filter. */
interface Hidden extends Stored {
  readonly first: string
  readonly resetAt: number
  readonly locks: [string, string][]
  readonly share: Awaited<ReturnType<typeof newShare>>
}

async function hidden(world: World): Promise<Hidden> {
  const lockSeed = ++lastSeed
  const all = await stored(world)
  const first = all.rows[0]!.website_id
  const own = all.rows.filter(({ website_id }) => website_id === first)
  const moments = own.map(({ created_at }) => columnInstant(created_at)).sort((one, other) => one - other)
  const resetAt = moments[Math.floor(moments.length / 2)]!
  await websiteOf({}, { id: first, reset_at: resetAt })
  const locks = lockOn(own[0]!, lockSeed)
  const share = await newShare(first, { ...everySection, filters: Object.fromEntries(locks) })
  return { ...all, first, resetAt, locks, share }
}

const hiddenWorlds = shared(hidden)

/**
 * Checks random worlds in which a reset hides some events, and a share's lock hides more. In each world, `asked`
 * requests test only the reset, and as many more test the reset and the lock. Reports must not see the hidden events.
 */
export async function hidesInWorlds<Asked extends Report>(
  requestsIn: (world: World) => fc.Arbitrary<OracleRequest<Asked>>,
  { numRuns, asked }: { readonly numRuns: number; readonly asked: number },
  among: fc.Arbitrary<World> = worlds,
): Promise<void> {
  const callSeed = ++lastSeed
  for (const one of hiddenWorlds(isLong ? among.filter(hasMany) : among, callSeed, numRuns)) {
    const { world, rows, records, idOf, first, resetAt, locks, share } = await one
    const own = requestsIn(world).filter(({ websiteId, saved = [] }) => idOf(websiteId) === first && saved.length === 0)
    // A share allows neither filters on distinct ids nor lists of these ids.
    const shown = own.filter((request) => suitsShares(request) && !JSON.stringify(request.query).includes('distinctId'))
    const seen = { websiteId: first, records, resetAt }
    const ways = [
      [own, seen, operator],
      [shown, { ...seen, locks, isShare: true }, share.headers],
    ] as const
    for (const [drawn, changes, headers] of ways) {
      const requests = fc.sample(drawn, { seed: callSeed, numRuns: asked })
      await forEach(requests, async (request) => void (await agrees(rows, { ...request, ...changes }, headers)))
    }
  }
}
