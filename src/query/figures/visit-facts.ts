import type { Buckets } from '../../request/series.ts'
import { dayLength, hourLength } from '../../request/time-zone.ts'
import { sealedViews } from '../chains/known.ts'
import { allFilters, bothRanges, excludesBounces, type Selection, visiblePeriod } from '../language/scope.ts'
import { all, type Fragment, instant, sql, uint8, union } from '../language/sql.ts'
import { millisecondsIn } from '../language/time.ts'
import { bucketOf } from '../tables/buckets.ts'
import { isViewOfActions, ofSessions } from '../tables/rows.ts'
import { asksOfVisits, shownActions, shownViews, unfiltered, viewConditions } from '../tables/views.ts'
import { ofParts, type VisitParts, visitParts } from '../tables/visit-parts.ts'
import { figuresOfActions, figuresOfHours } from './figures.ts'

/** The minimum and maximum of an expression over those rows that are views. */
interface Extremes {
  least(of: Fragment): Fragment
  greatest(of: Fragment): Fragment
}

/** A value of a visit, as an expression over its shown events and one over its rows of hours. */
export interface VisitValue {
  ofEvents(views: Extremes): Fragment
  readonly ofHours: Fragment
}

const noValue: VisitValue = { ofEvents: () => sql`0`, ofHours: sql`0` }

/** For rows that contain only views, and for rows that contain views and custom events. */
const extremes: Readonly<Record<OfVisits, Extremes>> = {
  views: { least: (of) => sql`min(${of})`, greatest: (of) => sql`max(${of})` },
  visits: {
    least: (of) => sql`minIf(${of}, ${isViewOfActions})`,
    greatest: (of) => sql`maxIf(${of}, ${isViewOfActions})`,
  },
}

/**
 * A subquery of the visits with a shown view that passes the filters. Its columns are `session`, `passed` (the number
 * of views that pass), `weight` (1 if the visit is a bounce), `length` (from the first shown view to the last, in
 * milliseconds) and `visit_value`. Filters only select visits; they do not affect these values.
 */
export function visitsOfViews(selection: Selection, { ofEvents, ofHours }: VisitValue = noValue): Fragment {
  const { from, isOfHours, passed, figures } = rowsOfVisits('visits', selection)
  return sql`(
    select visit_id, any(session_id) as session, ${passed} as passed, ${figures},
      ${isOfHours ? ofHours : ofEvents(extremes.visits)} as visit_value
    ${from}
    group by visit_id
    having passed > 0
  )`
}

/** Like `visitsOfViews`, but with only `session` and `visit_value`, because planning unused columns takes time. */
export function sessionsByVisit(selection: Selection, { ofEvents, ofHours }: VisitValue): Fragment {
  const { from, isOfHours, passed } = rowsOfVisits('views', selection)
  return sql`(
    select any(session_id) as session, ${isOfHours ? ofHours : ofEvents(extremes.views)} as visit_value
    ${from}
    group by visit_id
    having ${passed} > 0
  )`
}

/** If two ranges together are longer than this, it is faster to read them separately. */
const bothUpTo = 4 * dayLength

/** Both ranges as one selection; undefined if each has to be read separately. */
export function shortRanges(current: Selection, before: Selection): Selection | undefined {
  const dependsOnRange =
    excludesBounces(current) ||
    asksOfVisits(current.filters) ||
    allFilters(current).some(({ properties }) => properties.length > 0)
  const both = bothRanges(current, before, dependsOnRange)
  return both && millisecondsIn(both.period) < bothUpTo ? both : undefined
}

/**
 * A subquery like `visitsOfViews`, for a range and the range just before it, with `isCurrent`. A visit that is in both
 * has two rows. Undefined if each range must be read separately.
 */
export function viewedInBoth(current: Selection, before: Selection): Fragment | undefined {
  const both = shortRanges(current, before)
  if (!both) return undefined
  const start = current.period.startAt
  const parts = visitParts('visits', both, 'visits')
  const isOfHours = parts !== undefined && !parts.ends && start % hourLength === 0
  const { from, passed, figures } = isOfHours ? rowsOfHours(parts, both) : rowsOfEvents('visits', both)
  return sql`(
    select visit_id, ${isOfHours ? sql`hour` : sql`created_at`} >= ${instant(start)} as isCurrent, any(session_id) as session,
      ${passed} as passed, ${figures}
    ${from}
    group by visit_id, isCurrent
    having passed > 0
  )`
}

