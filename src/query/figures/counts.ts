import type { Field } from '../../request/fields.ts'
import type { Buckets } from '../../request/series.ts'
import { atMost } from '../language/order.ts'
import { bothRanges, excludesBounces, type Selection } from '../language/scope.ts'
import { all, type Fragment, sql, union } from '../language/sql.ts'
import { hashOfText } from '../language/text.ts'
import { bucketOf, bucketOfRows } from '../tables/buckets.ts'
import { chooseTable, type TableChoice } from '../tables/choose.ts'
import { fieldColumns } from '../tables/columns.ts'
import { canAnswer, isCustomEvent, outside, rows } from '../tables/rows.ts'
import { type CountKind, customEvents, eventData, events, type Table } from '../tables/tables.ts'
import { ofParts, type VisitParts, visitParts } from '../tables/visit-parts.ts'

/** Counts over a range, from a table of counts if one can be used; see `chooseTable`. */

/**
 * Which rows of the plain table are counted. `events`: all events; conditions may read their type. `custom events`:
 * custom events and events with properties; conditions may read their type, name and shape.
 */
export type EventKind = Extract<CountKind, 'events' | 'custom events'>

/** The plain table of each kind: one row per event. */
export const plainTable: Readonly<Record<EventKind, Table>> = { events, 'custom events': customEvents }

/** Which tables may count: only the plain table if a condition reads columns that the tables of counts lack. */
export type CountSource = 'any table' | 'the events'

/** One part of a range: `from … where …`, and the number of events or properties that each row counts. */
interface RangePart {
  readonly each: Fragment
  readonly from: Fragment
}

const eachOnce = sql`toInt64(1)`

/**
 * Splits the selected rows that meet `conditions`: those in the choice's range come from its table, the rest from
 * `plain`.
 */
function partsOf(
  choice: TableChoice | undefined,
  plain: Table,
  selection: Selection,
  conditions: readonly (Fragment | undefined)[],
): RangePart[] {
  if (!choice) return [{ each: eachOnce, from: rows(plain, selection, conditions) }]
  const { table, whole, hasEnds } = choice
  const measure = table.measure === 'properties' ? sql`properties` : sql`events`
  const ends = { each: eachOnce, from: rows(plain, selection, [...conditions, outside(whole)]) }
  return [{ each: measure, from: rows(table, { ...selection, period: whole }, conditions) }, ...(hasEnds ? [ends] : [])]
}

function eventParts(
  selection: Selection,
  kind: EventKind,
  condition: Fragment,
  source: CountSource,
  read: readonly Field[] = [],
): RangePart[] {
  const choice = source === 'any table' ? chooseTable(kind, selection, read) : undefined
  return partsOf(choice, plainTable[kind], selection, [condition])
}

/**
 * Counts the selected events that meet `condition`: a subquery of numbers `events` that are to be added up. A count in
 * the plain table stops at `max`.
 */
export function eventCount(
  selection: Selection,
  kind: EventKind,
  condition: Fragment,
  max?: number,
  source: CountSource = 'any table',
  read: readonly Field[] = [],
): Fragment {
  const parts = eventParts(selection, kind, condition, source, read)
  if (max !== undefined && parts.every(({ each }) => each === eachOnce)) {
    return sql`(select count() as events from (select 1 ${parts[0]!.from} ${atMost(max)}))`
  }
  return union(parts.map((part) => sql`select ${summed(part)} as events ${part.from}`))
}

const summed = ({ each }: RangePart): Fragment => (each === eachOnce ? sql`toInt64(count())` : sql`sum(${each})`)

/**
 * Groups the selected events that meet `condition` by `column`. Selects their number as `events`, and `selectItem`, an
 * expression over the column.
 */
export function eventsBy(
  column: Fragment,
  selectItem: Fragment,
  selection: Selection,
  kind: EventKind,
  condition: Fragment,
  source: CountSource = 'any table',
  read: readonly Field[] = [],
): Fragment {
  const parts = eventParts(selection, kind, condition, source, read)
  if (parts.every(({ each }) => each === eachOnce)) {
    return sql`select ${selectItem}, ${summed(parts[0]!)} as events ${parts[0]!.from} group by ${column}`
  }
  const each = union(parts.map((part) => sql`select ${column}, ${part.each} as events ${part.from}`))
  return sql`select ${selectItem}, sum(events) as events from ${each} group by ${column} having events > 0`
}

/**
 * The selected events that meet `condition`, ready for grouping: `from …`, and an expression that counts a group's
 * events.
 */
export function countable(
  column: Fragment,
  selection: Selection,
  kind: EventKind,
  condition: Fragment,
): { readonly from: Fragment; readonly counted: Fragment } {
  const parts = eventParts(selection, kind, condition, 'any table')
  // ClickHouse plans the statement faster without a subquery.
  if (parts.every(({ each }) => each === eachOnce)) return { from: parts[0]!.from, counted: sql`count()` }
  return { from: sql`from (${eventsBy(column, column, selection, kind, condition)})`, counted: sql`sum(events)` }
}

/**
 * The values of a field in the selected events that meet `condition`: a subquery of `element` (the value) and `events`,
 * the number of events with the value.
 */
