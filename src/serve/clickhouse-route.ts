import type { Grant } from '../access/permit.ts'
import { configuredReplicas } from '../clickhouse/configuration.ts'
import type { TryNames } from '../clickhouse/query.ts'
import { type ReplicaRoute, type Replicas, replicas } from '../clickhouse/replicas.ts'
import type { StatementLimits } from '../clickhouse/server.ts'
import { type Asker, type TakeTurn, turnLimits, turns } from '../clickhouse/turns.ts'
import { readWatermark } from '../clickhouse/watermark.ts'
import type { Env } from '../env.ts'
import { madeFor } from '../made.ts'
import type { Origin } from '../request/need.ts'
import type { Exchange } from './exchange.ts'
import { log } from './log.ts'
import { recordStatement, recordWait } from './record.ts'

/**
 * The replicas for both kinds of readers. Each kind has its own circuit breakers, because a failure may affect only one
 * kind.
 */
interface KnownReplicas {
  readonly own: Replicas
  /** For readers of shares and public websites. */
  readonly openings: Replicas
  /** Whether to log a warning, once, that a replica has no user for readers of shares and public websites. */
  isToWarn: boolean
}

/**
 * The replicas, by the variables that configure them. An isolate has only one configuration, but a test process has
 * several.
 */
const known = new Map<string, KnownReplicas>()

function knownReplicas(env: Env): KnownReplicas {
  const { CLICKHOUSE_REPLICAS, CLICKHOUSE_URL, CLICKHOUSE_USER, CLICKHOUSE_PASSWORD, CLICKHOUSE_DATABASE } = env
  const server = [CLICKHOUSE_URL, CLICKHOUSE_USER, CLICKHOUSE_PASSWORD, CLICKHOUSE_DATABASE]
  const visitor = [env.CLICKHOUSE_VISITOR_USER, env.CLICKHOUSE_VISITOR_PASSWORD]
  return madeFor(JSON.stringify([CLICKHOUSE_REPLICAS, server, visitor]), known, () => newReplicas(env))
}

function newReplicas(env: Env): KnownReplicas {
  const configured = configuredReplicas(env)
  return {
    own: replicas(configured),
    openings: replicas(configured.map((one) => ({ ...one, server: one.visitor ?? one.server }))),
    isToWarn: configured.some(({ visitor }) => visitor === undefined),
  }
}

/** The replicas for readers with their own rights. Throws if the configuration is invalid. */
export const replicasOf = (env: Env): Replicas => knownReplicas(env).own

/** The replicas for a caller with this grant. */
export function replicasFor({ kind }: Grant, exchange: Exchange): Replicas {
  const found = knownReplicas(exchange.env)
  if (kind === 'own') return found.own
  if (found.isToWarn) log(exchange, { warning: noVisitor })
  found.isToWarn = false
  return found.openings
}

const noVisitor =
  'CLICKHOUSE_VISITOR_PASSWORD is not set: readers of shares and public websites use up the quota of CLICKHOUSE_USER.'

/** The statement queues in this isolate, by their limits. */
const knownTurns = new Map<string, TakeTurn>()

const turnsOf = ({ CONCURRENCY }: Env): TakeTurn =>
  madeFor(JSON.stringify(CONCURRENCY) ?? '', knownTurns, () => turns(turnLimits(CONCURRENCY)))

/** The replicas that answered a request, and the maximum number of replicas asked for any of its statements. */
interface Answerers {
  readonly names: Set<string>
  tries: number
  /** The oldest watermark of the replicas that answered. It is finite only if all their watermarks are known. */
  oldest: number
  /** The replica that returned the rows of a page. */
  ofRows?: string
}

export const newAnswerers = (): Answerers => ({ names: new Set(), tries: 0, oldest: Number.POSITIVE_INFINITY })

/** The answer includes every event inserted before this time; undefined if unknown. */
export const asOfAll = ({ oldest }: Answerers): number | undefined => (Number.isFinite(oldest) ? oldest : undefined)

/** The value of `X-As-Of`. */
export const asOfText = (asOf: number | undefined): string | undefined =>
  asOf === undefined ? undefined : new Date(asOf).toISOString()

/** The origin for a page's cursor; undefined if there is only one replica or the origin is unknown. */
export function originOf(answerers: Answerers, { all }: Pick<Replicas, 'all'>): Origin | undefined {
  const { ofRows: replica } = answerers
  const asOf = asOfAll(answerers)
  if (all.length === 1 || (replica === undefined && asOf === undefined)) return undefined
  return { ...(replica !== undefined && { replica }), ...(asOf !== undefined && { asOf }) }
}

/**
 * How a request's statements reach ClickHouse. Each replica that answers is added to `answerers`. If there is an
 * `asker`, the statements wait in a queue, and `stay` is called once it is their turn or will be soon.
 */
export function routeOf(
  exchange: Exchange,
  { all, pace }: Pick<Replicas, 'all' | 'pace'>,
  { need, ...limits }: StatementLimits & Pick<ReplicaRoute, 'need'>,
  answerers: Answerers = newAnswerers(),
  asker?: Pick<Asker, 'website' | 'caller'>,
  stay: () => void = () => {},
): ReplicaRoute {
  const time = () => exchange.now + exchange.elapsed()
  const until = Math.min(exchange.until, exchange.now + limits.timeout * 1000)
  return {
    replicas: all,
    pace,
    from: exchange.from,
    connections: exchange.connections,
    limits,
    need,
    time,
    since: exchange.since,
    until,
    takeTurn(signal) {
      if (!asker) return noTurn()
      const since = time()
      const asking = { ...asker, isOpening: limits.isOpening === true, mayRunOn: limits.mayRunOn === true }
      const taking = turnsOf(exchange.env)(asking, { time, until, signal, stay })
      return taking.finally(() => recordWait(exchange, time() - since))
    },
    keep: exchange.waitUntil,
    nameTry: () => tryNames(exchange),
    ran: (cost) => recordStatement(exchange, cost),
    watermark: readWatermark,
    answered(replica, tries, asOf, statement) {
      exchange.record.replicas.add(replica)
      answerers.names.add(replica)
      answerers.tries = Math.max(answerers.tries, tries)
      answerers.oldest = Math.min(answerers.oldest, asOf ?? Number.NEGATIVE_INFINITY)
      if (statement === 'rows') answerers.ofRows = replica
    },
    opened: (replica, error) => log(exchange, { replica, unanswered: String(error) }),
  }
}

/**
 * How the request appears in ClickHouse's logs. A query id ends with a random part, because a caller may send the same
 * request id twice and ClickHouse refuses a query id that is already in use.
 */
const tryNames = ({ requestId, record: { endpoint, website } }: Exchange): TryNames => ({
  query_id: `${requestId}-${crypto.randomUUID().slice(-12)}`,
  log_comment: JSON.stringify({ requestId, endpoint, website }),
})

const noTurn = async () => () => {}
