import type { Replica, StatementCost } from '../clickhouse/replicas.ts'
import type { ServerState } from '../clickhouse/server-state.ts'
import type { LogState } from '../collect/candidate.ts'
import { sumByName } from '../collect/counts.ts'
import type { RecordingState } from '../collect/recording-candidate.ts'
import { version } from '../version.ts'

/**
 * This isolate's counters, in Prometheus's text format. Each label has few possible values, all of which come from the
 * code: a user or an address is never a label. Only ignored bots and warnings are counted per website.
 */

/** The upper bounds of the histogram buckets, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/**
 * `key="value"` pairs. The values need no escaping, because they are names from the code, numbers, or replica names.
 */
type Labels = string

interface Exposed {
  /** The metric's lines. */
  text(): string
}

const headOf = (name: string, type: string, help: string): string => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
const sample = (name: string, labels: Labels, value: number): string =>
  `${name}${labels === '' ? '' : `{${labels}}`} ${value}\n`

/** `first`: labels that are already listed, with the value 0, before they are first counted. */
function counter(name: string, help: string, ...first: Labels[]): Exposed & { add(labels: Labels, by?: number): void } {
  const values = new Map<Labels, number>(first.map((labels) => [labels, 0]))
  return {
    add: (labels, by = 1) => void values.set(labels, (values.get(labels) ?? 0) + by),
    text: () =>
      headOf(name, 'counter', help) + [...values].map(([labels, value]) => sample(name, labels, value)).join(''),
  }
}

interface Distribution {
  /**
   * For each bound, the number of values up to it and above the previous bound. The last number is for larger values.
   */
  readonly counts: number[]
  sum: number
}

function histogram(name: string, help: string): Exposed & { observe(labels: Labels, milliseconds: number): void } {
  const series = new Map<Labels, Distribution>()
  const textOf = (labels: Labels, { counts, sum }: Distribution): string => {
    const before = labels === '' ? '' : `${labels},`
    let total = 0
    const buckets = counts.map((count, place) => {
      total += count
      return sample(`${name}_bucket`, `${before}le="${bounds[place] ?? '+Inf'}"`, total)
    })
    return [...buckets, sample(`${name}_sum`, labels, sum / 1000), sample(`${name}_count`, labels, total)].join('')
  }
  return {
    observe(labels, milliseconds) {
      const known = series.get(labels) ?? { counts: new Array<number>(bounds.length + 1).fill(0), sum: 0 }
      const place = bounds.findIndex((bound) => milliseconds <= bound * 1000)
      known.counts[place < 0 ? bounds.length : place]!++
      known.sum += milliseconds
      series.set(labels, known)
    },
    text: () => headOf(name, 'histogram', help) + [...series].map(([labels, one]) => textOf(labels, one)).join(''),
  }
}

const requests = counter('http_requests_total', 'Requests, and paths of batches, by endpoint and status.')
const durations = histogram('http_request_duration_seconds', 'Time until the response headers, by endpoint.')
const answers = counter(
  'weir_report_answers_total',
  'Report answers, by cache status.',
  ...['HIT', 'MISS', 'UPDATING', 'STALE'].map((cache) => `cache="${cache}"`),
)
const statements = counter(
  'weir_clickhouse_statements_total',
  'Statements run for requests, by outcome.',
  ...['outcome="answered"', 'outcome="failed"'],
)
const tries = counter('weir_clickhouse_tries_total', 'Statements sent to replicas, including retries.', '')
const statementDurations = histogram('weir_clickhouse_statement_duration_seconds', 'Statement time, all tries.')
const readRows = counter('weir_clickhouse_read_rows_total', 'Rows that ClickHouse read for answers.', '')
const readBytes = counter('weir_clickhouse_read_bytes_total', 'Bytes that ClickHouse read for answers.', '')
const roundTrips = histogram('weir_d1_round_trip_duration_seconds', 'Duration of round trips to D1.')

const waits = histogram('weir_line_wait_duration_seconds', 'Time that statements wait in line in this isolate.')

/** This isolate's counters, with a group for each part of Weir that has any. */
const metrics: readonly Exposed[] = [
  ...[requests, durations, answers],
  ...[statements, tries, statementDurations, readRows, readBytes, waits],
  ...[roundTrips],
]

export function countRequest(
  { endpoint, cache }: { readonly endpoint: string; readonly cache?: string },
  { status, total }: { readonly status: number; readonly total: number },
): void {
  requests.add(`endpoint="${endpoint}",status="${status}"`)
  durations.observe(`endpoint="${endpoint}"`, total)
  if (cache) answers.add(`cache="${cache}"`)
}

