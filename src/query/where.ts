import type { FieldFilter, FieldFilters, Filters } from '../request/filters.ts'
import { columns } from './columns.ts'
import { any, type Fragment, smalls, sql } from './sql.ts'
import { patternCheck, textCondition } from './text.ts'

/** Conditions on columns that have to hold together. */
export function fieldConditions({ match, fields }: FieldFilters): (Fragment | undefined)[] {
  const conditions = fields.map(fieldCondition)
  return [...(match === 'any' ? [any(...conditions)] : conditions), ...fields.map(patternCheck)]
}

/** `referrer` means a foreign one: the rows of the event's own hostname never pass, whatever the operator. */
function fieldCondition(filter: FieldFilter): Fragment {
  const condition = textCondition(columns[filter.field], filter)
  return filter.field === 'referrer' ? sql`(${condition} and referrer_domain != hostname)` : condition
}

export const typeConditions = ({ eventTypes }: Filters): Fragment[] =>
  eventTypes.map(({ operator, values }) =>
    operator === 'eq' ? sql`event_type in ${smalls(values)}` : sql`event_type not in ${smalls(values)}`,
  )
