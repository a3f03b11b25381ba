import type { ReplicaRoute } from '../clickhouse/replicas.ts'
import { newShared, run, runAll } from '../clickhouse/run.ts'
import type { Knowledge } from '../query/language/known.ts'
import type { Inquiry, Plan, Result, Statement } from '../query/language/sql.ts'

/** What this isolate knows of a website; each entry with the moment until which it is kept, in milliseconds. */
interface Kept {
  /** What plans wanted to know, by key. */
  readonly found: Map<string, { readonly value: Result<unknown>; readonly until: number }>
  /** The names of statements that did not answer. */
  readonly failed: Map<string, { readonly value: true; readonly until: number }>
  /** The rows that statements have read, by key. */
  readonly read: Map<string, { readonly value: number; readonly until: number }>
}

/** In milliseconds. */
const rememberedFor = { failed: 60_000, read: 600_000 } as const

const keptByWebsite = new Map<string, Kept>()

/** The most websites that an isolate knows, and the most entries of each kind; the oldest are forgotten first. */
const [mostWebsites, mostEntries] = [100, 40]

function keep<Value>(entries: Map<string, Value>, key: string, value: Value, most: number): Value {
  entries.delete(key)
  entries.set(key, value)
  for (const oldest of entries.keys()) {
    if (entries.size <= most) break
    entries.delete(oldest)
  }
  return value
}

const keptOf = (websiteId: string): Kept => {
  const kept = keptByWebsite.get(websiteId) ?? { found: new Map(), failed: new Map(), read: new Map() }
  return keep(keptByWebsite, websiteId, kept, mostWebsites)
}

const current = <Value>(entries: Map<string, { readonly value: Value; readonly until: number }>, now: number) =>
  new Map([...entries].flatMap(([key, { value, until }]) => (until > now ? [[key, value] as const] : [])))

/** A plan with what the isolate knows of the website, and finds out for it. `first` was made with nothing. */
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
    keep(read, once.key, { value: rows, until: now + rememberedFor.read }, mostEntries)
  }
  if (current(found, now).has(key)) return
  const value = await run(route, statement, new AbortController().signal)
  keep(found, key, { value, until: route.time() + lasts(value as Result<never>) }, mostEntries)
}

/** Runs the statements of a plan, and remembers what they tell of the website. */
export async function runKnowing(websiteId: string, plan: Plan<object>, route: ReplicaRoute): Promise<object> {
  const shared = newShared()
  const results = await runAll(route, plan as Readonly<Record<string, Statement<unknown>>>, shared)
  const { found, failed, read } = keptOf(websiteId)
  const now = route.time()
  for (const name of shared.failed) keep(failed, name, { value: true, until: now + rememberedFor.failed }, mostEntries)
  // What was found may be out of date.
  if (shared.failed.size > 0) found.clear()
  for (const [{ wants }, rows] of shared.read) {
    if (wants?.once) keep(read, wants.once.key, { value: rows, until: now + rememberedFor.read }, mostEntries)
  }
  return results
}
