import type { Statement } from '../query/language/sql.ts'
import type { ReplicaRoute } from './replicas.ts'
import { run } from './run.ts'

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
