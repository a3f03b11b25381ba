import type { ReplicaRoute } from '../clickhouse/replicas.ts'
import { newShared, run, runAll } from '../clickhouse/run.ts'
import { isUnread } from '../errors.ts'
import { setNewest } from '../newest.ts'
import type { Knowledge } from '../query/language/known.ts'
import type { Inquiry, Plan, Result, Statement } from '../query/language/statement.ts'

/** Entries, each with its expiry in milliseconds since 1970. */
type Entries<Value> = Map<string, { readonly value: Value; readonly until: number }>

interface Sized {
  /** The length of the JSON, in characters. */
  readonly characters: number
}

/** What this isolate knows about a website. */
interface Kept {
  /** The results of preparatory statements, by key. */
  readonly found: Entries<Result<unknown> & Sized>
  /** The names of cheaper statements that were insufficient. */
  readonly failed: Entries<true>
  /** The numbers of rows that statements have read, by key. */
  readonly read: Entries<number>
}

/** In milliseconds. */
const rememberedFor = { failed: 60_000, read: 600_000 } as const

const keptByWebsite = new Map<string, Kept>()

/** How many websites are remembered, and how many entries of each kind per website. The oldest are forgotten first. */
const [mostWebsites, mostEntries] = [100, 40]

/**
 * The maximum number of characters in the results for all websites together. Ten years of notes from `seals` take a
 * million.
 */
const mostCharacters = 8_000_000

const keptOf = (websiteId: string): Kept => {
  const kept = keptByWebsite.get(websiteId) ?? { found: new Map(), failed: new Map(), read: new Map() }
  setNewest(keptByWebsite, websiteId, kept, mostWebsites)
  return kept
}

/**
 * Stores a value, which expires `lasts` milliseconds after `now`. Drops expired values first, because notes are long.
 */
function remember<Value>(entries: Entries<Value>, key: string, value: Value, now: number, lasts: number): void {
  for (const [old, { until }] of entries) if (until <= now) entries.delete(old)
  setNewest(entries, key, { value, until: now + lasts }, mostEntries)
}

/** Forgets the oldest results, starting with the least recently used website. */
function forgetBeyond(most: number): void {
  const all = [...keptByWebsite.values()].flatMap(({ found }) => [...found].map((entry) => ({ found, entry })))
  let characters = all.reduce((sum, { entry: [, { value }] }) => sum + value.characters, 0)
  for (const { found, entry } of all) {
    const [key, { value }] = entry
    if (characters <= most) return
    found.delete(key)
    characters -= value.characters
  }
}

const current = <Value>(entries: Entries<Value>, now: number) =>
  new Map([...entries].flatMap(([key, { value, until }]) => (until > now ? [[key, value] as const] : [])))

/**
 * A plan based on what the isolate knows about the website, including newly found facts. `first` was planned without
 * this knowledge.
 */
export async function planKnowing<Rows>(
  websiteId: string,
  first: Plan<Rows>,
  planning: (known: Knowledge) => Plan<Rows>,
  route: ReplicaRoute,
): Promise<Plan<Rows>> {
  const statements: readonly Statement<unknown>[] = Object.values(first)
  const wanted = new Map(statements.flatMap(({ wants }) => (wants ? [[wants.key, wants] as const] : [])))
  if (wanted.size === 0 && !statements.some(({ cheaper = [] }) => cheaper.some(({ name }) => name !== undefined)))
    return first
  const kept = keptOf(websiteId)
  await Promise.all([...wanted.values()].map((one) => findOut(kept, one, route)))
  const now = route.time()
  const known = { found: current(kept.found, now), failed: new Set(current(kept.failed, now).keys()) }
  return known.found.size + known.failed.size === 0 ? first : planning(known)
}

async function findOut({ found, read }: Kept, { key, statement, lasts, once }: Inquiry, route: ReplicaRoute) {
  const now = route.time()
  if (once) {
    const rows = current(read, now).get(once.key) ?? -1
    if (rows < once.rows) return
    remember(read, once.key, rows, now, rememberedFor.read)
  }
  if (current(found, now).has(key)) return
  const value = await run(route, statement, new AbortController().signal).catch(unlessUnread)
  if (!value) return
  const sized = { ...value, characters: JSON.stringify(value).length }
  remember(found, key, sized, route.time(), lasts(value as Result<never>))
  forgetBeyond(mostCharacters)
}

/** Ignores data that cannot be read. These facts are optional: without them, other statements provide the answer. */
function unlessUnread(error: unknown): undefined {
  if (!isUnread(error)) throw error
}

/** Runs a plan's statements and remembers what they reveal about the website. */
export async function runKnowing(websiteId: string, plan: Plan<object>, route: ReplicaRoute): Promise<object> {
  const shared = newShared()
  const results = await runAll(route, plan as Readonly<Record<string, Statement<unknown>>>, shared)
  const { found, failed, read } = keptOf(websiteId)
  const now = route.time()
  for (const name of shared.failed) remember(failed, name, true, now, rememberedFor.failed)
  // A statement failed, so the remembered results may be outdated.
  if (shared.failed.size > 0) found.clear()
  for (const [{ wants }, rows] of shared.read) {
    if (wants?.once) remember(read, wants.once.key, rows, now, rememberedFor.read)
  }
  return results
}
