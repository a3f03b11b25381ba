import { ask } from './ask.ts'
import type { TryNames } from './query.ts'
import type { ReplicaRoute } from './replicas.ts'
import type { Target } from './server.ts'

/** Sends a statement with these names to a server. */
type NamedAttempt<Value> = (target: Target, signal: AbortSignal, names: TryNames) => Promise<Value>

/** Returns the number of rows and bytes that ClickHouse read to compute a value. */
type Reads<Value> = (value: Value) => { readonly rows_read: number; readonly bytes_read: number } | undefined

/** Like `ask`, but names each try and reports the statement's cost to the route. */
export async function askNamed<Value>(
  route: ReplicaRoute,
  attempt: NamedAttempt<Value>,
  signal: AbortSignal,
  reads: Reads<Value> = () => undefined,
): Promise<Value> {
  const since = route.time()
  let tries = 0
  const ended = (isAnswered: boolean, { rows_read: rows, bytes_read: bytes } = { rows_read: 0, bytes_read: 0 }) =>
    route.ran({ tries, milliseconds: route.time() - since, isAnswered, rows, bytes })
  try {
    const attemptNamed = (target: Target, stop: AbortSignal) => {
      tries++
      return attempt(target, stop, route.nameTry())
    }
    const value = await ask(route, attemptNamed, signal)
    ended(true, reads(value))
    return value
  } catch (error) {
    ended(false)
    throw error
  }
}
