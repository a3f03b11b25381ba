import type { Selection } from './scope.ts'
import { type Fragment, sql, union } from './sql.ts'
import { selectedActions } from './views.ts'
import { visitParts } from './visit-parts.ts'

/** The sessions of the selected views and custom events, as a subquery of `session_id`, each at least once. */
export function sessionsOfActions(selection: Selection): Fragment {
  const parts = visitParts('actions', selection, 'sessions')
  if (!parts) return sql`(select session_id ${selectedActions(selection)})`
  const { days, ends } = parts
  return union([sql`select session_id ${days(selection)}`, sql`select session_id ${ends(selection)}`])
}
