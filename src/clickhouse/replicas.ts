import * as z from 'zod'
import { compile } from '../query/language/sql.ts'
import { select } from '../query/language/statement.ts'
import { noRows } from '../query/tables/rows.ts'
import { events } from '../query/tables/tables.ts'
import { meets, type Need } from '../request/need.ts'
import { until } from '../until.ts'
import { type Breaker, breaker, trialLasts } from './breaker.ts'
import type { ConfiguredReplica } from './configuration.ts'
import { type Pace, pace } from './pace.ts'
import { type Position, roundTrip } from './position.ts'
import { sendQuery, type TryNames, within } from './query.ts'
import type { Connection, StatementLimits } from './server.ts'

/** What an isolate knows about how fresh a replica's events are. */
interface Freshness {
  /** The replica has every event whose insert ended before this time; undefined if it has no heartbeat. */
  readonly asOf: number | undefined
  /** In milliseconds since 1970. */
  readonly readAt: number
}

/** A server that holds the data, and what this isolate knows about it. */
export interface Replica extends ConfiguredReplica {
  readonly breaker: Breaker
  /** The latest trial, unless it was answered. */
  trial?: { readonly since: number; hasFailed?: boolean }
  /** The replica's last failure, for the log. */
  trouble?: unknown
  freshness?: Freshness
  /** Whether the replica lags so far behind the freshest one that it is tried last. */
  isBehind?: boolean
  /** When the latest read of its watermark began. */
  readingSince?: number
}

/** An isolate's replicas. */
export interface Replicas {
  readonly all: readonly Replica[]
  readonly pace: Pace
  /** The pace of exports, measured until their first rows arrive. */
  readonly exportPace: Pace
}

/** The hedge delay for exports, in milliseconds. Exports begin later than other answers. */
const firstExportDelay = 2000

export const replicas = (configured: readonly ConfiguredReplica[]): Replicas => ({
  all: configured.map((one) => ({ ...one, breaker: breaker() })),
  pace: pace(),
  exportPace: pace(firstExportDelay),
})

/** How many of ClickHouse's answers a request is waiting for: to statements, trials and pings. */
export interface Connections {
  waiting: number
}

/** The platform lets a request wait for this many answers at the same time, and delays any others. */
const mostWaiting = 6

/** Whether the platform would probably send a ping or a trial immediately. One that is delayed proves nothing. */
export const hasFreeConnection = ({ waiting }: Connections): boolean => waiting < mostWaiting

export interface StatementCost {
  /** How many replicas were tried. */
  readonly tries: number
  readonly milliseconds: number
  readonly isAnswered: boolean
  /** The number of rows and bytes that ClickHouse read, as far as it has reported them. */
  readonly rows: number
  readonly bytes: number
}

/** How to run a request's statements: the replicas, the limits, and callbacks for events. */
export interface ReplicaRoute {
  readonly limits: StatementLimits
  readonly replicas: readonly Replica[]
  readonly pace: Pace
  /** Where the request entered Cloudflare's network. */
  readonly from: Position
  /** When the request arrived, and its deadline, in milliseconds since 1970. */
  readonly since: number
  readonly until: number
  /** Waits until the request's next statement may run. Resolves to the function to call when the statement ends. */
  readonly takeTurn: (signal: AbortSignal) => Promise<() => void>
  /** Those of this request, or of its whole batch. */
  readonly connections: Connections
  /** In milliseconds since 1970. */
  readonly time: () => number
  /** Keeps work alive after the response. */
  readonly keep: (work: Promise<unknown>) => void
  readonly nameTry: () => TryNames
  /** Called when a statement has ended, whether it was answered or not. */
  readonly ran: (cost: StatementCost) => void
  /**
   * Reads a replica's watermark; undefined if the replica has none. If this function is missing, no watermark is known.
   */
  readonly watermark?: (replica: Replica) => Promise<number | undefined>
  /** How fresh the answer must be. Replicas that are less fresh are not asked. */
  readonly need?: Need | undefined
  /**
   * Called when this replica has answered. `tries` is the number of replicas tried, `asOf` the watermark before the
   * replica was asked, if known, and `statement` the name of the statement in its plan.
   */
  readonly answered: (replica: string, tries: number, asOf: number | undefined, statement?: string) => void
  /** Called when this replica will receive no more requests until it answers a trial. */
  readonly opened: (replica: string, error: unknown) => void
}

