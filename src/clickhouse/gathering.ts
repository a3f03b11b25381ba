import type { Grouping, Result, Statement } from '../query/sql.ts'
import { canJoin, groupingsPerStatement, joinGroupings, joinKey } from '../query/together.ts'
import { isPastLimit } from './failures.ts'
import type { ReplicaRoute } from './replicas.ts'
import { run } from './run.ts'

/** Runs a statement. */
export type Run = <Row>(route: ReplicaRoute, statement: Statement<Row>, signal: AbortSignal) => Promise<Result<Row>>

/** A path of a batch, in the gathering. */
export interface BatchMember {
  /** Runs a statement. If it groups rows, it waits for others over the same rows. */
  readonly run: Run
  /** This path sends no further statement: the others need not wait for it. */
  readonly decided: () => void
}

/** Statements of a batch that wait for each other. */
interface Gathering {
  /** Adds a path. `parked` is called once, if a statement of the path waits. */
  member(parked: () => void): BatchMember
}

interface Waiting {
  readonly route: ReplicaRoute
  readonly statement: Statement<unknown>
  readonly group: Grouping<never>
  readonly signal: AbortSignal
  readonly resolve: (result: Result<unknown> | Promise<Result<unknown>>) => void
}

/** A request outside of batches waits for no other. */
export const single: BatchMember = { run, decided() {} }

/**
 * Statements that group rows wait until every path so far has sent its statements or ended. Then statements over equal
 * rows run as one.
 */
export function gathering(): Gathering {
  let waiting: Waiting[] = []
  let undecided = 0
  const flush = (): void => {
    if (undecided > 0) return
    const all = waiting
    waiting = []
    for (const some of joinable(all)) runJoined(some)
  }
  return {
    member(parked) {
      undecided++
      let isDecided = false
      let isParked = false
      return {
        run(route, statement, signal) {
          const { group } = statement
          if (!group || isDecided) return run(route, statement, signal)
          if (!isParked) {
            isParked = true
            parked()
          }
          return new Promise((resolve) => waiting.push({ route, statement, group, signal, resolve } as Waiting))
        },
        decided() {
          if (isDecided) return
          isDecided = true
          undecided--
          flush()
        },
      }
    },
  }
}

/** Groups of statements that can run as one. If no other statement reads the same rows, it is a group alone. */
function joinable(all: readonly Waiting[]): Waiting[][] {
  const byRows = new Map<string, Waiting[]>()
  for (const one of all) {
    const { mostMemory, until, need } = one.route
    const key = JSON.stringify([mostMemory, until, need, joinKey(one.group)])
    byRows.set(key, [...(byRows.get(key) ?? []), one])
  }
  return [...byRows.values()].flatMap((some) => {
    const size = Math.max(1, groupingsPerStatement(some.map(({ group }) => group)))
    return Array.from({ length: Math.ceil(some.length / size) }, (_, index) =>
      some.slice(index * size, (index + 1) * size),
    )
  })
}

function runJoined(some: readonly Waiting[]): void {
  const alone = ({ route, statement, signal }: Waiting) => run(route, statement, signal)
  const groups = some.map(({ group }) => group)
  if (!canJoin(groups)) {
    for (const one of some) one.resolve(alone(one))
    return
  }
  const joined = runGroupings(routeOfAll(some[0]!.route, some), groups)
  for (const [place, one] of some.entries()) {
    // Together they may exceed a limit that each alone does not.
    const aloneInstead = (error: unknown) => (isPastLimit(error) ? alone(one) : Promise.reject(error))
    one.resolve(joined.then((all) => all[place]!, aloneInstead))
  }
}

/** The route of one statement. All of them learn which replica answered it. */
const routeOfAll = (route: ReplicaRoute, some: readonly Waiting[]): ReplicaRoute => ({
  ...route,
  answered(replica, tries, asOf) {
    for (const one of some) one.route.answered(replica, tries, asOf)
  },
})

async function runGroupings(route: ReplicaRoute, groups: readonly Grouping<never>[]): Promise<Result<unknown>[]> {
  const { statement, results } = joinGroupings(groups)
  return results(await run(route, statement, new AbortController().signal))
}
