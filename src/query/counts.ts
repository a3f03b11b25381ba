import type { Period } from '../request/period.ts'
import { chooseTable, type TableChoice } from './choose.ts'
import { atMost } from './order.ts'
import { canAnswer, rows } from './rows.ts'
import { allFilters, type Selection } from './scope.ts'
import { all, type Fragment, instant, sql, union } from './sql.ts'
import { type CountKind, customEvents, eventData, events, type Table } from './tables.ts'

/** Counts over a range, from a table of counts where one answers: see `chooseTable`. */

/**
 * What is counted event by event: all events, with a condition on their type; or custom events and events with properties, with a
 * condition on their type, name and shape.
 */
export type EventKind = Extract<CountKind, 'events' | 'custom events'>

/** Where events are read one by one. */
export const plainTable: Readonly<Record<EventKind, Table>> = { events, 'custom events': customEvents }

/** Whether a table of counts may answer. It may not where a condition reads columns that it does not have. */
export type CountSource = 'any table' | 'the events'

/** One part of a range: `from … where …`, and what a row counts for. */
interface RangePart {
  readonly each: Fragment
  readonly from: Fragment
}

const eachOnce = sql`toInt64(1)`

const outside = ({ startAt, endAt }: Period): Fragment =>
  sql`(created_at < ${instant(startAt)} or created_at > ${instant(endAt)})`

/** The parts that make up the selected rows which pass `conditions`: those of the choice, and those of `plain` outside of it. */
function partsOf(
  choice: TableChoice | undefined,
  plain: Table,
  selection: Selection,
  conditions: readonly (Fragment | undefined)[],
): RangePart[] {
  if (!choice) return [{ each: eachOnce, from: rows(plain, selection, conditions) }]
  const { table, whole } = choice
  const measure = table.measure === 'properties' ? sql`properties` : sql`events`
  return [
    { each: measure, from: rows(table, { ...selection, period: whole }, conditions) },
    { each: eachOnce, from: rows(plain, selection, [...conditions, outside(whole)]) },
  ]
}

const eventParts = (selection: Selection, kind: EventKind, condition: Fragment, source: CountSource): RangePart[] =>
  partsOf(source === 'any table' ? chooseTable(kind, selection) : undefined, plainTable[kind], selection, [condition])

/**
 * How many of the selected events pass `condition`: a subquery of numbers `events` to be added up. Where they are
 * counted one by one, no further than `max`.
 */
export function eventCount(
  selection: Selection,
  kind: EventKind,
  condition: Fragment,
  max?: number,
  source: CountSource = 'any table',
): Fragment {
  const parts = eventParts(selection, kind, condition, source)
  if (parts.length === 1 && max !== undefined) {
    return sql`(select count() as events from (select 1 ${parts[0]!.from} ${atMost(max)}))`
  }
  return union(parts.map((part) => sql`select ${summed(part)} as events ${part.from}`))
}

const summed = ({ each }: RangePart): Fragment => (each === eachOnce ? sql`toInt64(count())` : sql`sum(${each})`)

/** The selected events which pass `condition` by `column`: a `select` of `events`, how many there are, and of `selectItem`, made of the column. */
export function eventsBy(
  column: Fragment,
  selectItem: Fragment,
  selection: Selection,
  kind: EventKind,
  condition: Fragment,
  source: CountSource = 'any table',
): Fragment {
  const parts = eventParts(selection, kind, condition, source)
  if (parts.length === 1) {
    return sql`select ${selectItem}, ${summed(parts[0]!)} as events ${parts[0]!.from} group by ${column}`
  }
  const each = union(parts.map((part) => sql`select ${column}, ${part.each} as events ${part.from}`))
  return sql`select ${selectItem}, sum(events) as events from ${each} group by ${column} having events > 0`
}

/**
 * The selected events that have properties, counted by shape: the JSON of the event's name, and of the names and the data types of
 * its properties. A `select` of `events` and of `selectItem`, which is made of `shape`.
 */
