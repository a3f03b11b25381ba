import { isFromOneOf } from '../access/origins.ts'
import { isAdminHere, originsOf } from '../access/permit.ts'
import { flights } from '../cache/flights.ts'
import { readEveryTable, TablesMissing } from '../clickhouse/every-table.ts'
import { type Replica, unlessSilent } from '../clickhouse/replicas.ts'
import { readWatermark } from '../clickhouse/watermark.ts'
import type { LogState } from '../collect/candidate.ts'
import type { LogBacklog, Readiness, ReplicaState } from '../endpoints/readiness.ts'
import { type ApiError, unavailable } from '../errors.ts'
import { memo } from '../metadata/memo.ts'
import { withTimeout } from '../silence.ts'
import { asOfText, replicasOf } from './clickhouse-route.ts'
import type { Exchange } from './exchange.ts'
import { knownHolder } from './identify.ts'
import { log } from './log.ts'
import { logStates } from './logs.ts'

/** How long a result is reused, in milliseconds, because anybody may request it as often as they like. */
const readinessLasts = 1000

/**
 * Time limits in milliseconds: for D1, for a replica that answers pings (others get less time), and for the whole
 * check, which leaves time for the response.
 */
const metadataPatience = 900
const replicaPatience = 5000
const readyPatience = 7000

/** The outcome of a check. */
interface Checked {
  readonly isReadable: boolean
  readonly replicas: readonly ReplicaState[]
  readonly logs: readonly LogBacklog[]
}

const readinessMemo = memo<Checked>(10)
const readinessFlights = flights<Checked>(() => notReadyInTime())

/**
 * The state of replicas and logs, for operators; undefined for others. Throws a 503 if D1 cannot be read, no replica
 * answers, or a log is failing. Only operators are told which of these is the case.
 */
export async function readiness(exchange: Exchange): Promise<Readiness | undefined> {
  const { env, now } = exchange
  const { all } = replicasOf(env)
  const key = JSON.stringify(all.map(({ name, server }) => [name, server]))
  const found =
    readinessMemo.get(key, now) ??
    withTimeout(readyPatience, readinessFlights.join(key, now, readyPatience, find, exchange.waitUntil), notReadyInTime)
  const [checked, isTold] = await Promise.all([found, isOperator(exchange)])
  const { isReadable, replicas, logs } = checked
  if (isReadable && replicas.some(isReady) && logs.every(isReady)) return isTold ? { replicas, logs } : undefined
  throw isTold ? notReady(checked) : unavailable('D1, ClickHouse or collection is failing right now. Try again.')

  async function find(stay: () => void): Promise<Checked> {
    stay()
    const [isReadable, logs, ...replicas] = await Promise.all([
      canReadMetadata(exchange),
      backlogs(exchange),
      ...all.map((replica) => stateOf(replica, exchange)),
    ])
    const found = { isReadable, replicas, logs }
    readinessMemo.keeper()(key, found, now + exchange.elapsed() + readinessLasts)
    return found
  }
}

/** The backlogs of the logs; empty if they do not respond in time. */
const backlogs = ({ env }: Exchange): Promise<LogBacklog[]> =>
  withTimeout(metadataPatience, logStates(env), notReadyInTime).then(
    (states) =>
      states.map(([place, state]) => ({
        name: `log-${place}`,
        state: state ? 'ready' : 'failing',
        ...(state && backlogOf(state)),
      })),
    () => [],
  )

const backlogOf = ({ rows, oldest, failure }: LogState) => ({
  waiting: rows,
  ...(oldest !== undefined && { oldest: new Date(oldest).toISOString() }),
  ...(failure !== undefined && { failure }),
})

const isReady = ({ state }: ReplicaState | LogBacklog): boolean => state === 'ready'

/**
 * Whether the request was sent by an operator. While D1 cannot be read, only credentials that were read earlier are
 * accepted.
 */
const isOperator = (exchange: Exchange): Promise<boolean> =>
  withTimeout(metadataPatience, knownHolder(exchange), notReadyInTime).then(
    (holder) => isAdminHere(holder) && isFromOneOf(exchange, originsOf(holder, undefined)),
    () => false,
  )

function notReady({ isReadable, replicas, logs }: Checked): ApiError {
  const names = [
    replicas.filter((one) => !isReady(one)).map(withTables),
    logs.filter((one) => !isReady(one)).map(({ name }) => name),
  ]
  const what = [...(isReadable ? [] : ['D1']), ...names.flat()]
  return unavailable(`These cannot be read right now: ${what.join(', ')}. Try again.`)
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

/**
 * A replica's state. A replica that currently receives no requests is queried too; if it answers, it receives requests
 * again.
 */
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