/** Rows of visits: `from …`, and expressions over a visit's group of rows. */
interface RowsOfVisits {
  readonly from: Fragment
  readonly isOfHours: boolean
  readonly passed: Fragment
  /** The columns `weight` and `length`. They are valid only if `visits` is read. */
  readonly figures: Fragment
}

/** Rows of `views` do not include custom events. */
type OfVisits = 'views' | 'visits'

function rowsOfVisits(read: OfVisits, selection: Selection): RowsOfVisits {
  const parts = visitParts(read, selection, 'visits')
  return parts ? rowsOfHours(parts, selection) : rowsOfEvents(read, selection)
}

function rowsOfEvents(read: OfVisits, selection: Selection): RowsOfVisits {
  const { scope, filters } = selection
  // Each visit belongs to one session, so visits in other sessions are left out before grouping.
  const isOfSession = ofSessions(scope, filters.sessionProperties)
  const passes = filterCondition({ ...selection, filters: { ...filters, sessionProperties: [] } })
  const isOfVisits = read === 'visits'
  const counted = all(isOfVisits ? isViewOfActions : undefined, passes)
  return {
    from: isOfVisits ? shownActions(selection, isOfSession) : shownViews(selection, isOfSession),
    isOfHours: false,
    passed: isOfVisits || passes ? sql`countIf(${counted})` : sql`count()`,
    figures: figuresOfActions,
  }
}

function rowsOfHours(parts: VisitParts, selection: Selection): RowsOfVisits {
  if (parts.ends) {
    const from = sql`from ${hourRows(parts, selection)}`
    return { from, isOfHours: true, passed: sql`sum(passed)`, figures: figuresOfHours }
  }
  // ClickHouse plans the statement faster without a subquery of rows.
  const passes = filterCondition(selection)
  return {
    from: parts.hours(unfiltered(selection), isOfPassingVisit(parts, selection)),
    isOfHours: true,
    passed: passes ? sql`sumIf(events, ${passes})` : sql`sum(events)`,
    figures: figuresOfHours,
  }
}

/** `from …`: the rows of hours and ends, and expressions over each: a value, and the number of its views that pass. */
export function pairedHours(parts: VisitParts, selection: Selection, value: Fragment) {
  if (parts.ends) {
    return {
      from: sql`from ${hourRows(parts, selection, sql`, ${value} as pair`)}`,
      pair: sql`pair`,
      passed: sql`passed`,
    }
  }
  const passes = filterCondition(selection)
  return {
    from: parts.hours(unfiltered(selection), isOfPassingVisit(parts, selection)),
    pair: value,
    passed: passes ? sql`if(${passes}, events, 0)` : sql`events`,
  }
}

/** Values for a row of hours without views that do not affect the minimum or maximum over a visit. */
const without = {
  first: sql`toDateTime64('2299-12-31 23:59:59.999', 3, 'UTC')`,
  last: instant(0),
  landing: sql`'~'`,
}

/**
 * The number of sealed views from which it is cheaper to first find the visits that pass: `least` for long ranges,
 * `large` for shorter ones.
 */
const viewsSearched = { least: 150_000, large: 300_000 } as const

/**
 * The minimum length of a range for which it is cheaper to first find the visits that pass than to group all visits. On
 * small websites, this is never cheaper, because planning costs more than it saves. On large websites, a shorter range
 * is sufficient if all filters require exact values.
 */
function searchedFrom(selection: Selection): number {
  const [views, { fields, match }] = [sealedViews(selection), selection.filters]
  if (views !== undefined && views < viewsSearched.least) return Number.POSITIVE_INFINITY
  const areFew = match === 'all' && fields.length > 0 && fields.every(({ operator }) => operator === 'eq')
  const isLarge = views !== undefined && views >= viewsSearched.large
  return (areFew && isLarge ? 21 : 90) * dayLength
}

/**
 * A subquery of rows of all visits that pass the filters, and perhaps of other visits, whose `passed` is 0. Its columns
 * are `visit_id`, `session_id`, `passed`, `events` (views), `customs`, `first_at`, `last_at`, `landing` and `leaving`,
 * and any further columns that hours and events have.
 */
