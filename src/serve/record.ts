import type { StatementCost } from '../clickhouse/replicas.ts'
import type { Env } from '../env.ts'
import { type ApiError, statusOf } from '../errors.ts'
import type { Watch } from '../metadata/store.ts'
import { type LoggedRequest, log, logRequest } from './log.ts'
import { countRequest, countRoundTrip, countStatement, countWait } from './metrics.ts'

/**
 * Where a report's answer came from. `UPDATING`: a stale answer, while a new one is being computed. `STALE`: an older
 * answer, because ClickHouse cannot be read.
 */
export type CacheStatus = 'HIT' | 'MISS' | 'UPDATING' | 'STALE'

/** The endpoint and website of a request, and what kind of caller sent it. */
export interface RequestSubject {
  /** The name of the endpoint, or `unknown` if the path is unknown. */
  endpoint: string
  /** The id of the website, link or pixel, if it exists. */
  website?: string
  /** `public`: a reader of a public website without a credential. */
  caller: 'key' | 'user' | 'share' | 'public' | 'none'
}

/** Another system that a request waits for. */
type Part = 'd1' | 'cache' | 'clickhouse'

/**
 * Data about a request, collected by the steps that handle it, for the log, `Server-Timing`, the metrics and the
 * platform's analytics.
 */
export interface RequestRecord extends RequestSubject {
  /**
   * `inside`: Weir sent the request as part of another one, such as a path of a batch. `listening`: it is a check for a
   * live answer.
   */
  readonly via: 'http' | 'inside' | 'listening'
  cache?: CacheStatus
  /** The replicas that answered this request's statements. */
  readonly replicas: Set<string>
  /** The maximum number of replicas that were tried for any of its statements. */
  tries: number
  statements: number
  /** The number of rows that ClickHouse read for this request. */
  rows: number
  bytes: number
  /** How long the request waited for each part, in milliseconds. Parts that it did not wait for are absent. */
  readonly waited: Partial<Record<Part, number>>
  /** The error with which the request was refused. */
  error?: ApiError
  /** The work on a newer answer, which continues after the response. */
  update?: Promise<unknown>
}

export const newRecord = (via: RequestRecord['via']): RequestRecord => ({
  endpoint: 'unknown',
  caller: 'none',
  via,
  replicas: new Set(),
  tries: 0,
  statements: 0,
  rows: 0,
  bytes: 0,
  waited: {},
})

interface Timed {
  /** Milliseconds since the request arrived. */
  readonly elapsed: () => number
  readonly record: RequestRecord
}

/** Waits for the work, and adds the time to the request's waiting time for this part. */
export async function during<Value>({ record, elapsed }: Timed, part: Part, work: Promise<Value>): Promise<Value> {
  const began = elapsed()
  try {
    return await work
  } finally {
    record.waited[part] = (record.waited[part] ?? 0) + elapsed() - began
  }
}

/** Measures round trips to D1. */
export const watchOf =
  (env: Recorders, timed: Timed): Watch =>
  async (trip) => {
    const began = timed.elapsed()
    return during(timed, 'd1', trip()).finally(() => {
      if (env.METRICS_TOKEN) countRoundTrip(timed.elapsed() - began)
    })
  }

/** The bindings that decide what is recorded. */
export type Recorders = Pick<Env, 'ANALYTICS' | 'LOG' | 'METRICS_TOKEN'>

interface Recorded {
  readonly env: Recorders
  readonly record: RequestRecord
}

/** What a request cost, including its inner requests. */
export interface Spent {
  /** The number of rows that ClickHouse read. */
  rows: number
  /** Whether the number of rows would reveal events or properties that the caller may not see. */
  isHidden?: true
}

/** Adds a statement's cost to the request's record. */
export function recordStatement(
  { env, record, spent }: Recorded & { readonly spent: Spent },
  cost: StatementCost,
): void {
  spent.rows += cost.rows
  record.statements++
  record.tries = Math.max(record.tries, cost.tries)
  record.rows += cost.rows
  record.bytes += cost.bytes
  if (env.METRICS_TOKEN) countStatement(cost)
}

