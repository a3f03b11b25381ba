import { flights, withTimeout } from '../cache/flights.ts'
import { probe, type Replica } from '../clickhouse/replicas.ts'
import type { ReplicaState } from '../endpoints/endpoint.ts'
import { type ApiError, unavailable } from '../errors.ts'
import { memo } from '../metadata/memo.ts'
import { replicasOf } from './clickhouse-route.ts'
import type { Exchange } from './exchange.ts'
import { log } from './log.ts'

/** How long a result is reused, in milliseconds: anybody may call this, at any rate. */
const readinessLasts = 1000

/** Time limits in milliseconds: of each replica, and of the whole check, which leaves time for the reply. */
const replicaPatience = 5000
const readyPatience = 7000

/** The outcome of a check. */
interface Readiness {
  readonly isReadable: boolean
  readonly replicas: readonly ReplicaState[]
}

const readinessMemo = memo<Readiness>(10)
const readinessFlights = flights<Readiness>()

/** The state of each replica. Throws a 503 if D1 cannot be read, or no replica answers. */
export async function readiness(exchange: Exchange): Promise<readonly ReplicaState[]> {
  const { env, now } = exchange
  const { all } = replicasOf(env)
  const key = JSON.stringify(all.map(({ name, server }) => [name, server]))
  const { isReadable, replicas } =
    readinessMemo.get(key, now) ??
    (await withTimeout(readyPatience, readinessFlights.join(key, now, readyPatience, find), notReadyInTime))
  if (!isReadable || replicas.every(({ state }) => state === 'failing')) throw notReady(isReadable, replicas)
  return replicas

  async function find(): Promise<Readiness> {
    const [isReadable, ...replicas] = await Promise.all([
      canReadMetadata(exchange),
      ...all.map((replica) => stateOf(replica, exchange)),
    ])
    const found = { isReadable, replicas }
    readinessMemo.keeper()(key, found, now + exchange.elapsed() + readinessLasts)
    return found
  }
}

function notReady(isReadable: boolean, replicas: readonly ReplicaState[]): ApiError {
  const failing = replicas.filter(({ state }) => state === 'failing').map(({ name }) => name)
  const what = [...(isReadable ? [] : ['D1']), ...failing]
  return unavailable(`These cannot be read just now: ${what.join(', ')}. Try again.`)
}

const notReadyInTime = (): ApiError => unavailable('D1 or ClickHouse does not answer in time. Try again.')

async function canReadMetadata(exchange: Exchange): Promise<boolean> {
  try {
    await exchange.metadata.store.first('SELECT id FROM websites LIMIT 1')
    return true
  } catch (error) {
    return failing('D1', error, exchange)
  }
}

/** Asks a replica also while it gets no requests; if it answers, it gets them again. */
async function stateOf(replica: Replica, exchange: Exchange): Promise<ReplicaState> {
  const { name, breaker } = replica
  const isReady = await probe(replica, replicaPatience).then(
    () => true,
    (error: unknown) => failing(name, error, exchange),
  )
  if (isReady) breaker.answered(exchange.now + exchange.elapsed())
  return { name, state: isReady ? 'ready' : 'failing' }
}

function failing(what: string, error: unknown, exchange: Exchange): false {
  log(exchange, { failing: what, cause: String(error) })
  return false
}
