import { noFilters } from '../request/filters.ts'
import { channelColumns, channelOf, domainGroup, isForeignReferrer } from './channels.ts'
import { isView, passing, rows } from './rows.ts'
import type { Selection } from './scope.ts'
import { all, type Fragment, sql } from './sql.ts'
import { events } from './tables.ts'
import { selectedCustomEvents, selectedViews, shownViews, viewConditions } from './views.ts'
import { atExit, atLanding, visitsOfViews } from './visit-facts.ts'
import { primarySubtag } from './where.ts'

/** By what a metric breaks down: a value of each view, of each visit, or the name of each custom event. */
type Breakdown =
  | { readonly of: 'views'; readonly value: Fragment; readonly where?: Fragment; readonly byCountry?: true }
  | { readonly of: 'visits'; readonly value: Fragment; readonly made: Fragment }
  | { readonly of: 'custom events'; readonly value: Fragment }

const views = (value: Fragment): Breakdown => ({ of: 'views', value })

/** Where a value comes from, by the type of the metric. */
const breakdowns = {
  path: views(sql`url_path`),
  fullPath: views(sql`if(url_query = '', url_path, concat(url_path, '?', url_query))`),
  title: views(sql`page_title`),
  query: views(sql`url_query`),
  referrer: { of: 'views', value: sql`referrer_domain`, where: isForeignReferrer },
  domain: { of: 'views', value: domainGroup, where: isForeignReferrer },
  hostname: views(sql`hostname`),
  tag: views(sql`tag`),
  utmSource: views(sql`utm_source`),
  utmMedium: views(sql`utm_medium`),
  utmCampaign: views(sql`utm_campaign`),
  utmContent: views(sql`utm_content`),
  utmTerm: views(sql`utm_term`),
  browser: views(sql`browser`),
  os: views(sql`os`),
  device: views(sql`device`),
  country: views(sql`country`),
  region: { of: 'views', value: sql`region`, byCountry: true },
  city: { of: 'views', value: sql`city`, byCountry: true },
  screen: views(sql`screen`),
  distinctId: views(sql`distinct_id`),
  language: views(primarySubtag),
  event: { of: 'custom events', value: sql`event_name` },
  entry: { of: 'visits', value: sql`made`, made: atLanding(sql`url_path`) },
  exit: { of: 'visits', value: sql`made`, made: atExit(sql`url_path`) },
  channel: { of: 'visits', value: channelOf(sql`made`), made: atLanding(channelColumns) },
} as const satisfies Readonly<Record<string, Breakdown>>

export type MetricType = keyof typeof breakdowns

export const metricTypes = Object.keys(breakdowns) as MetricType[]

const breakdownOf = (type: MetricType): Breakdown => breakdowns[type]

export const isByCountry = (type: MetricType): boolean => {
  const breakdown = breakdownOf(type)
  return breakdown.of === 'views' && breakdown.byCountry === true
}

/** Rows to be grouped by `value`: `from …`, and what they are counted by. */
interface BreakdownRows {
  readonly from: Fragment
  readonly value: Fragment
  readonly counted: Fragment
}

/** What a metric counts: sessions; or custom events, by their name. */
export function breakdownRows(type: MetricType, selection: Selection): BreakdownRows {
  const breakdown = breakdownOf(type)
  const { value } = breakdown
  switch (breakdown.of) {
    case 'views':
      return { from: selectedViews(selection, breakdown.where), value, counted: sql`uniqExact(session_id)` }
    case 'custom events':
      return { from: selectedCustomEvents(selection), value, counted: sql`count()` }
    case 'visits': {
      const from = sql`from ${visitsOfViews(selection, [sql`${breakdown.made} as made`])}`
      return { from, value, counted: sql`uniqExact(session)` }
    }
  }
}

/**
 * A row for each visit and value, as a subquery: `value`, `nation` (the country, where the type is by country), `found` (how many
 * views or custom events of the visit have the value), `session`, `views` and `length` of the visit.
 */
export function visitsByValue(type: MetricType, selection: Selection): Fragment {
  const breakdown = breakdownOf(type)
  if (breakdown.of === 'visits') {
    const visits = visitsOfViews(selection, [sql`${breakdown.made} as made`])
    return sql`(select ${breakdown.value} as value, '' as nation, passed as found, session, views, length from ${visits})`
  }
  const isOfViews = breakdown.of === 'views'
  const nation = isOfViews && breakdown.byCountry ? sql`country` : sql`''`
  const conditions = isOfViews
    ? all(...viewConditions(selection), breakdown.where)
    : all(sql`event_type = 2`, ...passing(events, selection, selection.filters))
  const shown = isOfViews
    ? shownViews(selection)
    : rows(events, { ...selection, filters: noFilters }, [sql`event_type != 5`])
  const last = sql`maxIf(toUnixTimestamp64Milli(created_at), ${isView})`
  const first = sql`minIf(toUnixTimestamp64Milli(created_at), ${isView})`
  return sql`(
    select tupleElement(pair, 1) as value, tupleElement(pair, 2) as nation, countEqual(pairs, pair) as found,
      session, views, length
    from (
      select visit_id, any(session_id) as session, countIf(${isView}) as views, ${last} - ${first} as length,
        groupArrayIf((toString(${breakdown.value}), toString(${nation})), ${conditions}) as pairs
      ${shown}
      group by visit_id
      having notEmpty(pairs)
    )
    array join arrayDistinct(pairs) as pair
  )`
}