/** The penalty for a replica that lags behind, in milliseconds. It is higher than any distance or failure. */
const behindCost = 10_000

/**
 * The replica to ask next: the nearest one that has not been asked yet and, as far as this isolate knows, answers and
 * is fresh enough. The replica that produced the previous page comes first; replicas that lag behind come last.
 */
export function nearest(
  { replicas, from, time, need }: ReplicaRoute,
  asked: ReadonlySet<Replica>,
): Replica | undefined {
  const now = time()
  const distance = ({ name, place, breaker, isBehind }: Replica): number =>
    name === need?.origin?.replica ? -1 : roundTrip(from, place) + breaker.lateness(now) + (isBehind ? behindCost : 0)
  // Replicas at equal distances stay in the order of the configuration.
  return replicas
    .filter((one) => !asked.has(one) && !one.breaker.isOpen() && isFreshEnough(one, need))
    .map((replica) => ({ replica, distance: distance(replica) }))
    .sort((one, other) => one.distance - other.distance)[0]?.replica
}

const isFreshEnough = ({ name, freshness }: Replica, need: Need | undefined): boolean =>
  meets({ replica: name, ...(freshness?.asOf !== undefined && { asOf: freshness.asOf }) }, need)

const readsNothing = compile(select(() => z.object({}))`select website_id ${noRows(events)}`.body)

/** Asks a replica whether it can answer statements. Throws if it cannot, or if it takes longer than `milliseconds`. */
export const probe = ({ server }: Replica, milliseconds: number): Promise<unknown> =>
  within(milliseconds, (signal) => {
    const bounded = { connection: server, limits: { timeout: Math.ceil(milliseconds / 1000) } }
    return sendQuery(bounded, readsNothing, signal, { query_id: `weir-trial-${crypto.randomUUID()}` })
  })

/** Tries each replica that receives no requests, if its trial is due. */
export function tryOpen(route: ReplicaRoute): void {
  for (const replica of route.replicas) tryIfOpen(replica, route)
}

/** Tries a replica if it receives no requests and its trial is due. */
export function tryIfOpen(replica: Replica, { connections, time, keep }: ReplicaRoute): void {
  const { breaker } = replica
  const since = time()
  if (!breaker.isOpen() || !breaker.beginTrial(since)) return
  const trial: NonNullable<Replica['trial']> = { since }
  connections.waiting++
  const probing = probe(replica, trialLasts).finally(() => connections.waiting--)
  const trying = probing.then(
    () => {
      breaker.answered(time())
      if (replica.trial === trial) delete replica.trial
    },
    (error: unknown) => {
      const now = time()
      breaker.trialFailed(now)
      replica.trouble = now - since < trialLasts ? error : new Error(`It answered no trial within ${trialLasts} ms.`)
      trial.hasFailed = true
    },
  )
  replica.trial = trial
  keep(trying)
}

/**
 * If no replica can be asked, a request waits for a trial for at most `trialPatience` after the trial began, and at
 * most `requestPatience` after the request arrived, in milliseconds. Requests that have waited in line therefore fail
 * as quickly as other requests.
 */
const trialPatience = 700
const requestPatience = 1900

/** The time between two checks of whether a trial has been answered, in milliseconds. */
const betweenLooks = 10

/**
 * Waits briefly for the trials of replicas that receive no requests and have not been asked yet. Returns whether one of
 * them has recovered.
 */
