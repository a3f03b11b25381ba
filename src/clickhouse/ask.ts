import { pastDeadline } from '../errors.ts'
import { failureCost } from './breaker.ts'
import { isOfStatement } from './failures.ts'
import { withoutQuoted } from './masked.ts'
import {
  awaitTrial,
  hasFreeConnection,
  nearest,
  ping,
  type Replica,
  type ReplicaRoute,
  tryIfOpen,
  tryOpen,
  wasSilent,
} from './replicas.ts'
import type { Target } from './server.ts'
import { learnBehind, learnNeeded, notFreshEnough, watermarkBefore } from './watermark.ts'

/** Sends a statement to a server. It must stop when `signal` aborts. It throws the server's own error. */
type Attempt<Value> = (target: Target, signal: AbortSignal) => Promise<Value>

/** An attempt to run a statement on one replica. `ended` never rejects. */
interface Try<Value> {
  readonly replica: Replica
  readonly since: number
  readonly stop: AbortController
  readonly ended: Promise<Ended<Value>>
}

interface Ended<Value> {
  readonly one: Try<Value>
  readonly outcome: { readonly value: Value; readonly asOf: number | undefined } | { readonly error: unknown }
}

/** The extra milliseconds that give ClickHouse time to report a statement's timeout itself. */
export const grace = 1000

/**
 * If a replica is silent for this many milliseconds, that counts as a failure, no matter how short the deadline was.
 */
const telling = 5000

/** The time left for a statement that starts now, in milliseconds. */
export const millisecondsLeft = ({ limits, until, time }: Pick<ReplicaRoute, 'limits' | 'until' | 'time'>): number =>
  Math.min(limits.timeout * 1000, until - time())

/** The time left in seconds, rounded up to tenths. The ClickHouse user may not set less than 0.1. */
const secondsLeft = (route: ReplicaRoute): number => Math.max(0.1, Math.ceil(millisecondsLeft(route) / 100) / 10)

/** The pause between two checks for silent replicas, in milliseconds. */
const betweenLooks = 100

/**
 * Asks the nearest replica, and the next one if the nearest fails or is silent for longer than usual. The first answer
 * is used. All other tries are aborted, which stops their statements in ClickHouse. An error in the statement itself is
 * final.
 */
export async function ask<Value>(route: ReplicaRoute, attempt: Attempt<Value>, signal: AbortSignal): Promise<Value> {
  const { pace, time, limits } = route
  const began = time()
  const deadline = began + Math.max(0, millisecondsLeft(route)) + grace
  const asked = new Set<Replica>()
  const underWay = new Set<Try<Value>>()
  let lastBegun = began

  const begin = (replica: Replica): void => {
    asked.add(replica)
    lastBegun = time()
    underWay.add(started(replica, route, attempt, signal))
  }
  const beginNext = (): boolean => {
    const next = nearest(route, asked)
    if (next) begin(next)
    return next !== undefined
  }
  /** The error if no replica can be asked. `last`: the error of the latest try. */
  const failure = (last?: unknown): unknown => {
    if (route.replicas.length === 1 && last !== undefined) return last
    const cause = noReplica(route, asked)
    return notFreshEnough(route, asked, cause) ?? cause
  }
  /** Asks another replica. Throws if none can be asked and no try is running. */
  const beginOrFail = async (last?: unknown): Promise<void> => {
    const isMet = (): boolean => nearest(route, asked) !== undefined
    if (beginNext() || underWay.size > 0) return
    await learnNeeded(route, asked, isMet)
    if (beginNext()) return
    tryOpen(route)
    let hasRecovered: boolean
    do {
      hasRecovered = await awaitTrial(route, asked)
      await learnNeeded(route, asked, isMet)
      if (beginNext()) return
      // If one has recovered, it is not fresh enough. Another one may follow.
    } while (hasRecovered)
    throw failure(last)
  }

  /** Called after each pause in which no answer came. */
  const look = (): void => {
    const now = time()
    if (now >= deadline) {
      const error = new Error(`No answer came within ${now - began} ms.`)
      const isTelling = ({ since }: Try<Value>): boolean => now - since >= Math.min(telling, limits.timeout * 1000)
      for (const one of underWay) if (isTelling(one)) wasSilent(one.replica, error, route)
      throw pastDeadline(error)
    }
    const next = nearest(route, asked)
    const all = [...underWay]
    if (!next && all.every(({ replica }) => replica.breaker.isMute())) throw failure()
    const isHedgeDue = (): boolean => !next?.isBehind && now - lastBegun >= pace.hedgeDelay() && pace.takeHedge()
    if (next && (all.every(({ replica }) => replica.breaker.isOpen()) || isHedgeDue())) begin(next)
    const silent = all.filter(({ replica, since }) => replica.breaker.isSilent(since, now))
    for (const { replica } of silent) ping(replica, route, pingAll)
    // A replica that was asked is not asked again, so a trial of it would not help.
    for (const one of route.replicas) if (!asked.has(one) && hasFreeConnection(route.connections)) tryIfOpen(one, route)
  }
  /**
   * If one replica is silent, all of them may be. All replicas are pinged at the same time, so that the request does
   * not have to try them one by one.
   */
  const pingAll = (): void => {
    for (const one of route.replicas) if (!one.breaker.isOpen()) ping(one, route)
  }
  const nextLook = (): number => {
    const hedge = nearest(route, asked) ? pace.hedgeDelay() : betweenLooks
    const due = lastBegun + hedge - time()
    return Math.max(0, Math.min(due > 0 ? due : hedge, betweenLooks, deadline - time()))
  }

  try {
    tryOpen(route)
    if (route.watermark && route.replicas.length > 1) await learnBehind(route, nearest(route, asked))
    await beginOrFail()
    for (;;) {
      const event = await firstEnded(underWay, nextLook())
      if (!event) {
        look()
        continue
      }
      const { one, outcome } = event
      underWay.delete(one)
      if ('value' in outcome) {
        won(one, underWay, route)
        route.answered(one.replica.name, asked.size, outcome.asOf)
        return outcome.value
      }
      if (signal.aborted) throw outcome.error
      if (isOfStatement(outcome.error)) {
        one.replica.breaker.answered(time())
        throw outcome.error
      }
      failed(one.replica, outcome.error, route)
      await beginOrFail(outcome.error)
    }
  } finally {
    for (const { stop } of underWay) stop.abort()
  }
}

