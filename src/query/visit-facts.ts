import { ofSessions } from './rows.ts'
import type { Selection } from './scope.ts'
import { all, type Fragment, sql, union } from './sql.ts'
import { shownViews, unfiltered, viewConditions } from './views.ts'
import { type VisitParts, visitParts } from './visit-parts.ts'

/** A value of a visit: an expression over its shown views, and one over its rows of days, if these have it. */
export interface VisitValue {
  readonly ofViews: Fragment
  readonly ofDays?: Fragment
}

/** Over rows of visits: the number of bounces, and the total length in whole seconds. */
export const bounceCount = sql`countIf(views = 1)`
export const secondsOnSite = sql`intDiv(sum(length), 1000)`

const noValue: VisitValue = { ofViews: sql`0`, ofDays: sql`0` }

/**
 * A subquery of the visits with a shown view that passes the filters: `session`, `passed` (views that pass), `views`
 * (views that are shown), `length` (from the first shown view to the last, in milliseconds) and `made`, the value.
 * Filters select visits, but do not change them.
 */
export function visitsOfViews(selection: Selection, made: VisitValue = noValue): Fragment {
  const parts = made.ofDays && visitParts('views', selection, 'visits')
  return parts ? visitsOfDays(parts, selection, made.ofDays!) : visitsOneByOne(selection, made.ofViews)
}

function visitsOneByOne(selection: Selection, made: Fragment): Fragment {
  const { scope, filters } = selection
  // A visit belongs to one session: visits of other sessions are left out before the rows are grouped.
  const isOfSession = ofSessions(scope, filters.sessionProperties)
  const passes = filterCondition({ ...selection, filters: { ...filters, sessionProperties: [] } })
  return sql`(
    select visit_id, any(session_id) as session, ${passes ? sql`countIf(${passes})` : sql`count()`} as passed,
      count() as views, ${lengthOf(sql`min(created_at)`, sql`max(created_at)`)} as length, ${made} as made
    ${shownViews(selection, isOfSession)}
    group by visit_id
    having passed > 0
  )`
}

function visitsOfDays(parts: VisitParts, selection: Selection, made: Fragment): Fragment {
  return sql`(
    select visit_id, any(session_id) as session, sum(passed) as passed, sum(views) as views,
      ${lengthOf(sql`min(first_at)`, sql`max(last_at)`)} as length, ${made} as made
    from ${dayRows(parts, selection)}
    group by visit_id
  )`
}

/**
 * A subquery of rows of the visits that pass the filters: `visit_id`, `session_id`, `passed`, `views`, `first_at`,
 * `last_at`, the paths `landing` and `leaving`, and further columns that days and events have.
 */
export function dayRows({ days, ends }: VisitParts, selection: Selection, more: Fragment = sql``): Fragment {
  const shown = unfiltered(selection)
  const passes = filterCondition(selection)
  const isOfVisit =
    passes &&
    sql`visit_id global in ${union([
      sql`select visit_id ${days(shown, passes)}`,
      sql`select visit_id ${ends(shown, passes)}`,
    ])}`
  const passed = (count: Fragment): Fragment => (passes ? sql`if(${passes}, ${count}, 0)` : count)
  return union([
    sql`
      select visit_id, session_id, ${passed(sql`events`)} as passed, events as views, first_at, last_at, landing, leaving${more}
      ${days(shown, isOfVisit)}`,
    sql`
      select visit_id, session_id, ${passed(sql`1`)} as passed, 1 as views, created_at as first_at, created_at as last_at,
        ${place} as landing, landing as leaving${more}
      ${ends(shown, isOfVisit)}`,
  ])
}

/** 24 bytes that sort as events do: the milliseconds, then the id as ClickHouse orders ids. */
const eventOrder = sql`
  reinterpretAsFixedString(byteSwap(toUInt64(toUnixTimestamp64Milli(created_at)))),
  reinterpretAsFixedString(byteSwap(reinterpretAsUInt128(event_id)))`

/** A text of an event, with the 24 bytes of its order in front. */
export const placed = (text: Fragment): Fragment => sql`concat(${eventOrder}, ${text})`

/** The value of `landing` and `leaving` in `daily_visits`. */
const place = placed(sql`url_path`)

/** The text without the 24 bytes in front. */
export const textBehind = (place: Fragment): Fragment => sql`substring(${place}, 25)`

/** A text at the first shown view of a visit, and at the last. One text is cheaper to compare than a tuple. */
export const atLanding = (text: Fragment): Fragment => textBehind(sql`min(${placed(text)})`)
export const atExit = (text: Fragment): Fragment => textBehind(sql`max(${placed(text)})`)

/** A condition on a view: it passes the filters of the request. Undefined without filters. */
function filterCondition(selection: Selection): Fragment | undefined {
  const conditions = viewConditions(selection).filter((condition) => condition !== undefined)
  return conditions.length === 0 ? undefined : all(...conditions)
}

/** Milliseconds between two moments. */
export const lengthOf = (first: Fragment, last: Fragment): Fragment =>
  sql`toUnixTimestamp64Milli(${last}) - toUnixTimestamp64Milli(${first})`
