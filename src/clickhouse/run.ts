import * as z from 'zod'
import { made } from '../made.ts'
import { compile, type Result, type Statement } from '../query/language/sql.ts'
import { askNamed } from './ask-named.ts'
import { translateError } from './failures.ts'
import { refuseUnlessSelect, sendQuery } from './query.ts'
import type { ReplicaRoute } from './replicas.ts'

/** Runs a statement and checks its rows by the statement's schema. Throws `PatternError` or an `ApiError`. */
export async function run<Row>(
  route: ReplicaRoute,
  { body, row, cheaper }: Statement<Row>,
  signal: AbortSignal,
): Promise<Result<Row>> {
  const early = cheaper?.result((await run(route, cheaper.statement, signal)) as Result<never>)
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
  return { rows: z.array(made(row)).parse(answer.data), total: answer.rows_before_limit_at_least ?? answer.rows }
}

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