export const eventsByShape = (
  selection: Selection,
  selectItem: Fragment,
  source: CountSource = 'any table',
  ...conditions: readonly (Fragment | undefined)[]
): Fragment =>
  eventsBy(sql`shape`, selectItem, selection, 'custom events', all(sql`shape != ''`, ...conditions), source)

const isCustom = sql`event_type = 2`

/**
 * The selected custom events: rows with `session_id`, `visit_id` and `events`, how many events a row is; and how many names
 * they have, as an expression over these rows.
 */
export interface Visits {
  readonly rows: Fragment
  readonly names: Fragment
}

/** Of the selected custom events those that pass `condition`, which may read any column of the event. */
export function visits(selection: Selection, condition?: Fragment, source: CountSource = 'any table'): Visits {
  const choice = visitsChoice(selection, condition, source)
  return choice ? visitsOfDays(choice, selection) : visitsOneByOne(selection, condition)
}

/** A table has visits counted, but not by what a condition reads. */
const visitsChoice = (
  selection: Selection,
  condition: Fragment | undefined,
  source: CountSource,
): TableChoice | undefined =>
  source === 'any table' && condition === undefined ? chooseTable('visits', selection) : undefined

/** Each event is a row, which has `created_at` as well. */
const visitsOneByOne = (selection: Selection, condition: Fragment | undefined): Visits => ({
  rows: sql`(
    select created_at, session_id, visit_id, event_name, 1 as events
    ${rows(customEvents, selection, [isCustom, condition])}
  )`,
  // Of texts uniqExact keeps the SipHash-128 (AggregateFunctionUniq.h): taken here, it is made once for each text of a dictionary.
  names: sql`uniqExact(reinterpretAsUInt128(sipHash128(event_name)))`,
})

function visitsOfDays({ table, whole }: TableChoice, selection: Selection): Visits {
  const name = sql`event_name`
  return {
    rows: union([
      sql`select session_id, visit_id, events ${rows(table, { ...selection, period: whole }, [sql`events > 0`])}`,
      sql`select session_id, visit_id, 1 as events ${rows(customEvents, selection, [isCustom, outside(whole)])}`,
    ]),
    names: sql`(select uniqExact(event_name) from (${eventsBy(name, name, selection, 'custom events', isCustom)}))`,
  }
}

/**
 * A range and the one just before it, read once from the events: rows have their `created_at`. Undefined where a table of
 * counts answers one of them, or where what is selected depends on the range: they are read apart.
 */
export function visitsOfBoth(current: Selection, before: Selection, condition?: Fragment): Visits | undefined {
  const areNeighbours = before.period.endAt + 1 === current.period.startAt
  const dependsOnRange = allFilters(current).some(({ excludeBounce }) => excludeBounce)
  if (!areNeighbours || dependsOnRange) return undefined
  if ([current, before].some((one) => visitsChoice(one, condition, 'any table'))) return undefined
  // How both are read was decided above: their months, put together, may well be enough for the table of counts.
  const period = { startAt: before.period.startAt, endAt: current.period.endAt }
  return visitsOneByOne({ ...current, period }, condition)
}

/**
 * Property rows (`event_name`, `data_key`, `data_type`, `value`) of the selected events that pass the conditions on these
 * columns, as a subquery; `properties` is how many properties a row is. A filter on what these rows do not have of their
 * event unfolds `custom_events`, which gives the same rows.
 */
export function properties(
  selection: Selection,
  conditions: readonly (Fragment | undefined)[],
  source: CountSource = 'any table',
): Fragment {
  const columns = sql`event_name, data_key, data_type, value`
  if (!canAnswer(eventData, selection)) {
    const unfolded = sql`properties.key as data_key, properties.data_type as data_type, properties.value as value`
    return sql`(select ${columns}, 1 as properties ${rows(customEvents, selection, conditions, unfolded)})`
  }
  const choice = source === 'any table' ? chooseTable('properties', selection) : undefined
  const parts = partsOf(choice, eventData, selection, conditions)
  return union(parts.map((part) => sql`select ${columns}, ${part.each} as properties ${part.from}`))
}