export async function awaitTrial(
  { replicas, time, since }: ReplicaRoute,
  asked: ReadonlySet<Replica>,
): Promise<boolean> {
  const now = time()
  const resting = replicas.filter((one) => one.breaker.isOpen() && !asked.has(one))
  const trials = resting.flatMap(({ trial }) => (trial ? [trial] : []))
  const trialsEnd = Math.max(...trials.map(({ since }) => since + trialPatience))
  const hasRecovered = (): boolean => resting.some(({ breaker }) => !breaker.isOpen())
  const isOver = (): boolean => hasRecovered() || trials.every(({ hasFailed }) => hasFailed)
  await until(isOver, Math.min(trialsEnd, since + requestPatience) - now, () => betweenLooks)
  return hasRecovered()
}

/**
 * How long to wait for the answer to a ping, and the time after which a second ping follows, in milliseconds. A single
 * lost packet proves nothing.
 */
const pingLasts = 1400
const secondPing = 150

/** If a ping's end is noticed this many milliseconds late, the isolate was busy, so the ping proves nothing. */
const ownDelay = 250

/**
 * Throws if the server cannot be reached or does not answer in time. Long-running statements do not delay the answer.
 */
const pinged = ({ url }: Connection, milliseconds: number): Promise<void> =>
  within(milliseconds, async (signal) => {
    const answer = await fetch(`${url}/ping`, { signal })
    await answer.body?.cancel()
    if (answer.status >= 500) throw new Error(`It answers /ping with ${answer.status}.`)
  })

/**
 * Pings a replica that keeps a request waiting. If it shows no sign of life, its breaker opens. `suspected` is called
 * if no sign of life comes soon. If the request has too many statements running, the platform would hold back the ping.
 */
export function ping(replica: Replica, route: ReplicaRoute, suspected = () => {}): void {
  const { connections, time, keep } = route
  const { breaker, server } = replica
  const began = time()
  if (!hasFreeConnection(connections) || !breaker.beginTrial(began)) return
  let isHeard = false
  const sent = async (milliseconds: number): Promise<void> => {
    connections.waiting++
    await pinged(server, milliseconds).finally(() => connections.waiting--)
    isHeard = true
  }
  const again = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, secondPing))
    if (isHeard) return
    suspected()
    if (hasFreeConnection(connections)) await sent(pingLasts - secondPing)
    else throw new Error('It was silent.')
  }
  const pinging = Promise.any([sent(pingLasts), again()]).then(
    () => breaker.alive(time()),
    ({ errors: [error] }: AggregateError) => {
      const now = time()
      if (now - began > pingLasts + ownDelay || breaker.isHeardSince(began)) return
      replica.trouble = error
      if (breaker.mute(now)) route.opened(replica.name, error)
    },
  )
  keep(pinging)
}

/**
 * A replica that has not answered after `missedAfter` milliseconds is pinged. It then has `lastChance` milliseconds to
 * answer the ping.
 */
const missedAfter = 200
const lastChance = 700

/** Waits for a replica's answer. Throws within a second if it answers neither the statement nor a ping. */
export function unlessSilent<Value>({ server }: Replica, asked: Promise<Value>): Promise<Value> {
  const pinging = async (): Promise<Value> => {
    await new Promise((resolve) => setTimeout(resolve, missedAfter))
    await pinged(server, lastChance)
    return asked
  }
  return Promise.race([asked, pinging()])
}

/** Whether no replica receives requests, as far as this isolate knows. */
export const isNobodyThere = ({ all }: Pick<Replicas, 'all'>): boolean => all.every(({ breaker }) => breaker.isOpen())

/** Records that a replica did not answer although there was ample time. */
export function wasSilent(replica: Replica, error: unknown, { time, opened }: ReplicaRoute): void {
  replica.trouble = error
  if (replica.breaker.silent(time())) opened(replica.name, error)
}
