import type { StatementCost } from '../clickhouse/replicas.ts'
import type { Env } from '../env.ts'
import type { ApiError } from '../errors.ts'
import type { Watch } from '../metadata/store.ts'
import { type LoggedRequest, log, logRequest } from './log.ts'
import { countRequest, countRoundTrip, countStatement, countWait } from './metrics.ts'

/**
 * The origin of a report's answer. `UPDATING`: a stale answer, while a new one is made. `STALE`: an older answer,
 * because ClickHouse cannot be read.
 */
export type CacheStatus = 'HIT' | 'MISS' | 'UPDATING' | 'STALE'

/** The endpoint and website of a request, and the kind of caller. */
export interface RequestSubject {
  /** The name of the endpoint; `unknown` for an unknown path. */
  endpoint: string
  /** The id of the website, link or pixel, if it exists. */
  website?: string
  /** `public`: a reader of a public website without a credential. */
  caller: 'key' | 'user' | 'share' | 'public' | 'none'
}

/** A part of a request that waits for another system. */
type Part = 'd1' | 'cache' | 'clickhouse'

/**
 * Facts about a request. Its steps fill them in; the log, `Server-Timing`, the metrics and the platform's analytics
 * read them.
 */
export interface RequestRecord extends RequestSubject {
  /** `inside`: Weir sent it for another request, such as a path of a batch. `listening`: a check for a live answer. */
  readonly via: 'http' | 'inside' | 'listening'
  cache?: CacheStatus
  /** The replicas that answered statements of this request. */
  readonly replicas: Set<string>
  /** The most replicas that were tried for one statement. */
  tries: number
  statements: number
  /** The number of rows that ClickHouse read for this request. */
  rows: number
  bytes: number
  /** The milliseconds that the request waited, by part; a part that it did not wait for is absent. */
  readonly waited: Partial<Record<Part, number>>
  /** The error with which the request was refused. */
  error?: ApiError
  /** The work on a newer answer. It continues after the response. */
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

/** Waits for work, and adds the time to a part of the request. */
export async function during<Value>({ record, elapsed }: Timed, part: Part, work: Promise<Value>): Promise<Value> {
  const began = elapsed()
  try {
    return await work
  } finally {
    record.waited[part] = (record.waited[part] ?? 0) + elapsed() - began
  }
}

/** Measures the round trips to D1. */
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

/** The cost of a request, including its inner requests. */
export interface Spent {
  /** Rows that ClickHouse read. */
  rows: number
  /** Whether the number of rows would reveal events or properties that the caller may not see. */
  isHidden?: true
}

/** Adds the cost of a statement to the record of the request. */
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

/** Counts the milliseconds that a statement of the request waited in line. */
export function recordWait({ env }: Pick<Recorded, 'env'>, milliseconds: number): void {
  if (env.METRICS_TOKEN) countWait(milliseconds)
}

/** The value of `Server-Timing`: how long the request waited for each part, and for all of them. */
export const serverTiming = ({ cache, waited }: Pick<RequestRecord, 'cache' | 'waited'>, total?: number): string =>
  [
    cache && `cache;desc=${cache}${waited.cache === undefined ? '' : `;dur=${waited.cache}`}`,
    waited.d1 !== undefined && `d1;dur=${waited.d1}`,
    waited.clickhouse !== undefined && `clickhouse;dur=${waited.clickhouse}`,
    total !== undefined && `total;dur=${total}`,
  ]
    .filter((metric) => metric)
    .join(', ')

/** Ends the record of a request once its response is made. */
export function recordResponse(request: LoggedRequest & Recorded & Timed, response: Response): void {
  const { env, record, elapsed } = request
  const total = elapsed()
  // The times of a refusal would reveal which ids exist, because failed look-ups are never cached.
  if (response.status < 400) response.headers.set('Server-Timing', serverTiming(record, total))
  const write = (): void => writeRecord(env, request, record, { status: response.status, total })
  if (record.update) void record.update.then(write, write)
  else write()
}

interface Outcome {
  readonly status: number
  /** Milliseconds until the head of the response. */
  readonly total: number
}

/** Writes the record of a request to the log, the metrics and the platform's analytics. */
export function writeRecord(env: Recorders, request: LoggedRequest, record: RequestRecord, outcome: Outcome): void {
  const { status } = outcome
  // A live answer is checked every two seconds. Only the request that began the live answer counts.
  if (record.via === 'listening' && status < 500) return
  if (env.METRICS_TOKEN) countRequest(record, outcome)
  logRequest(request, env.LOG, status, () => lineOf(record, outcome))
  try {
    env.ANALYTICS?.writeDataPoint(pointOf(record, outcome))
  } catch (error) {
    log({ ...request, record }, { analytics: String(error) })
  }
}

/** The fields of a request's line. */
function lineOf(record: RequestRecord, { status, total }: Outcome) {
  const { endpoint, website, caller, via, cache, statements, waited, error } = record
  const cause = status >= 500 && error?.cause instanceof Error ? error.cause : undefined
  return {
    ...{ endpoint, website, caller, via, status, code: error?.code, cache },
    ...{ replica: namesOf(record.replicas) || undefined, tries: record.tries || undefined },
    ...(statements > 0 && { statements, rows: record.rows, bytes: record.bytes }),
    ...{ totalMs: total, cacheMs: waited.cache, d1Ms: waited.d1, clickhouseMs: waited.clickhouse },
    ...(cause && { cause: cause.message, stack: cause.stack }),
  }
}

/** The data point of a request. docs/operations.md lists the columns; their order is fixed. */
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

/** The names of replicas, as one text: the value of `X-Replica`. */
export const namesOf = (replicas: ReadonlySet<string>): string => [...replicas].sort().join(', ')
