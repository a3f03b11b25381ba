import { type Filters, noFilters } from '../../request/filters.ts'
import { always } from '../../request/period.ts'
import { isFiltered, type Scope } from '../language/scope.ts'
import { type Fragment, sql } from '../language/sql.ts'
import { rows } from '../tables/rows.ts'
import { sessionEvents } from '../tables/tables.ts'
import { selectedActions } from '../tables/views.ts'

/**
 * Returns the condition that at least one of a visit's actions, at any time, passes the filters. Undefined without
 * filters. `sessions` selects the ids of the candidate sessions.
 */
export function passingVisits(scope: Scope, filters: Filters, sessions: Fragment): Fragment | undefined {
  const selection = { scope, period: always, filters }
  if (!isFiltered(selection)) return undefined
  const isMeant = sql`session_id global in (${sessions})`
  const moments = rows(sessionEvents, { scope, period: always, filters: noFilters }, [isMeant])
  const isThen = sql`created_at global in (select created_at ${moments})`
  return sql`visit_id global in (select visit_id ${selectedActions(selection, isMeant, isThen)})`
}
