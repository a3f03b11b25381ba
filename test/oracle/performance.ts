import type { Answer, IngestRow } from './model.ts'
import { list, only } from './paging.ts'
import type { Reading } from './reading.ts'
import type { Range } from './selection.ts'
import { frameOf, inBuckets } from './series.ts'
import type { Sets } from './sets.ts'
import { compareText, containsIgnoringCase } from './text.ts'
import { grouped } from './visits.ts'

export const METRICS = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const

type Metric = (typeof METRICS)[number]

export const VITAL_COLUMNS = { path: 'url_path', title: 'page_title', device: 'device', browser: 'browser' } as const

type VitalType = keyof typeof VITAL_COLUMNS

/** The measured values of a metric in ascending order. */
function valuesOf(vitals: IngestRow[], metric: Metric): number[] {
  return vitals.flatMap((row) => row[metric] ?? []).sort((left, right) => left - right)
}

/** Interpolates linearly between the two neighbouring values. */
function percentile(sorted: number[], percent: number): number {
  if (sorted.length === 0) return 0
  const place = ((sorted.length - 1) * percent) / 100
  const below = sorted[Math.floor(place)]!
  const above = sorted[Math.floor(place) + 1] ?? below
  return below + (place - Math.floor(place)) * (above - below)
}

function percentiles(sorted: number[]) {
  return { p50: percentile(sorted, 50), p75: percentile(sorted, 75), p95: percentile(sorted, 95) }
}

function requestedMetric({ settings }: Reading): Metric {
  const given = settings.get('metric') ?? 'lcp'
  const metric = METRICS.find((one) => one === given)
  if (metric === undefined) throw new Error(`Oracle: no such metric: ${given}`)
  return metric
}

export function performanceStats({ vitals }: Sets): Answer {
  const metrics = METRICS.map((metric) => [metric, percentiles(valuesOf(vitals, metric))])
  return only({ ...Object.fromEntries(metrics), count: vitals.length })
}

/** Contains only buckets in which the metric has a measured value. */
export function performanceChart({ vitals }: Sets, reading: Reading, range: Range): Answer {
  const metric = requestedMetric(reading)
  const { unit, timezone } = frameOf(reading, range)
  const chart = inBuckets(vitals, (row) => row, { unit, timezone, filled: [] })
    .map(({ label, values }) => ({ t: label, sorted: valuesOf(values, metric) }))
    .filter(({ sorted }) => sorted.length > 0)
    .map(({ t, sorted }) => ({ t, ...percentiles(sorted) }))
  return only({ chart })
}

export function performanceMetrics({ vitals }: Sets, reading: Reading, type = reading.settings.get('type')): Answer {
  const metric = requestedMetric(reading)
  const column = VITAL_COLUMNS[type as VitalType]
  if (column === undefined) throw new Error(`Oracle: no such type: ${type}`)
  const search = reading.settings.get('search') ?? ''
  const rows = [...grouped(vitals, (row) => row[column])]
    .map(([name, some]) => ({ name, sorted: valuesOf(some, metric) }))
    .filter(({ name, sorted }) => sorted.length > 0 && containsIgnoringCase(name, search))
    .map(({ name, sorted }) => ({ name, ...percentiles(sorted), count: sorted.length }))
  rows.sort((left, right) => right.p75 - left.p75 || compareText(left.name, right.name))
  return list(reading, rows)
}