function hourRows(parts: VisitParts, selection: Selection, more: Fragment = sql``): Fragment {
  const shown = unfiltered(selection)
  const passes = filterCondition(selection)
  const passed = (count: Fragment): Fragment => (passes ? sql`if(${passes}, ${count}, 0)` : count)
  const columns = {
    hours: sql`
      visit_id, session_id, ${passed(sql`events`)} as passed, events, customs, first_at, last_at, landing, leaving${more}`,
    ends: sql`
      visit_id, session_id, ${passed(sql`events`)} as passed, ${isViewOfActions} as events,
      not ${isViewOfActions} as customs, if(events, created_at, ${without.first}) as first_at,
      if(events, created_at, ${without.last}) as last_at,
      if(events, ${withOrder(sql`concat(channel, '\\0', url_path)`)}, ${without.landing}) as landing,
      if(events, ${withOrder(sql`url_path`)}, '') as leaving${more}`,
  }
  // The ends have few rows, so the set is not used there: ClickHouse would build it again for each part that uses it.
  return union([
    sql`select ${columns.hours} ${parts.hours(shown, isOfPassingVisit(parts, selection))}`,
    ...(parts.ends ? [sql`select ${columns.ends} ${parts.ends(shown)}`] : []),
  ])
}

/**
 * Returns the condition that, in rows of hours over a long range, the visit passes the filters or shares its hash with
 * a visit that does.
 */
function isOfPassingVisit(parts: VisitParts, selection: Selection): Fragment | undefined {
  const passes = filterCondition(selection)
  if (!passes || millisecondsIn(visiblePeriod(selection)) < searchedFrom(selection)) return undefined
  const columns = { hours: visitStart, ends: visitStart }
  return sql`${visitStart} global in ${ofParts(parts, columns, unfiltered(selection), passes)}`
}

/**
 * Four bytes of the id, which make sets cheaper. Visits whose ids have the same bytes do no harm, because their
 * `passed` is 0.
 */
const visitStart = sql`reinterpretAsUInt32(visit_id)`

/** The length of `eventOrder`, in bytes. */
export const orderLength = 24

/** Bytes that sort like events: the milliseconds, followed by the id in ClickHouse's order of ids. */
const eventOrder = sql`
  reinterpretAsFixedString(byteSwap(toUInt64(toUnixTimestamp64Milli(created_at)))),
  reinterpretAsFixedString(byteSwap(reinterpretAsUInt128(event_id)))`

/** A string from an event, with the event's order in front. */
export const withOrder = (text: Fragment): Fragment => sql`concat(${eventOrder}, ${text})`

/** The position of the string after the order, counted from 1. */
const textStart = uint8(orderLength + 1)

/** The string without the order in front. */
export const textBehind = (ordered: Fragment): Fragment => sql`substring(${ordered}, ${textStart})`

/**
 * A string from a visit's first shown view, and one from its last. Comparing a single string is cheaper than comparing
 * a tuple.
 */
const atLanding = (text: Fragment) => (views: Extremes) => textBehind(views.least(withOrder(text)))
const atExit = (text: Fragment) => (views: Extremes) => textBehind(views.greatest(withOrder(text)))

/** In `hourly_visits`, two strings follow the order in `landing`: the channel and, after a zero byte, the path. */
const firstLanding = sql`min(landing)`
const endOfChannel = sql`position(${firstLanding}, '\\0', ${textStart})`

export const landingPath: VisitValue = {
  ofEvents: atLanding(sql`url_path`),
  ofHours: sql`substring(${firstLanding}, ${endOfChannel} + 1)`,
}

export const exitPath: VisitValue = { ofEvents: atExit(sql`url_path`), ofHours: textBehind(sql`max(leaving)`) }

export const landingChannel: VisitValue = {
  ofEvents: atLanding(sql`channel`),
  ofHours: sql`substring(${firstLanding}, ${textStart}, ${endOfChannel} - ${textStart})`,
}

/** The bucket of the first shown view. */
export const firstBucket = (buckets: Buckets): VisitValue => ({
  ofEvents: (views) => bucketOf(buckets, views.least(sql`created_at`)),
  ofHours: bucketOf(buckets, sql`min(first_at)`),
})

/** Returns the condition that a view passes the request's filters. Undefined without filters. */
function filterCondition(selection: Selection): Fragment | undefined {
  const conditions = viewConditions(selection).filter((condition) => condition !== undefined)
  return conditions.length === 0 ? undefined : all(...conditions)
}
