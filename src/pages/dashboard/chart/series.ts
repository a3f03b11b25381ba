import type { Answer } from '@weir/client'
import type { Period } from '../address/period.ts'
import type { Metric } from '../figures/metrics.ts'

/** A bucket of the chart. */
export interface Point {
  /** Its start, in milliseconds since 1970. */
  readonly start: number
  /** Undefined for a bucket that lies ahead, and for a rate without visits. */
  readonly value: number | undefined
  /** The bucket in the same place of the period to compare with. */
  readonly before: { readonly start: number; readonly value: number | undefined } | undefined
  /** Whether the bucket is under way. */
  readonly isUnfinished: boolean
  readonly notes: readonly string[]
}

interface Note {
  /** In milliseconds since 1970. */
  readonly at: number
  readonly text: string
}

type Series = Answer<'getWebsitePageviews'>

/** The buckets of a period, those ahead included, with those to compare with beside them. */
export function pointsOf(
  series: Series,
  before: Series | undefined,
  { metric, period, notes }: { metric: Metric; period: Period; notes: readonly Note[] },
): Point[] {
  const valuesOf = (some: Series) => metric.over(some).map(({ x, y }) => ({ start: Date.parse(x), value: y }))
  const [current, earlier] = [valuesOf(series), before ? valuesOf(before) : []]
  return current.map(({ start, value }, index): Point => {
    const end = current[index + 1]?.start ?? Number.POSITIVE_INFINITY
    const isUnfinished = period.until !== undefined && start <= period.until && period.until < end
    return {
      start,
      value: period.until !== undefined && start > period.until ? undefined : value,
      before: earlier[index],
      isUnfinished,
      notes: notes.filter(({ at }) => start <= at && at < end).map(({ text }) => text),
    }
  })
}
