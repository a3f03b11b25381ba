import * as z from 'zod'
import { ApiError, invalid } from '../errors.ts'
import { made } from '../made.ts'
import { compile, text } from '../query/language/sql.ts'
import { select } from '../query/language/statement.ts'
import { newestHeartbeats } from '../query/tables/rows.ts'
import { shardsSuffix } from '../query/tables/tables.ts'
import { until } from '../until.ts'
import { codeOf } from './failures.ts'
import { sendQuery, within } from './query.ts'
import type { Replica, ReplicaRoute } from './replicas.ts'

/** Durations are in milliseconds; moments are in milliseconds since 1970. */

/** A watermark is not read again for this long. */
const remembered = 1000

/** The time between two heartbeats. An older watermark says little about the current state. */
export const heartbeatPeriod = 5000

/**
 * The maximum time that a statement waits for an old watermark to be read again, or for a watermark to be read for the
 * first time.
 */
const patience = 50
const firstPatience = 250

/** The timeout for reading a watermark. */
const readingLasts = 1000

const Watermark = () => z.object({ sources: z.number(), newest: z.number(), now: z.number(), delay: z.number() })

/**
 * `delay`: by how many seconds the slowest table lags behind, if tables replicate separately. In a cluster, only the
 * tables of the server's own shard are included.
 */
const watermark = compile(
  select(Watermark)`
    select
      count() as sources,
      toUnixTimestamp64Milli(min(newest)) as newest,
      toUnixTimestamp64Milli(now64(3)) as now,
      (
        select max(absolute_delay) from system.replicas
        where database in (currentDatabase(), concat(currentDatabase(), ${text(shardsSuffix)}))
      ) as delay
    from ${newestHeartbeats}`.body,
)

/** Reads a replica's watermark. Returns undefined if the replica has no heartbeat. */
export const readWatermark = ({ server }: Replica): Promise<number | undefined> =>
  within(readingLasts, async (signal) => {
    const bounded = { connection: server, limits: { timeout: readingLasts / 1000 } }
    const { data } = await sendQuery(bounded, watermark, signal, { query_id: `weir-watermark-${crypto.randomUUID()}` })
    const { sources, newest, now, delay } = made(Watermark).parse(data[0])
    if (sources === 0) return undefined
    return delay === 0 ? newest : Math.min(newest, now - delay * 1000)
  })

/**
 * A replica is considered behind once it lags more than `behind` after another one, and until it lags less than
 * `caughtUp`. Equal replicas differ by at most one heartbeat. The two thresholds prevent flickering.
 */
const behind = 12_000
const caughtUp = 6000

/** How old the replica's newest heartbeat was when it was read; undefined if no heartbeat is known. */
const lagOf = ({ freshness }: Replica): number | undefined =>
  freshness?.asOf === undefined ? undefined : freshness.readAt - freshness.asOf

/**
 * How far a replica lags behind another one. Their watermarks were read at different times, so their lags are compared.
 * While no heartbeats are written, the lag of the replica that was read later has grown, so the watermarks are compared
 * too.
 */
const behindBy = (one: Replica, other: Replica): number =>
  Math.min(lagOf(one)! - lagOf(other)!, other.freshness!.asOf! - one.freshness!.asOf!)

/**
 * Marks the replicas that lag behind another one. A replica without heartbeats is not marked, because its lag is
 * unknown.
 */
function markBehind(replicas: readonly Replica[]): void {
  const known = replicas.filter((one) => lagOf(one) !== undefined)
  for (const one of replicas) {
    const by = known.includes(one) ? Math.max(...known.map((other) => behindBy(one, other))) : 0
    one.isBehind = by > (one.isBehind ? caughtUp : behind)
  }
}

/**
 * Finds out whether the replica to be asked lags behind another one. The other replicas are read only if its newest
 * heartbeat is old. Replicas marked as behind are read until they catch up. Waits only for watermarks that have never
 * been read.
 */
