import type { FieldFilter, FieldFilters, Filters } from '../request/filters.ts'
import { fieldColumns } from './columns.ts'
import { any, type Fragment, sql, uint8s } from './sql.ts'
import { patternCheck, textCondition } from './text.ts'

/** Conditions on columns that have to hold together. */
export function fieldConditions({ match, fields }: FieldFilters): (Fragment | undefined)[] {
  const conditions = fields.map(fieldCondition)
  return [...(match === 'any' ? [any(...conditions)] : conditions), ...fields.map(patternCheck)]
}

/** `referrer` means a foreign one: the rows of the event's own hostname never pass, whatever the operator. */
function fieldCondition(filter: FieldFilter): Fragment {
  const condition = textCondition(fieldColumns[filter.field], filter)
  return filter.field === 'referrer' ? sql`(${condition} and referrer_domain != hostname)` : condition
}

export const typeConditions = ({ eventTypes }: Filters): Fragment[] =>
  eventTypes.map(({ operator, values }) =>
    operator === 'eq' ? sql`event_type in ${uint8s(values)}` : sql`event_type not in ${uint8s(values)}`,
  )
