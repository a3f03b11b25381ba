import { isFromOneOf } from '../access/origins.ts'
import { isAdminHere, originsOf } from '../access/permit.ts'
import { flights, withTimeout } from '../cache/flights.ts'
import { probe, type Replica } from '../clickhouse/replicas.ts'
import type { ReplicaState } from '../endpoints/endpoint.ts'
import { type ApiError, unavailable } from '../errors.ts'
import { memo } from '../metadata/memo.ts'
import { replicasOf } from './clickhouse-route.ts'
import type { Exchange } from './exchange.ts'
import { knownHolder } from './identify.ts'
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

/**
 * The state of each replica for operators; undefined for others. Throws a 503 if D1 cannot be read, or no replica
 * answers. Only operators learn which.
 */
export async function readiness(exchange: Exchange): Promise<readonly ReplicaState[] | undefined> {
  const { env, now } = exchange
  const { all } = replicasOf(env)
  const key = JSON.stringify(all.map(({ name, server }) => [name, server]))
  const found =
    readinessMemo.get(key, now) ??
    withTimeout(readyPatience, readinessFlights.join(key, now, readyPatience, find), notReadyInTime)
  const [{ isReadable, replicas }, isTold] = await Promise.all([found, isOperator(exchange)])
  if (isReadable && replicas.some(({ state }) => state === 'ready')) return isTold ? replicas : undefined
  throw isTold ? notReady(isReadable, replicas) : unavailable('D1 or ClickHouse cannot be read just now. Try again.')

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

/** Whether an operator asks. While D1 cannot be read, nobody counts as one whose credential was not read before. */
const isOperator = (exchange: Exchange): Promise<boolean> =>
  withTimeout(readyPatience, knownHolder(exchange), notReadyInTime).then(
    (holder) => isAdminHere(holder) && isFromOneOf(exchange, originsOf(holder, undefined)),
    () => false,
  )

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
