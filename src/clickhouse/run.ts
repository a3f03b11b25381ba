import * as z from 'zod'
import { made, madeFor } from '../made.ts'
import { compile } from '../query/language/sql.ts'
import type { CheaperStatement, Result, Statement } from '../query/language/statement.ts'
import { askNamed } from './ask-named.ts'
import { translateError } from './failures.ts'
import { refuseUnlessSelect, sendQuery } from './query.ts'
import type { ReplicaRoute } from './replicas.ts'

/** The state shared by the statements of a plan. */
interface Shared {
  /**
   * The results of the cheaper statements that have run. Several statements may refer to the same cheaper statement.
   */
  readonly results: Map<Statement<unknown>, Promise<Result<unknown>>>
  /** The names of cheaper statements that turned out to be insufficient. */
  readonly failed: Set<string>
  /** The number of rows that ClickHouse read for each completed statement. */
  readonly read: Map<Statement<unknown>, number>
}

export const newShared = (): Shared => ({ results: new Map(), failed: new Set(), read: new Map() })

/** Runs a statement and validates its rows against the statement's schema. Throws a `PatternError` or an `ApiError`. */
export async function run<Row>(
  route: ReplicaRoute,
  statement: Statement<Row>,
  signal: AbortSignal,
  shared: Shared = newShared(),
): Promise<Result<Row>> {
  const { body, row, cheaper = [] } = statement
  for (const one of cheaper) {
    const early = await cheaperResult(route, one, signal, shared)
    if (early) return early
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
  shared.read.set(statement, statistics?.rows_read ?? 0)
  return { rows: z.array(made(row)).parse(data), total }
}

/** The result of cheaper statements; undefined if they are insufficient. */
async function cheaperResult<Row>(
  route: ReplicaRoute,
  { statements, checks = [], result, name }: CheaperStatement<Row>,
  signal: AbortSignal,
  shared: Shared,
): Promise<Result<Row> | undefined> {
  const asked = new Set<string>()
  const noting: ReplicaRoute = {
    ...route,
    answered(replica, ...more) {
      asked.add(replica)
      route.answered(replica, ...more)
    },
  }
  const found = await Promise.all(
    statements.map((one) => madeFor(one, shared.results, () => run(noting, one, signal, shared))),
  )
  const sufficient = result(found as unknown as readonly Result<never>[])
  const isRight = sufficient !== undefined && (checks.length === 0 || (await areRight(route, checks, asked, signal)))
  if (isRight) return sufficient
  // Without rows, or without an answered check, it is unknown why they are insufficient.
  const isTelling = isRight === false && found.some(({ rows }) => rows.length > 0)
  if (isTelling && name !== undefined) shared.failed.add(name)
  return undefined
}

/**
 * Runs the checks on the replicas that answered. Returns undefined if one of them is no longer available; another
 * statement must then provide the answer.
 */
async function areRight(
  route: ReplicaRoute,
  checks: NonNullable<CheaperStatement<unknown>['checks']>,
  asked: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const replicas = route.replicas.filter(({ name }) => asked.has(name))
  const checked = replicas.flatMap((replica) =>
    checks.map(async (check) => (await run({ ...route, replicas: [replica] }, check, signal)).rows[0]?.holds === 1),
  )
  return Promise.all(checked).then(
    (all) => (all.length > 0 ? all.every((holds) => holds) : undefined),
    () => undefined,
  )
}

/** The route for one statement in a plan. It adds the statement's name to `answered`. */
const named = (route: ReplicaRoute, name: string): ReplicaRoute => ({
  ...route,
  answered: (replica, tries, asOf) => route.answered(replica, tries, asOf, name),
})

/** Runs a plan's statements concurrently. If one fails, the others are cancelled. */
export async function runAll(
  route: ReplicaRoute,
  plan: Readonly<Record<string, Statement<unknown>>>,
  shared: Shared = newShared(),
): Promise<object> {
  const others = new AbortController()
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