export function eventsByField(field: Field, selection: Selection, condition: Fragment): Fragment {
  const column = fieldColumns[field]
  return sql`(${eventsBy(column, sql`${column} as element`, selection, 'events', condition, 'any table', [field])})`
}

/**
 * The selected custom events, as a subquery of `event_name`, `bucket` and `events`, the number of events that a row
 * counts.
 */
export function eventsByBucket(selection: Selection, buckets: Buckets, condition: Fragment | undefined): Fragment {
  const choice = chooseTable('custom events', selection)
  const ofRows = choice && bucketOfRows(choice.table.grain, buckets, selection.period)
  const parts = partsOf(ofRows && choice, customEvents, selection, [isCustomEvent, condition])
  return union(
    parts.map(({ each, from }, index) => {
      const bucket = ofRows && index === 0 ? ofRows : bucketOf(buckets)
      return sql`select event_name, ${bucket} as bucket, ${each} as events ${from}`
    }),
  )
}

/**
 * Groups the selected events that have properties by shape, which is the JSON of the event's name, property names and
 * data types. Selects their number as `events`, and `selectItem`, an expression over `shape`.
 */
export const eventsByShape = (
  selection: Selection,
  selectItem: Fragment,
  source: CountSource = 'any table',
  ...conditions: readonly (Fragment | undefined)[]
): Fragment =>
  eventsBy(sql`shape`, selectItem, selection, 'custom events', all(sql`shape != ''`, ...conditions), source)

/**
 * The selected custom events. `rows` has `session_id`, `visit_id` and `events`, the number of events that a row counts.
 * `names` is an expression over these rows that counts the distinct event names.
 */
export interface Visits {
  readonly rows: Fragment
  readonly names: Fragment
}

/** The selected custom events that meet `condition`, which may read any column of the event. */
export function visits(selection: Selection, condition?: Fragment, source: CountSource = 'any table'): Visits {
  const parts = partsOfHours(selection, condition, source)
  return parts ? visitsOfHours(parts, selection) : visitsOneByOne(selection, condition)
}

/** The table of visits by hour cannot be used with a condition, because it lacks the columns that conditions read. */
const partsOfHours = (
  selection: Selection,
  condition: Fragment | undefined,
  source: CountSource,
): VisitParts | undefined =>
  source === 'any table' && condition === undefined
    ? visitParts('custom events', selection, 'visits of custom events')
    : undefined

/** One row per event, which also has `created_at`. */
const visitsOneByOne = (selection: Selection, condition: Fragment | undefined): Visits => ({
  rows: sql`(
    select created_at, session_id, visit_id, event_name, 1 as events
    ${rows(customEvents, selection, [isCustomEvent, condition])}
  )`,
  names: sql`uniqExact(${hashOfText(sql`event_name`)})`,
})

function visitsOfHours(parts: VisitParts, selection: Selection): Visits {
  const name = sql`event_name`
  const columns = { hours: sql`session_id, visit_id, events`, ends: sql`session_id, visit_id, 1 as events` }
  return {
    rows: ofParts(parts, columns, selection),
    names: sql`(select uniqExact(event_name) from (${eventsBy(name, name, selection, 'custom events', isCustomEvent)}))`,
  }
}

/**
 * A range and the range just before it, in a single read of the events. The rows have `created_at`. Undefined if a
 * table of counts can be used for either range, or if the selection depends on the range; each range is then read
 * separately.
 */
export function visitsOfBoth(current: Selection, before: Selection, condition?: Fragment): Visits | undefined {
  const both = bothRanges(current, before, excludesBounces(current))
  if (!both) return undefined
  if ([current, before].some((one) => partsOfHours(one, condition, 'any table'))) return undefined
  // This statement has to read the events: together, the two ranges may have enough whole months for a table of counts.
  return visitsOneByOne(both, condition)
}

/** Unfolds the arrays in `custom_events` into the columns of `event_data`. */
const unfolded = sql`properties.key as data_key, properties.data_type as data_type, properties.value as value`

/** `unfolded`, with the two flags of a property, computed as in the view that fills `event_data`. */
export const unfoldedWithFlags = sql`${unfolded},
  arrayMap(place -> place > 1, arrayEnumerateUniq(
    properties.key, arrayMap(type -> if(type = 3, 1, type), properties.data_type), properties.value)) as is_repeat,
  arrayMap(
    (type, number, date) -> (type = 2 and isNull(number)) or (type = 4 and isNull(date)),
    properties.data_type, properties.number_value, properties.date_value) as is_void`

/**
 * A subquery of the property rows (`event_name`, `data_key`, `data_type`, `value`) of the selected events. The
 * conditions may read these columns; `properties` is the number of properties that a row counts. If a filter needs
 * other columns of the event, `custom_events` is unfolded instead, which gives the same rows.
 */
export function properties(
  selection: Selection,
  conditions: readonly (Fragment | undefined)[],
  source: CountSource = 'any table',
): Fragment {
  const columns = sql`event_name, data_key, data_type, value`
  if (!canAnswer(eventData, selection)) {
    return sql`(select ${columns}, 1 as properties ${rows(customEvents, selection, conditions, unfolded)})`
  }
  const choice = source === 'any table' ? chooseTable('properties', selection) : undefined
  const parts = partsOf(choice, eventData, selection, conditions)
  return union(parts.map((part) => sql`select ${columns}, ${part.each} as properties ${part.from}`))
}