export function countStatement(cost: StatementCost): void {
  statements.add(`outcome="${cost.isAnswered ? 'answered' : 'failed'}"`)
  tries.add('', cost.tries)
  statementDurations.observe('', cost.milliseconds)
  readRows.add('', cost.rows)
  readBytes.add('', cost.bytes)
}

export const countRoundTrip = (milliseconds: number): void => roundTrips.observe('', milliseconds)

/** Records how long a statement waited in the queue, which may be 0. */
export const countWait = (milliseconds: number): void => waits.observe('', milliseconds)

const about = headOf('weir_info', 'gauge', 'The version of Weir.') + sample('weir_info', `version="${version}"`, 1)

/** The state of a log object, by its place; undefined if it did not answer. */
type Placed<State> = readonly [log: string, state: State | undefined]

/** A gauge that shows which log objects answer, and the states of those that do. */
function answering<State>(name: string, all: readonly Placed<State>[]) {
  const up = all.map(([log, state]) => sample(name, `log="${log}"`, state ? 1 : 0))
  const logs = all.flatMap(([log, state]) => (state ? [[log, state] as const] : []))
  return { logs, text: headOf(name, 'gauge', '1 while the log object answers, else 0.') + up.join('') }
}

/** The statistics of each log object. Its counters restart at 0 when it is loaded again. */
function collection(all: readonly Placed<LogState>[], now: number): string {
  const { logs, text } = answering('weir_collect_up', all)
  const figures: readonly [name: string, type: string, help: string, of: (state: LogState) => number][] = [
    ['weir_collect_rows', 'gauge', 'Rows that are waiting for ClickHouse.', ({ rows }) => rows],
    ['weir_collect_bytes', 'gauge', 'Bytes that are waiting for ClickHouse.', ({ bytes }) => bytes],
    [
      'weir_collect_oldest_seconds',
      'gauge',
      'Age of the oldest row that is waiting.',
      ({ oldest }) => secondsAgo(oldest, now),
    ],
    [
      'weir_collect_accepted_total',
      'counter',
      'Events and identify calls that were accepted.',
      ({ accepted }) => accepted,
    ],
    ['weir_collect_repeats_total', 'counter', 'Repeated events.', ({ repeats }) => repeats],
    ['weir_collect_unknown_total', 'counter', 'Events for websites that do not exist.', ({ refused }) => refused],
    ['weir_collect_full_total', 'counter', 'Events refused for lack of room.', ({ full }) => full],
    [
      'weir_collect_old_rows',
      'gauge',
      'Rows older than COLLECT_LATE that are waiting for ClickHouse.',
      ({ oldRows }) => oldRows,
    ],
    ['weir_collect_ignored_total', 'counter', 'Events that named an address in IGNORE_IP.', ({ ignored }) => ignored],
    ['weir_collect_set_aside_total', 'counter', 'Rows that ClickHouse refused.', ({ setAside }) => setAside],
    ['weir_collect_flushes_total', 'counter', 'Flushes to ClickHouse.', ({ flushes }) => flushes],
    [
      'weir_collect_failed_flushes_total',
      'counter',
      'Flushes that failed and are retried.',
      ({ failedFlushes }) => failedFlushes,
    ],
    ['weir_collect_written_rows_total', 'counter', 'Rows written to SQLite.', ({ writtenRows }) => writtenRows],
    ['weir_collect_flush_seconds_total', 'counter', 'Total flush time.', ({ flushTime }) => flushTime / 1000],
  ]
  const texts = figures.map(([name, type, help, of]) => {
    const samples = logs.map(([log, state]) => sample(name, `log="${log}"`, of(state)))
    return headOf(name, type, help) + samples.join('')
  })
  const counts: readonly [name: string, help: string, of: (state: LogState) => LogState['bots']][] = [
    ['weir_collect_bots_total', 'Bot events, for the 100 websites with the most.', ({ bots }) => bots],
    ['weir_collect_warnings_total', 'Corrected fields, for the 100 websites with the most.', (one) => one.warnings],
  ]
  const byWebsite = counts.map(([name, help, of]) => {
    const all = [...sumByName(logs.flatMap(([, state]) => of(state)))]
    return headOf(name, 'counter', help) + all.map(([id, count]) => sample(name, `website="${id}"`, count)).join('')
  })
  return [text, ...texts, ...byWebsite].join('')
}

