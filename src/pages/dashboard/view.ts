import { dayOf } from '../../request/time-zone.ts'
import type { Address } from './address/address.ts'
import { mayFilter } from './address/fields.ts'
import { type Filter, filtersParameter } from './address/filters.ts'
import { type Period, parametersOf, periodOf } from './address/period.ts'
import type { Data } from './data/data.ts'
import { type Opening, opens, type Subject } from './data/opening.ts'
import { type Metric, metricOf } from './figures/metrics.ts'

/** The website, link or pixel that a URL refers to, with the data to show. */
interface View {
  readonly period: Period
  readonly filters: readonly Filter[]
  /** The input that all questions share. */
  readonly common: { readonly websiteId: string; readonly filters?: string }
  /** Whether the period is known. */
  readonly isReady: boolean
  readonly hasTotals: boolean
}

/** The time of the first event, in milliseconds since 1970. Undefined if it is unknown, or if there is no event. */
interface Dates {
  readonly isKnown: boolean
  readonly first: number | undefined
}

const unknown: Dates = { isKnown: false, first: undefined }

export function viewOf(
  opening: Opening,
  { id }: Subject,
  address: Address,
  { isKnown, first }: Dates,
  now: number,
): View {
  const filters = address.filters.filter(({ field }) => mayFilter(field, opening))
  const text = filtersParameter(filters)
  const isReady = address.period !== 'all' || isKnown
  return {
    ...{ filters, isReady, hasTotals: opens(opening, 'overview', 'compare') && isReady },
    period: periodOf(address, first === undefined ? undefined : dayOf(first, address.zone), now),
    common: { websiteId: id, ...(text !== undefined && { filters: text }) },
  }
}

/** The question for the figures. */
export const totalsOf = (data: Data, { common, period }: Pick<View, 'common' | 'period'>) =>
  data.totals({ ...common, ...parametersOf(period) })

/** The whole days of a period, including future days, because the chart shows those too. */
const daysOf = (period: Period) => parametersOf({ ...period, until: undefined })

/** The parameters that determine the buckets of a series. */
export const bucketsOf = ({ unit }: Period, { isOfVisits }: Metric) => ({
  unit,
  ...(isOfVisits && { include: 'visits' as const }),
})

/** The question for the chart. */
export const seriesOf = (data: Data, { common, period }: Pick<View, 'common' | 'period'>, metric: Metric) =>
  data.series({ ...common, ...daysOf(period), ...bucketsOf(period, metric) }, { rank: 'first', moment: period.until })

/** The website, link or pixel that the URL identifies; undefined if nothing is open. */
export const subjectOf = ({ subjects, sections }: Opening, { part }: Address): Subject | undefined =>
  sections.length === 0 ? undefined : (subjects.find(({ id }) => id === part) ?? subjects[0])

/** The questions that the page sends first. */
export function firstQuestions(data: Data, opening: Opening, address: Address, now: number) {
  const subject = subjectOf(opening, address)
  if (!subject) return []
  const view = viewOf(opening, subject, address, unknown, now)
  const numbers = view.hasTotals ? [totalsOf(data, view), seriesOf(data, view, metricOf(address.metric))] : []
  const board = opening.boardId === undefined ? [] : [data.board(opening.boardId)]
  return [...numbers, ...board, data.name(subject)]
}
