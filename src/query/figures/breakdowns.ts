import type { Field } from '../../request/fields.ts'
import type { By as ChainedBy } from '../chains/parts.ts'
import { packedTexts, textsIn } from '../language/packed-texts.ts'
import type { Selection } from '../language/scope.ts'
import { all, type Fragment, sql } from '../language/sql.ts'
import { chainedFields, isChained } from '../tables/chained-fields.ts'
import { fieldColumns } from '../tables/columns.ts'
import { domainGroup, foreignReferrer, isForeignReferrer } from '../tables/referrers.ts'
import { isCustomEvent, isViewOfActions, passing } from '../tables/rows.ts'
import { events } from '../tables/tables.ts'
import { selectedViews, shownActions, viewConditions } from '../tables/views.ts'
import { type VisitParts, visitParts } from '../tables/visit-parts.ts'
import { primarySubtag } from '../tables/where.ts'
import { countable } from './counts.ts'
import { figuresOfActions, figuresOfHours, ofEvents, ofVisits } from './figures.ts'
import { viewsByHour, viewsByReferrer } from './views-by-bucket.ts'
import {
  exitPath,
  landingChannel,
  landingPath,
  pairedHours,
  sessionsByVisit,
  type VisitValue,
  visitsOfViews,
} from './visit-facts.ts'

/**
 * How a metric is broken down: by a value of each view, by a value of each visit, or by the name of each custom event.
 */
type Breakdown =
  | ViewBreakdown
  | { readonly of: 'visits'; readonly value: Fragment; readonly visitValue: VisitValue }
  | { readonly of: 'custom events'; readonly value: Fragment }

interface ViewBreakdown {
  readonly of: 'views'
  readonly value: Fragment
  readonly where?: Fragment
  /** Whether the value is an attribute of the visitor, which rows of visits by hour also have. */
  readonly ofClient?: true
  readonly byCountry?: true
  /** `from …` and the value for rows of visits by hour, if these can be used. */
  readonly byHour?: { readonly from: (selection: Selection) => Fragment | undefined; readonly value: Fragment }
}

const views = (value: Fragment): ViewBreakdown => ({ of: 'views', value })

const client = (value: Fragment): ViewBreakdown => ({
  of: 'views',
  value,
  ofClient: true,
  byHour: { from: (selection) => viewsByHour(selection)?.from, value },
})

/** `value` is an expression over a view. `ofReferrer` is the same expression over the foreign referrer. */
const ofForeign = (value: Fragment, ofReferrer: Fragment): ViewBreakdown => ({
  of: 'views',
  value,
  where: isForeignReferrer,
  byHour: { from: viewsByReferrer, value: ofReferrer },
})

/** Where the value comes from, by metric type. */
const breakdowns = {
  path: views(sql`url_path`),
  fullPath: views(sql`if(url_query = '', url_path, concat(url_path, '?', url_query))`),
  title: views(sql`page_title`),
  query: views(sql`url_query`),
  referrer: ofForeign(sql`referrer_domain`, sql`referrer`),
  domain: ofForeign(domainGroup(sql`referrer_domain`), domainGroup(sql`referrer`)),
  hostname: views(sql`hostname`),
  tag: views(sql`tag`),
  utmSource: views(sql`utm_source`),
  utmMedium: views(sql`utm_medium`),
  utmCampaign: views(sql`utm_campaign`),
  utmContent: views(sql`utm_content`),
  utmTerm: views(sql`utm_term`),
  browser: client(sql`browser`),
  os: client(sql`os`),
  device: client(sql`device`),
  country: client(sql`country`),
  region: { ...client(sql`region`), byCountry: true },
  city: { ...client(sql`city`), byCountry: true },
  screen: client(sql`screen`),
  distinctId: views(sql`distinct_id`),
  language: client(primarySubtag),
  event: { of: 'custom events', value: sql`event_name` },
  entry: { of: 'visits', value: sql`visit_value`, visitValue: landingPath },
  exit: { of: 'visits', value: sql`visit_value`, visitValue: exitPath },
  channel: { of: 'visits', value: sql`visit_value`, visitValue: landingChannel },
} as const satisfies Readonly<Record<string, Breakdown>>

export type MetricType = keyof typeof breakdowns

export const metricTypes = Object.keys(breakdowns) as MetricType[]

const breakdownOf = (type: MetricType): Breakdown => breakdowns[type]

export const isByCountry = (type: MetricType): boolean => {
  const breakdown = breakdownOf(type)
  return breakdown.of === 'views' && breakdown.byCountry === true
}

