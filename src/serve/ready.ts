import { isFromOneOf } from '../access/origins.ts'
import { isAdminHere, originsOf } from '../access/permit.ts'
import { flights, withTimeout } from '../cache/flights.ts'
import { readEveryTable, TablesMissing } from '../clickhouse/every-table.ts'
import { type Replica, unlessSilent } from '../clickhouse/replicas.ts'
import { readWatermark } from '../clickhouse/watermark.ts'
import type { LogBacklog, Readiness, ReplicaState } from '../endpoints/readiness.ts'
import { type ApiError, unavailable } from '../errors.ts'
import { memo } from '../metadata/memo.ts'
import { asOfText, replicasOf } from './clickhouse-route.ts'
import type { Exchange } from './exchange.ts'
import { knownHolder } from './identify.ts'
import { log } from './log.ts'
import { logStates } from './logs.ts'

/** How long a result is reused, in milliseconds: anybody may call this, at any rate. */
const readinessLasts = 1000

/**
 * Time limits in milliseconds: for D1, for a replica that answers pings (others have less), and for the whole check,
 * which leaves time for the reply.
 */
const metadataPatience = 900
const replicaPatience = 5000
const readyPatience = 7000

/** The outcome of a check. */
interface Checked {
  readonly isReadable: boolean
  readonly replicas: readonly ReplicaState[]
}

const readinessMemo = memo<Checked>(10)
const readinessFlights = flights<Checked>(() => notReadyInTime())

/**
 * The state of replicas and logs for operators; undefined for others. Throws a 503 if D1 cannot be read, or no replica
 * answers. Only operators learn which.
 */
export async function readiness(exchange: Exchange): Promise<Readiness | undefined> {
  const { env, now } = exchange
  const { all } = replicasOf(env)
  const key = JSON.stringify(all.map(({ name, server }) => [name, server]))
  const found =
    readinessMemo.get(key, now) ??
    withTimeout(readyPatience, readinessFlights.join(key, now, readyPatience, find, exchange.waitUntil), notReadyInTime)
  const [{ isReadable, replicas }, isTold] = await Promise.all([found, isOperator(exchange)])
  if (isReadable && replicas.some(({ state }) => state === 'ready')) {
    return isTold ? { replicas, logs: await backlogs(exchange) } : undefined
  }
  throw isTold ? notReady(isReadable, replicas) : unavailable('D1 or ClickHouse cannot be read just now. Try again.')

  async function find(stay: () => void): Promise<Checked> {
    stay()
    const [isReadable, ...replicas] = await Promise.all([
      canReadMetadata(exchange),
      ...all.map((replica) => stateOf(replica, exchange)),
    ])
    const found = { isReadable, replicas }
    readinessMemo.keeper()(key, found, now + exchange.elapsed() + readinessLasts)
    return found
  }
}

/** The backlogs of the logs; empty if they do not answer in time. */
const backlogs = ({ env }: Exchange): Promise<LogBacklog[]> =>
  withTimeout(metadataPatience, logStates(env), notReadyInTime).then(
    (states) =>
      states.map(([number, { rows, oldest }]) => ({
        name: `log-${number}`,
        waiting: rows,
        ...(oldest !== undefined && { oldest: new Date(oldest).toISOString() }),
      })),
    () => [],
  )

/** Whether the caller is an operator. While D1 cannot be read, only credentials read before count. */
const isOperator = (exchange: Exchange): Promise<boolean> =>
  withTimeout(metadataPatience, knownHolder(exchange), notReadyInTime).then(
    (holder) => isAdminHere(holder) && isFromOneOf(exchange, originsOf(holder, undefined)),
    () => false,
  )

function notReady(isReadable: boolean, replicas: readonly ReplicaState[]): ApiError {
  const failing = replicas.filter(({ state }) => state === 'failing')
  const what = [...(isReadable ? [] : ['D1']), ...failing.map(withTables)]
  return unavailable(`These cannot be read just now: ${what.join(', ')}. Try again.`)
}

const withTables = ({ name, missing }: ReplicaState): string => (missing ? `${name} (${missing.join(', ')})` : name)

const notReadyInTime = (): ApiError => unavailable('D1 or ClickHouse does not answer in time. Try again.')

async function canReadMetadata(exchange: Exchange): Promise<boolean> {
  try {
    const reading = exchange.metadata.store.first('SELECT id FROM websites LIMIT 1')
    await withTimeout(metadataPatience, reading, notReadyInTime)
    return true
  } catch (error) {
    return failing('D1', error, exchange)
  }
}

/** The state of a replica. Also asks one that gets no requests; if it answers, it gets requests again. */
async function stateOf(replica: Replica, exchange: Exchange): Promise<ReplicaState> {
  const { name, breaker } = replica
  const reading = readWatermark(replica).catch(() => undefined)
  try {
    await unlessSilent(replica, readEveryTable(replica, replicaPatience))
    breaker.answered(exchange.now + exchange.elapsed())
    const asOf = asOfText(await reading)
    return { name, state: 'ready', ...(asOf !== undefined && { asOf }) }
  } catch (error) {
    failing(name, error, exchange)
    return { name, state: 'failing', ...(error instanceof TablesMissing && { missing: error.tables }) }
  }
}

function failing(what: string, error: unknown, exchange: Exchange): false {
  log(exchange, { failing: what, cause: String(error) })
  return false
}
