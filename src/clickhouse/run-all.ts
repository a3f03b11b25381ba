import type { Statement } from '../query/sql.ts'
import type { Run } from './gathering.ts'
import type { ReplicaRoute } from './replicas.ts'

/** Runs the statements of a plan at the same time. If one fails, the others are cancelled. */
export async function runAll(
  route: ReplicaRoute,
  plan: Readonly<Record<string, Statement<unknown>>>,
  run: Run,
): Promise<object> {
  const others = new AbortController()
  try {
    const results = Object.entries(plan).map(async ([name, statement]) => [
      name,
      await run(route, statement, others.signal),
    ])
    return Object.fromEntries(await Promise.all(results))
  } catch (error) {
    others.abort()
    throw error
  }
}