/** Adds the milliseconds that one of the request's statements waited in line to the metrics. */
export function recordWait({ env }: Pick<Recorded, 'env'>, milliseconds: number): void {
  if (env.METRICS_TOKEN) countWait(milliseconds)
}

/** The value of `Server-Timing`: how long the request waited for each part, and how long it took in total. */
export const serverTiming = ({ cache, waited }: Pick<RequestRecord, 'cache' | 'waited'>, total?: number): string =>
  [
    cache && `cache;desc=${cache}${waited.cache === undefined ? '' : `;dur=${waited.cache}`}`,
    waited.d1 !== undefined && `d1;dur=${waited.d1}`,
    waited.clickhouse !== undefined && `clickhouse;dur=${waited.clickhouse}`,
    total !== undefined && `total;dur=${total}`,
  ]
    .filter((metric) => metric)
    .join(', ')

/** Completes a request's record once the response has been created. */
export function recordResponse(request: LoggedRequest & Recorded & Timed, response: Response): void {
  const { env, record, elapsed } = request
  const total = elapsed()
  // Refusals have no timings, which would reveal which ids exist, because failed look-ups are never cached.
  if (response.status < 400) response.headers.set('Server-Timing', serverTiming(record, total))
  const write = (): void => writeRecord(env, request, record, { status: response.status, total })
  if (record.update) void record.update.then(write, write)
  else write()
}

interface Outcome {
  readonly status: number
  /** Milliseconds until the response headers. */
  readonly total: number
}

/** Writes a request's record to the log, the metrics and the platform's analytics. */
export function writeRecord(env: Recorders, request: LoggedRequest, record: RequestRecord, outcome: Outcome): void {
  const { status } = outcome
  // A live answer is checked every two seconds. Only the request that started it is counted.
  if (record.via === 'listening' && status < 500 && status !== statusOf['too-much-data']) return
  if (env.METRICS_TOKEN) countRequest(record, outcome)
  logRequest(request, env.LOG, status, () => lineOf(record, outcome))
  try {
    env.ANALYTICS?.writeDataPoint(pointOf(record, outcome))
  } catch (error) {
    log({ ...request, record }, { analytics: String(error) })
  }
}

/** The fields of a request's log line. */
function lineOf(record: RequestRecord, { status, total }: Outcome) {
  const { endpoint, website, caller, via, cache, statements, waited, error } = record
  const cause = error?.cause instanceof Error ? error.cause : undefined
  return {
    ...{ endpoint, website, caller, via, status, code: error?.code, cache },
    ...{ replica: namesOf(record.replicas) || undefined, tries: record.tries || undefined },
    ...(statements > 0 && { statements, rows: record.rows, bytes: record.bytes }),
    ...{ totalMs: total, cacheMs: waited.cache, d1Ms: waited.d1, clickhouseMs: waited.clickhouse },
    ...(cause && { cause: cause.message, stack: cause.stack }),
  }
}

/** A request's data point. docs/operations.md lists the columns, whose order is fixed. */
const pointOf = (record: RequestRecord, { status, total }: Outcome) => ({
  indexes: [record.website ?? 'none'],
  blobs: [
    ...[record.endpoint, record.caller, String(status), record.error?.code ?? '', record.cache ?? ''],
    ...[namesOf(record.replicas), record.via],
  ],
  doubles: [
    ...[total, record.waited.cache ?? 0, record.waited.d1 ?? 0, record.waited.clickhouse ?? 0],
    ...[record.statements, record.tries, record.rows, record.bytes],
  ],
})

/** The replicas' names as one string, for `X-Replica`. */
export const namesOf = (replicas: ReadonlySet<string>): string => [...replicas].sort().join(', ')