/** The metric in the form of a breakdown that chains can answer; undefined if they cannot. */
export function chainedMetric(type: MetricType): ChainedBy | undefined {
  if (isChained(type)) return { kind: 'view', field: type, ofViews: sql`${chainedFields[type]}` }
  if (type === 'entry') return { kind: 'landing', ofHours: sql`entry`, ofViews: sql`url_path` }
  if (type === 'channel') return { kind: 'landing', ofHours: sql`channel`, ofViews: sql`channel` }
  if (type === 'exit') return { kind: 'exit', ofHours: sql`exit`, ofViews: sql`url_path` }
  const breakdown = breakdownOf(type)
  if (breakdown.of !== 'views' || !breakdown.ofClient) return undefined
  return { kind: 'client', field: type as Field, value: breakdown.value, byCountry: breakdown.byCountry === true }
}

/** Rows to be grouped by `value`: `from …`, and the expression that counts them. */
interface BreakdownRows {
  readonly from: Fragment
  readonly value: Fragment
  readonly counted: Fragment
}

/** The rows that a metric counts: sessions, or custom events by name. */
export function breakdownRows(type: MetricType, selection: Selection): BreakdownRows {
  const breakdown = breakdownOf(type)
  const { value } = breakdown
  switch (breakdown.of) {
    case 'views':
      return sessionRows(breakdown, selection)
    case 'custom events':
      return { ...countable(value, selection, 'custom events', isCustomEvent), value }
    case 'visits':
      return {
        from: sql`from ${sessionsByVisit(selection, breakdown.visitValue)}`,
        value,
        counted: ofVisits.visitors,
      }
  }
}

function sessionRows({ value, where, byHour }: ViewBreakdown, selection: Selection): BreakdownRows {
  const counted = ofEvents.visitors
  const hours = byHour?.from(selection)
  if (byHour && hours) return { from: hours, value: byHour.value, counted }
  return { from: selectedViews(selection, where), value, counted }
}

/**
 * `from …`: rows for each visit and value: `value`, `found` (views or custom events with the value), `session`,
 * `weight` and `length` of the visit, and `nth`, which counts the rows of this visit and value.
 */
export function visitsByValue(type: MetricType, selection: Selection): Fragment {
  const breakdown = breakdownOf(type)
  if (breakdown.of === 'visits') {
    const visits = visitsOfViews(selection, breakdown.visitValue)
    return sql`from (select visit_value as value, passed as found, session, weight, length, 1 as nth from ${visits})`
  }
  const parts = breakdown.of === 'views' && breakdown.ofClient && visitParts('visits', selection, 'visits')
  return visitsByPair(breakdown, selection, parts || undefined)
}

/** The expressions over `visitsByValue` for the value and, for some types, its country. */
export const valueAndCountry = (type: MetricType): readonly Fragment[] =>
  isByCountry(type) ? textsIn(sql`value`, 2) : [sql`value`]

/** Like `visitsByValue`, for combinations of values of these fields, packed into one string. */
export function visitsByFields(fields: readonly Field[], selection: Selection): Fragment {
  const value = packedTexts(fields.map(valueOfField))
  return visitsByPair(views(value), selection, visitParts('visits', selection, 'visits', fields))
}

/** The value of a field in a view. Only foreign referrers are counted. */
const valueOfField = (field: Field): Fragment => (field === 'referrer' ? foreignReferrer : fieldColumns[field])

const visitsByPair = (
  breakdown: Exclude<Breakdown, { of: 'visits' }>,
  selection: Selection,
  parts: VisitParts | undefined,
): Fragment => sql`
  from ${parts && breakdown.of === 'views' ? pairsOfHours(parts, breakdown, selection) : pairsOfEvents(breakdown, selection)}
  array join pairs as value, arrayEnumerateUniq(pairs) as nth, counts as found`

/** The value to group by, together with the country if rows are also grouped by country. */
const pairOf = (breakdown: Exclude<Breakdown, { of: 'visits' }>): Fragment =>
  breakdown.of === 'views' && breakdown.byCountry ? packedTexts([breakdown.value, sql`country`]) : breakdown.value

/**
 * For each visit: its figures, a pair of value and country for each event that passes, and a count of 1 for each pair.
 */
function pairsOfEvents(breakdown: Exclude<Breakdown, { of: 'visits' }>, selection: Selection): Fragment {
  const conditions =
    breakdown.of === 'views'
      ? all(isViewOfActions, ...viewConditions(selection), breakdown.where)
      : all(isCustomEvent, ...passing(events, selection, selection.filters))
  return sql`(
    select any(session_id) as session, ${figuresOfActions},
      groupArrayIf(${pairOf(breakdown)}, ${conditions}) as pairs, arrayWithConstant(length(pairs), 1) as counts
    ${shownActions(selection)}
    group by visit_id
  )`
}

/** The pairs in rows of hours, where a pair may count several views. */
function pairsOfHours(parts: VisitParts, breakdown: ViewBreakdown, selection: Selection): Fragment {
  const { from, pair, passed } = pairedHours(parts, selection, pairOf(breakdown))
  return sql`(
    select any(session_id) as session, ${figuresOfHours},
      groupArrayIf(${pair}, ${passed} > 0) as pairs, groupArrayIf(${passed}, ${passed} > 0) as counts
    ${from}
    group by visit_id
  )`
}
