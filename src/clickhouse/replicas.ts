import * as z from 'zod'
import { noRows } from '../query/rows.ts'
import { compile, select } from '../query/sql.ts'
import { events } from '../query/tables.ts'
import { type Breaker, breaker, trialLasts } from './breaker.ts'
import type { ConfiguredReplica } from './configuration.ts'
import { type Pace, pace } from './pace.ts'
import { type Position, roundTrip } from './position.ts'
import { sendQuery, within } from './query.ts'

/** A server that holds the data, and what this isolate knows of it. */
export interface Replica extends ConfiguredReplica {
  readonly breaker: Breaker
  /** The last trial: whether it brought an answer. */
  trial?: { readonly since: number; readonly isAnswered: Promise<boolean> }
  /** Its last failure, for the log. */
  trouble?: unknown
}

/** The replicas of an isolate. */
export interface Replicas {
  readonly all: readonly Replica[]
  readonly pace: Pace
  /** Of exports, until their first rows. */
  readonly exportPace: Pace
}

/** Exports begin later than answers, in milliseconds. */
const firstExportDelay = 2000

export const replicas = (configured: readonly ConfiguredReplica[]): Replicas => ({
  all: configured.map((one) => ({ ...one, breaker: breaker() })),
  pace: pace(),
  exportPace: pace(firstExportDelay),
})

/** How many answers of ClickHouse a request waits for. */
export interface Connections {
  waiting: number
}

/** The platform lets a request wait for so many answers at once, and keeps the rest back. */
const mostWaiting = 6

/** The way of one request's statements: which replicas there are, the limits, and whom to tell. */
export interface ReplicaRoute {
  readonly replicas: readonly Replica[]
  readonly pace: Pace
  /** Where the request entered Cloudflare's network. */
  readonly from: Position
  /** The time limit of a statement, in seconds. */
  readonly timeout: number
  /** A statement fails if it holds more bytes in ClickHouse; without it, the limit of its user holds. */
  readonly mostMemory?: number | undefined
  /** The tries under way for this request, and for the batch that it belongs to. */
  readonly connections: Connections
  /** Milliseconds since 1970. */
  readonly time: () => number
  /** Keeps work alive after the response. */
  readonly keep: (work: Promise<unknown>) => void
  /** This replica answered, after so many were asked. */
  readonly answered: (replica: string, tries: number) => void
  /** This replica gets no more requests until it answers a trial. */
  readonly opened: (replica: string, error: unknown) => void
}

/** The replica to ask next: the nearest that answers, as far as this isolate has seen, and was not asked. */
export function nearest({ replicas, from, time }: ReplicaRoute, asked: ReadonlySet<Replica>): Replica | undefined {
  const now = time()
  const distance = ({ place, breaker }: Replica): number => roundTrip(from, place) + breaker.lateness(now)
  // Sorting keeps the order of the configuration among equals.
  return replicas
    .filter((one) => !asked.has(one) && !one.breaker.isOpen())
    .map((replica) => ({ replica, distance: distance(replica) }))
    .sort((one, other) => one.distance - other.distance)[0]?.replica
}

const readsNothing = compile(select(() => z.object({}))`select website_id ${noRows(events)}`.body)

/** Asks a replica whether it can answer statements. Throws if it cannot, or takes so many milliseconds. */
export const probe = ({ server }: Replica, milliseconds: number): Promise<unknown> =>
  within(milliseconds, (signal) => {
    const bounded = { ...server, timeout: Math.ceil(milliseconds / 1000) }
    return sendQuery(bounded, readsNothing, signal, `weir-trial-${crypto.randomUUID()}`)
  })

/** Tries each replica that gets no requests, if its trial is due. */
export function tryOpen(route: ReplicaRoute): void {
  for (const replica of route.replicas) if (replica.breaker.isOpen()) tryAgain(replica, route)
}

function tryAgain(replica: Replica, { time, keep }: ReplicaRoute): void {
  const { breaker } = replica
  const since = time()
  if (!breaker.beginTrial(since)) return
  const isAnswered = probe(replica, trialLasts).then(
    () => {
      breaker.answered(time())
      return true
    },
    (error: unknown) => {
      breaker.trialFailed(time())
      replica.trouble = error
      return false
    },
  )
  replica.trial = { since, isAnswered }
  keep(isAnswered)
}

/** How long a request waits for a trial, from its begin, where no replica can be asked; in milliseconds. */
const trialPatience = 700

/** Waits shortly for a trial of a replica that gets no requests, and was not asked before. */
export async function awaitTrial({ replicas, time }: ReplicaRoute, asked: ReadonlySet<Replica>): Promise<void> {
  const now = time()
  const resting = replicas.filter((one) => one.breaker.isOpen() && !asked.has(one))
  const trials = resting.flatMap(({ trial }) => (trial ? [trial] : []))
  const left = Math.max(0, ...trials.map(({ since }) => since + trialPatience - now))
  if (left === 0) return
  const answered = trials.map(({ isAnswered }) =>
    isAnswered.then((is) => is || Promise.reject(new Error('No answer.'))),
  )
  // The timer is this request's own: the platform ends a request that waits only for another request's work.
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, left)
    const done = (): void => {
      clearTimeout(timer)
      resolve()
    }
    Promise.any(answered).then(done, done)
  })
}

/** How long a server may take to say that it lives, in milliseconds. */
const pingLasts = 900

/**
 * Asks a replica that keeps a request waiting whether it lives. A long statement does not hinder that answer, but the
 * platform would keep the question back behind too many statements.
 */
export function ping(replica: Replica, route: ReplicaRoute): void {
  const { connections, time, keep } = route
  const { breaker, server } = replica
  if (connections.waiting >= mostWaiting || !breaker.beginTrial(time())) return
  const isAlive = async (signal: AbortSignal): Promise<void> => {
    const answer = await fetch(`${server.url}/ping`, { signal })
    await answer.body?.cancel()
    if (answer.status >= 500) throw new Error(`It answers /ping with ${answer.status}.`)
  }
  const pinging = within(pingLasts, isAlive).then(
    () => breaker.alive(time()),
    (error: unknown) => wasSilent(replica, error, route),
  )
  keep(pinging)
}

/** Notes that a replica answered nothing, though there was time enough. */
export function wasSilent(replica: Replica, error: unknown, { time, opened }: ReplicaRoute): void {
  replica.trouble = error
  if (replica.breaker.silent(time())) opened(replica.name, error)
}
