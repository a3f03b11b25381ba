import type { Replica, StatementCost } from '../clickhouse/replicas.ts'
import { version } from '../version.ts'

/**
 * The counters of this isolate, in the text format of Prometheus. Each label has few values, all from the code: a
 * website, a user or an address is never a label.
 */

/** Upper bounds of the histograms, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** `key="value"` pairs. The values need no escaping: they are names from the code, numbers, and names of replicas. */
type Labels = string

interface Exposed {
  /** The lines of the metric. */
  text(): string
}

const headOf = (name: string, type: string, help: string): string => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`
const sample = (name: string, labels: Labels, value: number): string =>
  `${name}${labels === '' ? '' : `{${labels}}`} ${value}\n`

/** `first`: the labels that are shown from the start, with 0. */
function counter(name: string, help: string, ...first: Labels[]): Exposed & { add(labels: Labels, by?: number): void } {
  const values = new Map<Labels, number>(first.map((labels) => [labels, 0]))
  return {
    add: (labels, by = 1) => void values.set(labels, (values.get(labels) ?? 0) + by),
    text: () =>
      headOf(name, 'counter', help) + [...values].map(([labels, value]) => sample(name, labels, value)).join(''),
  }
}

interface Distribution {
  /** How many values each bound is the first to hold; the last place counts all that are larger. */
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
const durations = histogram('http_request_duration_seconds', 'Time until the head of the answer, by endpoint.')
const answers = counter('weir_report_answers_total', 'Answers of reports, by their way through the cache.')
const statements = counter(
  'weir_clickhouse_statements_total',
  'Statements of requests, by their outcome.',
  ...['outcome="answered"', 'outcome="failed"'],
)
const tries = counter('weir_clickhouse_tries_total', 'Statements sent to replicas, further tries included.', '')
const statementDurations = histogram('weir_clickhouse_statement_duration_seconds', 'Time of statements, all tries.')
const readRows = counter('weir_clickhouse_read_rows_total', 'Rows that ClickHouse read for answers.', '')
const readBytes = counter('weir_clickhouse_read_bytes_total', 'Bytes that ClickHouse read for answers.', '')
const roundTrips = histogram('weir_d1_round_trip_duration_seconds', 'Time of round trips to D1.')

const metrics: readonly Exposed[] = [
  ...[requests, durations, answers],
  ...[statements, tries, statementDurations, readRows, readBytes, roundTrips],
]

/** Counts a request. */
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

const about = headOf('weir_info', 'gauge', 'The version of Weir.') + sample('weir_info', `version="${version}"`, 1)

/** All metrics, the breakers of these replicas among them. */
export const metricsText = (replicas: readonly Replica[]): string =>
  [...metrics.map((metric) => metric.text()), replicasUp(replicas), about].join('')

function replicasUp(replicas: readonly Replica[]): string {
  const name = 'weir_clickhouse_replica_up'
  const samples = replicas.map((one) => sample(name, `replica="${one.name}"`, one.breaker.isOpen() ? 0 : 1))
  return headOf(name, 'gauge', '1 while the replica gets requests, 0 while its breaker is open.') + samples.join('')
}
