import { hasWholeHours } from '../../request/time-zone.ts'
import { type Selection, visiblePeriod } from '../language/scope.ts'
import { type Fragment, sql } from '../language/sql.ts'
import { clockIn } from '../tables/buckets.ts'
import { isCustomEvent } from '../tables/rows.ts'
import { selectedActions } from '../tables/views.ts'
import { ofParts, visitParts } from '../tables/visit-parts.ts'

/** The selected views and custom events, from rows of visits by hour if these can be used, otherwise from events. */

type Conditions = readonly (Fragment | undefined)[]

/** A subquery with these columns. Without `hours`, events are read. The conditions are on the session. */
function actionsOf(
  selection: Selection,
  { hours, ends }: { readonly hours: Fragment | undefined; readonly ends: Fragment },
  conditions: Conditions = [],
): Fragment {
  const parts = hours && visitParts('actions', selection, 'sessions')
  return parts
    ? ofParts(parts, { hours, ends }, selection, ...conditions)
    : sql`(select ${ends} ${selectedActions(selection, ...conditions)})`
}

/** A subquery of `session_id`, with the sessions of the actions, each at least once. */
export const sessionsOfActions = (selection: Selection): Fragment =>
  actionsOf(selection, { hours: sql`session_id`, ends: sql`session_id` })

/**
 * A subquery of `session_id` and `date` (the local date as a number of days). It contains each date of a session at
 * least once.
 */
export function datesOfActions(selection: Selection, zone: string): Fragment {
  const datesAt = (at: Fragment) => sql`session_id, toInt32(toDate32(${clockIn(zone, at)})) as date`
  return actionsOf(selection, {
    hours: hasWholeHours(zone, visiblePeriod(selection)) ? datesAt(sql`hour`) : undefined,
    ends: datesAt(sql`created_at`),
  })
}

/**
 * A subquery of the actions, with `session_id`, `visit_id`, `country`, `kind` (1: views, 2: custom events) and
 * `events`, the number of actions that a row counts.
 */
export const actionRows = (selection: Selection, ...conditions: Conditions): Fragment =>
  actionsOf(
    selection,
    {
      hours: sql`session_id, visit_id, country, kind, events`,
      ends: sql`session_id, visit_id, country, if(${isCustomEvent}, 2, 1) as kind, 1 as events`,
    },
    conditions,
  )
