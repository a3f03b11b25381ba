import { run } from '../../src/clickhouse/run.ts'
import type { Knowledge } from '../../src/query/language/known.ts'
import { compile } from '../../src/query/language/sql.ts'
import type { Result, Statement } from '../../src/query/language/statement.ts'

type Route = Parameters<typeof run>[0]
type Plan = Readonly<Record<string, Statement<unknown>>>

const { signal } = new AbortController()

/** Queries the data that a plan wants, and applies `changed` to the result. */
export async function knownTo(route: Route, plan: Plan, changed: object = {}): Promise<Knowledge> {
  const wanted = Object.values(plan).flatMap(({ wants }) => wants ?? [])
  const found = wanted.map(async ({ key, statement }) => {
    const { rows, total } = await run(route, statement, signal)
    return [key, { rows: rows.map((row) => ({ ...(row as object), ...changed })), total }] as const
  })
  return { found: new Map(await Promise.all(found)), failed: new Set() }
}

/** Makes a plan, queries the data that it wants, and returns the plan made with this data. */
export async function plannedKnowing<Made extends object>(
  route: Route,
  planning: (known?: Knowledge) => Made,
  changed?: object,
): Promise<Made> {
  return planning(await knownTo(route, planning() as Plan, changed))
}

/** Whether chains answer a statement if its rows of `seals` are right. */
export const isChained = ({ sources }: Pick<Statement<unknown>, 'sources'>): boolean =>
  sources?.[0]?.source === 'sealed hours' && sources[0].refused === undefined

/** The chains' answers to a statement, in each of their forms, or undefined if chains do not answer it. */
export async function chainedResults<Row>(
  route: Route,
  statement: Statement<Row>,
): Promise<(Result<Row> | undefined)[]> {
  if (!isChained(statement)) return []
  return Promise.all(
    (statement.cheaper ?? []).map(async ({ statements, checks = [], result }) => {
      const found = await Promise.all(statements.map((one) => run(route, one, signal)))
      const checked = await Promise.all(checks.map((one) => run(route, one, signal)))
      const isRight = checked.every(({ rows }) => rows[0]?.holds === 1)
      return isRight ? result(found as unknown as readonly Result<never>[]) : undefined
    }),
  )
}

/** Whether a statement on chains selects the rows of only a few sessions. */
export const picksRows = ({ cheaper = [] }: Statement<unknown>): boolean =>
  cheaper.some(({ statements }) => statements.some(({ body }) => compile(body).query.includes('prewhere session_key')))
