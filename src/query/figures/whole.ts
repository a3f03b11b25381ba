import type { Slice } from '../../request/page.ts'
import type { Buckets } from '../../request/series.ts'
import { areVisitors, type FigureName } from '../chains/parts.ts'
import type { NamedColumns } from '../language/named-columns.ts'
import type { Selection } from '../language/scope.ts'
import { type Fragment, sql } from '../language/sql.ts'
import { hashOfText } from '../language/text.ts'
import { actionRows, sessionsOfActions } from './actions.ts'
import { breakdownRows, isByCountry, type MetricType, valueAndCountry, visitsByValue } from './breakdowns.ts'
import { ofEvents, ofValues, ofVisits } from './figures.ts'
import { viewsByBucket, viewsByHourOfWeek } from './views-by-bucket.ts'
import { visitsOfViews } from './visit-facts.ts'

/** The figures to count for a selection. */
export interface Counting<Name extends FigureName> {
  /** Either views, or actions, which are views and custom events. */
  readonly of: 'views' | 'actions'
  readonly figures: readonly Name[]
  /** How the figures are broken down; undefined for totals. */
  readonly by?: CountedBy
  /** The number at which totals are capped. */
  readonly atMost?: number | undefined
}

export type CountedBy =
  | { readonly kind: 'bucket'; readonly buckets: Buckets }
  | { readonly kind: 'hour of week'; readonly zone: string }
  | ListedMetric

/** The values of a metric, sorted by number of visitors, then by number of visits if those are counted. */
export interface ListedMetric {
  readonly kind: 'metric'
  readonly type: MetricType
  /** Only values that contain this, compared case-insensitively. */
  readonly search: string | undefined
  readonly slice: Slice
}

/** One statement: its columns, and `from …`. Rows of hours are used if possible, otherwise events. */
interface Whole {
  readonly columns: NamedColumns
  readonly from: Fragment
}

export function wholeOf<Name extends FigureName>(selection: Selection, { of, by, figures }: Counting<Name>): Whole {
  switch (by?.kind) {
    case 'bucket': {
      const { from, bucket, views } = viewsByBucket(selection, by.buckets)
      return { from, columns: { x: bucket, views, visitors: ofEvents.visitors } }
    }
    case 'hour of week': {
      const { from, bucket } = viewsByHourOfWeek(selection, by.zone)
      return { from, columns: { x: sql`toString(${bucket})`, visitors: ofEvents.visitors } }
    }
    case 'metric':
      return areVisitors(figures) ? visitorsByValue(by.type, selection) : figuresByValue(by.type, selection)
  }
  const onlyVisitors = areVisitors(figures)
  const all = of === 'views' ? wholeViews(selection) : onlyVisitors ? wholeVisitors(selection) : wholeActions(selection)
  return { ...all, columns: Object.fromEntries(figures.map((name) => [name, all.columns[name]!])) }
}

function visitorsByValue(type: MetricType, selection: Selection): Whole {
  const { from, value, counted } = breakdownRows(type, selection)
  return { from, columns: { x: value, visitors: counted, ...(isByCountry(type) && { country: sql`country` }) } }
}

function figuresByValue(type: MetricType, selection: Selection): Whole {
  const [value, country] = valueAndCountry(type)
  return {
    from: visitsByValue(type, selection),
    columns: { x: value!, ...ofValues, ...(country && { country }) },
  }
}

const wholeViews = (selection: Selection): Whole => ({
  from: sql`from ${visitsOfViews(selection)}`,
  columns: ofVisits,
})

const wholeVisitors = (selection: Selection): Whole => ({
  from: sessionsOfActions(selection),
  columns: { visitors: ofEvents.visitors },
})

const wholeActions = (selection: Selection): Whole => ({
  from: actionRows(selection),
  columns: {
    views: sql`sumIf(events, kind = 1)`,
    visitors: ofEvents.visitors,
    visits: ofEvents.visits,
    countries: sql`uniqExactIf(${hashOfText(sql`country`)}, country != '')`,
    customs: sql`sumIf(events, kind = 2)`,
  },
})