/** The metrics of each log object of recordings. */
function recordings(all: readonly Placed<RecordingState>[], now: number): string {
  const { logs, text } = answering('weir_record_up', all)
  const figures: readonly [name: string, type: string, help: string, of: (state: RecordingState) => number][] = [
    ['rows', 'gauge', 'Recorder requests that are waiting for ClickHouse.', ({ rows }) => rows],
    ['bytes', 'gauge', 'Bytes of these requests.', ({ bytes }) => bytes],
    ['oldest_seconds', 'gauge', 'Age of the oldest waiting request.', ({ oldest }) => secondsAgo(oldest, now)],
    ['chunks_total', 'counter', 'Stored parts of replays.', ({ chunks }) => chunks],
    ['heatmap_events_total', 'counter', 'Stored heatmap events.', ({ heatmapEvents }) => heatmapEvents],
    ['repeats_total', 'counter', 'Repeated requests.', ({ repeats }) => repeats],
    ['full_visits_total', 'counter', 'Requests for visits that are full.', ({ full }) => full],
    ['full_days_total', 'counter', 'Requests beyond RECORD_DAILY.', ({ spent }) => spent],
    ['full_total', 'counter', 'Requests refused for lack of room.', ({ crowded }) => crowded],
    ['fragments_total', 'counter', 'Dropped events that arrived in pieces.', ({ fragments }) => fragments],
    ['refused_total', 'counter', 'Rows that ClickHouse refused.', ({ refusedRows }) => refusedRows],
    ['failed_flushes_total', 'counter', 'Flushes that failed and are retried.', ({ failedFlushes }) => failedFlushes],
  ]
  const texts = figures.map(([figure, type, help, of]) => {
    const name = `weir_record_${figure}`
    return headOf(name, type, help) + logs.map(([log, state]) => sample(name, `log="${log}"`, of(state))).join('')
  })
  return [text, ...texts].join('')
}

const secondsAgo = (moment: number | undefined, now: number): number =>
  moment === undefined ? 0 : Math.max(0, now - moment) / 1000

/**
 * When this isolate was first scraped, in seconds since 1970. The start is unknown, because a Worker has no clock
 * before its first request.
 */
let since: number | undefined

/** All metrics: the counters and the current state of these replicas and logs. */
export function metricsText(
  replicas: readonly Replica[],
  servers: readonly ServerState[],
  logs: readonly Placed<LogState>[],
  recorded: readonly Placed<RecordingState>[],
  { now, purgedAt }: { readonly now: number; readonly purgedAt: number | undefined },
): string {
  since ??= now / 1000
  const gone = new Set(servers.filter(({ isThere }) => !isThere).map(({ replica }) => replica))
  const ofServers = (name: string, help: string, of: (state: ServerState) => number | undefined): string =>
    gauge(`weir_clickhouse_${name}`, help, servers, ({ replica }) => replica, of)
  return [
    ...metrics.map((metric) => metric.text()),
    gauge(
      'weir_clickhouse_replica_up',
      '1 while the replica gets requests, 0 while its breaker is open or nobody listens there.',
      replicas,
      ({ name }) => name,
      ({ name, breaker }) => (breaker.isOpen() || gone.has(name) ? 0 : 1),
    ),
    ofServers('as_of_timestamp_seconds', 'Its answers include every event stored before this time.', ({ asOf }) =>
      asOf === undefined ? undefined : asOf / 1000,
    ),
    ofServers('uptime_seconds', 'Time since the server started.', ({ uptime }) => uptime),
    ofServers('free_disk_bytes', 'The free space on the disk that has the least.', ({ freeBytes }) => freeBytes),
    ofServers(
      'broken_parts',
      'Broken parts that the server detached. Their rows are missing from answers.',
      (state) => state.brokenParts,
    ),
    ofServers(
      'unsealed_days',
      'Days of the last week that have ended but that no chain covers.',
      (state) => state.unsealedDays,
    ),
    headOf('weir_start_timestamp_seconds', 'gauge', 'The first scrape of this isolate.') +
      sample('weir_start_timestamp_seconds', '', since),
    headOf('weir_purge_timestamp_seconds', 'gauge', 'When old recordings were last deleted; 0 if never.') +
      (purgedAt === undefined ? '' : sample('weir_purge_timestamp_seconds', '', purgedAt / 1000)),
    collection(logs, now),
    recordings(recorded, now),
    about,
  ].join('')
}

/** A gauge with one sample for each known figure. */
function gauge<One>(
  name: string,
  help: string,
  all: readonly One[],
  replica: (one: One) => string,
  figure: (one: One) => number | undefined,
): string {
  const known = all.flatMap((one) => {
    const value = figure(one)
    return value === undefined ? [] : [sample(name, `replica="${replica(one)}"`, value)]
  })
  return headOf(name, 'gauge', help) + known.join('')
}
