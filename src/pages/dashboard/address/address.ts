import { remembered } from '../format/remembered.ts'
import { isDate } from './dates.ts'
import { isField, isSingle } from './fields.ts'
import { type Filter, readFilter, writeFilter } from './filters.ts'

/** The page state that the URL contains. Missing parameters have their defaults. */
export interface Address {
  /** The chosen website, link or pixel, if a board has several. */
  readonly part: string | undefined
  readonly period: PeriodName
  /** The first and last day if the period is `custom`. If it is `month` or `year`, `from` is its first day. */
  readonly from: string | undefined
  readonly to: string | undefined
  readonly compare: Comparison
  /** The bucket length of the chart; by default one that fits the period. */
  readonly interval: Interval | undefined
  /** An IANA time zone; the viewer's by default. */
  readonly zone: string
  readonly metric: MetricName
  readonly filters: readonly Filter[]
  /** The open tab of each card, and the choices within cards, by name. */
  readonly tabs: Readonly<Record<string, string>>
  /** The card that shows its complete list. */
  readonly list: string | undefined
  /** The id of the displayed visitor's session. */
  readonly visitor: string | undefined
  /** Whether the page is embedded in another one. */
  readonly isEmbedded: boolean
  /** The theme of an embedded page. */
  readonly theme: Theme | undefined
}

const themes = ['light', 'dark'] as const

type Theme = (typeof themes)[number]

const periodNames = [
  ...(['today', 'yesterday', '7d', '30d', '90d'] as const),
  ...(['month', 'lastmonth', 'year', '12m', 'all', 'custom'] as const),
] as const

export type PeriodName = (typeof periodNames)[number]

const comparisons = ['prev', 'weeks', 'yoy', 'yoyweeks', 'none'] as const

export type Comparison = (typeof comparisons)[number]

const intervals = ['hour', 'day', 'week', 'month'] as const

export type Interval = (typeof intervals)[number]

const metricNames = ['visitors', 'visits', 'views', 'bounces', 'duration'] as const

export type MetricName = (typeof metricNames)[number]

const defaults = { period: '30d', compare: 'prev', metric: 'visitors' } as const

/** The names of the cards and of the choices within them. Each is a URL parameter. */
const cardNames = [
  ...(['pages', 'sources', 'places', 'devices', 'events'] as const),
  ...(['eventName', 'property', 'funnel', 'revenue'] as const),
  ...(['reports', 'steps', 'credit', 'conversion', 'touch', 'by'] as const),
] as const

export const viewerZone = remembered((): string => Intl.DateTimeFormat().resolvedOptions().timeZone)

/** Reads the query string of a URL. Invalid parameters become their defaults. */
export function readAddress(search: string): Address {
  const query = new URLSearchParams(search)
  const one = <Name extends string>(name: string, all: readonly Name[], otherwise: Name): Name =>
    all.find((value) => value === query.get(name)) ?? otherwise
  const date = (name: string) => [query.get(name) ?? ''].find(isDate)
  const [from, to] = [date('from'), date('to')]
  const period = one('period', periodNames, defaults.period)
  const isWhole = period !== 'custom' || (from !== undefined && to !== undefined && from <= to)
  return {
    part: query.get('part') ?? undefined,
    period: isWhole ? period : defaults.period,
    from,
    to,
    compare: one('compare', comparisons, defaults.compare),
    interval: intervals.find((interval) => interval === query.get('interval')),
    zone: zoneOf(query.get('zone')),
    metric: one('metric', metricNames, defaults.metric),
    filters: filtersIn(query),
    tabs: Object.fromEntries(cardNames.flatMap((card) => (query.has(card) ? [[card, query.get(card) as string]] : []))),
    list: query.get('list') ?? undefined,
    visitor: query.get('visitor') ?? undefined,
    isEmbedded: query.get('embed') === '1',
    theme: themes.find((theme) => theme === query.get('theme')),
  }
}

/** The query string for a URL, including its `?`. Empty if all parameters have their defaults. */
export function writeAddress(address: Address): string {
  const { part, period, from, to, compare, interval, zone, metric, filters, tabs, list, visitor, isEmbedded, theme } =
    address
  const given: (readonly [string, string | undefined])[] = [
    ['part', part],
    ['period', period === defaults.period ? undefined : period],
    ['from', period === 'custom' || period === 'month' || period === 'year' ? from : undefined],
    ['to', period === 'custom' ? to : undefined],
    ['compare', compare === defaults.compare ? undefined : compare],
    ['interval', interval],
    ['zone', zone === viewerZone() ? undefined : zone],
    ['metric', metric === defaults.metric ? undefined : metric],
    ...filters.map((filter) => [filter.field, writeFilter(filter)] as const),
    ...Object.entries(tabs),
    ['list', list],
    ['visitor', visitor],
    ['embed', isEmbedded ? '1' : undefined],
    ['theme', theme],
  ]
  const query = new URLSearchParams(
    given
      .filter((pair): pair is readonly [string, string] => pair[1] !== undefined)
      .map(([name, value]): [string, string] => [name, value]),
  )
  return query.size > 0 ? `?${query}` : ''
}

/** As in the API, each parameter is a separate condition. Some parameters may occur only once. */
const filtersIn = (query: URLSearchParams): Filter[] =>
  [...query]
    .filter(([name], index, all) => !isSingle(name) || all.findIndex(([other]) => other === name) === index)
    .flatMap(([name, value]) => (isField(name) ? [readFilter(name, value)] : []))

function zoneOf(name: string | null): string {
  if (name === null) return viewerZone()
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return viewerZone()
  }
}
