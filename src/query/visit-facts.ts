import type { Selection } from './scope.ts'
import { all, type Fragment, sql } from './sql.ts'
import { shownViews, viewConditions } from './views.ts'

/**
 * The visits of the shown views that pass the filters, as a subquery: `session`, `passed` (how many views pass), `views` (how many
 * are shown) and `length` (from the first shown view to the last, in milliseconds). A visit is the same whatever the filters are.
 * `landing` and `exit` are expressions over its first and its last shown view.
 */
export function visitsOfViews(selection: Selection, more: readonly Fragment[] = []): Fragment {
  const conditions = viewConditions(selection).filter((condition) => condition !== undefined)
  const passed = conditions.length === 0 ? sql`count()` : sql`countIf(${all(...conditions)})`
  const extra = more.reduce((list, one) => sql`${list}, ${one}`, sql``)
  return sql`(
    select visit_id, any(session_id) as session, ${passed} as passed, count() as views,
      toUnixTimestamp64Milli(max(created_at)) - toUnixTimestamp64Milli(min(created_at)) as length${extra}
    ${shownViews(selection)}
    group by visit_id
    having passed > 0
  )`
}

/** What an expression is at the first shown view of a visit, and at the last: in the order of events. */
export const atLanding = (expression: Fragment): Fragment => sql`argMin(${expression}, (created_at, event_id))`
export const atExit = (expression: Fragment): Fragment => sql`argMax(${expression}, (created_at, event_id))`
