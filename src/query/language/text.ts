import type { ListOperator, TextOperator } from '../../request/operators.ts'
import { any, type Fragment, sql, text, texts } from './sql.ts'

type TextFilter =
  | { readonly operator: ListOperator; readonly values: readonly string[] }
  | { readonly operator: TextOperator; readonly value: string }

/**
 * The SipHash-128 that `uniqExact` stores for a string (AggregateFunctionUniq.h), here computed explicitly. For a
 * `LowCardinality` column, each dictionary entry is hashed only once.
 */
export const hashOfText = (column: Fragment): Fragment => sql`reinterpretAsUInt128(sipHash128(${column}))`

/**
 * Compares a string column. All case-insensitive operators use RE2's case folding, so that they are consistent.
 */
export function textCondition(column: Fragment, filter: TextFilter): Fragment {
  switch (filter.operator) {
    case 'eq':
      return filter.values.length === 1
        ? sql`${column} = ${text(filter.values[0]!)}`
        : sql`${column} in ${texts(filter.values)}`
    case 'neq':
      return sql`${column} not in ${texts(filter.values)}`
    case 'c':
      return contains(column, filter.value)
    case 'dnc':
      return sql`not ${contains(column, filter.value)}`
    case 're':
      return sql`match(${column}, ${pattern(filter.value)})`
    case 'nre':
      return sql`not match(${column}, ${pattern(filter.value)})`
  }
}

/** Whether the text contains `value`, compared case-insensitively. */
export const contains = (column: Fragment, value: string): Fragment =>
  sql`match(${column}, concat('(?i)', regexpQuoteMeta(${text(value)})))`

/** Whether any of the columns contains the text; undefined if there is no search. */
export const anyContains = (search: string | undefined, ...columns: readonly Fragment[]): Fragment | undefined =>
  search === undefined ? undefined : any(...columns.map((column) => contains(column, search)))

/** Whether an event has exactly this name; undefined if no name is given. */
export const hasEventName = (eventName: string | undefined): Fragment | undefined =>
  eventName === undefined ? undefined : sql`event_name = ${text(eventName)}`

/** Whether a search finds an event: custom events by name, page views by path. */
export const matchesSearch = (search: string | undefined): Fragment | undefined =>
  search === undefined
    ? undefined
    : sql`(event_type = 2 and ${contains(sql`event_name`, search)} or event_type = 1 and ${contains(sql`url_path`, search)})`

const pattern = (value: string): Fragment => sql`concat('(?i)', ${text(value)})`

/** Makes an invalid pattern fail even if no row is read: ClickHouse always compiles a constant expression. */
export const patternCheck = (filter: { operator: string; value?: string }): Fragment | undefined =>
  (filter.operator === 're' || filter.operator === 'nre') && filter.value !== undefined
    ? sql`match('', ${pattern(filter.value)}) in (0, 1)`
    : undefined
