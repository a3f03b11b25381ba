import { isCustomEvent } from './rows.ts'
import type { Selection } from './scope.ts'
import { type Fragment, sql, union } from './sql.ts'
import { selectedActions } from './views.ts'
import { visitParts } from './visit-parts.ts'

/**
 * The selected actions, as a subquery: `session_id`, `visit_id`, `country`, `kind` (1: views, 2: custom events) and
 * `events`, how many a row stands for. The conditions are on the session.
 */
export function actionRows(selection: Selection, ...conditions: readonly (Fragment | undefined)[]): Fragment {
  const ofEvents = sql`select session_id, visit_id, country, if(${isCustomEvent}, 2, 1) as kind, 1 as events`
  const parts = visitParts('actions', selection, 'sessions')
  if (!parts) return sql`(${ofEvents} ${selectedActions(selection, ...conditions)})`
  return union([
    sql`select session_id, visit_id, country, kind, events ${parts.days(selection, ...conditions)}`,
    sql`${ofEvents} ${parts.ends(selection, ...conditions)}`,
  ])
}
