import type { FieldFilter, FieldFilters, Filters } from '../../request/filters.ts'
import { any, type Fragment, sql, texts, uint8s } from '../language/sql.ts'
import { patternCheck, textCondition } from '../language/text.ts'
import { fieldColumns } from './columns.ts'

/** The conditions on columns, combined according to `match`. */
export function fieldConditions({ match, fields }: FieldFilters): (Fragment | undefined)[] {
  const conditions = fields.map(fieldCondition)
  return [...(match === 'any' ? [any(...conditions)] : conditions), ...fields.map(patternCheck)]
}

function fieldCondition(filter: FieldFilter): Fragment {
  if (filter.field === 'language' && (filter.operator === 'eq' || filter.operator === 'neq')) {
    return languageCondition(filter.operator, filter.values)
  }
  const condition = textCondition(fieldColumns[filter.field], filter)
  return filter.field === 'referrer' ? sql`(${condition} and ${isForeign})` : condition
}

/**
 * Whether the referrer is foreign, which means that it is not the event's own hostname, with or without `www.`. If the
 * hostname is empty, every referrer is foreign.
 */
const isForeignTo = (host: Fragment, referrer: Fragment): Fragment =>
  sql`(${host} = '' or ${referrer} != ${host} and ${referrer} != ${withoutWww(host)})`

/** The condition that an event's referrer is not the event's own host. */
export const isForeign = isForeignTo(sql`hostname`, sql`referrer_domain`)

function withoutWww(host: Fragment): Fragment {
  return sql`if(startsWith(${host}, 'www.'), substring(${host}, 5), ${host})`
}

/**
 * A value without `-` or `_` is compared with the primary subtag, ignoring case; any other value with the whole tag.
 */
function languageCondition(operator: 'eq' | 'neq', values: readonly string[]): Fragment {
  const isTag = sql`position(value, '-') + position(value, '_') > 0`
  const isOne = sql`arrayExists(
    value -> if(${isTag}, language = value, ${primarySubtag} = lowerUTF8(value)), ${texts(values)})`
  return operator === 'eq' ? isOne : sql`not ${isOne}`
}

/** The primary subtag of a language, in lower case, such as `en` for `en-US` and `EN_gb`. */
export const primarySubtag = sql`lowerUTF8(extract(language, '^[^-_]*'))`

export const typeConditions = ({ eventTypes }: Filters): Fragment[] =>
  eventTypes.map(({ operator, values }) =>
    operator === 'eq' ? sql`event_type in ${uint8s(values)}` : sql`event_type not in ${uint8s(values)}`,
  )