function started<Value>(
  replica: Replica,
  route: ReplicaRoute,
  attempt: Attempt<Value>,
  signal: AbortSignal,
): Try<Value> {
  const { limits, connections, time } = route
  const stop = new AbortController()
  const target = { connection: replica.server, limits: { ...limits, timeout: secondsLeft(route) } }
  // Each try needs its own signal, because the client overwrites the only `onabort` of a signal.
  connections.waiting++
  const work = async (): Promise<{ value: Value; asOf: number | undefined }> => {
    const asOf = await watermarkBefore(replica, route)
    return { value: await attempt(target, AbortSignal.any([signal, stop.signal])), asOf }
  }
  const working = work().finally(() => {
    connections.waiting--
  })
  const one: Try<Value> = {
    replica,
    since: time(),
    stop,
    ended: working.then(
      (outcome) => ({ one, outcome }),
      (error: unknown) => ({ one, outcome: { error } }),
    ),
  }
  return one
}

/** The first try that ends; undefined if none ends within this many milliseconds. */
async function firstEnded<Value>(
  tries: ReadonlySet<Try<Value>>,
  milliseconds: number,
): Promise<Ended<Value> | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds)
  })
  return Promise.race([...[...tries].map(({ ended }) => ended), late]).finally(() => clearTimeout(timer))
}

/**
 * A replica is considered silent after twice the time that the fastest replica took: the statement alone does not
 * explain such a delay.
 */
const clearlySlower = 2

function won<Value>({ replica, since }: Try<Value>, losers: ReadonlySet<Try<Value>>, route: ReplicaRoute): void {
  const now = route.time()
  const took = now - since
  replica.breaker.answered(now)
  route.pace.took(took)
  for (const loser of losers) {
    const had = now - loser.since
    if (had > took) loser.replica.breaker.slower(had - took, now)
    if (had > clearlySlower * took) wasSilent(loser.replica, new Error(`It was silent for ${had} ms.`), route)
  }
}

function failed(replica: Replica, error: unknown, route: ReplicaRoute): void {
  const now = route.time()
  replica.trouble = error
  replica.breaker.slower(failureCost, now)
  if (replica.breaker.failed(now)) route.opened(replica.name, error)
}

/** Names each replica with its error. A replica is not asked if its breaker is open, or if it is not fresh enough. */
function noReplica({ replicas }: ReplicaRoute, asked: ReadonlySet<Replica>): Error {
  const reasonOf = (one: Replica): string =>
    asked.has(one) || one.breaker.isOpen()
      ? withoutQuoted(String(one.trouble)).slice(0, longestReason)
      : 'not fresh enough'
  return new Error(`No replica can answer. ${replicas.map((one) => `${one.name}: ${reasonOf(one)}`).join('; ')}`)
}

/** The maximum length of a replica's error beside those of others, in characters. */
const longestReason = 500
