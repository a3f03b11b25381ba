import type { Answer } from '@weir/client'
import type { MetricName } from '../address/address.ts'
import { formatDuration, formatShare, formatShort, formatWhole } from '../format/numbers.ts'

type Totals = Omit<Answer<'getWebsiteStats'>, 'comparison'>
type Series = Answer<'getWebsitePageviews'>

/** A bucket of a series: its start as ISO 8601, and its value. A rate without visits has no value. */
interface Value {
  readonly x: string
  readonly y: number | undefined
}

/** A figure of the page. */
export interface Metric {
  readonly name: MetricName
  readonly label: string
  /**
   * A question about the figure. `meaning` is the answer: a sentence from docs/what-is-counted.md, under the heading
   * `chapter`.
   */
  readonly question: string
  readonly meaning: string
  readonly chapter: string
  readonly of: (totals: Totals) => number
  readonly over: (series: Series) => readonly Value[]
  /** Whether the request for the series must include visits. */
  readonly isOfVisits: boolean
  /** Formats the value in short form for the page, and in full. */
  readonly format: (value: number) => string
  readonly formatFull: (value: number) => string
  /** Whether a higher value is better. */
  readonly isMoreBetter: boolean
}

const perVisit = (count: (totals: Totals) => number) => (totals: Totals) =>
  totals.visits === 0 ? 0 : count(totals) / totals.visits

/** A figure divided by visits, bucket by bucket. */
const overVisits =
  (figure: 'bounces' | 'totaltime') =>
  (series: Series): Value[] =>
    (series[figure] ?? []).map(({ x, y }, index) => {
      const visits = series.visits?.[index]?.y ?? 0
      return { x, y: visits > 0 ? y / visits : undefined }
    })

const count = { format: formatShort, formatFull: formatWhole, isMoreBetter: true }

export const metrics: readonly Metric[] = [
  {
    name: 'visitors',
    label: 'Visitors',
    question: 'What is a visitor?',
    meaning: 'A visitor is one browser at one address, in one month.',
    chapter: 'visitors',
    of: ({ visitors }) => visitors,
    over: ({ sessions }) => sessions,
    isOfVisits: false,
    ...count,
  },
  {
    name: 'visits',
    label: 'Visits',
    question: 'What is a visit?',
    meaning: 'A visit ends when its visitor sends no event for 30 minutes.',
    chapter: 'visits',
    of: ({ visits }) => visits,
    over: ({ visits = [] }) => visits,
    isOfVisits: true,
    ...count,
  },
  {
    name: 'views',
    label: 'Views',
    question: 'What is a view?',
    meaning: 'A view is an event without a name: a page view, or a hit of a link or a pixel.',
    chapter: 'events',
    of: ({ pageviews }) => pageviews,
    over: ({ pageviews }) => pageviews,
    isOfVisits: false,
    ...count,
  },
  {
    name: 'bounces',
    label: 'Bounce rate',
    question: 'What is a bounce?',
    meaning: 'A bounce is a visit with exactly one view and no custom event.',
    chapter: 'visits',
    of: perVisit(({ bounces }) => bounces),
    over: overVisits('bounces'),
    isOfVisits: true,
    format: formatShare,
    formatFull: formatShare,
    isMoreBetter: false,
  },
  {
    name: 'duration',
    label: 'Visit time',
    question: 'How long is a visit?',
    meaning: 'Visit time goes from the first view of a visit to its last one.',
    chapter: 'visits',
    of: perVisit(({ totaltime }) => totaltime),
    over: overVisits('totaltime'),
    isOfVisits: true,
    format: formatDuration,
    formatFull: formatDuration,
    isMoreBetter: true,
  },
]

/** Whether the series contains the metric. */
export const has = (series: Series, { isOfVisits }: Metric): boolean => !isOfVisits || series.visits !== undefined

/** The metric of this name. */
export const metricOf = (name: MetricName): Metric =>
  metrics.find((metric) => metric.name === name) ?? (metrics[0] as Metric)
