import * as z from 'zod'
import { made } from '../made.ts'
import { compile, type Result, type Statement } from '../query/language/sql.ts'
import { askNamed } from './ask-named.ts'
import { translateError } from './failures.ts'
import { refuseUnlessSelect, sendQuery } from './query.ts'
import type { ReplicaRoute } from './replicas.ts'
import { isWorthAsking, learn } from './worth.ts'

/** Runs a statement and checks its rows by the statement's schema. Throws `PatternError` or an `ApiError`. */
export const run = async <Row>(
  route: ReplicaRoute,
  statement: Statement<Row>,
  signal: AbortSignal,
): Promise<Result<Row>> => (await answered(route, statement, signal)).result

/** The result of a statement, or of its cheaper one, and how many rows ClickHouse read for it. */
async function answered<Row>(
  route: ReplicaRoute,
  { body, row, cheaper }: Statement<Row>,
  signal: AbortSignal,
): Promise<{ readonly result: Result<Row>; readonly read: number }> {
  if (cheaper && isWorthAsking(cheaper.worth, route.time())) {
    const early = await answered(route, cheaper.statement, signal)
    const result = cheaper.result(early.result as Result<never>)
    learn(cheaper.worth, result !== undefined, early.read, route.time())
    if (result) return { ...early, result }
  }
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
  const read = statistics?.rows_read ?? Number.POSITIVE_INFINITY
  return { result: { rows: z.array(made(row)).parse(data), total }, read }
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
