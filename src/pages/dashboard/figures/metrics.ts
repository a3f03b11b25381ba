import type { Answer } from '@weir/client'
import type { MetricName } from '../address/address.ts'
import { formatDuration, formatShare, formatShort, formatWhole } from '../format/numbers.ts'

type Totals = Omit<Answer<'getWebsiteStats'>, 'comparison'>

/** A figure of the page. */
export interface Metric {
  readonly name: MetricName
  readonly label: string
  readonly of: (totals: Totals) => number
  /** The value on the page, and in full. */
  readonly format: (value: number) => string
  readonly formatFull: (value: number) => string
  /** Whether more is better. */
  readonly isMoreBetter: boolean
}

const perVisit = (count: (totals: Totals) => number) => (totals: Totals) =>
  totals.visits === 0 ? 0 : count(totals) / totals.visits

const count = { format: formatShort, formatFull: formatWhole, isMoreBetter: true }

export const metrics: readonly Metric[] = [
  { name: 'visitors', label: 'Visitors', of: ({ visitors }) => visitors, ...count },
  { name: 'visits', label: 'Visits', of: ({ visits }) => visits, ...count },
  { name: 'views', label: 'Views', of: ({ pageviews }) => pageviews, ...count },
  {
    name: 'bounces',
    label: 'Bounce rate',
    of: perVisit(({ bounces }) => bounces),
    format: formatShare,
    formatFull: formatShare,
    isMoreBetter: false,
  },
  {
    name: 'duration',
    label: 'Visit time',
    of: perVisit(({ totaltime }) => totaltime),
    format: formatDuration,
    formatFull: formatDuration,
    isMoreBetter: true,
  },
]

/** The figures that the chart can show. */
const charted: readonly MetricName[] = ['visitors', 'views']

export const isCharted = ({ name }: Metric): boolean => charted.includes(name)

/** The chosen metric, or the first if that has no chart. */
export const chartMetric = (name: MetricName): Metric =>
  metrics.find((metric) => metric.name === name && isCharted(metric)) ?? (metrics[0] as Metric)
