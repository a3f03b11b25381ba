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
