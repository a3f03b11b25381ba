import * as z from 'zod'
import { made } from '../made.ts'
import { type CheaperStatement, compile, type Given, type Result, type Statement } from '../query/language/sql.ts'
import { askNamed } from './ask-named.ts'
import { translateError } from './failures.ts'
import { keep, keptUnder } from './kept.ts'
import { refuseUnlessSelect, sendQuery } from './query.ts'
import type { ReplicaRoute } from './replicas.ts'

/** Runs a statement and checks its rows by the statement's schema. Throws `PatternError` or an `ApiError`. */
export async function run<Row>(
  route: ReplicaRoute,
  { body, row, cheaper }: Statement<Row>,
  signal: AbortSignal,
): Promise<Result<Row>> {
  const early = cheaper && (await cheaperResult(route, cheaper, signal))
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
  const { data, rows, rows_before_limit_at_least: total = rows } = answer
  return { rows: z.array(made(row)).parse(data), total }
}

/** The result of a cheaper statement; undefined if it does not answer. */
async function cheaperResult<Row>(
  route: ReplicaRoute,
  { statement, result, given }: CheaperStatement<Row>,
  signal: AbortSignal,
): Promise<Result<Row> | undefined> {
  if (given) return givenResult(route, given, signal)
  return result((await run(route, statement, signal)) as Result<never>)
}

/** The result of a cheaper statement that is made with what was found; undefined if there is none. */
async function givenResult<Row>(
  route: ReplicaRoute,
  { key, statement, lasts, cheaper }: Given<Row>,
  signal: AbortSignal,
): Promise<Result<Row> | undefined> {
  let kept = keptUnder(key, route.time())
  if (!kept) {
    const found = (await run(route, statement, signal)) as Result<never>
    kept = keep(key, { found, until: route.time() + lasts(found) })
  }
  const chosen = kept.found && cheaper(kept.found)
  if (!chosen) return undefined
  const result = await cheaperResult(route, chosen, signal)
  if (!result) keep(key, { found: undefined, until: route.time() + leftOutFor })
  return result
}

/** Milliseconds in which nothing is made with what was found, once an answer said that it no longer holds. */
const leftOutFor = 60_000

/** The route of one statement of a plan: adds the statement's name to `answered`. */
const named = (route: ReplicaRoute, name: string): ReplicaRoute => ({
  ...route,
  answered: (replica, tries, asOf) => route.answered(replica, tries, asOf, name),
})

/** Runs the statements of a plan at the same time. If one fails, the others are cancelled. */
export async function runAll(route: ReplicaRoute, plan: Readonly<Record<string, Statement<unknown>>>): Promise<object> {
  const others = new AbortController()
  try {
    const results = Object.entries(plan).map(async ([name, statement]) => [
      name,
      await run(named(route, name), statement, others.signal),
    ])
    return Object.fromEntries(await Promise.all(results))
  } catch (error) {
    others.abort()
    throw error
  }
}
