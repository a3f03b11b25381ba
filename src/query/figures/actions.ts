import { hasWholeHours, hourLength } from '../../request/time-zone.ts'
import { type Selection, visiblePeriod } from '../language/scope.ts'
import { type Fragment, instant, sql } from '../language/sql.ts'
import { clockIn } from '../tables/buckets.ts'
import { isCustomEvent } from '../tables/rows.ts'
import { selectedActions } from '../tables/views.ts'
import { ofParts, visitParts } from '../tables/visit-parts.ts'
import { shortRanges } from './visit-facts.ts'

/** The selected views and custom events, from rows of visits by hour if these can be used, otherwise from events. */

/** `from …`: rows with these columns. Without `hours`, only the events are read. */
function actionsOf(
  selection: Selection,
  { hours, ends }: { readonly hours: Fragment | undefined; readonly ends: Fragment },
): Fragment {
  const parts = hours && visitParts('actions', selection, 'sessions')
  return parts
    ? sql`from ${ofParts(parts, { hours, ends }, selection)}`
    : sql`from (select ${ends} ${selectedActions(selection)})`
}

/** `from …`: rows with `session_id`, which include each session of the actions at least once. */
export function sessionsOfActions(selection: Selection, ...conditions: readonly (Fragment | undefined)[]): Fragment {
  const parts = visitParts('actions', selection, 'sessions')
  if (!parts) return selectedActions(selection, ...conditions)
  const columns = { hours: sql`session_id`, ends: sql`session_id` }
  return parts.ends
    ? sql`from ${ofParts(parts, columns, selection, ...conditions)}`
    : parts.hours(selection, ...conditions)
}

/**
 * `from …`: rows of `session_id` in a range and the range just before it, and whether a row is in the later range.
 * Undefined if each range has to be read separately.
 */
export function sessionsInBoth(current: Selection, before: Selection) {
  const both = shortRanges(current, before)
  if (!both) return undefined
  const start = current.period.startAt
  const parts = visitParts('actions', both, 'sessions')
  const isOfHours = parts !== undefined && !parts.ends && start % hourLength === 0
  return isOfHours
    ? { from: parts.hours(both), isCurrent: sql`hour >= ${instant(start)}` }
    : { from: selectedActions(both), isCurrent: sql`created_at >= ${instant(start)}` }
}

/**
 * `from …`: rows with `session_id` and `date` (the local date as a number of days), at least one for each date of a
 * session.
 */
export function datesOfActions(selection: Selection, zone: string): Fragment {
  const datesAt = (at: Fragment) => sql`session_id, toInt32(toDate32(${clockIn(zone, at)})) as date`
  return actionsOf(selection, {
    hours: hasWholeHours(zone, visiblePeriod(selection)) ? datesAt(sql`hour`) : undefined,
    ends: datesAt(sql`created_at`),
  })
}

/**
 * `from …`: the actions, as rows of `session_id`, `visit_id`, `country`, `kind` (1: views, 2: custom events) and
 * `events`, the number of actions that a row counts.
 */
export function actionRows(selection: Selection): Fragment {
  const parts = visitParts('actions', selection, 'sessions')
  // ClickHouse plans the statement faster without a subquery.
  if (parts && !parts.ends) return parts.hours(selection)
  return actionsOf(selection, {
    hours: sql`session_id, visit_id, country, kind, events`,
    ends: sql`session_id, visit_id, country, if(${isCustomEvent}, 2, 1) as kind, 1 as events`,
  })
}
