import * as z from 'zod'
import { made, madeFor } from '../made.ts'
import { type CheaperStatement, compile, type Given, type Result, type Statement } from '../query/language/sql.ts'
import { askNamed } from './ask-named.ts'
import { translateError } from './failures.ts'
import { forget, keep, keptUnder } from './kept.ts'
import { refuseUnlessSelect, sendQuery } from './query.ts'
import type { ReplicaRoute } from './replicas.ts'

/** The cheaper statements that a plan has run, or their keys, with the results: several statements may share one. */
type Shared = Map<Statement<unknown> | string, Promise<Result<unknown>>>

/** Runs a statement and checks its rows by the statement's schema. Throws `PatternError` or an `ApiError`. */
export async function run<Row>(
  route: ReplicaRoute,
  { body, row, cheaper }: Statement<Row>,
  signal: AbortSignal,
  shared: Shared = new Map(),
): Promise<Result<Row>> {
  const early = cheaper && (await cheaperResult(route, cheaper, signal, shared))
  if (early) return early
  const compiled = refuseUnlessSelect(compile(body))
  const end = await route.takeTurn(signal)
  const asking = askNamed(
    route,
    (target, stop, names) => sendQuery(target, compiled, stop, names),
    signal,
    ({ statistics }) => statistics,
  ).finally(end)
  const answer = await asking.catch((error: unknown) => {
    throw translateError(error)
  })
  const { data, rows, rows_before_limit_at_least: total = rows, statistics } = answer
  const after = cheaper?.given?.after
  if (after && (statistics?.rows_read ?? 0) >= after.rows) lookAfter(after, route)
  return { rows: z.array(made(row)).parse(data), total }
}

/** The result of a cheaper statement; undefined if it does not answer. */
async function cheaperResult<Row>(
  route: ReplicaRoute,
  { statement, result, triedAs, given }: CheaperStatement<Row>,
  signal: AbortSignal,
  shared: Shared,
): Promise<Result<Row> | undefined> {
  if (given) return givenResult(route, given, signal, shared)
  if (triedAs !== undefined && keptUnder(triedAs, route.time())) return undefined
  const found = await madeFor(statement, shared, () => run(route, statement, signal, shared))
  const sufficient = result(found as Result<never>)
  // Without a row, nothing says why it does not suffice.
  if (!sufficient && triedAs !== undefined && found.rows.length > 0) leaveOut(triedAs, route)
  return sufficient
}

/** The result of a cheaper statement that is made with what was found; undefined if there is none. */
async function givenResult<Row>(
  route: ReplicaRoute,
  { key, statement, lasts, cheaper, after }: Given<Row>,
  signal: AbortSignal,
  shared: Shared,
): Promise<Result<Row> | undefined> {
  if (after && !keptUnder(after.key, route.time())) return undefined
  let kept = keptUnder(key, route.time())
  if (!kept) {
    const found = (await madeFor(key, shared, () => run(route, statement, signal))) as Result<never>
    kept = keep(key, { found, until: route.time() + lasts(found) })
  }
  const chosen = kept.found && cheaper(kept.found)
  if (!chosen || (chosen.triedAs !== undefined && keptUnder(chosen.triedAs, route.time()))) return undefined
  if (after) lookAfter(after, route)
  const result = await cheaperResult(route, chosen, signal, shared)
  // What was found may be out of date.
  if (!result && chosen.triedAs !== undefined && keptUnder(chosen.triedAs, route.time())) forget(key)
  return result
}

/** Milliseconds in which a cheaper statement is left out, once it did not answer. */
const leftOutFor = 60_000

const leaveOut = (key: string, route: ReplicaRoute) => keep(key, { found: undefined, until: route.time() + leftOutFor })

/** Milliseconds in which a large question is remembered. */
const largeFor = 600_000

const lookAfter = ({ key }: { readonly key: string }, route: ReplicaRoute) =>
  keep(key, { found: undefined, until: route.time() + largeFor })

/** The route of one statement of a plan: adds the statement's name to `answered`. */
const named = (route: ReplicaRoute, name: string): ReplicaRoute => ({
  ...route,
  answered: (replica, tries, asOf) => route.answered(replica, tries, asOf, name),
})

/** Runs the statements of a plan at the same time. If one fails, the others are cancelled. */
export async function runAll(route: ReplicaRoute, plan: Readonly<Record<string, Statement<unknown>>>): Promise<object> {
  const others = new AbortController()
  const shared: Shared = new Map()
  try {
    const results = Object.entries(plan).map(async ([name, statement]) => [
      name,
      await run(named(route, name), statement, others.signal, shared),
    ])
    return Object.fromEntries(await Promise.all(results))
  } catch (error) {
    others.abort()
    throw error
  }
}
