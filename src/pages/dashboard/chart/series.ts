import type { Answer } from '@weir/client'
import type { Period } from '../address/period.ts'
import type { Metric } from '../figures/metrics.ts'

/** A bucket of the chart. */
export interface Point {
  /** The bucket's start, in milliseconds since 1970. */
  readonly start: number
  /** Undefined if the bucket is in the future or before the first event, or for a rate if there are no visits. */
  readonly value: number | undefined
  /** The bucket at the same position in the comparison period. */
  readonly before: { readonly start: number; readonly value: number | undefined } | undefined
  /** Whether the bucket has not ended. */
  readonly isUnfinished: boolean
  readonly notes: readonly string[]
}

type Series = Answer<'getWebsitePageviews'>

interface Drawn {
  readonly metric: Metric
  readonly period: Period
  readonly notes: readonly { readonly at: number; readonly note: string }[]
  /** The time of the website's first event, in milliseconds since 1970. Nothing was counted before that. */
  readonly since: number | undefined
}

/** The buckets of a period, including future ones, each with the matching bucket of the comparison period. */
export function pointsOf(series: Series, before: Series | undefined, { metric, period, notes, since }: Drawn): Point[] {
  const valuesOf = (some: Series) =>
    metric.over(some).map(({ x, y }, index, all) => {
      const next = all[index + 1]
      const isEmpty = since !== undefined && next !== undefined && Date.parse(next.x) <= since
      return { start: Date.parse(x), value: isEmpty ? undefined : y }
    })
  const [current, earlier] = [valuesOf(series), before ? valuesOf(before) : []]
  return current.map(({ start, value }, index): Point => {
    const end = current[index + 1]?.start ?? Number.POSITIVE_INFINITY
    const isUnfinished = period.until !== undefined && start <= period.until && period.until < end
    return {
      start,
      value: period.until !== undefined && start > period.until ? undefined : value,
      before: earlier[index],
      isUnfinished,
      notes: notes.filter(({ at }) => start <= at && at < end).map(({ note }) => note),
    }
  })
}

/** The chart as CSV: times in UTC as ISO 8601, and exact values. It has no values before the first event. */
export function seriesFile(points: readonly Point[], { name }: Metric): Blob {
  const time = (start: number) => new Date(start).toISOString()
  const rows = points.map(({ start, value, before }) => [
    ...[time(start), value ?? ''],
    ...[before ? time(before.start) : '', before?.value ?? ''],
  ])
  return new Blob([
    [['from', name, 'compared_from', `compared_${name}`], ...rows].map((row) => `${row.join(',')}\r\n`).join(''),
  ])
}