export async function learnBehind(route: ReplicaRoute, first: Replica | undefined): Promise<void> {
  const { replicas } = route
  if (!first) return
  isBeingRead(first, route)
  await firstReading([first], route)
  for (const one of replicas) if (one.isBehind) isBeingRead(one, route)
  if ((lagOf(first) ?? 0) <= behind) return
  const others = replicas.filter((one) => one !== first && !one.breaker.isOpen())
  for (const one of others) isBeingRead(one, route)
  await firstReading(others, route)
}

/** Waits until the watermark of each of these replicas has been read once, but no longer than `firstPatience`. */
async function firstReading(some: readonly Replica[], { time }: ReplicaRoute): Promise<void> {
  const areRead = (): boolean => some.every(({ freshness }) => freshness)
  const since = Math.max(...some.map(({ readingSince = 0 }) => readingSince))
  if (some.length > 0) await until(areRead, since + firstPatience - time())
}

/** Starts to read the watermark again, unless it was read very recently. Returns whether a read is in progress. */
function isBeingRead(replica: Replica, { replicas, time, keep, watermark }: ReplicaRoute): boolean {
  const now = time()
  const { freshness, readingSince = Number.NEGATIVE_INFINITY } = replica
  const lasts = freshness && freshness.asOf === undefined ? heartbeatPeriod : remembered
  if (freshness && now - freshness.readAt < lasts) return false
  if (now - readingSince < readingLasts) return true
  const learned = (asOf: number | undefined): void => {
    replica.freshness = { asOf, readAt: time() }
    markBehind(replicas)
  }
  // A server that refuses the statement has no heartbeat table. If a server does not answer, its last watermark is
  // kept.
  const failed = (error: unknown): void => learned(codeOf(error) === '' ? replica.freshness?.asOf : undefined)
  replica.readingSince = now
  keep(watermark!(replica).then(learned, failed))
  return true
}

/**
 * A replica's watermark. It is read before the statement is sent, so the answer includes every event up to it. Usually
 * the watermark is known and is read again while the statement runs. The statement waits for it briefly only if it is
 * unknown or old.
 */
export async function watermarkBefore(replica: Replica, route: ReplicaRoute): Promise<number | undefined> {
  if (!route.watermark) return undefined
  const known = replica.freshness
  const isOld = known?.asOf !== undefined && route.time() - known.readAt > heartbeatPeriod
  if (isBeingRead(replica, route)) {
    if (!known) await firstReading([replica], route)
    else if (isOld) await until(() => replica.freshness !== known, patience)
  }
  return replica.freshness?.asOf
}

/**
 * Finds out which replicas are fresh enough for the request. Waits until all replicas have reported how fresh they are;
 * after a while, only until one of them is fresh enough.
 */
export async function learnNeeded(
  route: ReplicaRoute,
  asked: ReadonlySet<Replica>,
  isMet: () => boolean,
): Promise<void> {
  if (!route.need || !route.watermark) return
  const candidates = route.replicas.filter((one) => !asked.has(one) && !one.breaker.isOpen())
  const areRead = (): boolean => candidates.filter((one) => isBeingRead(one, route)).length === 0
  await until(areRead, route.pace.hedgeDelay())
  await until(() => isMet() || areRead(), readingLasts)
}

/**
 * The error if a replica is not asked only because it is not fresh enough. `cause`: why each replica cannot answer. A
 * page cannot be continued once its replica is gone.
 */
export function notFreshEnough(
  { need, replicas }: ReplicaRoute,
  asked: ReadonlySet<Replica>,
  cause: Error,
): ApiError | undefined {
  if (!need || replicas.every((one) => asked.has(one) || one.breaker.isOpen())) return undefined
  const { minAsOf, origin } = need
  const isOver = origin && origin.asOf === undefined && !replicas.some(({ name }) => name === origin.replica)
  if (isOver) return invalid([{ path: 'cursor', message: 'Its replica is gone. Begin again at the first page.' }])
  const message =
    minAsOf === undefined
      ? 'The replica of this cursor does not answer, and no other one is known to be as fresh. Try again, or begin at the first page.'
      : 'No replica that answers is known to have all events up to minAsOf. Try again, or ask for an earlier moment.'
  const headers = { 'Retry-After': String(heartbeatPeriod / 1000) }
  return new ApiError('service-unavailable', message, { headers, cause })
}
