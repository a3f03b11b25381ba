import type { Answer, Input } from '@weir/client'
import type { ComponentType } from 'preact'
import type { FilterField, PlainField } from '../address/fields.ts'
import { isChosen } from '../address/filters.ts'
import type { Section } from '../data/opening.ts'
import { countryName, markOf, type ValueKind, valueName } from '../format/names.ts'
import { formatDuration, formatShare, formatShort } from '../format/numbers.ts'
import type { Board } from './context.ts'
import type { Row } from './rows.tsx'

/** A tab of a card that is not a list of values. */
export interface ViewTab {
  readonly name: string
  readonly label: string
  /** The tab is shown if at least one of these sections is open. */
  readonly sections: readonly Section[]
  readonly view: ComponentType
}

/** A list that a card can show. */
export interface MetricTab extends Omit<ViewTab, 'view'> {
  readonly type: Input<'getWebsiteMetrics'>['type']
  readonly kind: ValueKind
  /** The filter field that a click on a row uses. */
  readonly field: FilterField | undefined
  /** The column headings. */
  readonly columns: readonly [string, string]
  /** Whether rows count events instead of visitors. If they do, they show no percentage of all visitors. */
  readonly countsEvents?: true
}

/** The list of the values of a field. */
export const fieldTab = (
  field: PlainField & MetricTab['type'],
  label: string,
  head: string,
  sections: MetricTab['sections'],
): MetricTab => ({
  ...{ name: field, label, type: field, kind: field, field, sections },
  columns: [head, 'Visitors'],
})

type Metric = Answer<'getWebsiteMetrics'>[number]

type Expanded = Answer<'getWebsiteExpandedMetrics'>[number]

type Measured = Pick<Expanded, 'visits' | 'pageviews' | 'bounces' | 'totaltime'>

/** The headings of the extra columns in a whole list. */
export const moreColumns = ['Visits', 'Views', 'Bounce rate', 'Visit time'] as const

/** The rows of a complete list. They have extra columns if they count visitors. */
export function expandedRowsOf(metrics: readonly Expanded[], tab: MetricTab, board: Board): Row[] {
  const rows = rowsOf(
    metrics.map(({ name, visitors, pageviews, country }) => ({
      ...{ x: name, y: tab.countsEvents ? pageviews : visitors },
      ...(country !== undefined && { country }),
    })),
    tab,
    board,
  )
  return tab.countsEvents ? rows : rows.map((row, index) => ({ ...row, more: moreOf(metrics[index]!) }))
}

/** The texts of the extra columns. */
export const moreOf = ({ visits, pageviews, bounces, totaltime }: Measured): string[] => [
  ...[formatShort(visits), formatShort(pageviews)],
  ...(visits > 0 ? [formatShare(bounces / visits), formatDuration(totaltime / visits)] : ['–', '–']),
]

/** Converts an answer into the rows that the page shows. */
export function rowsOf(metrics: readonly Metric[], tab: MetricTab, board: Board): Row[] {
  const { visitors, address, toggle } = board
  return metrics.map(({ x, y, country }) => ({
    key: country === undefined ? x : `${country} ${x}`,
    ...textsOf(tab.kind, x, country),
    count: y,
    share: tab.countsEvents || !visitors ? undefined : Math.min(y / visitors, 1),
    isChosen: tab.field !== undefined && isChosen(address.filters, tab.field, x),
    choose: tab.field && toggle(tab.field, x),
  }))
}

function textsOf(kind: ValueKind, value: string, country: string | undefined): Pick<Row, 'label' | 'mark'> {
  if (kind === 'country') return { label: countryName(value), mark: markOf(value) }
  if (country === undefined) return { label: valueName(kind, value) }
  const own = kind === 'region' && value.startsWith(`${country}-`) ? value.slice(country.length + 1) : value
  return { label: kind === 'region' ? `${own}, ${countryName(country)}` : own, mark: markOf(country) }
}
